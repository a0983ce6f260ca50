"""A few blocking D-Bus calls over a plain socket: enough to wake the accessibility bus, nothing more."""

from __future__ import annotations

import os
import socket
import struct
import time

METHOD_CALL, METHOD_RETURN, ERROR = 1, 2, 3
PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE = 1, 2, 3, 4, 5, 6, 7, 8
MESSAGE_MAX = 1 << 20  # bytes; the replies awaited here are below one kilobyte


class BusError(Exception):
    """The bus refused a call, or is gone."""


def _padded(data: bytes, multiple: int) -> bytes:
    return data + b"\0" * (-len(data) % multiple)


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<I", len(raw)) + raw + b"\0"


def _field(code: int, signature: str, text: str) -> bytes:
    value = bytes([len(text)]) + text.encode() + b"\0" if signature == "g" else _string(text)
    return struct.pack("<BB", code, 1) + signature.encode() + b"\0" + value


def encode_call(
    serial: int, destination: str, path: str, interface: str, member: str, signature: str = "", body: bytes = b""
) -> bytes:
    """Build one method call, little-endian."""
    fields = [_field(PATH, "o", path), _field(INTERFACE, "s", interface), _field(MEMBER, "s", member)]
    fields.append(_field(DESTINATION, "s", destination))
    if signature:
        fields.append(_field(SIGNATURE, "g", signature))
    array = b""
    for field in fields:
        array = _padded(array, 8) + field
    head = struct.pack("<cBBBIII", b"l", METHOD_CALL, 0, 1, len(body), serial, len(array))
    return _padded(head + array, 8) + body


def encode_status(name: str, value: bool) -> bytes:
    """Build the body of Properties.Set for one boolean of org.a11y.Status."""
    body = _padded(_string("org.a11y.Status"), 4) + _string(name) + b"\x01b\0"
    return _padded(body, 4) + struct.pack("<I", value)


def _decode_fields(raw: bytes) -> dict[int, str | int]:
    fields: dict[int, str | int] = {}
    at = 0
    while at < len(raw):
        at += -at % 8
        code, signature = raw[at], raw[at + 2 : at + 3]
        at += 4  # code, signature length, one-letter signature, NUL
        if signature == b"g":
            size, at = raw[at], at + 1
        elif signature == b"u":
            fields[code] = int.from_bytes(raw[at : at + 4], "little")
            at += 4
            continue
        else:
            size, at = int.from_bytes(raw[at : at + 4], "little"), at + 4
        fields[code] = raw[at : at + size].decode("utf-8", "replace")
        at += size + 1
    return fields


class Bus:
    """One connection to a message bus; every call ends before the deadline given at the start.

    Args:
        address: `unix:path=...`, as printed by the daemon.
        deadline: On the monotonic clock.

    Units:
        Deadlines are seconds of `time.monotonic`.
    """

    def __init__(self, address: str, deadline: float) -> None:
        self._deadline = deadline
        self._serial = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._join(address.partition("path=")[2].partition(",")[0])
        except BaseException:
            self.close()
            raise

    def _join(self, path: str) -> None:
        self._limit()
        self._socket.connect(path)
        self._socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        answer = self._socket.recv(512)
        if not answer.startswith(b"OK"):
            raise BusError(f"the bus refused uid {os.getuid()}: {answer!r}")
        self._socket.sendall(b"BEGIN\r\n")
        self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

    def close(self) -> None:
        """Leave the bus."""
        self._socket.close()

    def call(
        self, destination: str, path: str, interface: str, member: str, signature: str = "", body: bytes = b""
    ) -> str:
        """Call a method and return its reply when that is one string, else "".

        Raises:
            BusError: The method failed, or no reply came before the deadline.
        """
        self._serial += 1
        self._limit()
        self._socket.sendall(encode_call(self._serial, destination, path, interface, member, signature, body))
        while True:
            kind, fields, reply = self._receive()
            if fields.get(REPLY_SERIAL) != self._serial:
                continue
            text = reply[4:-1].decode("utf-8", "replace") if fields.get(SIGNATURE) == "s" else ""
            if kind == ERROR:
                raise BusError(f"{member}: {fields.get(ERROR_NAME)} {text}".strip())
            return text

    def _limit(self) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise BusError("no answer in time")
        self._socket.settimeout(left)

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            self._limit()
            try:
                part = self._socket.recv(size - len(data))
            except TimeoutError as error:
                raise BusError("no answer in time") from error
            if not part:
                raise BusError("the bus closed the connection")
            data += part
        return data

    def _receive(self) -> tuple[int, dict[int, str | int], bytes]:
        head = self._exactly(16)
        body_size, array_size = (int.from_bytes(head[at : at + 4], "little") for at in (4, 12))
        if head[:1] != b"l" or body_size + array_size > MESSAGE_MAX:
            raise BusError(f"not a message of this bus: {head!r}")
        fields = _decode_fields(self._exactly(array_size))
        self._exactly(-array_size % 8)
        return head[1], fields, self._exactly(body_size)


def wake_accessibility(address: str, deadline: float) -> str:
    """Start the accessibility bus by asking for it, switch it on, and return its address.

    Source:
        Both properties are needed: some toolkits look at one, some at the other (AT-SPI, interface org.a11y.Status).
    """
    bus = Bus(address, deadline)
    try:
        found = bus.call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            body = encode_status(name, True)
            bus.call("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set", "ssv", body)
        return found
    finally:
        bus.close()
