"""A small D-Bus client for reading trees: thousands of calls in flight, one write and one read for many of them.

It speaks what reads need and no more: it sends method calls, takes their answers, and drops everything else. Acts,
signals and set-up stay with dbus-fast.

Source:
    D-Bus Specification 0.43, "Message Protocol" and "Authentication Protocol". Whether this is worth its lines is
    measured by `./dev bench --only bulk`.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import Sequence
from struct import Struct
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from tactile.adapters.atspi.calls import ANSWERS, LOST, MALFORMED, TOO_LARGE, UNEXPECTED, Batch, Call, Reply, ask_once
from tactile.adapters.atspi.marshal import decode, encode

MESSAGE_MAX = 16 * 2**20  # bytes of one answer that is taken; 4,000 objects of GTK 4's cache are about 1 MiB
LENGTH_MAX = 128 * 2**20  # bytes; the specification allows no longer message, so this is no D-Bus
HEAD_MAX = 16 * 1024  # bytes of header fields that are looked at; real ones have about 100
QUEUE_MAX = 2**20  # bytes that wait for the kernel; more is not taken
READ_MAX = 2**20  # bytes taken from the kernel at once
SOCKET_BUFFER = 2**20  # bytes, each way; the kernel may give less
GREETING_MAX = 1024  # bytes of one line of the other side before it lets us in
HEADS_KEPT = 256  # shapes of answer headers remembered
TEMPLATES_KEPT = 1024  # calls remembered, each without its path

CALL, RETURN, ERROR = 1, 2, 3
LITTLE, BIG = 0x6C, 0x42  # "l" and "B"
_ERROR_NAME, _REPLY_SERIAL, _SIGNATURE = 4, 5, 8  # header fields
_SERIAL_FIELD = b"\x05\x01u\0"  # what stands before the reply serial
_OBJECT_PATH = re.compile(r"/|(/[A-Za-z0-9_]+)+")
_NAME = re.compile(r"[A-Za-z0-9_.:-]{1,255}")
_HEAD = Struct("<BBBBIII")
_U32 = Struct("<I")
_HEADS = {LITTLE: _HEAD, BIG: Struct(">BBBBIII")}  # order, kind, flags, version, size of body, serial, size of fields
_U32S = {LITTLE: _U32, BIG: Struct(">I")}


class WireError(ConnectionError):
    """The other side does not speak D-Bus as it must; the connection is of no use."""


# ---------------------------------------------------------------- calls as bytes


class Template(NamedTuple):
    """A method call without serial and path: they are all that differs from one object to the next."""

    fields: bytes
    body: bytes
    answer: str | None


def template(call: Call) -> Template:
    """Prepare a call.

    Raises:
        ValueError: Its names or arguments cannot be sent.
    """
    names = ((2, call.interface), (3, call.member), (6, call.destination))
    for _, name in names:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"{name!r} is no name on a bus")
    out = bytearray()
    for code, name in names:
        out += bytes((code, 1, ord("s"), 0)) + encode("s", (name,))
        out += bytes(-len(out) % 8)
    if call.signature:
        out += b"\x08\x01g\0" + encode("g", (call.signature,))
        out += bytes(-len(out) % 8)
    out += b"\x01\x01o\0"
    return Template(bytes(out), encode(call.signature, call.body), ANSWERS.get((call.interface, call.member)))


def path_field(path: str) -> bytes:
    """Write the path, which ends the header fields.

    Raises:
        ValueError: It is no object path; a bus would end the connection over it.
    """
    if _OBJECT_PATH.fullmatch(path) is None:
        raise ValueError(f"{path!r} is no object path")
    return encode("o", (path,))


def message(serial: int, prepared: Template, path: bytes) -> bytes:
    """Put a method call together.

    Args:
        serial: Of this call on its connection, not 0.
        prepared: What does not depend on the object.
        path: Of the object, as `path_field` wrote it.
    """
    fields, body, _ = prepared
    size = len(fields) + len(path)  # the padding behind the fields does not count as theirs
    return b"".join((_HEAD.pack(LITTLE, CALL, 0, 1, len(body), serial, size), fields, path, bytes(-size % 8), body))


# ---------------------------------------------------------------- answers out of bytes


class Frame(NamedTuple):
    """One answer as it came in.

    Attributes:
        error: D-Bus error name, "" when there is none.
        body: None when it was too large to be taken.
    """

    kind: int
    reply_serial: int
    error: str
    signature: str
    body: bytes | None
    is_little: bool


class Frames:
    """Cuts a stream of bytes into answers; a message that is no answer is dropped."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._needed = 16  # bytes without which nothing more can be told
        self._skip = 0  # bytes to come of a message that is not wanted
        self._places: dict[int, int] = {}
        self._heads: dict[tuple[bytes, int, int], tuple[str, str]] = {}

    def feed(self, data: bytes) -> list[Frame]:
        """Take bytes as they came and return the answers that are whole now.

        Raises:
            WireError: This is no D-Bus; nothing that follows can be understood.
        """
        if self._skip:
            dropped = min(self._skip, len(data))
            self._skip -= dropped
            data = data[dropped:]
        if self._buffer:
            self._buffer += data
            if len(self._buffer) < self._needed:
                return []
            data = bytes(self._buffer)
            self._buffer.clear()
        frames: list[Frame] = []
        at = 0
        while len(data) - at >= self._needed and (behind := self._cut(data, at, frames)) != at:
            at = behind
        self._buffer += data[at:]
        return frames

    def _cut(self, data: bytes, at: int, frames: list[Frame]) -> int:
        """Cut off what stands at a position; where more bytes are needed, note how many and return the position."""
        order = data[at]
        if order not in _HEADS:
            raise WireError("a D-Bus message was sought, found something else")
        _, kind, _, version, size, _, fields_size = _HEADS[order].unpack_from(data, at)
        if version != 1 or kind == 0:
            raise WireError("a D-Bus message was sought, found something else")
        head_size = 16 + (fields_size + 7 & -8)
        whole: int = head_size + size
        if whole > LENGTH_MAX:
            raise WireError(f"a D-Bus message was sought, found one of {whole} bytes")
        is_wanted = kind in (RETURN, ERROR) and fields_size <= HEAD_MAX
        is_taken = is_wanted and whole <= MESSAGE_MAX
        self._needed = whole if is_taken else head_size if is_wanted else 16
        if len(data) - at < self._needed:
            return at
        self._needed = 16
        if is_wanted:
            body = data[at + head_size : at + whole] if is_taken else None
            frame = self._frame(kind, data[at + 16 : at + 16 + fields_size], body, order)
            if frame is not None:
                frames.append(frame)
        self._skip = max(at + whole - len(data), 0)
        return min(at + whole, len(data))

    def _frame(self, kind: int, fields: bytes, body: bytes | None, order: int) -> Frame | None:
        """Return the answer with these header fields; those of one application differ in the serial alone."""
        at = self._places.get(len(fields), 0)
        if at:
            known = self._heads.get((fields[:at] + fields[at + 4 :], at, order))
            if known is not None:
                serial = _U32S[order].unpack_from(fields, at)[0]
                return Frame(kind, serial, *known, body, order == LITTLE) if serial else None
        serial, error, signature = header_fields(fields, is_little=order == LITTLE)
        self._remember(fields, serial, (error, signature), order)
        return Frame(kind, serial, error, signature, body, order == LITTLE) if serial else None

    def _remember(self, fields: bytes, serial: int, found: tuple[str, str], order: int) -> None:
        """Keep what these fields say, if it is certain where the serial stands in them."""
        number = _SERIAL_FIELD + _U32S[order].pack(serial)
        if fields.count(number) != 1:
            return
        if len(self._heads) >= HEADS_KEPT or len(self._places) >= HEADS_KEPT:
            self._heads.clear()
            self._places.clear()
        at = fields.index(number) + 4
        self._places[len(fields)] = at
        self._heads[fields[:at] + fields[at + 4 :], at, order] = found


def header_fields(fields: bytes, *, is_little: bool) -> tuple[int, str, str]:
    """Return what header fields say: reply serial (0 for none), error name and signature.

    Raises:
        WireError: They are malformed.
    """
    size = len(fields).to_bytes(4, "little" if is_little else "big")
    try:
        pairs = decode("a(yv)", size + bytes(4) + fields, is_little=is_little)[0]
    except ValueError as problem:
        raise WireError(f"header fields of a D-Bus message were sought: {problem}") from problem
    found = {code: value for code, value in pairs if code in (_ERROR_NAME, _REPLY_SERIAL, _SIGNATURE)}
    serial, error, signature = found.get(_REPLY_SERIAL, 0), found.get(_ERROR_NAME, ""), found.get(_SIGNATURE, "")
    if type(serial) is not int or not isinstance(error, str) or not isinstance(signature, str):
        raise WireError("header fields of a D-Bus message were sought, found some of other types")
    return serial, error, signature


def answer_of(frame: Frame, expected: str | None) -> tuple[Sequence[Any] | None, str]:
    """Return body and "", or None and the error name.

    Args:
        frame: The answer.
        expected: The signature that the call is answered with; None when any will do.
    """
    if frame.kind == ERROR:
        return None, frame.error or MALFORMED
    if frame.body is None:
        return None, TOO_LARGE
    if expected is not None and frame.signature != expected:
        return None, UNEXPECTED
    try:
        return decode(frame.signature, frame.body, is_little=frame.is_little), ""
    except ValueError:
        return None, MALFORMED


# ---------------------------------------------------------------- the connection


class Wire:
    """One open connection, made by `open_wire`.

    Attributes:
        lost: What calls fail with that it can no longer carry.
        problem: Why the connection was lost; None while it stands.
    """

    def __init__(self, connected: socket.socket, lost: str = LOST) -> None:
        self._socket = connected
        self.lost = lost
        self._loop = asyncio.get_running_loop()
        self._frames = Frames()
        self._serial = 0
        self._waiting: dict[int, tuple[Batch, Reply, str | None]] = {}
        self._templates: dict[tuple[Any, ...], Template] = {}
        self._path = ("/", path_field("/"))
        self._out: list[bytes] = []
        self._queued = 0
        self._is_flush_due = False
        self._is_stuck = False
        self.problem: OSError | None = None
        self._loop.add_reader(connected, self._read)

    @property
    def is_connected(self) -> bool:
        """Tell whether the other side is still there."""
        return self.problem is None

    @property
    def can_send(self) -> bool:
        """Tell whether a message would be taken at once."""
        return self._queued < QUEUE_MAX and self.problem is None

    def send(self, batch: Batch, call: Call, reply: Reply) -> int:
        """Send one call; its answer goes to `reply` until the batch drops it.

        Raises:
            ValueError: The call cannot be written.
        """
        prepared = self._template(call)
        path, written = self._path
        if call.path != path:  # calls about one object come one after the other
            written = path_field(call.path)
            self._path = call.path, written
        self._serial = serial = self._serial % 0xFFFFFFFF + 1
        self._waiting[serial] = batch, reply, prepared.answer
        data = message(serial, prepared, written)
        self._out.append(data)
        self._queued += len(data)
        if not self._is_flush_due:
            self._is_flush_due = True
            self._loop.call_soon(self._flush)
        return serial

    def forget(self, serial: int) -> None:
        """Drop a call; a late answer is ignored."""
        self._waiting.pop(serial, None)

    async def call(self, call: Call, until: float) -> tuple[Sequence[Any] | None, str]:
        """Make one call, as `calls.ask_once`."""
        return await ask_once(self, call, until)

    async def close(self) -> None:
        """Disconnect."""
        self._give_up(WireError("closed"))

    def _template(self, call: Call) -> Template:
        key = (call.destination, call.interface, call.member, call.signature, call.body)
        try:
            known = self._templates.get(key)
        except TypeError:  # an argument is a list: a match rule
            return template(call)
        if known is None:
            if len(self._templates) >= TEMPLATES_KEPT:
                self._templates.clear()
            known = self._templates[key] = template(call)
        return known

    def _flush(self) -> None:
        """Give the kernel everything that is queued, in one write."""
        self._is_flush_due = False
        if not self._out or self.problem is not None:
            return
        data = self._out[0] if len(self._out) == 1 else b"".join(self._out)
        try:
            sent = self._socket.send(data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError as problem:
            self._give_up(problem)
            return
        self._out = [data[sent:]] if sent < len(data) else []
        self._queued = len(data) - sent
        if self._out and not self._is_stuck:
            self._loop.add_writer(self._socket, self._flush)
        elif self._is_stuck and not self._out:
            self._loop.remove_writer(self._socket)
        self._is_stuck = bool(self._out)

    def _read(self) -> None:
        try:
            data = self._socket.recv(READ_MAX)
            if not data:
                raise ConnectionResetError("the other side closed the connection")
            frames = self._frames.feed(data)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as problem:
            self._give_up(problem)
            return
        self._is_flush_due = True  # what the answers lead to is written in one go below
        for frame in frames:
            entry = self._waiting.pop(frame.reply_serial, None)
            if entry is not None:
                batch, reply, expected = entry
                batch.accept(frame.reply_serial, reply, *answer_of(frame, expected))
        self._flush()

    def _give_up(self, problem: OSError) -> None:
        """End the connection and fail everything that waits."""
        if self.problem is not None:
            return
        self.problem = problem
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._socket.close()
        self._out, self._queued = [], 0
        waiting, self._waiting = self._waiting, {}
        for serial, (batch, reply, _) in waiting.items():
            batch.accept(serial, reply, None, self.lost)


def socket_names(address: str) -> list[bytes]:
    """Return the Unix sockets that a D-Bus address names, in its order.

    Raises:
        WireError: It names none.
    """
    names: list[bytes] = []
    for one in address.split(";"):
        transport, _, options = one.partition(":")
        pairs = dict(pair.partition("=")[::2] for pair in options.split(",")) if transport == "unix" else {}
        if "path" in pairs:
            names.append(unquote_to_bytes(pairs["path"]))
        elif "abstract" in pairs:
            names.append(b"\0" + unquote_to_bytes(pairs["abstract"]))
    if not names:
        raise WireError(f"a Unix socket was sought, found the address {address!r}")
    return names


async def open_wire(address: str, until: float, *, is_bus: bool = True, lost: str = LOST) -> Wire:
    """Connect to a bus, or to one application.

    Args:
        address: D-Bus address.
        until: Loop time at which to give up.
        is_bus: Whether a bus is there, which wants a greeting.
        lost: What a call fails with when the connection ends before it was answered.

    Raises:
        OSError: Nobody listens there, or we are not let in.
        WireError: Something else than D-Bus answers.
        TimeoutError: Nobody answers in time.
    """
    problem: OSError = WireError("no address")
    for name in socket_names(address):
        try:
            async with asyncio.timeout_at(until):
                wire = await _connected(name, lost)
        except TimeoutError:
            raise
        except OSError as error:
            problem = error
        else:
            return await _greeted(wire, until) if is_bus else wire
    raise problem


async def _connected(name: bytes, lost: str) -> Wire:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.setblocking(False)
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            connection.setsockopt(socket.SOL_SOCKET, option, SOCKET_BUFFER)
        await asyncio.get_running_loop().sock_connect(connection, name)
        await _authenticate(connection)
    except BaseException:
        connection.close()
        raise
    return Wire(connection, lost)


async def _authenticate(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    user = str(os.getuid()).encode().hex()
    await loop.sock_sendall(connection, f"\0AUTH EXTERNAL {user}\r\n".encode())
    line = b""
    while not line.endswith(b"\r\n"):
        data = await loop.sock_recv(connection, GREETING_MAX)
        line += data
        if not data or len(line) > GREETING_MAX:
            raise WireError("the other side closed the connection, or says too much, before letting us in")
    if not line.startswith(b"OK "):
        raise WireError(f"not let in: {line.decode('utf-8', 'replace').strip()}")
    await loop.sock_sendall(connection, b"BEGIN\r\n")


async def _greeted(wire: Wire, until: float) -> Wire:
    """Say hello, which a bus wants before anything else."""
    hello = Call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
    body, error = None, LOST
    try:
        body, error = await wire.call(hello, until)
    finally:
        if body is None:
            await wire.close()
    if error:
        raise WireError(f"the bus refused the greeting ({error})")
    if body is None:
        raise TimeoutError("the bus did not answer the greeting in time")
    return wire
