"""Tactile's reads beside those of other tools: the same applications, in one run, in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from benchmarks.counting import Monitor, monitor
from benchmarks.figures import Figure, in_ms
from benchmarks.peers import DBUS_FAST, PEERS, PYATSPI, TACTILE, TOOLS, TOUCHPOINT, XA11Y, Answer, Peer, Tool, running
from benchmarks.recall import recall_of_candidates, recall_of_objects, seen_of, shown
from benchmarks.subjects import WINDOWS, Subject, write_documents
from tactile.adapters.desktop import Desktop, DesktopOptions, start

SECTION = "accessibility"
OPEN_S = 60.0  # until an application's tree has stopped growing
STEADY = 3  # reads in a row with as many objects
OBJECTS_MIN = 6  # an application that is still starting has fewer
SLOW_REPEATS = 3
WIDTH, HEIGHT = 1600, 1000

FASTER = 2.5  # the promise: a full read of the same fields, against pyatspi
SHOWING_FASTER = 15.0  # the promise: what shows, against pyatspi's walk
SMALL, SMALL_MS = 200, 100.0  # the promise: so many objects that show, in so many ms
LARGE, LARGE_MS = 400, 250.0  # the promise, on a page of 4,000 objects
AGAIN_MS = 5.0  # the promise: an unchanged window


@dataclass(slots=True, kw_only=True)
class Times:
    """What was measured of one application, in the order measured, and what could not be."""

    full: dict[str, list[float]] = field(default_factory=dict)
    counts: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    showing: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    last: dict[str, Any] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Bench:
    """One application open on a desktop of its own, with the tools that read it."""

    subject: Subject
    desktop: Desktop
    peers: Mapping[str, Peer]
    root: Mapping[str, Any]
    times: Times = field(default_factory=Times)

    @property
    def tactile(self) -> Peer:
        """Return the tool that all others are compared with."""
        return self.peers[TACTILE.name]

    async def full(self, peer: Peer) -> Answer | None:
        """Have one tool read everything; one that cannot is not asked again."""
        name = peer.tool.name
        if name in self.times.failed:
            return None
        try:
            return await peer.ask("full", **peer.tool.arguments(self.root))
        except RuntimeError as error:
            if peer.tool is TACTILE:
                raise
            self.times.failed[name] = str(error)
            return None


async def measure_subject(subject: Subject, repeats: int, tools: Sequence[Tool] = TOOLS) -> list[Figure]:
    """Open an application alone and read it with all tools in turn.

    Args:
        subject: What is read.
        repeats: Rounds; each tool is asked once in each.
        tools: Tactile and those beside it.

    Raises:
        RuntimeError: It is not installed, did not open, or Tactile could not read it.
    """
    if absent := subject.missing():
        raise RuntimeError(absent)
    async with AsyncExitStack() as stack:
        paths = tuple(path for path in (WINDOWS, PEERS, *subject.shows) if path.exists())
        desktop = await start(DesktopOptions(width=WIDTH, height=HEIGHT, read_only=paths))
        stack.push_async_callback(desktop.stop)
        peers = {tool.name: await stack.enter_async_context(running(tool, desktop.environment)) for tool in tools}
        root = await opened(desktop, peers[TACTILE.name], subject)
        bench = Bench(subject=subject, desktop=desktop, peers=peers, root=root)
        await _ask_versions(bench)
        counted = await count_messages(bench)
        for number in range(repeats):
            await one_round(bench, number)
        return [*speed(bench), *counted, *await compare_what_shows(bench)]


async def _ask_versions(bench: Bench) -> None:
    """Ask each tool for its release; one that cannot say it cannot be started here."""
    for name, peer in bench.peers.items():
        try:
            bench.times.versions[name] = (await peer.ask("version")).value
        except RuntimeError as error:
            bench.times.failed[name] = str(error)


async def opened(desktop: Desktop, tactile: Peer, subject: Subject) -> Mapping[str, Any]:
    """Start an application and wait until its tree has stopped growing.

    Raises:
        RuntimeError: It did not come to the accessibility bus, or did not come to rest.
    """
    write_documents(desktop.home)
    subject.prepare(desktop.home)
    there = {root["owner"] for root in (await tactile.ask("roots")).value}
    pid = await desktop.run(subject.command(desktop.home), env=subject.environment)
    loop = asyncio.get_running_loop()
    until, counts = loop.time() + OPEN_S, list[int]()
    while loop.time() < until:
        for root in (await tactile.ask("roots")).value:
            if not root["is_responding"] or root["owner"] in there:
                continue
            counts.append(await _objects(tactile, root))
            if len(counts) >= STEADY and counts[-1] >= OBJECTS_MIN and len(set(counts[-STEADY:])) == 1:
                return dict(root)
        await asyncio.sleep(0.3)  # between two looks; the deadline bounds the loop
    words = await desktop.output_of(pid)
    raise RuntimeError(f"{subject.name} did not come to rest on the accessibility bus: {counts[-5:]}; {words}")


def _is_slow(subject: Subject, tool: Tool) -> bool:
    """Tell whether a tool that no promise speaks of would take minutes."""
    return tool is not TACTILE and (subject.is_slow or (subject.is_page and tool is DBUS_FAST))


async def one_round(bench: Bench, number: int) -> None:
    """Ask each tool once; every other round in the opposite order, so that a drift hits all alike."""
    times, root = bench.times, bench.root
    peers = list(bench.peers.values())
    for peer in peers if number % 2 == 0 else reversed(peers):
        is_asked = number < SLOW_REPEATS or not _is_slow(bench.subject, peer.tool)
        answer = await bench.full(peer) if is_asked else None
        if answer is not None:
            times.full.setdefault(peer.tool.name, []).append(answer.took_s)
    showing = await bench.tactile.ask("showing", **TACTILE.arguments(root))
    times.showing.append(showing.took_s)
    await bench.tactile.ask("look", pid=root["pid"])  # what other tools have stirred up is read here
    again = (await bench.tactile.ask("look", pid=root["pid"])).value
    times.again.append(again["observe_s"])
    times.looks.append(again["look_s"])
    times.last = {"showing": showing.value, "again": again}


# ---------------------------------------------------------------- messages


async def _objects(tactile: Peer, root: Mapping[str, Any]) -> int:
    """Return how many objects an application has; one that starts may come and go."""
    try:
        return int((await tactile.ask("full", **TACTILE.arguments(root))).value["objects"])
    except RuntimeError:
        return 0


async def count_messages(bench: Bench) -> list[Figure]:
    """Have each tool read once while the bus counts; these reads are the warm-up and are not timed."""
    figures: list[Figure] = []
    async with monitor(bench.desktop.accessibility_bus) as counter:
        for peer in bench.peers.values():
            before = await counter.count(bench.root["owner"])
            answer = await bench.full(peer)
            if answer is not None:
                counted = await counter.count(bench.root["owner"]) - before
                objects = answer.value["objects"]
                # Some tools talk to some applications directly; then the bus sees next to nothing.
                bench.times.counts[peer.tool.name] = (objects, counted if counted >= objects else None)
        figures.append(await _counted_showing(bench, counter))
    return figures


async def _counted_showing(bench: Bench, counter: Monitor) -> Figure:
    owner = bench.root["owner"]
    await bench.tactile.ask("showing", **TACTILE.arguments(bench.root))
    before = await counter.count(owner)
    said = (await bench.tactile.ask("showing", **TACTILE.arguments(bench.root))).value["calls"]
    counted = await counter.count(owner) - before
    return figure(
        bench.subject,
        "showing, messages",
        "messages",
        (float(max(said, counted)),),
        bound=bench.subject.messages_max,
        more=(("said", said), ("counted by the bus", counted)),
    )


# ---------------------------------------------------------------- figures


def figure(
    subject: Subject,
    what: str,
    unit: str,
    values: Sequence[float],
    *,
    bound: float | None = None,
    least: float | None = None,
    more: tuple[tuple[str, float | str], ...] = (),
) -> Figure:
    """Return a figure named after the application and what was measured of it."""
    name = f"{subject.name}: {what}"
    return Figure(section=SECTION, name=name, unit=unit, values=tuple(values), bound=bound, least=least, more=more)


def speed(bench: Bench) -> list[Figure]:
    """Return the figures of time, and those that compare them round by round."""
    subject, times = bench.subject, bench.times
    figures = [
        figure(subject, f"full, {tool}", "ms", in_ms(taken), more=_about(bench, tool))
        for tool, taken in times.full.items()
    ]
    figures += [ratio for tool in times.full if tool != TACTILE.name for ratio in _ratios(bench, tool)]
    showing, again = times.last["showing"], times.last["again"]
    cost = (("objects", showing["objects"]), ("messages", showing["calls"]))
    gaps = (("incomplete", "; ".join(showing["gaps"])),) if not showing["is_complete"] else ()
    figures.append(figure(subject, "showing", "ms", in_ms(times.showing), more=cost + gaps))
    messages = (("messages", again["calls"]),)
    figures.append(figure(subject, "unchanged", "ms", in_ms(times.again), bound=AGAIN_MS, more=messages))
    figures.append(figure(subject, "unchanged, with candidates", "ms", in_ms(times.looks)))
    return figures


def _about(bench: Bench, tool: str) -> tuple[tuple[str, float | str], ...]:
    """Return what was read by a tool; with Tactile's also the toolkit, and which tools could not read it."""
    about: list[tuple[str, float | str]] = []
    if tool in bench.times.counts:
        objects, messages = bench.times.counts[tool]
        about += [("objects", objects), ("messages", messages if messages is not None else "not over the bus")]
    if tool == TACTILE.name:
        about.append(("toolkit", f"{bench.root['toolkit']} {bench.root['toolkit_version']}".strip()))
        about += [(f"{name} not measured", why) for name, why in bench.times.failed.items()]
    elif tool in bench.times.versions:
        about.append(("version", bench.times.versions[tool]))
    return tuple(about)


def _ratios(bench: Bench, tool: str) -> list[Figure]:
    """Return how often Tactile's time goes into the other tool's."""
    subject, times = bench.subject, bench.times
    theirs = times.full[tool]

    def ratio(what: str, ours: Sequence[float], least: float | None) -> Figure:
        values = [other / own for other, own in zip(theirs, ours, strict=False)]
        return figure(subject, what, "x", values, least=least)

    promised = {PYATSPI.name: FASTER, XA11Y.name: 1.0, TOUCHPOINT.name: 1.0} if subject.is_compared else {}
    figures = [ratio(f"full, {tool} / Tactile", times.full[TACTILE.name], promised.get(tool))]
    if tool == PYATSPI.name:
        least = SHOWING_FASTER if subject.is_compared else None
        figures.append(ratio("pyatspi's walk / what shows", times.showing, least))
    return figures


# ---------------------------------------------------------------- what shows


async def compare_what_shows(bench: Bench) -> list[Figure]:
    """Compare what Tactile has with what shows according to pyatspi's walk."""
    if PYATSPI.name in bench.times.failed or PYATSPI.name not in bench.peers:
        return []
    is_gtk4 = bench.root["toolkit"] == "GTK"
    pid = bench.root["pid"]
    walked = (await bench.peers[PYATSPI.name].ask("objects", pid=pid, is_in_window=is_gtk4)).value
    ours = (await bench.tactile.ask("objects", pid=pid)).value
    objects = tuple(map(seen_of, walked))
    showing = shown(objects, are_states_exact=not is_gtk4)
    used = tuple(one for one in showing if one.is_used)
    named: dict[str, Callable[[], Any]] = {
        "recall of objects": lambda: recall_of_objects(used, ours["accessibles"]),
        "recall of candidates": lambda: recall_of_candidates(used, objects, ours["candidates"]),
    }
    figures = []
    for name, compared in named.items():
        found = compared()
        more = (("of", found.total), *((f"missing {number}", one) for number, one in enumerate(found.missing[:5], 1)))
        figures.append(figure(bench.subject, name, "%", (found.percent,), least=100.0, more=more))
    return [*figures, _bounded_showing(bench, len(showing))]


def _bounded_showing(bench: Bench, count: int) -> Figure:
    """Return the time of what shows against the bound for so many objects."""
    bound = SMALL_MS if count <= SMALL else LARGE_MS if count <= LARGE else None
    return figure(bench.subject, f"what shows, {count} objects", "ms", in_ms(bench.times.showing), bound=bound)
