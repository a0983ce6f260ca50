"""Normalize geometry: raw toolkit extents to physical px on the virtual desktop, each marked with its trust."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tactile.compile.popover import Popover, popovers
from tactile.compile.scale import Scales, scaled, scales
from tactile.compile.toplevels import MANAGED_ROLES, match_windows
from tactile.records import (
    Accessible,
    AccessibleTree,
    Coordinates,
    Extents,
    Geometry,
    NativeRef,
    Observation,
    Role,
    Screen,
    Window,
)

DEPTH_MAX = 100  # ancestors looked at; a broken application may name a descendant as its parent
# Ancestors above one of these do not clip what is below: menus, combo lists and popovers leave their parents.
POPUP_ROLES = frozenset({Role.MENU, Role.POPUP_MENU, Role.COMBO_BOX, Role.WINDOW, Role.TOOL_TIP})
# What these hold is drawn in a popup window and must not be looked for in the toplevel's.
LISTING_ROLES = frozenset({Role.MENU, Role.POPUP_MENU, Role.COMBO_BOX})
OPTION_ROLES = frozenset({Role.MENU_ITEM, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM, Role.LIST_ITEM})
# Of these a page tells the box of a line of text; what stands in it may be higher (Firefox: a text area in its label).
INLINE_ROLES = frozenset({Role.LABEL, Role.LINK, Role.PARAGRAPH, Role.HEADING})
INLINE_NATIVE = "label"  # around a control, where it is a box to us
CLIPPING_ROLES = frozenset(
    {Role.SCROLL_PANE, Role.VIEWPORT, Role.LIST, Role.TABLE, Role.TREE, Role.TREE_TABLE, Role.DOCUMENT}
    | {Role.FRAME, Role.DIALOG, Role.FILE_CHOOSER, Role.ALERT, Role.TEXT, Role.TERMINAL}
)
# Toolkits that report the inside of documents in device px and all else in their own px.
DEVICE_DOCUMENTS = frozenset({"chromium"})
NOWHERE = Extents(x=0, y=0, width=0, height=0)


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
    dx: int = 0
    dy: int = 0
    scale: float
    geometry: Geometry
    is_drawn: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """All that placing one accessible takes."""

    tree: AccessibleTree
    by_ref: Mapping[NativeRef, Accessible]
    transforms: Mapping[NativeRef, _Transform]
    opened: Mapping[NativeRef, Popover]
    own: Sequence[Window]
    screen: Screen


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
    own = [window for window in observation.windows if window.pid == tree.application.pid]
    transforms = _transforms([item for item in tree.accessibles if item.parent is None], own)
    scene = _Scene(
        tree=tree,
        by_ref={item.ref: item for item in tree.accessibles},
        transforms=transforms,
        opened=_popovers(tree.accessibles, transforms, own),
        own=own,
        screen=observation.screen,
    )
    placed: dict[NativeRef, Placement] = {}
    for item in tree.accessibles:
        placed[item.ref] = _place_one(item, _transform_of(item, scene), placed, scene)
    return placed


def _transforms(toplevels: Sequence[Accessible], own: Sequence[Window]) -> Mapping[NativeRef, _Transform]:
    pairs = match_windows(toplevels, own)
    known = scales(pairs)
    taken = {window.native_id for _, window in pairs if window is not None}
    has_free = not own or any(window.native_id not in taken and not window.is_minimised for window in own)
    return {item.ref: _transform(item, window, known, has_free=has_free) for item, window in pairs}


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


def _transform_of(item: Accessible, scene: _Scene) -> _Transform | None:
    """Return the toplevel's transform, or that of the popover or document it lies in."""
    transform = scene.transforms.get(item.toplevel)
    if transform is None:
        return None
    if item.coordinates is not Coordinates.WINDOW:
        return _in_document(item, transform, scene)
    for one in (item, *ancestors(item, scene.by_ref)) if scene.opened else ():
        popover = scene.opened.get(one.ref)
        if popover is not None:
            return replace(transform, window=popover.window, dx=popover.dx, dy=popover.dy)
    if item.role in OPTION_ROLES and any(one.role in LISTING_ROLES for one in ancestors(item, scene.by_ref)):
        # Its popup was not found: better no place than a wrong one.
        return replace(transform, geometry=Geometry.UNKNOWN)
    return transform


def _in_document(item: Accessible, transform: _Transform, scene: _Scene) -> _Transform:
    """Return the transform of a document and what lies in it, where the toolkit gives these in device px.

    Source:
        Chromium 156 with --force-device-scale-factor 1.5 and 2: the frame and the browser's own controls are in
        device-independent px, the document and all in it in device px (measured by coloured marks in the picture).
    """
    if transform.scale == 1.0 or scene.tree.application.toolkit.casefold() not in DEVICE_DOCUMENTS:
        return transform
    document = next((one for one in (item, *ancestors(item, scene.by_ref)) if one.role is Role.DOCUMENT), None)
    if document is None:
        return transform
    window = transform.window
    is_sure = window is None or document.extents is None or _lies_in(document.extents, window.extents)
    return replace(transform, scale=1.0, geometry=transform.geometry if is_sure else Geometry.UNKNOWN)


def _lies_in(inner: Extents, outer: Extents) -> bool:
    return inner.intersect(outer) == inner


def _transform(item: Accessible, window: Window | None, known: Scales, *, has_free: bool) -> _Transform:
    """Return how a toplevel's px become the screen's.

    Args:
        item: The toplevel.
        window: Its window, if it was found.
        known: Scales of the process.
        has_free: It may have a window that was not found.
    """
    is_managed = item.role in MANAGED_ROLES
    scale = known.by_toplevel.get(item.ref) if window is not None else known.shared
    if scale is None or item.extents is None or (window is None and is_managed):
        is_drawn = has_free if window is None and is_managed else True
        return _Transform(window=window, scale=1.0, geometry=Geometry.UNKNOWN, is_drawn=is_drawn)
    if item.coordinates is Coordinates.SCREEN:
        exactness = Geometry.EXACT if scale == 1.0 else Geometry.DERIVED
        return _Transform(window=window, scale=scale, geometry=exactness)
    if window is None:
        return _Transform(window=None, scale=scale, geometry=Geometry.UNKNOWN)
    inset_x, inset_y = _inset(scaled(item.extents, scale), window)
    return _Transform(
        window=window,
        dx=window.extents.x + inset_x,
        dy=window.extents.y + inset_y,
        scale=scale,
        geometry=Geometry.DERIVED,
    )


def _inset(frame: Extents, window: Window) -> tuple[int, int]:
    """Return where toolkit (0, 0) lies inside the X client area of a GTK4 window.

    Source:
        GTK 4.8 reports a frame at (0, 0) without its client-side shadow: the shadow is half the width that is
        missing, and the height that is missing less that. GTK 4.18 reports the frame at minus its shadow, so
        that (0, 0) is the client origin already (both measured with real clicks). Where the window manager is told
        of the shadow, that says it exactly: it is 14 px at the sides and 12 above with a compositor (4.8).
    """
    if (frame.x, frame.y) != (0, 0):
        return (0, 0)
    inner = (window.outer.x - window.extents.x, window.outer.y - window.extents.y)
    if min(inner) >= 0 and max(inner) > 0:
        return inner
    side = (window.extents.width - frame.width) // 2
    top = window.extents.height - frame.height - side
    return (max(side, 0), max(top, 0))


def _place_one(
    item: Accessible, transform: _Transform | None, placed: Mapping[NativeRef, Placement], scene: _Scene
) -> Placement:
    window = transform.window if transform else None
    if transform is None or item.extents is None or transform.geometry is Geometry.UNKNOWN:
        is_hidden = (window is not None and window.is_minimised) or (transform is not None and not transform.is_drawn)
        return Placement(full=None, visible=NOWHERE if is_hidden else None, geometry=Geometry.UNKNOWN, window=window)
    full = scaled(item.extents, transform.scale).shifted(transform.dx, transform.dy)
    visible = on_screen(full, scene.screen)
    for ancestor in _clipping_ancestors(item, scene):
        part = placed[ancestor.ref].full if ancestor.ref in placed else None
        if part is not None and not part.is_empty:
            visible = visible.intersect(part)
    visible = _inside_boxes(item, visible, placed, scene)
    popup = _popup_of(item, full, scene) if item.coordinates is Coordinates.SCREEN else None
    if window is not None and window.is_minimised and popup is None:
        visible = NOWHERE
    return Placement(full=full, visible=visible, geometry=transform.geometry, window=popup or window)


def _inside_boxes(item: Accessible, visible: Extents, placed: Mapping[NativeRef, Placement], scene: _Scene) -> Extents:
    """Return the part of something on a page that lies in the boxes around it too, where there is such a part.

    Whether a box of a page clips what sticks out of it (`overflow`) is told by no browser. What lies in the box is
    to be seen in either case, so that is aimed at.
    """
    smaller = visible
    for ancestor in ancestors(item, scene.by_ref):
        if ancestor.role in POPUP_ROLES:
            return visible
        if ancestor.role is Role.DOCUMENT:
            return smaller
        if ancestor.role in INLINE_ROLES or ancestor.native_role == INLINE_NATIVE:
            continue
        part = placed[ancestor.ref].full if ancestor.ref in placed else None
        if part is not None and not part.is_empty and not smaller.intersect(part).is_empty:
            smaller = smaller.intersect(part)
    return visible


def on_screen(full: Extents, screen: Screen) -> Extents:
    """Return the part that some monitor shows; of several pieces apart from each other, the largest.

    What lies in a gap between monitors of different sizes is on the virtual desktop and yet cannot be seen.
    """
    visible = full.intersect(Extents(x=0, y=0, width=screen.width, height=screen.height))
    pieces = [visible.intersect(monitor.extents) for monitor in screen.monitors]
    if not pieces or sum(piece.width * piece.height for piece in pieces) >= visible.width * visible.height:
        return visible
    return max(pieces, key=lambda piece: piece.width * piece.height)


def _clipping_ancestors(item: Accessible, scene: _Scene) -> Iterable[Accessible]:
    if item.ref in scene.opened:
        return
    for ancestor in ancestors(item, scene.by_ref):
        if ancestor.role in POPUP_ROLES or ancestor.ref in scene.opened:
            return
        if ancestor.role in CLIPPING_ROLES or not scene.tree.are_states_exact:
            yield ancestor


def ancestors(item: Accessible, by_ref: Mapping[NativeRef, Accessible]) -> Iterable[Accessible]:
    """Yield the accessible's ancestors, nearest first."""
    parent = by_ref.get(item.parent) if item.parent else None
    for _ in range(DEPTH_MAX):
        if parent is None:
            return
        yield parent
        parent = by_ref.get(parent.parent) if parent.parent else None


def _popup_of(item: Accessible, full: Extents, scene: _Scene) -> Window | None:
    """Return the popup window that draws an item of an open menu or combo list."""
    over = [window for window in scene.own if window.is_popup and window.extents.contains(full.center)]
    if not over or not any(ancestor.role in POPUP_ROLES for ancestor in ancestors(item, scene.by_ref)):
        return None
    return max(over, key=lambda window: window.stacking, default=None)
