"""Choose adapters for a desktop and build a session on it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tactile.errors import PlatformError, SetupError
from tactile.policy.untrusted import clean

# The runtime is imported when a session is opened: a server answers its client before it needs one.
if TYPE_CHECKING:
    from tactile.adapters import desktop as isolated
    from tactile.ports import AccessibilityPort, FilesPort, LauncherPort
    from tactile.runtime.desktop import Desktop
    from tactile.runtime.session import Session
    from tactile.runtime.trace import TraceSink

START_S = 20.0  # an isolated desktop is up in a second; a loaded machine may need many
CONNECT_S = 5.0  # to reach a display or a bus that is there
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/games"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Which desktop, and where the record goes.

    Attributes:
        desktop: A private one that ends with the session, or the one of this environment.
        has_network: Let programs of an isolated desktop use the network.
        trace: Folder for the trace; None records none.
        read_only: Paths of this machine that an isolated desktop shows beside /usr, /etc and /opt.
        read_write: The same, writable.
    """

    desktop: Literal["isolated", "current"] = "isolated"
    width: int = 1280
    height: int = 800
    has_network: bool = False
    trace: Path | None = None
    read_only: tuple[Path, ...] = ()
    read_write: tuple[Path, ...] = ()


@asynccontextmanager
async def open_session(options: Options) -> AsyncIterator[Session]:
    """Open a session; its isolated desktop and its connections end with the context.

    Raises:
        SetupError: The machine lacks something; names it and the fix.
        PlatformError: The desktop does not answer.
    """
    from tactile.runtime.ledger import Ledger
    from tactile.runtime.refs import Numbers, Refs
    from tactile.runtime.scene import Scene
    from tactile.runtime.session import Session
    from tactile.runtime.state import reserve_numbers, state_folder

    async with AsyncExitStack() as stack:
        if options.desktop == "isolated":
            desktop = await _isolated(stack, options)
        else:
            desktop = await _current(stack)
        folder = state_folder()
        ledger = Ledger(folder / "ledger.jsonl")
        stack.callback(ledger.end)
        numbers = Numbers(lambda count: reserve_numbers(folder, count))
        trace = _trace(stack, options.trace)
        yield Session(Scene(desktop=desktop, numbers=numbers, refs=Refs(numbers), ledger=ledger, trace=trace))


def _trace(stack: AsyncExitStack, folder: Path | None) -> TraceSink:
    from tactile.runtime.trace import FileTrace, NoTrace

    if folder is None:
        return NoTrace()
    trace = FileTrace(folder, time.strftime("%Y%m%d-%H%M%S") + f"-{os.getpid()}")
    stack.callback(trace.close)
    return trace


async def _isolated(stack: AsyncExitStack, options: Options) -> Desktop:
    from tactile.adapters.files import HomeFiles
    from tactile.adapters.programs import Programs

    place = await stack.enter_async_context(open_desktop(options))
    notes = () if place.isolation == "full" else (f"isolation reduced: {place.isolation_reason}",)

    return await _desktop(
        stack,
        display=place.display,
        xauthority=str(place.xauthority),
        session_bus=place.session_bus,
        may_remap_all=True,
        launcher=Programs(place.run, place.exit_of, PATH),
        files=HomeFiles(place.home, (*options.read_only, *options.read_write)),
        ended=lambda: place.ended,
        name=f"isolated {place.display}",
        notes=notes,
    )


async def _current(stack: AsyncExitStack) -> Desktop:
    from tactile.adapters.files import UserFiles
    from tactile.adapters.programs import Children, Programs

    variables: Mapping[str, str] = dict(os.environ)
    display = variables.get("DISPLAY")
    if not display:
        wayland = " This is a Wayland session without X11." if variables.get("WAYLAND_DISPLAY") else ""
        raise SetupError(
            f"DISPLAY is not set, so there is no desktop to use.{wayland}",
            hint="Start Tactile inside an X11 session, or use --desktop isolated.",
        )

    children = Children()
    return await _desktop(
        stack,
        display=display,
        xauthority=variables.get("XAUTHORITY"),
        session_bus=variables.get("DBUS_SESSION_BUS_ADDRESS", ""),
        may_remap_all=False,
        launcher=Programs(children.start, children.exit_of, variables.get("PATH", PATH)),
        files=UserFiles(),
        ended=lambda: None,
        name=f"current {display}",
        notes=(),
    )


async def _desktop(
    stack: AsyncExitStack,
    *,
    display: str,
    xauthority: str | None,
    session_bus: str,
    may_remap_all: bool,
    launcher: LauncherPort,
    files: FilesPort,
    ended: Callable[[], str | None],
    name: str,
    notes: tuple[str, ...],
) -> Desktop:
    from tactile.adapters import x11
    from tactile.adapters.x11.keys import parse_chord
    from tactile.runtime.clock import SystemClock
    from tactile.runtime.desktop import Desktop

    screen, (accessibility, missing) = await asyncio.gather(
        x11.connect(display, xauthority, CONNECT_S, may_remap_all=may_remap_all), _accessibility(stack, session_bus)
    )
    stack.push_async_callback(screen.close)
    return Desktop(
        accessibility=accessibility,
        input=screen,
        screen=screen,
        launcher=launcher,
        files=files,
        clock=SystemClock(),
        check_keys=parse_chord,
        ended=ended,
        name=name,
        notes=notes + missing,
    )


async def _accessibility(stack: AsyncExitStack, session_bus: str) -> tuple[AccessibilityPort | None, tuple[str, ...]]:
    """Connect to the accessibility bus; a desktop without one still has windows and pixels, and says so."""
    from tactile.adapters import atspi

    try:
        adapter = await atspi.connect(session_bus, CONNECT_S)
    except (SetupError, PlatformError) as error:
        return None, (f"no accessibility: {error.message}",)
    stack.push_async_callback(adapter.close)
    return adapter, ()


@asynccontextmanager
async def open_desktop(options: Options) -> AsyncIterator[isolated.Desktop]:
    """Start an isolated desktop without a session, for `tactile desktop run`.

    Raises:
        SetupError: The machine lacks something; names it and the fix.
    """
    from tactile.adapters import desktop

    chosen = desktop.DesktopOptions(
        width=options.width,
        height=options.height,
        network=options.has_network,
        deadline_s=START_S,
        read_only=options.read_only,
        read_write=options.read_write,
    )
    async with await desktop.start(chosen) as place:
        yield place


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the doctor.

    Attributes:
        is_needed: An isolated desktop cannot be used without it.
    """

    name: str
    is_ok: bool
    detail: str
    fix: str = ""
    is_needed: bool = True

    def as_dict(self) -> dict[str, object]:
        """Return the finding as plain values."""
        return {"name": self.name, "ok": self.is_ok, "detail": self.detail, "fix": self.fix, "needed": self.is_needed}


REDUCING = frozenset({"bwrap", "user namespaces"})  # without these a desktop is private but not sandboxed


async def examine(environment: Mapping[str, str]) -> tuple[Finding, ...]:
    """Look at what isolated desktops and the current one need; nothing is changed.

    Args:
        environment: Of the current session.
    """
    from tactile.adapters import desktop

    checks = await asyncio.to_thread(desktop.probe)
    isolated_findings = tuple(
        Finding(
            name=check.name, is_ok=check.ok, detail=check.detail, fix=check.fix, is_needed=check.name not in REDUCING
        )
        for check in checks
    )
    return (*isolated_findings, _state_finding(), *await _current_findings(environment))


def _state_finding() -> Finding:
    from tactile.runtime.ledger import unfinished
    from tactile.runtime.state import state_folder

    try:
        folder = state_folder()
    except SetupError as error:
        return Finding(name="state folder", is_ok=False, detail=error.message, fix=error.hint)
    open_effects = unfinished(folder / "ledger.jsonl")
    if not open_effects:
        return Finding(name="state folder", is_ok=True, detail=f"{folder}; every effect has a known outcome")
    named = ", ".join(f"{entry['effect']} {entry['action']} {entry['target']}" for entry in open_effects[-3:])
    return Finding(
        name="ledger",
        is_ok=False,
        detail=f"{len(open_effects)} effects have an unknown outcome, the last: {clean(named, 300).text}",
        fix="Look at the application before doing the same again.",
        is_needed=False,
    )


async def _current_findings(environment: Mapping[str, str]) -> tuple[Finding, ...]:
    display = environment.get("DISPLAY")
    if not display:
        fix = (
            "" if environment.get("WAYLAND_DISPLAY") is None else "Wayland sessions come later; use --desktop isolated."
        )
        return (
            Finding(name="current desktop", is_ok=True, detail="none: DISPLAY is not set", fix=fix, is_needed=False),
        )
    return (
        await _display_finding(display, environment.get("XAUTHORITY")),
        await _bus_finding(environment.get("DBUS_SESSION_BUS_ADDRESS", "")),
    )


async def _display_finding(display: str, xauthority: str | None) -> Finding:
    from tactile.adapters import x11

    try:
        adapter = await x11.connect(display, xauthority, CONNECT_S)
    except (SetupError, PlatformError) as error:
        return Finding(name="display", is_ok=False, detail=error.message, fix=error.hint, is_needed=False)
    try:
        has_manager = await adapter.has_window_manager()
    except PlatformError as error:
        return Finding(name="display", is_ok=False, detail=error.message, fix=error.hint, is_needed=False)
    finally:
        await adapter.close()
    detail = f"{display}, {'with a' if has_manager else 'no'} window manager"
    fix = "" if has_manager else "Start a window manager; activation is confirmed by Tactile itself until then."
    return Finding(name="display", is_ok=has_manager, detail=detail, fix=fix, is_needed=False)


async def _bus_finding(session_bus: str) -> Finding:
    from tactile.adapters import atspi

    try:
        adapter = await atspi.connect(session_bus, CONNECT_S)
        applications = await adapter.applications(CONNECT_S)
        await adapter.close()
    except (SetupError, PlatformError) as error:
        return Finding(name="accessibility", is_ok=False, detail=error.message, fix=error.hint, is_needed=False)
    hung = [application.name for application in applications if not application.is_responding]
    detail = f"{len(applications)} applications" + (
        f"; not responding: {clean(', '.join(hung), 200).text}" if hung else ""
    )
    return Finding(name="accessibility", is_ok=True, detail=detail, is_needed=False)
