"""Real time."""

from __future__ import annotations

import asyncio
import time


class SystemClock:
    """ClockPort over the system's monotonic clock."""

    def now_s(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    async def sleep_s(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
