"""Take one observation: windows and tree of one moment, each within its deadline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tactile.records import AccessibleTree, Observation, ReadLimits
from tactile.runtime.applications import AppEntry
from tactile.runtime.desktop import Desktop
from tactile.runtime.mirror import Mirror


async def take(
    desktop: Desktop, mirror: Mirror, entry: AppEntry, observation_id: str, limits: ReadLimits, acts: int
) -> Observation:
    """Observe one application.

    Args:
        desktop: The ports.
        mirror: What is kept of it from earlier looks.
        entry: The application.
        observation_id: Given by the session.
        limits: Of the tree read.
        acts: Begun so far in the session.

    Raises:
        AppUnresponsiveError: Its tree did not come in time.
        AppGoneError: It has left the bus.
        PlatformError: The window system does not answer.
    """
    clock = desktop.clock
    start_s = clock.now_s()
    view = await mirror.look(entry, limits, acts)
    tree = _joined(view.trees) if view.trees else None
    return Observation(
        observation_id=observation_id,
        taken_at_s=start_s,
        app_name=entry.name,
        pid=entry.pid,
        windows=view.windows,
        screen=view.screen,
        tree=tree,
        notes=desktop.notes + (() if tree is not None else (_without_tree(entry, observation_id),)),
        timings_s=(("observe", clock.now_s() - start_s), ("tree", tree.elapsed_s if tree else 0.0)),
    )


def _without_tree(entry: AppEntry, observation_id: str) -> str:
    return f"no accessibility: {entry.why}; click and drag take points of it, such as {observation_id}@X,Y"


def _joined(trees: Sequence[AccessibleTree]) -> AccessibleTree:
    """Make one tree of the several roots that one process may own."""
    if len(trees) == 1:
        return trees[0]
    fullest = max(trees, key=lambda tree: len(tree.accessibles))
    rest = [tree for tree in trees if tree is not fullest]
    return replace(
        fullest,
        accessibles=fullest.accessibles + tuple(item for tree in rest for item in tree.accessibles),
        is_complete=all(tree.is_complete for tree in trees),
        gaps=tuple(dict.fromkeys(gap for tree in trees for gap in tree.gaps)),
        cuts=tuple(cut for tree in trees for cut in tree.cuts),
        calls=sum(tree.calls for tree in trees),
    )
