"""The visible part of lists and tables with more children than anybody can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call, Line
from tactile.adapters.atspi.node import Node
from tactile.records.accessible import ReadLimits
from tactile.records.geometry import Extents

FIRST_MAX = 50  # children read from the start where the toolkit does not say which are visible
INSET = 4  # px inside the corners, past a border


async def visible_children(line: Line, node: Node, application: str, limits: ReadLimits, until: float) -> list[str]:
    """Return paths of the children that show, or of the first few where that cannot be told.

    GetChildren is never sent here: it hangs LibreOffice on a sheet (facts 5.3).
    """
    corners = await _corners(line, node, application, until)
    count = node.child_count if node.child_count and node.child_count > 0 else 0
    if corners is None:
        wanted: Sequence[tuple[str, str, tuple[Any, ...]]] = [
            ("GetChildAtIndex", "i", (index,)) for index in range(min(count, FIRST_MAX, limits.children_max))
        ]
        return await _paths(line, application, node.path, bus.ACCESSIBLE, wanted, until)
    first, last = corners
    if "Table" in node.interfaces:
        cells = await _cells(line, application, node.path, first, last, until)
        wanted = [("GetAccessibleAt", "ii", cell) for cell in cells[: limits.children_max]]
        return await _paths(line, application, node.path, bus.TABLE, wanted, until)
    indices = range(first, min(last + 1, first + limits.children_max, max(count, 1)))
    wanted = [("GetChildAtIndex", "i", (index,)) for index in indices]
    return await _paths(line, application, node.path, bus.ACCESSIBLE, wanted, until)


async def _corners(line: Line, node: Node, application: str, until: float) -> tuple[int, int] | None:
    """Return the child indices at the top left and bottom right of what shows; None when the toolkit does not say."""
    area = _area(node)
    if area is None or "Component" not in node.interfaces:
        return None
    right, bottom = area.x + area.width - INSET, area.y + area.height - INSET
    points = [(area.x + INSET, area.y + area.height // 3), (right, bottom), (area.x + INSET, bottom)]
    places = [("GetAccessibleAtPoint", "iiu", (x, y, 0)) for x, y in points]
    paths = await _paths(line, application, node.path, bus.COMPONENT, places, until)
    indices = []
    for path in dict.fromkeys(paths):
        body, _ = await line.call(Call(application, path, bus.ACCESSIBLE, "GetIndexInParent"), until)
        if body and path != node.path and int(body[0]) >= 0:
            indices.append(int(body[0]))
    return (min(indices), max(indices)) if len(indices) > 1 else None


def _area(node: Node) -> Extents | None:
    """Return the part of a node that lies within every ancestor: a list in a scroll pane is taller than it."""
    area = node.extents
    parent = node.parent
    while area is not None and parent is not None:
        if parent.extents is not None:
            area = area.intersect(parent.extents)
        parent = parent.parent
    return None if area is None or area.is_empty else area


async def _cells(line: Line, application: str, path: str, first: int, last: int, until: float) -> list[tuple[int, int]]:
    """Return rows and columns between two child indices; the toolkit converts them, as GTK 3 counts headers."""
    places = []
    for index in (first, last):
        for member in ("GetRowAtIndex", "GetColumnAtIndex"):
            body, _ = await line.call(Call(application, path, bus.TABLE, member, "i", (index,)), until)
            places.append(int(body[0]) if body else -1)
    top, left, end, right = places
    if min(places) < 0:
        return []
    return [(row, column) for row in range(top, end + 1) for column in range(min(left, right), max(left, right) + 1)]


async def _paths(
    line: Line,
    application: str,
    path: str,
    interface: str,
    wanted: Sequence[tuple[str, str, tuple[Any, ...]]],
    until: float,
) -> list[str]:
    """Make calls that each answer one accessible; keep those of this application."""
    found: dict[int, str] = {}
    batch = Batch(line)
    for index, (member, signature, body) in enumerate(wanted):

        def take(answer: Sequence[Any] | None, _error: str, index: int = index) -> None:
            if answer and answer[0][0] == application and answer[0][1] != bus.NULL_PATH:
                found[index] = answer[0][1]

        batch.ask(Call(application, path, interface, member, signature, body), take)
    if wanted:
        await batch.run(until)
    return [found[index] for index in sorted(found)]
