"""Decide what of a kept tree may no longer hold: by events, by windows, by what was redrawn. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tactile.compile.toplevels import match_windows
from tactile.ports import Sweep
from tactile.records import AccessibleTree, Extents, NativeRef, Screen, Window

# A caret is a thin line, as high as a line of text. Where events tell not everything, only this may blink unread.
CARET_WIDTH_MAX, CARET_HEIGHT_MAX = 3, 64  # px
IDLE_MAX = 32  # areas of a window that are known to be redrawn without meaning

Drawn = Mapping[int, tuple[Extents, ...] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """What is known of an application without reading its tree.

    Attributes:
        windows: Of the whole desktop, lowest first.
        own: Those of the application.
        drawn: Areas redrawn since the last glance, by window.
    """

    windows: tuple[Window, ...]
    own: tuple[Window, ...]
    screen: Screen
    drawn: Drawn
    sweep: Sweep


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A tree as it was read last, and the windows from just before that read.

    Attributes:
        idle: Areas by window whose redrawing left this very tree as it was: a caret, a spinner.
    """

    tree: AccessibleTree
    own: tuple[Window, ...]
    idle: Mapping[int, frozenset[Extents]] = field(default_factory=dict)


def doubtful(kept: Kept, glance: Glance) -> frozenset[NativeRef] | None:
    """Return the toplevels that have to be read again; None for all of them.

    Where a toolkit tells everything by events, they decide for each toplevel, and so does what was redrawn. Where it
    does not, anything at all makes everything doubtful, and so does a window that is not wholly in sight: what cannot
    be seen is not drawn, so that no drawing proves nothing there.
    """
    if glance.sweep.sources is None:
        return None
    if not kept.tree.are_events_complete:
        return frozenset() if _is_still(kept, glance) else None
    shown, told = _shown(kept, glance), _told(kept, glance.sweep)
    if shown is None or told is None:
        return None
    now = frozenset(glance.sweep.toplevels)
    return (shown | told) & now | now - frozenset(kept.tree.toplevels)


def _shown(kept: Kept, glance: Glance) -> frozenset[NativeRef] | None:
    """Return the toplevels of the windows that look different; None when nobody knows what shows in one.

    A window that just came brings no doubt with it: its toplevel is new, or tells by events that it shows.
    """
    changed = _changed_windows(kept, glance) | _areas(kept, glance).keys()
    if not changed:
        return frozenset()
    owners = _owners(kept)
    former = {window.native_id for window in kept.own}
    popups = {window.native_id for window in (*kept.own, *glance.own) if window.is_popup}
    if any(native not in owners and native in former | popups for native in changed):
        return None
    return frozenset(owners[native] for native in changed if native in owners)


def _told(kept: Kept, sweep: Sweep) -> frozenset[NativeRef] | None:
    """Return the toplevels of what told that it changed; None when something is not in the tree."""
    sources = set(sweep.sources or ())
    items = {item.ref: item for item in kept.tree.accessibles} if sources or sweep.said else {}
    for (ref, what), text in sweep.said.items():
        if ref not in items or getattr(items[ref], what) != text:
            sources.add(ref)
    changed = sources - {kept.tree.application.root}  # of the root only its children matter, and those were asked for
    return frozenset(items[source].toplevel for source in changed) if changed <= items.keys() else None


def _is_still(kept: Kept, glance: Glance) -> bool:
    return (
        not glance.sweep.sources
        and not glance.sweep.said
        and glance.sweep.toplevels == kept.tree.toplevels
        and not _changed_windows(kept, glance)
        and not _areas(kept, glance)
        and bool(glance.own)
        and all(glance.drawn.get(window.native_id) is not None for window in glance.own)
        and all(_is_in_sight(window, glance) for window in glance.own)
    )


def _is_in_sight(window: Window, glance: Glance) -> bool:
    whole = Extents(x=0, y=0, width=glance.screen.width, height=glance.screen.height)
    above = [other for other in glance.windows if other.stacking > window.stacking and not other.is_minimised]
    return (
        not window.is_minimised
        and window.extents.intersect(whole) == window.extents
        and all(window.extents.intersect(other.outer).is_empty for other in above)
    )


def _owners(kept: Kept) -> dict[int, NativeRef]:
    """Return the toplevel that each window shows, as far as that is certain."""
    toplevels = [item for item in kept.tree.accessibles if item.parent is None]
    return {window.native_id: item.ref for item, window in match_windows(toplevels, kept.own) if window is not None}


def _changed_windows(kept: Kept, glance: Glance) -> set[int]:
    """Return the windows that came, went, or look different; their order alone changes no tree."""
    before = {window.native_id: replace(window, stacking=0) for window in kept.own}
    now = {window.native_id: replace(window, stacking=0) for window in glance.own}
    return {native for native in before.keys() | now.keys() if before.get(native) != now.get(native)}


def _areas(kept: Kept, glance: Glance) -> dict[int, tuple[Extents, ...]]:
    """Return what was redrawn by window, without what is known to mean nothing."""
    found = {}
    for native, areas in glance.drawn.items():
        idle = kept.idle.get(native, frozenset())
        new = tuple(area for area in areas or () if not any(area.intersect(one) == area for one in idle))
        if new:
            found[native] = new
    return found


def idle_after(kept: Kept, glance: Glance, fresh: AccessibleTree) -> Mapping[int, frozenset[Extents]]:
    """Learn from a read which redrawing meant nothing, and forget what was learned of a window that changed."""
    owners, areas = _owners(kept), _areas(kept, glance)
    before, now = parts(kept.tree), parts(fresh)
    idle = {}
    for native in {window.native_id for window in glance.own}:
        toplevel = owners.get(native)
        is_same = before == now if toplevel is None else before.get(toplevel) == now.get(toplevel)
        if not is_same:
            continue
        new = {area for area in areas.get(native, ()) if fresh.are_events_complete or _is_caret(area)}
        known = kept.idle.get(native, frozenset()) | new
        idle[native] = known if len(known) <= IDLE_MAX else frozenset(new)
    return idle


def _is_caret(area: Extents) -> bool:
    return area.width <= CARET_WIDTH_MAX and area.height <= CARET_HEIGHT_MAX


def parts(tree: AccessibleTree) -> dict[NativeRef, list[object]]:
    """Return the accessibles of a tree by toplevel, in its order."""
    found: dict[NativeRef, list[object]] = {}
    for item in tree.accessibles:
        found.setdefault(item.toplevel, []).append(item)
    return found


def joined(kept: AccessibleTree, part: AccessibleTree, read: frozenset[NativeRef]) -> AccessibleTree | None:
    """Put newly read toplevels into a kept tree.

    Returns:
        None when they do not fit together: a toplevel that nobody read, an object that is in two of them.
    """
    homes = {item.ref: item.toplevel for item in kept.accessibles}
    left = tuple(item for item in kept.accessibles if item.toplevel not in read)
    order = {toplevel: place for place, toplevel in enumerate(part.toplevels)}
    if not order.keys() <= read | set(kept.toplevels):
        return None
    items = [item for item in (*left, *part.accessibles) if item.toplevel in order]
    items.sort(key=lambda item: order[item.toplevel])
    if len({item.ref for item in items}) < len(items):
        return None
    cuts = tuple(cut for cut in kept.cuts if homes.get(cut.ref) in order and homes.get(cut.ref) not in read)
    return replace(part, accessibles=tuple(items), cuts=cuts + part.cuts)


def without(tree: AccessibleTree, toplevels: Sequence[NativeRef]) -> AccessibleTree:
    """Return a tree with just these toplevels, in their order, all of which it has."""
    if tuple(toplevels) == tree.toplevels:
        return tree
    whole = joined(tree, replace(tree, accessibles=(), toplevels=tuple(toplevels), cuts=()), frozenset())
    assert whole is not None
    return whole
