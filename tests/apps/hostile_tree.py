"""An accessible application that lies: cycles, endless depth, foreign children, huge names, answers of wrong types.

It runs inside the test's own loop, on a bus connection of its own, under the project's Python (it needs dbus-fast).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

ROOT = "/org/a11y/atspi/accessible/root"
ITEM = "/org/a11y/atspi/accessible/"
ACCESSIBLE = "org.a11y.atspi.Accessible"
SHOWING = [(1 << 8) | (1 << 11) | (1 << 24) | (1 << 25) | (1 << 30), 0]
FRAME, PANEL, BUTTON = 23, 39, 43
WIDE = 2_500  # with more, dbus-fast gives the connection up at the kernel's full buffer
LOUD = 120_000
GARBAGE = (("s", ["no"]), ("i", [-7]), ("as", [["a", "b"]]), ("v", [Variant("a{sv}", {})]), ("", []), ("d", [0.5]))


@dataclass(slots=True)
class Hostile:
    """One lying application.

    Attributes:
        mode: Which lie; one of `MODES`.
        toolkit: What it says to be, so that each way of reading meets it.
        asked: Method calls that came in.
    """

    mode: str
    toolkit: str
    victim: str = ""
    asked: int = 0
    bus: MessageBus | None = field(default=None, repr=False)

    async def start(self, address: str) -> str:
        """Connect, register as an application, and return the bus name."""
        self.bus = bus = await MessageBus(bus_address=address).connect()
        bus.add_message_handler(self.answer)
        embed = Message(
            destination="org.a11y.atspi.Registry",
            path=ROOT,
            interface="org.a11y.atspi.Socket",
            member="Embed",
            signature="(so)",
            body=[[bus.unique_name, ROOT]],
        )
        reply = await bus.call(embed)
        assert reply is not None
        assert reply.message_type is MessageType.METHOD_RETURN, reply.body
        assert bus.unique_name is not None
        return bus.unique_name

    def stop(self) -> None:
        """Leave."""
        if self.bus is not None:
            self.bus.disconnect()

    # ---- answers

    def answer(self, message: Message) -> Message | bool:
        """Answer a method call in the way of this mode."""
        if message.message_type is not MessageType.METHOD_CALL:
            return False
        self.asked += 1
        path, member = message.path or "", message.member or ""
        if self._is_silent(path):
            return True
        is_identity = message.interface == "org.freedesktop.DBus.Properties" and path == ROOT
        if self.mode == "garbage" and not is_identity and not (path == ROOT and member == "GetChildren"):
            signature, body = GARBAGE[self.asked % len(GARBAGE)]
            return Message.new_method_return(message, signature, body)
        if self.mode == "leaves" and path.startswith(ITEM) and path != ROOT and self.asked > 400:
            self.stop()
            return True
        found = self._value(path, member, message.body)
        if found is None:
            return Message.new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", member)
        return Message.new_method_return(message, *found)

    def _is_silent(self, path: str) -> bool:
        return self.mode == "silent" and path != ROOT

    def _value(self, path: str, member: str, body: list[Any]) -> tuple[str, list[Any]] | None:
        answers: dict[str, Callable[[], tuple[str, list[Any]] | None]] = {
            "Get": lambda: self._property(path, str(body[1])),
            "GetAll": lambda: ("a{sv}", [self._all(path)]),
            "GetChildren": lambda: ("a(so)", [self.children(path)]),
            "GetChildAtIndex": lambda: ("(so)", [[self._name, ITEM + "1"]]),
            "GetRole": lambda: ("u", [self._role(path)]),
            "GetState": lambda: ("au", [SHOWING]),
            "GetInterfaces": lambda: ("as", [[ACCESSIBLE, "org.a11y.atspi.Component", "org.a11y.atspi.Action"]]),
            "GetExtents": lambda: ("(iiii)", [[10, 10, 300, 200]]),
            "GetName": lambda: ("s", ["click"]),
            "GetAttributes": lambda: ("a{ss}", [{}]),
            "GetRelationSet": lambda: ("a(ua(so))", [[]]),
        }
        return answers[member]() if member in answers else None

    def _property(self, path: str, name: str) -> tuple[str, list[Any]] | None:
        known = self._all(path) | {
            "ToolkitName": Variant("s", self.toolkit),
            "Version": Variant("s", "9.9"),
            "NActions": Variant("i", 1),
        }
        return ("v", [known[name]]) if name in known else None

    def _all(self, path: str) -> dict[str, Variant]:
        name = "x" * LOUD if self.mode == "loud" and path == ITEM + "1" else f"Thing {path.rpartition('/')[2]}"
        return {
            "Name": Variant("s", name),
            "Description": Variant("s", ""),
            "ChildCount": Variant("i", self._count(path)),
            "Parent": Variant("(so)", [self._name, self._parent(path)]),
        }

    @property
    def _name(self) -> str:
        assert self.bus is not None
        return self.bus.unique_name or ""

    def _role(self, path: str) -> int:
        return FRAME if path in {child for _, child in self.children(ROOT)} else (BUTTON if "b" in path else PANEL)

    def _count(self, path: str) -> int:
        return 2**31 - 1 if self.mode == "boast" and path != ROOT else len(self.children(path))

    def _parent(self, path: str) -> str:
        return path if self.mode == "cycle" else ROOT

    def children(self, path: str) -> list[list[str]]:
        """Return the children this mode claims."""
        own = self._name
        if self.mode == "wide" and path == ROOT:
            return [[own, f"{ITEM}{number}"] for number in range(WIDE)]
        if path == ROOT:
            return [[own, ITEM + "1"]]
        number = path.rpartition("/")[2]
        if self.mode == "cycle":
            return [[own, ROOT], [own, ITEM + "1"], [own, path], [own, ITEM + "2"]]
        if self.mode == "deep" and number.isdigit():
            return [[own, f"{ITEM}{int(number) + 1}"]]
        if self.mode == "foreign" and number == "1":
            return [[self.victim, ROOT], ["org.a11y.atspi.Registry", ROOT], [own, ITEM + "b1"]]
        if number == "1":
            return [[own, f"{ITEM}b{index}"] for index in range(200 if self.mode == "leaves" else 3)]
        return []


MODES = ("cycle", "deep", "wide", "foreign", "loud", "garbage", "silent", "boast", "leaves")
