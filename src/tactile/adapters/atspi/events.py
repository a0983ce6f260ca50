"""Events of the accessibility bus as `Change` records."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from dbus_fast import Message

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call, ControlLine
from tactile.records.accessible import Change, NativeRef

# What tells that an interface moves; caret and text-attribute noise is left out.
EVENTS = (
    "object:state-changed",
    "object:children-changed",
    "object:property-change",
    "object:text-changed",
    "object:bounds-changed",
    "object:selection-changed",
    "object:active-descendant-changed",
    "object:visible-data-changed",
    "object:model-changed",
    "object:row-inserted",
    "object:row-deleted",
    "window:",
    "focus:",
    "document:",
)
QUEUE_MAX = 2000  # changes kept of one stream; the oldest go first
SUBSCRIBE_S = 1.0  # the daemon answers AddMatch at once unless it is gone
Taker = Callable[[Message], None]
_INTERFACE = "org.a11y.atspi.Event."
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def kind_of(interface: str, member: str, detail: str) -> str:
    """Write an event's name as the registry does: "object:state-changed:focused".

    Args:
        interface: As in the signal: "org.a11y.atspi.Event.Object".
        member: "StateChanged".
        detail: First value of the body, may be "".
    """
    group = interface.removeprefix(_INTERFACE).casefold()
    word = _HUMP.sub("-", member).casefold()
    if word == group:
        return f"{group}:{detail}"
    return ":".join(part for part in (group, word, detail) if part)


class Stream:
    """Changes of one application, oldest first, at most `QUEUE_MAX` kept."""

    def __init__(self, application: str) -> None:
        self._application = application
        self._queue: deque[Change] = deque()
        self._arrived = asyncio.Event()
        self.dropped = 0

    def take(self, message: Message) -> None:
        """Queue an event of this application."""
        body = message.body
        detail = str(body[0]) if body and isinstance(body[0], str) else ""
        if len(self._queue) >= QUEUE_MAX:
            self._queue.popleft()
            self.dropped += 1
        self._queue.append(
            Change(
                kind=kind_of(message.interface or "", message.member or "", detail),
                source=NativeRef(application=self._application, path=message.path or ""),
                detail=":".join(str(number) for number in body[1:3]),
                at_s=time.monotonic(),
            )
        )
        self._arrived.set()

    async def next(self, timeout_s: float) -> Change | None:
        """Return the next change, or None when none came within `timeout_s` seconds."""
        if not self._queue:
            self._arrived.clear()
            try:
                async with asyncio.timeout(max(timeout_s, 0.0)):
                    await self._arrived.wait()
            except TimeoutError:
                return None
        return self._queue.popleft()


async def register(line: ControlLine, until: float) -> bool:
    """Tell the registry which events are wanted; applications send none before.

    Returns:
        Whether the registry confirmed all of them in time.
    """
    confirmed: list[bool] = []
    batch = Batch(line)
    for event in EVENTS:
        call = Call(bus.REGISTRY, bus.REGISTRY_PATH, bus.REGISTRY, "RegisterEvent", "s", (event,))
        batch.ask(call, lambda body, _error: confirmed.append(body is not None))
    return await batch.run(until) and all(confirmed)


async def follow_registry(line: ControlLine, forget: Callable[[], None], until: float) -> None:
    """Call `forget` whenever the registry ends or another one takes its place, for as long as the line lives."""

    def look(message: Message) -> None:
        if message.member == "NameOwnerChanged" and message.body[:1] == [bus.REGISTRY]:
            forget()

    line.add_signal_handler(look)
    rule = f"type='signal',sender='{bus.DAEMON[0]}',member='NameOwnerChanged',arg0='{bus.REGISTRY}'"
    await line.call(Call(*bus.DAEMON, "AddMatch", "s", (rule,)), until)


class Switchboard:
    """Who listens to which application over one connection; the bus is asked once for each application."""

    def __init__(self, line: ControlLine) -> None:
        self.line = line
        self._takers: dict[str, list[Taker]] = {}

    def _hand_out(self, message: Message) -> None:
        if not (message.interface or "").startswith(_INTERFACE):
            return
        for taker in tuple(self._takers.get(message.sender or "", ())):
            taker(message)

    async def join(self, application: str, taker: Taker, until: float) -> None:
        """Hand the events of one bus name to `taker` from here on.

        Raises:
            PlatformError: The bus did not take the subscription.
        """
        if not self._takers:
            self.line.add_signal_handler(self._hand_out)
        takers = self._takers.setdefault(application, [])
        takers.append(taker)
        if len(takers) > 1:
            # The rules were sent before; the daemon has handled them when it answers anything that came later.
            answer, error = await self.line.call(Call(*bus.DAEMON, "GetId"), until)
        else:
            answer, error = await self._subscribe(application, until)
        if answer is None:
            self.leave(application, taker)
            raise bus.error_of(error, "subscribe to events")

    def leave(self, application: str, taker: Taker) -> None:
        """Stop handing events to `taker`; waits for nothing."""
        takers = self._takers.get(application, [])
        if taker not in takers:
            return
        takers.remove(taker)
        if takers:
            return
        del self._takers[application]
        if not self._takers:
            self.line.remove_signal_handler(self._hand_out)
        batch = Batch(self.line)
        for rule in _rules(application):
            batch.ask(Call(*bus.DAEMON, "RemoveMatch", "s", (rule,)), lambda _body, _error: None)

    async def _subscribe(self, application: str, until: float) -> tuple[Sequence[object] | None, str]:
        refused: list[str] = []
        batch = Batch(self.line)
        for rule in _rules(application):
            call = Call(*bus.DAEMON, "AddMatch", "s", (rule,))
            batch.ask(call, lambda body, error: refused.append(error) if body is None else None)
        if not await batch.run(until):
            return None, ""
        return (None, refused[0]) if refused else ((), "")


def _rules(application: str) -> tuple[str, ...]:
    """Return the match rules for an application's events; its cache's signals are left out, a read causes hundreds."""
    return tuple(
        f"type='signal',sender='{application}',interface='{_INTERFACE}{group}'"
        for group in ("Object", "Window", "Focus", "Document")
    )


@asynccontextmanager
async def listen(switchboard: Switchboard, application: str) -> AsyncIterator[Stream]:
    """Open a stream of the events of one bus name.

    Raises:
        PlatformError: The bus did not take the subscription.
    """
    stream = Stream(application)
    await switchboard.join(application, stream.take, asyncio.get_running_loop().time() + SUBSCRIBE_S)
    try:
        yield stream
    finally:
        switchboard.leave(application, stream.take)
