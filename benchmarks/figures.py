"""What was measured: a named series of values with its median and spread, and the bound that it is held against."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured quantity.

    Attributes:
        values: One a repetition, in the order measured.
        bound: What the median must not exceed; None when nothing is promised.
        least: What the median must reach; None when nothing is promised.
        more: What belongs to it (counts, parts), as name and value.
    """

    section: str
    name: str
    unit: str
    values: tuple[float, ...]
    bound: float | None = None
    least: float | None = None
    more: tuple[tuple[str, float | str], ...] = ()

    @property
    def median(self) -> float:
        """Return the middle value."""
        return statistics.median(self.values)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Return the first and third quartile: half of all values lie between them."""
        if len(self.values) < 2:
            return self.values[0], self.values[0]
        first, _, third = statistics.quantiles(self.values, n=4, method="inclusive")
        return first, third

    @property
    def is_within(self) -> bool | None:
        """Tell whether the median keeps what is promised; None without a promise."""
        if self.bound is None and self.least is None:
            return None
        return (self.bound is None or self.median <= self.bound) and (self.least is None or self.median >= self.least)

    def as_dict(self) -> dict[str, Any]:
        """Return the figure as plain values, every repetition included."""
        return {
            "section": self.section,
            "name": self.name,
            "unit": self.unit,
            "median": self.median,
            "quartiles": list(self.quartiles),
            "low": min(self.values),
            "high": max(self.values),
            "values": list(self.values),
            "bound": self.bound,
            "least": self.least,
            "is_within": self.is_within,
            "more": dict(self.more),
        }


def in_ms(seconds: Sequence[float]) -> tuple[float, ...]:
    """Return durations in ms."""
    return tuple(value * 1000 for value in seconds)


def differences(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, ...]:
    """Return ours minus theirs, pair by pair.

    Raises:
        ValueError: One has more values than the other, so they are no pairs.
    """
    return tuple(one - other for one, other in zip(ours, theirs, strict=True))


def alternated(count: int) -> tuple[tuple[int, int], ...]:
    """Return the order within each pair: the first goes first in every other pair, so that a drift hits both alike."""
    return tuple((0, 1) if number % 2 == 0 else (1, 0) for number in range(count))
