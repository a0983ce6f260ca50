"""A real X server with openbox, and a GTK 3 window that logs every event it gets: the ground truth of test_x11."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tactile.adapters.x11 import X11Adapter
from tactile.adapters.x11.display import Display
from tactile.records.observation import Window

QUIET_S = 0.3  # how long a log must stay silent to say that nothing arrived
OPENBOX = """<openbox_config xmlns="http://openbox.org/3.4/rc"><focus><focusNew>yes</focusNew></focus>
<desktops><number>1</number></desktops><keyboard></keyboard></openbox_config>"""

LOGGER = r"""
import json, sys
import gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk
def log(**fields):
    print(json.dumps(fields), flush=True)
title, x, y = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
window = Gtk.Window(title=title)
window.set_default_size(400, 300)
window.move(x, y)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)
entry = Gtk.Entry()
box.pack_start(entry, False, False, 0)
area = Gtk.EventBox()  # paints the background of its style
box.pack_start(area, True, True, 0)
style = Gtk.CssProvider()
style.load_from_data(b"#area { background: rgb(255, 128, 0); }")
area.set_name("area")
area.get_style_context().add_provider(style, Gtk.STYLE_PROVIDER_PRIORITY_USER)
mask = Gdk.EventMask
area.add_events(mask.BUTTON_PRESS_MASK | mask.BUTTON_RELEASE_MASK | mask.SCROLL_MASK | mask.POINTER_MOTION_MASK)
menu = Gtk.Menu()
menu.append(Gtk.MenuItem(label="One"))
menu.show_all()
def button(_, event):
    log(kind=event.type.value_nick, button=event.button, at=[event.x_root, event.y_root], state=int(event.state) & 255)
    if event.button == 3 and event.type == Gdk.EventType.BUTTON_PRESS:
        menu.popup_at_pointer(event)
    return True
def scroll(_, event):
    log(kind="scroll", direction=event.direction.value_nick, at=[event.x_root, event.y_root])
    return True
def motion(_, event):
    log(kind="motion", at=[event.x_root, event.y_root], state=int(event.state) & 0x1fff)
    return True
def key(_, event):
    log(kind="key", name=Gdk.keyval_name(event.keyval), state=int(event.state) & 255)
def command(*_):
    word = sys.stdin.readline().strip()
    if not word:
        Gtk.main_quit()
        return False
    if word == "iconify":
        window.iconify()
    log(kind="done", text=entry.get_text(), xid=window.get_window().get_xid())
    return True
area.connect("button-press-event", button)
area.connect("button-release-event", button)
area.connect("scroll-event", scroll)
area.connect("motion-notify-event", motion)
window.connect("key-press-event", key)
window.connect("destroy", Gtk.main_quit)
window.connect("map-event", lambda *_: log(kind="mapped"))
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, command)
window.show_all()
area.get_window().set_event_compression(False)  # or motions of one frame come as one
Gtk.main()
"""

Event = dict[str, Any]


@dataclass
class App:
    """The event logger, running."""

    process: subprocess.Popen[str]
    events: queue.Queue[Event] = field(default_factory=queue.Queue)
    log: list[Event] = field(default_factory=list)

    def wait(self, wanted: Callable[[Event], bool], seconds: float = 5.0) -> Event | None:
        """Read the log until an event is there; None when it does not come."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            try:
                self.log.append(self.events.get(timeout=rest))
            except queue.Empty:
                return None
            if wanted(self.log[-1]):
                return self.log[-1]
        return None

    def ask(self, word: str = "report") -> Event:
        """Send a command; the answer tells the entry's text and the window's id."""
        assert self.process.stdin is not None
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        answer = self.wait(lambda event: event["kind"] == "done")
        assert answer is not None, "the logger does not answer"
        return answer

    def text_is(self, text: str, seconds: float = 6.0) -> str:
        """Return the entry's text, as soon as it is `text`, or whatever it is at the end."""
        end = time.monotonic() + seconds
        while (found := str(self.ask()["text"])) != text and time.monotonic() < end:
            self.wait(lambda event: False, 0.05)
        return found

    def quiet(self) -> list[Event]:
        """Wait for silence and return what came, focus and redraw aside."""
        self.wait(lambda event: False, QUIET_S)
        return [event for event in self.log if event["kind"] not in {"mapped", "done"}]


@dataclass
class Server:
    """An X server, perhaps with a window manager."""

    display: str
    process: subprocess.Popen[bytes]
    window_manager: subprocess.Popen[bytes] | None = None
    started: list[subprocess.Popen[Any]] = field(default_factory=list)
    readers: list[threading.Thread] = field(default_factory=list)

    def run(self, *argv: str) -> str:
        """Run an X tool to its end and return what it says."""
        return subprocess.run(
            argv, env=self.environment(), check=True, text=True, capture_output=True, timeout=10
        ).stdout

    def environment(self) -> dict[str, str]:
        """Return the environment of its clients."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return kept | {"DISPLAY": self.display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "LANG": "C.UTF-8"}

    def app(self, title: str = "Log", x: int = 100, y: int = 80) -> App:
        """Start the logger and wait until its window is there."""
        argv = ["/usr/bin/python3", "-c", LOGGER, title, str(x), str(y)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(argv, env=self.environment(), text=True, stdin=pipe, stdout=pipe)
        self.started.append(process)
        app = App(process)

        def read() -> None:
            for line in process.stdout or ():
                app.events.put(json.loads(line))

        self.readers.append(threading.Thread(target=read, daemon=True))
        self.readers[-1].start()
        assert app.wait(lambda event: event["kind"] == "mapped", 15.0), "the logger did not start"
        app.ask()
        return app

    def start(self, *argv: str) -> None:
        """Start another application; it ends with the test."""
        environment = self.environment() | {"GSK_RENDERER": "cairo", "QT_QPA_PLATFORM": "xcb"}
        self.started.append(subprocess.Popen(argv, env=environment, stderr=subprocess.DEVNULL))

    def stop_apps(self) -> None:
        """End the loggers of one test."""
        for process in self.started:
            process.kill()
        while self.readers:  # they end with what they read from, and must have ended before it is closed
            self.readers.pop().join(10)
        while self.started:
            self.started.pop().communicate(timeout=10)


def start_server(folder: Path, program: str, *options: str, wm: bool = True) -> Server:
    """Start an X server on a display of its own choice."""
    if shutil.which(program) is None or (wm and shutil.which("openbox") is None):
        pytest.skip(f"{program} or openbox is not installed")
    argv = [program, "-nolisten", "tcp", "-noreset"]
    if program == "Xvnc":
        argv += ["-geometry", "1280x800", "-depth", "24", "-rfbport", "-1", "-SecurityTypes", "None"]
        argv += ["-rfbunixpath", str(folder / "vnc")]
    else:
        argv += ["-screen", "0", "1280x800x24"]
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [*argv, *options, "-displayfd", str(writing)], pass_fds=[writing], stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading, "rb") as line:
        number = line.readline().strip().decode()
    assert number, f"{program} did not start"
    server = Server(f":{number}", process)
    if wm:
        (folder / "openbox.xml").write_text(OPENBOX, encoding="utf-8")
        server.window_manager = subprocess.Popen(
            ["openbox", "--config-file", str(folder / "openbox.xml"), "--sm-disable"],
            env=server.environment(),
            stderr=subprocess.DEVNULL,
        )
    return server


def end_server(server: Server) -> None:
    """End the server; its clients end with it."""
    server.stop_apps()
    server.process.send_signal(signal.SIGCONT)
    server.process.terminate()  # it then removes its socket and lock
    try:
        server.process.wait(5)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait(5)
    if server.window_manager is not None:
        server.window_manager.kill()
        server.window_manager.wait(10)


async def focused(x11: X11Adapter, app: App) -> int:
    """Give the logger the keyboard; return its window."""
    window = int(app.ask()["xid"])
    assert await x11.activate(window, 5.0)
    app.log.clear()
    return window


def keys_of(app: App) -> list[tuple[str, int]]:
    """Return the keys that arrived."""
    return [(event["name"], event["state"]) for event in app.quiet() if event["kind"] == "key"]


def held(server: Server) -> list[int]:
    """Return keycodes and buttons that are down, by another client's eyes."""
    display = Display.open(server.display, None)
    bits = display.core.QueryKeymap().reply().keys
    down = [code for code in range(256) if bits[code // 8] & (1 << code % 8)]
    mask = display.pointer()[1]
    display.disconnect()
    return down + [button for button in range(1, 6) if mask & (0x80 << button)]


def by_id(windows: tuple[Window, ...], native: int) -> Window:
    """Return one window of a list."""
    return next(window for window in windows if window.native_id == native)
