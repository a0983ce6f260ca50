"""Ground an act: one live target, re-checked against what the caller saw, and the mechanism for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tactile.compile.afford import is_editable
from tactile.compile.ladder import climb
from tactile.errors import Diagnosis, PlatformError, RequestError, ResolveError
from tactile.policy.untrusted import quote
from tactile.records import (
    Action,
    ActionRequest,
    Affordance,
    Candidate,
    Failure,
    Locator,
    NativeRef,
    Point,
    PointTarget,
    RefTarget,
    Rung,
    Screen,
    State,
    Target,
    Window,
)
from tactile.runtime.applications import AppEntry, Running, find, running
from tactile.runtime.locating import Found, locate
from tactile.runtime.scene import Scene, Sight
from tactile.verify.already import already_so
from tactile.verify.differ import restless
from tactile.verify.recheck import check_actionable, check_editable, check_point, identify, topmost

POINT_ACTIONS = frozenset({Action.CLICK, Action.SCROLL, Action.DRAG})
WRITING = frozenset({Action.SET_VALUE, Action.TYPE})
PASSING = frozenset({Failure.STALE_HIDDEN.value, Failure.DISABLED.value})  # may be so in between only
PASSING_S = 0.4  # a new layout takes a frame or two, a validation behind the last key some 100 ms
POLL_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """Everything an act needs, decided and checked.

    Attributes:
        live: The target as it is now; None when keys go to whatever has the focus, or a point names no candidate.
        point: The pixel for pointer mechanisms.
        before: The before picture.
        restless: Things that change by themselves.
    """

    request: ActionRequest
    entry: AppEntry
    live: Candidate | None
    window: Window | None
    point: Point | None
    destination: Point | None
    affordance: Affordance
    ladder: tuple[Rung, ...]
    before: Sight
    restless: frozenset[NativeRef]


async def ground(scene: Scene, request: ActionRequest, passed: tuple[Rung, ...] = ()) -> Aim:
    """Return the aim of an act, or refuse with nothing touched.

    Raises:
        RequestError, ResolveError, PlatformError: Each with a code of the closed failure list.
    """
    now = await running(scene.desktop)
    if isinstance(request.target, PointTarget):
        return await _aim_at_point(scene, request, request.target, now)
    if request.target is None:
        return await _aim_at_focus(scene, request, now)
    return await _aim_at_candidate(scene, request, request.target, now, passed)


async def _aim_at_candidate(
    scene: Scene, request: ActionRequest, target: RefTarget | Locator, now: Running, passed: tuple[Rung, ...]
) -> Aim:
    found = await _actionable(scene, request, target, now)
    entry, last, before, live = found.entry, found.last, found.sight, found.candidate
    windows = before.observation.windows
    if request.action in WRITING:
        check_editable(live)
    affordance, ladder = _mechanism(request, live, passed, before.observation.input_name)
    point = live.extents.center if live.extents is not None and not live.extents.is_empty else None
    if affordance.primitive.endswith(".pointer"):
        check_point_unless_covered_later(live, windows)
    return Aim(
        request=request,
        entry=entry,
        live=live,
        window=_window(live.window, windows),
        point=point,
        destination=await _destination(scene, request, before, now),
        affordance=affordance,
        ladder=ladder,
        before=before,
        restless=restless(last, before.candidates),
    )


async def _actionable(scene: Scene, request: ActionRequest, target: RefTarget | Locator, now: Running) -> Found:
    """Find a target; what is hidden or disabled gets a moment to show or to be enabled.

    A look takes milliseconds and may fall between the removal of a neighbour and the new layout, or between the last
    key and the button that it enables.

    Raises:
        ResolveError: As `_find` and `check_actionable`, after the moment.
    """
    clock = scene.desktop.clock
    end_s = clock.now_s() + PASSING_S
    first = found = await _find(scene, target, now)
    while True:
        try:
            check_actionable(found.candidate, request.action, found.sight.observation.windows)
        except ResolveError as error:
            if error.code not in PASSING or clock.now_s() >= end_s:
                raise
        else:
            return replace(found, last=first.last)
        await clock.sleep_s(POLL_S)
        found = await _find(scene, target, now)


def check_point_unless_covered_later(live: Candidate, windows: tuple[Window, ...]) -> None:
    """Refuse a pixel that is not known; cover is checked only for a window that is in front already.

    A window that is behind is brought to the front before the act, and checked again then.

    Raises:
        ResolveError: As `check_point`.
    """
    window = _window(live.window, windows)
    is_front = window is not None and (window.is_active or window.is_popup)
    point = live.extents.center if live.extents is not None else Point(x=0, y=0)
    check_point(live, point, windows if is_front else ([window] if window is not None else ()))


def _mechanism(
    request: ActionRequest, live: Candidate, passed: tuple[Rung, ...], input_name: str
) -> tuple[Affordance, tuple[Rung, ...]]:
    if request.action is Action.PRESS_KEY:
        return Affordance(action=Action.PRESS_KEY, primitive=f"{input_name}.keys"), ()
    if already_so(request, live) is not None:
        return Affordance(action=request.action, primitive="none"), ()  # an open item offers no way to open it
    return climb(request, live, passed)


async def _find(scene: Scene, target: RefTarget | Locator, now: Running) -> Found:
    """Return the live candidate that a ref or a locator denotes, from a fresh look at its application."""
    if isinstance(target, Locator):
        return await locate(scene, target, now)
    entry = _entry_of(scene, target, now)
    last = scene.last(entry.pid)
    sight = await scene.look(entry)
    return Found(entry=entry, last=last, sight=sight, candidate=_live(scene, target, sight, now))


def _entry_of(scene: Scene, target: RefTarget, now: Running) -> AppEntry:
    if target.ref.startswith("w"):
        return _window_entry(scene, target.ref, now)[0]
    seen = scene.refs.seen(target.ref)
    entry = next((item for item in now.entries if item.pid == seen.pid), None)
    if entry is None:
        raise ResolveError(
            f"The application of {target.ref} ({quote(seen.candidate.window_title, 60)}) has ended.",
            code=Failure.APP_GONE.value,
            hint="See list_apps for what runs, or start it again with open_app.",
            diagnosis=Diagnosis(sought=target.ref, last_seen=seen.candidate.label),
        )
    if not entry.roots:
        why = "; ".join(now.notes) or "it is no longer on the accessibility bus, which may have been restarted"
        raise PlatformError(
            f"{quote(entry.name, 40)} pid {entry.pid} cannot be read any more: {why}.",
            hint="Applications do not come back to a new bus by themselves: close and reopen it with open_app.",
        )
    return entry


def _window_entry(scene: Scene, ref: str, now: Running) -> tuple[AppEntry, Window]:
    window = scene.refs.window_named(ref, now.windows)
    entry = next((item for item in now.entries if window is not None and window in item.windows), None)
    if window is None or entry is None:
        raise ResolveError(
            f"There is no window {ref} now.",
            code=Failure.STALE_WINDOW.value,
            hint="See list_apps for the windows there are.",
            diagnosis=Diagnosis(sought=ref, near_misses=tuple(quote(item.title, 60) for item in now.windows)),
        )
    return entry, window


def _live(scene: Scene, target: RefTarget, before: Sight, now: Running) -> Candidate:
    if not target.ref.startswith("w"):
        return identify(scene.refs.seen(target.ref).candidate, before.candidates)
    _, window = _window_entry(scene, target.ref, now)
    frame = scene.frame_of(window, before.candidates)
    if frame is None:
        raise ResolveError(
            f"Window {target.ref} has no accessible of its own.",
            code=Failure.UNSUPPORTED.value,
            hint="Give a point in it, with the id of an observation.",
        )
    return frame


def _window(native: int | None, windows: tuple[Window, ...]) -> Window | None:
    return next((window for window in windows if window.native_id == native), None)


async def _destination(scene: Scene, request: ActionRequest, before: Sight, now: Running) -> Point | None:
    target: Target | None = request.destination
    if target is None:
        return None
    if isinstance(target, PointTarget):
        check_same_place(scene, target, before)
        return target.point
    found = await _find(scene, target, now)
    live, windows = found.candidate, found.sight.observation.windows
    check_actionable(live, Action.SCROLL, windows)
    check_point_unless_covered_later(live, windows)
    assert live.extents is not None
    return live.extents.center


def check_same_place(scene: Scene, target: PointTarget, before: Sight) -> Window:
    """Return the window at a pixel if it is the one that was there when it was seen, at the same place.

    Raises:
        RequestError: The pixel is outside the screen.
        ResolveError: `stale_window`, `occluded` or `stale_moved`.
    """
    point = target.point
    check_on_screen(point, before.observation.screen)
    then = topmost(point, scene.windows_at(target.observation_id))
    now = topmost(point, before.observation.windows)
    where = f"({point.x},{point.y})"
    if then is None or now is None or not any(item.native_id == then.native_id for item in before.observation.windows):
        was = quote(then.title, 60) if then else "no window"
        raise _stale(Failure.STALE_WINDOW, f"At {where} there was {was} in {target.observation_id}; it is gone now.")
    if now.native_id != then.native_id:
        raise _stale(
            Failure.OCCLUDED, f"At {where} the window {quote(now.title, 60)} now covers {quote(then.title, 60)}."
        )
    if now.outer != then.outer:
        raise _stale(Failure.STALE_MOVED, f"The window {quote(now.title, 60)} has moved since {target.observation_id}.")
    return now


def check_on_screen(point: Point, screen: Screen) -> None:
    """Refuse a pixel that no picture of the screen has.

    Raises:
        RequestError: The pixel is outside the screen.
    """
    if not (0 <= point.x < screen.width and 0 <= point.y < screen.height):
        raise RequestError(
            f"The point ({point.x},{point.y}) is outside the screen of {screen.width}×{screen.height} px.",
            hint="Points are physical px of the desktop, from 0,0 at the top left.",
        )


def _stale(code: Failure, message: str) -> ResolveError:
    return ResolveError(
        message, code=code.value, hint="Observe again and give the point with the new observation's id."
    )


async def _aim_at_point(scene: Scene, request: ActionRequest, target: PointTarget, now: Running) -> Aim:
    if request.action not in POINT_ACTIONS:
        raise RequestError(
            f"A point cannot be the target of {request.action.value}.", hint="Use a ref or a locator for that."
        )
    check_on_screen(target.point, await scene.desktop.screen.screen())
    window = topmost(target.point, scene.windows_at(target.observation_id))
    entry = _owner(window, now, target)
    last = scene.last(entry.pid)
    before = await scene.look(entry)
    now_window = check_same_place(scene, target, before)
    live = _candidate_at(before, target.point, now_window)
    if live is not None:
        check_actionable(live, request.action, before.observation.windows)
    return Aim(
        request=request,
        entry=entry,
        live=live,
        window=now_window,
        point=target.point,
        destination=await _destination(scene, request, before, now),
        affordance=Affordance(action=request.action, primitive=f"{before.observation.input_name}.pointer"),
        ladder=(),
        before=before,
        restless=restless(last, before.candidates),
    )


def _owner(window: Window | None, now: Running, target: PointTarget) -> AppEntry:
    entry = next((item for item in now.entries if window is not None and item.pid == window.pid), None)
    if entry is None:
        point = target.point
        raise ResolveError(
            f"At ({point.x},{point.y}) there was no window of a running application in {target.observation_id}.",
            code=Failure.TARGET_ABSENT.value,
            hint="Choose a point inside a window of list_apps.",
        )
    return entry


def _candidate_at(before: Sight, point: Point, window: Window) -> Candidate | None:
    """Return the smallest showing candidate of the window that holds the pixel."""
    hit = [
        item
        for item in before.candidates.candidates
        if item.is_showing and item.window == window.native_id and item.extents and item.extents.contains(point)
    ]
    return min(hit, key=lambda item: item.extents.width * item.extents.height if item.extents else 0, default=None)


async def _aim_at_focus(scene: Scene, request: ActionRequest, now: Running) -> Aim:
    """Aim keys at the focused thing of the active window; text needs a focused field that says so."""
    entry, _ = find(None, now, scene.refs)
    last = scene.last(entry.pid)
    before = await scene.look(entry)
    focused = [item for item in before.candidates.candidates if State.FOCUSED in item.states and item.is_showing]
    if request.action is Action.TYPE:
        focused = [item for item in focused if is_editable(item)]  # Qt tabs keep the flag beside the real holder
    live = focused[0] if len(focused) == 1 else None
    window = next((item for item in before.observation.windows if item.is_active), None)
    if request.action is Action.TYPE:
        if live is None:
            raise ResolveError(
                f"{len(focused)} fields say they have the focus, so where text would go is not known.",
                code=Failure.FOCUS_MISMATCH.value,
                hint="Give the target: a ref or a locator of the field.",
            )
        check_actionable(live, request.action, before.observation.windows)
        check_editable(live)
    return Aim(
        request=request,
        entry=entry,
        live=live,
        window=window,
        point=None,
        destination=None,
        affordance=Affordance(action=request.action, primitive=f"{before.observation.input_name}.keys"),
        ladder=(),
        before=before,
        restless=restless(last, before.candidates),
    )


def refreshed(aim: Aim, before: Sight, live: Candidate) -> Aim:
    """Return the aim with a newer before picture of the same target."""
    windows = before.observation.windows
    point = live.extents.center if live.extents is not None and not live.extents.is_empty else None
    is_point = isinstance(aim.request.target, PointTarget)
    return replace(
        aim,
        before=before,
        live=live,
        window=_window(live.window, windows),
        point=aim.point if is_point else point,
    )
