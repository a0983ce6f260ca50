"""Whether GTK 4's cache may be listed: with a long list in the window, listing it stops the application for seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call, Line
from tactile.adapters.atspi.reading import Job, Reading

# GTK counts the place of every child from the first one: 3,000 rows took 5 to 11 s, 200 rows 20 ms (4.8.3).
COST_MAX = 250_000  # sum of the squares of child counts; one list of 500
WATCHED = 20  # children; what has as many is counted again before the next listing
WATCHED_MAX = 50  # objects counted again
APPLICATIONS_MAX = 64  # remembered for one connection


@dataclass(slots=True)
class Known:
    """What the last listing of an application said: its windows, and the objects that may have grown since."""

    tops: frozenset[str]
    counts: dict[str, int]


_known: WeakKeyDictionary[Line, dict[str, Known]] = WeakKeyDictionary()


@dataclass(slots=True)
class Survey:
    """Counts children before anything lists them.

    Attributes:
        counts: How many children each object has that was looked at.
        children: Their paths, where there are not too many.
        is_cheap: The cache may be listed.
    """

    job: Job
    reading: Reading
    counts: dict[str, int] = field(default_factory=dict)
    children: dict[str, list[str]] = field(default_factory=dict)
    is_cheap: bool = True

    async def look(self, tops: Sequence[str]) -> None:
        """Count what may be long: all of a window that is new, of others what was not short before."""
        known = _known.get(self.job.line, {}).get(self.job.owner)
        batch = Batch(self.job.line)
        for path in tops:
            if known is None or path not in known.tops:
                self._count(path, batch, deep=True)
        for path in known.counts if known is not None else ():
            self._count(path, batch, deep=False)
        if not await batch.run(self.job.until):
            self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
        self.reading.calls += batch.calls
        self.is_cheap = sum(count * count for count in self.counts.values()) <= COST_MAX
        if not self.is_cheap:
            _known.get(self.job.line, {}).pop(self.job.owner, None)

    def remember(self, tops: Sequence[str], counts: Mapping[str, int]) -> None:
        """Note what a listing said, so that the next one need not be preceded by a walk."""
        if not self.is_cheap:
            return
        of_line = _known.setdefault(self.job.line, {})
        before = of_line.pop(self.job.owner, None)
        long = sorted((path for path, count in counts.items() if count >= WATCHED), key=lambda path: -counts[path])
        tops = (*tops, *(before.tops if before is not None else ()))
        present = frozenset(path for path in tops if path in counts)
        of_line[self.job.owner] = Known(present, {path: counts[path] for path in long[:WATCHED_MAX]})
        while len(of_line) > APPLICATIONS_MAX:
            of_line.pop(next(iter(of_line)))

    def _count(self, path: str, batch: Batch, *, deep: bool) -> None:
        def take(body: Any, _error: str) -> None:
            self.counts[path] = int(body[0]) if body else 0
            if deep and 0 < self.counts[path] <= self.job.limits.children_max:
                batch.ask(Call(self.job.owner, path, bus.ACCESSIBLE, "GetChildren"), adopt)

        def adopt(body: Any, _error: str) -> None:
            paths = [child for name, child in (body[0] if body else ()) if name == self.job.owner]
            self.children[path] = [child for child in paths if child != bus.NULL_PATH]
            for child in self.children[path]:
                if child not in self.counts and len(self.counts) <= self.job.limits.accessibles_max:
                    self.counts[child] = 0
                    self._count(child, batch, deep=True)

        batch.ask(bus.get(self.job.owner, path, bus.ACCESSIBLE, "ChildCount"), take)
