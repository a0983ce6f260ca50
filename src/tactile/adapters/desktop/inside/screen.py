"""Wait for the window manager with a minimal X11 client: connect, watch the root window, read one property."""

from __future__ import annotations

import socket
import struct
import time

INTERN_ATOM, CHANGE_WINDOW_ATTRIBUTES, GET_PROPERTY = 16, 2, 20
EVENT_MASK, PROPERTY_CHANGE = 0x800, 0x400000
COOKIE_NAME = b"MIT-MAGIC-COOKIE-1"


class ScreenError(Exception):
    """The X server refused the connection, or said nothing in time."""


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


class Screen:
    """One X11 connection that knows the first root window.

    Units:
        The deadline is in seconds of `time.monotonic`.
    """

    def __init__(self, path: str, cookie: bytes, deadline: float) -> None:
        self._deadline = deadline
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.root = self._join(path, cookie)
        except BaseException:
            self.close()
            raise

    def _join(self, path: str, cookie: bytes) -> int:
        self._socket.settimeout(max(self._deadline - time.monotonic(), 0.001))
        self._socket.connect(path)
        hello = struct.pack("<cxHHHHxx", b"l", 11, 0, len(COOKIE_NAME), len(cookie))
        self._socket.sendall(hello + _padded(COOKIE_NAME) + _padded(cookie))
        head = self._exactly(8)
        setup = self._exactly(int.from_bytes(head[6:8], "little") * 4)
        if head[0] != 1:
            raise ScreenError(f"the X server refused the connection: {setup[: head[1]]!r}")
        vendor, formats = int.from_bytes(setup[16:18], "little"), setup[21]
        at = 32 + vendor + (-vendor % 4) + 8 * formats
        return int.from_bytes(setup[at : at + 4], "little")

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def wait_for_root_property(self, name: str) -> None:
        """Return as soon as the root window has the property; watched by events, not polled.

        Raises:
            ScreenError: It did not appear before the deadline.
        """
        raw = name.encode()
        body = _padded(struct.pack("<HH", len(raw), 0) + raw)
        self._send(INTERN_ATOM, body)
        atom = int.from_bytes(self._reply()[8:12], "little")
        self._send(CHANGE_WINDOW_ATTRIBUTES, struct.pack("<III", self.root, EVENT_MASK, PROPERTY_CHANGE))
        while True:
            self._send(GET_PROPERTY, struct.pack("<IIIII", self.root, atom, 0, 0, 1))
            if int.from_bytes(self._reply()[8:12], "little"):  # its type; 0 when there is no such property
                return
            self._packet()  # the next change of any property of the root window

    def _send(self, opcode: int, body: bytes) -> None:
        self._socket.sendall(struct.pack("<BBH", opcode, 0, 1 + len(body) // 4) + body)

    def _reply(self) -> bytes:
        while True:
            packet = self._packet()
            if packet[0] == 1:
                return packet
            if packet[0] == 0:
                raise ScreenError(f"the X server answered with error {packet[1]}")

    def _packet(self) -> bytes:
        packet = self._exactly(32)
        return packet + self._exactly(int.from_bytes(packet[4:8], "little") * 4) if packet[0] == 1 else packet

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            self._socket.settimeout(max(self._deadline - time.monotonic(), 0.001))
            try:
                part = self._socket.recv(size - len(data))
            except TimeoutError as error:
                raise ScreenError("no answer in time") from error
            if not part:
                raise ScreenError("the X server closed the connection")
            data += part
        return data


def wait_for_window_manager(path: str, cookie: bytes, deadline: float) -> None:
    """Return when a window manager has announced itself as EWMH asks.

    Source:
        Extended Window Manager Hints, `_NET_SUPPORTING_WM_CHECK`.
    """
    screen = Screen(path, cookie, deadline)
    try:
        screen.wait_for_root_property("_NET_SUPPORTING_WM_CHECK")
    finally:
        screen.close()
