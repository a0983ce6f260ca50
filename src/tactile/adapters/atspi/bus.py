"""The accessibility bus: finding it, keeping it, and native errors in our words."""

from __future__ import annotations

import asyncio

from dbus_fast import Variant
from dbus_fast.errors import AuthError, DBusFastError, InvalidAddressError

from tactile.adapters.atspi.calls import LOST, Call, Line, open_line
from tactile.errors import (
    AppGoneError,
    AppUnresponsiveError,
    ObjectGoneError,
    PlatformError,
    SetupError,
    TactileError,
    UnsupportedError,
)

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
    """Keeps one connection to the accessibility bus, and makes a new one when it was lost."""

    def __init__(self, session_bus_address: str) -> None:
        self._session_bus_address = session_bus_address
        self._line: Line | None = None
        self._lock = asyncio.Lock()

    async def line(self, until: float) -> Line:
        """Return the open connection, connecting anew if needed.

        Args:
            until: Loop time at which to give up.

        Raises:
            PlatformError: There is no bus, or it does not answer.
        """
        try:
            return await self.open(until)
        except SetupError as problem:
            raise PlatformError(problem.message, hint=problem.hint) from problem

    async def open(self, until: float) -> Line:
        """Return the open connection, as `line` does.

        Raises:
            SetupError: A bus is not there; the message names which.
            PlatformError: It is there and does not answer.
        """
        async with self._lock:
            if self._line is None or not self._line.is_connected:
                if self._line is not None:
                    await self._line.close()
                self._line = None
                self._line = await _connect(self._session_bus_address, until)
            return self._line

    async def close(self) -> None:
        """Disconnect."""
        if self._line is not None:
            await self._line.close()
            self._line = None


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


async def _connect(session_bus_address: str, until: float) -> Line:
    session = await _open(session_bus_address, until, "session bus", "start the desktop's D-Bus session first")
    try:
        call = Call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        body, error = await session.call(call, until)
    finally:
        await session.close()
    if body is None:
        raise _no_accessibility(error)
    return await _open(str(body[0]), until, "accessibility bus", "restart at-spi-bus-launcher (package at-spi2-core)")


def _no_accessibility(error: str) -> TactileError:
    sought = "sought the accessibility bus (org.a11y.Bus on the session bus)"
    if error:
        return SetupError(
            f"{sought}, found none ({error})", hint="install and start at-spi2-core (at-spi-bus-launcher)"
        )
    return PlatformError(f"{sought}, it did not answer in time", hint="look whether at-spi-bus-launcher hangs")


async def _open(address: str, until: float, what: str, hint: str) -> Line:
    try:
        async with asyncio.timeout_at(until):
            return await open_line(address)
    except TimeoutError as problem:
        raise PlatformError(f"sought the {what}, it did not answer in time", hint=hint) from problem
    except (OSError, EOFError, AuthError, InvalidAddressError, DBusFastError, ValueError) as problem:
        raise SetupError(f"sought the {what}, cannot connect: {problem}", hint=hint) from problem
