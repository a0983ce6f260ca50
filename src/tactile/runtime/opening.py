"""Open an application visibly and wait until its first window is up and its tree is stable."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tactile.errors import PlatformError
from tactile.policy.untrusted import quote
from tactile.records import Evidence, Failure, Receipt, Source, Status, Verdict, Window
from tactile.runtime.applications import AppEntry, Running, running
from tactile.runtime.ledger import Intent
from tactile.runtime.scene import Scene, Sight

WINDOW_S = 20.0  # a browser on a loaded two-core machine takes ten seconds to its first window
STABLE_S = 6.0  # after the window: time for its tree to stop growing
ENDED_S = 3.0  # after the program ended: time for the window of a process that it handed over to
BUS_S = 2.5  # after the window: time for the application to come onto the accessibility bus; toolkits need 0.2 s
POLL_S = 0.05  # between looks at the window list while waiting
STILL = 2  # looks in a row with the same candidates that count as stable


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What became of opening an application.

    Attributes:
        entry: None when no window came up in time.
        was_running: The program handed over to a process that was there already.
        exit_code: Of a program that ended without a window; None when it still ran.
    """

    pid: int
    entry: AppEntry | None
    window: Window | None
    sight: Sight | None
    is_stable: bool
    was_running: bool
    elapsed_s: float
    exit_code: int | None = None


Progress = Callable[[str], Awaitable[None]]


async def untold(_: str) -> None:
    """Tell nobody of progress."""


async def open_app(scene: Scene, argv: Sequence[str], tell: Progress = untold) -> Opened:
    """Start a program and wait for its window.

    Args:
        scene: The session's scene.
        argv: Program or application, and arguments.
        tell: Is told of each step before it.

    Raises:
        RequestError: There is no such program.
        PlatformError: The window system does not answer.
    """
    clock = scene.desktop.clock
    start_s = clock.now_s()
    before = await running(scene.desktop)
    pid = await scene.desktop.launcher.launch(argv)
    await tell("the program runs; waiting for its window")
    found = await _first_window(scene, before, pid, start_s + WINDOW_S)
    if found is None:
        code = await scene.desktop.launcher.exit_code(pid)
        return _opened(pid, None, None, None, False, before, clock.now_s() - start_s, code)
    entry, window = found
    await tell("the window is up; reading it until it is stable")
    with scene.acting():
        entry, sight, is_stable = await _stable(scene, entry, clock.now_s() + STABLE_S)
    return _opened(pid, entry, window, sight, is_stable, before, clock.now_s() - start_s)


def _opened(
    pid: int,
    entry: AppEntry | None,
    window: Window | None,
    sight: Sight | None,
    is_stable: bool,
    before: Running,
    elapsed_s: float,
    exit_code: int | None = None,
) -> Opened:
    was_running = entry is not None and any(item.pid == entry.pid for item in before.entries)
    return Opened(
        pid=pid,
        entry=entry,
        window=window,
        sight=sight,
        is_stable=is_stable,
        was_running=was_running,
        elapsed_s=elapsed_s,
        exit_code=exit_code,
    )


async def _first_window(scene: Scene, before: Running, pid: int, deadline_s: float) -> tuple[AppEntry, Window] | None:
    """Wait for a managed window that was not there before, and that can be the program's doing."""
    old = {window.native_id for window in before.windows}
    clock = scene.desktop.clock
    has_ended = False
    while clock.now_s() < deadline_s:
        if not has_ended and await scene.desktop.launcher.exit_code(pid) is not None:
            has_ended, deadline_s = True, min(deadline_s, clock.now_s() + ENDED_S)
        windows = await scene.desktop.screen.windows()
        new = [item for item in windows if item.native_id not in old and not item.is_popup]
        window = _attributable(new, before, pid, has_ended)
        if window is not None:
            now = await running(scene.desktop)
            entry = next((item for item in now.entries if item.pid == window.pid), None)
            if entry is not None:
                return entry, window
        await clock.sleep_s(POLL_S)
    return None


def _attributable(new: Sequence[Window], before: Running, pid: int, has_ended: bool) -> Window | None:
    """Return the new window that opening the program may have brought: the latest of the best kind.

    Wrappers start another process, so a window of a process that is new will do; one of a process that was running
    is its own doing, until the program has ended and may have handed over to it.
    """
    old = {item.pid for item in before.entries} | {item.pid for item in before.windows}
    own = [item for item in new if item.pid == pid]
    strange = [item for item in new if item.pid not in old]
    handed = list(new) if has_ended else []
    return next((group[-1] for group in (own, strange, handed) if group), None)


async def _stable(scene: Scene, entry: AppEntry, deadline_s: float) -> tuple[AppEntry, Sight | None, bool]:
    """Look until the same candidates are seen twice in a row, or the deadline."""
    clock = scene.desktop.clock
    last: tuple[object, ...] | None = None
    same, sight = 0, None
    bus_s = clock.now_s() + BUS_S
    while clock.now_s() < deadline_s:
        if not entry.roots and clock.now_s() >= bus_s:
            break
        if not entry.roots:
            entry = await _entry_again(scene, entry)
        try:
            sight = await scene.look(entry)
        except PlatformError:
            sight = None
        shape = _shape(sight)
        same = same + 1 if shape and shape == last else 1
        if same >= STILL:
            return entry, sight, True
        last = shape
        await clock.sleep_s(POLL_S)
    return entry, sight, False


async def _entry_again(scene: Scene, entry: AppEntry) -> AppEntry:
    """Ask once more whether the application has come onto the accessibility bus."""
    now = await running(scene.desktop)
    return next((item for item in now.entries if item.pid == entry.pid), entry)


def _shape(sight: Sight | None) -> tuple[object, ...]:
    if sight is None or sight.observation.tree is None:
        return ()
    return tuple((item.native, item.name, item.extents) for item in sight.candidates.candidates if item.is_showing)


def open_intent(effect: str, argv: Sequence[str], at: float) -> Intent:
    """Return the ledger's intent of opening a program; arguments are kept as a digest."""
    digest = hashlib.sha256("\0".join(argv[1:]).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return Intent(effect=effect, action="open_app", target=quote(argv[0]), application="", payload_digest=digest, at=at)


def opening_receipt(effect: str, name: str, opened: Opened) -> Receipt:
    """Return the receipt of an opening: confirmed with a stable window of the program's own process, else weak."""
    if opened.entry is None or opened.window is None:
        ended = "" if opened.exit_code is None else f" It ended with exit code {opened.exit_code}."
        return Receipt(
            effect=effect,
            action="open_app",
            target=quote(name),
            status=Status.EXECUTED,
            verdict=Verdict.REFUTED,
            primitive="launch",
            failure=Failure.NO_EFFECT,
            message=f"It was started (pid {opened.pid}), but no window came up in {opened.elapsed_s:.0f} s.{ended}",
            next="See list_apps; it may be still starting, may have ended, or may have no window.",
        )
    title = quote(opened.window.title, 60)
    evidence = Evidence(cue=f"window {title} opens", before="absent", after="open", source=Source.X11, supports=True)
    is_own = opened.entry.pid == opened.pid
    notes = [] if opened.is_stable else ["Its tree is not stable yet or cannot be read."]
    if not is_own:
        which = "that was running already" if opened.was_running else "that was not running before"
        notes.append(
            f"Its window belongs to another process, pid {opened.entry.pid}, {which};"
            f" the program was started as pid {opened.pid}."
        )
    return Receipt(
        effect=effect,
        action="open_app",
        target=f"{quote(opened.entry.name, 60)} pid {opened.entry.pid}",
        status=Status.EXECUTED,
        verdict=Verdict.CONFIRMED if opened.is_stable and is_own else Verdict.WEAK,
        primitive="launch",
        evidence=(evidence,),
        message=" ".join(notes),
        next=f'Observe it with get_app_state(app="{opened.entry.pid}").',
        observation=opened.sight.observation.observation_id if opened.sight else "",
    )
