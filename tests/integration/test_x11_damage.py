"""What was redrawn of a window, as the X server itself tells; the drawing is done here, on another connection."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest

from tactile.adapters.x11 import X11Adapter, connect
from tactile.adapters.x11.damage import AREAS_MAX, WINDOWS_MAX
from tactile.adapters.x11.display import XPROTO, Display
from tactile.records.geometry import Extents
from tests.integration.x11_desktop import Server, end_server, start_server

SPOT = Extents(x=10, y=20, width=30, height=5)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


@pytest.fixture(scope="module", params=["Xvnc", "Xvfb"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the module."""
    running = start_server(tmp_path_factory.mktemp("damage"), request.param)
    yield running
    end_server(running)


@pytest.fixture
async def x11(server: Server) -> AsyncIterator[X11Adapter]:
    """The connection that asks."""
    adapter = await connect(server.display, None, 5.0)
    yield adapter
    await adapter.close()


@dataclass(slots=True)
class Painter:
    """Windows of a client of its own, and a brush."""

    display: Display

    def window(self, x: int, y: int, parent: int | None = None) -> int:
        """Show a window of 100 x 100 px, over the others."""
        number: int = self.display.connection.generate_id()
        above = parent if parent is not None else self.display.root
        cw = XPROTO.CW
        self.display.core.CreateWindow(
            0, number, above, x, y, 100, 100, 0, XPROTO.WindowClass.InputOutput, 0,
            cw.BackPixel | cw.OverrideRedirect, [self.display.screen.white_pixel, 1],
        )  # fmt: skip
        self.display.core.MapWindow(number)
        self.display.sync()
        return number

    def fill(self, window: int, area: Extents) -> None:
        """Paint a rectangle."""
        brush = self.display.connection.generate_id()
        self.display.core.CreateGC(brush, window, XPROTO.GC.Foreground, [self.display.screen.black_pixel])
        rectangle = XPROTO.RECTANGLE.synthetic(area.x, area.y, area.width, area.height)
        self.display.core.PolyFillRectangle(window, brush, 1, [rectangle])
        self.display.core.FreeGC(brush)
        self.display.sync()

    def end(self, window: int) -> None:
        """Destroy a window."""
        self.display.core.DestroyWindow(window)
        self.display.sync()


@pytest.fixture
def painter(server: Server) -> Iterator[Painter]:
    """The client that draws."""
    display = Display.open(server.display, None)
    yield Painter(display)
    display.disconnect()


async def test_what_is_drawn_is_told_once_and_exactly(x11: X11Adapter, painter: Painter) -> None:
    """DAMAGE: the area relative to the window's corner, since the last asking."""
    window = painter.window(50, 60)

    assert await x11.drawn([window]) == {window: None}
    assert await x11.drawn([window]) == {window: ()}
    painter.fill(window, SPOT)
    assert await x11.drawn([window]) == {window: (SPOT,)}
    assert await x11.drawn([window]) == {window: ()}


async def test_what_a_child_draws_is_told_and_what_lies_under_another_window_is_not(
    x11: X11Adapter, painter: Painter
) -> None:
    """The reason why a covered window proves nothing."""
    window = painter.window(50, 60)
    child = painter.window(5, 5, parent=window)
    cover = painter.window(250, 60)
    await x11.drawn([window])
    painter.fill(child, SPOT)
    assert await x11.drawn([window]) == {window: (SPOT.shifted(5, 5),)}

    painter.display.core.ConfigureWindow(cover, XPROTO.ConfigWindow.X, [50])
    painter.display.sync()
    await x11.drawn([window])
    painter.fill(window, SPOT)

    assert await x11.drawn([window]) == {window: ()}


async def test_a_window_that_ended_is_not_known_and_harms_no_other(x11: X11Adapter, painter: Painter) -> None:
    """Window numbers are used again, so what ended counts as never asked for."""
    gone, left = painter.window(50, 60), painter.window(250, 60)
    await x11.drawn([gone, left])
    painter.end(gone)
    painter.fill(left, SPOT)

    assert await x11.drawn([gone, left]) == {gone: None, left: (SPOT,)}
    assert await x11.drawn([gone, left]) == {gone: None, left: ()}


async def test_many_areas_become_one_that_holds_them(x11: X11Adapter, painter: Painter) -> None:
    """Bounds: an application can draw a thousand dots."""
    window = painter.window(50, 60)
    await x11.drawn([window])
    for number in range(AREAS_MAX + 1):
        painter.fill(window, Extents(x=2 * (number % 8), y=2 * number, width=1, height=1))

    assert await x11.drawn([window]) == {window: (Extents(x=0, y=0, width=15, height=2 * AREAS_MAX + 1),)}


async def test_of_too_many_windows_the_oldest_is_forgotten(x11: X11Adapter, painter: Painter) -> None:
    """Bounds: forgotten means that everything may be new."""
    first = painter.window(0, 0)
    await x11.drawn([first])
    for _ in range(2):
        await x11.drawn([painter.window(100, 100) for _ in range(WINDOWS_MAX // 2)])

    assert await x11.drawn([first]) == {first: None}
