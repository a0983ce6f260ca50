"""Searches for what shows in long rows of things, against rows whose every place is known."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tactile.adapters.atspi import seeking
from tactile.records.geometry import Extents

VIEW = Extents(x=100, y=200, width=300, height=400)


def rows(heights: Sequence[int], top: int) -> list[Extents | None]:
    """Place rows one below the other; one of height 0 is hidden and has no place."""
    found: list[Extents | None] = []
    for height in heights:
        found.append(Extents(x=100, y=top, width=50, height=height) if height else None)
        top += height
    return found


def teller(places: Sequence[Extents | None], asked: list[int]) -> seeking.Places:
    """Tell places, and count what was asked for."""

    async def tell(numbers: Sequence[int]) -> list[Extents | None]:
        asked.extend(numbers)
        return [places[number] for number in numbers]

    return tell


def run(make: Callable[[], Awaitable[list[int]]]) -> list[int]:
    """Wait for one search."""

    async def wait() -> list[int]:
        return await make()

    return asyncio.run(wait())


def seen(places: Sequence[Extents | None]) -> list[int]:
    """Look at all of them."""
    return [
        number
        for number, place in enumerate(places)
        if place is not None and place.y < VIEW.y + VIEW.height and place.y + place.height > VIEW.y
    ]


@settings(max_examples=60, deadline=None)
@given(
    heights=st.lists(st.sampled_from([0, 17, 23, 60]), min_size=1, max_size=1500),
    scrolled=st.floats(min_value=-0.1, max_value=1.1),
)
def test_exactly_the_rows_in_view_are_found(heights: list[int], scrolled: float) -> None:
    """Case C07: rows of any height, some hidden, scrolled anywhere."""
    places = rows(heights, VIEW.y - int(sum(heights) * scrolled))

    found = run(lambda: seeking.in_view(teller(places, []), len(places), VIEW, seeking.down, 500))

    assert found == seen(places)


def test_few_of_a_million_rows_are_looked_at() -> None:
    """Our choice: the cost follows what shows, not what there is."""
    asked: list[int] = []

    async def tell(numbers: Sequence[int]) -> list[Extents | None]:
        asked.extend(numbers)
        return [Extents(x=100, y=VIEW.y + 20 * (number - 700_000), width=50, height=20) for number in numbers]

    found = run(lambda: seeking.in_view(tell, 1_000_000, VIEW, seeking.down, 500))

    assert found == list(range(700_000, 700_020))
    assert len(asked) < 250


def test_columns_that_go_from_right_to_left_are_found() -> None:
    """Qt lays tables out so where the language is written so."""
    places = [Extents(x=5000 - 100 * number, y=200, width=100, height=20) for number in range(200)]

    found = run(lambda: seeking.in_view(teller(places, []), len(places), VIEW, seeking.across, 500))

    assert found == [47, 48, 49]


def test_a_long_stretch_of_hidden_rows_does_not_hide_the_others() -> None:
    """A filtered list: everything but a few rows has no place."""
    heights = [0] * 5000
    heights[4321:4326] = [20] * 5
    places = rows(heights, VIEW.y)
    asked: list[int] = []

    run(lambda: seeking.in_view(teller(places, asked), len(places), VIEW, seeking.down, 500))

    assert len(asked) < 700, "bounded, even where nothing tells where to look"


@settings(max_examples=60, deadline=None)
@given(count=st.integers(1, 3000), first=st.integers(0, 2999), length=st.integers(8, 60))
def test_what_shows_is_found_without_any_place(count: int, first: int, length: int) -> None:
    """GTK 3 tells no place of a row that is out of view."""
    shown = set(range(min(first, count - 1), min(first + length, count)))
    stride = max(1, min(len(shown), 8))
    assume(count <= stride * seeking.SAMPLES_MAX)

    async def are_showing(numbers: Sequence[int]) -> list[bool]:
        return [number in shown for number in numbers]

    assert run(lambda: seeking.showing(are_showing, count, stride, 500)) == sorted(shown)
