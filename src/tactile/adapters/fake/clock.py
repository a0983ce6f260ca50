"""Virtual time: sleeping moves it, and whatever was due until then happens on the way."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable

Call = Callable[[], object]


class VirtualClock:
    """ClockPort whose seconds cost nothing."""

    def __init__(self) -> None:
        self._now_s = 0.0
        self._order = 0
        self._due: list[tuple[float, int, Call]] = []

    def now_s(self) -> float:
        """Return virtual seconds since the start."""
        return self._now_s

    async def sleep_s(self, seconds: float) -> None:
        """Wait, in virtual time."""
        await self.advance(seconds)

    def after(self, seconds: float, call: Call) -> None:
        """Have something happen later; at once when `seconds` is not positive."""
        if seconds <= 0:
            call()
            return
        self._order += 1
        heapq.heappush(self._due, (self._now_s + seconds, self._order, call))

    def every(self, seconds: float, call: Call) -> None:
        """Have something happen again and again, as a clock on the screen does."""

        def again() -> None:
            call()
            self.after(seconds, again)

        self.after(seconds, again)

    async def advance(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> None:
        """Let time pass until `seconds` are over or `stop` says so, doing what falls due in order."""
        end_s = self._now_s + max(seconds, 0.0)
        while not stop() and self._due and self._due[0][0] <= end_s:
            due_s, _, call = heapq.heappop(self._due)
            self._now_s = max(self._now_s, due_s)
            call()
        if not stop():
            self._now_s = max(self._now_s, end_s)
        await asyncio.sleep(0)  # others may run between two waits, as with a real clock
