"""Take one observation: windows and tree, side by side, each within its deadline."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tactile.records import AccessibleTree, NativeRef, Observation, ReadLimits
from tactile.runtime.applications import AppEntry
from tactile.runtime.desktop import Desktop


async def take(
    desktop: Desktop, entry: AppEntry, observation_id: str, limits: ReadLimits, only: NativeRef | None = None
) -> Observation:
    """Observe one application.

    Args:
        desktop: The ports.
        entry: The application.
        observation_id: Given by the session.
        limits: Of the tree read.
        only: Keep just this toplevel.

    Raises:
        AppUnresponsiveError: Its tree did not come in time.
        AppGoneError: It has left the bus.
        PlatformError: The window system does not answer.
    """
    clock = desktop.clock
    start_s = clock.now_s()
    windows, screen, tree = await asyncio.gather(
        desktop.screen.windows(), desktop.screen.screen(), _tree(desktop, entry, limits)
    )
    if tree is not None and only is not None:
        tree = replace(tree, accessibles=tuple(item for item in tree.accessibles if item.toplevel == only))
    return Observation(
        observation_id=observation_id,
        taken_at_s=start_s,
        app_name=entry.name,
        pid=entry.pid,
        windows=windows,
        screen=screen,
        tree=tree,
        notes=desktop.notes + (() if tree is not None else (_without_tree(entry, observation_id),)),
        timings_s=(("observe", clock.now_s() - start_s), ("tree", tree.elapsed_s if tree else 0.0)),
    )


def _without_tree(entry: AppEntry, observation_id: str) -> str:
    return f"no accessibility: {entry.why}; click and drag take points of it, such as {observation_id}@X,Y"


async def _tree(desktop: Desktop, entry: AppEntry, limits: ReadLimits) -> AccessibleTree | None:
    if desktop.accessibility is None or not entry.roots:
        return None
    port = desktop.accessibility
    trees = await asyncio.gather(*(port.read_tree(root.root, limits) for root in entry.roots))
    return _joined(trees)


def _joined(trees: list[AccessibleTree]) -> AccessibleTree:
    """Make one tree of the several roots that one process may own."""
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
