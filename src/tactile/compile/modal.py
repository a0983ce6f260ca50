"""Find the modal dialog in front and what it blocks, also when it belongs to another process."""

from __future__ import annotations

from collections.abc import Sequence

from tactile.compile.toplevels import MANAGED_ROLES, match_windows
from tactile.records import Accessible, NativeRef, Observation, State, Window

Pair = tuple[Accessible, Window | None]


def modal_of(observation: Observation, own: Sequence[Window]) -> tuple[str | None, frozenset[NativeRef]]:
    """Find the modal dialog in front and the toplevels that it blocks.

    Returns:
        Its title (None without one) and the native refs of blocked toplevels.

    Source:
        Accessibility actions reach behind modal dialogs, and the tree shows the blocked window as normal
        (Qt 5.15 and GTK3, measured), so the window system's modal flag and MODAL state are both asked.
    """
    tree = observation.tree
    if tree is None:
        return None, frozenset()
    pairs = match_windows([item for item in tree.accessibles if item.parent is None], own)
    modals = [
        (window.stacking if window else len(observation.windows), item, window)
        for item, window in pairs
        if (window is not None and window.is_modal and not window.is_minimised)
        or (State.MODAL in item.states and State.SHOWING in item.states)
    ]
    if not modals:
        return _foreign_modal(observation.windows, pairs, own)
    _, top, top_window = max(modals, key=lambda entry: entry[0])
    spared = {top.ref} | {item.ref for item, window in pairs if _is_above(item, window, top_window)}
    return top.name or "dialog", frozenset(item.ref for item, _ in pairs if item.ref not in spared)


def _foreign_modal(
    windows: Sequence[Window], pairs: Sequence[Pair], own: Sequence[Window]
) -> tuple[str | None, frozenset[NativeRef]]:
    """Find a modal dialog that another process put over one of the windows, as portals and `zenity --attach` do.

    It blocks that window only; the toolkit of the window knows nothing of it.
    """
    mine = {window.native_id for window in own}
    over = {
        window.transient_for: window
        for window in windows
        if window.is_modal and not window.is_minimised and window.native_id not in mine
    }
    blocked = {item.ref: over[window.native_id] for item, window in pairs if window and window.native_id in over}
    if not blocked:
        return None, frozenset()
    top = max(blocked.values(), key=lambda window: window.stacking)
    return top.title or top.app_class or "dialog", frozenset(blocked)


def _is_above(item: Accessible, window: Window | None, modal: Window | None) -> bool:
    """Tell whether a toplevel belongs to the modal one (its own child dialog or popup)."""
    if window is None:  # menus and popovers have no window of their own; a frame without one may well lie behind
        return item.role not in MANAGED_ROLES
    return window.is_popup or (modal is not None and window.transient_for == modal.native_id)
