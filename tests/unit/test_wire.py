"""The client for reads: bytes that come from applications can be anything, and dbus-fast's marshaller is the judge."""

from __future__ import annotations

import asyncio
import io
import socket
import struct
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from dbus_fast import Message, MessageType, Variant
from dbus_fast._private.unmarshaller import Unmarshaller
from hypothesis import given, settings
from hypothesis import strategies as st

from tactile.adapters.atspi.calls import LOST, MALFORMED, TOO_LARGE, UNEXPECTED, UNSENDABLE, Batch, Call
from tactile.adapters.atspi.marshal import decode, encode
from tactile.adapters.atspi.wire import (
    ERROR,
    HEAD_MAX,
    MESSAGE_MAX,
    QUEUE_MAX,
    Frames,
    Wire,
    WireError,
    answer_of,
    message,
    open_wire,
    path_field,
    socket_names,
    template,
)

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
PATHS = st.lists(st.from_regex(r"[A-Za-z0-9_]{1,8}", fullmatch=True), max_size=4).map(
    lambda parts: "/" + "/".join(parts)
)
BASIC: dict[str, st.SearchStrategy[Any]] = {
    "y": st.integers(0, 2**8 - 1),
    "b": st.booleans(),
    "n": st.integers(-(2**15), 2**15 - 1),
    "q": st.integers(0, 2**16 - 1),
    "i": st.integers(-(2**31), 2**31 - 1),
    "u": st.integers(0, 2**32 - 1),
    "x": st.integers(-(2**63), 2**63 - 1),
    "t": st.integers(0, 2**64 - 1),
    "d": st.floats(allow_nan=False),
    "s": TEXT,
    "o": PATHS,
    "g": st.sampled_from(["", "s", "a(so)", "(iiii)", "a{sv}", "au"]),
}
KINDS = st.recursive(
    st.sampled_from([*BASIC, "v"]),
    lambda inner: (
        inner.map("a{}".format)
        | st.lists(inner, min_size=1, max_size=3).map(lambda fields: f"({''.join(fields)})")
        | st.tuples(st.sampled_from("siuo"), inner).map(lambda pair: f"a{{{pair[0]}{pair[1]}}}")
    ),
    max_leaves=4,
)


@st.composite
def values(draw: st.DrawFn, kind: str, depth: int = 0) -> Any:
    """Draw a value of one complete type, as dbus-fast wants it."""
    if kind in BASIC:
        return draw(BASIC[kind])
    if kind == "v":
        inner = draw(
            st.sampled_from(["s", "i", "u", "d", "(so)", "au"] if depth else ["s", "b", "a{sv}", "v", "a(so)"])
        )
        return Variant(inner, draw(values(inner, depth + 1)))
    if kind == "ay":
        return draw(st.binary(max_size=10))
    if kind.startswith("a{"):
        key, inner = kind[2], kind[3:-1]
        return draw(st.dictionaries(BASIC[key], values(inner, depth + 1), max_size=3))
    if kind.startswith("a"):
        return draw(st.lists(values(kind[1:], depth + 1), max_size=3))
    return [draw(values(field, depth + 1)) for field in parts_of(kind[1:-1])]


def parts_of(signature: str) -> list[str]:
    """Cut a signature into complete types."""
    parts, at = [], 0
    while at < len(signature):
        end = at
        while signature[end] == "a":
            end += 1
        depth = 0
        while True:
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(signature[end], 0)
            end += 1
            if depth == 0:
                break
        parts.append(signature[at:end])
        at = end
    return parts


BODIES = st.lists(KINDS, max_size=3).flatmap(
    lambda kinds: st.tuples(st.just("".join(kinds)), st.tuples(*(values(kind) for kind in kinds)).map(list))
)


def plain(value: Any) -> Any:
    """Return a value as a reader gets it: no variants, structs as tuples."""
    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(plain(one) for one in value)
    return value


def answer(signature: str, body: Sequence[Any], serial: int = 7, *, error: str = "") -> bytes:
    """Return an answer as dbus-fast writes it."""
    kind = MessageType.ERROR if error else MessageType.METHOD_RETURN
    written = Message(
        message_type=kind,
        reply_serial=serial,
        destination=":1.2",
        sender=":1.5",
        serial=9,
        signature=signature,
        body=list(body),
        error_name=error or None,
    )
    return bytes(written._marshall(False))


def read_by_dbus_fast(data: bytes) -> Message:
    """Return the message that dbus-fast makes of bytes."""
    found = Unmarshaller(cast("Any", io.BytesIO(data))).unmarshall()
    assert found is not None
    return found


def big_endian(serial: int, signature: str, body: bytes) -> bytes:
    """Return an answer from a big-endian machine."""
    fields = struct.pack(">BBsBI", 5, 1, b"u", 0, serial)
    fields += struct.pack(">BBsBB", 8, 1, b"g", 0, len(signature)) + signature.encode() + b"\0"
    head = struct.pack(">BBBBIII", ord("B"), 2, 0, 1, len(body), 3, len(fields))
    return head + fields + bytes(-len(fields) % 8) + body


# ---------------------------------------------------------------- what comes in


@given(BODIES)
def test_what_dbus_fast_writes_is_read_as_dbus_fast_reads_it(content: tuple[str, list[Any]]) -> None:
    """Both clients give the same plain values, so that it does not matter which one read them."""
    signature, body = content
    data = answer(signature, body)

    (frame,) = Frames().feed(data)

    assert (frame.reply_serial, frame.signature, frame.is_little) == (7, signature, True)
    assert answer_of(frame, None) == (plain(read_by_dbus_fast(data).body), "")


@given(BODIES)
def test_a_big_endian_body_says_the_same(content: tuple[str, list[Any]]) -> None:
    """D-Bus Specification: each message names its byte order. dbus-fast reads big-endian, but writes none."""
    signature, body = content
    swapped = BigEndian().body(signature, body)
    data = big_endian(7, signature, swapped)

    (frame,) = Frames().feed(data)

    found = read_by_dbus_fast(data)
    assert answer_of(frame, None) == (plain(found.body), "")


class BigEndian:
    """A second, slow marshaller, big-endian; dbus-fast's reader checks it in the test above."""

    def __init__(self) -> None:
        self.out = bytearray()

    def body(self, signature: str, values: Sequence[Any]) -> bytes:
        """Write a body."""
        for kind, value in zip(parts_of(signature), values, strict=True):
            self.write(kind, value)
        return bytes(self.out)

    def pad(self, alignment: int) -> None:
        """Fill up to an alignment."""
        self.out += bytes(-len(self.out) % alignment)

    def write(self, kind: str, value: Any) -> None:
        """Write one value."""
        codes = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
        if kind in codes:
            self.pad(struct.calcsize(codes[kind]))
            self.out += struct.pack(">" + codes[kind], value)
        elif kind in "so":
            self.write("u", len(value.encode()))
            self.out += value.encode() + b"\0"
        elif kind in "gv":
            signature = value if kind == "g" else value.signature
            self.out += bytes((len(signature),)) + signature.encode() + b"\0"
            if kind == "v":
                self.write(signature, value.value)
        elif kind[0] == "a":
            self.array(kind[1:], value)
        else:
            self.pad(8)
            for field, one in zip(parts_of(kind[1:-1]), value, strict=True):
                self.write(field, one)

    def array(self, kind: str, values: Any) -> None:
        """Write an array or a dictionary."""
        self.write("u", 0)
        at = len(self.out)
        widths = {"y": 1, "g": 1, "v": 1, "n": 2, "q": 2, "x": 8, "t": 8, "d": 8, "(": 8, "{": 8}
        self.pad(widths.get(kind[0], 4))
        start = len(self.out)
        for value in values.items() if kind[0] == "{" else values:
            self.write(kind.replace("{", "(", 1)[:-1] + ")" if kind[0] == "{" else kind, value)
        self.out[at - 4 : at] = struct.pack(">I", len(self.out) - start)


@given(st.lists(BODIES, max_size=5), st.data())
def test_answers_come_whole_however_the_stream_is_cut(
    contents: list[tuple[str, list[Any]]], data: st.DataObject
) -> None:
    """A read of the socket ends anywhere."""
    stream = b"".join(answer(signature, body, serial) for serial, (signature, body) in enumerate(contents, 1))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    frames = Frames()
    found = [
        frame
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        for frame in frames.feed(stream[start:end])
    ]

    assert [frame.reply_serial for frame in found] == list(range(1, len(contents) + 1))
    assert found == Frames().feed(stream)


@given(BODIES, st.data())
@settings(max_examples=100)
def test_changed_bytes_never_raise_anything_but_a_wire_error(
    content: tuple[str, list[Any]], data: st.DataObject
) -> None:
    """Whatever an application sends, at worst one call or one connection is lost."""
    stream = bytearray(answer(*content) * 3)
    for _ in range(data.draw(st.integers(1, 4))):
        stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    frames = Frames()
    try:
        found = frames.feed(bytes(stream))
    except WireError:
        return
    for frame in found:
        body, error = answer_of(frame, None)
        assert (body is None) == bool(error)


@given(st.binary(max_size=200), st.lists(st.integers(1, 50), max_size=10))
def test_garbage_is_refused_or_waited_for_and_never_grows_beyond_the_bounds(data: bytes, sizes: list[int]) -> None:
    """No message is believed to be longer than is taken."""
    frames, at = Frames(), 0
    for size in [*sizes, len(data)]:
        try:
            frames.feed(data[at : at + size])
        except WireError:
            return
        at += size
        assert frames._needed <= MESSAGE_MAX
        assert len(frames._buffer) < frames._needed


@given(st.binary(max_size=120), st.text("ybnqiuxtdsogavh(){}e*", max_size=12), st.booleans())
@settings(max_examples=300)
def test_any_body_of_any_signature_is_read_or_is_a_value_error(data: bytes, signature: str, is_little: bool) -> None:
    """Signatures come from applications, too."""
    try:
        assert isinstance(decode(signature, data, is_little=is_little), list)
    except ValueError:
        pass


@given(st.binary(max_size=300))
def test_a_truncated_or_lengthened_body_is_refused(more: bytes) -> None:
    """A text that is cut, and bytes that nobody announced, mean that the two sides disagree."""
    body = encode("a(so)s", ([("a", "/b")] * 3, "text"))
    for cut in range(len(body)):
        with pytest.raises(ValueError, match=r"sought|too many"):
            decode("a(so)s", body[:cut])
    if more:
        with pytest.raises(ValueError, match="too many"):
            decode("a(so)s", body + more)


def test_nesting_beyond_the_specification_is_refused_and_not_followed() -> None:
    """D-Bus Specification: 64 in all, variants included. Each of these would be thousands of calls deep."""
    variants = b"\x01v\0" * 5000 + b"\x01y\0\0"

    with pytest.raises(ValueError, match="deeply"):
        decode("v", variants)
    with pytest.raises(ValueError, match="deeply"):
        decode("a" * 200 + "y", bytes(4))
    with pytest.raises(ValueError, match="deeply"):
        decode("(" * 100 + "y" + ")" * 100, bytes(1))
    with pytest.raises(ValueError, match="too long"):
        decode("y" * 256, bytes(256))


def test_an_array_that_claims_more_than_its_message_holds_is_refused_before_it_is_made() -> None:
    """A length of 4 GiB costs nothing to write."""
    for signature in ("ay", "as", "au", "a(so)", "a{sv}", "s"):
        with pytest.raises(ValueError, match="sought"):
            decode(signature, b"\xff\xff\xff\xff" + bytes(64))


def test_text_that_is_no_utf_8_has_replacement_characters() -> None:
    """One wrong byte in a label is no reason to lose the window."""
    assert decode("s", b"\x03\0\0\0a\xffb\0") == ["a\N{REPLACEMENT CHARACTER}b"]


def test_an_answer_that_is_too_large_fails_its_own_call_and_is_not_kept() -> None:
    """A bus lets 128 MiB through; the other applications' answers behind it still arrive."""
    body = struct.pack("<I", MESSAGE_MAX) + b"x" * MESSAGE_MAX
    large = answer("ay", [b""], 5)
    head = large[:4] + struct.pack("<I", len(body)) + large[8:-4]
    frames, found, most = Frames(), [], 0
    stream = memoryview(head + body + answer("s", ["after"], 6))

    for at in range(0, len(stream), 2**20):
        found += frames.feed(bytes(stream[at : at + 2**20]))
        most = max(most, len(frames._buffer))

    assert [(frame.reply_serial, *answer_of(frame, None)) for frame in found] == [
        (5, None, TOO_LARGE),
        (6, ["after"], ""),
    ]
    assert most < 2**16


def test_signals_and_answers_with_endless_headers_are_dropped_and_the_next_answer_is_read() -> None:
    """Nobody asked for them."""
    signal = Message(
        message_type=MessageType.SIGNAL,
        path="/a",
        interface="a.b",
        member="C",
        serial=4,
        signature="s",
        body=["x" * 100],
    )
    size = HEAD_MAX + 8
    long = struct.pack("<BBBBIII", ord("l"), ERROR, 0, 1, 0, 3, size) + bytes(size)

    (frame,) = Frames().feed(bytes(signal._marshall(False)) + long + answer("u", [3], 6))

    assert (frame.reply_serial, answer_of(frame, "u")) == (6, ([3], ""))


def test_a_serial_inside_a_text_is_not_taken_for_the_serial() -> None:
    """A reply names its call in a header field; an error name is a text that its sender chooses."""
    field = b"\x05\x01u\0"
    text = b"aaaa" + field + struct.pack("<I", 77)
    fields = struct.pack("<BBsBI", 4, 1, b"s", 0, len(text)) + text + b"\0"
    fields += bytes(-len(fields) % 8) + field
    frames = Frames()

    def error(serial: int) -> bytes:
        size = len(fields) + 4
        return (
            struct.pack("<BBBBIII", ord("l"), ERROR, 0, 1, 0, 3, size)
            + fields
            + struct.pack("<I", serial)
            + bytes(-size % 8)
        )

    assert [frame.reply_serial for serial in (77, 78, 79, 77) for frame in frames.feed(error(serial))] == [
        77,
        78,
        79,
        77,
    ]


@given(st.lists(st.tuples(st.integers(1, 2**32 - 1), st.sampled_from(["", "a.b.C", "a.b.D"])), max_size=30))
def test_headers_that_were_seen_before_are_read_as_those_that_were_not(answers: list[tuple[int, str]]) -> None:
    """Headers of one application are remembered but for the serial."""
    frames = Frames()

    for serial, error in answers:
        data = answer("" if error else "s", [] if error else ["x"], serial, error=error)
        assert frames.feed(data) == Frames().feed(data)


def test_an_answer_of_another_signature_fails_its_call() -> None:
    """An application that answers a role with a text would otherwise break the reader."""
    (frame,) = Frames().feed(answer("s", ["push button"]))

    assert answer_of(frame, "u") == (None, UNEXPECTED)
    assert answer_of(frame, "s") == (["push button"], "")


# ---------------------------------------------------------------- what goes out

MATCH_RULE = "(aiia{ss}iaiiasib)uib"


@given(
    path=PATHS,
    serial=st.integers(1, 2**32 - 1),
    content=st.sampled_from(
        ["", "s", "o", "i", "u", "b", "d", "ss", "ii", "iiu", "as", "ai", "a{ss}", "(so)", MATCH_RULE]
    ).flatmap(lambda kind: st.tuples(st.just(kind), st.tuples(*(values(part) for part in parts_of(kind))))),
)
def test_a_call_is_read_by_dbus_fast_as_it_was_meant(
    path: str, serial: int, content: tuple[str, tuple[Any, ...]]
) -> None:
    """Only serial and path differ from one object to the next; the rest is prepared once."""
    signature, body = content
    prepared = template(Call(":1.7", path, "org.a11y.atspi.Accessible", "GetRole", signature, body))

    found = read_by_dbus_fast(message(serial, prepared, path_field(path)))

    assert (found.destination, found.path, found.interface) == (":1.7", path, "org.a11y.atspi.Accessible")
    assert (found.member, found.signature, found.serial) == ("GetRole", signature, serial)
    assert found.message_type is MessageType.METHOD_CALL
    written = read_by_dbus_fast(answer(signature, body))
    assert found.body == written.body


@pytest.mark.parametrize("path", ["", "a", "/a/", "//", "/a b", "/a\0b", "/ä", "/a\n"])
def test_a_path_that_no_bus_takes_is_not_sent(path: str) -> None:
    """A bus ends the connection over it, and with it every other read; over a private connection nobody checked it."""
    with pytest.raises(ValueError, match="no object path"):
        path_field(path)


@pytest.mark.parametrize(
    ("signature", "body"),
    [
        ("s", (1,)),
        ("i", ("1",)),
        ("i", (2**31,)),
        ("ii", (1,)),
        ("i", (1, 2)),
        ("v", (1,)),
        ("s", ("a\0b",)),
        ("(i", ((1,),)),
    ],
)
def test_arguments_that_do_not_fit_are_refused(signature: str, body: tuple[Any, ...]) -> None:
    """They are our own mistake, so the reader hears of it."""
    with pytest.raises(ValueError, match="cannot write"):
        encode(signature, body)


@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("unix:path=/run/a11y/bus,guid=12", [b"/run/a11y/bus"]),
        ("unix:abstract=/tmp/dbus-x,guid=12", [b"\0/tmp/dbus-x"]),
        ("tcp:host=h,port=1;unix:path=/a%20b", [b"/a b"]),
    ],
)
def test_the_sockets_of_an_address_are_found(address: str, names: list[bytes]) -> None:
    """D-Bus Specification, "Server Addresses": several, with escapes."""
    assert socket_names(address) == names


@pytest.mark.parametrize("address", ["", "tcp:host=h", "unix:tmpdir=/tmp", "path=/a"])
def test_an_address_without_a_unix_socket_is_refused_by_name(address: str) -> None:
    """House style: sought, found."""
    with pytest.raises(WireError, match="Unix socket was sought"):
        socket_names(address)


# ---------------------------------------------------------------- the connection

SOON_S = 5.0


@asynccontextmanager
async def connection() -> AsyncIterator[tuple[Wire, socket.socket]]:
    """A wire whose other end the test holds."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.settimeout(SOON_S)
    wire = Wire(ours)
    try:
        yield wire, theirs
    finally:
        await wire.close()
        theirs.close()


def call(member: str = "GetRole", path: str = "/a") -> Call:
    """Return a call."""
    return Call(":1.7", path, "org.a11y.atspi.Accessible", member)


def until() -> float:
    """Return a deadline that is not met."""
    return asyncio.get_running_loop().time() + SOON_S


def keep(found: dict[int, Any], number: int, body: Sequence[Any] | None, error: str) -> None:
    """Note an answer."""
    found[number] = (body, error)


def messages(data: bytes) -> list[Message]:
    """Return the calls in a stream."""
    stream, found = io.BytesIO(data), []
    while stream.tell() < len(data):
        one = Unmarshaller(cast("Any", stream)).unmarshall()
        assert one is not None
        found.append(one)
    return found


@pytest.fixture
def anyio_backend() -> str:
    """The client is made for asyncio."""
    return "asyncio"


@pytest.mark.anyio
async def test_calls_of_one_turn_go_out_in_one_write_and_answers_find_their_calls_in_any_order() -> None:
    """This is what makes it fast."""
    async with connection() as (wire, theirs):
        batch = Batch(wire)
        found: dict[int, Any] = {}
        for number in range(50):
            batch.ask(call(path=f"/{number}"), partial(keep, found, number))
        await asyncio.sleep(0)
        sent = messages(theirs.recv(2**20))
        theirs.sendall(b"".join(answer("u", [int((one.path or "")[1:])], one.serial) for one in reversed(sent)))

        assert await batch.run(until())
        assert len(sent) == batch.calls == 50
        assert found == {number: ([number], "") for number in range(50)}


@pytest.mark.anyio
async def test_a_lost_connection_fails_everything_that_waits_at_once() -> None:
    """A deadline is for those that do not answer, not for those that are gone."""
    async with connection() as (wire, theirs):
        batch, errors = Batch(wire, window=3), []
        for _ in range(9):
            batch.ask(call(), lambda _body, error: errors.append(error))
        theirs.close()

        assert await batch.run(until())
        assert errors == [LOST] * 9
        assert not wire.is_connected
        assert await wire.call(call(), until()) == (None, LOST)


@pytest.mark.anyio
async def test_something_else_than_d_bus_ends_the_connection_and_says_so() -> None:
    """There is no way back into a stream that cannot be understood."""
    async with connection() as (wire, theirs):
        theirs.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        assert await wire.call(call(), until()) == (None, LOST)
        assert isinstance(wire.problem, WireError)


@pytest.mark.anyio
async def test_malformed_answers_and_unsendable_calls_fail_alone() -> None:
    """One odd object leaves the others alone."""
    async with connection() as (wire, theirs):
        batch, found = Batch(wire), []
        for path in ("/a", "/no path", "/b"):
            batch.ask(call("GetInterfaces", path), lambda body, error: found.append((body, error)))
        await asyncio.sleep(0)
        first, second = messages(theirs.recv(2**20))
        bad = bytearray(answer("as", [["text"]], first.serial))
        bad[-9] = 0xFF  # the length of the text: far beyond the message
        theirs.sendall(bytes(bad) + answer("as", [["x"]], second.serial))

        assert await batch.run(until())
        assert found == [(None, UNSENDABLE), (None, MALFORMED), ([["x"]], "")]
        assert wire.is_connected


@pytest.mark.anyio
async def test_a_full_socket_loses_nothing_and_bounds_what_waits() -> None:
    """A stopped application takes nothing; what waits for it must not grow without end."""
    count = 20_000
    async with connection() as (wire, theirs):
        batch, found = Batch(wire, window=count), []
        for _ in range(count):
            batch.ask(call(), lambda body, _error: found.append(body))
        await asyncio.sleep(0)
        assert batch.calls < count
        assert wire._queued < QUEUE_MAX + 1000

        answering = asyncio.create_task(asyncio.to_thread(answer_all, theirs, count))
        assert await batch.run(until() + SOON_S)
        await answering
        assert found == [[1]] * count


def answer_all(theirs: socket.socket, count: int) -> None:
    """Answer so many calls, in the order in which they come."""
    data, answered, written = b"", 0, answer("u", [1], 0x01020304)
    while answered < count:
        data += theirs.recv(2**20)
        serials, data = cut(data)
        out = (written.replace(struct.pack("<I", 0x01020304), struct.pack("<I", serial)) for serial in serials)
        theirs.sendall(b"".join(out))
        answered += len(serials)


def cut(data: bytes) -> tuple[list[int], bytes]:
    """Return the serials of the whole calls in a stream, and what is left of it."""
    serials, at = [], 0
    while len(data) - at >= 16:
        size, serial, fields = struct.unpack_from("<III", data, at + 4)
        end = at + 16 + (fields + 7 & -8) + size
        if end > len(data):
            break
        serials.append(serial)
        at = end
    return serials, data[at:]


@asynccontextmanager
async def listening(
    folder: Path, talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]
) -> AsyncIterator[str]:
    """A socket at which somebody talks as told; yields its address."""
    server = await asyncio.start_unix_server(talk, folder / "at-spi2-socket")
    async with server:
        yield f"unix:path={folder / 'at-spi2-socket'}"


@pytest.mark.anyio
async def test_who_listens_and_says_nothing_is_given_up_at_the_deadline(tmp_path: Path) -> None:
    """The kernel connects us to a stopped application."""
    soon = asyncio.get_running_loop().time() + 0.05
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "socket"))
        silent.listen()  # and never accepts
        with pytest.raises(TimeoutError):
            await open_wire(f"unix:path={tmp_path / 'socket'}", soon, is_bus=False)


@pytest.mark.anyio
@pytest.mark.parametrize("said", [b"REJECTED EXTERNAL\r\n", b"", b"x" * 5000, b"220 mail ESMTP\r\n"])
async def test_who_does_not_let_us_in_is_an_error_with_words(tmp_path: Path, said: bytes) -> None:
    """Another user's application refuses us; something else than D-Bus says something else."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(said)
        writer.close()

    async with listening(tmp_path, refuse) as address:
        with pytest.raises(WireError, match="let"):
            await open_wire(address, until(), is_bus=False)


@pytest.mark.anyio
async def test_nobody_listening_is_an_os_error(tmp_path: Path) -> None:
    """The application ended after it was asked for its address."""
    with pytest.raises(OSError, match="No such file"):
        await open_wire(f"unix:path={tmp_path / 'nobody'}", until(), is_bus=False)
