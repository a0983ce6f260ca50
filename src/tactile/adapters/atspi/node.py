"""One accessible while it is being read, and the finished record made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tactile.adapters.atspi.offers import offers_of, plain
from tactile.adapters.atspi.roles import PASSWORD_ROLE, Toolkit, native_role, role_of
from tactile.records.accessible import Accessible, NativeRef, ValueRange
from tactile.records.geometry import Extents
from tactile.records.vocabulary import Coordinates, NameSource, Role, State

INT_MIN = -(2**31)
_TREES = frozenset({65, 66})  # tree, tree table
SIDE_MAX = 10_000_000  # px; a list of a million rows is that high, nothing real is higher


@dataclass(slots=True, eq=False)
class Node:
    """What has come in of one accessible; `unread` names what failed.

    Attributes:
        spoken: What a spin button shows whose number says nothing.
        spans: Where a link begins and ends in the text around it.
        row: Of a cell, from 0; the column likewise.
        columns: Of a table; `titles` and `row_titles` are the names of its headers.
        above: Of a tree: the row (or the tree) that each row lies below.
        grid: The table of a cell where it is none of its ancestors with the Table interface.
        kind: Our role, where it follows from more than the thing itself.
    """

    path: str
    parent: Node | None
    depth: int
    role_number: int = -1
    states: frozenset[State] = frozenset()
    name: str = ""
    label: str = ""
    description: str = ""
    interfaces: frozenset[str] = frozenset()
    child_count: int | None = None
    extents: Extents | None = None
    actions: dict[int, str] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    text: str | None = None
    text_length: int | None = None
    children: list[Node] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    row: int | None = None
    column: int | None = None
    waiting: int = 0
    is_seen: bool = False
    is_gone: bool = False
    is_pruned: bool = False
    placeholder: str = ""
    name_from: NameSource | None = None
    spoken: str = ""
    level: int | None = None
    url: str = ""
    spans: list[int] = field(default_factory=list)
    columns: int | None = None
    titles: dict[int, str] = field(default_factory=dict)
    row_titles: dict[int, str] = field(default_factory=dict)
    above: dict[str, str] = field(default_factory=dict)
    grid: Node | None = None
    kind: Role | None = None

    @property
    def toplevel(self) -> Node:
        """Return the window-like ancestor, or itself."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    @property
    def table(self) -> Node | None:
        """Return the table a cell lies in."""
        node = self.parent
        while node is not None and "Table" not in node.interfaces:
            node = node.parent
        return self.grid or node

    @property
    def is_secure(self) -> bool:
        """Tell whether it is a password field or lies in one; GTK 4 shows the clear text in an inner text."""
        node: Node | None = self
        while node is not None:
            if node.role_number == PASSWORD_ROLE:
                return True
            node = node.parent
        return False

    def role(self, toolkit: Toolkit) -> Role:
        """Return our role from what is known so far."""
        if self.kind is not None:
            return self.kind
        role = role_of(self.role_number, self.states, [plain(name) for name in self.actions.values()], toolkit)
        if role is Role.FRAME and self.parent is not None:  # Qt's QFrame inside a window: a box, not a window
            return Role.PANEL
        if role is Role.PANEL and self.parent is None:  # Qt's plain widget as a window
            return Role.FRAME
        if role is Role.BUTTON and toolkit is Toolkit.GTK3 and "Hyperlink" in self.interfaces:
            return Role.LINK
        parent = self.parent
        if role is Role.TABLE_CELL and parent is not None and parent.role_number in _TREES and parent.columns == 1:
            return Role.TREE_ITEM  # GTK 3 and Qt have no word for the rows of a tree
        return Role.PASSWORD_TEXT if role in {Role.TEXT, Role.ENTRY} and self.is_secure else role


def area_of(node: Node) -> Extents | None:
    """Return the part of a node that lies within every ancestor: a list in a scroll pane is taller than it."""
    area = node.extents
    parent = node.parent
    while area is not None and parent is not None:
        if parent.extents is not None:
            area = area.intersect(parent.extents)
        parent = parent.parent
    return None if area is None or area.is_empty else area


def extents_of(numbers: tuple[int, int, int, int]) -> Extents | None:
    """Return the place, or None where the toolkit said that it has none (INT_MIN, negative or impossible size)."""
    x, y, width, height = numbers
    if width < 0 or height < 0 or INT_MIN in (x, y):
        return None
    if 0 in (width, height):  # the other side may be garbage (GTK 4.18, not yet laid out)
        return Extents(x=x, y=y, width=0, height=0)
    if max(width, height) > SIDE_MAX:
        return None
    return Extents(x=x, y=y, width=width, height=height)


_TOGGLES = frozenset({Role.CHECK_BOX, Role.SWITCH, Role.RADIO_BUTTON, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM})
_LOCKED = {Role.ENTRY: frozenset({State.READ_ONLY}), Role.GROUPING: frozenset[State]()}
_BULLETS = "•◦▪■▸▾"


def name_of(name: str, toolkit: Toolkit) -> str:
    """Return the name without what GTK 4.8 makes of it.

    It says the widget's class (or "Tab") where nobody gave a name, and a button's label twice ("7 7") where the label
    names it. Firefox begins the names of list and tree items with their bullets.
    """
    if toolkit is Toolkit.GECKO and name[:1] and name[0] in _BULLETS and name[1:2].isspace():
        return name[2:]
    if toolkit is not Toolkit.GTK4:
        return name
    if name in {"Tab", "Tab list"} or (name.startswith(("Gtk", "Adw")) and name.isalnum()):
        return ""
    half = name[: len(name) // 2]
    return half if half and name == f"{half} {half}" else name


def first_label(node: Node, toolkit: Toolkit) -> str:
    """Return the name of the first label in a node."""
    waiting = [node]
    while waiting:
        one = waiting.pop(0)
        if one.role(toolkit) is Role.LABEL:
            return one.name
        waiting[:0] = one.children
    return ""


def record(node: Node, application: str, toolkit: Toolkit) -> Accessible:
    """Make the finished record."""
    role = node.role(toolkit)
    parent = node.parent
    value, table = _value(node, role), node.table
    name = node.label or _covered(node) or name_of(node.name, toolkit)
    if role is Role.COMBO_BOX and toolkit is Toolkit.QT and not node.label and node.description:
        name = ""  # Qt's is the present choice, however it is called; the tip says more
    if role is Role.TOGGLE_BUTTON and State.EXPANDABLE in node.states and toolkit is Toolkit.GTK4:
        name = first_label(node, toolkit) or name  # what it folds away is within it, and GTK 4.18 counts it in
    names = [node.actions[index] for index in sorted(node.actions)]
    return Accessible(
        ref=NativeRef(application=application, path=node.path),
        parent=NativeRef(application=application, path=parent.path) if parent else None,
        toplevel=NativeRef(application=application, path=node.toplevel.path),
        role=role,
        native_role=native_role(node.role_number),
        name=name,
        description=node.description,
        states=_states(node, role, toolkit),
        extents=node.extents,
        coordinates=Coordinates.WINDOW if toolkit is Toolkit.GTK4 else Coordinates.SCREEN,
        offers=offers_of(
            role,
            node.states,
            node.interfaces if value is not None else node.interfaces - {"Value"},
            names,
            toolkit,
            is_in_selection=parent is not None and "Selection" in parent.interfaces,
        ),
        value=value,
        text=_text(node, role, toolkit),
        text_length=node.text_length,
        child_count=node.child_count,
        is_secure=node.is_secure,
        name_from=_name_from(node, name),
        placeholder=node.placeholder,
        level=node.level,
        row=None if node.row is None else node.row + 1,
        column=None if node.column is None else node.column + 1,
        row_header="" if role is Role.ROW_HEADER else _title(table.row_titles if table else {}, node.row),
        column_header=_title(table.titles if table else {}, node.column),
        url=node.url,
        unread=tuple(sorted(node.unread)),
    )


def _states(node: Node, role: Role, toolkit: Toolkit) -> frozenset[State]:
    """Return the states, evened out: a field is either editable or read-only, what toggles can be checked.

    Source:
        Qt marks no tab as selected, but names the tab list after it, and calls read-only fields editable; GTK 3 and
        Firefox do not say that they are read-only; Chromium says that they are not enabled either (measured).
    """
    states = node.states
    if role in {Role.ENTRY, Role.GROUPING}:
        is_open = role is Role.ENTRY and State.EDITABLE in states and State.READ_ONLY not in states
        states = (states - {State.READ_ONLY}) if is_open else (states - {State.EDITABLE}) | _LOCKED[role]
    is_check = role is Role.TABLE_CELL and toolkit is Toolkit.GTK3 and "toggle" in node.actions.values()
    if role in _TOGGLES or is_check:
        states |= {State.CHECKABLE}
    if toolkit is Toolkit.CHROMIUM and {State.READ_ONLY, State.FOCUSABLE} <= states:
        states |= {State.ENABLED, State.SENSITIVE}
    parent = node.parent
    if toolkit is Toolkit.QT and role is Role.PAGE_TAB and parent is not None and node.name == parent.name:
        return states | {State.SELECTED}
    return states


def _name_from(node: Node, name: str) -> NameSource:
    if not name:
        return NameSource.NONE
    return NameSource.LABEL if node.label else node.name_from or NameSource.OWN


def _covered(node: Node) -> str:
    """Return the part of the text around it that a nameless link covers."""
    if node.name or len(node.spans) != 2 or node.parent is None:
        return ""
    start, end = sorted(node.spans)
    return (node.parent.text or node.parent.name)[max(start, 0) : max(end, 0)]


def _title(titles: Mapping[int, str], index: int | None) -> str:
    """Return the name of a header; a mere number, which Qt gives rows that have none, says nothing."""
    title = titles.get(index, "") if index is not None else ""
    return "" if index is not None and title == str(index + 1) else title


def _text(node: Node, role: Role, toolkit: Toolkit) -> str | None:
    if role is Role.COMBO_BOX and node.text is None:
        return _choice(node, toolkit)
    return node.spoken or node.text if role is Role.SPIN_BUTTON and not node.text else node.text


def _choice(node: Node, toolkit: Toolkit) -> str | None:
    """Return the current option of a combo box: Qt's name of it, GTK 4's first label inside that has a size."""
    if toolkit is Toolkit.QT:
        return node.name
    if toolkit is not Toolkit.GTK4:
        return None
    stack = list(node.children)
    while stack:
        inner = stack.pop(0)
        if inner.role(toolkit) is Role.LABEL and inner.extents is not None and not inner.extents.is_empty:
            return inner.name
        stack[:0] = inner.children
    return None


def _value(node: Node, role: Role) -> ValueRange | None:
    """Return the number; None also for a spin button without a range: Qt's and browsers' of dates hold none."""
    numbers = node.numbers
    if "CurrentValue" not in numbers:
        return None
    if role is Role.SPIN_BUTTON and numbers.get("MaximumValue", 1.0) <= numbers.get("MinimumValue", 0.0):
        return None
    step = numbers.get("MinimumIncrement", 0.0)
    return ValueRange(
        current=numbers["CurrentValue"],
        minimum=numbers.get("MinimumValue"),
        maximum=numbers.get("MaximumValue"),
        step=step if step > 0 else None,
    )
