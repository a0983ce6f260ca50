"""One action, a straight line: resolve, recheck, intend, perform, settle, observe, judge, close."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace

from tactile.compile.resolve import describe
from tactile.errors import PartialInputError, TactileError, UnsupportedError
from tactile.policy.untrusted import quote
from tactile.records import (
    Action,
    ActionRequest,
    Candidate,
    Failure,
    Receipt,
    Rung,
    Status,
    Verdict,
)
from tactile.runtime.changes import change_lines
from tactile.runtime.ground import Aim, ground
from tactile.runtime.hit import check_hit
from tactile.runtime.ledger import Intent
from tactile.runtime.perform import bring_forward, perform
from tactile.runtime.scene import Scene
from tactile.runtime.settle import Outcome, app_names, listening, picture_from, read_files, settle_and_judge
from tactile.verify.already import already_so
from tactile.verify.payload import check_payload

TRY_RUNGS_MAX = 4  # mechanisms tried in turn, each only after one that could do nothing


async def execute(scene: Scene, request: ActionRequest) -> Receipt:
    """Do one act and return its receipt; refusals are receipts too.

    Args:
        scene: The session's scene; one act at a time.
        request: Parsed and checked for form.
    """
    start_s = scene.desktop.clock.now_s()
    is_secret = may_hold_secret(request, None)
    try:
        if request.action is Action.PRESS_KEY:
            scene.desktop.check_keys(request.payload)
        receipt, live = await _climb_and_act(scene, request)
        is_secret = may_hold_secret(request, live)
    except TactileError as error:
        receipt = refusal(request, error)
    total_s = scene.desktop.clock.now_s() - start_s
    receipt = replace(receipt, action=request.action.value, timings_s=(*receipt.timings_s, ("total", total_s)))
    scene.trace.receipt(request, receipt, is_secret=is_secret)
    return receipt


async def _climb_and_act(scene: Scene, request: ActionRequest) -> tuple[Receipt, Candidate | None]:
    """Act by the strongest mechanism; one that could do nothing at all gives way to the next.

    Returns:
        The receipt, and the live target where there is one.
    """
    passed: tuple[Rung, ...] = ()
    while True:
        aim = await ground(scene, request, passed)
        check_payload(request, aim.live)
        done = already_so(request, aim.live)
        if done is not None:
            return done, aim.live
        try:
            return await _act(scene, aim), aim.live
        except UnsupportedError as error:
            passed = (*passed, Rung(primitive=aim.affordance.primitive, reason=error.message))
            if len(passed) >= TRY_RUNGS_MAX:
                raise


async def _act(scene: Scene, aim: Aim) -> Receipt:
    request = aim.request
    names, files = await app_names(scene, request), await read_files(scene, request)
    effect = f"f{scene.numbers.next()}"
    scene.ledger.intend(_intent(effect, aim))
    try:
        async with listening(scene, aim.entry) as stream:
            aim = await bring_forward(scene, aim)
            await check_hit(scene, aim)
            before = picture_from(aim.before, names, files)
            did = await _perform(scene, aim)
            outcome = await settle_and_judge(scene, aim, before, stream)
    except TactileError as error:
        status = Status.REJECTED if error.effect == "none" else Status.OUTCOME_UNKNOWN
        scene.ledger.close(effect, status.value, Verdict.UNVERIFIABLE.value, time.time())
        raise
    receipt = _receipt(scene, aim, effect, outcome, did)
    scene.ledger.close(effect, receipt.status.value, receipt.verdict.value, time.time())
    return receipt


async def _perform(scene: Scene, aim: Aim) -> TactileError | None:
    """Perform; a doubtful outcome is returned as a value, to be judged by what is seen after it."""
    try:
        await perform(scene, aim)
    except TactileError as error:
        if error.effect == "none":
            raise
        return error
    return None


def _intent(effect: str, aim: Aim) -> Intent:
    request = aim.request
    payload = request.payload.encode("utf-8", "surrogatepass")
    is_hidden = may_hold_secret(request, aim.live)
    return Intent(
        effect=effect,
        action=request.action.value,
        target=target_text(aim),
        application=f"{aim.entry.name} {aim.entry.pid}",
        # A digest of a short secret can be guessed, so what may be one leaves nothing.
        payload_digest="secret" if is_hidden else hashlib.sha256(payload).hexdigest()[:32],
        at=time.time(),
    )


def target_text(aim: Aim) -> str:
    """Return what is acted on, in words."""
    what = "what has the focus"
    if aim.live is not None:
        what = describe(aim.live)
    elif aim.point is not None:
        what = f"the point ({aim.point.x},{aim.point.y})"
    title = aim.window.title if aim.window is not None and aim.window.title else ""
    if not title and aim.live is not None:
        title = aim.live.window_title
    return f"{what} in {quote(title, 40)} of {quote(aim.entry.name, 40)} pid {aim.entry.pid}"


def may_hold_secret(request: ActionRequest, live: Candidate | None) -> bool:
    """Tell whether the payload may be a secret: typed text is, unless its target is known to be no secret field.

    Args:
        request: The act.
        live: Its target; None where that is not known, as after a refusal.
    """
    is_text = request.action in {Action.TYPE, Action.SET_VALUE}
    is_one_sign = request.action is Action.PRESS_KEY and len(request.payload) == 1
    return (is_text or is_one_sign) and (live is None or live.is_secure)


def _receipt(scene: Scene, aim: Aim, effect: str, outcome: Outcome, did: TactileError | None) -> Receipt:
    judgement = outcome.judgement
    status, failure, message = Status.EXECUTED, judgement.failure, judgement.message
    if did is not None:
        failure, message = _failure(did), did.message
        status = Status.EXECUTED if isinstance(did, PartialInputError) else Status.OUTCOME_UNKNOWN
        judgement = replace(judgement, verdict=_doubted(judgement.verdict, did))
        if judgement.verdict is Verdict.CONFIRMED:
            status, failure = Status.EXECUTED, None
    elif outcome.after is None and judgement.verdict not in {Verdict.CONFIRMED, Verdict.WEAK}:
        status = Status.OUTCOME_UNKNOWN
    lines, cut = change_lines(scene, aim, outcome)
    return Receipt(
        effect=effect,
        target=target_text(aim),
        status=status,
        verdict=judgement.verdict,
        primitive=aim.affordance.primitive,
        ladder=aim.ladder,
        evidence=judgement.evidence,
        failure=failure,
        message=message,
        safe_to_retry=aim.request.action is Action.SET_VALUE and status is Status.EXECUTED,
        next=_next(judgement.verdict, status),
        observation=outcome.after.observation.observation_id if outcome.after else "",
        changes=lines,
        changes_cut=cut,
        timings_s=(("settle", outcome.settle_s),),
    )


def _doubted(verdict: Verdict, did: TactileError) -> Verdict:
    """Return the verdict on an act whose dispatch went wrong midway: only full evidence still confirms it."""
    if isinstance(did, PartialInputError):
        return Verdict.REFUTED
    return verdict if verdict is Verdict.CONFIRMED else Verdict.UNVERIFIABLE


def _next(verdict: Verdict, status: Status) -> str:
    if status is Status.OUTCOME_UNKNOWN:
        return "It may have happened. Observe with get_app_state and decide by what you see; do not repeat it blindly."
    if verdict is Verdict.CONFIRMED:
        return ""
    if verdict is Verdict.WEAK:
        return "Check the changes; give expect to have the effect you want judged."
    return "Observe with get_app_state; the effect was not seen. Give expect if you know what should show."


def _failure(error: TactileError) -> Failure:
    try:
        return Failure(error.code)
    except ValueError:
        return Failure.PLATFORM_LOST


def refusal(request: ActionRequest, error: TactileError) -> Receipt:
    """Return the receipt of an act that was refused or went wrong before its effect."""
    is_untouched = error.effect == "none"
    return Receipt(
        target=error.diagnosis.sought,
        status=Status.REJECTED if is_untouched else Status.OUTCOME_UNKNOWN,
        verdict=Verdict.UNVERIFIABLE,
        failure=_failure(error),
        message=error.message,
        safe_to_retry=is_untouched,
        next=error.hint,
        near_misses=error.diagnosis.near_misses,
        action=request.action.value,
    )
