"""The visible part of lists and tables with more children than anybody can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from tactile.adapters.atspi import seeking
from tactile.adapters.atspi.node import Node, area_of
from tactile.adapters.atspi.pointing import rows_and_columns
from tactile.adapters.atspi.probing import HEADER_ROLES, Probe
from tactile.adapters.atspi.reading import Job
from tactile.adapters.atspi.roles import Toolkit
from tactile.records.geometry import Extents
from tactile.records.vocabulary import State

FIRST_MAX = 50  # children read from the start where nothing says which are visible
FRAME = 2  # px that Qt's frame may take from a table on each side
BAR = 21  # px that a scroll bar may take: 14 in Fusion, 21 in Breeze
ENDLESS = 2**31 - 1  # children of a sheet; LibreOffice takes up to 0.5 s for a cell that is far from the view
SIZED = 8  # rows whose height is asked for, to know how many of them fill the view
TRIED_ROWS = 4  # rows in which a visible column is looked for: the first may be hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One child that may be seen.

    Attributes:
        row: Counted from 0; None for what stands in no row, such as the header of a column.
        column: Counted from 0; None in a list.
    """

    path: str
    row: int | None = None
    column: int | None = None


@dataclass(slots=True, kw_only=True)
class Part:
    """What of something long can be seen.

    Attributes:
        area: Within it; what lies outside is not seen. None when nobody knows.
        size: Rows and columns of a table.
        titles: What the headers of its visible columns say, "" where one has none.
        is_whole: False when there was more in view than was wanted.
    """

    members: list[Member] = field(default_factory=list)
    area: Extents | None = None
    size: tuple[int, int] | None = None
    titles: dict[int, str] = field(default_factory=dict)
    is_whole: bool = True
    calls: int = 0


async def visible_part(job: Job, node: Node, most: int) -> Part:
    """Find the children that show, or the first few where that cannot be told.

    GetChildren is never sent here: it hangs LibreOffice on a sheet (facts 5.3).

    Args:
        job: The read it belongs to.
        node: The list or table; its extents are known.
        most: How many children are wanted at most.

    Source:
        Qt tells the place of every cell, also of one far out of view, but names nothing at a point of a table; GTK 3
        and LibreOffice name what is at a point, but tell no place of a cell that is out of view (measured).
    """
    probe = Probe(job, node.path)
    part = Part(area=area_of(node), size=await probe.size() if "Table" in node.interfaces else None)
    if part.area is not None:
        is_pointed = job.toolkit is not Toolkit.QT
        if not is_pointed:
            part.area = _inset(part.area, FRAME, FRAME)
        if part.size is not None:
            await _table(probe, part, part.size, part.area, most, is_pointed=is_pointed)
        elif node.child_count is not None:
            await _list(probe, part, node.child_count, part.area, most, has_places=not is_pointed)
    if not part.members and (node.child_count or 0) < ENDLESS:
        await _first_few(probe, part, node.child_count or 0, min(FIRST_MAX, most))
    part.calls = probe.calls
    return part


# ---- tables


async def _table(
    probe: Probe, part: Part, size: tuple[int, int], area: Extents, most: int, *, is_pointed: bool
) -> None:
    """Put the visible cells and the headers of their columns into the part."""
    headers = await _headers(probe, size) if not is_pointed else await _named_headers(probe)
    part.area = area = _without(area, headers)
    rows, columns = await rows_and_columns(probe, size, area) if is_pointed else ([], [])
    if (not rows or not columns) and size[0] * size[1] < ENDLESS:
        part.area = area = await _without_bars(probe, size, area)
        rows, columns = await _rows_and_columns(probe, size, area, most)
    places = [(row, column) for row in rows for column in columns]
    part.is_whole = len(places) <= most
    cells = await probe.cells(places[:most])
    titles = await probe.headers(columns) if is_pointed else await probe.children(_titles(columns, size, headers))
    part.titles = dict.fromkeys(columns, "")
    part.titles |= {one: name or "" for one, name in zip(columns, await probe.names(titles), strict=False)}
    part.members += [Member(path=path, column=one) for one, path in zip(columns, titles, strict=False) if path]
    part.members += [
        Member(path=path, row=row, column=column)
        for (row, column), path in zip(places, cells, strict=False)
        if path is not None
    ]


@dataclass(frozen=True, slots=True)
class _Headers:
    """Bars of titles along the edges of a table; None where there is none."""

    top: Extents | None = None
    left: Extents | None = None


async def _named_headers(probe: Probe) -> _Headers:
    """Ask for the title of the first column; one that stands nowhere is not drawn."""
    (place,) = await probe.extents(await probe.headers([0]))
    return _Headers(top=place)


async def _headers(probe: Probe, size: tuple[int, int]) -> _Headers:
    """Look at the children where Qt puts titles: a first row of them, and a first column.

    Source:
        Qt counts them among the children and answers nothing to GetColumnHeader (measured, Qt 5.15 and 6.4).
    """
    _, columns = size
    paths = await probe.children([0, 1, columns, columns + 1])
    titles = zip(await probe.roles(paths), await probe.extents(paths), strict=True)
    found = {role: place for role, place in titles if role in HEADER_ROLES and place is not None}
    return _Headers(top=found.get(57) or found.get(10), left=found.get(58) or found.get(47))


def _without(area: Extents, headers: _Headers) -> Extents:
    """Return what the titles along the edges leave of the area."""
    right, bottom = area.x + area.width, area.y + area.height
    top = area.y if headers.top is None else max(area.y, min(bottom, headers.top.y + headers.top.height))
    left = area.x if headers.left is None else max(area.x, min(right, headers.left.x + headers.left.width))
    return Extents(x=left, y=top, width=right - left, height=bottom - top)


def _titles(columns: Sequence[int], size: tuple[int, int], headers: _Headers) -> list[int]:
    """Return the child indices of Qt's titles of columns."""
    if headers.top is None:
        return []
    return [column + (headers.left is not None) for column in columns if column < size[1]]


async def _without_bars(probe: Probe, size: tuple[int, int], area: Extents) -> Extents:
    """Return what scroll bars leave of the area; where the cells at the corners stand tells whether there are any.

    Source:
        Qt names no scroll bar of a table, and says that what is under one shows (measured, Qt 5.15 and 6.4).
    """
    rows, columns = size
    for row in _tries(rows):
        corners = await probe.extents(await probe.cells([(row, 0), (row, columns - 1), (0, 0), (rows - 1, 0)]))
        left, right, top, bottom = corners
        is_wide = not (_is_within(left, area, seeking.across) and _is_within(right, area, seeking.across))
        is_high = not (_is_within(top, area, seeking.down) and _is_within(bottom, area, seeking.down))
        if left is not None or right is not None:
            break
    else:
        return area
    bar_right, bar_below = BAR if is_high else 0, BAR if is_wide else 0
    width, height = max(1, area.width - bar_right), max(1, area.height - bar_below)
    return Extents(x=area.x, y=area.y, width=width, height=height)


def _tries(count: int) -> list[int]:
    """Return a few numbers of rows of which one should not be hidden."""
    return [number for number in (0, 1, count // 2, count - 1)[:TRIED_ROWS] if number < count]


def _is_within(place: Extents | None, area: Extents, axis: seeking.Axis) -> bool:
    if place is None:
        return True  # hidden
    inner, outer = axis(place), axis(area)
    return outer.start - FRAME <= inner.start and inner.end <= outer.end + FRAME


def _inset(area: Extents, x: int, y: int) -> Extents:
    width, height = max(1, area.width - 2 * x), max(1, area.height - 2 * y)
    return Extents(x=area.x + x, y=area.y + y, width=width, height=height)


async def _rows_and_columns(
    probe: Probe, size: tuple[int, int], area: Extents, most: int
) -> tuple[list[int], list[int]]:
    """Search the visible rows and columns by the places of cells."""
    rows, columns = size
    shown: list[int] = []
    for row in _tries(rows):
        shown = await seeking.in_view(partial(_row_places, probe, row), columns, area, seeking.across, most)
        if shown:
            break
    if not shown:
        return [], []
    return await seeking.in_view(partial(_column_places, probe, shown[0]), rows, area, seeking.down, most), shown


async def _row_places(probe: Probe, row: int, numbers: Sequence[int]) -> list[Extents | None]:
    return await probe.extents(await probe.cells([(row, number) for number in numbers]))


async def _column_places(probe: Probe, column: int, numbers: Sequence[int]) -> list[Extents | None]:
    return await probe.extents(await probe.cells([(number, column) for number in numbers]))


# ---- lists


async def _list(probe: Probe, part: Part, count: int, area: Extents, most: int, *, has_places: bool) -> None:
    """Put the visible rows into the part.

    Args:
        probe: Asks the list.
        part: Is filled.
        count: Of children.
        area: Where they can be seen.
        most: Wanted at most.
        has_places: The toolkit tells the place of a row that is out of view, too.
    """
    if count < 1:
        return
    if has_places:
        numbers = await seeking.in_view(partial(_child_places, probe), count, area, seeking.down, most + 1)
    else:
        heights = await probe.heights(await probe.children(range(min(count, SIZED))))
        stride = max(1, area.height // (2 * max(1, *(height or 1 for height in heights))))
        numbers = await seeking.showing(partial(_are_showing, probe), count, stride, most + 1)
    part.is_whole = len(numbers) <= most
    await _take(probe, part, numbers[:most])


async def _child_places(probe: Probe, numbers: Sequence[int]) -> list[Extents | None]:
    return await probe.extents(await probe.children(numbers))


async def _are_showing(probe: Probe, numbers: Sequence[int]) -> list[bool]:
    states = await probe.states(await probe.children(numbers))
    return [one is not None and State.SHOWING in one for one in states]


async def _first_few(probe: Probe, part: Part, count: int, few: int) -> None:
    part.is_whole = count <= few
    await _take(probe, part, range(max(0, min(count, few))))


async def _take(probe: Probe, part: Part, numbers: Sequence[int]) -> None:
    paths = await probe.children(numbers)
    part.members += [Member(path=path, row=number) for number, path in zip(numbers, paths, strict=True) if path]
