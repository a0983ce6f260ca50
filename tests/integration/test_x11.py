"""The X11 adapter on a real X server; what happened is told by the application's own log, never by the adapter."""

from __future__ import annotations

import asyncio
import os
import re
import struct
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tactile.adapters.x11 import X11Adapter, connect
from tactile.adapters.x11.display import SHAPE, XPROTO, Display
from tactile.adapters.x11.pointer import LastClick, click
from tactile.errors import PartialInputError, RequestError
from tactile.records.geometry import Extents, Point
from tests.apps.fixture_control import ask, read_log
from tests.integration.x11_desktop import App, Server, by_id, end_server, focused, held, keys_of, start_server

ASCII = "".join(chr(code) for code in range(0x20, 0x7F))
ASCII_256 = (ASCII * 3)[:256]
MIXED_192 = ("éŽ€ßñ 中文字 한국어 Привет αβγσς 😀👍🏽 ∑∫√≠∞ žščř " * 8)[:192]
CW = XPROTO.CW
AREA = Extents(x=101, y=150, width=300, height=200)  # within the logger's drawing area, window at 100,80


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


@pytest.fixture(scope="module", params=["Xvnc", "Xvfb"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server with openbox, for the module."""
    server = start_server(tmp_path_factory.mktemp("x"), request.param)
    yield server
    end_server(server)


@pytest.fixture
def server(running: Server) -> Iterator[Server]:
    """The server, with the us layout, and without applications afterwards."""
    running.run("setxkbmap", "us")
    yield running
    running.stop_apps()


@pytest.fixture
async def x11(server: Server) -> AsyncIterator[X11Adapter]:
    """A connection as to an isolated desktop, window manager ready."""
    adapter = await connect(server.display, None, 5.0, may_remap_all=True)
    end = time.monotonic() + 5
    while not await adapter.has_window_manager():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
    yield adapter
    await adapter.close()


# ---------------------------------------------------------------- keys and text


async def test_an_unknown_chord_sends_no_key_at_all(server: Server, x11: X11Adapter) -> None:
    """Case C38: the whole chord is refused before any key goes down."""
    app = server.app()
    await focused(x11, app)

    for keys in ("ctrl+BackTickk", "cmd+c", "Page_Dn", "F25", "ctrl+", "", "ctrl+a+b"):
        with pytest.raises(RequestError):
            await x11.press(keys)

    assert keys_of(app) == []


async def test_chords_arrive_with_their_modifiers_and_nothing_stays_down(server: Server, x11: X11Adapter) -> None:
    """Case C38 (aliases) and C34 (held keys)."""
    app = server.app()
    await focused(x11, app)

    for keys in ("Ctrl+S", "ctrl++", "Page_Down", "Enter", "F20", "shift+Tab", "é"):
        await x11.press(keys)

    modifiers = {"Control_L", "Shift_L"}
    pressed = [key for key in keys_of(app) if key[0] not in modifiers]
    assert pressed == [
        ("s", 4),
        ("plus", 5),
        ("Page_Down", 0),
        ("Return", 0),
        ("F20", 0),
        ("ISO_Left_Tab", 1),
        ("eacute", 0),
    ]
    assert not held(server)


@pytest.mark.parametrize("text", [ASCII_256, MIXED_192], ids=["ascii", "mixed"])
async def test_text_arrives_whole(server: Server, x11: X11Adapter, text: str) -> None:
    """Cases C28 and C30."""
    app = server.app()
    await focused(x11, app)

    outcome = await x11.type_text(text, deadline_s=10.0)

    assert (outcome.delivered, outcome.primitive) == (len(text), "x11.keys")
    assert app.text_is(text) == text


@pytest.mark.parametrize("layout", ["fr", "de", "us -variant dvorak", "us,gr", "ru"])
async def test_any_layout_types_right_and_is_left_as_it_was(server: Server, x11: X11Adapter, layout: str) -> None:
    """Case C29."""
    server.run("setxkbmap", "-layout", *layout.split())
    before = server.run("setxkbmap", "-query")
    app = server.app()
    await focused(x11, app)
    text = f"{ASCII}@#[]{{}}|~ éß€ ж α 中文"

    await x11.type_text(text, deadline_s=10.0)

    assert app.text_is(text) == text
    assert server.run("setxkbmap", "-query") == before


async def test_caps_lock_does_not_change_the_text_and_stays_on(server: Server, x11: X11Adapter) -> None:
    """Our choice: typed text is exact whatever the locks are, and locks are the user's."""
    app = server.app()
    await focused(x11, app)
    await x11.press("Caps_Lock")
    try:
        await x11.type_text("Hello é", deadline_s=5.0)

        assert app.text_is("Hello é") == "Hello é"
        assert await x11._call("reading the locks", lambda display: display.pointer()[1] & 2)
    finally:
        await x11.press("Caps_Lock")


async def test_on_the_users_desktop_only_empty_keys_are_borrowed_and_given_back(
    server: Server, x11: X11Adapter
) -> None:
    """Facts x11 5: never take the keys of the user's own session."""
    app = server.app()
    await focused(x11, app)
    before = server.run("xmodmap", "-pke")
    mine = await connect(server.display, None, 5.0)
    text = "中文 and é"

    await mine.type_text(text, deadline_s=5.0)
    assert app.text_is(text) == text
    with pytest.raises(RequestError, match="nothing was typed"):
        await mine.type_text("".join(chr(0x4E00 + number) for number in range(60)), deadline_s=5.0)
    assert app.text_is(text) == text
    await mine.close()

    assert server.run("xmodmap", "-pke") == before


async def test_typing_stops_when_the_focus_goes_to_another_window(server: Server, x11: X11Adapter) -> None:
    """Case C39: text never goes on into another window."""
    other, app = server.app("Other", 600, 80), server.app()
    thief = int(other.ask()["xid"])
    await focused(x11, app)
    second = await connect(server.display, None, 5.0)
    typing = asyncio.create_task(x11.type_text("x" * 20_000, deadline_s=30.0))
    await asyncio.to_thread(app.wait, lambda event: event["kind"] == "key")

    assert await second.activate(thief, 5.0)
    with pytest.raises(PartialInputError, match="focus went") as caught:
        await typing

    await second.close()
    assert 0 < caught.value.delivered < 20_000
    assert len([event for event in other.quiet() if event["kind"] == "key"]) <= 20


async def test_typing_stops_at_its_deadline_and_says_how_much_came(server: Server, x11: X11Adapter) -> None:
    """Our choice: every wait has a deadline from the caller."""
    app = server.app()
    await focused(x11, app)

    with pytest.raises(PartialInputError) as caught:
        await x11.type_text("y" * 50_000, deadline_s=0.2)

    assert 0 < caught.value.delivered < 50_000
    assert not held(server)


async def test_cancelled_typing_stops(server: Server, x11: X11Adapter) -> None:
    """Our choice: a cancelled call does nothing more to the desktop."""
    app = server.app()
    await focused(x11, app)
    typing = asyncio.create_task(x11.type_text("Z" * 50_000, deadline_s=30.0))
    await asyncio.to_thread(app.wait, lambda event: event["kind"] == "key")

    typing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await typing

    started = time.monotonic()
    await x11.screen()  # queued behind the typing, so it answers when that has stopped
    assert time.monotonic() - started < 1.0
    assert not held(server)


# ---------------------------------------------------------------- pointer


def buttons_of(app: App) -> list[tuple[str, int, list[float], int]]:
    """Return button events that arrived."""
    return [(e["kind"], e["button"], e["at"], e["state"]) for e in app.quiet() if "button" in e]


async def test_a_click_hits_exactly_its_pixel(server: Server, x11: X11Adapter) -> None:
    """Part B of the cases: coordinates are physical pixels."""
    app = server.app()
    await focused(x11, app)

    for x, y in ((101, 140), (333, 277), (500, 379)):
        app.log.clear()
        await x11.click(Point(x=x, y=y), button="left", count=1, modifiers=[])

        expected = [("button-press", 1, [x, y]), ("button-release", 1, [x, y])]
        assert [event[:3] for event in buttons_of(app)] == expected


async def test_two_clicks_stay_two_and_a_double_click_is_one(server: Server, x11: X11Adapter) -> None:
    """Facts x11 4: an unrelated click soon after at the same place would become a double click."""
    app = server.app()
    await focused(x11, app)
    point = AREA.center

    await x11.click(point, button="left", count=1, modifiers=[])
    await x11.click(point, button="left", count=1, modifiers=[])
    assert "2button-press" not in [event[0] for event in buttons_of(app)]
    app.log.clear()
    await x11.click(point, button="left", count=2, modifiers=["shift"])

    events = buttons_of(app)
    assert [event[0] for event in events].count("2button-press") == 1
    assert all(event[3] & 1 for event in events), "shift was down in every one"


async def test_nothing_stays_down_when_an_action_fails_midway(server: Server, x11: X11Adapter) -> None:
    """Case C34: the failure comes after ctrl and the button went down."""

    class FailingDisplay(Display):
        def fake(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
            super().fake(kind, detail, x, y)
            if kind == 4:
                self.core.GetInputFocus().reply()
                assert held(server), "the test needs something to be down"
                raise RuntimeError("midway")

    app = server.app()
    await focused(x11, app)
    display = FailingDisplay.open(server.display, None)

    with pytest.raises(RuntimeError, match="midway"):
        click(display, AREA.center, button="left", count=1, modifiers=["ctrl", "shift"], last=LastClick())

    display.disconnect()
    assert not held(server)


async def test_connecting_releases_what_a_killed_run_left_down(server: Server, x11: X11Adapter) -> None:
    """Case C34: the server was killed between key down and key up."""
    killed = Display.open(server.display, None)
    killed.fake(2, 37)  # Control_L
    killed.fake(4, 1)
    killed.sync()
    assert held(server)

    await (await connect(server.display, None, 5.0)).close()

    assert not held(server)
    killed.disconnect()


async def test_scroll_and_drag_arrive_in_real_steps(server: Server, x11: X11Adapter) -> None:
    """Facts x11 4."""
    app = server.app()
    await focused(x11, app)

    await x11.scroll(Point(x=150, y=200), "up", 2)
    await x11.scroll(Point(x=150, y=200), "down", 3)
    await x11.drag(Point(x=150, y=200), Point(x=350, y=300))

    events = app.quiet()
    assert [event["direction"] for event in events if event["kind"] == "scroll"] == ["up"] * 2 + ["down"] * 3
    dragged = [event["at"] for event in events if event["kind"] == "motion" and event["state"] & 0x100]
    assert len(dragged) == 20
    assert dragged[-1] == [350, 300]
    assert buttons_of(app)[-1][:3] == ("button-release", 1, [350, 300])


async def test_points_and_counts_out_of_bounds_are_refused_and_the_pointer_stays(x11: X11Adapter) -> None:
    """Issue 2, bad input."""
    before = await x11._call("reading the pointer", lambda display: display.pointer())
    inside = Point(x=200, y=200)
    acts = [
        act
        for point in (Point(x=1280, y=10), Point(x=10, y=800), Point(x=-1, y=10))
        for act in (
            x11.click(point, button="left", count=1, modifiers=[]),
            x11.scroll(point, "down", 1),
            x11.drag(inside, point),
        )
    ]
    acts += [
        x11.click(inside, button="left", count=9, modifiers=[]),
        x11.click(inside, button="left", count=1, modifiers=["hyper"]),
        x11.scroll(inside, "down", 0),
    ]

    for act in acts:
        with pytest.raises(RequestError):
            await act

    assert await x11._call("reading the pointer", lambda display: display.pointer()) == before


# ---------------------------------------------------------------- windows and pixels


async def test_geometry_is_that_of_xwininfo(server: Server, x11: X11Adapter) -> None:
    """Facts x11 2: with a reparenting window manager other tools count the frame twice."""
    app = server.app("Gêometry", 211, 97)
    native = int(app.ask()["xid"])

    window = by_id(await x11.windows(), native)

    said = server.run("xwininfo", "-id", str(native), "-stats")
    x, y, width, height = (
        int(re.search(rf"{label}:\s+(-?\d+)", said)[1])  # type: ignore[index]
        for label in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
    )
    assert window.extents == Extents(x=x, y=y, width=width, height=height)
    assert (window.outer.x, window.outer.y) == (211, 97)
    assert (window.title, window.pid, window.is_popup) == ("Gêometry", app.process.pid, False)


async def test_stacking_tells_which_window_and_which_menu_lies_on_top(server: Server, x11: X11Adapter) -> None:
    """Cases C51 and C57: a menu is a window of its own, in true order."""
    one, two = server.app("One", 100, 80), server.app("Two", 300, 200)
    first, second = int(one.ask()["xid"]), int(two.ask()["xid"])

    for front, back in ((first, second), (second, first)):
        assert await x11.activate(front, 5.0)
        windows = await x11.windows()
        assert by_id(windows, front).stacking > by_id(windows, back).stacking
        assert [window.native_id for window in windows if window.is_active] == [front]
    await x11.click(Point(x=500, y=400), button="right", count=1, modifiers=[])
    end = time.monotonic() + 5
    while not (popups := [window for window in await x11.windows() if window.is_popup]):
        assert time.monotonic() < end, "the menu did not open"

    assert [(popup.pid, popup.transient_for) for popup in popups] == [(two.process.pid, second)]
    assert popups[0].stacking == len(await x11.windows()) - 1
    await x11.press("Escape")


async def test_a_popup_that_clicks_go_through_is_not_listed(server: Server, x11: X11Adapter) -> None:
    """Case C52, and compositors: their overlay lies over everything and takes no click."""
    display = Display.open(server.display, None)
    popups = [display.connection.generate_id() for _ in range(2)]
    for popup in popups:
        display.core.CreateWindow(0, popup, display.root, 5, 6, 70, 80, 0, 1, 0, CW.OverrideRedirect, [1])
        display.core.MapWindow(popup)
    display.shape.Rectangles(SHAPE.SO.Set, SHAPE.SK.Input, 0, popups[1], 0, 0, 0, [])
    display.sync()

    listed = {window.native_id: window for window in await x11.windows()}

    display.disconnect()
    assert popups[1] not in listed
    assert listed[popups[0]].extents == Extents(x=5, y=6, width=70, height=80)
    assert (listed[popups[0]].is_popup, listed[popups[0]].pid) == (True, os.getpid())


async def test_a_minimised_window_is_activated(server: Server, x11: X11Adapter) -> None:
    """Case C39: activation is confirmed, not only asked for."""
    app, other = server.app("Small", 100, 80), server.app("Other", 600, 80)
    native = int(app.ask("iconify")["xid"])
    end = time.monotonic() + 5
    while not by_id(await x11.windows(), native).is_minimised:
        assert time.monotonic() < end

    assert await x11.activate(native, 5.0)

    assert not by_id(await x11.windows(), native).is_minimised
    app.log.clear()
    other.log.clear()
    await x11.press("a")
    assert (keys_of(app), keys_of(other)) == ([("a", 0)], [])


async def test_a_dead_window_is_not_activated_and_not_listed(server: Server, x11: X11Adapter) -> None:
    """Facts x11 2: the list may hold dead ids."""
    app = server.app()
    native = int(app.ask()["xid"])
    server.stop_apps()

    assert not await x11.activate(native, 2.0)
    assert native not in [window.native_id for window in await x11.windows()]


async def test_captured_pixels_are_those_the_application_drew(server: Server, x11: X11Adapter) -> None:
    """The logger paints its area in (255, 128, 0)."""
    app = server.app()
    await focused(x11, app)
    app.quiet()

    shot = await x11.capture(AREA)

    assert shot.area == AREA
    assert set(struct.iter_unpack("3B", shot.pixels)) == {(255, 128, 0)}
    assert len(shot.pixels) == AREA.width * AREA.height * 3
    with pytest.raises(RequestError, match="1280x800"):
        await x11.capture(Extents(x=1200, y=700, width=100, height=10))


# ---------------------------------------------------------------- every toolkit

APPS = Path(__file__).parents[1] / "apps"


@pytest.mark.parametrize("app", ["gtk3_form", "gtk4_form", "qt_form --qt 5", "qt_form --qt 6"])
async def test_every_toolkit_gets_text_drag_and_wheel(
    server: Server, x11: X11Adapter, tmp_path: Path, app: str
) -> None:
    """Facts x11 4 and 5; each fixture application tells its own values and where its widgets are."""
    log, control = tmp_path / "log", tmp_path / "control"
    script, *options = app.split()
    server.start("/usr/bin/python3", str(APPS / f"{script}.py"), *options, "--title", "Form", "--at", "200,60",
                 "--log", str(log), "--control", str(control))  # fmt: skip
    await until(lambda: any(line["event"] == "ready" for line in read_log(log)), 20.0)
    [form] = [window for window in await x11.windows() if window.title == "Form"]
    assert await x11.activate(form.native_id, 5.0)
    places = placed(control)

    await x11.click(places["Notes"].center, button="left", count=1, modifiers=[])
    # The window manager sees the click first and hands it on later: keys sent at once may overtake it.
    await until(lambda: ask(control, do="values")["focus"] == "Notes")
    await x11.press("ctrl+a")
    await x11.type_text(MIXED_192 + "\n\t" + ASCII, deadline_s=10.0)
    await x11.scroll(places["Rows"].center, "down", 2)
    await x11.drag(places["Parcel"].center, places["Shelf"].center)

    wanted = MIXED_192 + "\n\t" + ASCII
    await until(lambda: ask(control, do="values")["values"]["Notes"] == wanted)
    await until(lambda: {"scroll", "drop"} <= {line["event"] for line in read_log(log)})


def placed(control: Path) -> dict[str, Extents]:
    """Return where the widgets that can be seen are, by their toolkit's word."""
    rects = {name: rect for name, rect in ask(control, do="geometry")["widgets"].items() if rect}
    return {name: Extents(x=x, y=y, width=width, height=height) for name, (x, y, width, height) in rects.items()}


async def until(is_so: Callable[[], bool], seconds: float = 8.0) -> None:
    """Wait until something is so; fail when it does not come."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come"
        await asyncio.sleep(0.02)
