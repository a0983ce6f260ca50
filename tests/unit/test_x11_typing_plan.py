"""Keysyms, layouts and plans for typing: pure parts of the X11 keyboard."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.adapters.x11.keymap import FIRST_KEYCODE, Keymap, Stroke, rows_of
from tactile.adapters.x11.keysyms import character_of, keysym_of
from tactile.adapters.x11.typing_plan import REUSE_AFTER_S, SpareKeys, check_typable, plan_text, runs
from tactile.errors import RequestError

SHIFT, ALTGR, RETURN, TAB = 0xFFE1, 0xFE03, 0xFF0D, 0xFF09
PLAY = 0x1008FF14  # XF86AudioPlay, a key that types nothing


def keymap(*rows: tuple[int, ...], spare: int = 4, group: int = 0, groups: int = 1) -> Keymap:
    """Return a small layout: Shift, AltGr, Return, Tab, the given rows, then empty keys and media keys."""
    fixed = [(0,), (SHIFT,), (ALTGR,), (RETURN,), (TAB,), *rows, *[(0,)] * spare, *[(PLAY,)] * spare]
    width = 6
    return Keymap(
        rows=tuple((row + (0,) * width)[:width] for row in fixed),
        modifier_keycodes=frozenset({FIRST_KEYCODE + 1, FIRST_KEYCODE + 2}),
        group=group,
        groups=groups,
    )


A, B = FIRST_KEYCODE + 5, FIRST_KEYCODE + 6
LETTERS = ((ord("a"), ord("A"), ord("a"), ord("A"), ord("@"), 0x7D9), (ord("b"), ord("B")))


def test_each_level_of_the_layout_is_found_with_its_modifiers() -> None:
    """Core mapping: columns 0, 1 plain and Shift; 4, 5 with AltGr."""
    layout = keymap(*LETTERS)

    assert layout.stroke("a") == Stroke(A)
    assert layout.stroke("A") == Stroke(A, shift=True)
    assert layout.stroke("@") == Stroke(A, altgr=True)
    assert layout.stroke("Ω") == Stroke(A, shift=True, altgr=True)
    assert layout.stroke("\n") == Stroke(FIRST_KEYCODE + 3)
    assert layout.stroke("c") is None


def test_the_second_group_is_read_from_its_own_columns() -> None:
    """us,gr with Greek active: columns 2 and 3; higher columns belong to nobody knows whom."""
    rows = ((ord("a"), ord("A"), 0x7E1, 0x7C1, ord("@"), 0),)

    layout = keymap(*rows, group=1, groups=2)

    assert (layout.stroke("α"), layout.stroke("Α")) == (Stroke(A), Stroke(A, shift=True))
    assert layout.stroke("a") is None
    assert layout.stroke("@") is None


def test_dead_keys_type_nothing() -> None:
    """German ^ is a dead key: pressing it alone gives nothing."""
    assert keymap((0xFE52, ord("!"))).stroke("^") is None


def test_rows_are_cut_from_the_flat_list() -> None:
    """X11 protocol, GetKeyboardMapping."""
    assert rows_of([1, 2, 3, 4], 2) == ((1, 2), (3, 4))


@pytest.mark.parametrize(
    ("keysym", "character"),
    [
        (0x20, " "),
        (0xE9, "é"),
        (0x01BE, "ž"),
        (0x06C1, "а"),
        (0x06FF, "Ъ"),
        (0x07E1, "α"),
        (0x07F2, "σ"),
        (0x20AC, "€"),
        (0x13BE, "Ÿ"),
        (0x0CE0, "א"),
        (0x01001E9E, "ẞ"),
        (0xFF0D, "\n"),
        (0xFE51, None),
        (0xFFE1, None),
        (0x0, None),
        (0x1008FF14, None),
    ],
)
def test_keysyms_of_old_and_new_kind_mean_their_character(keysym: int, character: str | None) -> None:
    """X11 protocol, appendix A."""
    assert character_of(keysym) == character


@given(st.characters(exclude_categories=["Cc", "Cs"]))
def test_every_character_has_a_keysym_that_means_it(character: str) -> None:
    """What is bound to a spare key must come back as the same character."""
    assert character_of(keysym_of(character)) == character


@pytest.mark.parametrize(("text", "code"), [("ab\0c", "U+0000"), ("ab\ud800", "U+D800"), ("ab\x1b", "U+001B")])
def test_text_no_keyboard_can_type_is_refused_with_its_place(text: str, code: str) -> None:
    """Issue 2, bad input."""
    with pytest.raises(RequestError, match="character 3") as caught:
        check_typable(text)

    assert code in caught.value.message


def test_missing_characters_get_spare_keys_and_keep_them() -> None:
    """Facts x11 5: a keycode has one meaning within a text; the next text keeps what is bound."""
    spare = SpareKeys(may_remap_all=False)
    plan = plan_text("a中b中", keymap(*LETTERS), spare)

    [(keycode, keysym)] = plan.bindings.items()
    assert keysym == 0x01000000 | ord("中")
    assert plan.strokes == (Stroke(A), Stroke(keycode), Stroke(B), Stroke(keycode))
    assert plan.spare_used == {keycode}


def test_only_an_isolated_desktop_gives_keys_that_have_a_meaning() -> None:
    """Facts x11 5: on the user's session only truly empty keycodes."""
    layout = keymap(*LETTERS, spare=4)
    own, isolated = SpareKeys(may_remap_all=False), SpareKeys(may_remap_all=True)

    assert len(own.free(layout)) == 4
    assert len(isolated.free(layout)) == 8
    assert not {A, B, FIRST_KEYCODE + 1, FIRST_KEYCODE + 3} & set(isolated.free(layout))


def test_keys_bound_by_a_former_session_are_free_again() -> None:
    """Found here: on a desktop that outlived a few sessions no key was left."""
    former = (0x01004E2D,) * 4
    layout = keymap(*LETTERS, former)
    left = FIRST_KEYCODE + 7

    assert layout.stroke("中") == Stroke(left)
    assert left in SpareKeys(may_remap_all=True).free(layout)
    assert left not in SpareKeys(may_remap_all=False).free(layout)
    assert left not in plan_text("中한", layout, SpareKeys(may_remap_all=True)).bindings


def test_more_missing_characters_than_spare_keys_are_refused() -> None:
    """Brief: the caller then uses set_value."""
    with pytest.raises(RequestError, match="nothing was typed") as caught:
        plan_text("中文字한국", keymap(*LETTERS, spare=4), SpareKeys(may_remap_all=False))

    assert "set_value" in caught.value.hint


def test_a_key_used_lately_is_bound_anew_only_after_a_while() -> None:
    """Facts x11 5: a loaded application drains typed keys in up to 3 s."""
    spare = SpareKeys(may_remap_all=False, used_at_s={20: 100.0})

    assert spare.reuse_wait_s([20], 101.0) == REUSE_AFTER_S - 1.0
    assert spare.reuse_wait_s([20], 200.0) == 0.0
    assert spare.reuse_wait_s([21], 101.0) == 0.0


def test_a_layout_set_anew_makes_bound_keys_forgotten() -> None:
    """Setxkbmap resets every key."""
    layout = keymap(*LETTERS)
    spare = SpareKeys(may_remap_all=False)
    keycode = spare.free(layout)[0]
    spare.bound[keycode], spare.original[keycode] = 0x01004E2D, (0,)

    spare.forget_changed(layout)

    assert spare.bound == {}
    assert keycode in spare.free(layout)


@given(st.text(st.sampled_from("abAB@\n中文é한"), max_size=40))
def test_a_plan_types_exactly_the_text(text: str) -> None:
    """Our choice: one stroke a character, and each key means one character for the whole text."""
    layout = keymap(*LETTERS)
    plan = plan_text(text, layout, SpareKeys(may_remap_all=True))
    rows = dict(layout.numbered_rows())

    def meaning(stroke: Stroke) -> str | None:
        if stroke.keycode in plan.bindings:
            return character_of(plan.bindings[stroke.keycode])
        return character_of(rows[stroke.keycode][4 * stroke.altgr + stroke.shift])

    assert [meaning(stroke) for stroke in plan.strokes] == list(text)


@given(st.sets(st.integers(8, 255)))
def test_runs_cover_exactly_the_keycodes(keycodes: set[int]) -> None:
    """No key in between is written."""
    found = runs(keycodes)

    assert {code for first, last in found for code in range(first, last + 1)} == keycodes
    assert all(after[0] > before[1] + 1 for before, after in itertools.pairwise(found))
