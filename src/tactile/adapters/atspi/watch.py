"""A watch over one application: which of its objects changed since it was last asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal

from dbus_fast import Message, Variant

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Call
from tactile.adapters.atspi.events import Switchboard
from tactile.adapters.atspi.roles import Toolkit, toolkit_of
from tactile.ports import Sweep
from tactile.records.accessible import AccessibleTree, NativeRef

HEARD_MAX = 2000  # events between two sweeps; then anything may have changed, and nothing more is listened to
Saying = Literal["name", "description"]
_SAYINGS: Mapping[str, Saying] = {"accessible-name": "name", "accessible-description": "description"}
_DOCUMENT = "document"  # how AT-SPI's words for all kinds of documents begin
_GTK4_TELLS_ALL = (4, 10)  # the release since which changed values come with an event (4.8 sends none, measured)


def are_events_complete(tree: AccessibleTree) -> bool:
    """Tell whether everything that changes in an application comes with an event of its own.

    Source:
        Facts 3.8 and Debian 13 section 4: every changed accessible on GTK 3 and Qt; GTK 4.8 sends none for values;
        Chromium leaves out document names and focus states, Firefox the extents of what scrolled. A document under
        GTK 3 is drawn by somebody else (LibreOffice, web views). What was not measured counts as incomplete.
    """
    toolkit, version = toolkit_of(tree.application.toolkit), _numbers(tree.application.toolkit_version)
    if toolkit is Toolkit.GTK4:
        return version >= _GTK4_TELLS_ALL
    if toolkit is Toolkit.GTK3:
        return version[:1] == (3,) and not any(item.native_role.startswith(_DOCUMENT) for item in tree.accessibles)
    return toolkit is Toolkit.QT


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(int(part) for part in parts if part.isdigit()) if parts[0].isdigit() else ()


def _said(message: Message) -> tuple[Saying, str] | None:
    """Return the name or description that an event tells, if that is what it tells."""
    body = message.body
    if message.member != "PropertyChange" or len(body) < 4 or body[0] not in _SAYINGS:
        return None
    value = body[3].value if isinstance(body[3], Variant) else None
    return (_SAYINGS[body[0]], value) if isinstance(value, str) else None


class Watch:
    """Remembers the sources of an application's events, over as many connections as it takes.

    Args:
        root: The application.
        connect: Returns the present switchboard, a new one after every registration with the registry; and whether
            the registry took it: without one applications may send nothing.
        patience: Returns the loop time at which the application is given up, which depends on its past.
    """

    def __init__(
        self,
        root: NativeRef,
        connect: Callable[[float], Awaitable[tuple[Switchboard, bool]]],
        patience: Callable[[float], float],
    ) -> None:
        self._root = root
        self._connect = connect
        self._patience = patience
        self._switchboard: Switchboard | None = None
        self._heard: set[str] = set()
        self._said: dict[tuple[NativeRef, Saying], str] = {}
        self._count = 0

    async def changed(self, deadline_s: float) -> Sweep:
        """Return what changed since the last asking; costs one call to the application.

        The application answers on the connection that brings its events, and the bus keeps the order of what one
        sender sends: when the answer is here, so is every event that was sent before it.

        Raises:
            AppUnresponsiveError: No answer in time; nothing is forgotten.
            AppGoneError: It left the bus.
            PlatformError: The bus is not there.
        """
        until = asyncio.get_running_loop().time() + deadline_s
        switchboard, is_told = await self._connect(until)
        if switchboard is not self._switchboard:
            self.close()
            await switchboard.join(self._root.application, self._take, until)
            self._switchboard, is_told = switchboard, False
        toplevels = await self._toplevels(switchboard, until)
        is_told = is_told and self._switchboard is switchboard  # it may have heard too much meanwhile
        refs = frozenset(NativeRef(application=self._root.application, path=path) for path in self._heard)
        sweep = Sweep(sources=refs if is_told else None, toplevels=toplevels, said=self._said)
        self._clear()
        return sweep

    def close(self) -> None:
        """Stop listening; asking again starts anew."""
        if self._switchboard is not None:
            self._switchboard.leave(self._root.application, self._take)
        self._switchboard = None
        self._clear()

    def _clear(self) -> None:
        self._heard, self._said, self._count = set(), {}, 0

    def _take(self, message: Message) -> None:
        self._count += 1
        path, said = message.path or "", _said(message)
        if self._count > HEARD_MAX:
            self.close()
        elif said is None:
            self._heard.add(path)
        else:
            self._said[NativeRef(application=self._root.application, path=path), said[0]] = said[1]

    async def _toplevels(self, switchboard: Switchboard, until: float) -> tuple[NativeRef, ...]:
        owner = self._root.application
        call = Call(owner, self._root.path, bus.ACCESSIBLE, "GetChildren")
        body, error = await switchboard.line.call(call, self._patience(until))
        if body is None:
            raise bus.error_of(error, f"look what changed in {owner}")
        return tuple(
            NativeRef(application=owner, path=path) for name, path in body[0] if name == owner and path != bus.NULL_PATH
        )
