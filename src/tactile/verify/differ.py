"""Compare two candidate sets: what appeared, went, and changed."""

from __future__ import annotations

from dataclasses import dataclass

from tactile.compile.form import WINDOW_ROLES
from tactile.policy.untrusted import quote
from tactile.records import Candidate, CandidateSet, NativeRef, Role, State, Window

# States whose change is an effect; focus and activation move with every click and prove nothing.
TELLING_STATES = (
    State.CHECKED,
    State.PRESSED,
    State.SELECTED,
    State.EXPANDED,
    State.INDETERMINATE,
    State.EDITABLE,
    State.BUSY,
)
_SAYS_ONLY = frozenset({Role.LABEL, Role.IMAGE, Role.TOOL_TIP})  # they tell something and are used for nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that differs: sign is +, - or ~."""

    sign: str
    candidate: Candidate
    detail: str = ""
    is_text_only: bool = False
    is_focus_only: bool = False


def differences(before: CandidateSet, after: CandidateSet) -> tuple[Difference, ...]:
    """Return what differs among things that are showing, in tree order, additions first."""
    old = {item.native: item for item in before.candidates if item.is_showing}
    new = {item.native: item for item in after.candidates if item.is_showing}
    added = [Difference(sign="+", candidate=item) for key, item in new.items() if key not in old]
    gone = [Difference(sign="-", candidate=item) for key, item in old.items() if key not in new]
    changed = [found for key, item in new.items() if key in old and (found := _changed(old[key], item)) is not None]
    order = {"+": 0, "-": 1, "~": 2}
    return tuple(sorted([*added, *gone, *changed], key=lambda one: (order[one.sign], one.candidate.order)))


def _changed(old: Candidate, new: Candidate) -> Difference | None:
    details: list[str] = []
    if old.name != new.name:
        details.append(f"{quote(old.name, 40)} → {quote(new.name, 40)}")
    if old.value != new.value and not (old.is_secure or new.is_secure):
        details.append(f"={quote(old.value or '', 40)} → ={quote(new.value or '', 40)}")
    is_text_only = bool(details)
    flags = [
        ("" if state in new.states else "not ") + state.value
        for state in TELLING_STATES
        if (state in old.states) is not (state in new.states)
    ]
    if old.is_enabled is not new.is_enabled:
        flags.append("enabled" if new.is_enabled else "disabled")
    if flags:
        is_text_only = False
    is_focus_only = not details and not flags
    if (State.FOCUSED in old.states) is not (State.FOCUSED in new.states):
        flags.append("focused" if State.FOCUSED in new.states else "not focused")
    if not details and not flags:
        return None
    return Difference(
        sign="~",
        candidate=new,
        detail=", ".join([*details, *flags]),
        is_text_only=is_text_only,
        is_focus_only=is_focus_only,
    )


def window_differences(
    before: tuple[Window, ...], after: tuple[Window, ...]
) -> tuple[tuple[Window, ...], tuple[Window, ...]]:
    """Return the windows that opened and those that closed; tooltips and other popups count too."""
    old = {window.native_id: window for window in before}
    new = {window.native_id: window for window in after}
    opened = tuple(window for key, window in new.items() if key not in old)
    closed = tuple(window for key, window in old.items() if key not in new)
    return opened, closed


def restless(last_seen: CandidateSet | None, before: CandidateSet) -> frozenset[NativeRef]:
    """Return what changed between two observations with no act between: clocks, progress, animations."""
    if last_seen is None:
        return frozenset()
    return frozenset(
        one.candidate.native
        for one in differences(last_seen, before)
        if not one.is_focus_only and one.candidate.role not in WINDOW_ROLES
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unrest:
    """What an application does by itself, as far as it was seen.

    Attributes:
        things: That changed or went.
        are_windows_restless: Its windows opened or closed.
        are_controls_restless: Controls of it came or went.
    """

    things: frozenset[NativeRef] = frozenset()
    are_windows_restless: bool = False
    are_controls_restless: bool = False


def unrest(
    last: CandidateSet, before: CandidateSet, last_windows: tuple[Window, ...], windows: tuple[Window, ...]
) -> Unrest:
    """Return what an application did between two looks with no act between.

    A thing that came is not held against its later changes: it may be the late effect of an earlier act, such as a
    dialog that is used next.
    """
    found = [one for one in differences(last, before) if not one.is_focus_only]
    are_all_seen = last.is_complete and before.is_complete
    moved = [one for one in found if one.sign == "~" or (one.sign == "-" and are_all_seen)]
    passing = [one for one in found if one.sign != "~" and are_all_seen and is_control(one.candidate)]
    opened, closed = window_differences(last_windows, windows)
    own = own_windows((*last_windows, *windows), before.pid)
    return Unrest(
        things=frozenset(one.candidate.native for one in moved if one.candidate.role not in WINDOW_ROLES),
        are_windows_restless=any(is_of(window, own) and not window.is_popup for window in (*opened, *closed)),
        are_controls_restless=any(one.candidate.role not in WINDOW_ROLES for one in passing),
    )


def own_windows(windows: tuple[Window, ...], pid: int | None) -> frozenset[int]:
    """Return the ids of the windows of one process."""
    return frozenset(window.native_id for window in windows if pid is not None and window.pid == pid)


def is_of(window: Window, own: frozenset[int]) -> bool:
    """Tell whether a window is one of these or belongs to one of them."""
    return window.native_id in own or window.transient_for in own


def is_control(item: Candidate) -> bool:
    """Tell whether it can be used, so that its coming or going matters."""
    return bool(item.affordances) and item.role not in _SAYS_ONLY
