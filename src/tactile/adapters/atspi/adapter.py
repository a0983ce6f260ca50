"""The accessibility port over AT-SPI."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any

from tactile.adapters.atspi import act, bus, events, tree
from tactile.adapters.atspi.calls import Batch, Call, ControlLine, Line
from tactile.adapters.atspi.point import at_point
from tactile.adapters.atspi.reading import Job
from tactile.adapters.atspi.roles import Toolkit, toolkit_of
from tactile.adapters.atspi.suspects import Suspects
from tactile.adapters.atspi.watch import Watch, are_events_complete
from tactile.errors import PlatformError
from tactile.ports import ChangeStream
from tactile.records.accessible import AccessibleTree, Application, NativeRef, ReadLimits
from tactile.records.geometry import Point

APPLICATION_S = 1.0  # what one application may take to say its name (facts 5.1)
SUSPECT_S = 0.01  # for the answer of one that failed to answer before: a healed one has given it already
REGISTER_S = 1.0  # a stopped registry must not hold up the start
CONNECT_S = 2.0
IDENTITY = (
    ("name", bus.ACCESSIBLE, "Name"),
    ("toolkit", bus.APPLICATION, "ToolkitName"),
    ("version", bus.APPLICATION, "Version"),
)


class AtspiAdapter:
    """Reads and acts on accessible objects of one desktop session.

    Attributes:
        is_listening: The registry took our event registration; without it applications send no events.
    """

    def __init__(self, link: bus.Link) -> None:
        self._link = link
        self._suspects = Suspects()
        self._known: dict[NativeRef, Application] = {}
        self._registered: ControlLine | None = None
        self._tried: ControlLine | None = None
        self._switchboard: events.Switchboard | None = None

    @property
    def is_listening(self) -> bool:
        """Tell whether the registry confirmed that events are wanted."""
        return self._registered is not None and self._registered.is_connected

    async def close(self) -> None:
        """Disconnect; the adapter connects anew if it is used again."""
        await self._link.close()

    async def prepare(self, until: float, *, retry: bool = True) -> ControlLine:
        """Return the open connection, registered for events where the registry answers in time.

        Args:
            until: Loop time at which to give up.
            retry: Ask a registry again that did not answer before.
        """
        line = await self._link.line(until)
        if self._switchboard is None or self._switchboard.line is not line:
            self._switchboard = events.Switchboard(line)
            await events.follow_registry(line, self._forget_registration, until)
        if self._registered is not line and (retry or self._tried is not line):
            self._tried = line
            if await events.register(line, min(until, _now() + REGISTER_S)):
                self._registered = line
                self._switchboard = events.Switchboard(line)  # what was not told before is a break for those who listen
        return line

    def _forget_registration(self) -> None:
        """Register again when next used: another registry knows nothing of us."""
        self._registered = self._tried = None

    async def applications(self, deadline_s: float) -> tuple[Application, ...]:
        """List applications; one that does not answer in time is listed as not responding.

        Raises:
            PlatformError: The accessibility bus itself is not there.
        """
        until = _now() + deadline_s
        line = await self.prepare(until)
        body, error = await line.call(Call(bus.REGISTRY, bus.ROOT_PATH, bus.ACCESSIBLE, "GetChildren"), until)
        if body is None:
            raise PlatformError(
                f"list applications: the accessibility registry did not answer{f' ({error})' if error else ''}",
                hint="look whether at-spi2-registryd hangs",
            )
        roots = [NativeRef(application=owner, path=path) for owner, path in body[0] if path != bus.NULL_PATH]
        found = await asyncio.gather(*(self._identify(line, root, until) for root in roots))
        applications = tuple(application for application in found if application is not None)
        self._known = {application.root: application for application in applications}
        self._suspects.keep({application.root.application for application in applications})
        return applications

    async def read_tree(
        self, root: NativeRef, limits: ReadLimits, only: Collection[NativeRef] | None = None
    ) -> AccessibleTree:
        """Read the tree below an application root, within limits; partial trees say so.

        Args:
            root: The application.
            limits: Bounds of the read.
            only: Read just these toplevels; the tree names all that there are in `toplevels`.

        Raises:
            AppUnresponsiveError: Nothing at all came before the deadline.
            AppGoneError: The application is no longer on the bus.
        """
        until = _now() + limits.deadline_s
        line = await self.prepare(until, retry=False)
        application = self._known.get(root)
        if application is None or not application.is_responding or root.application in self._suspects:
            application = await self._identify(line, root, until)
        if application is None:
            raise bus.error_of("org.freedesktop.DBus.Error.NameHasNoOwner", f"read {root.application}")
        if not application.is_responding:
            raise bus.error_of("", f'read "{application.name or root.application}"')
        self._known[root] = application
        toolkit = toolkit_of(application.toolkit)
        paths = None if only is None else frozenset(ref.path for ref in only)
        wire = await self._link.reads(root, until)
        found = await tree.read_tree(
            Job(
                line=wire,
                application=application,
                toolkit=toolkit,
                limits=limits,
                until=until,
                only=paths,
            )
        )
        calls = found.calls + await self._link.catch_up(wire, root.application, until)
        return replace(found, are_events_complete=are_events_complete(found), calls=calls)

    async def at_point(self, root: NativeRef, point: Point) -> NativeRef | None:
        """Return what the toolkit says is at a physical pixel; None when it does not say.

        Raises:
            PlatformError: The accessibility bus is not there.
        """
        until = _now() + APPLICATION_S
        line = await self._link.line(until)
        application = self._known.get(root) or await self._identify(line, root, until)
        if application is None or not application.is_responding:
            return None
        return await at_point(line, root, toolkit_of(application.toolkit), point, until)

    async def perform(self, ref: NativeRef, primitive: str, argument: str, deadline_s: float) -> bool | None:
        """Do one offered primitive, once; never retried here.

        Returns:
            The toolkit's own answer, None when it gave none. It is not evidence.

        Raises:
            ObjectGoneError: The object no longer exists; nothing was done.
            AppUnresponsiveError: No answer in time; `effect` says whether one is possible.
            UnsupportedError: The object cannot do it; nothing was done.
            RequestError: The argument does not fit; nothing was done.
        """
        until = _now() + deadline_s
        line = await self._link.line(until)
        return await act.perform(act.Target(line, ref, until, self._toolkit_of(ref)), primitive, argument)

    def changes(self, root: NativeRef) -> AbstractAsyncContextManager[ChangeStream]:
        """Open a stream of changes of one application.

        Raises:
            PlatformError: On entering, when the bus does not take the subscription.
        """
        return self._changes(root)

    def watch(self, root: NativeRef) -> Watch:
        """Return a watch over one application; it begins to listen when it is first asked."""
        return Watch(root, self._hearing, lambda until: self._patience(root, until))

    async def _hearing(self, until: float) -> tuple[events.Switchboard, bool]:
        await self.prepare(until, retry=False)
        assert self._switchboard is not None
        return self._switchboard, self.is_listening

    def _patience(self, root: NativeRef, until: float) -> float:
        return min(until, _now() + SUSPECT_S) if root.application in self._suspects else until

    def _toolkit_of(self, ref: NativeRef) -> Toolkit:
        known = (one.toolkit for one in self._known.values() if one.root.application == ref.application)
        return toolkit_of(next(known, ""))

    @asynccontextmanager
    async def _changes(self, root: NativeRef) -> AsyncIterator[ChangeStream]:
        await self.prepare(_now() + CONNECT_S)
        assert self._switchboard is not None
        async with events.listen(self._switchboard, root.application) as stream:
            yield stream

    async def _identify(self, line: Line, root: NativeRef, until: float) -> Application | None:
        """Ask an application who it is; None when it is gone."""
        owner = root.application
        pids: list[int] = []
        daemon = Batch(line)
        daemon.ask(
            Call(*bus.DAEMON, "GetConnectionUnixProcessID", "s", (owner,)),
            lambda body, _error: pids.append(int(body[0])) if body else None,
        )
        answers: dict[str, str] = {}
        is_silent = await self._suspects.is_silent(owner, SUSPECT_S)
        is_responding = not is_silent and await self._ask_names(line, root, until, answers)
        await daemon.run(until)
        if not pids:
            return None
        if is_responding:
            self._suspects.clear(owner)
        elif not is_silent:
            self._suspects.suspect(line, root)
        known = self._known.get(root) or Application(root=root, name="", pid=pids[0])
        return Application(
            root=root,
            name=answers.get("name", known.name),
            pid=pids[0],
            toolkit=answers.get("toolkit", known.toolkit),
            toolkit_version=answers.get("version", known.toolkit_version),
            is_responding=is_responding,
        )

    async def _ask_names(self, line: Line, root: NativeRef, until: float, answers: dict[str, str]) -> bool:
        batch = Batch(line)
        for field, interface, name in IDENTITY:

            def take(body: Sequence[Any] | None, _error: str, field: str = field) -> None:
                if body:
                    answers[field] = str(body[0])

            batch.ask(bus.get(root.application, root.path, interface, name), take)
        return await batch.run(min(until, _now() + APPLICATION_S))


def _now() -> float:
    return asyncio.get_running_loop().time()


async def connect(session_bus_address: str, deadline_s: float, *, enable: bool = False) -> AtspiAdapter:
    """Connect to the accessibility bus of a desktop session.

    Args:
        session_bus_address: D-Bus address of the session bus.
        deadline_s: For everything together.
        enable: Also switch accessibility on for the session (IsEnabled and ScreenReaderEnabled).

    Raises:
        SetupError: There is no session bus or no accessibility bus.
        PlatformError: There is one, and it does not answer in time.
    """
    until = _now() + deadline_s
    link = bus.Link(session_bus_address)
    if enable:
        await bus.enable(session_bus_address, until)
    await link.open(until)
    adapter = AtspiAdapter(link)
    await adapter.prepare(until)
    return adapter
