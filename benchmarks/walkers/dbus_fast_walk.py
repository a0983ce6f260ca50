"""Read an application through dbus-fast as its documentation shows it: one task and one message a call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from dbus_fast import BusType, Message, MessageType
from dbus_fast.aio import MessageBus

from benchmarks.walkers.answering import answer_async

ATSPI = "org.a11y.atspi."
IN_FLIGHT = 64
TEXT_MAX = 2000  # characters of one text


class Walk:
    """One walk over one application."""

    def __init__(self, bus: MessageBus, owner: str) -> None:
        self.bus, self.owner = bus, owner
        self.slots = asyncio.Semaphore(IN_FLIGHT)
        self.objects: dict[str, dict[str, Any]] = {}
        self.calls = 0

    async def call(self, path: str, interface: str, member: str, signature: str = "", *body: Any) -> Any:
        """Make one call and return the first value of its answer."""
        message = Message(self.owner, path, interface, member, signature=signature, body=list(body))
        async with self.slots:
            self.calls += 1
            reply = await self.bus.call(message)
        return reply.body[0] if reply.message_type is MessageType.METHOD_RETURN else None

    async def get(self, path: str, interface: str, name: str) -> Any:
        """Read one property."""
        value = await self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", interface, name)
        return None if value is None else value.value

    async def visit(self, path: str) -> None:
        """Read one object and what lies below it."""
        if path in self.objects:
            return
        fields: dict[str, Any] = {}
        self.objects[path] = fields
        accessible = ATSPI + "Accessible"
        names = ("states", "role", "name", "description", "interfaces", "children")
        values = await asyncio.gather(
            self.call(path, accessible, "GetState"),
            self.call(path, accessible, "GetRole"),
            self.get(path, accessible, "Name"),
            self.get(path, accessible, "Description"),
            self.call(path, accessible, "GetInterfaces"),
            self.call(path, accessible, "GetChildren"),
        )
        fields.update(zip(names, values, strict=True))
        below = [child for owner, child in fields["children"] or [] if owner == self.owner]
        await asyncio.gather(self.specifics(path, fields), *map(self.visit, below))

    async def specifics(self, path: str, fields: dict[str, Any]) -> None:
        """Read what only some objects have."""
        interfaces: Sequence[str] = fields["interfaces"] or []
        if ATSPI + "Component" in interfaces:
            fields["extents"] = await self.call(path, ATSPI + "Component", "GetExtents", "u", 0)
        if ATSPI + "Action" in interfaces:
            fields["action"] = await self.call(path, ATSPI + "Action", "GetName", "i", 0)
        if ATSPI + "Value" in interfaces:
            fields["value"] = await self.get(path, ATSPI + "Value", "CurrentValue")
        if ATSPI + "Text" in interfaces:
            count = await self.get(path, ATSPI + "Text", "CharacterCount") or 0
            if count > 0:
                end = min(count, TEXT_MAX)
                fields["text"] = await self.call(path, ATSPI + "Text", "GetText", "ii", 0, end)


async def _connect() -> MessageBus:
    session = await MessageBus(bus_type=BusType.SESSION).connect()
    reply = await session.call(Message("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"))
    session.disconnect()
    if reply.message_type is not MessageType.METHOD_RETURN:
        raise LookupError("there is no accessibility bus")
    return await MessageBus(bus_address=reply.body[0]).connect()


async def main() -> None:
    """Answer questions."""
    bus = await _connect()

    async def walk(owner: str, path: str) -> dict[str, int]:
        found = Walk(bus, owner)
        await found.visit(path)
        return {"objects": len(found.objects), "calls": found.calls}

    async def release() -> str:
        return version("dbus-fast")

    await answer_async({"full": walk, "version": release})


if __name__ == "__main__":
    asyncio.run(main())
