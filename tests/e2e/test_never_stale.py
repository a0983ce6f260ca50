"""What is kept of an application is never served stale: every look equals a fresh walk by somebody without memory.

The ground truth is what the application answers now, over other connections than the ones under test; the actions come
from its own control socket and from real input. A look is compared only where the walks before and after it agree,
so that nothing was on its way, and never a second time.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tactile.adapters import atspi, x11
from tactile.adapters import desktop as isolated
from tactile.adapters.files import HomeFiles
from tactile.adapters.programs import Programs
from tactile.adapters.x11.keys import parse_chord
from tactile.compile import compile_observation
from tactile.records import AccessibleTree, Observation, Point, ReadLimits, Screen, Window
from tactile.records.action import Direction
from tactile.runtime.applications import AppEntry, running
from tactile.runtime.clock import SystemClock
from tactile.runtime.desktop import Desktop
from tactile.runtime.mirror import Mirror
from tests.apps.fixture_control import CommandError, ask
from tests.e2e.desk import APPS, PROGRAMS, READABLE, SYSTEM_PYTHON, need_toolkit

OPTIONS = isolated.DesktopOptions(numbers=range(170, 180), read_only=(APPS,), deadline_s=20.0)
LIMITS = ReadLimits(deadline_s=5.0)
START_S = 20.0
QUIET_S = 10.0  # for an application to come to rest after an action
STEPS = 3  # for each of `runs`
SEED = 20261
STEP_S = 12.0  # bound of one step with its walks, on a loaded machine
pytestmark = pytest.mark.timeout(120 + STEPS * STEP_S * int(os.environ.get("TACTILE_RUNS", "6")))
CLICKABLE = ("Go", "Remember", "Small", "Large", "Power", "Bold", "Icon", "Name", "Search", "Notes", "P1", "Two", "One")
DIRECTIONS: tuple[Direction, ...] = ("down", "up")
BLINKS_S = 1.5  # in which a caret comes and goes: GTK's every 1.2 s, Qt's every second
NAMES = ("Go", "Idle", "Status", "Remember", "P1")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapters are made for asyncio."""
    return "asyncio"


@dataclass(frozen=True, slots=True)
class Eyes:
    """The connections of one who looks."""

    bus: atspi.AtspiAdapter
    screen: x11.X11Adapter

    async def close(self) -> None:
        """Disconnect."""
        await self.screen.close()
        await self.bus.close()


@dataclass(slots=True, kw_only=True)
class Stage:
    """An isolated desktop, one who remembers and one who does not."""

    desktop: isolated.Desktop
    ours: Eyes
    fresh: Eyes
    count: int = 0

    def ports(self) -> Desktop:
        """Return the ports of the one who remembers."""
        return Desktop(
            accessibility=self.ours.bus,
            input=self.ours.screen,
            screen=self.ours.screen,
            launcher=Programs(self.desktop.run, self.desktop.exit_of, "/usr/bin:/bin"),
            files=HomeFiles(self.desktop.home),
            clock=SystemClock(),
            check_keys=parse_chord,
        )

    async def start(self, toolkit: str, *more: str) -> Play:
        """Start a fixture application."""
        need_toolkit(toolkit)
        self.count += 1
        control = self.desktop.home / f"{self.count}.sock"
        program, *arguments = PROGRAMS[toolkit]
        log = control.with_suffix(".log")
        argv = [SYSTEM_PYTHON, str(APPS / program), *arguments, "--log", str(log), "--control", str(control), *more]
        pid = await self.desktop.run(argv)
        end_s = time.monotonic() + START_S
        while True:
            now = await running(self.ports())
            entry = next((item for item in now.entries if item.pid == pid and item.roots and item.windows), None)
            if entry is not None and '"ready"' in (log.read_text() if log.exists() else ""):
                return Play(stage=self, entry=entry, control=control, mirror=Mirror(self.ports()))
            assert time.monotonic() < end_s, f"{toolkit} did not come up"
            await asyncio.sleep(0.05)


@pytest.fixture(scope="module")
async def stage() -> AsyncIterator[Stage]:
    """One desktop for the module."""
    desktop = await isolated.start(OPTIONS)
    try:
        ours, fresh = [
            Eyes(
                await atspi.connect(desktop.session_bus, 5.0),
                await x11.connect(desktop.display, str(desktop.xauthority), 5.0, may_remap_all=True),
            )
            for _ in range(2)
        ]
        yield Stage(desktop=desktop, ours=ours, fresh=fresh)
        await ours.close()
        await fresh.close()
    finally:
        await desktop.stop()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What was seen at one moment."""

    windows: tuple[Window, ...]
    screen: Screen
    tree: AccessibleTree

    def compared(self) -> tuple[object, ...]:
        """Return all that must be equal: the tree, and what it compiles to."""
        observation = Observation(
            observation_id="o1",
            taken_at_s=0.0,
            app_name="",
            pid=self.tree.application.pid,
            windows=self.windows,
            screen=self.screen,
            tree=self.tree,
        )
        tree = replace(self.tree, calls=0, elapsed_s=0.0)
        return tree.toplevels, tree.accessibles, tree, compile_observation(observation)


@dataclass(slots=True, kw_only=True)
class Play:
    """A running application and the one who looks at it with a memory."""

    stage: Stage
    entry: AppEntry
    control: Path
    mirror: Mirror
    added: int = 0
    reads: list[int] = field(default_factory=list)

    def ask(self, do: str, **arguments: object) -> dict[str, Any]:
        """Send a control command; one that does not fit just now does nothing."""
        try:
            return dict(ask(self.control, do=do, **arguments))
        except CommandError:
            return {}

    async def look(self) -> Sight:
        """Look with a memory."""
        view = await self.mirror.look(self.entry, LIMITS, 0)
        (tree,) = view.trees
        self.reads.append(tree.calls)
        return Sight(windows=view.windows, screen=view.screen, tree=tree)

    async def walk(self) -> Sight:
        """Look without one."""
        eyes = self.stage.fresh
        tree = await eyes.bus.read_tree(self.entry.roots[0].root, LIMITS)
        return Sight(windows=await eyes.screen.windows(), screen=await eyes.screen.screen(), tree=tree)

    async def compare(self) -> str:
        """Look between two walks that agree, and say what differs."""
        end_s = time.monotonic() + QUIET_S
        before = (await self.walk()).compared()
        while True:
            seen = (await self.look()).compared()
            after = (await self.walk()).compared()
            if before == after:
                return "" if seen == after else _difference(seen, after)
            assert time.monotonic() < end_s, f"never at rest: {_difference(before, after)}"
            before = after

    async def unchanged(self) -> Sight:
        """Look until nothing had to be read."""
        end_s = time.monotonic() + QUIET_S
        while (sight := await self.look()).tree.calls != 1:
            assert time.monotonic() < end_s, f"read again and again: {self.reads}"
            await asyncio.sleep(0.05)
        return sight

    async def quit(self) -> None:
        """End the application."""
        self.ask("quit")
        end_s = time.monotonic() + START_S
        while any(item.pid == self.entry.pid for item in (await running(self.stage.ports())).entries):
            assert time.monotonic() < end_s, "it did not end"
            await asyncio.sleep(0.05)


def _difference(seen: tuple[Any, ...], fresh: tuple[Any, ...]) -> str:
    """Name the first thing that differs, field by field."""
    old, new = ({item.ref: item for item in part[1]} for part in (seen, fresh))
    for ref in old.keys() | new.keys():
        one, other = old.get(ref), new.get(ref)
        if one is None or other is None:
            return f"{'only seen' if one else 'not seen'}: {one or other}"
        for name in one.__slots__:
            if getattr(one, name) != getattr(other, name):
                return f"{one.role} {one.name!r} {name}: seen {getattr(one, name)}, now {getattr(other, name)}"
    return f"same objects, but {seen} is not {fresh}"


def _middle(rect: list[int]) -> Point:
    x, y, width, height = rect
    return Point(x=x + width // 2, y=y + height // 2)


# ---- actions: each leaves the application usable for the next


async def click(play: Play, choose: random.Random) -> str:
    """Click something with the pointer."""
    rects = play.ask("geometry").get("widgets", {})
    names = [name for name in CLICKABLE if name in rects]
    if not names:
        return "nothing to click"
    name = choose.choice(names)
    await play.stage.ours.screen.click(_middle(rects[name]), button="left", count=1, modifiers=())
    return f"click {name}"


async def write(play: Play, choose: random.Random) -> str:
    """Type into whatever has the focus."""
    text = choose.choice(("a", "hello", "12", "l"))
    await play.stage.ours.screen.type_text(text, deadline_s=5.0)
    return f"type {text}"


async def press(play: Play, choose: random.Random) -> str:
    """Press a key that moves the focus, a value or a selection."""
    keys = choose.choice(("Tab", "shift+Tab", "space", "Down", "Up", "Right", "BackSpace", "Escape"))
    await play.stage.ours.screen.press(keys)
    return f"press {keys}"


async def wheel(play: Play, choose: random.Random) -> str:
    """Turn the wheel over the rows."""
    rect = play.ask("geometry").get("widgets", {}).get("Rows")
    if rect is None:
        return "no rows"
    direction, amount = choose.choice(DIRECTIONS), choose.randint(1, 5)
    await play.stage.ours.screen.scroll(_middle(rect), direction, amount)
    return f"wheel {direction} {amount}"


async def popup(play: Play, choose: random.Random) -> str:
    """Open a menu or a list and look at it while it is open."""
    rects = play.ask("geometry").get("widgets", {})
    name = choose.choice(("File", "Company"))
    if name not in rects:
        return f"no {name}"
    await play.stage.ours.screen.click(_middle(rects[name]), button="left", count=1, modifiers=())
    difference = await play.compare()
    await play.stage.ours.screen.press("Escape")
    assert not difference, f"{name} is open: {difference}"
    return f"open {name} and close it"


async def dialog(play: Play, choose: random.Random) -> str:
    """Open the dialog, look at it, and answer it."""
    rects = play.ask("geometry").get("widgets", {})
    if "Open dialog" not in rects:
        return "no dialog"
    await play.stage.ours.screen.click(_middle(rects["Open dialog"]), button="left", count=1, modifiers=())
    difference = await play.compare()
    await play.stage.ours.screen.press("Escape")
    assert not difference, f"the dialog is open: {difference}"
    return "open the dialog and close it"


async def rename(play: Play, choose: random.Random) -> str:
    """Give something another name."""
    name = choose.choice(("Idle", "Status"))
    play.ask("rename", name=name, to=f"{name} {choose.randint(0, 9)}")
    return f"rename {name}"


async def enable(play: Play, choose: random.Random) -> str:
    """Switch something off or on."""
    name, on = choose.choice(NAMES), choose.random() < 0.5
    play.ask("enable", name=name, on=on)
    return f"enable {name} {on}"


async def show(play: Play, choose: random.Random) -> str:
    """Hide or show something, which moves the rest."""
    name, on = choose.choice(NAMES), choose.random() < 0.6
    play.ask("show", name=name, on=on)
    return f"show {name} {on}"


async def insert(play: Play, choose: random.Random) -> str:
    """Put a button in."""
    play.added += 1
    play.ask("insert", name=f"New {play.added}", index=choose.randint(0, 2))
    return f"insert New {play.added}"


async def remove(play: Play, choose: random.Random) -> str:
    """Take out what was put in."""
    play.ask("remove", name=f"New {play.added}")
    return f"remove New {play.added}"


async def move(play: Play, choose: random.Random) -> str:
    """Move the window."""
    x, y = choose.randint(0, 200), choose.randint(0, 100)
    play.ask("move", x=x, y=y)
    return f"move to {x}, {y}"


async def resize(play: Play, choose: random.Random) -> str:
    """Resize the window."""
    width, height = choose.randint(700, 900), choose.randint(560, 680)
    play.ask("resize", w=width, h=height)
    return f"resize to {width} x {height}"


Act = Callable[[Play, random.Random], Awaitable[str]]
TOLD: tuple[Act, ...] = (rename, enable, show, insert, remove, resize)
ACTS: tuple[Act, ...] = (click, click, write, press, wheel, popup, dialog, move, *TOLD)


async def run(play: Play, acts: tuple[Act, ...], steps: int, choose: random.Random) -> None:
    """Act and compare, many times."""
    did = []
    for _ in range(steps):
        did.append(await choose.choice(acts)(play, choose))
        difference = await play.compare()
        assert not difference, f"after {did}: {difference}"


@pytest.mark.parametrize("toolkit", READABLE)
async def test_every_look_of_a_long_random_run_equals_a_fresh_walk(stage: Stage, toolkit: str, runs: int) -> None:
    """Issue 3, point 5: nothing is ever served stale."""
    choose = random.Random(f"{SEED} {toolkit}")
    play = await stage.start(toolkit, "--at", "60,40")
    try:
        await run(play, ACTS, STEPS * runs, choose)
    finally:
        await play.quit()


async def blinked(play: Play, seconds: float) -> list[int]:
    """Look again and again for a while; return what each look cost."""
    end_s = time.monotonic() + seconds
    calls = []
    while time.monotonic() < end_s:
        calls.append((await play.look()).tree.calls)
        await asyncio.sleep(0.1)
    return calls


@pytest.mark.parametrize("toolkit", READABLE)
async def test_an_unchanged_window_is_seen_again_for_one_message(stage: Stage, toolkit: str) -> None:
    """Issue 3, point 5: proved by message counts; a caret that blinks meanwhile costs one read, once."""
    play = await stage.start(toolkit, "--at", "60,40")
    try:
        await stage.ours.screen.click(
            _middle(play.ask("geometry")["widgets"]["Name"]), button="left", count=1, modifiers=()
        )
        assert not await play.compare()
        first = await play.unchanged()
        calls = await blinked(play, BLINKS_S)
        last = await play.look()
        difference = await play.compare()
    finally:
        await play.quit()

    assert [count for count in calls if count > 1][1:] == []
    assert last.tree.calls == 1
    assert last.tree.accessibles == first.tree.accessibles
    assert not difference


@pytest.mark.parametrize("toolkit", ["gtk3", "qt5", "qt6"])
async def test_of_two_windows_the_one_that_changed_is_read(stage: Stage, toolkit: str) -> None:
    """Issue 3, point 5: a dirty flag per window, where the toolkit tells everything."""
    play = await stage.start(toolkit, "--at", "60,40")
    try:
        await play.look()
        play.ask("window", title="Second")
        assert not await play.compare()
        await play.unchanged()
        play.ask("enable", name="Other", on=False)
        small = await play.look()
        difference = await play.compare()
    finally:
        await play.quit()

    assert 1 < small.tree.calls < min(play.reads[0], 200)
    assert len(small.tree.accessibles) > 200
    assert not difference


COVER = ("--layout", "list", "--title", "Cover", "--at", "40,0")


@pytest.mark.parametrize("toolkit", READABLE)
async def test_what_changes_under_another_window_is_not_missed(stage: Stage, toolkit: str, runs: int) -> None:
    """Our choice: nothing is drawn there, so only events can tell, or everything is read."""
    choose = random.Random(f"{SEED} covered {toolkit}")
    play = await stage.start(toolkit, "--at", "60,40")
    cover = await stage.start("gtk3", *COVER)
    try:
        cover.ask("resize", w=1000, h=700)
        window = next(item for item in (await cover.look()).windows if item.pid == cover.entry.pid)
        assert await stage.ours.screen.activate(window.native_id, QUIET_S)
        await run(play, (rename, enable, show, insert, remove), runs, choose)
    finally:
        await cover.quit()
        await play.quit()
