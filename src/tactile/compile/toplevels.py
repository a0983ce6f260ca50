"""Pair what an application calls its windows with the windows of the window system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tactile.compile.scale import SIMPLE, factors, is_at, scaled, scales
from tactile.records import Accessible, Coordinates, NativeRef, Role, State, Window

SIZE_SLACK = 64  # px by which a toplevel and its X window may differ: decorations and client-side shadows
TITLE_COMPARED = 500  # characters; window systems cut titles
MANAGED_ROLES = frozenset({Role.FRAME, Role.DIALOG, Role.ALERT, Role.FILE_CHOOSER})

_Fits = Callable[[Accessible, Window], bool]


def match_windows(
    toplevels: Sequence[Accessible], windows: Sequence[Window]
) -> tuple[tuple[Accessible, Window | None], ...]:
    """Pair each toplevel accessible with its window by title, place and size; never two with one.

    What has a title goes first; it tells the scale, by which the others (popups, mostly) are then found.

    Returns:
        Pairs in the order given; None where no window or no unique window fits.
    """
    pairs: dict[NativeRef, Window] = {}
    _add_pairs(toplevels, windows, pairs, (_fits_title_and_place, _fits_title_and_size, _fits_title))
    shared = scales([(item, pairs.get(item.ref)) for item in toplevels]).shared
    known = (shared,) if shared is not None else SIMPLE
    _add_pairs(
        toplevels,
        windows,
        pairs,
        (
            lambda item, window: any(_fits_place(item, window, factor) for factor in known),
            lambda item, window: _fits_size(item, window, shared or 1.0),
        ),
    )
    rest = [item for item in toplevels if item.ref not in pairs and item.role in MANAGED_ROLES]
    shown = [item for item in rest if State.SHOWING in item.states] or rest
    managed = [window for window in windows if window not in pairs.values() and not window.is_popup]
    if len(shown) == 1 and len(managed) == 1:
        pairs[shown[0].ref] = managed[0]
    return tuple((item, pairs.get(item.ref)) for item in toplevels)


def _add_pairs(
    toplevels: Sequence[Accessible], windows: Sequence[Window], pairs: dict[NativeRef, Window], ways: Sequence[_Fits]
) -> None:
    for fits in ways:
        while found := _next_pair(toplevels, windows, pairs, fits):
            pairs[found[0].ref] = found[1]


def _next_pair(
    toplevels: Sequence[Accessible], windows: Sequence[Window], pairs: Mapping[NativeRef, Window], fits: _Fits
) -> tuple[Accessible, Window] | None:
    """Return the next toplevel and window that fit each other and nobody else.

    Toolkits keep closed windows in the tree, hidden: of several toplevels that fit a window, one that shows goes first.
    """
    open_items = [item for item in toplevels if item.ref not in pairs]
    left = [window for window in windows if window not in pairs.values()]
    for item in open_items:
        window = _only([window for window in left if fits(item, window)], item)
        if window is None:
            continue
        rivals = [other for other in open_items if other is not item and fits(other, window)]
        if State.SHOWING in item.states:
            rivals = [other for other in rivals if State.SHOWING in other.states]
        if not rivals or (_is_at(item, window) and not any(_is_at(other, window) for other in rivals)):
            return item, window
    return None


def _only(found: Sequence[Window], item: Accessible) -> Window | None:
    if len(found) == 1 or not found:
        return found[0] if found else None
    # Two windows of one name and size: guessing would put clicks into the wrong one.
    same = [window for window in found if _is_at(item, window)]
    return same[0] if len(same) == 1 else None


def _is_at(item: Accessible, window: Window) -> bool:
    """Tell whether a toplevel that knows its place on the screen is where the window is, with any likely scale."""
    return any(_fits_place(item, window, factor) for factor in SIMPLE)


def _fits_place(item: Accessible, window: Window, factor: float) -> bool:
    if item.extents is None or item.extents.is_empty or item.coordinates is not Coordinates.SCREEN:
        return False
    return _may_be_drawn_by(item, window) and is_at(item.extents, factor, window)


def _fits_title_and_place(item: Accessible, window: Window) -> bool:
    """Tell whether title and whole place agree; where the place is not told, the size without any shadow."""
    if not _fits_title(item, window):
        return False
    if item.coordinates is Coordinates.SCREEN:
        return _is_at(item, window)
    return item.extents is not None and any(
        (scaled(item.extents, factor).width, scaled(item.extents, factor).height)
        == (window.extents.width, window.extents.height)
        for factor in factors(item, window)
    )


def _fits_title_and_size(item: Accessible, window: Window) -> bool:
    return _fits_title(item, window) and any(
        _fits_size(item, window, factor) for factor in factors(item, window) or (1.0,)
    )


def _fits_title(item: Accessible, window: Window) -> bool:
    return bool(item.name) and item.name[:TITLE_COMPARED] == window.title[:TITLE_COMPARED] and not window.is_popup


def _fits_size(item: Accessible, window: Window, factor: float) -> bool:
    if item.extents is None or item.extents.is_empty or not _may_be_drawn_by(item, window):
        return False
    told = scaled(item.extents, factor)
    sizes = ((window.extents.width, window.extents.height), (window.outer.width, window.outer.height))
    slack = SIZE_SLACK * factor
    return any(abs(width - told.width) <= slack and abs(height - told.height) <= slack for width, height in sizes)


def _may_be_drawn_by(item: Accessible, window: Window) -> bool:
    return not (window.is_popup and item.role is Role.FRAME)
