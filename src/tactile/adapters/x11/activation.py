"""Brings a window to the front and makes sure that it has the keyboard."""

from __future__ import annotations

import time
from typing import Any

import xcffib

from tactile.adapters.x11.display import XPROTO, Display

CURRENT_WINDOW_SOURCE = 2  # EWMH: a pager or tool acts for the person, so focus stealing prevention does not apply
RAISE_S = 0.3  # from the focus to the raise; openbox does both at once, seen apart only on a loaded machine
STACKING_BYTES = 4096
POLL_S = 0.02  # the input focus moves without any event to us; a look costs one round trip, about 0.1 ms


def activate(display: Display, window: int, deadline_s: float) -> bool:
    """Raise and focus a window; tell whether that was seen to happen before `deadline_s` (time.monotonic)."""
    if window <= 0 or window == display.root or not _exists(display, window):
        return False
    if display.has_window_manager():
        return _through_window_manager(display, window, deadline_s)
    return _directly(display, window, deadline_s)


def _exists(display: Display, window: int) -> bool:
    try:
        display.core.GetWindowAttributes(window).reply()
    except xcffib.Error:
        return False
    return True


def _through_window_manager(display: Display, window: int, deadline_s: float) -> bool:
    _watch_root(display, XPROTO.EventMask.PropertyChange)
    try:
        _send_request(display, window)
        is_active = _wait_until_active(display, window, deadline_s, ask_window_manager=True)
        if is_active:
            _wait_until_front(display, window, min(deadline_s, time.monotonic() + RAISE_S))
        return is_active
    finally:
        _watch_root(display, 0)


def _watch_root(display: Display, mask: int) -> None:
    """Choose which events of the root come to us; only while activating, so that none pile up afterwards."""
    display.core.ChangeWindowAttributes(display.root, XPROTO.CW.EventMask, [mask])


def _send_request(display: Display, window: int) -> None:
    data = XPROTO.ClientMessageData.synthetic([CURRENT_WINDOW_SOURCE, display.server_time(), 0, 0, 0], "IIIII")
    event = XPROTO.ClientMessageEvent.synthetic(32, window, display.atom("_NET_ACTIVE_WINDOW"), data)
    mask = XPROTO.EventMask.SubstructureRedirect | XPROTO.EventMask.SubstructureNotify
    display.core.SendEvent(False, display.root, mask, event.pack())


def _wait_until_active(display: Display, window: int, deadline_s: float, *, ask_window_manager: bool) -> bool:
    while True:
        if _is_active(display, window, ask_window_manager=ask_window_manager):
            return True
        remaining_s = deadline_s - time.monotonic()
        if remaining_s <= 0 or not _exists(display, window):
            return False
        if not display.drain_events():  # an event read along with the answers would not wake the wait
            display.wait_readable(min(POLL_S, remaining_s))


def _is_active(display: Display, window: int, *, ask_window_manager: bool) -> bool:
    named: Any = display.property(display.root, "_NET_ACTIVE_WINDOW") if ask_window_manager else None
    focus = display.core.GetInputFocus()
    is_named = named is None or display.numbers(named)[:1] == (window,)
    return display.is_within(focus.reply().focus, window) and is_named


def _wait_until_front(display: Display, window: int, deadline_s: float) -> None:
    """Give the window manager time to raise what it has focused; the list of windows tells whether it did."""
    while not _is_front(display, window) and (remaining_s := deadline_s - time.monotonic()) > 0:
        if not display.drain_events():
            display.wait_readable(min(POLL_S, remaining_s))


def _is_front(display: Display, window: int) -> bool:
    """Tell whether only windows that belong there lie above: docks, dialogs, those kept above, hidden ones."""
    order = display.numbers(display.property(display.root, "_NET_CLIENT_LIST_STACKING", STACKING_BYTES))
    if window not in order:
        return True
    names = ("_NET_WM_STATE", "_NET_WM_WINDOW_TYPE", "WM_TRANSIENT_FOR")
    above = [[display.property(other, name) for name in names] for other in order[order.index(window) + 1 :]]
    atoms = [display.atom(f"_NET_WM_{name}") for name in ("STATE_ABOVE", "STATE_HIDDEN", "WINDOW_TYPE_DOCK")]
    fits = []
    for cookies in above:
        state, kind, transient = (display.numbers(cookie) for cookie in cookies)
        fits.append(bool(transient) or any(atom in state + kind for atom in atoms))
    return all(fits)


def _directly(display: Display, window: int, deadline_s: float) -> bool:
    """Raise and focus without a window manager; nobody else will."""
    above = [XPROTO.StackMode.Above]
    toplevel = display.toplevel_of(window) or window
    display.core.MapWindow(window)
    display.core.ConfigureWindow(toplevel, XPROTO.ConfigWindow.StackMode, above)
    display.sync()
    display.core.SetInputFocus(XPROTO.InputFocus.PointerRoot, window, XPROTO.Time.CurrentTime)
    return _wait_until_active(display, window, deadline_s, ask_window_manager=False)
