"""Events of the accessibility bus as `Change` records."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dbus_fast import Message

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call, Line
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
        """Queue a signal if it is an event of this application."""
        if message.sender != self._application or not (message.interface or "").startswith(_INTERFACE):
            return
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


async def register(line: Line, until: float) -> bool:
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


@asynccontextmanager
async def listen(line: Line, application: str) -> AsyncIterator[Stream]:
    """Open a stream of the events of one bus name.

    Raises:
        PlatformError: The bus did not take the subscription.
    """
    stream = Stream(application)
    rule = f"type='signal',sender='{application}'"
    line.add_signal_handler(stream.take)
    try:
        await _match(line, "AddMatch", rule)
        yield stream
    finally:
        line.remove_signal_handler(stream.take)
        if line.is_connected:
            await _match(line, "RemoveMatch", rule)


async def _match(line: Line, member: str, rule: str) -> None:
    until = asyncio.get_running_loop().time() + SUBSCRIBE_S
    body, error = await line.call(Call(*bus.DAEMON, member, "s", (rule,)), until)
    if body is None and member == "AddMatch":
        raise bus.error_of(error, "subscribe to events")
