"""Native errors in our words: one table, walked through."""

from __future__ import annotations

import pytest

from tactile.adapters.atspi.bus import ERRORS, error_of
from tactile.errors import (
    AppGoneError,
    AppUnresponsiveError,
    ObjectGoneError,
    PlatformError,
    UnsupportedError,
)

DBUS = "org.freedesktop.DBus.Error."
EXPECTED: dict[str, type[PlatformError]] = {
    "": AppUnresponsiveError,
    DBUS + "NoReply": AppGoneError,
    DBUS + "Timeout": AppUnresponsiveError,
    DBUS + "TimedOut": AppUnresponsiveError,
    DBUS + "ServiceUnknown": AppGoneError,
    DBUS + "NameHasNoOwner": AppGoneError,
    DBUS + "UnknownObject": ObjectGoneError,
    DBUS + "UnknownMethod": UnsupportedError,
    DBUS + "UnknownInterface": UnsupportedError,
    DBUS + "UnknownProperty": UnsupportedError,
    DBUS + "PropertyReadOnly": UnsupportedError,
    DBUS + "NotSupported": UnsupportedError,
    DBUS + "InvalidArgs": UnsupportedError,
    DBUS + "Disconnected": PlatformError,
    "tactile.ConnectionLost": PlatformError,
}


def test_the_table_is_the_one_written_down_here() -> None:
    """House style: one place per adapter maps native errors, with a test that enumerates them."""
    assert ERRORS == EXPECTED


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_native_error_says_what_was_sought_and_what_to_do(name: str) -> None:
    """House style: sought, found, what to do next."""
    error = error_of(name, "press")

    assert type(error) is EXPECTED[name]
    assert error.message.startswith("press: ")
    assert name in error.message
    assert error.hint
    assert error.effect == "none"


def test_an_unheard_of_error_is_a_platform_error_that_names_it() -> None:
    """No native error is lost or taken for another."""
    error = error_of("org.example.Odd", "press")

    assert type(error) is PlatformError
    assert "org.example.Odd" in error.message
