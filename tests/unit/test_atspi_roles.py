"""Role numbers and state bits of AT-SPI in our words."""

from __future__ import annotations

import pytest

from tactile.adapters.atspi.roles import (
    NATIVE_ROLES,
    STATE_BITS,
    Toolkit,
    native_role,
    role_of,
    states_of,
    toolkit_of,
)
from tactile.records.vocabulary import Role, State

NOTHING: frozenset[State] = frozenset()


@pytest.mark.parametrize(
    ("number", "word", "role"),
    [
        (7, "check box", Role.CHECK_BOX),
        (11, "combo box", Role.COMBO_BOX),
        (23, "frame", Role.FRAME),
        (40, "password text", Role.PASSWORD_TEXT),
        (43, "push button", Role.BUTTON),
        (55, "table", Role.TABLE),
        (61, "text", Role.TEXT),
        (62, "toggle button", Role.TOGGLE_BUTTON),
        (75, "application", Role.APPLICATION),
        (79, "entry", Role.ENTRY),
        (91, "tree item", Role.TREE_ITEM),
        (98, "list box", Role.LIST),
        (130, "switch", Role.SWITCH),
    ],
)
def test_a_role_is_told_by_its_number(number: int, word: str, role: Role) -> None:
    """Case C08: role names change between releases, numbers do not; numbers as in AtspiRole."""
    assert native_role(number) == word
    assert role_of(number, NOTHING, [], Toolkit.OTHER) is role


def test_the_table_ends_with_the_last_role_of_at_spi_2_56() -> None:
    """A word too many or too few would shift every role behind it."""
    assert len(NATIVE_ROLES) == 131


@pytest.mark.parametrize("number", [-1, 131, 200])
def test_a_role_newer_than_the_table_is_unknown_and_keeps_its_number(number: int) -> None:
    """House style: an unknown native value becomes UNKNOWN and keeps its native text."""
    assert role_of(number, NOTHING, [], Toolkit.OTHER) is Role.UNKNOWN
    assert native_role(number) == f"role {number}"


def test_states_come_from_both_words() -> None:
    """Bits 24, 25 and 30 lie in the first word, 41 and 43 in the second (facts 2.3)."""
    first, second = 1 << 24 | 1 << 25 | 1 << 30, 1 << (41 - 32) | 1 << (43 - 32)

    states = states_of([first, second])

    assert states == {State.SENSITIVE, State.SHOWING, State.VISIBLE, State.CHECKABLE, State.READ_ONLY}


@pytest.mark.parametrize("bit", sorted(STATE_BITS))
def test_every_known_state_bit_is_read_alone(bit: int) -> None:
    """No bit hides or invents another."""
    assert states_of([1 << bit & 0xFFFFFFFF, 1 << bit >> 32]) == {STATE_BITS[bit]}


def test_unknown_state_bits_are_left_out() -> None:
    """A release newer than this table adds bits; they mean nothing to us yet."""
    assert states_of([]) == NOTHING
    assert states_of([1 << 2, 1 << 31]) == NOTHING


@pytest.mark.parametrize(
    ("states", "role"),
    [
        ({State.EDITABLE, State.SINGLE_LINE}, Role.ENTRY),  # GTK 3
        ({State.EDITABLE}, Role.ENTRY),  # Qt 5, Qt 6, GTK 4
        ({State.READ_ONLY}, Role.ENTRY),  # GTK 4, not editable
        ({State.SINGLE_LINE}, Role.ENTRY),  # GTK 3, not editable
        ({State.EDITABLE, State.MULTI_LINE}, Role.TEXT),
        ({State.READ_ONLY, State.MULTI_LINE}, Role.TEXT),
        (set(), Role.TEXT),
    ],
)
def test_a_single_line_field_is_an_entry_on_every_toolkit(states: set[State], role: Role) -> None:
    """Measured on the fixture applications: all of them say "text" (61)."""
    assert role_of(61, frozenset(states), [], Toolkit.QT) is role


@pytest.mark.parametrize(("number", "toolkit"), [(62, Toolkit.GTK3), (7, Toolkit.GTK4)])
def test_a_switch_is_told_by_its_action(number: int, toolkit: Toolkit) -> None:
    """GTK 3 calls it a toggle button, GTK 4.8 a check box; only a switch has "toggle" there."""
    assert role_of(number, NOTHING, ["toggle"], toolkit) is Role.SWITCH
    assert role_of(number, NOTHING, ["click"], toolkit) is not Role.SWITCH


def test_qt_check_boxes_toggle_and_are_no_switches() -> None:
    """Qt's check boxes have an action "Toggle", too."""
    assert role_of(7, NOTHING, ["toggle"], Toolkit.QT) is Role.CHECK_BOX


@pytest.mark.parametrize(
    ("name", "toolkit"),
    [
        ("gtk", Toolkit.GTK3),
        ("GTK", Toolkit.GTK4),
        ("Qt", Toolkit.QT),
        ("Chromium", Toolkit.CHROMIUM),
        ("Gecko", Toolkit.GECKO),
        ("", Toolkit.OTHER),
        ("WebKitGTK", Toolkit.OTHER),
    ],
)
def test_gtk_3_and_4_differ_only_in_case(name: str, toolkit: Toolkit) -> None:
    """Measured ToolkitName values (facts 1)."""
    assert toolkit_of(name) is toolkit


@pytest.mark.parametrize(
    ("number", "states", "actions", "toolkit", "role"),
    [
        (62, {State.CHECKABLE, State.CHECKED}, ["doDefault"], Toolkit.CHROMIUM, Role.SWITCH),
        (62, {State.PRESSED}, ["uncheck"], Toolkit.CHROMIUM, Role.TOGGLE_BUTTON),
        (62, {State.CHECKABLE}, ["uncheck"], Toolkit.GECKO, Role.SWITCH),
        (62, {State.CHECKABLE}, ["click"], Toolkit.GTK3, Role.TOGGLE_BUTTON),
        (43, {State.EXPANDABLE}, ["activate"], Toolkit.GTK4, Role.TOGGLE_BUTTON),
        (43, {State.EXPANDABLE}, ["click"], Toolkit.GTK4, Role.BUTTON),
        (43, {State.EXPANDABLE}, ["collapse"], Toolkit.GECKO, Role.TOGGLE_BUTTON),
        (43, {State.EXPANDABLE, State.HAS_POPUP}, ["press"], Toolkit.GECKO, Role.BUTTON),
        (35, {State.CHECKABLE}, ["press"], Toolkit.QT, Role.CHECK_MENU_ITEM),
        (79, {State.EDITABLE, State.MULTI_LINE}, ["activate"], Toolkit.CHROMIUM, Role.TEXT),
        (12, set(), [], Toolkit.CHROMIUM, Role.GROUPING),
    ],
)
def test_switches_and_expanders_are_told_alike_on_every_toolkit(
    number: int, states: set[State], actions: list[str], toolkit: Toolkit, role: Role
) -> None:
    """Measured on the catalogue of controls of each toolkit."""
    assert role_of(number, frozenset(states), actions, toolkit) is role
