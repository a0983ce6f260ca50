"""Wait until the interface is quiet, look again, and judge; no fixed sleeps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from tactile.errors import AppGoneError, PlatformError, RequestError
from tactile.ports import ChangeStream
from tactile.records import Action, ActionRequest, Verdict
from tactile.runtime.applications import AppEntry, running
from tactile.runtime.ground import Aim
from tactile.runtime.perform import whole_text
from tactile.runtime.scene import Scene, Sight
from tactile.verify.expect import Picture
from tactile.verify.judge import Case, judge
from tactile.verify.judgement import Judgement

FIRST_CHANGE_S = 0.3  # GTK4 buttons act after 260 ms, Qt's after 120 ms (measured)
QUIET_S = 0.08  # no event for this long counts as quiet; bursts have gaps below 20 ms (measured)
BUSY_S = 1.5  # an interface that never gets quiet is looked at after this long
PATIENCE_S = 1.0  # a cue that has not shown yet gets this long: late handlers, idle callbacks
EXPECT_S = 5.0  # a postcondition of the caller's gets this long
POLL_S = 0.1  # between looks for things that send no event: files, windows, applications without a bus
END_S = 0.5  # from leaving the accessibility bus to the exit code being known
FILE_MAX = 1_000_000  # bytes of a file read for a postcondition
TEXT_CUT = 1500  # characters from which a text is read back whole instead of from the picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The after picture and the verdict."""

    after: Sight | None
    judgement: Judgement
    settle_s: float
    did_settle: bool


@asynccontextmanager
async def listening(scene: Scene, entry: AppEntry) -> AsyncIterator[ChangeStream | None]:
    """Listen for the application's changes while acting on it; None when it sends none."""
    port = scene.desktop.accessibility
    with scene.acting():
        if port is None or not entry.roots:
            yield None
            return
        async with port.changes(entry.roots[0].root) as stream:
            yield stream


async def quiet(scene: Scene, stream: ChangeStream | None) -> bool:
    """Wait for the first change, then for quiet; tell whether it got quiet in time."""
    clock = scene.desktop.clock
    if stream is None:
        await clock.sleep_s(POLL_S)  # nothing announces changes here; the caller polls until its deadline
        return True
    end_s = clock.now_s() + BUSY_S
    change = await stream.next(FIRST_CHANGE_S)
    while change is not None:
        if clock.now_s() >= end_s:
            return False
        change = await stream.next(QUIET_S)
    return True


async def settle_and_judge(scene: Scene, aim: Aim, before: Picture, stream: ChangeStream | None) -> Outcome:
    """Look again when it is quiet, and again until the cue shows or patience ends.

    Args:
        scene: The session's scene.
        aim: What was done.
        before: The before picture, files included.
        stream: Opened before the act.
    """
    scene.has_acted()
    clock = scene.desktop.clock
    start_s = clock.now_s()
    end_s = start_s + (EXPECT_S if aim.request.expectation else PATIENCE_S)
    text_before = await _text_before(aim)
    while True:
        did_settle = await quiet(scene, stream)
        settle_s = clock.now_s() - start_s
        after, picture = await picture_of(scene, aim)
        text_after = await _text_after(scene, aim, picture)
        case = _case(scene, aim, before, picture)
        judgement = judge(replace(case, text_before=text_before, text_after=text_after))
        if _is_final(judgement, aim.request, picture.exit_code) or clock.now_s() >= end_s:
            break
        await _wait_on(scene, stream, min(end_s - clock.now_s(), PATIENCE_S), bool(aim.request.expectation))
    return Outcome(after=after, judgement=judgement, settle_s=settle_s, did_settle=did_settle)


def _case(scene: Scene, aim: Aim, before: Picture, after: Picture) -> Case:
    """Return what there is to judge, with what the application does by itself."""
    unrest = scene.unrest(aim.entry.pid, aim.before.observation.taken_at_s)
    return Case(
        request=aim.request,
        target=aim.live,
        before=before,
        after=after,
        restless=aim.restless | unrest.things,
        natives=scene.refs.natives(),
        are_windows_restless=unrest.are_windows_restless,
        are_controls_restless=unrest.are_controls_restless,
        pid=aim.entry.pid,
    )


def _is_final(judgement: Judgement, request: ActionRequest, exit_code: int | None) -> bool:
    if judgement.verdict is Verdict.CONFIRMED:
        return True
    if exit_code is not None:
        # Only files, other windows and other applications can still change.
        is_outside = any(item.subject in {"file", "window", "app"} for item in request.expectation)
        return exit_code < 0 or not is_outside or judgement.verdict is Verdict.WEAK
    return judgement.verdict is Verdict.WEAK and not request.expectation


async def _wait_on(scene: Scene, stream: ChangeStream | None, timeout_s: float, is_polling: bool) -> None:
    if stream is None or is_polling:
        await scene.desktop.clock.sleep_s(min(POLL_S, max(timeout_s, 0.0)))
    else:
        await stream.next(max(timeout_s, 0.0))


async def _text_before(aim: Aim) -> str | None:
    live = aim.live
    if live is None or live.value is None or live.text_length is None or len(live.value) != live.text_length:
        return None
    return live.value


async def _text_after(scene: Scene, aim: Aim, picture: Picture) -> str | None:
    """Read a written text back whole where the picture holds only its beginning."""
    if aim.request.action not in {Action.TYPE, Action.SET_VALUE} or aim.live is None or picture.candidates is None:
        return None
    now = picture.candidates.by_native(aim.live.native)
    if now is None or now.text_length is None or now.text_length < TEXT_CUT:
        return None
    try:
        return await whole_text(scene, aim, now.text_length)
    except PlatformError:
        return None  # the verdict then rests on the part in the picture, and says so


async def picture_of(scene: Scene, aim: Aim) -> tuple[Sight | None, Picture]:
    """Take the picture of now that judging needs; an unreadable application is part of the picture."""
    files = await read_files(scene, aim.request)
    names = await app_names(scene, aim.request)
    try:
        sight = await scene.look(aim.entry)
    except PlatformError as error:
        is_gone = isinstance(error, AppGoneError)
        code = await _exit_code(scene, aim, END_S if is_gone else 0.0)
        failure = "the application is gone" if is_gone else "it does not answer"
        return None, Picture(
            candidates=None,
            windows=await scene.desktop.screen.windows(),
            app_names=names,
            files=files,
            failure=failure if code is None else f"its process has ended with exit code {code}",
            exit_code=code,
        )
    return sight, await _with_end(scene, aim, sight, picture_from(sight, names, files))


async def _with_end(scene: Scene, aim: Aim, sight: Sight, picture: Picture) -> Picture:
    """Add the exit code where the application has no window left; a read may just have been ahead of its end."""
    if any(window.pid == aim.entry.pid for window in sight.observation.windows):
        return picture
    code = await _exit_code(scene, aim, 0.0)
    if code is None:
        return picture
    return replace(picture, candidates=None, exit_code=code, failure=f"its process has ended with exit code {code}")


async def _exit_code(scene: Scene, aim: Aim, timeout_s: float) -> int | None:
    """Return the exit code of the application's process; None while it runs, or when it was not started here."""
    clock, pid = scene.desktop.clock, aim.entry.pid
    if pid is None:
        return None
    end_s = clock.now_s() + timeout_s
    while True:
        try:
            code = await scene.desktop.launcher.exit_code(pid)
        except RequestError:
            return None
        if code is not None or clock.now_s() >= end_s:
            return code
        await clock.sleep_s(min(POLL_S, end_s - clock.now_s()))


def picture_from(sight: Sight, names: frozenset[str] | None, files: dict[str, bytes | None]) -> Picture:
    """Return a sight as a picture."""
    return Picture(
        candidates=sight.candidates if sight.observation.tree is not None else None,
        windows=sight.observation.windows,
        app_names=names,
        files=files,
        failure="" if sight.observation.tree is not None else "it is not on the accessibility bus",
    )


async def read_files(scene: Scene, request: ActionRequest) -> dict[str, bytes | None]:
    """Read the files that the request's postconditions name."""
    paths = {item.name for item in request.expectation if item.subject == "file"}
    return {path: await scene.desktop.files.read_file(path, FILE_MAX) for path in paths}


async def app_names(scene: Scene, request: ActionRequest) -> frozenset[str] | None:
    """List the running applications, if a postcondition asks for one."""
    if not any(item.subject == "app" for item in request.expectation):
        return None
    now = await running(scene.desktop)
    classes = {window.app_class.casefold() for entry in now.entries for window in entry.windows}
    return frozenset({entry.name.casefold() for entry in now.entries} | classes)
