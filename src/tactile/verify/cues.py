"""Cues that read the target's own state: one small question each."""

from __future__ import annotations

from collections.abc import Callable

from tactile.policy.untrusted import quote
from tactile.records import ActionRequest, Candidate, CandidateSet, CueKind, Evidence, Role, Source, State, Verdict
from tactile.verify.expect import Picture

Answer = tuple[Verdict, Evidence]
NUMBER_SLACK = 1e-6  # relative; toolkits keep doubles
PLACES_MAX = 200  # places tried for an inserted text; more only happens with texts of one repeated character
OPTION_ROLES = frozenset({Role.LIST_ITEM, Role.MENU_ITEM})
_TRUE = frozenset({"true", "on", "yes", "1", "checked"})
_FALSE = frozenset({"false", "off", "no", "0", "unchecked"})


def own_cue(
    kind: CueKind,
    request: ActionRequest,
    target: Candidate,
    after: Picture,
    text_before: str | None,
    text_after: str | None,
) -> Answer | None:
    """Answer one cue from the target's own state; None when only the rest of the screen can tell.

    Args:
        kind: Neither `RESPONDS` nor `SCROLLS`, which need the whole picture.
        request: The act.
        target: As it was just before the act.
        after: The after picture; its candidates are known.
        text_before: The target's whole text before, when it was read in full.
        text_after: The target's whole text after, when it was read back in full.
    """
    assert after.candidates is not None
    live = after.candidates.by_native(target.native)
    if live is None:
        return None  # it went away: a dialog closed, a row was replaced; what came instead decides
    if kind is CueKind.HOLDS_VALUE:
        return _holds_value(request.payload, live, text_after)
    if kind is CueKind.GAINS_TEXT:
        return _gains_text(request, target, live, text_before, text_after)
    return _STATE_CUES[kind](target, live)


def combo_cue(target: Candidate, before: CandidateSet | None, after: CandidateSet) -> Answer | None:
    """Answer for an option of a combo box by what the combo box holds; None for anything else.

    A row can be selected in an open list without being chosen: only what the combo box then holds tells.
    """
    combo = _combo_of(target, before)
    live = after.by_native(combo.native) if combo is not None else None
    if combo is None or live is None or live.value is None or not target.name:
        return None
    cue = f"combo_box {quote(combo.name, 40)} holds the option"
    is_right = live.value.strip() == target.name.strip()
    verdict = Verdict.CONFIRMED if is_right else Verdict.REFUTED
    return _answer(verdict, cue, _brief(combo.value or ""), _brief(live.value))


def _combo_of(target: Candidate, before: CandidateSet | None) -> Candidate | None:
    if before is None or target.role not in OPTION_ROLES:
        return None
    around = (before.by_native(ref) for ref in target.containers)
    return next((item for item in around if item is not None and item.role is Role.COMBO_BOX), None)


def _flag(cue: str, before: Candidate, after: Candidate, *states: State) -> tuple[bool, bool, str]:
    return (
        any(state in before.states for state in states),
        any(state in after.states for state in states),
        f"{before.role.value} {quote(before.name, 40)} {cue}",
    )


def _answer(verdict: Verdict, cue: str, before: str, after: str) -> Answer:
    supports = verdict is Verdict.CONFIRMED
    return verdict, Evidence(cue=cue, before=before, after=after, source=Source.AX, supports=supports)


def _toggles(before: Candidate, after: Candidate) -> Answer | None:
    _, _, cue = _flag("toggles", before, after, State.CHECKED, State.PRESSED)
    was, now = _checked(before), _checked(after)
    if was == now and before.role is Role.TOGGLE_BUTTON:
        return None  # some toggle buttons only open something
    return _answer(Verdict.CONFIRMED if was != now else Verdict.REFUTED, cue, was, now)


def _checked(item: Candidate) -> str:
    if State.INDETERMINATE in item.states:
        return "partly checked"
    return "checked" if {State.CHECKED, State.PRESSED} & item.states else "not checked"


def _becomes_selected(before: Candidate, after: Candidate) -> Answer | None:
    was, now, cue = _flag("becomes selected", before, after, State.SELECTED, State.CHECKED)
    words = {True: "selected", False: "not selected"}
    if now and not was:
        return _answer(Verdict.CONFIRMED, cue, words[was], words[now])
    if now:
        return _answer(Verdict.WEAK, cue, words[was], words[now])
    if before.role is Role.RADIO_BUTTON:
        return _answer(Verdict.REFUTED, cue, words[was], words[now])
    return None  # rows without a selection state still open things


def _can_open(before: Candidate, after: Candidate) -> bool:
    """Tell whether it says of itself that it is open or closed."""
    return bool({State.EXPANDABLE, State.EXPANDED, State.COLLAPSED} & (before.states | after.states))


def _becomes_focused(before: Candidate, after: Candidate) -> Answer | None:
    was, now, cue = _flag("has the focus", before, after, State.FOCUSED, State.ACTIVE)
    words = {True: "focused", False: "not focused"}
    return _answer(Verdict.CONFIRMED if now else Verdict.REFUTED, cue, words[was], words[now])


def _expands(before: Candidate, after: Candidate) -> Answer | None:
    if not _can_open(before, after):
        return None
    was, now, cue = _flag("expands", before, after, State.EXPANDED)
    words = {True: "expanded", False: "collapsed"}
    return _answer(Verdict.CONFIRMED if now else Verdict.REFUTED, cue, words[was], words[now])


def _collapses(before: Candidate, after: Candidate) -> Answer | None:
    if not _can_open(before, after):
        return None
    was, now, cue = _flag("collapses", before, after, State.EXPANDED)
    words = {True: "expanded", False: "collapsed"}
    return _answer(Verdict.REFUTED if now else Verdict.CONFIRMED, cue, words[was], words[now])


def _rises(before: Candidate, after: Candidate) -> Answer | None:
    return _moves(before, after, 1)


def _falls(before: Candidate, after: Candidate) -> Answer | None:
    return _moves(before, after, -1)


def _moves(before: Candidate, after: Candidate, sign: int) -> Answer | None:
    if before.number is None or after.number is None:
        return None
    old, new = before.number.current, after.number.current
    cue = f"{before.role.value} {quote(before.name, 40)} {'rises' if sign > 0 else 'falls'}"
    is_right = (new - old) * sign > 0
    return _answer(Verdict.CONFIRMED if is_right else Verdict.REFUTED, cue, f"{old:g}", f"{new:g}")


def _comes_into_view(before: Candidate, after: Candidate) -> Answer | None:
    cue = f"{before.role.value} {quote(before.name, 40)} is in view"
    words = {True: "in view", False: "out of view"}
    verdict = Verdict.CONFIRMED if after.is_showing else Verdict.REFUTED
    return _answer(verdict, cue, words[before.is_showing], words[after.is_showing])


_STATE_CUES: dict[CueKind, Callable[[Candidate, Candidate], Answer | None]] = {
    CueKind.TOGGLES: _toggles,
    CueKind.BECOMES_SELECTED: _becomes_selected,
    CueKind.BECOMES_FOCUSED: _becomes_focused,
    CueKind.EXPANDS: _expands,
    CueKind.COLLAPSES: _collapses,
    CueKind.VALUE_RISES: _rises,
    CueKind.VALUE_FALLS: _falls,
    CueKind.COMES_INTO_VIEW: _comes_into_view,
}


def wanted_flag(payload: str) -> bool | None:
    """Return the checked state a value asks for, or None if it asks for none."""
    word = payload.strip().casefold()
    return True if word in _TRUE else False if word in _FALSE else None


def _holds_value(payload: str, live: Candidate, text_after: str | None) -> Answer:
    cue = f"{live.role.value} {quote(live.name, 40)} holds the value"
    if live.is_secure:
        return _answer(Verdict.UNVERIFIABLE, cue, "", "not readable: a secret field")
    flag = wanted_flag(payload)
    if flag is not None and live.number is None and live.value is None and live.text_length is None:
        if State.INDETERMINATE in live.states:
            return _answer(Verdict.REFUTED, cue, "", "partly on")
        now = bool({State.CHECKED, State.PRESSED, State.SELECTED} & live.states)
        return _answer(Verdict.CONFIRMED if now is flag else Verdict.REFUTED, cue, "", "on" if now else "off")
    if live.number is not None and _is_number(payload):
        same = abs(live.number.current - float(payload)) <= NUMBER_SLACK * max(1.0, abs(float(payload)))
        return _answer(Verdict.CONFIRMED if same else Verdict.REFUTED, cue, "", f"{live.number.current:g}")
    text = text_after if text_after is not None else _whole_value(live)
    if text is None:
        return _answer(Verdict.UNVERIFIABLE, cue, "", "not readable in full")
    return _answer(Verdict.CONFIRMED if text == payload else Verdict.REFUTED, cue, "", _brief(text))


def _whole_value(item: Candidate) -> str | None:
    """Return what it holds, or None where that is not known or only its beginning is."""
    if item.value is None:
        return "" if item.text_length == 0 else None
    return item.value if item.text_length in {None, len(item.value)} else None


def _gains_text(
    request: ActionRequest, target: Candidate, live: Candidate, text_before: str | None, text_after: str | None
) -> Answer | None:
    payload = request.payload
    cue = f"{live.role.value} {quote(live.name, 40)} gains the text"
    if live.is_secure:
        return _answer(Verdict.UNVERIFIABLE, cue, "", "not readable: a secret field")
    old = text_before if text_before is not None else _whole_value(target)
    new = text_after if text_after is not None else _whole_value(live)
    if old is None or new is None or target.role is Role.TERMINAL:
        return None
    is_right = len(new) == len(old) + len(payload) and _is_inserted(old, payload, new)
    if request.submits and not new and not is_right:
        return None  # a field that empties itself when it is submitted; what came of it shows elsewhere
    return _answer(Verdict.CONFIRMED if is_right else Verdict.REFUTED, cue, _brief(old), _brief(new))


def _is_inserted(old: str, payload: str, new: str) -> bool:
    """Tell whether `new` is `old` with `payload` put in at one place."""
    place = new.find(payload)
    for _ in range(PLACES_MAX):
        if place < 0:
            return False
        if new[:place] + new[place + len(payload) :] == old:
            return True
        place = new.find(payload, place + 1)
    return False


def _brief(text: str) -> str:
    return quote(text, 60) if len(text) <= 60 else f"{quote(text, 40)} ({len(text)} characters)"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
