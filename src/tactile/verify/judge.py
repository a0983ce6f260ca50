"""Compare before and after and say how sure it is that the act had its effect."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tactile.compile.afford import CELL_ROLES, CHOICE_ROLES, TOGGLE_ROLES
from tactile.compile.form import EDIT_ROLES, WINDOW_ROLES
from tactile.policy.untrusted import quote
from tactile.records import (
    Action,
    ActionRequest,
    Candidate,
    CueKind,
    Evidence,
    Failure,
    NativeRef,
    Role,
    Source,
    Verdict,
    Window,
)
from tactile.verify.cues import combo_cue, own_cue
from tactile.verify.differ import Difference, differences, is_control, is_of, own_windows, window_differences
from tactile.verify.expect import Picture, holds, shown_value
from tactile.verify.judgement import EVIDENCE_MAX, Judgement
from tactile.verify.scrolled import judge_scroll


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All that judging one act needs.

    Attributes:
        target: The candidate acted on as it was just before; None for keys to the focused thing.
        text_after: Full text of the target after the act, when it was read back in full.
        restless: Things that were already changing before the act.
        natives: Platform objects behind the refs that expectations name.
        are_windows_restless: Windows of the application opened or closed by themselves before the act.
        are_controls_restless: Controls of the application came or went by themselves before the act.
        pid: Of the application.
    """

    request: ActionRequest
    target: Candidate | None
    before: Picture
    after: Picture
    text_before: str | None = None
    text_after: str | None = None
    restless: frozenset[NativeRef] = frozenset()
    natives: Mapping[str, NativeRef] | None = None
    are_windows_restless: bool = False
    are_controls_restless: bool = False
    pid: int | None = None


def judge(case: Case) -> Judgement:
    """Return the verdict on one act.

    An expectation replaces the candidate's own cue. A cue that reads the target's own state decides; a change
    elsewhere is only weak evidence, unless a window or dialog opened or closed or controls came or went.
    """
    code = case.after.exit_code
    if code is None:
        return _judged(case)
    if code < 0:
        return _judge_killed(code)
    found = _judged(case)
    return replace(found, evidence=(*found.evidence[: EVIDENCE_MAX - 1], _end_evidence(code)))


def _judged(case: Case) -> Judgement:
    if case.request.expectation:
        return _judge_expectation(case)
    if case.after.candidates is None:
        return _judge_unreadable(case)
    cue = cue_for(case.request, case.target)
    if cue is CueKind.SCROLLS and case.before.candidates is not None:
        return judge_scroll(case.before.candidates, case.after.candidates, case.request.direction, case.restless)
    chosen = _judge_choice(case)
    if chosen is not None:
        return chosen
    if cue is not CueKind.RESPONDS and case.target is not None:
        verdict = own_cue(cue, case.request, case.target, case.after, case.text_before, case.text_after)
        if verdict is not None:
            return _with_failure(case, *verdict)
    return _judge_response(case)


def cue_for(request: ActionRequest, target: Candidate | None) -> CueKind:
    """Return what will show that this act on this candidate worked."""
    fixed = _CUE_OF_ACTION.get(request.action)
    if fixed is not None or target is None:
        return fixed or CueKind.RESPONDS
    if request.action in _CHOOSING:
        if request.button != "left" or request.count > 1:
            return CueKind.RESPONDS
        return _CUE_OF_CLICK.get(target.role, CueKind.RESPONDS)
    return CueKind.RESPONDS


_CUE_OF_ACTION = {
    Action.SET_VALUE: CueKind.HOLDS_VALUE,
    Action.TYPE: CueKind.GAINS_TEXT,
    Action.FOCUS: CueKind.BECOMES_FOCUSED,
    Action.EXPAND: CueKind.EXPANDS,
    Action.COLLAPSE: CueKind.COLLAPSES,
    Action.INCREMENT: CueKind.VALUE_RISES,
    Action.DECREMENT: CueKind.VALUE_FALLS,
    Action.SCROLL: CueKind.SCROLLS,
    Action.SCROLL_INTO_VIEW: CueKind.COMES_INTO_VIEW,
}
_CUE_OF_CLICK = {
    **dict.fromkeys(TOGGLE_ROLES, CueKind.TOGGLES),
    **dict.fromkeys(CHOICE_ROLES | CELL_ROLES, CueKind.BECOMES_SELECTED),
    **dict.fromkeys(EDIT_ROLES - {Role.COMBO_BOX, Role.TERMINAL}, CueKind.BECOMES_FOCUSED),
}
_CHOOSING = frozenset({Action.CLICK, Action.PRESS, Action.TOGGLE, Action.SELECT})
_STATE_SETTING = frozenset({Action.SET_VALUE, Action.FOCUS, Action.EXPAND, Action.COLLAPSE, Action.SCROLL_INTO_VIEW})


def _judge_expectation(case: Case) -> Judgement:
    natives = case.natives or {}
    evidence: list[Evidence] = []
    is_new = False
    for clause in case.request.expectation:
        old, new = holds(clause, case.before, natives), holds(clause, case.after, natives)
        is_new = is_new or (new.holds and not old.holds)
        source = {"file": Source.FILE, "window": Source.X11, "app": Source.X11}.get(clause.subject, Source.AX)
        evidence.append(Evidence(cue=clause.source, before=old.seen, after=new.seen, source=source, supports=new.holds))
    if all(item.supports for item in evidence):
        if is_new or _is_state_set(case):
            return Judgement(verdict=Verdict.CONFIRMED, evidence=tuple(evidence))
        return Judgement(
            verdict=Verdict.WEAK,
            evidence=tuple(evidence),
            message="What was expected holds, but it held before the act as well.",
        )
    if case.after.candidates is None:
        return replace(_unread(case), evidence=tuple(evidence))
    failed = "; ".join(f"{item.cue}: {item.after}" for item in evidence if not item.supports)
    return Judgement(
        verdict=Verdict.REFUTED,
        evidence=tuple(evidence),
        failure=Failure.WRONG_EFFECT if _telling(case) else Failure.NO_EFFECT,
        message=f"Not as expected: {failed}.",
    )


def _is_state_set(case: Case) -> bool:
    """Tell whether an act that asks for a state left its target in it: an expectation that held before is then met."""
    if case.request.action not in _STATE_SETTING or case.target is None or case.after.candidates is None:
        return False
    cue = cue_for(case.request, case.target)
    answer = own_cue(cue, case.request, case.target, case.after, case.text_before, case.text_after)
    return answer is not None and answer[0] is Verdict.CONFIRMED


def _judge_unreadable(case: Case) -> Judgement:
    """Judge by windows alone when the application cannot be read after the act."""
    opened, closed = window_differences(case.before.windows, case.after.windows)
    target_window = case.target.window if case.target else None
    has_ended = case.after.exit_code is not None
    own = own_windows(case.before.windows, case.pid) if has_ended else frozenset()
    gone = [window for window in closed if window.native_id == target_window or window.native_id in own]
    if gone and case.request.action in {Action.CLICK, Action.PRESS, Action.PRESS_KEY, Action.SELECT}:
        is_sure = has_ended or not case.are_windows_restless
        return Judgement(
            verdict=Verdict.CONFIRMED if is_sure else Verdict.WEAK,
            evidence=(_window_evidence(gone[0].title, is_open=False),),
            message="" if is_sure else "Windows of this application close by themselves, too.",
        )
    evidence = tuple(_window_evidence(window.title, is_open=True) for window in opened[:EVIDENCE_MAX])
    return replace(_unread(case), evidence=evidence)


def _unread(case: Case) -> Judgement:
    """Say why nothing is known of the application after the act."""
    has_ended = case.after.exit_code is not None
    failure = Failure.APP_GONE if has_ended or "gone" in case.after.failure else Failure.APP_UNRESPONSIVE
    if case.before.candidates is None and not has_ended:
        failure = Failure.UNVERIFIED  # it could not be read before either
    return Judgement(
        verdict=Verdict.UNVERIFIABLE,
        failure=failure,
        message=f"The application could not be read after the act: {case.after.failure}.",
    )


def _judge_killed(code: int) -> Judgement:
    """Judge an act after which a signal ended the application: windows that close then are no effect of the act."""
    evidence = _end_evidence(code)
    return Judgement(
        verdict=Verdict.UNVERIFIABLE,
        evidence=(replace(evidence, supports=False),),
        failure=Failure.APP_GONE,
        message=f"After the act the application was {evidence.after}: it crashed or was killed.",
    )


def _end_evidence(code: int) -> Evidence:
    how = f"exit code {code}"
    if code < 0:
        known = {item.value: item.name for item in signal.Signals}
        how = f"ended by signal {-code} {known.get(-code, '')}".rstrip()
    return Evidence(cue="the application's process ends", before="running", after=how, source=Source.X11, supports=True)


def _window_evidence(title: str, *, is_open: bool) -> Evidence:
    return Evidence(
        cue=f"window {quote(title, 60)} {'opens' if is_open else 'closes'}",
        before="absent" if is_open else "open",
        after="open" if is_open else "gone",
        source=Source.X11,
        supports=True,
    )


def _with_failure(case: Case, verdict: Verdict, evidence: Evidence) -> Judgement:
    if verdict is Verdict.CONFIRMED:
        return Judgement(verdict=verdict, evidence=(evidence,))
    if verdict is Verdict.REFUTED:
        failure = Failure.WRONG_EFFECT if _telling(case) else Failure.NO_EFFECT
        if case.request.action is Action.TYPE and evidence.before != evidence.after:
            failure = Failure.PARTIAL_INPUT
        return Judgement(
            verdict=verdict,
            evidence=(evidence,),
            failure=failure,
            message=f"{evidence.cue}: expected, but it is {evidence.after}.",
        )
    return Judgement(verdict=verdict, evidence=(evidence,), failure=Failure.UNVERIFIED)


def _judge_choice(case: Case) -> Judgement | None:
    """Judge the choice of an option by the combo box that it lies in; None for anything else."""
    if case.target is None or case.after.candidates is None or not _is_choice(case.request):
        return None
    answer = combo_cue(case.target, case.before.candidates, case.after.candidates)
    if answer is None or answer[0] is Verdict.CONFIRMED:
        return answer and Judgement(verdict=Verdict.CONFIRMED, evidence=(answer[1],))
    verdict, evidence = answer
    return Judgement(
        verdict=verdict,
        evidence=(evidence,),
        failure=Failure.NO_EFFECT if evidence.before == evidence.after else Failure.WRONG_EFFECT,
        message=f"{evidence.cue}: expected, but it is {evidence.after}.",
    )


def _is_choice(request: ActionRequest) -> bool:
    return request.action in _CHOOSING and request.button == "left" and request.count == 1


def _judge_response(case: Case) -> Judgement:
    """Judge acts whose effect may be anywhere: windows first, then structure, then text."""
    opened, closed = window_differences(case.before.windows, case.after.windows)
    windows = [(window, True) for window in opened] + [(window, False) for window in closed]
    evidence = [_window_evidence(window.title, is_open=is_open) for window, is_open in windows if _proves(window, case)]
    others = [_window_evidence(window.title, is_open=is_open) for window, is_open in windows]
    telling = _telling(case)
    structural = [one for one in telling if _is_structural(one, case)]
    echoes = [one for one in telling if _is_echo(one, case)]
    evidence += [_difference_evidence(one) for one in [*structural, *echoes]]
    if evidence:
        return Judgement(verdict=Verdict.CONFIRMED, evidence=tuple(evidence[:EVIDENCE_MAX]))
    if telling or others:
        weak = [*others, *(_difference_evidence(one) for one in telling)]
        return Judgement(
            verdict=Verdict.WEAK,
            evidence=tuple(weak[:EVIDENCE_MAX]),
            message="Something changed elsewhere; that it is the effect of this act is likely, not proven.",
        )
    return Judgement(
        verdict=Verdict.UNVERIFIABLE,
        failure=Failure.NO_EFFECT,
        message="Nothing that can be read changed after the act.",
    )


def _telling(case: Case) -> tuple[Difference, ...]:
    """Return the differences that are neither focus nor things that move by themselves."""
    if case.before.candidates is None or case.after.candidates is None:
        return ()
    found = differences(case.before.candidates, case.after.candidates)
    return tuple(one for one in found if not one.is_focus_only and one.candidate.native not in case.restless)


def _proves(window: Window, case: Case) -> bool:
    """Tell whether a window that opened or closed is the act's doing: the application's own, and no popup.

    A tooltip is a popup that opens under a pointer whatever the control does, and a menu closes when any of its items
    is chosen; a popup that matters brings or takes away controls, which are judged by themselves.
    """
    candidates = case.before.candidates or case.after.candidates
    if window.is_popup or candidates is None or case.are_windows_restless:
        return False
    return is_of(window, own_windows((*case.before.windows, *case.after.windows), candidates.pid))


def _is_structural(one: Difference, case: Case) -> bool:
    target = case.target
    if target is not None and one.candidate.native == target.native:
        return one.sign != "-"
    if one.sign == "~" or (one.sign == "-" and target is not None and _closes_with(one.candidate, target, case)):
        return False
    if case.are_controls_restless or (case.are_windows_restless and _comes_with_window(one.candidate, case)):
        return False
    looked = case.after.candidates if one.sign == "-" else case.before.candidates
    if looked is None or not looked.is_complete:
        return False  # where reading stopped early, what was not seen may have been there
    return is_control(one.candidate)


def _comes_with_window(item: Candidate, case: Case) -> bool:
    """Tell whether it is a window, or came or went with the one it is in."""
    opened, closed = window_differences(case.before.windows, case.after.windows)
    return item.role in WINDOW_ROLES or item.window in {window.native_id for window in (*opened, *closed)}


def _closes_with(item: Candidate, target: Candidate, case: Case) -> bool:
    """Tell whether it went only because choosing the target closes the menu or list that both are in."""
    if item.native == target.parent or (target.role in _MENU_ITEM_ROLES and item.parent == target.parent):
        return target.role in _MENU_ITEM_ROLES | {Role.LIST_ITEM}
    popups = {window.native_id for window in case.before.windows if window.is_popup}
    return item.window is not None and item.window == target.window and item.window in popups


_MENU_ITEM_ROLES = frozenset({Role.MENU_ITEM, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM})


def _is_echo(one: Difference, case: Case) -> bool:
    """Tell whether a text elsewhere grew by the target's own name: a key of a calculator, a palette of words."""
    if case.target is None or not one.is_text_only or not case.target.name or case.before.candidates is None:
        return False
    old = case.before.candidates.by_native(one.candidate.native)
    if old is None or one.candidate.is_secure:
        return False
    return shown_value(one.candidate).count(case.target.name) > shown_value(old).count(case.target.name)


def _difference_evidence(one: Difference) -> Evidence:
    label = f"{one.candidate.role.value} {quote(one.candidate.name, 40)}"
    cues = {"+": f"{label} appears", "-": f"{label} goes", "~": f"{label} changes"}
    before, after = {"+": ("absent", "showing"), "-": ("showing", "absent")}.get(one.sign, ("", one.detail))
    return Evidence(cue=cues[one.sign], before=before, after=after, source=Source.AX, supports=True)
