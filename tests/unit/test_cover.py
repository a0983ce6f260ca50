"""What other windows cover, and where the rest can be hit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.compile.cover import cover, uncovered
from tactile.records import Extents, Role
from tests.unit.building import box, button, candidate, window

small = st.builds(
    Extents, x=st.integers(0, 60), y=st.integers(0, 60), width=st.integers(1, 60), height=st.integers(1, 60)
)
BANNER: dict[str, Any] = {"pid": 99, "extents": box(90, 100, 120, 80)}


@given(small, st.lists(small, max_size=4))
def test_a_free_part_lies_in_the_thing_and_under_no_cover(place: Extents, covers: list[Extents]) -> None:
    """Whatever lies over whatever."""
    free = uncovered(place, covers)

    assert free is None or free.intersect(place) == free
    assert free is None or all(free.intersect(one).is_empty for one in covers)


def test_what_is_wholly_covered_names_the_cover_and_keeps_its_place() -> None:
    """Public report C51."""
    over = window(5, "Banner", is_above=True, **BANNER)

    (found,) = cover([button("OK")], (window(1, is_active=True), over))

    assert (found.covered_by, found.extents) == ("Banner", box())


def test_what_is_half_covered_is_aimed_at_beside_the_cover() -> None:
    """Its middle would hit the banner."""
    over = window(5, "Banner", pid=99, extents=box(90, 100, 80, 80))

    (found,) = cover([button("OK")], (window(1, is_active=True), over))

    assert (found.covered_by, found.extents) == (None, box(170, 120, 20, 30))


@pytest.mark.parametrize(
    ("more", "counts"),
    [
        ({}, False),  # raising the window is enough
        ({"is_above": True}, True),
        ({"is_popup": True}, True),
        ({"transient_for": 1}, True),  # its own dialog comes up with it
        ({"is_above": True, "is_minimised": True}, False),
    ],
)
def test_over_a_window_that_can_be_raised_only_what_stays_above_counts(more: dict[str, Any], counts: bool) -> None:
    """Acting raises the window first."""
    (found,) = cover([button("OK")], (window(1), window(5, "Banner", **BANNER, **more)))

    assert (found.covered_by == "Banner") is counts


def test_a_window_or_a_list_under_a_dialog_keeps_its_place() -> None:
    """Nobody aims at the middle of these."""
    things = [candidate(Role.FRAME, "Notes"), candidate(Role.LIST, "Files")]
    over = window(5, "Banner", is_above=True, **BANNER)

    assert cover(things, (window(1, is_active=True), over)) == tuple(things)
