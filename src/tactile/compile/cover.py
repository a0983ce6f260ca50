"""Say which candidates other windows cover, and where the rest of a half-covered one can be hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tactile.compile.form import CONTAINER_ROLES, WINDOW_ROLES
from tactile.records import Candidate, Extents, Window

SIDE_MIN = 3  # px; a narrower strip beside a cover is no place to aim at
HOLDING_ROLES = WINDOW_ROLES | CONTAINER_ROLES  # nobody aims at their middle


def cover(candidates: Sequence[Candidate], windows: Sequence[Window]) -> tuple[Candidate, ...]:
    """Mark what cannot be reached because another window lies over it.

    A window that is not active will be raised before anything in it is acted on, so only what stays above it counts:
    popups, docks, windows that are kept above, and its own dialogs.

    Args:
        candidates: With extents and windows.
        windows: Of the whole desktop, lowest first.

    Returns:
        The same candidates in the same order. One whose middle is covered gets its largest free part as extents; one
        that is wholly covered keeps them and names the cover.

    Units:
        Physical px.
    """
    used = {item.window for item in candidates}
    above = {window.native_id: _above(window, windows) for window in windows if window.native_id in used}
    return tuple(_covered(item, above) for item in candidates)


def _above(window: Window, windows: Sequence[Window]) -> tuple[Window, ...]:
    return tuple(
        other
        for other in windows
        if other.stacking > window.stacking
        and not other.is_minimised
        and (window.is_active or window.is_popup or _stays_above(other, window))
    )


def _stays_above(other: Window, window: Window) -> bool:
    return other.is_popup or other.is_above or other.transient_for == window.native_id


def _covered(item: Candidate, above: Mapping[int, Sequence[Window]]) -> Candidate:
    place = item.extents
    if item.window is None or place is None or place.is_empty or item.role in HOLDING_ROLES:
        return item
    over = [window for window in above.get(item.window, ()) if not window.outer.intersect(place).is_empty]
    if not any(window.outer.contains(place.center) for window in over):
        return item
    free = uncovered(place, [window.outer for window in over])
    if free is not None:
        return replace(item, extents=free)
    top = next(window for window in reversed(over) if window.outer.contains(place.center))
    return replace(item, covered_by=top.title or top.app_class or "untitled window")


def uncovered(place: Extents, covers: Sequence[Extents]) -> Extents | None:
    """Return the largest rectangle of `place` beside all covers; None when there is none worth aiming at."""
    pieces = [place]
    for one in covers:
        pieces = [part for piece in pieces for part in _beside(piece, one)]
    pieces = [piece for piece in pieces if min(piece.width, piece.height) >= SIDE_MIN]
    return max(pieces, key=lambda piece: piece.width * piece.height, default=None)


def _beside(piece: Extents, one: Extents) -> tuple[Extents, ...]:
    """Return what is left, right, above and below of a cover; the strips overlap in the corners."""
    common = piece.intersect(one)
    if common.is_empty:
        return (piece,)
    right, bottom = common.x + common.width, common.y + common.height
    strips = (
        replace(piece, width=common.x - piece.x),
        replace(piece, x=right, width=piece.x + piece.width - right),
        replace(piece, height=common.y - piece.y),
        replace(piece, y=bottom, height=piece.y + piece.height - bottom),
    )
    return tuple(strip for strip in strips if not strip.is_empty)
