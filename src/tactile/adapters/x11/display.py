"""The connection to one X server; every method blocks and belongs on the worker thread."""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
from pathlib import Path
from typing import Any

import xcffib
import xcffib.res
import xcffib.shape
import xcffib.xkb
import xcffib.xproto
import xcffib.xtest

from tactile.adapters.x11.authority import COOKIE_NAME, cookie_for, display_number
from tactile.errors import Effect, PlatformError, SetupError
from tactile.records.geometry import Point

# xcffib says it is typed and is not; strict checking would refuse every call.
_XCFFIB: Any = xcffib
XPROTO: Any = xcffib.xproto
XRES: Any = xcffib.res
SHAPE: Any = xcffib.shape
_XKB: Any = xcffib.xkb

ATOM_NAMES = (
    "UTF8_STRING",
    "WM_NAME",
    "WM_CLASS",
    "WM_STATE",
    "WM_TRANSIENT_FOR",
    "_GTK_FRAME_EXTENTS",
    "_NET_ACTIVE_WINDOW",
    "_NET_CLIENT_LIST_STACKING",
    "_NET_FRAME_EXTENTS",
    "_NET_SUPPORTING_WM_CHECK",
    "_NET_WM_NAME",
    "_NET_WM_PID",
    "_NET_WM_STATE",
    "_NET_WM_STATE_ABOVE",
    "_NET_WM_STATE_HIDDEN",
    "_NET_WM_STATE_MODAL",
    "_NET_WM_WINDOW_TYPE",
    "_NET_WM_WINDOW_TYPE_DOCK",
    "_TACTILE_TIME",
)

# XTEST event kinds are the numbers of the core events.
KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE, MOTION = 2, 3, 4, 5, 6

ANCESTORS_MAX = 16  # windows between a focused one and the root; toolkits nest two to four
EVENTS_DRAINED_MAX = 10_000  # between two calls; a bound against a server that sends faster than we read


class AbandonedError(Exception):
    """Nobody waits for this work any more; it stops at a safe place. Never reaches a caller."""


def _connect(display: str, cookie: bytes | None) -> Any:
    """Connect with a cookie of our choice.

    Source:
        xcffib 1.13's own `auth` argument lets the buffers of name and cookie go before libxcb reads them (the server
        then answers "Authorization protocol not supported"; seen on Python 3.13), so they are held here.
    """
    if cookie is None:
        return _XCFFIB.connect(display=display)  # libxcb then looks where every X client looks
    ffi, lib = _XCFFIB.ffi, _XCFFIB.lib
    name, data, screen = ffi.new("char[]", COOKIE_NAME), ffi.new("char[]", cookie), ffi.new("int *")
    sizes = {"namelen": len(COOKIE_NAME), "datalen": len(cookie)}
    authorization = ffi.new("xcb_auth_info_t *", {"name": name, "data": data, **sizes})
    pointer = lib.xcb_connect_to_display_with_auth_info(display.encode("latin1"), authorization, screen)
    try:
        connection = _XCFFIB.wrap(pointer)
    except xcffib.XcffibException:
        lib.xcb_disconnect(pointer)
        raise
    connection.pref_screen = screen[0]
    return connection


def _cookie(display: str, xauthority: str | None) -> bytes | None:
    if xauthority is None:
        return None
    try:
        content = Path(xauthority).read_bytes()
    except OSError as error:
        message = f"X authority file {xauthority} cannot be read: {error.strerror}"
        raise SetupError(message, hint="Give the XAUTHORITY of the session that owns the display.") from error
    return cookie_for(content, display)


class Display:
    """One open connection.

    Attributes:
        abandoned: Set by the worker for each piece of work; checked wherever stopping is safe.
    """

    def __init__(self, connection: Any, name: str) -> None:
        self.name = name
        self.connection = connection
        self.core = connection.core
        self.setup = connection.get_setup()
        self.screen = self.setup.roots[connection.pref_screen]
        self.root: int = self.screen.root
        self.abandoned = threading.Event()
        self.xtest = self._extension("XTEST", xcffib.xtest)
        self.shape = self._extension("SHAPE", xcffib.shape)
        self.resources: Any = self._optional_resources()
        self._xkb: Any = None
        self._time_window = 0
        self._atoms = self._intern(ATOM_NAMES)

    @classmethod
    def open(cls, display: str, xauthority: str | None) -> Display:
        """Connect.

        Raises:
            SetupError: The display cannot be opened, or lacks XTEST.
        """
        if display_number(display) is None:
            raise SetupError(f'"{display[:80]}" is not an X display name', hint='Give DISPLAY as ":0" or ":5.0".')
        try:
            connection = _connect(display, _cookie(display, xauthority))
        except xcffib.XcffibException as error:
            message = f"X display {display} cannot be opened ({error})"
            hint = "Check that an X server runs there and that XAUTHORITY names its authority file."
            raise SetupError(message, hint=hint) from error
        return cls(connection, display)

    def _extension(self, name: str, module: Any) -> Any:
        reply = self.core.QueryExtension(len(name), name).reply()
        if not reply.present:
            raise SetupError(f"X display {self.name} lacks the {name} extension", hint="Use Xvnc, Xvfb or Xorg.")
        return self.connection(module.key)

    def _optional_resources(self) -> Any:
        """Return the X-Resource extension if it can name the process of a client; windows do without."""
        name = "X-Resource"
        if not self.core.QueryExtension(len(name), name).reply().present:
            return None
        resources = self.connection(XRES.key)
        version = resources.QueryVersion(1, 2).reply()
        return resources if (version.server_major, version.server_minor) >= (1, 2) else None

    def _intern(self, names: tuple[str, ...]) -> dict[str, int]:
        cookies = [self.core.InternAtom(False, len(name), name) for name in names]
        return {name: cookie.reply().atom for name, cookie in zip(names, cookies, strict=True)}

    def atom(self, name: str) -> int:
        """Return the number of one of ATOM_NAMES."""
        return self._atoms[name]

    # ------------------------------------------------------------ stopping and waiting

    def check_abandoned(self) -> None:
        """Stop the work at hand when nobody waits for it.

        Raises:
            AbandonedError: That is so.
        """
        if self.abandoned.is_set():
            raise AbandonedError

    def pause(self, seconds: float) -> None:
        """Pace input; ends at once when the work is abandoned."""
        if seconds > 0:
            self.connection.flush()
            self.abandoned.wait(seconds)
        self.check_abandoned()

    def sync(self) -> int:
        """Wait until the server has taken everything sent; return the window with the keyboard focus."""
        focus: int = self.core.GetInputFocus().reply().focus
        self.check_abandoned()
        return focus

    def drain_events(self) -> bool:
        """Throw away events (keymap changes go to every client); tell whether there were any."""
        for taken in range(EVENTS_DRAINED_MAX):
            if not self._take_event():
                return taken > 0
        return True

    def _take_event(self) -> bool:
        try:
            return self.connection.poll_for_event() is not None
        except xcffib.ConnectionException:
            raise
        except (xcffib.XcffibException, IndexError):
            return True  # the error of a request about a window that is gone, or an event unknown to xcffib

    def wait_readable(self, seconds: float) -> None:
        """Wait until the server sends something, at most this long."""
        self.connection.flush()
        select.select([self.connection.get_file_descriptor()], [], [], max(seconds, 0.0))
        self.check_abandoned()

    # ------------------------------------------------------------ small facts

    def size(self) -> tuple[int, int]:
        """Return width and height of the root window, in px."""
        geometry = self.core.GetGeometry(self.root).reply()
        return geometry.width, geometry.height

    def pointer(self) -> tuple[Point, int]:
        """Return where the pointer is, and the mask of modifiers and buttons."""
        reply = self.core.QueryPointer(self.root).reply()
        return Point(x=reply.root_x, y=reply.root_y), reply.mask

    def property(self, window: int, name: str, max_bytes: int = 4096) -> Any:
        """Ask for a property of any type; returns the cookie, so that requests can be sent in bulk."""
        return self.core.GetProperty(False, window, self._atoms[name], 0, 0, max_bytes // 4)

    def numbers(self, cookie: Any) -> tuple[int, ...]:
        """Return the 32-bit values of a property; empty when the property or its window is not there."""
        try:
            reply = cookie.reply()
        except xcffib.Error:
            return ()
        if reply.format != 32:
            return ()
        raw = reply.value.buf()
        return struct.unpack(f"={len(raw) // 4}I", raw)

    def toplevel_of(self, window: int) -> int | None:
        """Return the child of the root a window lies in; None when it is gone or no window."""
        for _ in range(ANCESTORS_MAX):
            if window in {0, 1, self.root}:
                return None
            try:
                parent: int = self.core.QueryTree(window).reply().parent
            except xcffib.Error:
                return None
            if parent == self.root:
                return window
            window = parent
        return None

    def is_within(self, window: int, ancestor: int) -> bool:
        """Tell whether a window is `ancestor` or lies in it."""
        for _ in range(ANCESTORS_MAX):
            if window == ancestor:
                return True
            if window in {0, 1, self.root}:
                return False
            try:
                window = self.core.QueryTree(window).reply().parent
            except xcffib.Error:
                return False
        return False

    def has_window_manager(self) -> bool:
        """Tell whether a live EWMH window manager runs: its check window must name itself."""
        named = self.numbers(self.property(self.root, "_NET_SUPPORTING_WM_CHECK"))
        if not named:
            return False
        return self.numbers(self.property(named[0], "_NET_SUPPORTING_WM_CHECK")) == named

    def keyboard_group(self) -> tuple[int, int]:
        """Return the active keyboard group (0 is the first) and how many there are."""
        if self._xkb is None:
            self._xkb = self._extension("XKEYBOARD", _XKB)
            self._xkb.UseExtension(1, 0).reply()
        core_keyboard = _XKB.ID.UseCoreKbd
        state, controls = self._xkb.GetState(core_keyboard), self._xkb.GetControls(core_keyboard)
        return state.reply().group, controls.reply().numGroups

    def server_time(self) -> int:
        """Return the server's time in ms, which window managers compare activation requests by."""
        if not self._time_window:
            self._time_window = self.connection.generate_id()
            self.core.CreateWindow(
                0, self._time_window, self.root, -10, -10, 1, 1, 0, XPROTO.WindowClass.InputOnly, 0,
                XPROTO.CW.EventMask, [XPROTO.EventMask.PropertyChange],
            )  # fmt: skip
        self.drain_events()
        atom = self._atoms["_TACTILE_TIME"]
        self.core.ChangeProperty(XPROTO.PropMode.Append, self._time_window, atom, XPROTO.Atom.INTEGER, 32, 0, [])
        self.sync()  # the notice comes before this answer
        while (event := self.connection.poll_for_event()) is not None:
            if isinstance(event, XPROTO.PropertyNotifyEvent):
                return int(event.time)
        return int(XPROTO.Time.CurrentTime)

    # ------------------------------------------------------------ input

    def fake(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        """Send one XTEST event; errors come back with the next sync.

        Raises:
            AbandonedError: Nobody waits any more; only releases are still sent. A server that was stopped and goes
                on would otherwise get a click that its caller has given up long ago.
        """
        if kind not in {KEY_RELEASE, BUTTON_RELEASE}:
            self.check_abandoned()
        self.xtest.FakeInput(kind, detail, 0, self.root, x, y, 0)

    def release_all(self) -> None:
        """Release every key and pointer button that is down, so that nothing stays held.

        Source:
            QueryKeymap shows what is down and an XTEST release clears it (measured on Xvnc and Xvfb).
        """
        keymap, pointer = self.core.QueryKeymap(), self.core.QueryPointer(self.root)
        bits = keymap.reply().keys
        for keycode in range(8, 256):
            if bits[keycode // 8] & (1 << keycode % 8):
                self.fake(KEY_RELEASE, keycode)
        mask = pointer.reply().mask
        for button in range(1, 6):
            if mask & (0x80 << button):
                self.fake(BUTTON_RELEASE, button)
        self.core.GetInputFocus().reply()

    def shut_down(self) -> None:
        """Cut the socket, from any thread: whatever waits for the server ends with an error."""
        try:
            with socket.socket(fileno=os.dup(self.connection.get_file_descriptor())) as line:
                line.shutdown(socket.SHUT_RDWR)
        except (OSError, xcffib.XcffibException):
            pass  # it is already cut

    def disconnect(self) -> None:
        """Free the connection; only on the worker thread."""
        self.connection.disconnect()


def platform_error(error: xcffib.XcffibException, what: str, effect: Effect) -> PlatformError:
    """Return the typed error for one that xcffib raised.

    Args:
        error: Native.
        what: Was being done.
        effect: What may have happened when that was interrupted.
    """
    if isinstance(error, xcffib.ConnectionException):
        return PlatformError(
            f"{what}: the connection to the X server is lost",
            hint="Call again: an isolated desktop that died is replaced by a new one, and its refs end with it.",
            effect=effect,
        )
    return PlatformError(f"{what}: the X server refused it ({type(error).__name__})", effect=effect)
