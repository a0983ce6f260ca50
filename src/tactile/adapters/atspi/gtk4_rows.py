"""The part of a GTK 4 list with very many rows that can be seen: found by halving, as rows lie in their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Call
from tactile.adapters.atspi.details import WINDOW
from tactile.adapters.atspi.gtk4_items import Items
from tactile.adapters.atspi.node import Node, area_of, extents_of
from tactile.adapters.atspi.reading import Job, Reading
from tactile.adapters.atspi.roles import native_role
from tactile.records.accessible import Cut, NativeRef
from tactile.records.geometry import Extents

VISIBLE_MAX = 300  # rows of one list that are read: more do not fit on a screen


@dataclass(slots=True)
class Rows:
    """Finds the rows of long lists."""

    job: Job
    reading: Reading
    items: Items
    paths: dict[tuple[str, int], str] = field(default_factory=dict)

    async def read(self, node: Node) -> list[Node]:
        """Add the rows that show, with what lies in them, and say how many there are.

        Returns:
            What the cache does not know.
        """
        total, area = node.child_count or 0, area_of(node)
        if area is not None:
            first = await self._first(node, total, lambda place: place.y + place.height > area.y)
            behind = await self._first(node, total, lambda place: place.y >= area.y + area.height)
            for index in range(first, min(behind, first + VISIBLE_MAX)):
                path = await self._path(node, index)
                if path is not None and path not in self.items.grown:  # one that was met before is no row of its own
                    self.items.grown.add(path)
                    node.children.append(Node(path=path, parent=node, depth=node.depth + 1, is_seen=True, row=index))
            if behind - first > VISIBLE_MAX:
                self.reading.miss(f"{VISIBLE_MAX} visible children of one {native_role(node.role_number)}")
        await self.items.collect([row.path for row in node.children])
        strangers = self.items.grow(node.children)
        ref = NativeRef(application=self.job.owner, path=node.path)
        what = native_role(node.role_number)
        self.reading.cuts.append(Cut(ref=ref, what=what, total=total, shown=len(node.children), size=(total, 1)))
        return strangers

    async def _first(self, node: Node, total: int, is_there: Callable[[Extents], bool]) -> int:
        """Return the first index whose place fits; `total` if none does."""
        low, high = 0, total
        while low < high:
            middle = (low + high) // 2
            place = await self._extents(node, middle)
            if place is None or not is_there(place):
                low = middle + 1
            else:
                high = middle
        return low

    async def _path(self, node: Node, index: int) -> str | None:
        key = (node.path, index)
        if key not in self.paths:
            call = Call(self.job.owner, node.path, bus.ACCESSIBLE, "GetChildAtIndex", "i", (index,))
            body, _ = await self.job.line.call(call, self.job.until)
            self.reading.calls += 1
            if not body or body[0][0] != self.job.owner or body[0][1] == bus.NULL_PATH:
                return None
            self.paths[key] = str(body[0][1])
        return self.paths[key]

    async def _extents(self, node: Node, index: int) -> Extents | None:
        path = await self._path(node, index)
        if path is None:
            return None
        call = Call(self.job.owner, path, bus.COMPONENT, "GetExtents", "u", (WINDOW,))
        body, _ = await self.job.line.call(call, self.job.until)
        self.reading.calls += 1
        return extents_of(tuple(body[0])) if body else None
