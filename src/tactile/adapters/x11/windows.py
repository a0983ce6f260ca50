"""The windows of a display: what they are, where they are, which lies over which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import xcffib

from tactile.adapters.x11.display import SHAPE, XPROTO, XRES, Display
from tactile.records.geometry import Extents
from tactile.records.observation import Window

WINDOWS_MAX = 512  # more is a fault or an attack; each costs about ten requests
TITLE_MAX = 500  # characters
FRAME_DEPTH_MAX = 8  # windows a window manager puts around a client; openbox one, others two or three
ICONIC = 3  # ICCCM 4.1.3.1, WM_STATE
_CLIENT_PID = 2  # X-Resource 1.2, mask of QueryClientIds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The cookies of all requests about one window, sent before any is read."""

    window: int
    is_popup: bool
    properties: Mapping[str, Any]
    attributes: Any
    geometry: Any
    corner: Any


_PROPERTIES = {
    "_NET_WM_NAME": 4 * TITLE_MAX,
    "WM_NAME": TITLE_MAX,
    "WM_CLASS": 1024,
    "_NET_WM_PID": 4,
    "_NET_WM_STATE": 256,
    "WM_STATE": 8,
    "_NET_FRAME_EXTENTS": 16,
    "_GTK_FRAME_EXTENTS": 16,
    "WM_TRANSIENT_FOR": 4,
    "_NET_WM_WINDOW_TYPE": 64,
}


def list_windows(display: Display) -> tuple[Window, ...]:
    """Return top-level windows and popups, lowest first; windows that end meanwhile are left out."""
    is_managed = display.has_window_manager()
    children = tuple(display.core.QueryTree(display.root).reply().children)
    listed = display.numbers(display.property(display.root, "_NET_CLIENT_LIST_STACKING", 4 * WINDOWS_MAX))
    clients = listed[:WINDOWS_MAX] if is_managed else ()
    frames = _frames_of(display, clients)
    popups = _unmanaged(display, [child for child in children if child not in frames], managed=is_managed)
    order = stacking_order(children, frames, frozenset(popups), clients)
    active = _active_window(display, managed=is_managed)
    asked = [_ask(display, window, is_popup=popups.get(window, False)) for window in order[-WINDOWS_MAX:]]
    read = [_read(display, item, active) for item in asked]
    return _with_pids(display, [window for window in read if window is not None])


def stacking_order(
    children: Sequence[int], frames: Mapping[int, int], popups: frozenset[int], clients: Sequence[int]
) -> tuple[int, ...]:
    """Merge managed windows and popups into one order, lowest first.

    Args:
        children: Children of the root, lowest first: frames, popups and others.
        frames: Child of the root -> the managed window in it.
        popups: Children of the root that count on their own.
        clients: The window manager's list, lowest first.

    Returns:
        Window ids; a managed window whose frame was not found keeps its neighbour of the window manager's list.
    """
    order = [frames.get(child, child) for child in children if child in frames or child in popups]
    placed = set(order)
    for position, client in enumerate(clients):
        if client in placed:
            continue
        below = next((other for other in reversed(clients[:position]) if other in placed), None)
        order.insert(0 if below is None else order.index(below) + 1, client)
        placed.add(client)
    return tuple(order)


def _frames_of(display: Display, clients: Sequence[int]) -> dict[int, int]:
    """Return child of the root -> managed window; a window manager puts its frame around each client."""
    frames: dict[int, int] = {}
    current = {client: client for client in clients}
    for _ in range(FRAME_DEPTH_MAX):
        asked = {client: display.core.QueryTree(window) for client, window in current.items()}
        parents: dict[int, int] = {}
        for client, cookie in asked.items():
            try:
                parents[client] = cookie.reply().parent
            except xcffib.Error:
                continue  # ended meanwhile
        frames.update({current[client]: client for client, parent in parents.items() if parent == display.root})
        current = {client: parent for client, parent in parents.items() if parent not in {0, display.root}}
        if not current:
            break
    return frames


def _unmanaged(display: Display, children: Sequence[int], *, managed: bool) -> dict[int, bool]:
    """Return children of the root to list on their own -> whether they are popups.

    Windows without an input region are left out: clicks go through them. A compositor's overlay is such a one and
    lies over everything.
    """
    viewable = _viewable(display, children[-WINDOWS_MAX:], managed=managed)
    asked = [
        (child, display.core.GetGeometry(child), display.shape.GetRectangles(child, SHAPE.SK.Input))
        for child in viewable
    ]
    found = {}
    for child, *cookies in asked:
        geometry, shape = (_answer(cookie) for cookie in cookies)
        if geometry is None or shape is None or not len(shape.rectangles):
            continue
        if geometry.width > 1 and geometry.height > 1:
            found[child] = viewable[child]
    return found


def _viewable(display: Display, children: Sequence[int], *, managed: bool) -> dict[int, bool]:
    """Return drawn windows -> whether the window manager keeps off them; with one, only those."""
    asked = [(child, display.core.GetWindowAttributes(child)) for child in children]
    found = {}
    for child, cookie in asked:
        attributes = _answer(cookie)
        if attributes is None or attributes.map_state != XPROTO.MapState.Viewable:
            continue
        is_drawn = attributes._class == XPROTO.WindowClass.InputOutput  # noqa: SLF001 - xcffib's word for "class"
        is_popup = bool(attributes.override_redirect)
        if is_drawn and (is_popup or not managed):
            found[child] = is_popup
    return found


def _answer(cookie: Any) -> Any:
    try:
        return cookie.reply()
    except xcffib.Error:
        return None  # the window ended meanwhile


def _active_window(display: Display, *, managed: bool) -> int | None:
    """Return the active top-level window: the window manager's word, or by the input focus without one."""
    if managed:
        named = display.numbers(display.property(display.root, "_NET_ACTIVE_WINDOW"))
        return named[0] if named and named[0] else None
    return display.toplevel_of(display.sync())


def _ask(display: Display, window: int, *, is_popup: bool) -> _Asked:
    return _Asked(
        window=window,
        is_popup=is_popup,
        properties={name: display.property(window, name, size) for name, size in _PROPERTIES.items()},
        attributes=display.core.GetWindowAttributes(window),
        geometry=display.core.GetGeometry(window),
        corner=display.core.TranslateCoordinates(window, display.root, 0, 0),
    )


def _read(display: Display, asked: _Asked, active: int | None) -> Window | None:
    raw = {name: _answer(cookie) for name, cookie in asked.properties.items()}
    attributes, geometry, corner = _answer(asked.attributes), _answer(asked.geometry), _answer(asked.corner)
    if attributes is None or geometry is None or corner is None:
        return None
    client = Extents(x=corner.dst_x, y=corner.dst_y, width=geometry.width, height=geometry.height)
    states = _numbers(raw["_NET_WM_STATE"])
    pid, transient = _numbers(raw["_NET_WM_PID"]), _numbers(raw["WM_TRANSIENT_FOR"])
    return Window(
        native_id=asked.window,
        pid=pid[0] if pid else None,
        title=_title(raw),
        app_class=_text(raw["WM_CLASS"]).rstrip("\0").rpartition("\0")[2],
        extents=client,
        outer=_outer(
            client,
            _numbers(raw["_NET_FRAME_EXTENTS"]),
            _numbers(raw["_GTK_FRAME_EXTENTS"]),
            geometry.border_width,
        ),
        stacking=0,
        is_active=asked.window == active,
        is_minimised=(
            display.atom("_NET_WM_STATE_HIDDEN") in states
            or _numbers(raw["WM_STATE"])[:1] == (ICONIC,)
            or attributes.map_state != XPROTO.MapState.Viewable
        ),
        is_modal=display.atom("_NET_WM_STATE_MODAL") in states,
        is_above=(
            display.atom("_NET_WM_STATE_ABOVE") in states
            or display.atom("_NET_WM_WINDOW_TYPE_DOCK") in _numbers(raw["_NET_WM_WINDOW_TYPE"])
        ),
        is_popup=asked.is_popup,
        transient_for=transient[0] if transient and transient[0] not in {0, display.root} else None,
    )


def _numbers(reply: Any) -> tuple[int, ...]:
    if reply is None or reply.format != 32:
        return ()
    return tuple(memoryview(reply.value.buf()).cast("I"))


def _text(reply: Any, encoding: str = "latin-1") -> str:
    if reply is None or reply.format != 8:
        return ""
    return bytes(reply.value.buf()).decode(encoding, errors="replace")


def _title(raw: Mapping[str, Any]) -> str:
    title = _text(raw["_NET_WM_NAME"], "utf-8")
    if raw["_NET_WM_NAME"] is not None and raw["_NET_WM_NAME"].bytes_after:
        title = title.rstrip("\N{REPLACEMENT CHARACTER}")  # the cut may go through a character
    return (title or _text(raw["WM_NAME"])).replace("\0", "")[:TITLE_MAX]


def _outer(client: Extents, frame: tuple[int, ...], shadow: tuple[int, ...], border: int) -> Extents:
    """Return the client area with its frame, or without the shadow that the client draws itself and clicks go through.

    Source:
        GTK sets `_GTK_FRAME_EXTENTS` (left, right, top, bottom; device px) where the window manager knows it.
    """
    left, right, top, bottom = frame if len(frame) == 4 else (border,) * 4
    if len(shadow) == 4 and shadow[0] + shadow[1] < client.width and shadow[2] + shadow[3] < client.height:
        left, right, top, bottom = (
            side - inside for side, inside in zip((left, right, top, bottom), shadow, strict=True)
        )
    return Extents(
        x=client.x - left, y=client.y - top, width=client.width + left + right, height=client.height + top + bottom
    )


def _with_pids(display: Display, windows: Sequence[Window]) -> tuple[Window, ...]:
    """Set the place of each window, and the pid (by the server) of those that name none, as some menus."""
    resources = display.resources
    unnamed = [window.native_id for window in windows if window.pid is None]
    cookies = {}
    if resources is not None:
        for native in unnamed:
            spec = XRES.ClientIdSpec.synthetic(native, _CLIENT_PID)
            cookies[native] = resources.QueryClientIds(1, [spec])
    pids = {native: _client_pid(_answer(cookie)) for native, cookie in cookies.items()}
    return tuple(
        replace(window, stacking=position, pid=window.pid if window.pid is not None else pids.get(window.native_id))
        for position, window in enumerate(windows)
    )


def _client_pid(reply: Any) -> int | None:
    if reply is None:
        return None
    for item in reply.ids:
        if item.spec.mask == _CLIENT_PID and len(item.value):
            return int(item.value[0]) or None
    return None
