"""Messages counted by the bus itself, so that nobody has to believe what a tool says of its own."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

QUIET_S = 0.2  # without a new message the monitor has told all
DRAIN_S = 10.0
START_S = 5.0


class Monitor:
    """Counts the method calls that each bus name receives."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._counts: Counter[str] = Counter()
        self._is_ready = asyncio.Event()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self._is_ready.set()
            fields = line.decode(errors="replace").split("\t")
            if fields[0] == "mc" and len(fields) > 4:
                self._counts[fields[4]] += 1

    async def ready(self) -> None:
        """Wait until the bus has made it a monitor: it says so with its first line."""
        async with asyncio.timeout(START_S):
            await self._is_ready.wait()

    async def count(self, owner: str) -> int:
        """Return the calls to a bus name so far, when no more of them come in."""
        loop = asyncio.get_running_loop()
        until = loop.time() + DRAIN_S
        before = -1
        while before != (now := self._counts.total()) and loop.time() < until:
            before = now
            await asyncio.sleep(QUIET_S)  # the deadline bounds the loop
        return self._counts[owner]

    async def end(self) -> None:
        """Stop listening."""
        self._process.terminate()
        await self._process.wait()
        await self._task


@asynccontextmanager
async def monitor(address: str) -> AsyncIterator[Monitor]:
    """Watch a bus for one block.

    Raises:
        RuntimeError: There is no dbus-monitor, or the bus does not let it listen.
    """
    if shutil.which("dbus-monitor") is None:
        raise RuntimeError("dbus-monitor is not installed, so messages were not counted on the bus")
    process = await asyncio.create_subprocess_exec(
        *("dbus-monitor", "--address", address, "--profile"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    watching = Monitor(process)
    try:
        await watching.ready()
        yield watching
    except TimeoutError as error:
        raise RuntimeError("the accessibility bus did not let dbus-monitor listen") from error
    finally:
        await watching.end()
