"""What the fixture applications share: arguments, event log, control socket, command dispatch.

Standard library only: the applications run under Debian's own Python, the tests under the project's.
The two functions at the end (`ask`, `read_log`) are for the tests.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import json
import os
import socket
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Rect = list[int]
Request = dict[str, Any]

LIST_NAMES = ("Alpha", "Bravo", "Charlie", "Delta")
COMPANIES = ("Acme", "Globex", "Initech")
NOTES = "first line\nsecond line\nthird line"
CANARY = "hunter2-canary"
ROW_NAMES = tuple(f"Row {number}" for number in range(1, 201))
SLOW_SECONDS = 4.0
READY_SECONDS = 3.0  # longest wait for the window manager before "ready" is logged in any case
BORDER_MAX = 80  # px; a window placed at --at has its client area at most this far off
ICON_SIDE = 18  # px of the square drawn on the icon button
ICON_RGB = (0x35, 0x84, 0xE4)
LINK_TARGET = "https://example.org/docs?page=1"
# What the catalogue of controls says beside its controls: hints, tool tips.
CATALOGUE = {
    "Hinted": "Search the files",
    "Tipped": "Your reference",
    "Save": "Save the document",
    "Bold": "Bold text",
    "Light": "Night light",
}
TREE = (("src", (("lib", ("core.c",)), ("main.c", ()))), ("docs", (("index.md", ()),)))
PRICES: dict[str, Any] = {
    "columns": ("Item", "Price", "Stock"),
    "rows": (("Apple", "3", True), ("Pear", "4", False), ("Plum", "5", True)),
}


def parse_options(
    default_title: str, add: Callable[[argparse.ArgumentParser], None] | None = None
) -> argparse.Namespace:
    """Parse the arguments which all fixture applications take."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--title", default=default_title)
    parser.add_argument("--layout", choices=("form", "list"), default="form")
    parser.add_argument("--log", type=Path, help="event log, JSON lines, appended")
    parser.add_argument("--control", type=Path, help="unix stream socket to create")
    parser.add_argument("--at", type=_point, help="X,Y of the window in physical px")
    parser.add_argument("--keep", action="store_true", help="go on running when the last window is gone")
    if add is not None:
        add(parser)
    return parser.parse_args()


def _point(text: str) -> tuple[int, int]:
    x, y = text.split(",")
    return int(x), int(y)


class EventLog:
    """Append one JSON line for each event, flushed before the handler goes on."""

    def __init__(self, path: Path | None) -> None:
        # One open file for the life of the process: each line must be on disk when the handler returns.
        self._file = path.open("a", encoding="utf-8") if path is not None else sys.stdout

    def write(self, event: str, widget: str | None = None, value: object = None) -> None:
        line = {"t": time.monotonic(), "event": event, "widget": widget, "value": value}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


class ControlServer:
    """Answer JSON lines on a unix socket, driven by the main loop of a toolkit.

    `watch(fd, ready)` and `unwatch(fd)` are the toolkit's own calls for "tell me when fd is readable".
    """

    def __init__(
        self,
        path: Path,
        answer: Callable[[Request], Request],
        watch: Callable[[int, Callable[[], None]], None],
        unwatch: Callable[[int], None],
    ) -> None:
        self._path, self._answer, self._watch, self._unwatch = path, answer, watch, unwatch
        self._clients: dict[int, tuple[socket.socket, bytearray]] = {}
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.setblocking(False)
        self._listener.bind(str(path))
        self._listener.listen(8)
        watch(self._listener.fileno(), self._accept)

    def _accept(self) -> None:
        try:
            client, _ = self._listener.accept()
        except BlockingIOError:
            return
        client.settimeout(5.0)  # for the reply only: reading happens when the loop says readable
        number = client.fileno()
        self._clients[number] = (client, bytearray())
        self._watch(number, lambda: self._read(number))

    def _read(self, number: int) -> None:
        client, buffer = self._clients[number]
        try:
            data = client.recv(65536)
        except OSError:
            data = b""
        if not data:
            self._drop(number)
            return
        buffer += data
        while b"\n" in buffer:
            line, _, rest = bytes(buffer).partition(b"\n")
            buffer[:] = rest
            try:
                client.sendall(json.dumps(self._reply(line)).encode() + b"\n")
            except OSError:
                self._drop(number)
                return

    def _drop(self, number: int) -> None:
        self._unwatch(number)
        client, _ = self._clients.pop(number)
        client.close()

    def _reply(self, line: bytes) -> Request:
        try:
            return {"ok": True, **self._answer(json.loads(line))}
        except (CommandError, KeyError, TypeError, ValueError) as problem:
            return {"ok": False, "error": f"{type(problem).__name__}: {problem}"}

    def close(self) -> None:
        for number in list(self._clients):
            self._drop(number)
        self._unwatch(self._listener.fileno())
        self._listener.close()
        self._path.unlink(missing_ok=True)


class CommandError(Exception):
    """The control command cannot be carried out; the text says why."""


class Fixture(ABC):
    """Registry of named widgets and the control commands; a subclass supplies the toolkit.

    A name which is taken gets a suffix (`OK#2`), in the registry, the log and the geometry alike.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.log = EventLog(options.log)
        self.widgets: dict[str, Any] = {}
        self.removed: list[Any] = []  # keeps taken-out objects alive: their toolkit object must not die
        self.gone_count = 0

    # ---- registry

    def register(self, name: str, widget: Any) -> Any:
        key, number = name, 1
        while key in self.widgets:
            number += 1
            key = f"{name}#{number}"
        self.widgets[key] = widget
        return widget

    def unregister(self, *widgets: Any) -> None:
        for widget in widgets:
            self.widgets.pop(self.name_of(widget), None)

    def name_of(self, widget: Any) -> str:
        """Name of a widget now; a removed one has `(removed)`, which no test can mistake for a target."""
        return next((name for name, known in self.widgets.items() if known is widget), "(removed)")

    def find(self, name: str) -> Any:
        if name not in self.widgets:
            raise CommandError(f"no widget {name!r}; there are {sorted(self.widgets)}")
        return self.widgets[name]

    # ---- what buttons of the form do, equal in all toolkits

    def clicked(self, widget: Any) -> None:
        name = self.name_of(widget)
        self.log.write("click", name)
        if name == "Go":
            self.gone_count += 1
            self.set_label(self.find("Status"), f"gone {self.gone_count}")
        elif name == "Slow":
            time.sleep(SLOW_SECONDS)  # meant: a handler which blocks the main loop
            self.log.write("slow_done", name)
        elif name == "Open dialog":
            self.open_dialog()
        elif name == "Close me":
            self.close_window()

    def log_ready(self, is_settled: Callable[[], bool], after: Callable[[int, Callable[[], None]], None]) -> None:
        """Log "ready" when the window is on the screen and in its place; `after(ms, call)` is the toolkit's timer."""
        deadline = time.monotonic() + READY_SECONDS

        def look() -> None:
            if is_settled() or time.monotonic() > deadline:
                self.log.write("ready", self.options.title, os.getpid())
            else:
                after(10, look)

        look()

    def is_placed(self, x: int, y: int) -> bool:
        """Tell whether a client area at this root place agrees with `--at`."""
        if not self.options.at:
            return True
        dx, dy = x - self.options.at[0], y - self.options.at[1]
        return 0 <= dx <= BORDER_MAX and 0 <= dy <= BORDER_MAX

    def dropped(self, x: int, y: int) -> None:
        """Log where a press on Parcel was released (root px)."""
        shelf = self.visible_rect(self.find("Shelf"))
        if shelf is not None and shelf[0] <= x < shelf[0] + shelf[2] and shelf[1] <= y < shelf[1] + shelf[3]:
            self.log.write("drop", "Shelf", "Parcel")
        else:
            self.log.write("drop_missed", None, [x, y])

    # ---- control commands: do_<name>

    def answer(self, request: Request) -> Request:
        command = getattr(self, f"do_{request['do']}", None)
        if command is None:
            raise CommandError(f"unknown command {request['do']!r}")
        return command(**{key: value for key, value in request.items() if key != "do"}) or {}

    def do_geometry(self) -> Request:
        places = {name: self.visible_rect(widget) for name, widget in self.widgets.items()}
        places |= self.part_rects()
        return {
            "widgets": {name: rect for name, rect in places.items() if rect is not None},
            "window": self.window_rect(),
        }

    def do_values(self) -> Request:
        values = {name: self.value_of(widget) for name, widget in self.widgets.items()}
        return {
            "values": {name: value for name, value in values.items() if value is not None},
            "enabled": {name: self.is_enabled(widget) for name, widget in self.widgets.items()},
            "focus": self.focused_name(),
        }

    def do_remove(self, name: str) -> None:
        widget = self.find(name)
        self.take_out(widget)
        self.unregister(widget)
        self.removed.append(widget)

    def do_insert(self, name: str, index: int) -> Request:
        before = set(self.widgets)
        self.put_in(name, index)
        return {"names": sorted(set(self.widgets) - before)}

    def do_rename(self, name: str, to: str) -> None:
        widget = self.find(name)
        self.set_label(widget, to)
        self.unregister(widget)
        self.register(to, widget)

    def do_enable(self, name: str, on: bool) -> None:
        self.set_enabled(self.find(name), on)

    def do_show(self, name: str, on: bool) -> None:
        self.set_shown(self.find(name), on)

    def do_move(self, x: int, y: int) -> None:
        self.move_window(x, y)

    def do_resize(self, w: int, h: int) -> None:
        self.resize_window(w, h)

    def do_minimise(self) -> None:
        self.minimise_window()

    def do_window(self, title: str) -> None:
        self.open_other(title)

    def do_close(self) -> None:
        self.close_window()

    def do_quit(self) -> None:
        self.quit()

    # ---- what a toolkit supplies; rectangles are [x, y, w, h] in physical root px

    @abstractmethod
    def visible_rect(self, widget: Any) -> Rect | None:
        """Return the visible part of a widget, None when nothing of it can be seen."""

    @abstractmethod
    def window_rect(self) -> Rect | None:
        """Return the client area of the main window."""

    def part_rects(self) -> dict[str, Rect | None]:
        """Return rectangles of things which are no widgets of their own (rows, tabs, menu items)."""
        return {}

    @abstractmethod
    def value_of(self, widget: Any) -> object:
        """Return text, number or state of a field; None for a widget which has none."""

    @abstractmethod
    def is_enabled(self, widget: Any) -> bool: ...

    @abstractmethod
    def focused_name(self) -> str | None: ...

    @abstractmethod
    def take_out(self, widget: Any) -> None: ...

    @abstractmethod
    def put_in(self, name: str, index: int) -> None: ...

    @abstractmethod
    def set_label(self, widget: Any, text: str) -> None: ...

    @abstractmethod
    def set_enabled(self, widget: Any, on: bool) -> None: ...

    @abstractmethod
    def set_shown(self, widget: Any, on: bool) -> None: ...

    @abstractmethod
    def move_window(self, x: int, y: int) -> None: ...

    @abstractmethod
    def resize_window(self, w: int, h: int) -> None: ...

    @abstractmethod
    def minimise_window(self) -> None: ...

    @abstractmethod
    def open_other(self, title: str) -> None: ...

    @abstractmethod
    def open_dialog(self) -> None: ...

    @abstractmethod
    def close_window(self) -> None: ...

    @abstractmethod
    def quit(self) -> None: ...


def clip(rect: Rect, frames: Iterable[Rect]) -> Rect | None:
    """Return the part of a rectangle inside all frames, None when that is empty."""
    left, top, right, bottom = rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3]
    for x, y, w, h in frames:
        left, top, right, bottom = max(left, x), max(top, y), min(right, x + w), min(bottom, y + h)
    return [left, top, right - left, bottom - top] if right > left and bottom > top else None


class _Attributes(ctypes.Structure):
    """XWindowAttributes of Xlib.h, up to the last field which is used."""

    _fields_ = [
        *[(name, ctypes.c_int) for name in ("x", "y", "width", "height", "border_width", "depth")],
        ("visual", ctypes.c_void_p),
        ("root", ctypes.c_ulong),
        *[(name, ctypes.c_int) for name in ("window_class", "bit_gravity", "win_gravity", "backing_store")],
        ("backing_planes", ctypes.c_ulong),
        ("backing_pixel", ctypes.c_ulong),
        ("save_under", ctypes.c_int),
        ("colormap", ctypes.c_ulong),
        ("map_installed", ctypes.c_int),
        ("map_state", ctypes.c_int),
        ("rest", ctypes.c_char * 64),
    ]


class Xlib:
    """The few Xlib calls which some toolkits do not offer, on a connection of our own."""

    def __init__(self) -> None:
        self._x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = ctypes.c_ulong
        self._x.XKeysymToString.restype = ctypes.c_char_p
        display = self._x.XOpenDisplay(None)
        if not display:
            raise SystemExit(f"no X display {os.environ.get('DISPLAY')!r}")
        self._display = ctypes.c_void_p(display)
        self._root = ctypes.c_ulong(self._x.XDefaultRootWindow(self._display))

    def origin(self, window: int) -> tuple[int, int]:
        x, y, child = ctypes.c_int(), ctypes.c_int(), ctypes.c_ulong()
        self._x.XTranslateCoordinates(
            self._display, ctypes.c_ulong(window), self._root, 0, 0,
            ctypes.byref(x), ctypes.byref(y), ctypes.byref(child),
        )  # fmt: skip
        return x.value, y.value

    def is_viewable(self, window: int) -> bool:
        found = _Attributes()
        known = self._x.XGetWindowAttributes(self._display, ctypes.c_ulong(window), ctypes.byref(found))
        return bool(known) and found.map_state == 2  # IsViewable of X.h

    def move(self, window: int, x: int, y: int) -> None:
        self._x.XMoveWindow(self._display, ctypes.c_ulong(window), x, y)
        self._x.XFlush(self._display)

    def key_name(self, keysym: int) -> str:
        name = self._x.XKeysymToString(ctypes.c_ulong(keysym))
        return name.decode() if name else f"0x{keysym:x}"


def ask(path: Path | str, timeout: float = 5.0, **request: object) -> dict[str, Any]:
    """Send one control command to a fixture application and return its reply, e.g. `ask(p, do="geometry")`."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(timeout)
        client.connect(str(path))
        client.sendall(json.dumps(request).encode() + b"\n")
        with client.makefile("rb") as lines:
            reply: dict[str, Any] = json.loads(lines.readline())
    if not reply["ok"]:
        raise CommandError(reply["error"])
    return reply


def read_log(path: Path) -> list[dict[str, Any]]:
    """Return all complete lines of an event log."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
