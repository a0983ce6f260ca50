"""Reading past the bus, on real toolkits: the same objects as over the bus, and no connection where none is offered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from dbus_fast import Message

from tactile.adapters.atspi import AtspiAdapter, bus, events, tree
from tactile.adapters.atspi.calls import Call
from tactile.adapters.atspi.reading import Job
from tactile.adapters.atspi.roles import toolkit_of
from tactile.adapters.atspi.wire import Wire
from tactile.adapters.desktop import Desktop, DesktopOptions, start
from tactile.errors import AppGoneError, PlatformError
from tactile.records.accessible import AccessibleTree, Application, NativeRef, ReadLimits
from tactile.records.vocabulary import State
from tests.apps.fixture_control import ask

APPS = Path(__file__).resolve().parents[1] / "apps"
SCRIPTS = {"gtk3": "gtk3_form.py", "qt5": "qt_form.py"}
WAIT_S = 10.0

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
async def desktop() -> AsyncIterator[Desktop]:
    """One private desktop for the module."""
    running = await start(DesktopOptions(read_only=(APPS,)))
    yield running
    await running.stop()


@pytest.fixture
async def link(desktop: Desktop) -> AsyncIterator[bus.Link]:
    """Connections of its own for each test."""
    made = bus.Link(desktop.session_bus)
    yield made
    await made.close()


def soon() -> float:
    """Return a deadline that is not met."""
    return asyncio.get_running_loop().time() + WAIT_S


async def opened(desktop: Desktop, link: bus.Link, kind: str) -> Application:
    """Start a fixture application and wait until it shows a window."""
    socket = desktop.home / f"{kind}.sock"
    socket.unlink(missing_ok=True)
    log = desktop.home / f"{kind}.log"
    argv = ["/usr/bin/python3", str(APPS / SCRIPTS[kind]), "--log", str(log), "--control", str(socket)]
    pid = await desktop.run(argv)
    adapter, until = AtspiAdapter(link), soon()
    while True:
        for application in await adapter.applications(2.0):
            if application.pid == pid and application.is_responding:
                found = await adapter.read_tree(application.root, ReadLimits())
                if any(State.SHOWING in one.states for one in found.accessibles):
                    return application
        assert asyncio.get_running_loop().time() < until, f"{kind} did not come to the accessibility bus"
        await asyncio.sleep(0.05)


async def end(desktop: Desktop, application: Application) -> None:
    """End an application, from within the desktop, where its process id means something."""
    await desktop.exit_of(await desktop.run(["kill", "-KILL", str(application.pid)]), 5.0)


async def read(application: Application, wire: Wire) -> AccessibleTree:
    """Read an application over one connection."""
    toolkit = toolkit_of(application.toolkit)
    return await tree.read_tree(
        Job(line=wire, application=application, toolkit=toolkit, limits=ReadLimits(), until=soon())
    )


async def test_an_application_with_a_socket_of_its_own_is_read_over_it_and_says_the_same(
    desktop: Desktop, link: bus.Link
) -> None:
    """Facts 2.2: GTK 3 listens at a socket of its own. Refs must be the same, for acts go over the bus."""
    application = await opened(desktop, link, "gtk3")
    own, wire = await link.reads(application.root, soon()), await link.wire(soon())

    straight, over_bus = await read(application, own), await read(application, wire)

    assert own is not wire
    assert straight.accessibles == over_bus.accessibles
    assert len(straight.accessibles) > 50
    assert straight.calls == over_bus.calls
    await end(desktop, application)


async def test_an_application_that_ends_while_it_is_read_over_its_own_socket_is_gone(
    desktop: Desktop, link: bus.Link
) -> None:
    """There is no bus in between that could say so; the end of the connection does."""
    application = await opened(desktop, link, "gtk3")
    own = await link.reads(application.root, soon())
    await desktop.exit_of(await desktop.run(["kill", "-STOP", str(application.pid)]), 5.0)
    reading = asyncio.create_task(read(application, own))
    await asyncio.sleep(0)
    await end(desktop, application)

    with pytest.raises(AppGoneError):
        await reading
    assert await link.reads(application.root, soon()) is await link.wire(soon())


async def test_an_application_without_one_is_read_over_the_bus(desktop: Desktop, link: bus.Link) -> None:
    """Facts 2.2: Qt says UnknownObject."""
    application = await opened(desktop, link, "qt5")

    assert await link.reads(application.root, soon()) is await link.wire(soon())
    await end(desktop, application)


async def test_events_sent_before_an_answer_have_arrived_when_the_link_has_caught_up(
    desktop: Desktop, link: bus.Link
) -> None:
    """Otherwise a late event would be taken for what the next act caused. The bus is stopped to make it late."""
    application = await opened(desktop, link, "gtk3")
    owner = application.root.application
    own, line = await link.reads(application.root, soon()), await link.line(soon())
    (go,) = [one.ref.path for one in (await read(application, own)).accessibles if one.name == "Go"]
    heard: list[Message] = []
    line.add_signal_handler(heard.append)
    assert await events.register(line, soon())
    await line.call(Call(*bus.DAEMON, "AddMatch", "s", (f"type='signal',sender='{owner}'",)), soon())
    daemon, _ = await line.call(Call(*bus.DAEMON, "GetConnectionUnixProcessID", "s", (bus.DAEMON[0],)), soon())
    assert daemon is not None

    def names() -> list[str]:
        return [str(one.body[3].value) for one in heard if one.member == "PropertyChange" and one.path == go]

    await desktop.exit_of(await desktop.run(["kill", "-STOP", str(daemon[0])]), 5.0)
    await asyncio.to_thread(ask, desktop.home / "gtk3.sock", do="rename", name="Go", to="Gone")
    assert await own.call(bus.get(owner, go, bus.ACCESSIBLE, "Name"), soon()) == (["Gone"], "")
    assert names() == []
    await desktop.run(["kill", "-CONT", str(daemon[0])])

    assert await link.catch_up(own, owner, soon()) == 1
    assert names() == ["Gone"]
    assert await link.catch_up(await link.wire(soon()), owner, soon()) == 0
    await end(desktop, application)


async def test_a_bus_that_lets_in_no_second_connection_is_an_error_with_words(link: bus.Link, tmp_path: Path) -> None:
    """Our choice: no silent fallback to the slow client."""
    await link.line(soon())
    link._address = f"unix:path={tmp_path / 'nobody'}"

    with pytest.raises(PlatformError, match="second connection"):
        await link.reads(NativeRef(application=":1.1", path=bus.ROOT_PATH), soon())
