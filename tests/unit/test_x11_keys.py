"""Chords: what a name means, and that a doubtful one is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.adapters.x11.keys import CHORD_MAX, MODIFIERS, NAMED_CHARACTERS, NAMED_KEYSYMS, known_key, parse_chord
from tactile.errors import RequestError


@pytest.mark.parametrize(
    ("keys", "modifiers", "keysym"),
    [
        ("Return", (), 0xFF0D),
        ("enter", (), 0xFF0D),
        ("Esc", (), 0xFF1B),
        ("PageDown", (), 0xFF56),
        ("Page_Down", (), 0xFF56),
        ("Next", (), 0xFF56),
        ("F1", (), 0xFFBE),
        ("f24", (), 0xFFD5),
        ("ctrl+shift+s", ("ctrl", "shift"), ord("s")),
        ("Ctrl+S", ("ctrl",), ord("s")),
        ("S", (), ord("S")),
        ("shift+S", ("shift",), ord("S")),
        ("ctrl++", ("ctrl",), ord("+")),
        ("+", (), ord("+")),
        ("ctrl+plus", ("ctrl",), ord("+")),
        ("ctrl+-", ("ctrl",), ord("-")),
        ("alt+grave", ("alt",), ord("`")),
        ("space", (), ord(" ")),
        (" ", (), ord(" ")),
        ("Win", (), 0xFFEB),
        ("super+Left", ("super",), 0xFF51),
        ("ctrl + c", ("ctrl",), ord("c")),
        ("control+ctrl+c", ("ctrl",), ord("c")),
        ("€", (), 0x010020AC),
    ],
)
def test_a_chord_is_read_as_people_write_it(keys: str, modifiers: tuple[str, ...], keysym: int) -> None:
    """Case C38: common aliases work."""
    chord = parse_chord(keys)

    assert (chord.modifiers, chord.keysym) == (modifiers, keysym)


@pytest.mark.parametrize(
    ("keys", "part", "near"),
    [
        ("ctrl+BackTickk", "BackTickk", "backtick"),
        ("Page_Dn", "Page_Dn", "pgdn"),
        ("F25", "F25", "f2"),
        ("crtl+c", "crtl", "ctrl"),
        ("a+b", "a", ""),
        ("ctrl+", "", ""),
        ("ctrl+\x07", "\x07", ""),
        ("ctrl+k ctrl+c", "k ctrl", "ctrl"),
    ],
)
def test_an_unknown_part_is_named_with_what_is_near(keys: str, part: str, near: str) -> None:
    """Case C38: the whole chord is refused."""
    with pytest.raises(RequestError) as caught:
        parse_chord(keys)

    assert f'"{part}"' in caught.value.message
    assert "nothing was pressed" in caught.value.message
    assert near in " ".join(caught.value.diagnosis.near_misses)


@pytest.mark.parametrize(("keys", "hint"), [("cmd+c", "ctrl"), ("option+x", "alt"), ("meta", "super")])
def test_keys_of_other_platforms_are_refused_with_the_one_to_use(keys: str, hint: str) -> None:
    """Our choice: guessing would press another key than meant."""
    with pytest.raises(RequestError) as caught:
        parse_chord(keys)

    assert hint in caught.value.hint


@pytest.mark.parametrize("keys", ["", "   ", "a" * (CHORD_MAX + 1)])
def test_an_empty_or_endless_chord_is_refused(keys: str) -> None:
    """Issue 2, bad input."""
    with pytest.raises(RequestError):
        parse_chord(keys)


@given(st.text(max_size=200))
def test_any_text_is_a_chord_or_a_typed_refusal(keys: str) -> None:
    """Issue 2, bad input: never another exception."""
    try:
        keysym = parse_chord(keys).keysym
    except RequestError:
        return

    assert keysym > 0


@given(
    st.lists(st.sampled_from(["ctrl", "shift", "alt", "super", "altgr"]), unique=True),
    st.sampled_from([*NAMED_KEYSYMS, *NAMED_CHARACTERS]),
)
def test_modifiers_keep_their_order_and_the_key_its_meaning(modifiers: list[str], name: str) -> None:
    """Our choice: a named key means the same with and without modifiers."""
    chord = parse_chord("+".join([*modifiers, name]))

    assert list(chord.modifiers) == modifiers
    assert chord.keysym == parse_chord(name).keysym


def test_known_key_knows_names_and_single_characters_only() -> None:
    """What the runtime asks before it sends anything."""
    assert all(known_key(name) for name in [*MODIFIERS, *NAMED_KEYSYMS, *NAMED_CHARACTERS, "a", "é", "+"])
    assert not any(known_key(name) for name in ["", "ab", "ctrl+a", "cmd", "\n", "\ud800"])
