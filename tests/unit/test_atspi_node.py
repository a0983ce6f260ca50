"""What a finished record says, from what came in."""

from __future__ import annotations

import pytest

from tactile.adapters.atspi.events import kind_of
from tactile.adapters.atspi.node import Node, extents_of, name_of, record
from tactile.adapters.atspi.roles import Toolkit
from tactile.records.geometry import Extents
from tactile.records.vocabulary import Coordinates, Role, State

INT_MIN = -(2**31)


def node(number: int, parent: Node | None = None, **fields: object) -> Node:
    """Make a node that was read."""
    made = Node(path=f"/{number}", parent=parent, depth=1, role_number=number, is_seen=True)
    for name, value in fields.items():
        setattr(made, name, value)
    if parent is not None:
        parent.children.append(made)
    return made


@pytest.mark.parametrize(
    ("numbers", "extents"),
    [
        ((1, 2, 3, 4), Extents(x=1, y=2, width=3, height=4)),
        ((-5, -5, 390, 290), Extents(x=-5, y=-5, width=390, height=290)),
        ((0, 0, 0, 0), Extents(x=0, y=0, width=0, height=0)),
        ((INT_MIN, INT_MIN, 10, 10), None),
        ((INT_MIN, 0, 0, 0), None),
        ((-1, -1, -1, -1), None),
        ((0, 0, 262269856, 0), Extents(x=0, y=0, width=0, height=0)),
        ((0, 0, 262269856, 5), None),
    ],
)
def test_impossible_places_are_unknown(numbers: tuple[int, int, int, int], extents: Extents | None) -> None:
    """Facts 3.3: INT_MIN and negative sizes are no place; GTK 4.18 has frames at (-5, -5) and garbage sizes."""
    assert extents_of(numbers) == extents


@pytest.mark.parametrize(
    ("native", "name"),
    [
        ("GtkEntry", ""),
        ("AdwBin", ""),
        ("Tab", ""),
        ("7 7", "7"),
        ("mod mod", "mod"),
        ("a b", "a b"),
        ("", ""),
        (" ", " "),
    ],
)
def test_gtk_4_names_that_are_none_are_taken_away(native: str, name: str) -> None:
    """Facts 3.5: the class where nobody gave a name; a label counted twice in gnome-calculator."""
    assert name_of(native, Toolkit.GTK4) == name
    assert name_of(native, Toolkit.GTK3) == native


def test_a_password_field_and_all_within_it_is_secure() -> None:
    """Facts 3.5: GTK 4 shows the clear text in an inner text."""
    field = node(40, node(23))
    inner = node(61, field, states=frozenset({State.EDITABLE}))

    made = record(inner, ":1.5", Toolkit.GTK4)

    assert made.is_secure
    assert made.role is Role.PASSWORD_TEXT
    assert made.text is None
    assert made.text_length is None
    assert made.toplevel.path == "/23"


def test_only_a_toplevel_is_a_frame() -> None:
    """Qt: a QFrame within a window is no window, and a plain widget as a window is one."""
    window = node(20)
    box = node(23, window)

    assert record(window, ":1.5", Toolkit.QT).role is Role.FRAME
    assert record(box, ":1.5", Toolkit.QT).role is Role.PANEL


def test_gtk_4_places_are_relative_to_the_window() -> None:
    """Facts 3.4."""
    assert record(node(23), ":1.5", Toolkit.GTK4).coordinates is Coordinates.WINDOW
    assert record(node(23), ":1.5", Toolkit.GTK3).coordinates is Coordinates.SCREEN


def test_qt_marks_no_tab_and_the_tab_list_is_named_after_it() -> None:
    """Facts 3.5, and measured: Qt 5.15 and 6.4 give tabs no SELECTED."""
    tabs = node(38, node(23), name="Two")

    assert State.SELECTED in record(node(37, tabs, name="Two"), ":1.5", Toolkit.QT).states
    assert State.SELECTED not in record(node(37, tabs, name="One"), ":1.5", Toolkit.QT).states


def test_the_value_of_a_combo_box_is_its_current_option() -> None:
    """Case C46: the committed value is what must be compared."""
    size = Extents(x=0, y=0, width=9, height=9)
    combo = node(11, node(23), name="Company")
    node(29, combo, name="(None)", extents=Extents(x=0, y=0, width=0, height=0))
    node(29, combo, name="Acme", extents=size)

    assert record(combo, ":1.5", Toolkit.GTK4).text == "Acme"
    assert record(node(11, name="Globex"), ":1.5", Toolkit.QT).text == "Globex"


def test_a_step_of_zero_is_none_and_bounds_not_said_are_none() -> None:
    """None means that the platform did not say."""
    made = record(node(51, numbers={"CurrentValue": 3.0, "MinimumIncrement": 0.0}), ":1.5", Toolkit.GTK4)

    assert made.value is not None
    assert (made.value.current, made.value.minimum, made.value.maximum, made.value.step) == (3.0, None, None, None)


@pytest.mark.parametrize(
    ("interface", "member", "detail", "kind"),
    [
        ("org.a11y.atspi.Event.Object", "StateChanged", "focused", "object:state-changed:focused"),
        ("org.a11y.atspi.Event.Object", "ChildrenChanged", "add", "object:children-changed:add"),
        ("org.a11y.atspi.Event.Object", "BoundsChanged", "", "object:bounds-changed"),
        ("org.a11y.atspi.Event.Window", "Activate", "", "window:activate"),
        ("org.a11y.atspi.Event.Document", "LoadComplete", "", "document:load-complete"),
        ("org.a11y.atspi.Event.Focus", "Focus", "", "focus:"),
    ],
)
def test_events_are_named_as_in_the_registry(interface: str, member: str, detail: str, kind: str) -> None:
    """The names that AT-SPI's own tools write."""
    assert kind_of(interface, member, detail) == kind
