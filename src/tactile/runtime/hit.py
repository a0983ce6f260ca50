"""Ask the application what a click would hit, where its toolkit can be believed."""

from __future__ import annotations

from collections.abc import Mapping

from tactile.errors import Diagnosis, ResolveError
from tactile.policy.untrusted import quote
from tactile.records import Accessible, AccessibleTree, Candidate, Failure, NativeRef
from tactile.runtime.ground import Aim
from tactile.runtime.scene import Scene

DEPTH_MAX = 100  # ancestors looked at; a broken application may name a descendant as its parent


async def check_hit(scene: Scene, aim: Aim) -> None:
    """Refuse an act on something that another thing of the same window covers: a banner over a button.

    Only where the toolkit's hit test sees covers; the others name the covered thing itself.

    Raises:
        ResolveError: `occluded`, naming what is in the way; nothing was done.
        PlatformError: The application does not answer.
    """
    tree, port = aim.before.observation.tree, scene.desktop.accessibility
    if tree is None or not tree.is_hit_test_exact or port is None or aim.live is None or aim.point is None:
        return
    found = await port.at_point(tree.application.root, aim.point)
    cover = _cover(tree, aim.live, found)
    if cover is not None:
        what, by = (f"{one.role.value} {quote(one.name, 60)}" for one in (aim.live, cover))
        raise ResolveError(
            f"{what} is covered by {by}.",
            code=Failure.OCCLUDED.value,
            hint="Close or move what covers it, or act on that; then try again.",
            diagnosis=Diagnosis(sought=aim.live.label),
        )


def _cover(tree: AccessibleTree, target: Candidate, found: NativeRef | None) -> Accessible | None:
    """Return what lies over the target; None when it is the target, part of it, around it, or not in the tree."""
    by_ref = {item.ref: item for item in tree.accessibles}
    hit = by_ref.get(found) if found is not None else None
    if hit is None or hit.ref == target.native or hit.ref in target.containers:
        return None
    return None if _is_below(hit, target.native, by_ref) else hit


def _is_below(item: Accessible, above: NativeRef, by_ref: Mapping[NativeRef, Accessible]) -> bool:
    parent = item.parent
    for _ in range(DEPTH_MAX):
        if parent is None:
            return False
        if parent == above:
            return True
        parent = by_ref[parent].parent if parent in by_ref else None
    return False
