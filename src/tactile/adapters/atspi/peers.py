"""Connections straight to applications, past the bus daemon, which copies every message twice.

Applications that use ATK's bridge offer one (GTK 2 and 3, LibreOffice, Chromium, Firefox), GTK 4 and Qt do not. Objects
have the same names over it, and answers name the application by its bus name, as over the bus.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field

from tactile.adapters.atspi.calls import Call, Line
from tactile.adapters.atspi.wire import Wire, open_wire, socket_names

PEERS_MAX = 8  # connections kept
UNUSED_S = 30.0  # longer than any read takes, so none loses its connection
REFUSALS_MAX = 256  # applications remembered that offer none
CONNECT_S = 0.25  # a stopped application is connected to by the kernel, and then says nothing
GONE = "org.freedesktop.DBus.Error.NoReply"  # what a bus says when an application ends before it has answered
_SOCKET = re.compile(rb".*/at-spi2-[^/]+(/[^/]+)?")


@dataclass(slots=True)
class Peers:
    """The connections to single applications, at most `PEERS_MAX`, by bus name; a bus never gives a name again."""

    _wires: dict[str, Wire] = field(default_factory=dict)
    _used_s: dict[str, float] = field(default_factory=dict)
    _refusals: dict[str, None] = field(default_factory=dict)

    async def wire(self, line: Line, application: str, root: str, until: float) -> Wire | None:
        """Return a connection to an application, or None when the bus has to do.

        Args:
            line: The bus; asked once for each application.
            application: Its bus name.
            root: Path of its root.
            until: Loop time at which to give up.
        """
        now = asyncio.get_running_loop().time()
        known = self._wires.get(application)
        if known is not None and known.is_connected:
            self._used_s[application] = now
            return known
        if application in self._refusals or not await self._make_room(now):
            return None
        until = min(until, now + CONNECT_S)
        call = Call(application, root, "org.a11y.atspi.Application", "GetApplicationBusAddress")
        address, error = await line.call(call, until)
        if address is None and not error:
            return None  # it is busy; asked again next time
        try:
            opened = await _open(str(address[0]) if address else "", until)
        except TimeoutError:
            return None
        if opened is None:
            self._refuse(application)
            return None
        return await self._keep(application, opened, now)

    async def close(self) -> None:
        """Disconnect from all."""
        wires, self._wires = self._wires, {}
        self._refusals.clear()
        self._used_s.clear()
        for wire in wires.values():
            await wire.close()

    async def _make_room(self, now: float) -> bool:
        """Close what was lost, and what was not used for long if there are too many; tell whether there is room."""
        for application in sorted(self._wires, key=self._used_s.__getitem__):
            is_old = now - self._used_s[application] > UNUSED_S
            if not self._wires[application].is_connected or (is_old and len(self._wires) >= PEERS_MAX):
                del self._used_s[application]
                await self._wires.pop(application).close()
        return len(self._wires) < PEERS_MAX

    async def _keep(self, application: str, opened: Wire, now: float) -> Wire:
        known = self._wires.get(application)
        if known is not None and known.is_connected:  # two reads at once
            await opened.close()
            return known
        self._wires[application] = opened
        self._used_s[application] = now
        return opened

    def _refuse(self, application: str) -> None:
        if len(self._refusals) >= REFUSALS_MAX:
            self._refusals.clear()
        self._refusals[application] = None


async def _open(address: str, until: float) -> Wire | None:
    """Connect to an application; None when it lets nobody in.

    An application could name any socket of this user. Only one that is called as ATK's bridge calls its own is touched.

    Raises:
        TimeoutError: It does not answer in time.
    """
    try:
        names = socket_names(address)
        if not all(_SOCKET.fullmatch(name) for name in names):
            return None
        return await open_wire(address, until, is_bus=False, lost=GONE)
    except TimeoutError:
        raise
    except OSError:
        return None
