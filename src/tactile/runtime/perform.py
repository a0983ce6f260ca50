"""Perform one act by its chosen mechanism, once; bring its window to the front first."""

from __future__ import annotations

from dataclasses import replace

from tactile.compile.form import EDIT_ROLES
from tactile.compile.resolve import describe
from tactile.errors import ResolveError
from tactile.policy.untrusted import quote
from tactile.records import Action, Failure, Role
from tactile.runtime.ground import Aim, refreshed
from tactile.runtime.scene import Scene
from tactile.verify.recheck import check_actionable, check_cover, check_point, identify, is_focused

ACTIVATE_S = 1.5  # a window manager answers in milliseconds; a busy one in a second
PERFORM_S = 4.0  # toolkits answer before their handlers end; longer means the application hangs
TYPE_S = 60.0  # 20,000 characters at a slow application's pace
FOCUS_S = 1.0  # toolkits report a new focus within 150 ms


async def bring_forward(scene: Scene, aim: Aim) -> Aim:
    """Activate the target's window if it is not active, and check the target again.

    Returns:
        The aim, with a fresh before picture if the window had to be activated.

    Raises:
        ResolveError: `focus_mismatch` when the window does not come to the front, `occluded` when it is
            still covered at the target; nothing was done to the target.
    """
    window = aim.window
    if window is None or window.is_popup or aim.request.target is None:
        return aim
    if not window.is_active:
        if not await scene.desktop.screen.activate(window.native_id, ACTIVATE_S):
            raise ResolveError(
                f"The window {quote(window.title, 60)} did not come to the front.",
                code=Failure.FOCUS_MISMATCH.value,
                hint="Close or move what keeps the focus, then try again.",
            )
        before = await scene.look(aim.entry)
        if aim.live is not None:
            live = identify(aim.live, before.candidates)
            check_actionable(live, aim.request.action, before.observation.windows)
            aim = refreshed(aim, before, live)
        else:
            aim = replace(aim, before=before)
    windows = aim.before.observation.windows
    if aim.affordance.primitive.endswith(".activate"):
        return aim  # a window asked to come forward may be covered or half restored; nothing of it is hit
    if aim.live is not None and aim.point is not None:
        check = check_point if aim.affordance.primitive.endswith(".pointer") else check_cover
        check(aim.live, aim.point, windows)
    return aim


async def perform(scene: Scene, aim: Aim) -> bool | None:
    """Do it, once.

    Returns:
        What the toolkit answered, which is no evidence; None when it answers nothing.

    Raises:
        TactileError: `effect` says whether something may have happened.
    """
    primitive = aim.affordance.primitive
    if primitive.endswith(".pointer"):
        await _point(scene, aim)
    elif primitive.endswith(".keys"):
        await _keys(scene, aim)
    elif primitive.endswith(".activate"):
        return None  # bringing the window forward was all
    else:
        assert scene.desktop.accessibility is not None
        assert aim.live is not None
        argument = _argument(aim)
        answered = await scene.desktop.accessibility.perform(aim.live.native, primitive, argument, PERFORM_S)
        await _submit(scene, aim)
        return answered
    await _submit(scene, aim)
    return None


def _argument(aim: Aim) -> str:
    return aim.request.payload if aim.request.action in {Action.SET_VALUE, Action.TYPE} else ""


async def _point(scene: Scene, aim: Aim) -> None:
    assert aim.point is not None
    request, device = aim.request, scene.desktop.input
    if request.action is Action.SCROLL:
        await device.scroll(aim.point, request.direction, request.amount)
    elif request.action is Action.DRAG:
        assert aim.destination is not None
        await device.drag(aim.point, aim.destination)
    elif request.action is Action.SHOW_MENU:
        await device.click(aim.point, button="right", count=1, modifiers=())
    else:
        await device.click(aim.point, button=request.button, count=request.count, modifiers=request.modifiers)


async def _keys(scene: Scene, aim: Aim) -> None:
    device = scene.desktop.input
    if aim.request.target is not None and await _focus(scene, aim) and aim.request.action is Action.TYPE:
        await device.press("ctrl+End")  # the focus was given by us: text goes to the end, as `insert` does
    if aim.request.action is Action.PRESS_KEY:
        await device.press(aim.request.payload)
        return
    if aim.request.action is Action.SET_VALUE:
        await device.press("ctrl+a")
        if not aim.request.payload:
            await device.press("Delete")
            return
    await device.type_text(aim.request.payload, deadline_s=TYPE_S)


async def _focus(scene: Scene, aim: Aim) -> bool:
    """Give the target the keyboard focus and wait until its application says so.

    Returns:
        False when it had the focus already.

    Raises:
        ResolveError: `focus_mismatch`; no key was sent.
    """
    live = aim.live
    assert live is not None
    if is_focused(live):
        return False
    ways = live.affordances_for(Action.FOCUS)
    if ways and not ways[0].primitive.endswith((".pointer", ".activate")):
        assert scene.desktop.accessibility is not None
        await scene.desktop.accessibility.perform(live.native, ways[0].primitive, "", PERFORM_S)
    elif live.role in EDIT_ROLES and aim.point is not None:
        check_point(live, aim.point, aim.before.observation.windows)
        await scene.desktop.input.click(aim.point, button="left", count=1, modifiers=())
    elif live.role not in {Role.FRAME, Role.DIALOG}:
        raise _unfocused(aim)
    if not await _is_focused_in_time(scene, aim):
        raise _unfocused(aim)
    return True


async def _is_focused_in_time(scene: Scene, aim: Aim) -> bool:
    assert aim.live is not None
    if aim.live.role in {Role.FRAME, Role.DIALOG}:
        return True  # its window is active, which was confirmed
    clock = scene.desktop.clock
    deadline_s = clock.now_s() + FOCUS_S
    while True:
        live = (await scene.look(aim.entry)).candidates.by_native(aim.live.native)
        if live is not None and is_focused(live):
            return True
        if clock.now_s() >= deadline_s:
            return False
        await clock.sleep_s(0.03)  # between two reads; the deadline bounds the loop


def _unfocused(aim: Aim) -> ResolveError:
    assert aim.live is not None
    return ResolveError(
        f"{describe(aim.live)} does not take the keyboard focus, so no key was sent.",
        code=Failure.FOCUS_MISMATCH.value,
        hint="Click it first, or send the keys without a target to what has the focus.",
    )


async def _submit(scene: Scene, aim: Aim) -> None:
    if not aim.request.submits:
        return
    if not aim.affordance.primitive.endswith(".keys"):
        await _focus(scene, aim)
    await scene.desktop.input.press("Return")


async def whole_text(scene: Scene, aim: Aim, expected: int) -> str | None:
    """Read the target's whole text, however long; None when it has none, is secret or cannot be read.

    Args:
        scene: The session's scene.
        aim: With its live target.
        expected: Characters that there should be, for the limit.
    """
    live = aim.live
    if live is None or live.is_secure or live.text_length is None or scene.desktop.accessibility is None:
        return None
    root = next((item.root for item in aim.entry.roots if item.root.application == live.native.application), None)
    if root is None:
        return None
    limits = replace(scene.limits, text_max=max(live.text_length, expected) + 1000)
    tree = await scene.desktop.accessibility.read_tree(root, limits)
    return next((item.text for item in tree.accessibles if item.ref == live.native), None)
