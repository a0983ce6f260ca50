"""Which applications run, and which one a name, pid or window id means."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from tactile.errors import Diagnosis, PlatformError, RequestError, ResolveError
from tactile.policy.untrusted import quote
from tactile.records import Application, Failure, Window
from tactile.runtime.desktop import Desktop
from tactile.runtime.refs import Refs

LIST_DEADLINE_S = 1.0  # for the whole list; a frozen application is listed as not responding


@dataclass(frozen=True, slots=True, kw_only=True)
class AppEntry:
    """One running application.

    Attributes:
        accessible: full, partial or none.
        why: Reason when it is not full.
        roots: Its entries on the accessibility bus; one process may own several.
    """

    name: str
    pid: int | None
    windows: tuple[Window, ...]
    accessible: str
    why: str = ""
    roots: tuple[Application, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The applications and all windows of the desktop, lowest first."""

    entries: tuple[AppEntry, ...]
    windows: tuple[Window, ...]
    notes: tuple[str, ...] = ()


async def running(desktop: Desktop) -> Running:
    """List what runs, from windows and accessibility together.

    Raises:
        PlatformError: The window system does not answer.
    """
    windows, (applications, notes) = await asyncio.gather(desktop.screen.windows(), _applications(desktop))
    return Running(entries=_merge(applications, windows), windows=windows, notes=notes)


async def _applications(desktop: Desktop) -> tuple[tuple[Application, ...], tuple[str, ...]]:
    if desktop.accessibility is None:
        return (), ("accessibility: none on this desktop, so only windows are known",)
    try:
        return await desktop.accessibility.applications(LIST_DEADLINE_S), ()
    except PlatformError as error:
        return (), (f"accessibility: not answering ({error.message})",)


def _merge(applications: Sequence[Application], windows: Sequence[Window]) -> tuple[AppEntry, ...]:
    by_pid: dict[int | None, list[Application]] = {}
    for application in applications:
        by_pid.setdefault(application.pid, []).append(application)
    entries = [_entry(roots, pid, windows) for pid, roots in by_pid.items()]
    rest: dict[int | None, list[Window]] = {}
    for window in windows:
        if window.pid not in by_pid and not window.is_popup:
            rest.setdefault(window.pid, []).append(window)
    entries += [
        AppEntry(
            name=own[-1].app_class or own[-1].title,
            pid=pid,
            windows=tuple(own),
            accessible="none",
            why="it is not on the accessibility bus: only its windows are known",
        )
        for pid, own in rest.items()
    ]
    return tuple(entries)


def _entry(roots: Sequence[Application], pid: int | None, windows: Sequence[Window]) -> AppEntry:
    own = tuple(window for window in windows if window.pid == pid and not window.is_popup)
    is_answering = all(root.is_responding for root in roots)
    name = next((root.name for root in roots if root.name), "") or (own[-1].app_class if own else "")
    return AppEntry(
        name=name,
        pid=pid,
        windows=own,
        accessible="full" if is_answering else "none",
        why="" if is_answering else "not responding: it does not answer its accessibility calls",
        roots=tuple(roots),
    )


def find(app: str | None, now: Running, refs: Refs) -> tuple[AppEntry, Window | None]:
    """Return the one application that a name, pid or window ref means; the active window's without one.

    Returns:
        The entry, and the window if one was named.

    Raises:
        RequestError: Nothing of that name runs; says what does.
        ResolveError: `target_ambiguous`: several do; names each with its pid.
    """
    if app is None:
        return _active(now)
    word = app.strip()
    window = refs.window_named(word, now.windows)
    if window is not None:
        entry = next(item for item in now.entries if window in item.windows)
        return entry, window
    fitting = _fitting(word, now)
    if len(fitting) == 1:
        return fitting[0], None
    if fitting:
        raise ResolveError(
            f"{len(fitting)} running applications fit {quote(word, 60)}.",
            code=Failure.TARGET_AMBIGUOUS.value,
            hint="Name one by its pid, or by a window id from list_apps.",
            diagnosis=Diagnosis(sought=word, near_misses=tuple(map(_named, fitting))),
        )
    raise RequestError(
        f"No running application fits {quote(word, 60)}.",
        hint="Use a name, pid or window id from list_apps, or start it with open_app.",
        diagnosis=Diagnosis(sought=word, near_misses=tuple(map(_named, now.entries))),
    )


def _fitting(word: str, now: Running) -> list[AppEntry]:
    if word.isdigit():
        return [item for item in now.entries if item.pid == int(word)]
    folded = word.casefold()
    for names in (_own_names, _titles):
        fitting = [item for item in now.entries if folded in names(item)]
        if fitting:
            return fitting
    return []


def _own_names(item: AppEntry) -> set[str]:
    return {item.name.casefold()} | {window.app_class.casefold() for window in item.windows}


def _titles(item: AppEntry) -> set[str]:
    return {window.title.casefold() for window in item.windows}


def _named(item: AppEntry) -> str:
    title = f" {quote(item.windows[-1].title, 40)}" if item.windows else " (no window)"
    return f"{quote(item.name, 40)} pid {item.pid}{title}"


def _active(now: Running) -> tuple[AppEntry, Window | None]:
    window = next((item for item in now.windows if item.is_active), None)
    entry = next((item for item in now.entries if window is not None and window in item.windows), None)
    if entry is None:
        raise RequestError(
            "No window is active, so there is no default application.",
            hint="Name one from list_apps, or start one with open_app.",
            diagnosis=Diagnosis(near_misses=tuple(map(_named, now.entries))),
        )
    return entry, None
