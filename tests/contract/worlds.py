"""Two worlds with one vocabulary: the scripted desktop, and fixture applications on an isolated desktop."""

from __future__ import annotations

import asyncio
import itertools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tactile.adapters import atspi, x11
from tactile.adapters import desktop as isolated
from tactile.adapters.files import HomeFiles
from tactile.adapters.programs import Programs
from tactile.adapters.x11.keys import parse_chord
from tactile.ports import AccessibilityPort, FilesPort, InputPort, LauncherPort, ScreenPort
from tactile.records import (
    Accessible,
    AccessibleTree,
    Action,
    Application,
    Extents,
    NativeRef,
    ReadLimits,
    State,
    Window,
)
from tactile.runtime.clock import SystemClock
from tactile.runtime.desktop import Desktop
from tactile.testing import FakeDesktop, FakeWindow, fake_ports
from tests.apps.fixture_control import CANARY, ask, read_log
from tests.fake_form import FakeForm, start_form

APPS = Path(__file__).parents[1] / "apps"
START_S = 20.0  # a loaded machine may need many seconds to start a GTK application
PATIENCE_S = 5.0
LIMITS = ReadLimits(deadline_s=5.0)


class World(ABC):
    """A desktop with the form on it.

    Attributes:
        program: What shows the form: "fake", or a file of the fixture applications.
    """

    program = "fake"
    accessibility: AccessibilityPort
    input: InputPort
    screen: ScreenPort
    launcher: LauncherPort
    files: FilesPort
    app: Application

    @abstractmethod
    def session_ports(self) -> Desktop:
        """Return the ports as a session wants them."""

    @abstractmethod
    def now_s(self) -> float:
        """Return seconds of this world."""

    @abstractmethod
    async def pause(self) -> None:
        """Let a little time pass."""

    @abstractmethod
    async def start(self, title: str) -> Application:
        """Start a form and wait until it is on the bus."""

    @abstractmethod
    def log(self) -> list[tuple[str, str | None, object]]:
        """Return what reached the first form: kind, widget, value."""

    @abstractmethod
    async def do(self, **request: Any) -> dict[str, Any]:
        """Carry out a control command of the fixture applications on the first form."""

    @abstractmethod
    def put_file(self, name: str, content: bytes) -> None:
        """Put a file into the home folder."""

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        end_s = self.now_s() + PATIENCE_S
        while not holds():
            assert self.now_s() < end_s, f"it did not come: {self.log()}"
            await self.pause()

    async def tree(self, app: Application | None = None) -> AccessibleTree:
        """Read a form; the first one without one named."""
        return await self.accessibility.read_tree((app or self.app).root, LIMITS)

    async def find(self, name: str) -> Accessible:
        """Return the accessible of that name that offers something, else any of that name."""
        named = [item for item in (await self.tree()).accessibles if item.name == name]
        assert named, f"nothing is called {name}"
        return next((item for item in named if item.offers), named[0])

    async def do_offered(self, name: str, action: Action, argument: str = "") -> NativeRef:
        """Do an action by the first primitive that the accessible offers for it."""
        item = await self.find(name)
        primitives = [offer.primitive for offer in item.offers if offer.action is action]
        assert primitives, f"{name} offers {item.offers}"
        await self.accessibility.perform(item.ref, primitives[0], argument, PATIENCE_S)
        return item.ref

    async def until_focused(self, name: str) -> None:
        """Wait until the application says that it has the focus."""
        end_s = self.now_s() + PATIENCE_S
        while State.FOCUSED not in (await self.find(name)).states:
            assert self.now_s() < end_s, f"{name} has not got the focus"
            await self.pause()

    async def click_into(self, name: str) -> None:
        """Click a field of the form and wait for the focus.

        A window manager that looks at clicks first hands them on later, so keys sent at once would overtake them.
        """
        form = await self.window("Form3")
        assert await self.screen.activate(form.native_id, PATIENCE_S)
        await self.input.click(center_of(await self.find(name)).center, button="left", count=1, modifiers=())
        await self.until_focused(name)

    async def window(self, title: str) -> Window:
        """Wait for the window of that title."""
        end_s = self.now_s() + PATIENCE_S
        while True:
            found = [window for window in await self.screen.windows() if window.title == title]
            if found:
                return found[0]
            assert self.now_s() < end_s, f"no window {title}"
            await self.pause()


class FakeWorld(World):
    """The scripted desktop."""

    def __init__(self) -> None:
        self._desktop = FakeDesktop()
        ports = fake_ports(self._desktop)
        assert ports.accessibility is not None
        self.accessibility, self.input, self.screen = ports.accessibility, ports.input, ports.screen
        self.launcher, self.files = ports.launcher, ports.files
        self._ports = ports
        self._forms: list[FakeForm] = []

    def session_ports(self) -> Desktop:
        """Return the ports as a session wants them."""
        return self._ports

    def now_s(self) -> float:
        """Return seconds of this world."""
        return self._desktop.clock.now_s()

    async def pause(self) -> None:
        """Let 0.02 s pass."""
        await self._desktop.clock.sleep_s(0.02)

    async def start(self, title: str) -> Application:
        """Start a form and wait until it is on the bus."""
        self._forms.append(start_form(self._desktop, title))
        applications = await self.accessibility.applications(1.0)
        return next(item for item in applications if item.pid == self._forms[-1].app.pid)

    def log(self) -> list[tuple[str, str | None, object]]:
        """Return what reached the first form."""
        return [(event.kind, event.widget, event.value) for event in self._desktop.log]

    def put_file(self, name: str, content: bytes) -> None:
        """Put a file into the home folder."""
        self._desktop.files[f"/home/fake/{name}"] = content

    async def do(self, **request: Any) -> dict[str, Any]:
        """Carry out a control command on the first form."""
        form = self._forms[0]
        match request:
            case {"do": "remove", "name": str(name)}:
                form[name].remove()
            case {"do": "rename", "name": str(name), "to": str(to)}:
                form[name].rename(to)
            case {"do": "window", "title": str(title)}:
                form.app.open(FakeWindow(name=title, x=600))
            case {"do": "move", "x": int(x), "y": int(y)}:
                form.window.move(x, y)
            case {"do": "quit"}:
                form.app.quit()
            case _:
                raise AssertionError(request)
        return {}


class RealWorld(World):
    """Fixture applications on an isolated desktop, told apart by log and control socket."""

    def __init__(
        self, place: isolated.Desktop, bus: atspi.AtspiAdapter, device: x11.X11Adapter, folder: Path, program: str
    ) -> None:
        self._place, self._folder, self.program = place, folder, program
        self.accessibility, self.input, self.screen = bus, device, device
        self.launcher = Programs(place.run, place.exit_of, "/usr/local/bin:/usr/bin:/bin")
        self.files = HomeFiles(place.home)
        self._numbers = itertools.count(1)
        self._controls: list[Path] = []

    def session_ports(self) -> Desktop:
        """Return the ports as a session wants them."""
        return Desktop(
            accessibility=self.accessibility,
            input=self.input,
            screen=self.screen,
            launcher=self.launcher,
            files=self.files,
            clock=SystemClock(),
            check_keys=parse_chord,
        )

    def now_s(self) -> float:
        """Return seconds of this world."""
        return time.monotonic()

    async def pause(self) -> None:
        """Let 0.02 s pass."""
        await asyncio.sleep(0.02)

    async def start(self, title: str) -> Application:
        """Start a form and wait until it is on the bus."""
        stem = self._folder / f"{title}-{next(self._numbers)}-{time.monotonic_ns()}"
        log, control = stem.with_suffix(".log"), stem.with_suffix(".sock")
        argv = ["/usr/bin/python3", str(APPS / self.program), "--title", title, "--at", "60,40", "--keep"]
        pid = await self._place.run([*argv, "--log", str(log), "--control", str(control)])
        self._controls.append(control)
        end_s = self.now_s() + START_S
        while True:
            found = [item for item in await self.accessibility.applications(2.0) if item.pid == pid]
            if found and any(line["event"] == "ready" for line in read_log(log)):
                return found[0]
            assert self.now_s() < end_s, await self._place.output_of(pid)
            await self.pause()

    def log(self) -> list[tuple[str, str | None, object]]:
        """Return what reached the first form."""
        log = self._controls[0].with_suffix(".log")
        lines = [(line["event"], line["widget"], line["value"]) for line in read_log(log)]
        return [line for line in lines if line[0] != "ready"]

    def put_file(self, name: str, content: bytes) -> None:
        """Put a file into the home folder."""
        (self._place.home / name).write_bytes(content)

    async def do(self, **request: Any) -> dict[str, Any]:
        """Carry out a control command on the first form."""
        return await asyncio.to_thread(ask, self._controls[0], **request)

    async def end(self) -> None:
        """End the forms of one test; those that hang end when they wake."""
        for control in self._controls:
            try:
                await asyncio.to_thread(ask, control, do="quit")
            except OSError:
                pass  # it has ended already


def center_of(item: Accessible) -> Extents:
    """Return extents that are there."""
    assert item.extents is not None
    assert not item.extents.is_empty
    return item.extents


SECRET = CANARY
