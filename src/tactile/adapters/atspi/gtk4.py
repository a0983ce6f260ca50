"""What only GTK 4 does: a cache that lists most of an application in one call, and places counted twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tactile.adapters.atspi.calls import Call, Line
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.roles import states_of
from tactile.records.geometry import Extents

CACHE_PATH = "/org/a11y/atspi/cache"
ITEM_FIELDS = 10  # a((so)(so)(so)iiassusau)


@dataclass(slots=True)
class Cached:
    """One item of the cache."""

    item: tuple[Any, ...]
    children: list[str] = field(default_factory=list)

    def fill(self, node: Node) -> None:
        """Copy what the item says into a node."""
        _, _, _, _, child_count, interfaces, name, role, description, states = self.item
        node.child_count = child_count
        node.interfaces = frozenset(word.rpartition(".")[2] for word in interfaces)
        node.name = name
        node.role_number = role
        node.description = description
        node.states = states_of(states)


async def cached_items(line: Line, application: str, until: float) -> dict[str, Cached]:
    """Return the cache by path, children in their order; empty where there is none in this form.

    The cache of a fresh application is incomplete: compare child counts before trusting `children`.
    """
    call = Call(application, CACHE_PATH, "org.a11y.atspi.Cache", "GetItems")
    body, _ = await line.call(call, until)
    if not body or not isinstance(body[0], list):
        return {}
    items = [item for item in body[0] if isinstance(item, (list, tuple)) and len(item) == ITEM_FIELDS]
    cached = {item[0][1]: Cached(tuple(item)) for item in items}
    for item in sorted(items, key=lambda item: int(item[3])):
        parent = cached.get(item[2][1])
        if parent is not None and item[2][1] != item[0][1] and item[3] >= 0:
            parent.children.append(item[0][1])
    return cached


def uncount_twice(tops: Sequence[Node]) -> None:
    """Move back what lies below a stack page, whose place GTK 4.18 counts twice.

    The page is no widget and reports the place of its only child, to which the child's own is added again. So the child
    has the page's size and sticks out of it by the page's own distance; nothing that was laid out does that.

    Source:
        Measured against the fixture's own geometry on Debian 13: P1 was 7 px off.
    """
    stack: list[tuple[Node, Extents | None, Extents | None, int, int]] = [(node, None, None, 0, 0) for node in tops]
    while stack:
        node, parent, above, left, up = stack.pop()
        place = node.extents
        if place is not None and parent is not None and above is not None:
            distance = (parent.x - above.x, parent.y - above.y)
            is_same_size = (place.width, place.height) == (parent.width, parent.height) and not place.is_empty
            if is_same_size and distance == (place.x - parent.x, place.y - parent.y):
                left, up = left + distance[0], up + distance[1]
        if place is not None and (left, up) != (0, 0):
            node.extents = place.shifted(-left, -up)
        stack.extend((child, place, parent, left, up) for child in node.children)
