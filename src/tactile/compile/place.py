"""Normalize geometry: raw toolkit extents to physical px on the virtual desktop, each marked with its trust."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tactile.compile.popover import Popover, popovers
from tactile.records import Accessible, Coordinates, Extents, Geometry, NativeRef, Observation, Role, State, Window

SIZE_SLACK = 64  # px by which a toplevel and its X window may differ: decorations and client-side shadows
SCALE_MAX = 4  # no screen has more device px per toolkit px
MANAGED_ROLES = frozenset({Role.FRAME, Role.DIALOG, Role.ALERT})
DEPTH_MAX = 100  # ancestors looked at; a broken application may name a descendant as its parent
# Ancestors above one of these do not clip what is below: menus, combo lists and popovers leave their parents.
POPUP_ROLES = frozenset({Role.MENU, Role.POPUP_MENU, Role.COMBO_BOX, Role.WINDOW, Role.TOOL_TIP})
# What these hold is drawn in a popup window and must not be looked for in the toplevel's.
LISTING_ROLES = frozenset({Role.MENU, Role.POPUP_MENU, Role.COMBO_BOX})
OPTION_ROLES = frozenset({Role.MENU_ITEM, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM, Role.LIST_ITEM})
CLIPPING_ROLES = frozenset(
    {Role.SCROLL_PANE, Role.VIEWPORT, Role.LIST, Role.TABLE, Role.TREE, Role.TREE_TABLE, Role.DOCUMENT}
    | {Role.FRAME, Role.DIALOG, Role.FILE_CHOOSER, Role.ALERT, Role.TEXT, Role.TERMINAL}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where one accessible is.

    Attributes:
        full: The whole of it; None when not known.
        visible: The part that its ancestors and the screen leave to be seen; None when not known.
    """

    full: Extents | None
    visible: Extents | None
    geometry: Geometry
    window: Window | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Transform:
    window: Window | None
    dx: int
    dy: int
    scale: float
    geometry: Geometry


def place(observation: Observation) -> Mapping[NativeRef, Placement]:
    """Give every accessible its physical extents, its visible part and its window.

    Returns:
        One placement per accessible of the observation's tree.

    Units:
        Physical px on the virtual desktop.
    """
    if observation.tree is None:
        return {}
    tree = observation.tree
    by_ref = {item.ref: item for item in tree.accessibles}
    own = [window for window in observation.windows if window.pid == tree.application.pid]
    toplevels = [item for item in tree.accessibles if item.parent is None]
    transforms = {item.ref: _transform(item, window) for item, window in match_windows(toplevels, own)}
    screen = Extents(x=0, y=0, width=observation.screen.width, height=observation.screen.height)
    opened = _popovers(tree.accessibles, transforms, own)
    placed: dict[NativeRef, Placement] = {}
    for item in tree.accessibles:
        transform = _transform_of(item, transforms.get(item.toplevel), opened, by_ref)
        placed[item.ref] = _place_one(item, transform, placed, by_ref, screen, own, opened, tree.are_states_exact)
    return placed


def _popovers(
    items: Sequence[Accessible], transforms: Mapping[NativeRef, _Transform], own: Sequence[Window]
) -> Mapping[NativeRef, Popover]:
    """Find the popovers of the toplevels whose extents are no places on the screen."""
    popups = [window for window in own if window.is_popup]
    found: dict[NativeRef, Popover] = {}
    for toplevel, transform in transforms.items() if popups else ():
        below = [item for item in items if item.toplevel == toplevel and item.coordinates is Coordinates.WINDOW]
        if below and transform.geometry is not Geometry.UNKNOWN:
            found |= popovers(below, popups, transform.scale, (transform.dx, transform.dy))
    return found


def _transform_of(
    item: Accessible,
    transform: _Transform | None,
    opened: Mapping[NativeRef, Popover],
    by_ref: Mapping[NativeRef, Accessible],
) -> _Transform | None:
    """Return the toplevel's transform, or that of the popover it lies in."""
    if transform is None or item.coordinates is not Coordinates.WINDOW:
        return transform
    for one in (item, *ancestors(item, by_ref)) if opened else ():
        popover = opened.get(one.ref)
        if popover is not None:
            return replace(transform, window=popover.window, dx=popover.dx, dy=popover.dy)
    if item.role in OPTION_ROLES and any(one.role in LISTING_ROLES for one in ancestors(item, by_ref)):
        # Its popup was not found: better no place than a wrong one.
        return replace(transform, geometry=Geometry.UNKNOWN)
    return transform


def match_windows(
    toplevels: Sequence[Accessible], windows: Sequence[Window]
) -> tuple[tuple[Accessible, Window | None], ...]:
    """Pair each toplevel accessible with its window by title, then size; never two with one.

    Returns:
        Pairs in the order given; None where no window or no unique window fits.
    """
    pairs: dict[NativeRef, Window] = {}
    for fits in (_fits_title_and_size, _fits_title, _fits_size):
        while found := _next_pair(toplevels, windows, pairs, fits):
            pairs[found[0].ref] = found[1]
    rest = [item for item in toplevels if item.ref not in pairs and item.role in MANAGED_ROLES]
    shown = [item for item in rest if State.SHOWING in item.states] or rest
    managed = [window for window in windows if window not in pairs.values() and not window.is_popup]
    if len(shown) == 1 and len(managed) == 1:
        pairs[shown[0].ref] = managed[0]
    return tuple((item, pairs.get(item.ref)) for item in toplevels)


def _next_pair(
    toplevels: Sequence[Accessible],
    windows: Sequence[Window],
    pairs: Mapping[NativeRef, Window],
    fits: Callable[[Accessible, Window], bool],
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
    """Tell whether a toplevel that knows its place on the screen is where the window is."""
    if item.extents is None or item.coordinates is not Coordinates.SCREEN:
        return False
    return (item.extents.x, item.extents.y) in _origins(window)


def _origins(window: Window) -> tuple[tuple[int, int], ...]:
    return ((window.extents.x, window.extents.y), (window.outer.x, window.outer.y))


def _fits_title_and_size(item: Accessible, window: Window) -> bool:
    return _fits_title(item, window) and _fits_size(item, window)


def _fits_title(item: Accessible, window: Window) -> bool:
    return bool(item.name) and item.name[:500] == window.title[:500] and not window.is_popup


def _fits_size(item: Accessible, window: Window) -> bool:
    if item.extents is None or item.extents.is_empty:
        return False
    if window.is_popup and item.role is Role.FRAME:
        return False
    sizes = ((window.extents.width, window.extents.height), (window.outer.width, window.outer.height))
    return any(
        abs(width - item.extents.width) <= SIZE_SLACK and abs(height - item.extents.height) <= SIZE_SLACK
        for width, height in sizes
    )


def _transform(item: Accessible, window: Window | None) -> _Transform:
    if item.coordinates is Coordinates.SCREEN:
        scale = _scale(item, window)
        exactness = Geometry.EXACT if scale == 1.0 else Geometry.DERIVED
        return _Transform(window=window, dx=0, dy=0, scale=scale, geometry=exactness)
    if window is None or item.extents is None:
        return _Transform(window=window, dx=0, dy=0, scale=1.0, geometry=Geometry.UNKNOWN)
    scale = _scale(item, window)
    inset_x, inset_y = _inset(item.extents.scaled(scale), window)
    return _Transform(
        window=window,
        dx=window.extents.x + inset_x,
        dy=window.extents.y + inset_y,
        scale=scale,
        geometry=Geometry.DERIVED,
    )


def _scale(item: Accessible, window: Window | None) -> float:
    """Return device px per toolkit px, from the window's real and reported width.

    Source:
        GDK_SCALE=2 and QT_SCALE_FACTOR=2 report half the X size (measured, Debian 12).
    """
    if window is None or item.extents is None or item.extents.width <= 0:
        return 1.0
    if item.coordinates is not Coordinates.SCREEN:
        return _whole_scale(item.extents, window.extents)
    ratio = window.extents.width / item.extents.width
    rounded = round(ratio * 4) / 4
    is_both_ways = abs(window.extents.height - rounded * item.extents.height) <= SIZE_SLACK * rounded
    return rounded if rounded > 1.0 and abs(ratio - rounded) < 0.06 and is_both_ways else 1.0


def _whole_scale(frame: Extents, client: Extents) -> float:
    """Return the smallest whole factor that leaves no more than shadows around the frame; 1 if none does.

    GTK 4 scales by whole numbers on X11. The ratio of the sizes would take the shadows of a small window for a scale:
    208 px within 260 is no 1.25.
    """
    for factor in range(1, SCALE_MAX + 1):
        missing = (client.width - factor * frame.width, client.height - factor * frame.height)
        if all(0 <= pixels <= factor * (SIZE_SLACK + 16) for pixels in missing):
            return float(factor)
    return 1.0


def _inset(frame: Extents, window: Window) -> tuple[int, int]:
    """Return where toolkit (0, 0) lies inside the X client area of a GTK4 window.

    Source:
        GTK 4.8 reports a frame at (0, 0) without its client-side shadow: the shadow is half the width that is
        missing, and the height that is missing less that. GTK 4.18 reports the frame at minus its shadow, so
        that (0, 0) is the client origin already (both measured with real clicks).
    """
    if (frame.x, frame.y) != (0, 0):
        return (0, 0)
    side = (window.extents.width - frame.width) // 2
    top = window.extents.height - frame.height - side
    return (max(side, 0), max(top, 0))


def _place_one(
    item: Accessible,
    transform: _Transform | None,
    placed: Mapping[NativeRef, Placement],
    by_ref: Mapping[NativeRef, Accessible],
    screen: Extents,
    own: Sequence[Window],
    opened: Mapping[NativeRef, Popover],
    are_states_exact: bool,
) -> Placement:
    window = transform.window if transform else None
    if transform is None or item.extents is None or transform.geometry is Geometry.UNKNOWN:
        return Placement(full=None, visible=None, geometry=Geometry.UNKNOWN, window=window)
    full = item.extents.scaled(transform.scale).shifted(transform.dx, transform.dy)
    visible = full.intersect(screen)
    for ancestor in _clipping_ancestors(item, by_ref, opened, are_states_exact):
        part = placed[ancestor.ref].full if ancestor.ref in placed else None
        if part is not None and not part.is_empty:
            visible = visible.intersect(part)
    popup = _popup_of(item, full, by_ref, own) if item.coordinates is Coordinates.SCREEN else None
    return Placement(full=full, visible=visible, geometry=transform.geometry, window=popup or window)


def _clipping_ancestors(
    item: Accessible,
    by_ref: Mapping[NativeRef, Accessible],
    opened: Mapping[NativeRef, Popover],
    are_states_exact: bool,
) -> Iterable[Accessible]:
    if item.ref in opened:
        return
    for ancestor in ancestors(item, by_ref):
        if ancestor.role in POPUP_ROLES or ancestor.ref in opened:
            return
        if ancestor.role in CLIPPING_ROLES or not are_states_exact:
            yield ancestor


def ancestors(item: Accessible, by_ref: Mapping[NativeRef, Accessible]) -> Iterable[Accessible]:
    """Yield the accessible's ancestors, nearest first."""
    parent = by_ref.get(item.parent) if item.parent else None
    for _ in range(DEPTH_MAX):
        if parent is None:
            return
        yield parent
        parent = by_ref.get(parent.parent) if parent.parent else None


def _popup_of(
    item: Accessible, full: Extents, by_ref: Mapping[NativeRef, Accessible], own: Sequence[Window]
) -> Window | None:
    """Return the popup window that draws an item of an open menu or combo list."""
    over = [window for window in own if window.is_popup and window.extents.contains(full.center)]
    if not over or not any(ancestor.role in POPUP_ROLES for ancestor in ancestors(item, by_ref)):
        return None
    return max(over, key=lambda window: window.stacking, default=None)
