"""How long an isolated desktop takes to be ready, and to be gone."""

from __future__ import annotations

import statistics
import time

from benchmarks.figures import Figure, in_ms
from tactile.connect import Options, open_desktop


async def measure_desktops(starts: int) -> list[Figure]:
    """Start and end a desktop several times.

    Raises:
        SetupError: The machine lacks something; names it and the fix.
    """
    ready, gone = [], []
    parts: dict[str, list[float]] = {}
    isolation = ""
    for _ in range(starts):
        start_s = time.perf_counter()
        async with open_desktop(Options()) as place:
            ready.append(time.perf_counter() - start_s)
            isolation = f"{place.isolation}, {place.server}"
            for name, seconds in place.timings.items():
                parts.setdefault(name, []).append(seconds * 1000)
            end_s = time.perf_counter()
        gone.append(time.perf_counter() - end_s)
    medians = tuple((f"{name}_ms", round(statistics.median(values))) for name, values in parts.items())
    return [
        Figure(
            section="desktop",
            name="ready",
            unit="ms",
            values=in_ms(ready),
            more=(("isolation", isolation), *medians),
        ),
        Figure(section="desktop", name="gone", unit="ms", values=in_ms(gone)),
    ]
