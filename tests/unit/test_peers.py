"""Connections straight to applications: who is let in, who is kept, and what a bad address leads to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tactile.adapters.atspi.calls import Batch, Call, Reply
from tactile.adapters.atspi.peers import GONE, PEERS_MAX, Peers
from tactile.adapters.atspi.wire import Wire

UNKNOWN = "org.freedesktop.DBus.Error.UnknownMethod"
ROOT = "/org/a11y/atspi/accessible/root"

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """The client is made for asyncio."""
    return "asyncio"


@dataclass(slots=True)
class Bus:
    """A bus on which each application says where it listens; what it was asked is kept."""

    addresses: dict[str, str]
    asked: list[Call] = field(default_factory=list)
    is_connected: bool = True
    lost: str = ""
    can_send: bool = True

    async def call(self, call: Call, until: float) -> tuple[Sequence[Any] | None, str]:
        """Answer with the address."""
        assert until < asyncio.get_running_loop().time() + 1
        self.asked.append(call)
        address = self.addresses.get(call.destination)
        return ([address], "") if address is not None else (None, UNKNOWN)

    def send(self, batch: Batch, call: Call, reply: Reply) -> int:
        """Is not needed."""
        raise NotImplementedError

    def forget(self, serial: int) -> None:
        """Is not needed."""
        raise NotImplementedError


@dataclass(slots=True)
class Listener:
    """An application that lets everybody in and answers nothing; what it heard is kept."""

    address: str
    heard: list[bytes] = field(default_factory=list)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Let one in."""
        self.writers.append(writer)
        self.heard.append(await reader.readline())
        writer.write(b"OK 0123456789abcdef0123456789abcdef\r\n")
        self.heard.append(await reader.readline())

    async def end(self) -> None:
        """Close all connections."""
        for writer in self.writers:
            writer.close()
            await writer.wait_closed()


@asynccontextmanager
async def application(folder: Path, name: str) -> AsyncIterator[Listener]:
    """An application that listens at a socket of this name."""
    one = Listener(address=f"unix:path={folder / name}")
    async with await asyncio.start_unix_server(one.talk, folder / name):
        yield one
        await one.end()


@pytest.fixture
async def peers() -> AsyncIterator[Peers]:
    """Connections that are closed at the end."""
    kept = Peers()
    yield kept
    await kept.close()


async def connect(peers: Peers, bus: Bus, owner: str = ":1.1") -> Wire | None:
    """Ask for a connection."""
    return await peers.wire(bus, owner, ROOT, asyncio.get_running_loop().time() + 5)


async def test_an_application_is_asked_once_and_its_connection_kept(peers: Peers, tmp_path: Path) -> None:
    """One call for each application, and none for each read."""
    async with application(tmp_path, "at-spi2-socket-1") as listener:
        bus = Bus({":1.1": listener.address})

        first, second = await connect(peers, bus), await connect(peers, bus)

        assert first is second is not None
        assert [(call.destination, call.path, call.member) for call in bus.asked] == [
            (":1.1", ROOT, "GetApplicationBusAddress")
        ]
        assert len(listener.writers) == 1


async def test_an_application_that_offers_none_is_asked_once(peers: Peers) -> None:
    """GTK 4 and Qt say UnknownMethod or UnknownObject."""
    bus = Bus({})

    assert await connect(peers, bus) is None
    assert await connect(peers, bus) is None
    assert len(bus.asked) == 1


@pytest.mark.parametrize("name", ["bus", "at-spi2", "xat-spi2-1"])
async def test_a_socket_that_is_no_accessibility_socket_is_not_touched(peers: Peers, tmp_path: Path, name: str) -> None:
    """An application could name the session bus, or any program of this user that trusts whoever connects."""
    async with application(tmp_path, name) as listener:
        assert await connect(peers, Bus({":1.1": listener.address})) is None
        assert listener.writers == []


@pytest.mark.parametrize("address", ["", "tcp:host=example,port=1", "unix:path=/nowhere/at-spi2-socket-1", "\0"])
async def test_an_address_of_nobody_leaves_the_bus(peers: Peers, address: str) -> None:
    """A sandboxed application names a path that is not there outside."""
    assert await connect(peers, Bus({":1.1": address})) is None


async def test_a_connection_that_ended_is_made_anew(peers: Peers, tmp_path: Path) -> None:
    """And what waited on it is told that the application is gone."""
    async with application(tmp_path, "at-spi2-socket-1") as listener:
        bus = Bus({":1.1": listener.address})
        first = await connect(peers, bus)
        assert first is not None
        waiting = asyncio.create_task(first.call(Call(":1.1", ROOT, "a.b", "C"), asyncio.get_running_loop().time() + 5))
        await asyncio.sleep(0)
        await listener.end()

        assert await waiting == (None, GONE)
        assert await first.call(Call(":1.1", ROOT, "a.b", "C"), asyncio.get_running_loop().time() + 5) == (None, GONE)
        second = await connect(peers, bus)
        assert second is not first
        assert second is not None
        assert second.is_connected


async def test_no_more_connections_are_kept_than_allowed_and_none_in_use_is_closed(
    peers: Peers, tmp_path: Path
) -> None:
    """The bus does for the rest; who was read lately keeps what it has."""
    async with AsyncExitStack() as stack:
        names = [f"at-spi2-socket-{number}" for number in range(PEERS_MAX + 1)]
        listeners = [await stack.enter_async_context(application(tmp_path, name)) for name in names]
        bus = Bus({f":1.{number}": listener.address for number, listener in enumerate(listeners)})

        wires = [await connect(peers, bus, owner) for owner in bus.addresses]

        assert wires[-1] is None
        assert all(wire is not None and wire.is_connected for wire in wires[:-1])
        peers._used_s[":1.3"] -= 3600
        assert await connect(peers, bus, f":1.{PEERS_MAX}") is not None
        assert [wire.is_connected for wire in wires if wire] == [number != 3 for number in range(PEERS_MAX)]
