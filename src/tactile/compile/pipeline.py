"""The straight line of the compiler: place, form, block, afford, rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tactile.compile.afford import afford
from tactile.compile.form import form
from tactile.compile.place import match_windows, place
from tactile.compile.rank import rank
from tactile.records import (
    Accessible,
    AccessibleTree,
    CandidateSet,
    Completeness,
    NativeRef,
    Observation,
    Role,
    State,
    Window,
)


def compile_observation(observation: Observation, *, query: str | None = None) -> CandidateSet:
    """Turn one observation into its ranked candidates.

    Args:
        observation: One application at one moment.
        query: Words that lift matching candidates to the top.

    Returns:
        Every candidate, best first; without refs, which the session gives.
    """
    tree = observation.tree
    own = tuple(window for window in observation.windows if _is_own(window, observation))
    accessibles = {item.ref: item for item in tree.accessibles} if tree else {}
    candidates = form(observation, place(observation))
    modal, blocked = modal_of(observation, own)
    candidates = tuple(replace(item, blocked_by=modal) if item.toplevel in blocked else item for item in candidates)
    candidates = rank(afford(candidates, accessibles, observation.input_name), own, query)
    return CandidateSet(
        observation_id=observation.observation_id,
        app_name=observation.app_name,
        pid=observation.pid,
        candidates=candidates,
        completeness=Completeness(
            showing=sum(item.is_showing for item in candidates), shown=0, in_tree=len(accessibles)
        ),
        windows=tuple((window.native_id, window.title) for window in reversed(own) if not window.is_popup),
        active_window=next((window.native_id for window in own if window.is_active), None),
        modal=modal,
        is_complete=tree.is_complete if tree else True,
        notes=observation.notes + _partial(tree),
    )


def _partial(tree: AccessibleTree | None) -> tuple[str, ...]:
    """Say why a tree is partial and what to do; nothing about a complete one."""
    if tree is None or tree.is_complete or not tree.gaps:
        return ()
    return (f"partial: reading stopped at {' and '.join(tree.gaps)}; what is missing here may be there: look again",)


def _is_own(window: Window, observation: Observation) -> bool:
    return window.pid is not None and window.pid == observation.pid


def modal_of(observation: Observation, own: Sequence[Window]) -> tuple[str | None, frozenset[NativeRef]]:
    """Find the modal dialog in front and the toplevels that it blocks.

    Returns:
        Its title (None without one) and the native refs of blocked toplevels.

    Source:
        Accessibility actions reach behind modal dialogs, and the tree shows the blocked window as normal
        (Qt 5.15 and GTK3, measured), so the window system's modal flag and MODAL state are both asked.
    """
    tree = observation.tree
    if tree is None:
        return None, frozenset()
    toplevels = [item for item in tree.accessibles if item.parent is None]
    pairs = match_windows(toplevels, own)
    modals = [
        (window.stacking if window else len(own), item, window)
        for item, window in pairs
        if (window is not None and window.is_modal and not window.is_minimised)
        or (State.MODAL in item.states and State.SHOWING in item.states)
    ]
    if not modals:
        return None, frozenset()
    _, top, top_window = max(modals, key=lambda entry: entry[0])
    spared = {top.ref} | {item.ref for item, window in pairs if _is_above(item, window, top_window)}
    return top.name or "dialog", frozenset(item.ref for item, _ in pairs if item.ref not in spared)


def _is_above(item: Accessible, window: Window | None, modal: Window | None) -> bool:
    """Tell whether a toplevel belongs to the modal one (its own child dialog or popup)."""
    if window is None:  # menus and popovers have no window of their own; a frame without one may well lie behind
        return item.role not in {Role.FRAME, Role.DIALOG, Role.ALERT, Role.FILE_CHOOSER}
    return window.is_popup or (modal is not None and window.transient_for == modal.native_id)
