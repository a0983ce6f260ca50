"""Find which popup window draws which GTK 4 popover, and so where what lies in it really is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tactile.compile.scale import scaled
from tactile.records import Accessible, Extents, NativeRef, Window

MARGIN_MAX = 8  # toolkit px that a popover's margin leaves between it and its window; a drop-down's is 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Popover:
    """A popover and its window.

    Attributes:
        dx: Device px from the scaled place in the toplevel's coordinates to the screen.
        dy: Likewise.
    """

    window: Window
    dx: int
    dy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    item: Accessible
    popover: Popover
    missing: int


def popovers(
    items: Sequence[Accessible],
    windows: Sequence[Window],
    scale: float,
    origin: tuple[int, int],
) -> Mapping[NativeRef, Popover]:
    """Pair popup windows with the popovers of one toplevel whose extents count from the toplevel.

    Args:
        items: What lies in the toplevel.
        windows: The application's popup windows.
        scale: Device px per toolkit px.
        origin: Where the toolkit's (0, 0) of the toplevel is on the screen.

    Returns:
        Only sure pairs: no window that fits two popovers equally well, no popover that fits two windows.
    """
    by_ref = {item.ref: item for item in items}
    fits = [fit for window in windows if (fit := _best(items, by_ref, window, scale, origin)) is not None]
    refs = [fit.item.ref for fit in fits]
    return {fit.item.ref: fit.popover for fit in fits if refs.count(fit.item.ref) == 1}


def _best(
    items: Sequence[Accessible],
    by_ref: Mapping[NativeRef, Accessible],
    window: Window,
    scale: float,
    origin: tuple[int, int],
) -> _Fit | None:
    found: list[_Fit] = []
    for item in items:
        parent = by_ref.get(item.parent) if item.parent else None
        fit = _fit(item, parent, window, scale, origin) if parent is not None else None
        if fit is not None:
            found.append(fit)
    least = min((fit.missing for fit in found), default=0)
    best = [fit for fit in found if fit.missing == least]
    inside = {fit.item.ref for fit in best}
    outer = [fit for fit in best if fit.item.parent not in inside]
    return outer[0] if len(outer) == 1 else None


def _fit(item: Accessible, parent: Accessible, window: Window, scale: float, origin: tuple[int, int]) -> _Fit | None:
    """Return how a popover would lie in a window, None if it cannot be this one.

    Source:
        Drop-downs with real clicks (4.8.3, 4.18.6), a menu button's menu with a picture (4.8.3) and one click
        (4.18.6); plain popovers and menu bars by their sizes and places in the tree only. GTK 4.8 counts a popover's
        margin box from its parent's place, wherever its window is; GTK 4.18 says where the window is, forgetting the
        margin, which drop-downs have above them.
    """
    if item.extents is None or item.extents.is_empty or parent.extents is None:
        return None
    own, above, real = scaled(item.extents, scale), scaled(parent.extents, scale), window.extents
    missing = (real.width - own.width, real.height - own.height)
    if not all(0 <= pixels <= MARGIN_MAX * scale for pixels in missing):
        return None
    off = (own.x + origin[0] - real.x, own.y + origin[1] - real.y)
    if all(abs(pixels) < scale for pixels in off):  # a window may lie between two toolkit px
        return _Fit(
            item=item,
            popover=Popover(window=window, dx=origin[0] - off[0] + missing[0] // 2, dy=origin[1] - off[1] + missing[1]),
            missing=sum(missing),
        )
    if _is_within(own, above, missing):
        return _Fit(
            item=item, popover=Popover(window=window, dx=real.x - above.x, dy=real.y - above.y), missing=sum(missing)
        )
    return None


def _is_within(own: Extents, above: Extents, missing: tuple[int, int]) -> bool:
    """Tell whether it lies no farther from its parent's place than its margin allows."""
    return 0 <= own.x - above.x <= missing[0] and 0 <= own.y - above.y <= missing[1]
