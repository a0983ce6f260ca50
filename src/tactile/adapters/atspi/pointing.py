"""Which rows and columns of a table show, found by asking what is at points of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from tactile.adapters.atspi.probing import HEADER_ROLES, Probe
from tactile.records.geometry import Extents

POINTS = 16  # asked for along each edge at first
LEAST = 8  # px; no row or column that can be read is smaller
ROUNDS_MAX = 6  # each halves the distance between two points
INDEX_MODULUS = 2**32  # child indices are 32-bit numbers; a sheet has 2^34 cells


Size = tuple[int, int]
"""Rows and columns of a table."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """What is at one point."""

    at: int
    row: int
    column: int


async def rows_and_columns(probe: Probe, size: tuple[int, int], area: Extents) -> tuple[list[int], list[int]]:
    """Return the rows and columns that show, ascending; some at the ends may turn out not to.

    Args:
        probe: Asks the table.
        size: Its rows and columns.
        area: Where cells can be seen.

    Units:
        `area` is on the screen, px.
    """
    right, bottom = area.x + area.width - 1, area.y + area.height - 1
    rows = {hit.at: hit for hit in await _hits(probe, size, [(area.x, y) for y in _spread(area.y, bottom)], 1)}
    if not rows:
        return [], []
    await _close(probe, size, rows, area.x)
    top = min(rows)
    columns = {hit.at: hit for hit in await _hits(probe, size, [(x, top) for x in _spread(area.x, right)], 0)}
    return (
        _covered({at: hit.row for at, hit in rows.items()}, area.y, bottom, size[0]),
        _covered({at: hit.column for at, hit in columns.items()}, area.x, right, size[1]),
    )


def _spread(first: int, last: int) -> list[int]:
    return sorted({first + (last - first) * place // (POINTS - 1) for place in range(POINTS)})


async def _close(probe: Probe, size: Size, rows: dict[int, _Hit], x: int) -> None:
    """Ask between two points as long as more rows lie between them than there is room for: the rest is hidden."""
    for _ in range(ROUNDS_MAX):
        known = sorted(rows)
        wide = [
            (low, high)
            for low, high in pairwise(known)
            if high - low > LEAST and rows[high].row - rows[low].row - 1 > (high - low) // LEAST
        ]
        if not wide:
            return
        middles = [((low + high) // 2) for low, high in wide]
        rows |= {hit.at: hit for hit in await _hits(probe, size, [(x, y) for y in middles], 1)}


def _covered(numbers: dict[int, int], first: int, last: int, count: int) -> list[int]:
    """Return what shows between the first and the last point: what was hit, what fits between two hits, the margins."""
    if not numbers:
        return []
    known = sorted(numbers)
    shown = set(numbers.values())
    for low, high in pairwise(known):
        below, above = sorted((numbers[low], numbers[high]))
        if above - below - 1 <= (high - low) // LEAST:
            shown |= set(range(below, above))
    is_falling = numbers[known[0]] > numbers[known[-1]]  # columns that go from right to left
    before, after = (known[0] - first) // LEAST, (last - known[-1]) // LEAST
    if is_falling:
        before, after = after, before
    low, high = min(shown), max(shown)
    shown |= set(range(max(0, low - before), low)) | set(range(high + 1, min(count, high + 1 + after)))
    return sorted(shown)


async def _hits(probe: Probe, size: Size, points: list[tuple[int, int]], axis: int) -> list[_Hit]:
    """Return the cells at points.

    Args:
        probe: Asks the table.
        size: Its rows and columns.
        points: On the screen.
        axis: Which number of a point to keep, 0 or 1.
    """
    paths = await probe.at_points(points)
    roles = await probe.roles(paths)
    cells = [path if role not in HEADER_ROLES else None for path, role in zip(paths, roles, strict=True)]
    indices = await probe.indices(cells)
    distinct = {path: index for path, index in zip(cells, indices, strict=True) if path is not None}
    known = await _positions(probe, size, {path: index for path, index in distinct.items() if index is not None})
    return [
        _Hit(point[axis], *known[path])
        for point, path in zip(points, cells, strict=True)
        if path is not None and path in known
    ]


async def _positions(probe: Probe, size: Size, indices: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Return row and column of cells."""
    if size[0] * size[1] >= INDEX_MODULUS:
        return await _unwrapped(probe, size, indices)
    paths = [path for path, index in indices.items() if index >= 0]
    found = await probe.positions([indices[path] for path in paths])
    return {path: place for path, place in zip(paths, found, strict=True) if place is not None}


async def _unwrapped(probe: Probe, size: Size, indices: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Find which of the cells that share an index are those that show.

    Source:
        LibreOffice says index 0 of row 262 144, and GetRowAtIndex then says row 0. It takes up to 0.5 s for the place
        of a cell far from the view (measured, 7.4), so the likeliest is tried first, and of one cell only. 25.2 says no
        index there; its cells tell their row and column.
    """
    if not indices:
        return {}
    rows, columns = size
    turn_rows = INDEX_MODULUS // columns
    first, *others = indices
    (told,) = await probe.spans([first])
    if told is not None:  # cells that know their place
        rest = dict(zip(others, await probe.spans(others), strict=True))
        return {path: place for path, place in {first: told, **rest}.items() if place is not None}
    base = indices[first] % INDEX_MODULUS // columns
    candidates = [base + turn * turn_rows for turn in range(-(-rows // turn_rows)) if base + turn * turn_rows < rows]
    (name,) = await probe.names([first])
    spoken = {int(digits) for digits in re.findall(r"[0-9]{1,9}", name or "")}
    top = 0
    for candidate in sorted(candidates, key=lambda row: row + 1 not in spoken):
        (place,) = await probe.extents(await probe.cells([(candidate, indices[first] % columns)]))
        if place is not None:
            top = candidate
            break
    else:
        return {}
    found = {}
    for path, index in indices.items():
        row, column = divmod(index % INDEX_MODULUS, columns)
        near = row + round((top - row) / turn_rows) * turn_rows  # what shows is close together
        if 0 <= near < rows:
            found[path] = (near, column)
    return found
