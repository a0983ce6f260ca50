"""Decide, just before acting, whether the live thing is still the one that was seen and can be acted on."""

from __future__ import annotations

from collections.abc import Sequence

from tactile.compile.afford import can_point, is_editable
from tactile.compile.form import CONTROL_ROLES, EDIT_ROLES, WINDOW_ROLES
from tactile.compile.resolve import describe, neighbours
from tactile.errors import Diagnosis, ResolveError
from tactile.policy.untrusted import quote
from tactile.records import Action, Candidate, CandidateSet, Failure, Geometry, Point, Role, State, Window

# What a control is called is what it does; the names of all else mirror what they hold.
NAMED_ROLES = CONTROL_ROLES - EDIT_ROLES
ROW_ROLES = frozenset({Role.LIST_ITEM, Role.TABLE_CELL, Role.TABLE_ROW, Role.TREE_ITEM})
OBSERVE_AGAIN = "Observe again with get_app_state and use a ref from it."
POINTING = frozenset({Action.CLICK, Action.DRAG, Action.SCROLL})


def identify(seen: Candidate, fresh: CandidateSet) -> Candidate:
    """Return the live candidate behind one that was shown to the caller.

    Raises:
        ResolveError: It is gone (`stale_window`, `stale_detached`) or is something else now (`stale_renamed`).
    """
    live = fresh.by_native(seen.native)
    if live is None:
        has_window = _is_window_open(seen, fresh)
        code = Failure.STALE_DETACHED if has_window else Failure.STALE_WINDOW
        what = "is no longer in its window" if has_window else f"is gone with its window {quote(seen.window_title, 60)}"
        raise _refusal(code, seen, f"{describe(seen)} {what}.", neighbours(seen, fresh))
    is_other = live.role is not seen.role
    is_renamed = live.name != seen.name and live.role in NAMED_ROLES
    # Lists reuse the object of a row that scrolled away; a row without a name is known by what it holds.
    is_renamed = is_renamed or (live.role in ROW_ROLES and not live.name and live.value != seen.value)
    if is_other or is_renamed:
        raise _refusal(
            Failure.STALE_RENAMED,
            seen,
            f"{describe(seen)} is now {describe(live)}.",
            (describe(live),),
        )
    return live


def _is_window_open(seen: Candidate, fresh: CandidateSet) -> bool:
    """Tell whether the candidate's window is still there; the window system knows best, where it was matched.

    Qt keeps a closed window's frame in its tree, hidden, so the frame alone is no proof.
    """
    if seen.window is not None:
        return any(native == seen.window for native, _ in fresh.windows)
    is_in_tree = any(item.native == seen.toplevel for item in fresh.candidates)
    return is_in_tree or (seen.toplevel == seen.native and not fresh.candidates)


def check_actionable(live: Candidate, action: Action, windows: Sequence[Window]) -> None:
    """Refuse what cannot be acted on: hidden, disabled, behind a modal dialog.

    Raises:
        ResolveError: With the code of the first reason found.
    """
    window = next((window for window in windows if window.native_id == live.window), None)
    is_restoring = window is not None and live.role in WINDOW_ROLES and action is Action.FOCUS
    if window is not None and window.is_minimised and not is_restoring:
        raise _refusal(
            Failure.STALE_HIDDEN,
            live,
            f"{describe(live)} is in the minimised window {quote(window.title, 60)}.",
            (),
            "Restore the window first: perform_secondary_action with action focus on the window's own ref.",
        )
    if live.blocked_by is not None:
        raise _refusal(
            Failure.BLOCKED_BY_MODAL,
            live,
            f"{describe(live)} is blocked by the modal dialog {quote(live.blocked_by, 60)}.",
            (),
            "Answer the dialog first; its buttons are in get_app_state.",
        )
    if not live.is_showing and action is not Action.SCROLL_INTO_VIEW and not is_restoring:
        is_clipped = live.full_extents is not None and not live.full_extents.is_empty and not can_point(live)
        code = Failure.OFF_SCREEN if is_clipped else Failure.STALE_HIDDEN
        hint = "Scroll its container until it shows, then observe again." if is_clipped else OBSERVE_AGAIN
        raise _refusal(code, live, f"{describe(live)} is not showing now.", (), hint)
    if not live.is_enabled and action in _NEEDS_ENABLED and live.role not in WINDOW_ROLES:
        raise _refusal(
            Failure.DISABLED,
            live,
            f"{describe(live)} is disabled.",
            (),
            "Something else has to enable it first; look for a required field or choice.",
        )


_NEEDS_ENABLED = frozenset(Action) - {Action.SCROLL, Action.SCROLL_INTO_VIEW, Action.OPEN_APP}


def check_editable(live: Candidate) -> None:
    """Refuse to write into what cannot be written to.

    Raises:
        ResolveError: `unsupported`, and what the thing holds instead.
    """
    if is_editable(live) or live.affordances_for(Action.SET_VALUE) or live.affordances_for(Action.TYPE):
        return
    why, hint = "it is not a field", "Choose a field that lists set_value or type."
    if live.role is Role.COMBO_BOX:
        why, hint = "its toolkit lets no one set it", "Click it, observe, then click the option."
    elif live.role in EDIT_ROLES:
        why = "it is read-only"
    raise _refusal(Failure.UNSUPPORTED, live, f"{describe(live)} cannot be written to: {why}.", (), hint)


def check_point(live: Candidate, point: Point, windows: Sequence[Window]) -> None:
    """Refuse a pixel that is not known or that belongs to another window.

    Raises:
        ResolveError: `geometry_unknown`, `off_screen` or `occluded`, naming what covers it.
    """
    if live.geometry is Geometry.UNKNOWN or live.extents is None:
        raise _refusal(
            Failure.GEOMETRY_UNKNOWN,
            live,
            f"Where {describe(live)} is on the screen is not known.",
            (),
            "Use an action that does not need a place (press, toggle, set_value, focus), if it lists one.",
        )
    if live.extents.is_empty:
        raise _refusal(
            Failure.OFF_SCREEN,
            live,
            f"{describe(live)} is out of view.",
            (),
            "Scroll it into view, then observe again.",
        )
    check_cover(live, point, windows)


def check_cover(live: Candidate, point: Point, windows: Sequence[Window]) -> None:
    """Refuse when the topmost window at a pixel is not the candidate's.

    Raises:
        ResolveError: `occluded`, naming the window on top; `geometry_unknown` when it is not known which window
            the candidate is in, for then it may lie under any.
    """
    if live.window is None:
        raise _refusal(
            Failure.GEOMETRY_UNKNOWN,
            live,
            f"Which window {describe(live)} lies in is not known.",
            (),
            "Use an action that does not need a place (press, toggle, set_value, focus), if it lists one.",
        )
    top = topmost(point, windows)
    if top is None or top.native_id != live.window:
        cover = quote(top.title or top.app_class or "untitled window", 60) if top else "nothing of its window"
        raise _refusal(
            Failure.OCCLUDED,
            live,
            f"{describe(live)} is covered at ({point.x},{point.y}) by {cover}.",
            (),
            "Move, close or go behind the covering window, then observe again.",
        )


def topmost(point: Point, windows: Sequence[Window]) -> Window | None:
    """Return the window that would receive a click at a pixel."""
    hit = [window for window in windows if not window.is_minimised and window.outer.contains(point)]
    return max(hit, key=lambda window: window.stacking, default=None)


def is_focused(item: Candidate) -> bool:
    """Tell whether it has the keyboard focus as far as its application says."""
    return State.FOCUSED in item.states


def _refusal(
    code: Failure, item: Candidate, message: str, near: tuple[str, ...], hint: str = OBSERVE_AGAIN
) -> ResolveError:
    return ResolveError(
        message,
        code=code.value,
        hint=hint,
        diagnosis=Diagnosis(sought=describe(item), near_misses=near),
    )
