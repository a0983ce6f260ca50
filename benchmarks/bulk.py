"""What the D-Bus client for reads is worth: the same full reads over dbus-fast, over it, and past the bus, in turn."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.applications import FIXTURES, SYSTEM_PYTHON, Program
from benchmarks.figures import Figure, in_ms
from tactile.adapters.atspi import bus
from tactile.adapters.atspi.adapter import AtspiAdapter
from tactile.adapters.atspi.calls import Batch, Call, Line
from tactile.adapters.desktop import Desktop, DesktopOptions, start
from tactile.records.accessible import Application

WINDOW = 128  # calls in flight, as the product has them
WARM_UP = 2  # reads over each client that are not counted
READ_S = 60.0  # one read; a loaded machine needs a few seconds for a page
OPEN_S = 90.0  # until an application's tree has stopped growing
STEADY = 3  # reads in a row with as many objects
TEXT_MAX = 2000  # characters of one text
OBJECTS_MAX = 20_000
FEWEST, PAGE_OBJECTS = 10, 3000  # objects that a window, and the page, have at least: below that it is still loading
FASTER = 1.4  # times: what a client of our own must be, in time or in its own processor time, to be kept
DBUS_FAST, WIRE, STRAIGHT = "dbus-fast", "wire", "past the bus"
ROWS = 600  # of the page: five elements each

ENVIRONMENT = {"MOZ_DISABLE_CONTENT_SANDBOX": "1"}  # firefox's sandbox within the desktop's ends its page processes
_BROWSER = ("--no-sandbox", "--no-first-run", "--no-default-browser-check", "--password-store=basic", "--disable-gpu")


def programs(page: Path) -> tuple[Program, ...]:
    """Return what is read."""
    form = (SYSTEM_PYTHON, str(FIXTURES / "gtk3_form.py"))
    return (
        Program(name="fixture GTK3", command=form, needs='import gi; gi.require_version("Gtk", "3.0")'),
        Program(name="thunar (GTK3)", command=("thunar",)),
        Program(name="gedit (GTK3)", command=("gedit",)),
        Program(name="kcalc (Qt5/6)", command=("kcalc",)),
        Program(
            name="chromium, 3,000 elements",
            command=("chromium", *_BROWSER, "--force-renderer-accessibility", page.as_uri()),
        ),
        Program(name="firefox, 3,000 elements", command=("firefox-esr", "--new-instance", page.as_uri())),
    )


def write_page(path: Path, rows: int = ROWS) -> None:
    """Write a page with five elements a row."""
    row = (
        '<p>Row {0}: <button>Press {0}</button> <a href="#r{0}">link {0}</a> <label><input type="checkbox"> tick {0}'
        '</label> <input aria-label="field {0}" value="text {0}"> <span role="img" aria-label="mark {0}">x</span></p>'
    )
    body = "\n".join(row.format(number) for number in range(rows))
    path.write_text(f"<!doctype html><title>{rows} rows</title><main>{body}</main>", encoding="utf-8")


# ---------------------------------------------------------------- one full read


@dataclass(slots=True)
class FullRead:
    """Reads every object of an application with all fields; the same calls in the same order over every client."""

    batch: Batch
    owner: str
    objects: dict[str, dict[str, Any]] = field(default_factory=dict)

    def visit(self, path: str) -> None:
        """Read one object and what lies below it."""
        if path in self.objects or len(self.objects) >= OBJECTS_MAX:
            return
        fields = self.objects[path] = {}
        for member in ("GetState", "GetRole"):
            self._ask(path, bus.ACCESSIBLE, member, _into(fields, member))
        for name in ("Name", "Description"):
            self._get(path, bus.ACCESSIBLE, name, _into(fields, name))
        self._ask(path, bus.ACCESSIBLE, "GetInterfaces", lambda names: self._specifics(path, fields, names))
        self._ask(path, bus.ACCESSIBLE, "GetChildren", self._descend)

    def _descend(self, children: Sequence[Sequence[str]]) -> None:
        for owner, path in children:
            if owner == self.owner and path != bus.NULL_PATH:
                self.visit(path)

    def _specifics(self, path: str, fields: dict[str, Any], interfaces: Sequence[str]) -> None:
        fields["interfaces"] = interfaces
        if bus.COMPONENT in interfaces:
            self._ask(path, bus.COMPONENT, "GetExtents", _into(fields, "extents"), "u", (0,))
        if bus.ACTION in interfaces:
            self._ask(path, bus.ACTION, "GetName", _into(fields, "action"), "i", (0,))
        if bus.VALUE in interfaces:
            self._get(path, bus.VALUE, "CurrentValue", _into(fields, "value"))
        if bus.TEXT in interfaces:
            self._get(path, bus.TEXT, "CharacterCount", lambda count: self._text(path, fields, count))

    def _text(self, path: str, fields: dict[str, Any], count: int) -> None:
        if count > 0:
            self._ask(path, bus.TEXT, "GetText", _into(fields, "text"), "ii", (0, min(count, TEXT_MAX)))

    def _get(self, path: str, interface: str, name: str, take: Callable[[Any], None]) -> None:
        self._ask(path, bus.PROPERTIES, "Get", take, "ss", (interface, name))

    def _ask(
        self,
        path: str,
        interface: str,
        member: str,
        take: Callable[[Any], None],
        signature: str = "",
        body: tuple[Any, ...] = (),
    ) -> None:
        call = Call(self.owner, path, interface, member, signature, body)
        self.batch.ask(call, lambda answer, _error: take(answer[0]) if answer else None)


def _into(fields: dict[str, Any], name: str) -> Callable[[Any], None]:
    def take(value: Any) -> None:
        fields[name] = value

    return take


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one read cost."""

    objects: Mapping[str, Mapping[str, Any]]
    calls: int
    took_s: float
    processor_s: float


async def full_read(line: Line, application: Application) -> Cost:
    """Read an application over one connection.

    Raises:
        RuntimeError: It did not finish within 60 s, or the application ended.
    """
    start_s, start_processor_s = time.perf_counter(), time.process_time()
    batch = Batch(line, WINDOW)
    read = FullRead(batch, application.root.application)
    read.visit(application.root.path)
    if not await batch.run(asyncio.get_running_loop().time() + READ_S):
        raise RuntimeError(f'a full read of "{application.name}" took longer than {READ_S:g} s')
    if len(read.objects) < FEWEST:
        raise RuntimeError(f'"{application.name}" has {len(read.objects)} objects: it ended while it was read')
    took_s, processor_s = time.perf_counter() - start_s, time.process_time() - start_processor_s
    return Cost(objects=read.objects, calls=batch.calls, took_s=took_s, processor_s=processor_s)


# ---------------------------------------------------------------- the comparison


async def measure_bulk(program: Program, page: Path, repeats: int) -> list[Figure]:
    """Read one application over each client in turn.

    Args:
        program: One of `programs`.
        page: Where its page lies.
        repeats: Reads over each client.

    Raises:
        RuntimeError: It did not open, or a read did not finish.
    """
    async with AsyncExitStack() as stack:
        desktop = await start(DesktopOptions(read_only=(FIXTURES, page.parent)))
        stack.push_async_callback(desktop.stop)
        link = bus.Link(desktop.session_bus)
        stack.push_async_callback(link.close)
        until = asyncio.get_running_loop().time() + OPEN_S
        least = PAGE_OBJECTS if page.as_uri() in program.command else FEWEST
        application = await _opened(desktop, AtspiAdapter(link), program, least)
        clients: dict[str, Line] = {DBUS_FAST: await link.line(until), WIRE: await link.wire(until)}
        straight = await link.reads(application.root, until)
        if straight is not clients[WIRE]:
            clients[STRAIGHT] = straight
        return _figures(program.name, await _in_turn(clients, application, repeats))


async def _in_turn(clients: Mapping[str, Line], application: Application, repeats: int) -> dict[str, list[Cost]]:
    costs: dict[str, list[Cost]] = {name: [] for name in clients}
    names = list(clients)
    for number in range(repeats + WARM_UP):
        for name in names if number % 2 else reversed(names):
            cost = await full_read(clients[name], application)
            if number >= WARM_UP:
                costs[name].append(cost)
    return costs


async def _opened(desktop: Desktop, adapter: AtspiAdapter, program: Program, least: int) -> Application:
    """Start a program and wait until its tree has stopped growing."""
    loop = asyncio.get_running_loop()
    until = loop.time() + OPEN_S
    await adapter.prepare(until)
    pid = await desktop.run(program.command, env=ENVIRONMENT)
    counts: list[int] = []
    while loop.time() < until:
        for application in await adapter.applications(2.0):
            if not application.is_responding:
                continue
            cost = await full_read(await adapter.prepare(until), application)
            counts.append(len(cost.objects))
            if len(counts) >= STEADY and counts[-1] >= least and len(set(counts[-STEADY:])) == 1:
                return application
        await asyncio.sleep(0.2)  # between two looks; the deadline bounds the loop
    raise RuntimeError(f"{program.name} (process {pid}) did not settle: {counts[-5:]}; {await desktop.output_of(pid)}")


def _figures(name: str, costs: Mapping[str, Sequence[Cost]]) -> list[Figure]:
    theirs = costs[DBUS_FAST]
    figures = []
    for client, own in costs.items():
        last = own[-1]
        differ = sum(1 for path, fields in theirs[-1].objects.items() if last.objects.get(path) != fields)
        more: tuple[tuple[str, float | str], ...] = (
            ("objects", len(last.objects)),
            ("calls", last.calls),
            ("objects_that_differ", differ),
            ("own_processor_ms", round(statistics.median(cost.processor_s for cost in own) * 1000, 1)),
        )
        values = in_ms([cost.took_s for cost in own])
        figures.append(Figure(section="bulk", name=f"{name}, {client}", unit="ms", values=values, more=more))
        if client != DBUS_FAST:
            figures.append(
                _faster(f"{name}, {client}: time", [cost.took_s for cost in theirs], [cost.took_s for cost in own])
            )
            both = [cost.processor_s for cost in theirs], [cost.processor_s for cost in own]
            figures.append(_faster(f"{name}, {client}: own processor time", *both, least=FASTER))
    return figures


def _faster(name: str, theirs: Sequence[float], ours: Sequence[float], least: float | None = None) -> Figure:
    """Return how many times faster we are than dbus-fast, pair by pair."""
    times = tuple(other / own for other, own in zip(theirs, ours, strict=True))
    return Figure(section="bulk", name=name, unit="x", values=times, least=least)
