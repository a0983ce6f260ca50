"""Pointer input by XTEST; every function blocks and belongs on the worker thread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from tactile.adapters.x11.display import BUTTON_PRESS, BUTTON_RELEASE, MOTION, Display
from tactile.adapters.x11.keyboard import hold, read_keymap
from tactile.adapters.x11.keys import MODIFIERS, Modifier
from tactile.errors import PlatformError, RequestError
from tactile.records.action import Button, Direction
from tactile.records.geometry import Point

BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}
WHEEL: dict[Direction, int] = {"up": 4, "down": 5, "left": 6, "right": 7}
CLICKS_MAX = 3
NOTCHES_MAX = 100
DRAG_STEPS = 20  # facts x11 4: 20 motions 5 ms apart all arrived
DRAG_STEP_S = 0.005
DOUBLE_CLICK_S = 0.5  # facts x11 4; GTK and Qt take two clicks within 400 ms for one double click
DOUBLE_CLICK_PX = 10  # GTK: 5 px; Qt: up to 10


@dataclass(slots=True)
class LastClick:
    """The click before, so that the next one is not taken for its second half."""

    point: Point | None = None
    button: int = 0
    at_s: float = 0.0

    def wait_s(self, point: Point, button: int, now_s: float) -> float:
        """Return how long to wait so that a click here stays a click of its own."""
        if self.point is None or button != self.button:
            return 0.0
        if max(abs(point.x - self.point.x), abs(point.y - self.point.y)) > DOUBLE_CLICK_PX:
            return 0.0
        return max(0.0, self.at_s + DOUBLE_CLICK_S - now_s)


def check_modifiers(modifiers: Sequence[str]) -> tuple[Modifier, ...]:
    """Return the modifiers by their own names.

    Raises:
        RequestError: One is unknown.
    """
    known = []
    for name in modifiers:
        modifier = MODIFIERS.get(name.casefold())
        if modifier is None:
            message = f'"{name[:40]}" is not a modifier; nothing was clicked'
            raise RequestError(message, hint="Modifiers are ctrl, shift, alt, super, altgr.")
        known.append(modifier)
    return tuple(dict.fromkeys(known))


def check_point(display: Display, point: Point) -> None:
    """Refuse a point that is not on the screen.

    Raises:
        RequestError: Names the screen's size.
    """
    width, height = display.size()
    if not (0 <= point.x < width and 0 <= point.y < height):
        message = f"point ({point.x}, {point.y}) is outside the screen of {width}x{height} px; nothing was done"
        raise RequestError(message, hint="Take a point from a new observation.")


def _move(display: Display, point: Point) -> None:
    """Put the pointer on exactly this pixel and see that it is there."""
    display.fake(MOTION, 0, point.x, point.y)
    display.sync()
    there, _ = display.pointer()
    if there != point:
        message = f"the pointer is at ({there.x}, {there.y}) and not at ({point.x}, {point.y}); nothing was pressed"
        raise PlatformError(message, hint="Something holds the pointer: a game, a lock screen or a person.")


def click(
    display: Display, point: Point, *, button: Button, count: int, modifiers: Sequence[Modifier], last: LastClick
) -> None:
    """Click a pixel `count` times in a row.

    Raises:
        RequestError: The point is outside the screen, or the count is not 1 to 3.
        PlatformError: The pointer did not get there.
    """
    if not 1 <= count <= CLICKS_MAX:
        raise RequestError(f"click count {count} is not 1 to {CLICKS_MAX}; nothing was clicked")
    number = BUTTONS[button]
    check_point(display, point)
    keymap = read_keymap(display) if modifiers else None
    display.pause(last.wait_s(point, number, time.monotonic()))
    try:
        _move(display, point)
        if keymap is not None:
            hold(display, keymap, modifiers)
        for _ in range(count):
            display.fake(BUTTON_PRESS, number)
            display.fake(BUTTON_RELEASE, number)
        display.sync()
    finally:
        display.release_all()
        last.point, last.button, last.at_s = point, number, time.monotonic()


def scroll(display: Display, point: Point, direction: Direction, amount: int) -> None:
    """Turn the wheel over a pixel.

    Raises:
        RequestError: The point is outside the screen, or the amount is not 1 to 100.
    """
    if not 1 <= amount <= NOTCHES_MAX:
        raise RequestError(f"scroll amount {amount} is not 1 to {NOTCHES_MAX}; nothing was scrolled")
    check_point(display, point)
    try:
        _move(display, point)
        for _ in range(amount):
            display.fake(BUTTON_PRESS, WHEEL[direction])
            display.fake(BUTTON_RELEASE, WHEEL[direction])
            display.sync()
    finally:
        display.release_all()


def path(source: Point, destination: Point, steps: int = DRAG_STEPS) -> tuple[Point, ...]:
    """Return `steps` points on the way, the last of them the destination."""
    return tuple(
        Point(
            x=source.x + round((destination.x - source.x) * step / steps),
            y=source.y + round((destination.y - source.y) * step / steps),
        )
        for step in range(1, steps + 1)
    )


def drag(display: Display, source: Point, destination: Point) -> None:
    """Press the left button at one pixel, move in real steps, release at another.

    Raises:
        RequestError: A point is outside the screen.
        PlatformError: The pointer did not get to the source.
    """
    check_point(display, source)
    check_point(display, destination)
    try:
        _move(display, source)
        display.fake(BUTTON_PRESS, 1)
        display.sync()
        for point in path(source, destination):
            display.fake(MOTION, 0, point.x, point.y)
            display.sync()
            display.pause(DRAG_STEP_S)
        display.fake(BUTTON_RELEASE, 1)
        display.sync()
    finally:
        display.release_all()
