"""Many calls in flight over one D-Bus connection, each group with its own window and deadline.

There are two kinds of connection: `ControlLine` here (dbus-fast: acts, signals, set-up) and `wire.Wire` (reads).
"""

from __future__ import annotations

import asyncio
import select
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

Reply = Callable[[Sequence[Any] | None, str], None]
"""Receives the body, its variants unwrapped, or None and the D-Bus error name."""

WINDOW = 128  # calls in flight of one group; 64 and 128 were the fastest of 32, 64 and 128 (facts: GTK 3, GTK 4, Qt 5)
RETRY_S = 0.002  # look again when the kernel's send buffer was full and nothing is in flight
LOST = "tactile.ConnectionLost"
MALFORMED = "tactile.MalformedAnswer"
TOO_LARGE = "tactile.AnswerTooLarge"
UNEXPECTED = "tactile.UnexpectedAnswer"  # of another signature than the interface says
UNSENDABLE = "tactile.UnsendableCall"  # an application gave us a name or path that no bus takes

# What calls are answered with, so that no reader meets another shape. Cache.GetItems has several forms and is not here.
ANSWERS: Mapping[tuple[str, str], str] = {
    ("org.freedesktop.DBus.Properties", "Get"): "v",
    ("org.freedesktop.DBus.Properties", "GetAll"): "a{sv}",
    ("org.a11y.atspi.Accessible", "GetChildren"): "a(so)",
    ("org.a11y.atspi.Accessible", "GetChildAtIndex"): "(so)",
    ("org.a11y.atspi.Accessible", "GetIndexInParent"): "i",
    ("org.a11y.atspi.Accessible", "GetInterfaces"): "as",
    ("org.a11y.atspi.Accessible", "GetRelationSet"): "a(ua(so))",
    ("org.a11y.atspi.Accessible", "GetRole"): "u",
    ("org.a11y.atspi.Accessible", "GetState"): "au",
    ("org.a11y.atspi.Accessible", "GetAttributes"): "a{ss}",
    ("org.a11y.atspi.Action", "GetName"): "s",
    ("org.a11y.atspi.Action", "GetActions"): "a(sss)",
    ("org.a11y.atspi.Application", "GetApplicationBusAddress"): "s",
    ("org.a11y.atspi.Collection", "GetMatches"): "a(so)",
    ("org.a11y.atspi.Component", "GetAccessibleAtPoint"): "(so)",
    ("org.a11y.atspi.Component", "GetExtents"): "(iiii)",
    ("org.a11y.atspi.Selection", "GetSelectedChild"): "(so)",
    ("org.a11y.atspi.Table", "GetAccessibleAt"): "(so)",
    ("org.a11y.atspi.Table", "GetColumnAtIndex"): "i",
    ("org.a11y.atspi.Table", "GetRowAtIndex"): "i",
    ("org.a11y.atspi.Text", "GetText"): "s",
}


class Call(NamedTuple):
    """One method call."""

    destination: str
    path: str
    interface: str
    member: str
    signature: str = ""
    body: tuple[Any, ...] = ()


class Line(Protocol):
    """One open connection."""

    @property
    def lost(self) -> str:
        """Return the error name of what can no longer be answered once the connection has ended."""

    @property
    def is_connected(self) -> bool:
        """Tell whether the other side is still there."""

    @property
    def can_send(self) -> bool:
        """Tell whether a message would be taken at once."""

    def send(self, batch: Batch, call: Call, reply: Reply) -> int:
        """Send one call and return its serial; its answer goes to `batch.accept` until the batch drops it.

        Raises:
            ValueError: The call cannot be written.
        """

    def forget(self, serial: int) -> None:
        """Drop a call; a late answer is ignored."""

    async def call(self, call: Call, until: float) -> tuple[Sequence[Any] | None, str]:
        """Make one call, as `ask_once`."""


async def ask_once(line: Line, call: Call, until: float) -> tuple[Sequence[Any] | None, str]:
    """Make one call.

    Args:
        line: Over which connection.
        call: What to call.
        until: Loop time at which to give up.

    Returns:
        Body and "", or None and the error name; (None, "") when no answer came in time.
    """
    answers: list[tuple[Sequence[Any] | None, str]] = []
    batch = Batch(line)
    batch.ask(call, lambda body, error: answers.append((body, error)))
    await batch.run(until)
    return answers[0] if answers else (None, "")


class _Bus(MessageBus):
    """A connection that tells whether the kernel would take one more message.

    dbus-fast 5.2 gives a connection up when the send buffer is full at the first byte of a message, so we look first.
    """

    def watch_room(self) -> Callable[[], bool]:
        poll = select.poll()
        if self._fd is not None:
            poll.register(self._fd, select.POLLOUT)
        return lambda: bool(poll.poll(0))


class ControlLine:
    """A connection to a bus over dbus-fast, which takes signals, too."""

    lost = LOST

    def __init__(self, bus: _Bus) -> None:
        self._bus = bus
        self._has_room = bus.watch_room()
        self._waiting: dict[int, tuple[Batch, Reply, str | None]] = {}
        self._last_write: asyncio.Future[Any] | None = None
        self._signal_handlers: list[Callable[[Message], None]] = []
        bus.add_message_handler(self._receive)
        self._watch = asyncio.create_task(self._fail_when_lost())

    @property
    def is_connected(self) -> bool:
        """Tell whether the bus is still there."""
        return self._bus.connected

    @property
    def can_send(self) -> bool:
        """Tell whether a message would be taken at once."""
        is_written = self._last_write is None or self._last_write.done()
        return self._bus.connected and is_written and self._has_room()

    def send(self, batch: Batch, call: Call, reply: Reply) -> int:
        """Send one call; its answer goes to `reply` until the batch drops it."""
        message = Message(
            destination=call.destination,
            path=call.path,
            interface=call.interface,
            member=call.member,
            signature=call.signature,
            body=list(call.body),
            serial=self._bus.next_serial(),
            validate=False,  # paths come from the bus itself; a malformed one is refused by the daemon
        )
        self._last_write = self._bus.send(message)
        expected = ANSWERS.get((call.interface, call.member))
        self._waiting[message.serial] = (batch, reply, expected)  # answers arrive in a later turn of the loop
        return message.serial

    def forget(self, serial: int) -> None:
        """Drop a call; a late answer is ignored."""
        self._waiting.pop(serial, None)

    def add_signal_handler(self, handler: Callable[[Message], None]) -> None:
        """Hand every signal to `handler`."""
        self._signal_handlers.append(handler)

    def remove_signal_handler(self, handler: Callable[[Message], None]) -> None:
        """Stop handing signals to `handler`."""
        self._signal_handlers.remove(handler)

    async def call(self, call: Call, until: float) -> tuple[Sequence[Any] | None, str]:
        """Make one call, as `ask_once`."""
        return await ask_once(self, call, until)

    async def close(self) -> None:
        """Disconnect."""
        self._watch.cancel()
        await asyncio.gather(self._watch, return_exceptions=True)
        self._bus.disconnect()
        self._fail_all()

    def _receive(self, message: Message) -> bool:
        if message.message_type is MessageType.SIGNAL:
            for handler in tuple(self._signal_handlers):
                handler(message)
            return True
        if message.message_type is MessageType.METHOD_CALL:
            return False
        entry = self._waiting.pop(message.reply_serial, None)
        if entry is not None:
            batch, reply, expected = entry
            batch.accept(message.reply_serial, reply, *_answer_of(message, expected))
        return True

    async def _fail_when_lost(self) -> None:
        try:
            await self._bus.wait_for_disconnect()  # type: ignore[no-untyped-call]
        except (OSError, EOFError):
            pass
        self._fail_all()

    def _fail_all(self) -> None:
        for serial, (batch, reply, _) in list(self._waiting.items()):
            self._waiting.pop(serial, None)
            batch.accept(serial, reply, None, self.lost)


class Batch:
    """Calls that belong together: at most `window` in flight, one deadline for all.

    Answers may ask for more. A batch has its own window, so an application that hangs only fills its own.
    """

    def __init__(self, line: Line, window: int = WINDOW) -> None:
        self._line = line
        self._window = window
        self._queue: deque[tuple[Call, Reply]] = deque()
        self._in_flight: set[int] = set()
        self._is_pumping = False
        self._retry: asyncio.TimerHandle | None = None
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.calls = 0

    def ask(self, call: Call, reply: Reply) -> None:
        """Queue a call."""
        self._queue.append((call, reply))
        self.pump()

    def stop(self) -> None:
        """Forget everything that has not been answered."""
        self._queue.clear()
        for serial in self._in_flight:
            self._line.forget(serial)
        self._in_flight.clear()
        if self._retry is not None:
            self._retry.cancel()
        if not self._done.done():
            self._done.set_result(None)

    async def run(self, until: float) -> bool:
        """Wait until every call is answered; drop the rest at the deadline.

        Returns:
            Whether everything was answered.
        """
        if self._is_idle:
            self.stop()
        try:
            async with asyncio.timeout_at(until):
                await asyncio.shield(self._done)
        except TimeoutError:
            return False
        finally:
            self.stop()
        return True

    def accept(self, serial: int, reply: Reply, body: Sequence[Any] | None, error: str) -> None:
        """Take one answer and send what waits behind it."""
        self._in_flight.discard(serial)
        self._hand(reply, body, error)
        if self._queue:
            self.pump()
        if self._is_idle and not self._done.done():
            self._done.set_result(None)

    def _hand(self, reply: Reply, body: Sequence[Any] | None, error: str) -> None:
        try:
            reply(body, error)
        except Exception as problem:  # noqa: BLE001 - a connection would swallow it; the waiting caller gets it instead
            if not self._done.done():
                self._done.set_exception(problem)
            self.stop()

    @property
    def _is_idle(self) -> bool:
        return not self._queue and not self._in_flight

    def pump(self) -> None:
        """Send as much as the window and the kernel take."""
        if self._is_pumping:
            return
        self._is_pumping = True
        try:
            while self._queue and len(self._in_flight) < self._window:
                if not self._line.can_send:
                    self._pump_later()
                    return
                call, reply = self._queue.popleft()
                try:
                    self._in_flight.add(self._line.send(self, call, reply))
                except ValueError:
                    self._hand(reply, None, UNSENDABLE)
                    continue
                self.calls += 1
        finally:
            self._is_pumping = False

    def _pump_later(self) -> None:
        if not self._line.is_connected:
            while self._queue:
                self._hand(self._queue.popleft()[1], None, self._line.lost)
            if not self._in_flight and not self._done.done():
                self._done.set_result(None)
            return
        if self._retry is None:
            self._retry = asyncio.get_running_loop().call_later(RETRY_S, self._pump_again)

    def _pump_again(self) -> None:
        self._retry = None
        self.pump()


def _answer_of(message: Message, expected: str | None) -> tuple[Sequence[Any] | None, str]:
    if message.message_type is MessageType.ERROR:
        return None, message.error_name or MALFORMED
    if expected is not None and message.signature != expected:
        return None, UNEXPECTED
    return [_unwrapped(value) for value in message.body] if "v" in message.signature else message.body, ""


def _unwrapped(value: Any) -> Any:
    """Return a value with what its variants hold in their place; nobody asks what they said their type was."""
    if isinstance(value, Variant):
        return _unwrapped(value.value)
    if isinstance(value, dict):
        return {key: _unwrapped(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_unwrapped(one) for one in value]
    if isinstance(value, tuple):
        return tuple(_unwrapped(one) for one in value)
    return value


async def open_line(address: str) -> ControlLine:
    """Connect to a bus; the caller bounds the wait.

    Raises:
        OSError: Nothing listens there.
        Exception: dbus-fast's own errors of authentication and addresses.
    """
    bus = _Bus(bus_address=address)
    await bus.connect()
    return ControlLine(bus)
