"""Candidates: one per control a person would name; nothing actionable lost, nothing secret shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.codec import to_json
from tactile.compile import compile_observation
from tactile.compile.form import BAR_ROLES, is_folded
from tactile.records import Accessible, Action, Candidate, Coordinates, Offer, Role, State, ValueRange
from tests.unit.building import CLICK, SHOWN, accessible, box, frame, native, observation, window

SECRET = "hunter2-clear-text"
roles = st.sampled_from([role for role in Role if role is not Role.APPLICATION])


def formed(*accessibles: Accessible, **rest: Any) -> dict[str, Candidate]:
    """Compile one observation; candidates by path."""
    return {item.native.path: item for item in compile_observation(observation(*accessibles, **rest)).candidates}


@st.composite
def trees(draw: st.DrawFn) -> tuple[Accessible, ...]:
    """Draw a frame with up to twelve accessibles anywhere below it."""
    items = [frame()]
    for number in range(draw(st.integers(1, 12))):
        parent = draw(st.sampled_from(items)).ref.path
        offers = draw(st.sampled_from([(), (CLICK,), (Offer(action=Action.FOCUS, primitive="atspi.focus"),)]))
        items.append(
            accessible(
                f"/{number}",
                draw(roles),
                draw(st.sampled_from(["", "OK", "Open file"])),
                parent=parent,
                offers=offers,
                text=draw(st.sampled_from([None, "", "text"])),
                states=SHOWN | draw(st.frozensets(st.sampled_from([State.EDITABLE, State.FOCUSED]))),
            )
        )
    return tuple(items)


@given(trees())
def test_nothing_showing_that_can_be_acted_on_is_lost(items: tuple[Accessible, ...]) -> None:
    """House style: what offers an act is a candidate or is part of the control around it that is one."""
    by_ref = {item.ref: item for item in items}
    found = {item.native for item in compile_observation(observation(*items)).candidates}

    for item in items:
        if CLICK in item.offers and item.ref not in found and (item.name or item.role not in BAR_ROLES):
            assert is_folded(item, by_ref)
            assert item.parent is not None
            assert by_ref[item.parent].role in {Role.COMBO_BOX, Role.ENTRY, Role.PASSWORD_TEXT, Role.SPIN_BUTTON}


@given(trees())
def test_every_candidate_is_one_accessible_and_compiling_again_changes_nothing(items: tuple[Accessible, ...]) -> None:
    """House style: passes are idempotent; no candidate is made up or made twice."""
    first = compile_observation(observation(*items))

    assert compile_observation(observation(*items)) == first
    natives = [item.native for item in first.candidates]
    assert len(natives) == len(set(natives)) <= len(items)
    assert set(natives) <= {item.ref for item in items}


@given(trees(), st.data())
def test_a_query_changes_the_order_and_never_the_candidates(items: tuple[Accessible, ...], data: st.DataObject) -> None:
    """Ranking drops nothing; a match goes before everything that is none."""
    plain = compile_observation(observation(*items))
    asked = compile_observation(observation(*items), query="open file")

    assert {item.native for item in asked.candidates} == {item.native for item in plain.candidates}
    matching = ["open file" in f"{item.role} {item.name}".casefold() for item in asked.candidates]
    assert matching == sorted(matching, reverse=True)


@given(st.lists(roles, min_size=1, max_size=4), roles, st.booleans())
def test_no_content_of_a_password_field_reaches_a_candidate(inside: list[Role], around: Role, is_named: bool) -> None:
    """GTK 4.8 shows the clear text in an inner text (measured): never rely on the toolkit to mask."""
    items = [frame(), accessible("/around", around)]
    held: dict[str, Any] = {"text": SECRET, "text_length": 18, "value": ValueRange(current=31337.0)}
    items.append(
        accessible(
            "/secret", Role.PASSWORD_TEXT, "Password" if is_named else "", parent="/around", is_secure=True, **held
        )
    )
    parent = "/secret"
    for number, role in enumerate(inside):
        name = SECRET if role not in {Role.BUTTON, Role.TOGGLE_BUTTON} else "Show"
        items.append(accessible(f"/s{number}", role, name, parent=parent, is_secure=True, **held))
        parent = f"/s{number}"

    found = compile_observation(observation(*items)).candidates

    assert SECRET not in str(to_json(found))
    assert "31337" not in str(to_json(found))
    assert is_named is any(item.is_secure and item.name == "Password" for item in found)


def test_a_label_inside_a_button_is_the_buttons_name_and_no_line_of_its_own() -> None:
    """GTK 4.8 buttons carry a child label of the same text and place (measured)."""
    found = formed(
        accessible("/ok", Role.BUTTON, "", offers=(CLICK,)), accessible("/ok/l", Role.LABEL, "OK", parent="/ok")
    )

    assert found["/ok"].name == "OK"
    assert "/ok/l" not in found


def test_a_menu_button_of_gtk4_is_its_inner_button() -> None:
    """Measured: the visible one has no action, its inner push button has."""
    found = formed(
        accessible("/menu", Role.BUTTON, "Menu"),
        accessible("/menu/inner", Role.TOGGLE_BUTTON, "Menu", parent="/menu", offers=(CLICK,)),
    )

    assert set(found) == {"/frame", "/menu/inner"}


@pytest.mark.parametrize("role", [Role.IMAGE, Role.PANEL, Role.LABEL])
def test_a_nameless_thing_that_can_be_pressed_is_listed(role: Role) -> None:
    """Found in review: clickable pictures and boxes without a name were dropped."""
    assert "/x" in formed(accessible("/x", role, "", offers=(CLICK,)))


def test_a_picture_that_can_be_pressed_is_not_folded_into_its_row() -> None:
    """Found in review: a star in a list row is a control of its own."""
    found = formed(
        accessible("/list", Role.LIST, "Mails"),
        accessible("/row", Role.LIST_ITEM, "Hello", parent="/list"),
        accessible("/row/star", Role.IMAGE, "star", parent="/row", offers=(CLICK,)),
    )

    assert {"/row", "/row/star"} <= set(found)


def test_what_a_combo_box_holds_is_its_selected_option() -> None:
    """Toolkits differ in where they keep it; a person reads the face."""
    found = formed(
        accessible("/c", Role.COMBO_BOX, "Colour"),
        accessible("/c/m", Role.MENU, parent="/c"),
        accessible("/c/1", Role.MENU_ITEM, "red", parent="/c/m"),
        accessible("/c/2", Role.MENU_ITEM, "blue", parent="/c/m", states=SHOWN | {State.SELECTED}),
    )

    assert found["/c"].value == "blue"


def test_gtk4_controls_of_an_unmatched_window_show_but_cannot_be_clicked_by_point() -> None:
    """The public interface: unknown geometry cannot be clicked by point; semantic acts still can be done."""
    tops = [frame("Same", path, coordinates=Coordinates.WINDOW, extents=box(0, 0, 400, 300)) for path in ("/a", "/b")]
    inner = accessible(
        "/ok", Role.BUTTON, "OK", parent="/a", toplevel="/a", coordinates=Coordinates.WINDOW, offers=(CLICK,)
    )
    found = formed(*tops, inner, windows=(window(1, "Same"), window(2, "Same")), are_states_exact=False)

    assert found["/ok"].is_showing
    assert {item.primitive for item in found["/ok"].affordances} == {"atspi.action:click"}


def test_enabled_is_sensitive_alone_on_gtk4_and_neither_when_disabled() -> None:
    """Measured per toolkit: GTK 4 never says ENABLED."""
    found = formed(
        accessible("/a", Role.BUTTON, "a", states=frozenset({State.SENSITIVE, State.SHOWING})),
        accessible("/b", Role.BUTTON, "b", states=frozenset({State.SHOWING})),
    )

    assert (found["/a"].is_enabled, found["/b"].is_enabled) == (True, False)


def test_a_modal_dialog_blocks_the_window_behind_it_and_not_its_own_popups() -> None:
    """Accessibility acts reach behind modal dialogs (measured on Qt 5.15 and GTK 3), so they are marked."""
    found = formed(
        frame("Notes"),
        accessible("/ok", Role.BUTTON, "OK"),
        frame("Save As", "/dialog", role=Role.DIALOG, states=SHOWN | {State.MODAL}, extents=box(200, 200, 300, 200)),
        accessible("/save", Role.BUTTON, "Save", parent="/dialog", toplevel="/dialog"),
        frame("", "/menu", role=Role.POPUP_MENU, extents=box(0, 0, 1, 1)),
        accessible("/item", Role.MENU_ITEM, "Copy", parent="/menu", toplevel="/menu"),
        windows=(window(1), window(2, "Save As", extents=box(200, 200, 300, 200))),
    )

    assert {path: item.blocked_by for path, item in found.items() if item.role is not Role.DIALOG} == {
        "/frame": "Save As",
        "/ok": "Save As",
        "/save": None,
        "/item": None,
    }


def test_a_frame_whose_window_is_not_known_is_blocked_by_a_modal_dialog_too() -> None:
    """Found in review: an unmatched frame counted as a menu in front of the dialog."""
    found = formed(
        frame("Same", "/a", extents=box(1, 1, 400, 300)),
        frame("Same", "/b", extents=box(2, 2, 400, 300)),
        frame("Ask", "/dialog", role=Role.DIALOG, states=SHOWN | {State.MODAL}, extents=box(200, 200, 100, 80)),
        windows=(window(1, "Same"), window(2, "Same"), window(3, "Ask", extents=box(200, 200, 100, 80))),
    )

    assert {path: item.blocked_by for path, item in found.items()} == {"/a": "Ask", "/b": "Ask", "/dialog": None}


def test_a_read_only_field_cannot_be_written_to() -> None:
    """No false success: a read-only field lists neither set_value nor type."""
    found = formed(
        accessible("/ro", Role.ENTRY, "Id", states=SHOWN | {State.READ_ONLY, State.EDITABLE}, text="7"),
        accessible("/rw", Role.ENTRY, "Name", states=SHOWN | {State.EDITABLE}, text=""),
    )

    assert not found["/ro"].affordances_for(Action.TYPE)
    assert [item.primitive for item in found["/rw"].affordances_for(Action.TYPE)] == ["x11.keys"]


def test_the_front_windows_enabled_controls_come_first() -> None:
    """Rank: what is likely to be acted on next."""
    ranked = compile_observation(
        observation(
            accessible("/off", Role.BUTTON, "Off", states=frozenset({State.SHOWING})),
            accessible("/hidden", Role.BUTTON, "Hidden", states=frozenset()),
            accessible("/on", Role.BUTTON, "On"),
        )
    )

    assert [item.native for item in ranked.candidates if item.role is Role.BUTTON] == [
        *map(native, ("/on", "/off", "/hidden"))
    ]
