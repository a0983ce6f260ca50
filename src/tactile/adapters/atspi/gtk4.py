"""GTK 4's cache: one call that lists most of an application."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tactile.adapters.atspi.calls import Call, Line
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.roles import states_of

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
    if not body:
        return {}
    items = [item for item in body[0] if len(item) == ITEM_FIELDS]
    cached = {item[0][1]: Cached(tuple(item)) for item in items}
    for item in sorted(items, key=lambda item: int(item[3])):
        parent = cached.get(item[2][1])
        if parent is not None and item[2][1] != item[0][1] and item[3] >= 0:
            parent.children.append(item[0][1])
    return cached
