"""Where in a long row of things the visible ones are, found by looking at few of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tactile.records.geometry import Extents

FAN = 16  # looked at in one round: 20 000 rows take four rounds
ROUNDS_MAX = 8
SAMPLES_MAX = 1000
CLOSE = 2 * FAN  # so few are simply all looked at

Places = Callable[[Sequence[int]], Awaitable[Sequence[Extents | None]]]
"""Tells the places of things by number; None for one that is hidden."""

Showing = Callable[[Sequence[int]], Awaitable[Sequence[bool]]]
"""Tells of things by number whether they show."""


@dataclass(frozen=True, slots=True)
class Span:
    """From where to where something reaches on one axis."""

    start: int
    end: int

    def meets(self, other: Span) -> bool:
        """Tell whether they have a pixel in common."""
        return self.start < other.end and other.start < self.end


Axis = Callable[[Extents], Span]


def down(place: Extents) -> Span:
    """Return what a place covers from top to bottom."""
    return Span(place.y, place.y + place.height)


def across(place: Extents) -> Span:
    """Return what a place covers from left to right."""
    return Span(place.x, place.x + place.width)


async def in_view(places: Places, count: int, area: Extents, axis: Axis, most: int) -> list[int]:
    """Return the numbers of what meets the area on an axis, ascending.

    Args:
        places: Asked for few of them at a time.
        count: How many there are; they follow each other along the axis, in either direction.
        area: What can be seen.
        axis: `down` or `across`.
        most: How many to return at most.
    """
    view = axis(area)
    first, last = 0, count
    hits: set[int] = set()
    for turn in range(ROUNDS_MAX):
        if last - first <= CLOSE:
            break
        sample = _spread(first, last, turn)
        spans = {
            number: axis(place) for number, place in zip(sample, await places(sample), strict=True) if place is not None
        }
        hits = {number for number, span in spans.items() if span.meets(view)}
        low, high = _narrowed(spans, view, first, last)
        is_slow = turn > 0 and high - low > (last - first) // 2  # most of it is in view, or nothing has a place
        first, last = low, high
        if is_slow:
            break
    return await _seen(places, _around(hits, first, last, most + CLOSE), view, axis, most)


async def showing(are_showing: Showing, count: int, stride: int, most: int) -> list[int]:
    """Return the numbers of what shows, ascending, where nothing tells on which side of the view the others are.

    Args:
        are_showing: Asked for few of them at a time.
        count: How many there are.
        stride: So many of them show at least, if any does.
        most: How many to return at most; of SAMPLES_MAX * stride only the first are looked at.
    """
    sample = range(0, count, stride)[:SAMPLES_MAX]
    hits = [number for number, is_one in zip(sample, await are_showing(sample), strict=True) if is_one]
    if not hits:
        return []
    around = range(max(0, hits[0] - stride + 1), min(count, hits[-1] + stride))[: most + stride]
    return [number for number, is_one in zip(around, await are_showing(around), strict=True) if is_one][:most]


def _spread(first: int, last: int, turn: int) -> list[int]:
    """Return numbers evenly spread; each round elsewhere, so that hidden ones do not hide the others."""
    step = (last - first) / FAN
    shift = step / 2 if turn % 2 else 0.0
    return sorted({min(last - 1, int(first + place * step + shift)) for place in range(FAN)} | {last - 1})


def _narrowed(spans: dict[int, Span], view: Span, first: int, last: int) -> tuple[int, int]:
    """Return the numbers between which the visible ones must lie."""
    numbers = sorted(spans)
    is_falling = len(numbers) > 1 and spans[numbers[0]].start > spans[numbers[-1]].start
    before = [number for number in numbers if spans[number].end <= view.start]
    after = [number for number in numbers if spans[number].start >= view.end]
    if is_falling:
        before, after = after, before
    return max([first, *(number + 1 for number in before)]), min([last, *after])


def _around(hits: set[int], first: int, last: int, most: int) -> list[int]:
    """Return what is left to look at, beginning with what was seen where it is too much."""
    if last - first > most and hits:
        first = max(first, min(hits))
    return list(range(first, min(last, first + most)))


async def _seen(places: Places, numbers: list[int], view: Span, axis: Axis, most: int) -> list[int]:
    found = await places(numbers)
    seen = [
        number for number, place in zip(numbers, found, strict=True) if place is not None and axis(place).meets(view)
    ]
    return seen[:most]
