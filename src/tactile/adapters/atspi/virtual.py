"""The visible part of lists and tables with more children than anybody can read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call, Line, Reply
from tactile.adapters.atspi.details import SCREEN, WINDOW
from tactile.adapters.atspi.node import Node, extents_of
from tactile.records.accessible import ReadLimits
from tactile.records.geometry import Extents

FIRST_MAX = 50  # children read from the start where the toolkit does not say which are visible
INSET = 4  # px inside the corners, past a border
HEADER = 32  # px from a border, past a row of headers or a scroll bar
HEADER_ROLES = frozenset({10, 47, 57, 58})  # column and row headers


async def visible_children(
    line: Line, node: Node, application: str, known: Sequence[str], limits: ReadLimits, until: float
) -> list[str]:
    """Return paths of the children that show, or of the first few where that cannot be told.

    GetChildren is never sent here: it hangs LibreOffice on a sheet (facts 5.3).

    Args:
        line: An open connection.
        node: The list or table; its extents are known.
        application: Its bus name.
        known: Its children where GTK 4's cache named them; they are judged by their place.
        limits: At most `children_max` are returned.
        until: Loop time of the deadline.
    """
    if known:
        return (await _in_view(line, node, application, known, until))[: limits.children_max]
    corners = await _corners(line, node, application, until)
    count = node.child_count if node.child_count and node.child_count > 0 else 0
    if corners is None:
        some = range(min(count, FIRST_MAX, limits.children_max))
    elif "Table" in node.interfaces and (
        cells := await _cells(line, application, node.path, corners, limits.children_max, until)
    ):
        wanted = [("GetAccessibleAt", "ii", cell) for cell in cells]
        return await _paths(line, application, node.path, bus.TABLE, wanted, until)
    else:
        first, last = corners
        some = range(first, min(last + 1, first + limits.children_max, max(count, 1)))
    children = [("GetChildAtIndex", "i", (index,)) for index in some]
    return await _paths(line, application, node.path, bus.ACCESSIBLE, children, until)


async def _in_view(line: Line, node: Node, application: str, known: Sequence[str], until: float) -> list[str]:
    area = _area(node)
    places: dict[str, Extents | None] = {}
    batch = Batch(line)
    for path in known:

        def take(body: Sequence[Any] | None, _error: str, path: str = path) -> None:
            places[path] = extents_of(tuple(body[0])) if body else None

        batch.ask(Call(application, path, bus.COMPONENT, "GetExtents", "u", (WINDOW,)), take)
    await batch.run(until)
    shown = []
    for path in known:
        place = places.get(path)
        if area is not None and place is not None and not place.intersect(area).is_empty:
            shown.append(path)
    return shown


async def _corners(line: Line, node: Node, application: str, until: float) -> tuple[int, int] | None:
    """Return the child indices at the top left and bottom right of what shows; None when the toolkit does not say."""
    area = _area(node)
    if area is None or "Component" not in node.interfaces:
        return None
    left, right = area.x + INSET, area.x + area.width - INSET
    bottom = area.y + area.height - INSET
    points = [(left, area.y + INSET), (left, area.y + HEADER), (left, area.y + area.height // 3)]
    points += [(right, bottom), (left, bottom), (right, bottom - HEADER), (left, bottom - HEADER)]
    places = [("GetAccessibleAtPoint", "iiu", (x, y, SCREEN)) for x, y in points]
    paths = set(await _paths(line, application, node.path, bus.COMPONENT, places, until)) - {node.path}
    indices = await _indices(line, application, sorted(paths), until)
    return (min(indices), max(indices)) if indices else None


async def _indices(line: Line, application: str, paths: Sequence[str], until: float) -> list[int]:
    """Return the places in the parent of what is not a header."""
    roles: dict[str, int] = {}
    indices: dict[str, int] = {}
    batch = Batch(line)
    for path in paths:
        batch.ask(Call(application, path, bus.ACCESSIBLE, "GetRole"), _keep(roles, path))
        batch.ask(Call(application, path, bus.ACCESSIBLE, "GetIndexInParent"), _keep(indices, path))
    await batch.run(until)
    return [index for path, index in indices.items() if index >= 0 and roles.get(path) not in HEADER_ROLES]


def _keep(numbers: dict[str, int], path: str) -> Reply:
    def take(body: Sequence[Any] | None, _error: str) -> None:
        if body:
            numbers[path] = int(body[0])

    return take


def _area(node: Node) -> Extents | None:
    """Return the part of a node that lies within every ancestor: a list in a scroll pane is taller than it."""
    area = node.extents
    parent = node.parent
    while area is not None and parent is not None:
        if parent.extents is not None:
            area = area.intersect(parent.extents)
        parent = parent.parent
    return None if area is None or area.is_empty else area


async def _cells(
    line: Line, application: str, path: str, corners: tuple[int, int], cells_max: int, until: float
) -> list[tuple[int, int]]:
    """Return rows and columns between two child indices; the toolkit converts them, as GTK 3 counts headers."""
    places = []
    for index in corners:
        for member in ("GetRowAtIndex", "GetColumnAtIndex"):
            body, _ = await line.call(Call(application, path, bus.TABLE, member, "i", (index,)), until)
            places.append(int(body[0]) if body else -1)
    top, left, end, right = places
    if min(places) < 0:
        return []
    columns = range(min(left, right), max(left, right) + 1)
    return list(islice(((row, column) for row in range(top, end + 1) for column in columns), cells_max))


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
