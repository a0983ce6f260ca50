"""Which of an object's own actions are offered, and which never."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.adapters.atspi.offers import ALLOWED, offers_of, plain
from tactile.adapters.atspi.roles import Toolkit
from tactile.records.accessible import Offer
from tactile.records.vocabulary import Action, Role, State

EDITABLE = frozenset({State.EDITABLE, State.SENSITIVE})
PLAIN: frozenset[State] = frozenset({State.SENSITIVE})


def primitives(offers: tuple[Offer, ...], action: Action) -> list[str]:
    """Return the mechanisms offered for one action."""
    return [offer.primitive for offer in offers if offer.action is action]


@pytest.mark.parametrize(
    ("role", "toolkit", "names", "action", "primitive"),
    [
        (Role.BUTTON, Toolkit.GTK3, ["click"], Action.PRESS, "click"),
        (Role.BUTTON, Toolkit.QT, ["Press", "SetFocus"], Action.PRESS, "Press"),
        (Role.BUTTON, Toolkit.QT, ["Set Focus", "Press"], Action.PRESS, "Press"),
        (Role.BUTTON, Toolkit.CHROMIUM, ["doDefault", "showContextMenu"], Action.PRESS, "doDefault"),
        (Role.CHECK_BOX, Toolkit.QT, ["Toggle", "Press", "Set Focus"], Action.TOGGLE, "Toggle"),
        (Role.CHECK_BOX, Toolkit.GTK3, ["click"], Action.TOGGLE, "click"),
        (Role.CHECK_BOX, Toolkit.CHROMIUM, ["check"], Action.TOGGLE, "check"),
        (Role.SWITCH, Toolkit.GTK4, ["toggle"], Action.TOGGLE, "toggle"),
        (Role.RADIO_BUTTON, Toolkit.QT, ["Toggle", "SetFocus"], Action.SELECT, "Toggle"),
        (Role.RADIO_BUTTON, Toolkit.GECKO, ["select"], Action.SELECT, "select"),
        (Role.COMBO_BOX, Toolkit.QT, ["ShowMenu", "Press"], Action.SHOW_MENU, "ShowMenu"),
        (Role.COMBO_BOX, Toolkit.QT, ["Show Menu", "Press"], Action.SHOW_MENU, "Show Menu"),
        (Role.MENU, Toolkit.GTK3, ["click"], Action.SHOW_MENU, "click"),
        (Role.MENU_ITEM, Toolkit.GTK3, ["click"], Action.PRESS, "click"),
        (Role.PAGE_TAB, Toolkit.QT, ["Press"], Action.SELECT, "Press"),
        (Role.LIST_ITEM, Toolkit.QT, ["Toggle"], Action.SELECT, "Toggle"),
        (Role.TABLE_CELL, Toolkit.QT, ["Toggle"], Action.SELECT, "Toggle"),
        (Role.TABLE_CELL, Toolkit.GTK3, ["toggle"], Action.TOGGLE, "toggle"),
        (Role.LINK, Toolkit.CHROMIUM, ["jump"], Action.PRESS, "jump"),
    ],
)
def test_actions_are_chosen_by_machine_name(
    role: Role, toolkit: Toolkit, names: list[str], action: Action, primitive: str
) -> None:
    """Names as measured per toolkit (facts 3.6); Qt 5 and Qt 6 spell them differently."""
    offers = offers_of(role, PLAIN, ["Action"], names, toolkit)

    assert primitives(offers, action) == [f"atspi.action:{primitive}"]


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (Role.FRAME, ["window.close", "default.activate"]),
        (Role.LABEL, ["clipboard.copy", "clipboard.cut", "selection.delete", "selection.select-all"]),
        (Role.TEXT, ["clipboard.copy", "selection.delete", "misc.toggle-visibility"]),
        (Role.ENTRY, ["activate"]),
        (Role.PANEL, ["doDefault", "showContextMenu"]),
        (Role.BUTTON, ["window.close", "clickAncestor", "showContextMenu"]),
    ],
)
def test_the_first_action_is_never_taken_for_a_click(role: Role, names: list[str]) -> None:
    """Case C43: action 0 of a GTK 4 frame closes the window, of its text view copies or deletes."""
    assert offers_of(role, PLAIN, ["Action"], names, Toolkit.GTK4) == ()


@given(
    role=st.sampled_from(list(Role)),
    states=st.frozensets(st.sampled_from(list(State))),
    interfaces=st.frozensets(st.sampled_from(["Action", "Value", "Text", "EditableText", "Component", "Selection"])),
    names=st.lists(st.text(max_size=12), max_size=5),
    toolkit=st.sampled_from(list(Toolkit)),
)
def test_only_listed_names_are_ever_offered(
    role: Role, states: frozenset[State], interfaces: frozenset[str], names: list[str], toolkit: Toolkit
) -> None:
    """An action outside the allow list, or one the object does not have, is never offered; nothing is offered twice."""
    words = {word for entries in ALLOWED.values() for _, wanted in entries for word in wanted}
    words |= {"expand", "collapse", "expandorcontract", "expandorcollapse"}

    offers = offers_of(role, states, interfaces, names, toolkit, is_in_selection=True)

    named = [offer.primitive.removeprefix("atspi.action:") for offer in offers if ":" in offer.primitive]
    steps = {"atspi.value.step:up", "atspi.value.step:down"}
    assert all(name in steps or (name in names and plain(name) in words) for name in named)
    assert len(set(offers)) == len(offers)


def test_a_range_takes_its_value_before_anything_else() -> None:
    """Case C45: the text of a GTK spin button does not commit; Qt's "Increase" moves by ten steps (measured)."""
    names = ["SetFocus", "Increase", "Decrease"]
    offers = offers_of(Role.SPIN_BUTTON, EDITABLE, ["Action", "Value", "Text", "EditableText"], names, Toolkit.QT)

    assert primitives(offers, Action.SET_VALUE) == ["atspi.value.set"]
    assert primitives(offers, Action.INCREMENT) == ["atspi.value.step:up", "atspi.action:Increase"]
    assert primitives(offers, Action.DECREMENT) == ["atspi.value.step:down", "atspi.action:Decrease"]
    assert primitives(offers, Action.TYPE) == []


def test_text_is_offered_where_it_can_be_written() -> None:
    """EDITABLE decides, not the interface (facts 3.5); READ_ONLY takes it back (Qt says both)."""
    interfaces = ["Text", "EditableText"]

    assert primitives(offers_of(Role.ENTRY, EDITABLE, interfaces, [], Toolkit.GTK3), Action.SET_VALUE) == [
        "atspi.editable_text.set"
    ]
    assert offers_of(Role.ENTRY, PLAIN, interfaces, [], Toolkit.GTK3) == ()
    assert offers_of(Role.ENTRY, EDITABLE | {State.READ_ONLY}, interfaces, [], Toolkit.QT) == ()


def test_what_a_toolkit_claims_and_does_not_do_is_left_out() -> None:
    """Facts 3.7: Firefox text, Qt SelectChild, GTK 4 GrabFocus, GTK 3 ScrollTo."""
    focusable = EDITABLE | {State.FOCUSABLE, State.SELECTABLE}

    assert offers_of(Role.ENTRY, EDITABLE, ["EditableText"], [], Toolkit.GECKO) == ()
    assert offers_of(Role.LIST_ITEM, focusable, [], [], Toolkit.QT, is_in_selection=True) == ()
    assert offers_of(Role.BUTTON, focusable, ["Component"], [], Toolkit.GTK4) == ()
    assert offers_of(Role.BUTTON, PLAIN, ["Component"], [], Toolkit.GTK3) == ()


def test_a_child_of_a_selection_is_selected_through_its_parent() -> None:
    """Lists and tabs of GTK have no action of their own; judged by the fixtures' logs."""
    offers = offers_of(Role.PAGE_TAB, PLAIN | {State.SELECTABLE}, [], [], Toolkit.GTK3, is_in_selection=True)

    assert offers == (Offer(action=Action.SELECT, primitive="atspi.selection.select"),)


def test_a_selected_qt_item_is_not_toggled_off_under_the_name_of_select() -> None:
    """Qt's "Toggle" takes a selection back (measured)."""
    assert offers_of(Role.LIST_ITEM, PLAIN | {State.SELECTED}, ["Action"], ["Toggle"], Toolkit.QT) == ()


def test_an_option_is_chosen_only_where_the_value_was_seen_to_follow() -> None:
    """Case C46: GTK 3's combo box commits, Qt's and GTK 4's do not."""
    wanted = {Toolkit.GTK3: ["atspi.combo.choose"]}

    for toolkit in (Toolkit.GTK3, Toolkit.GTK4, Toolkit.QT):
        offers = offers_of(Role.COMBO_BOX, PLAIN, ["Selection", "Action"], [], toolkit)
        assert primitives(offers, Action.SET_VALUE) == wanted.get(toolkit, [])


@pytest.mark.parametrize(
    ("states", "action"),
    [({State.EXPANDABLE}, Action.EXPAND), ({State.EXPANDABLE, State.EXPANDED}, Action.COLLAPSE)],
)
def test_a_flip_is_named_by_what_it_will_do(states: set[State], action: Action) -> None:
    """GTK 3's tree cells have one action for both ways."""
    offers = offers_of(Role.TABLE_CELL, frozenset(states), ["Action"], ["expand or contract"], Toolkit.GTK3)

    assert offers == (Offer(action=action, primitive="atspi.action:expand or contract"),)


@pytest.mark.parametrize(
    ("role", "names", "states", "offered"),
    [
        (Role.TOGGLE_BUTTON, ["activate"], {State.EXPANDABLE}, {Action.EXPAND: "activate"}),
        (Role.TOGGLE_BUTTON, ["activate"], {State.EXPANDABLE, State.EXPANDED}, {Action.COLLAPSE: "activate"}),
        (Role.TOGGLE_BUTTON, ["collapse"], {State.EXPANDABLE, State.EXPANDED}, {Action.COLLAPSE: "collapse"}),
        (Role.BUTTON, ["open"], {State.EXPANDABLE, State.HAS_POPUP}, {Action.EXPAND: "open", Action.PRESS: "open"}),
        (Role.BUTTON, ["press"], {State.EXPANDABLE}, {Action.EXPAND: "press"}),
        (Role.TOGGLE_BUTTON, ["click"], set(), {Action.TOGGLE: "click"}),
        (Role.CHECK_BOX, ["cycle"], {State.INDETERMINATE}, {Action.TOGGLE: "cycle"}),
    ],
)
def test_what_folds_away_is_opened_and_closed_by_its_one_action(
    role: Role, names: list[str], states: set[State], offered: dict[Action, str]
) -> None:
    """Expanders of GTK, <summary> and menu buttons of browsers (measured)."""
    offers = offers_of(role, PLAIN | states, {"Action"}, names, Toolkit.CHROMIUM)

    for action in (Action.EXPAND, Action.COLLAPSE):
        wanted = [f"atspi.action:{offered[action]}"] if action in offered else []
        assert primitives(offers, action) == wanted
    for action, name in offered.items():
        assert f"atspi.action:{name}" in primitives(offers, action)


@pytest.mark.parametrize("role", [Role.LIST_ITEM, Role.TABLE_CELL, Role.TREE_ITEM, Role.COLUMN_HEADER])
def test_a_row_of_a_page_that_cannot_be_chosen_offers_nothing(role: Role) -> None:
    """Chromium says "doDefault" of nearly everything (facts 3.5); a real handler is called "click"."""
    names = ["doDefault", "showContextMenu"]

    assert offers_of(role, PLAIN, {"Action"}, names, Toolkit.CHROMIUM) == ()
    assert offers_of(role, PLAIN, {"Action"}, ["click"], Toolkit.CHROMIUM)
    if role is not Role.TABLE_CELL:
        assert offers_of(role, PLAIN | {State.SELECTABLE}, {"Action"}, names, Toolkit.CHROMIUM)
