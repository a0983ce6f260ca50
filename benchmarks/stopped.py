"""What one application that hangs costs those who list the desktop."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from benchmarks.accessibility import SECTION, opened
from benchmarks.figures import Figure, in_ms
from benchmarks.peers import DBUS_FAST, TACTILE, Peer, Tool, running
from benchmarks.subjects import CALCULATOR, KCALC, THUNAR, Subject
from tactile.adapters.desktop import Desktop, DesktopOptions, start

FIRST_MS = 1000.0  # the promise: what a stopped application adds, once
LATER_MS = 20.0  # the promise: then nothing; so much is the spread of a listing on a busy machine
BASE = 5  # listings with everything awake
LATER = 5  # listings behind the first with one stopped
PATIENCE_S = 40.0  # for another tool's listing; libatspi gives up after 15 s
HEAL_S = 10.0
LISTED: tuple[Subject, ...] = (THUNAR, CALCULATOR, KCALC)
SILENT = (DBUS_FAST,)  # a bare walk has no listing


async def measure_stopped(repeats: int, tools: Sequence[Tool]) -> list[Figure]:
    """List a desktop on which one application is stopped, again and again; the other tools once.

    Args:
        repeats: Times that it is stopped.
        tools: Tactile and those beside it.

    Raises:
        RuntimeError: An application did not open, or Tactile could not list.
    """
    async with AsyncExitStack() as stack:
        desktop = await start(DesktopOptions())
        stack.push_async_callback(desktop.stop)
        listing = [tool for tool in tools if tool not in SILENT]
        peers = {tool.name: await stack.enter_async_context(running(tool, desktop.environment)) for tool in listing}
        tactile = peers[TACTILE.name]
        for subject in LISTED:
            await opened(desktop, tactile, subject)
        roots = (await tactile.ask("roots")).value
        victim = next(root["pid"] for root in roots if KCALC.name in root["name"])
        first, later = await _repeatedly(desktop, tactile, victim, repeats)
        figures = [_figure("listing, added once", first, FIRST_MS), _figure("listing, added then", later, LATER_MS)]
        others = [peer for name, peer in peers.items() if name != TACTILE.name]
        return figures + [await _other(desktop, peer, victim) for peer in others]


async def _repeatedly(desktop: Desktop, tactile: Peer, pid: int, repeats: int) -> tuple[list[float], list[float]]:
    first, later = [], []
    for _ in range(repeats):
        base_s = statistics.median([(await tactile.ask("applications")).took_s for _ in range(BASE)])
        async with stopped(desktop, pid):
            first.append((await tactile.ask("applications")).took_s - base_s)
            later += [(await tactile.ask("applications")).took_s - base_s for _ in range(LATER)]
        await _healed(tactile, pid)
    return first, later


@asynccontextmanager
async def stopped(desktop: Desktop, pid: int) -> AsyncIterator[None]:
    """Stop a process for one block; the signal is sent inside, where its number means something."""
    await _signal(desktop, pid, "STOP")
    try:
        yield
    finally:
        await _signal(desktop, pid, "CONT")


async def _signal(desktop: Desktop, pid: int, name: str) -> None:
    sent = await desktop.run(["kill", f"-{name}", str(pid)])
    if await desktop.exit_of(sent, HEAL_S) != 0:
        raise RuntimeError(f"process {pid} could not be sent {name}")


async def _healed(tactile: Peer, pid: int) -> None:
    until = asyncio.get_running_loop().time() + HEAL_S
    while asyncio.get_running_loop().time() < until:
        roots = (await tactile.ask("roots")).value
        if all(root["is_responding"] for root in roots if root["pid"] == pid):
            await tactile.ask("applications")
            return
        await asyncio.sleep(0.1)  # the deadline bounds the loop
    raise RuntimeError(f"process {pid} goes on, and is still listed as not responding after {HEAL_S:g} s")


async def _other(desktop: Desktop, peer: Peer, pid: int) -> Figure:
    """Return how much longer another tool's listing takes; a tool that never answers took at least its patience."""
    base_s = (await peer.ask("applications", PATIENCE_S)).took_s
    name = f"listing, added, {peer.tool.name}"
    try:
        async with stopped(desktop, pid):
            answer = await peer.ask("applications", PATIENCE_S)
    except RuntimeError as error:
        return _figure(name, [PATIENCE_S - base_s], None, (("gave up", str(error)[:120]),))
    missing = (("listed", ", ".join(answer.value)),)
    return _figure(name, [answer.took_s - base_s], None, missing)


def _figure(
    what: str, seconds: Sequence[float], bound: float | None, more: tuple[tuple[str, float | str], ...] = ()
) -> Figure:
    values = in_ms(seconds)
    return Figure(section=SECTION, name=f"one stopped: {what}", unit="ms", values=values, bound=bound, more=more)
