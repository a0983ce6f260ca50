"""Which places GTK 4 must be asked for, and which follow from others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from tactile.adapters.atspi import roles
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.roles import Toolkit
from tactile.records.geometry import Extents
from tactile.records.vocabulary import Role, State

POPUP_LAYER = 5  # AtspiComponentLayer
PLAIN = frozenset({Role.PANEL, Role.GROUPING, Role.UNKNOWN})  # boxes: nobody acts on them, and their place says little
BARS = frozenset({Role.SCROLL_BAR, Role.SEPARATOR})
SCROLLERS = frozenset({Role.SCROLL_PANE, Role.VIEWPORT})
FACES = frozenset({Role.LABEL, Role.IMAGE, Role.ICON})  # what a control shows of itself
BUTTONS = frozenset({Role.BUTTON, Role.TOGGLE_BUTTON})
ITEMS = frozenset({Role.LIST_ITEM, Role.TREE_ITEM, Role.TABLE_ROW, Role.TABLE_CELL})
FACED = ITEMS | BUTTONS | {Role.LINK, Role.PAGE_TAB, Role.CHECK_BOX, Role.RADIO_BUTTON, Role.SWITCH, Role.MENU_ITEM}
CONTROLS = FACED | {Role.COMBO_BOX, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM}
POPUPS = frozenset({Role.MENU, Role.POPUP_MENU, Role.DIALOG, Role.WINDOW, Role.TOOL_TIP})
OVERLAP = 0.3  # part of the smaller of two siblings that both cover: laid out side by side they share nothing


def role_of(node: Node) -> Role:
    """Return the role as far as reading must know it: secrets are fields, switches check boxes."""
    return _role(node.role_number, node.states, node.parent is None)


@lru_cache(maxsize=1024)
def _role(number: int, states: frozenset[State], is_top: bool) -> Role:
    role = roles.role_of(number, states, (), Toolkit.GTK4)
    return Role.PANEL if role is Role.FRAME and not is_top else role


def below(tops: Sequence[Node]) -> Iterator[Node]:
    """Yield nodes and what lies below them, depth-first."""
    stack = list(reversed(tops))
    while stack:
        node = stack.pop()
        if not node.is_gone:
            yield node
            stack.extend(reversed(node.children))


def above(node: Node) -> Iterator[Node]:
    """Yield a node's ancestors, nearest first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def is_shell(node: Node) -> bool:
    """Tell whether it is only the box of the real button: a menu button, a drop-down's inner part."""
    return role_of(node) in BUTTONS and any(role_of(child) in BUTTONS for child in node.children)


def face_of(node: Node) -> Node | None:
    """Return the control whose place serves for a label or picture inside it, None where it needs its own.

    A row with a name of its own may hold labels that say more, and an expander holds what it unfolds.
    """
    if role_of(node) not in FACES:
        return None
    control = next((one for one in above(node) if role_of(one) not in PLAIN), None)
    if control is None or role_of(control) not in FACED or State.EXPANDABLE in control.states:
        return None
    if any(role_of(one) is Role.COMBO_BOX for one in above(control)):
        return None  # one of several, and which is the present choice is told by its place
    is_row = role_of(control) in ITEMS
    return control if not is_row or not control.name or node.name in control.name else None


def wants_place(node: Node) -> bool:
    """Tell whether a place must be asked for: it may be acted on or read, or it clips what is."""
    role = role_of(node)
    if "Component" not in node.interfaces:
        return False
    if node.parent is None or role in SCROLLERS:
        return True
    return role not in PLAIN | BARS and face_of(node) is None and not is_shell(node)


def may_be_popover(node: Node) -> bool:
    """Tell whether a box may be drawn in a window of its own.

    Source:
        A popover is a box with one box in it, put behind the children of what it points at; below a label or a field it
        has nothing before it. Nothing else tells it from other boxes but its layer (4.8.3, 4.18.6).
    """
    parent = node.parent
    if parent is None or role_of(node) not in PLAIN or "Component" not in node.interfaces:
        return False
    has_none_before = parent.children[0] is node
    is_behind = not has_none_before or (parent.parent is not None and role_of(parent) not in PLAIN)
    has_content = len(node.children) == 1 and role_of(node.children[0]) in PLAIN
    return is_behind and has_content and any(wants_place(one) for one in below(node.children))


def is_page(node: Node) -> bool:
    """Tell whether it is a page of a stack: no widget, so it has no actions, but the place of its only child."""
    return role_of(node) is Role.PANEL and "Component" in node.interfaces and "Action" not in node.interfaces


def lend_places(tops: Sequence[Node]) -> None:
    """Give labels and pictures the places of the controls that show them."""
    for node in below(tops):
        control = face_of(node) if node.extents is None else None
        if control is not None:
            node.extents = control.extents


def move_back(page: Node, left: int, up: int) -> None:
    """Move what lies below a page, whose own distance from its stack is counted twice.

    Source:
        The page reports the place of its child, and the child's is counted from the page's (4.18.6: 7 px off).
    """
    for node in below(page.children):
        if node.extents is not None:
            node.extents = node.extents.shifted(-left, -up)


def in_view(node: Node, popovers: set[Node]) -> Extents | None:
    """Return the part of a node that its scrollers leave to be seen; None if there is none or it is not known."""
    area = node.extents
    for one in (node, *above(node)):
        if area is None or area.is_empty:
            return None
        if one is not node and one.extents is not None and role_of(one) in SCROLLERS:
            area = area.intersect(one.extents)
        if one in popovers or role_of(one) in POPUPS or (one is not node and role_of(one) is Role.COMBO_BOX):
            break  # drawn in a window of its own, or its face, which its own place judges
    return area if area is not None and not area.is_empty else None


def overlapping(areas: Mapping[Node, Extents]) -> set[Node]:
    """Return those that cover each other although neither lies in the other."""
    found: set[Node] = set()
    placed = sorted(areas.items(), key=lambda pair: (pair[1].y, pair[1].x))
    for index, (node, first) in enumerate(placed):
        for other, second in placed[index + 1 :]:
            if second.y >= first.y + first.height:
                break
            shared = first.intersect(second)
            least = min(first.width * first.height, second.width * second.height)
            if shared.width * shared.height > OVERLAP * least and not _are_related(node, other):
                found |= {node, other}
    return found


def _are_related(node: Node, other: Node) -> bool:
    return other in above(node) or node in above(other)
