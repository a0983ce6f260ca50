"""One accessible while it is being read, and the finished record made of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tactile.adapters.atspi.offers import offers_of, plain
from tactile.adapters.atspi.roles import PASSWORD_ROLE, Toolkit, native_role, role_of
from tactile.records.accessible import Accessible, NativeRef, ValueRange
from tactile.records.geometry import Extents
from tactile.records.vocabulary import Coordinates, Role, State

INT_MIN = -(2**31)
SIDE_MAX = 10_000_000  # px; a list of a million rows is that high, nothing real is higher


@dataclass(slots=True, eq=False)
class Node:
    """What has come in of one accessible; `unread` names what failed."""

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
    waiting: int = 0
    is_seen: bool = False
    is_gone: bool = False
    is_pruned: bool = False
    scroller: Node | None = None
    is_outside: bool = False

    @property
    def toplevel(self) -> Node:
        """Return the window-like ancestor, or itself."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

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
        role = role_of(self.role_number, self.states, [plain(name) for name in self.actions.values()], toolkit)
        if role is Role.FRAME and self.parent is not None:  # Qt's QFrame inside a window: a box, not a window
            return Role.PANEL
        if role is Role.PANEL and self.parent is None:  # Qt's plain widget as a window
            return Role.FRAME
        return Role.PASSWORD_TEXT if role in {Role.TEXT, Role.ENTRY} and self.is_secure else role


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


def name_of(name: str, toolkit: Toolkit) -> str:
    """Return the name without what GTK 4.8 makes of it.

    It says the widget's class (or "Tab") where nobody gave a name, and a button's label twice ("7 7") where the label
    names it.
    """
    if toolkit is not Toolkit.GTK4:
        return name
    if name in {"Tab", "Tab list"} or (name.startswith(("Gtk", "Adw")) and name.isalnum()):
        return ""
    half = name[: len(name) // 2]
    return half if half and name == f"{half} {half}" else name


def record(node: Node, application: str, toolkit: Toolkit) -> Accessible:
    """Make the finished record."""
    role = node.role(toolkit)
    parent = node.parent
    names = [node.actions[index] for index in sorted(node.actions)]
    return Accessible(
        ref=NativeRef(application=application, path=node.path),
        parent=NativeRef(application=application, path=parent.path) if parent else None,
        toplevel=NativeRef(application=application, path=node.toplevel.path),
        role=role,
        native_role=native_role(node.role_number),
        name=node.label or name_of(node.name, toolkit),
        description=node.description,
        states=_states(node, role, toolkit),
        extents=node.extents,
        coordinates=Coordinates.WINDOW if toolkit is Toolkit.GTK4 else Coordinates.SCREEN,
        offers=offers_of(
            role,
            node.states,
            node.interfaces,
            names,
            toolkit,
            is_in_selection=parent is not None and "Selection" in parent.interfaces,
        ),
        value=_value(node),
        text=_choice(node, toolkit) if role is Role.COMBO_BOX and node.text is None else node.text,
        text_length=node.text_length,
        child_count=node.child_count,
        is_secure=node.is_secure,
        unread=tuple(sorted(node.unread)),
    )


def _states(node: Node, role: Role, toolkit: Toolkit) -> frozenset[State]:
    """Return the states; Qt marks no tab as selected, but names the tab list after it."""
    parent = node.parent
    if toolkit is Toolkit.QT and role is Role.PAGE_TAB and parent is not None and node.name == parent.name:
        return node.states | {State.SELECTED}
    return node.states


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


def _value(node: Node) -> ValueRange | None:
    numbers = node.numbers
    if "CurrentValue" not in numbers:
        return None
    step = numbers.get("MinimumIncrement", 0.0)
    return ValueRange(
        current=numbers["CurrentValue"],
        minimum=numbers.get("MinimumValue"),
        maximum=numbers.get("MaximumValue"),
        step=step if step > 0 else None,
    )
