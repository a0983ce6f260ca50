"""Answer at once when the state asked for is there already: nothing needs to be done."""

from __future__ import annotations

from tactile.compile.resolve import describe
from tactile.policy.untrusted import quote
from tactile.records import Action, ActionRequest, Candidate, Evidence, Receipt, Source, State, Status, Verdict
from tactile.verify.cues import wanted_flag
from tactile.verify.payload import FLAG_ROLES


def already_so(request: ActionRequest, live: Candidate | None) -> Receipt | None:
    """Return a confirmed receipt without an effect, or None when there is something to do."""
    if live is None or request.expectation:
        return None
    if request.action is Action.SET_VALUE:
        flag = wanted_flag(request.payload)
        if live.role in FLAG_ROLES and flag is not None:
            if State.INDETERMINATE in live.states:
                return None  # neither on nor off
            now = bool({State.CHECKED, State.PRESSED} & live.states)
            return _receipt(live, "on" if now else "off") if now is flag else None
        if _holds(live, request.payload):
            return _receipt(live, quote(request.payload, 60))
    if request.action is Action.EXPAND and State.EXPANDED in live.states:
        return _receipt(live, "expanded")
    if request.action is Action.COLLAPSE and State.EXPANDABLE in live.states and State.EXPANDED not in live.states:
        return _receipt(live, "collapsed")
    return None


def _holds(live: Candidate, payload: str) -> bool:
    if live.is_secure or live.value is None or live.number is not None:
        return False
    is_whole = live.text_length is None or live.text_length == len(live.value)
    return is_whole and live.value == payload


def _receipt(live: Candidate, value: str) -> Receipt:
    evidence = Evidence(
        cue=f"{describe(live)} is so already", before=value, after=value, source=Source.AX, supports=True
    )
    return Receipt(
        target=describe(live),
        status=Status.EXECUTED,
        verdict=Verdict.CONFIRMED,
        primitive="none",
        evidence=(evidence,),
        message="It was so already; nothing was done.",
        safe_to_retry=True,
    )
