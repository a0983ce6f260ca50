"""A target is exactly one live thing; the strongest mechanism is chosen, and what was passed over is told."""

from __future__ import annotations

import pytest

from tactile.compile.ladder import climb
from tactile.compile.resolve import neighbours, resolve_locator, role_named
from tactile.errors import ResolveError
from tactile.records import Action, ActionRequest, Affordance, Locator, RefTarget, Role, Rung, State
from tests.unit.building import SHOWN, box, button, candidate, candidate_set, native, pointer

PRESS = Affordance(action=Action.PRESS, primitive="atspi.action:click")


def click(**rest: object) -> ActionRequest:
    """Ask for a click on e1."""
    return ActionRequest(action=Action.CLICK, target=RefTarget(ref="e1"), **rest)  # type: ignore[arg-type]


def test_two_ok_buttons_are_refused_and_both_are_named() -> None:
    """Our choice: ambiguity is an error, never the first match."""
    candidates = candidate_set(button("OK", ref="e1"), button("OK", ref="e2"))

    with pytest.raises(ResolveError) as caught:
        resolve_locator(Locator(role=Role.BUTTON, name="OK"), candidates)

    assert caught.value.code == "target_ambiguous"
    assert caught.value.diagnosis.near_misses == ('button "OK" [e1]', 'button "OK" [e2]')


def test_a_container_or_window_tells_two_buttons_apart() -> None:
    """The public interface: button "Save" in "Save As"."""
    inner = button("Save", ref="e2", window_title="Save As")
    candidates = candidate_set(button("Save", ref="e1", ancestors=("Tools", "Notes")), inner)

    assert resolve_locator(Locator(role=Role.BUTTON, name="Save", within="Save As"), candidates) == inner
    assert resolve_locator(Locator(role=Role.BUTTON, name="Save", within="Tools"), candidates).ref == "e1"


def test_nothing_of_that_name_is_refused_with_what_is_like_it() -> None:
    """Near misses are live things, the best first."""
    candidates = candidate_set(
        button("Save as", ref="e1"), button("Quit", ref="e2"), candidate(Role.LABEL, "Save", ref="e3")
    )

    with pytest.raises(ResolveError) as caught:
        resolve_locator(Locator(role=Role.BUTTON, name="Save"), candidates)

    assert caught.value.code == "target_absent"
    assert set(caught.value.diagnosis.near_misses) == {'button "Save as" [e1]', 'label "Save" [e3]'}


def test_the_one_that_shows_is_meant_before_a_hidden_one_of_the_same_name() -> None:
    """A person names what can be seen; a hidden one alone is still found, and refused later with the reason."""
    shown, hidden = button("OK", ref="e1"), button("OK", ref="e2", is_showing=False)

    assert resolve_locator(Locator(role=Role.BUTTON, name="OK"), candidate_set(hidden, shown)) == shown
    assert resolve_locator(Locator(role=Role.BUTTON, name="OK"), candidate_set(hidden)) == hidden


def test_invisible_characters_and_an_ellipsis_do_not_hide_a_name() -> None:
    """A caller writes what it read, which was cleaned."""
    odd = button("Save\u200b As…", ref="e1")

    assert resolve_locator(Locator(role=Role.BUTTON, name="Save As"), candidate_set(odd)) == odd


@pytest.mark.parametrize(
    ("word", "role"),
    [("Push Button", Role.BUTTON), ("text-box", Role.ENTRY), ("menu item", Role.MENU_ITEM), ("gizmo", None)],
)
def test_roles_have_the_names_that_people_use(word: str, role: Role | None) -> None:
    """Case, blanks and hyphens make no difference."""
    assert role_named(word) is role


def test_what_is_now_where_a_thing_was_is_named_first() -> None:
    """Stale targets: the refusal says what is there now."""
    gone = button("Alpha", ref="e1")
    here = button("Bravo", ref="e2", parent=native("/other"))
    sibling = button("Charlie", ref="e3", extents=box(300, 300))

    assert neighbours(gone, candidate_set(sibling, here)) == ('button "Bravo" [e2]', 'button "Charlie" [e3]')


def test_a_plain_click_is_a_semantic_press_if_there_is_one() -> None:
    """The public interface of click."""
    assert climb(click(), button("OK")) == (PRESS, ())


@pytest.mark.parametrize("rest", [{"button": "right"}, {"count": 2}, {"modifiers": ("ctrl",)}])
def test_any_other_click_is_real_and_says_why_the_press_was_passed_over(rest: dict[str, object]) -> None:
    """No silent fallback: the receipt's ladder holds the reason."""
    chosen, ladder = climb(click(**rest), button("OK"))

    assert chosen.primitive == "x11.pointer"
    assert [rung.primitive for rung in ladder] == ["atspi.action:click"]
    assert all(rung.reason for rung in ladder)


def test_a_mechanism_that_could_do_nothing_gives_way_to_the_next() -> None:
    """Each rung is tried once, and only after one that did nothing at all."""
    passed = (Rung(primitive="atspi.action:click", reason="it has no such action any more"),)

    assert climb(click(), button("OK"), passed) == (pointer(Action.PRESS), passed)


def test_what_cannot_be_done_is_refused_with_what_can() -> None:
    """A typed refusal says what to do next."""
    with pytest.raises(ResolveError) as caught:
        climb(ActionRequest(action=Action.EXPAND, target=RefTarget(ref="e1")), button("OK"))

    assert caught.value.code == "unsupported"
    assert "press" in caught.value.hint


def test_a_click_on_a_check_box_toggles_it() -> None:
    """The main action of each kind of control."""
    toggle = Affordance(action=Action.TOGGLE, primitive="atspi.action:toggle")
    box_ = candidate(Role.CHECK_BOX, "Wrap", affordances=(pointer(), toggle), states=SHOWN | {State.CHECKED})

    assert climb(click(), box_) == (toggle, ())


@pytest.mark.parametrize("role", [Role.LIST_ITEM, Role.TREE_ITEM, Role.TABLE_CELL, Role.TABLE_ROW])
def test_a_click_on_a_row_is_real_where_its_place_is_known(role: Role) -> None:
    """Found in attack: a row's own selection fires no handler and leaves a combo box as it was."""
    select = Affordance(action=Action.SELECT, primitive="atspi.selection.select")
    row = candidate(role, "Globex", affordances=(select, pointer()))
    unplaced = candidate(role, "Globex", affordances=(select,))

    assert climb(click(), row) == (pointer(), ())
    assert climb(click(), unplaced) == (select, ())
    assert climb(ActionRequest(action=Action.SELECT, target=RefTarget(ref="e1")), row) == (select, ())


@pytest.mark.parametrize("role", [Role.PAGE_TAB, Role.RADIO_BUTTON])
def test_a_click_on_a_tab_or_a_radio_button_is_its_own_selection(role: Role) -> None:
    """These do the same as a person's click."""
    select = Affordance(action=Action.SELECT, primitive="atspi.action:select")

    assert climb(click(), candidate(role, "Two", affordances=(select, pointer()))) == (select, ())
