"""The straight line of the compiler: place, form, block, afford, rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tactile.compile.afford import afford
from tactile.compile.cover import cover
from tactile.compile.exposure import exposure_notes
from tactile.compile.form import form
from tactile.compile.modal import modal_of
from tactile.compile.place import place
from tactile.compile.rank import rank
from tactile.records import (
    AccessibleTree,
    CandidateSet,
    Completeness,
    Observation,
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
    candidates = cover(form(observation, place(observation)), observation.windows)
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
        notes=observation.notes + exposure_notes(observation) + _partial(tree) + _minimised(own),
    )


def _partial(tree: AccessibleTree | None) -> tuple[str, ...]:
    """Say why a tree is partial and what to do; nothing about a complete one."""
    if tree is None or tree.is_complete or not tree.gaps:
        return ()
    return (f"partial: reading stopped at {' and '.join(tree.gaps)}; what is missing here may be there: look again",)


def _minimised(own: Sequence[Window]) -> tuple[str, ...]:
    """Say that nothing shows because every window is minimised, and what to do."""
    managed = [window for window in own if not window.is_popup]
    if not managed or not all(window.is_minimised for window in managed):
        return ()
    return ("minimised: nothing of it shows; restore a window with action focus on its window ref",)


def _is_own(window: Window, observation: Observation) -> bool:
    return window.pid is not None and window.pid == observation.pid
