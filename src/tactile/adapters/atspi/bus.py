"""The accessibility bus: finding it, keeping two connections to it, and native errors in our words."""

from __future__ import annotations

import asyncio

from dbus_fast import Variant
from dbus_fast.errors import AuthError, DBusFastError, InvalidAddressError

from tactile.adapters.atspi.calls import LOST, Call, ControlLine, open_line
from tactile.adapters.atspi.peers import Peers
from tactile.adapters.atspi.wire import Wire, open_wire
from tactile.errors import (
    AppGoneError,
    AppUnresponsiveError,
    ObjectGoneError,
    PlatformError,
    SetupError,
    TactileError,
    UnsupportedError,
)
from tactile.records.accessible import NativeRef

ACCESSIBLE = "org.a11y.atspi.Accessible"
APPLICATION = "org.a11y.atspi.Application"
ACTION = "org.a11y.atspi.Action"
COMPONENT = "org.a11y.atspi.Component"
COLLECTION = "org.a11y.atspi.Collection"
EDITABLE_TEXT = "org.a11y.atspi.EditableText"
SELECTION = "org.a11y.atspi.Selection"
TABLE = "org.a11y.atspi.Table"
TEXT = "org.a11y.atspi.Text"
VALUE = "org.a11y.atspi.Value"
PROPERTIES = "org.freedesktop.DBus.Properties"
REGISTRY = "org.a11y.atspi.Registry"
REGISTRY_PATH = "/org/a11y/atspi/registry"
ROOT_PATH = "/org/a11y/atspi/accessible/root"
NULL_PATH = "/org/a11y/atspi/null"
DAEMON = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")

CATCH_UP_S = 0.25  # for one round trip over the bus; an application that just answered needs 1 ms
RESTART = "restart at-spi-bus-launcher (package at-spi2-core)"

_ERROR = "org.freedesktop.DBus.Error."

# The one place where native errors get their meaning; tests/unit/test_atspi_errors.py walks through it.
ERRORS: dict[str, type[PlatformError]] = {
    "": AppUnresponsiveError,
    _ERROR + "NoReply": AppGoneError,  # its connection ended; the bus's own timeout is far beyond our deadlines
    _ERROR + "Timeout": AppUnresponsiveError,
    _ERROR + "TimedOut": AppUnresponsiveError,
    _ERROR + "ServiceUnknown": AppGoneError,
    _ERROR + "NameHasNoOwner": AppGoneError,
    _ERROR + "UnknownObject": ObjectGoneError,
    _ERROR + "UnknownMethod": UnsupportedError,
    _ERROR + "UnknownInterface": UnsupportedError,
    _ERROR + "UnknownProperty": UnsupportedError,
    _ERROR + "PropertyReadOnly": UnsupportedError,
    _ERROR + "NotSupported": UnsupportedError,
    _ERROR + "InvalidArgs": UnsupportedError,
    LOST: PlatformError,
    _ERROR + "Disconnected": PlatformError,
}

NOT_DELIVERED = frozenset({_ERROR + "ServiceUnknown", _ERROR + "NameHasNoOwner"})

_SENTENCES: dict[type[PlatformError], tuple[str, str]] = {
    AppUnresponsiveError: ("the application did not answer", "wait, or look whether it hangs"),
    AppGoneError: ("the application left the accessibility bus", "list the applications again"),
    ObjectGoneError: ("the object no longer exists", "observe again"),
    UnsupportedError: ("the object cannot do this", "use the pointer or the keyboard instead"),
    PlatformError: ("the accessibility bus failed", "call again; the connection is made anew"),
}


def error_of(name: str, sought: str) -> PlatformError:
    """Turn a D-Bus error name into the error a caller can act on; "" means that no answer came in time."""
    kind = ERRORS.get(name, PlatformError)
    sentence, hint = _SENTENCES[kind]
    native = f" ({name})" if name else ""
    return kind(f"{sought}: {sentence}{native}", hint=hint)


def get(application: str, path: str, interface: str, name: str) -> Call:
    """Build the call that reads one property."""
    return Call(application, path, PROPERTIES, "Get", "ss", (interface, name))


class Link:
    """Keeps two connections to the accessibility bus, and makes new ones when they were lost.

    The control line carries acts, signals and set-up; the wire carries reads, at less cost. An application that lets us
    in past the bus is read over a connection of its own.
    """

    def __init__(self, session_bus_address: str) -> None:
        self._session_bus_address = session_bus_address
        self._address = ""
        self._line: ControlLine | None = None
        self._wire: Wire | None = None
        self._peers = Peers()
        self._lock = asyncio.Lock()

    async def line(self, until: float) -> ControlLine:
        """Return the open control line, connecting anew if needed.

        Args:
            until: Loop time at which to give up.

        Raises:
            PlatformError: There is no bus, or it does not answer.
        """
        try:
            return await self.open(until)
        except SetupError as problem:
            raise PlatformError(problem.message, hint=problem.hint) from problem

    async def open(self, until: float) -> ControlLine:
        """Return the open control line, as `line` does.

        Raises:
            SetupError: A bus is not there; the message names which.
            PlatformError: It is there and does not answer.
        """
        async with self._lock:
            if self._line is None or not self._line.is_connected:
                await self.close()
                self._line, self._address = await _connect(self._session_bus_address, until)
            return self._line

    async def wire(self, until: float) -> Wire:
        """Return the open connection for reads, connecting anew if needed.

        Args:
            until: Loop time at which to give up.

        Raises:
            PlatformError: There is no bus, it does not answer, or it does not let a second connection in.
        """
        await self.line(until)
        async with self._lock:
            if self._wire is None or not self._wire.is_connected:
                self._wire = None
                self._wire = await _open_wire(self._address, until)
            return self._wire

    async def reads(self, root: NativeRef, until: float) -> Wire:
        """Return the connection over which to read an application: its own where it offers one, else the wire.

        Raises:
            PlatformError: As `wire`.
        """
        wire = await self.wire(until)
        return await self._peers.wire(wire, root.application, root.path, until) or wire

    async def catch_up(self, wire: Wire, application: str, until: float) -> int:
        """Wait until the events that an application sent before it answered over `wire` have arrived, too.

        Events come over the bus, so those of an application with a connection of its own may come behind its answers,
        and would be taken for what the next act caused.

        Args:
            wire: The one that `reads` gave.
            application: Its bus name.
            until: Loop time at which to give up.

        Returns:
            The calls that this took.
        """
        line = self._line
        if wire is self._wire or line is None:
            return 0
        until = min(until, asyncio.get_running_loop().time() + CATCH_UP_S)
        await line.call(Call(application, ROOT_PATH, "org.freedesktop.DBus.Peer", "Ping"), until)
        return 1

    async def close(self) -> None:
        """Disconnect."""
        await self._peers.close()
        line, self._line = self._line, None
        wire, self._wire = self._wire, None
        if line is not None:
            await line.close()
        if wire is not None:
            await wire.close()


async def enable(session_bus_address: str, until: float) -> None:
    """Switch accessibility on for a session, as a screen reader would.

    Raises:
        SetupError: A bus is not there.
        PlatformError: It does not answer.
    """
    session = await _open(session_bus_address, until, "session bus", "start the desktop's D-Bus session first")
    try:
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            body = ("org.a11y.Status", name, Variant("b", True))
            _, error = await session.call(Call("org.a11y.Bus", "/org/a11y/bus", PROPERTIES, "Set", "ssv", body), until)
            if error:
                raise _no_accessibility(error)
    finally:
        await session.close()


async def _connect(session_bus_address: str, until: float) -> tuple[ControlLine, str]:
    session = await _open(session_bus_address, until, "session bus", "start the desktop's D-Bus session first")
    try:
        call = Call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        body, error = await session.call(call, until)
    finally:
        await session.close()
    if body is None:
        raise _no_accessibility(error)
    address = str(body[0])
    return await _open(address, until, "accessibility bus", RESTART), address


def _no_accessibility(error: str) -> TactileError:
    sought = "sought the accessibility bus (org.a11y.Bus on the session bus)"
    if error:
        return SetupError(
            f"{sought}, found none ({error})", hint="install and start at-spi2-core (at-spi-bus-launcher)"
        )
    return PlatformError(f"{sought}, it did not answer in time", hint="look whether at-spi-bus-launcher hangs")


async def _open(address: str, until: float, what: str, hint: str) -> ControlLine:
    try:
        async with asyncio.timeout_at(until):
            return await open_line(address)
    except TimeoutError as problem:
        raise PlatformError(f"sought the {what}, it did not answer in time", hint=hint) from problem
    except (OSError, EOFError, AuthError, InvalidAddressError, DBusFastError, ValueError) as problem:
        raise SetupError(f"sought the {what}, cannot connect: {problem}", hint=hint) from problem


async def _open_wire(address: str, until: float) -> Wire:
    sought = "sought a second connection to the accessibility bus, for reads"
    try:
        return await open_wire(address, until)
    except TimeoutError as problem:
        raise PlatformError(f"{sought}; it did not answer in time", hint=RESTART) from problem
    except OSError as problem:
        raise PlatformError(f"{sought}; cannot connect: {problem}", hint=RESTART) from problem
