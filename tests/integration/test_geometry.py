"""Monitors, covering windows, minimised windows and dialogs of others; the truth is the applications' and X's own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tactile.adapters import atspi, x11
from tactile.adapters.desktop import Desktop, DesktopOptions, start
from tactile.compile import compile_observation
from tactile.records import Candidate, CandidateSet, Extents, Observation, ReadLimits
from tests.apps.fixture_control import ask, read_log

SYSTEM_PYTHON = "/usr/bin/python3"  # the fixtures' toolkits are Debian packages
APPS = Path(__file__).resolve().parents[1] / "apps"
WAIT_S = 10.0
# 1280x800 and beside it, 200 px lower, 1000x600; what is above the right one is on no monitor.
MONITORS = (
    ("left", Extents(x=0, y=0, width=1280, height=800)),
    ("right", Extents(x=1280, y=200, width=1000, height=600)),
)
COVER = """
import gi
import sys
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="Banner")
window.set_keep_above(True)
window.move(int(sys.argv[1]), int(sys.argv[2]))
window.set_default_size(int(sys.argv[3]), int(sys.argv[4]))
window.set_decorated(False)
window.show_all()
Gtk.main()
"""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapters are made for asyncio."""
    return "asyncio"


@dataclass(frozen=True, slots=True)
class Seat:
    """A private desktop and the adapters on it."""

    desktop: Desktop
    screen: x11.X11Adapter
    access: atspi.AtspiAdapter

    async def observe(self, pid: int) -> Observation:
        """Observe one process."""
        found = [one for one in await self.access.applications(2.0) if one.pid == pid]
        windows, screen = await self.screen.windows(), await self.screen.screen()
        tree = await self.access.read_tree(found[0].root, ReadLimits()) if found else None
        return Observation(
            observation_id="o1", taken_at_s=0.0, app_name="", pid=pid, windows=windows, screen=screen, tree=tree
        )

    async def until(self, pid: int, is_so: Callable[[Observation, CandidateSet], bool]) -> CandidateSet:
        """Observe until something holds."""
        end = time.monotonic() + WAIT_S
        while True:
            seen = await self.observe(pid)
            candidates = compile_observation(seen)
            if is_so(seen, candidates):
                return candidates
            assert time.monotonic() < end, candidates
            await asyncio.sleep(0.02)


@pytest.fixture(scope="module")
async def seat(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Seat]:
    """A desktop of two monitors of different sizes."""
    options = DesktopOptions(
        width=2280, height=800, read_only=(APPS,), read_write=(tmp_path_factory.getbasetemp(),), numbers=range(150, 170)
    )
    desktop = await start(options)
    for name, place in MONITORS:
        size = f"{place.width}/{place.width}x{place.height}/{place.height}+{place.x}+{place.y}"
        made = await desktop.run(["xrandr", "--setmonitor", name, size, "none" if name == "right" else "VNC-0"])
        assert await desktop.exit_of(made, 5.0) == 0, await desktop.output_of(made)
    screen = await x11.connect(desktop.display, str(desktop.xauthority), 5.0, may_remap_all=True)
    access = await atspi.connect(desktop.session_bus, 5.0)
    yield Seat(desktop=desktop, screen=screen, access=access)
    await access.close()
    await screen.close()
    await desktop.stop()


@dataclass(frozen=True, slots=True)
class Form:
    """A GTK 3 fixture application."""

    pid: int
    log: Path
    control: Path

    def rects(self) -> dict[str, list[int]]:
        """Return the widgets' rectangles in px of the root window."""
        return dict(ask(self.control, do="geometry")["widgets"])

    def clicks(self) -> list[str]:
        """Return the buttons whose handlers ran."""
        return [event["widget"] for event in read_log(self.log) if event["event"] == "click"]


@pytest.fixture
async def form(seat: Seat, tmp_path: Path) -> AsyncIterator[Form]:
    """A form on the left monitor."""
    log, control = tmp_path / "form.log", tmp_path / "form.sock"
    argv = ["/usr/bin/python3", str(APPS / "gtk3_form.py"), "--log", str(log), "--control", str(control)]
    pid = await seat.desktop.run([*argv, "--at", "60,40"])
    opened = Form(pid=pid, log=log, control=control)
    await seat.until(pid, lambda _, now: any(item.name == "Go" and item.is_showing for item in now.candidates))
    yield opened
    ask(control, do="quit")
    assert await seat.desktop.exit_of(pid, 5.0) is not None


def named(candidates: CandidateSet, name: str) -> Candidate:
    """Return the one candidate of this name."""
    (found,) = [item for item in candidates.candidates if item.name == name]
    return found


async def moved(seat: Seat, form: Form, x: int, y: int) -> CandidateSet:
    """Move the form and observe it there."""
    ask(form.control, do="move", x=x, y=y)

    def is_there(seen: Observation, now: CandidateSet) -> bool:
        window = next((one for one in seen.windows if one.pid == form.pid and not one.is_popup), None)
        go = next((item for item in now.candidates if item.name == "Go"), None)
        is_told = (
            go is not None
            and go.full_extents is not None
            and form.rects()["Go"][:2] == [go.full_extents.x, go.full_extents.y]
        )
        return window is not None and (window.outer.x, window.outer.y) == (x, y) and is_told

    return await seat.until(form.pid, is_there)


async def test_the_monitors_are_told_with_their_places(seat: Seat) -> None:
    """Public report C19: the second screen was invisible though its windows were listed."""
    told = (await seat.screen.screen()).monitors

    assert [(one.name, one.extents) for one in told] == list(MONITORS)


async def test_a_click_on_the_second_monitor_hits(seat: Seat, form: Form) -> None:
    """Public report C19: clicks landed on another screen."""
    go = named(await moved(seat, form, 1400, 210), "Go")
    assert go.is_showing
    assert go.extents is not None
    await seat.screen.click(go.extents.center, button="left", count=1, modifiers=())

    await seat.until(form.pid, lambda *_: form.clicks() == ["Go"])


async def test_what_no_monitor_shows_is_not_showing_and_what_is_left_is_clipped(seat: Seat, form: Form) -> None:
    """Public report C19: negative places are kept; a gap between monitors shows nothing."""
    left = await moved(seat, form, -150, 40)
    go = named(left, "Go")
    assert go.full_extents is not None
    assert go.full_extents.x < 0
    assert not go.is_showing
    edge = next(
        item
        for item in left.candidates
        if item.full_extents
        and item.extents
        and item.is_showing
        and item.full_extents.x < 0 < item.full_extents.x + item.full_extents.width
        and item.full_extents.width < 400
    )
    assert edge.extents is not None
    assert edge.extents.x == 0

    gap = await moved(seat, form, 1400, 0)
    assert not named(gap, "Go").is_showing


async def test_a_minimised_window_shows_nothing(seat: Seat, form: Form) -> None:
    """Public report C48: a minimised window listed its controls as if they could be pressed."""
    ask(form.control, do="minimise")

    now = await seat.until(
        form.pid, lambda seen, _: any(one.pid == form.pid and one.is_minimised for one in seen.windows)
    )
    assert [item.name for item in now.candidates if item.is_showing] == []
    assert any("minimised" in note for note in now.notes)


async def test_a_window_kept_above_covers_and_half_covers(seat: Seat, form: Form) -> None:
    """Public report C51: another window always on top took the click and the tool said success."""
    rects = form.rects()
    x, y, width, height = rects["Go"]
    script = ["/usr/bin/python3", "-c", COVER]
    banner = await seat.desktop.run([*script, str(x - 4), str(y - 4), str(width + 8), str(height + 8)])
    try:
        now = await seat.until(form.pid, lambda seen, _: any(one.title == "Banner" for one in seen.windows))
        assert named(now, "Go").covered_by == "Banner"
        others = [item for item in now.candidates if item.name in rects and item.name not in {"Go", "Banner"}]
        assert [item.name for item in others if item.covered_by] == []
    finally:
        await end(seat, banner)
    banner = await seat.desktop.run([*script, str(x), str(y), str(width * 2 // 3), str(height)])
    try:
        now = await seat.until(form.pid, lambda seen, _: any(one.title == "Banner" for one in seen.windows))
        go = named(now, "Go")
        assert go.covered_by is None
        assert go.extents is not None
        assert go.extents.x >= x + width * 2 // 3
        await seat.screen.click(go.extents.center, button="left", count=1, modifiers=())
        await seat.until(form.pid, lambda *_: form.clicks() == ["Go"])
    finally:
        await end(seat, banner)
    now = await seat.until(form.pid, lambda seen, _: all(one.title != "Banner" for one in seen.windows))
    assert named(now, "Go").covered_by is None


async def end(seat: Seat, pid: int) -> None:
    """End a program that was started inside."""
    await seat.desktop.run(["kill", str(pid)])
    assert await seat.desktop.exit_of(pid, 5.0) is not None


async def test_a_modal_dialog_of_another_process_blocks_the_window_it_belongs_to(seat: Seat, form: Form) -> None:
    """Public report C60: the dialog was not in the application's list, so the window behind it was acted on."""
    windows = await seat.screen.windows()
    parent = next(one.native_id for one in windows if one.pid == form.pid and not one.is_popup)
    dialog = await seat.desktop.run([SYSTEM_PYTHON, str(APPS / "foreign_dialog.py"), "Foreign", str(parent)])
    try:
        now = await seat.until(form.pid, lambda seen, _: any(one.title == "Foreign" for one in seen.windows))
        assert named(now, "Go").blocked_by == "Foreign"
        assert now.modal == "Foreign"
    finally:
        await end(seat, dialog)
    await seat.until(form.pid, lambda _, now: named(now, "Go").blocked_by is None)
