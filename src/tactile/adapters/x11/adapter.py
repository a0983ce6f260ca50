"""InputPort and ScreenPort on one X display."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

import xcffib

from tactile.adapters.x11 import activation, capture, keyboard, monitors, pointer, windows
from tactile.adapters.x11.damage import Drawing
from tactile.adapters.x11.display import AbandonedError, Display, platform_error
from tactile.adapters.x11.keys import parse_chord
from tactile.adapters.x11.typing_plan import REUSE_AFTER_S, SpareKeys, check_typable
from tactile.adapters.x11.worker import Worker
from tactile.errors import Effect, PlatformError, SetupError
from tactile.ports import Screenshot, TypingOutcome
from tactile.records.action import Button, Direction
from tactile.records.geometry import Extents, Point
from tactile.records.observation import Screen, Window

T = TypeVar("T")

CALL_DEADLINE_S = 5.0  # for calls whose port has no deadline; all of them take milliseconds on a live server
GRACE_S = 0.25  # how much longer than its own deadline a call may take before the server counts as stopped
PRIMITIVE_KEYS = "x11.keys"


class X11Adapter:
    """Windows, pixels and real input of one X display; get it from `connect`."""

    def __init__(self, display: Display, worker: Worker, *, may_remap_all: bool, call_deadline_s: float) -> None:
        self._display = display
        self._worker = worker
        self._call_deadline_s = call_deadline_s
        self._spare = SpareKeys(may_remap_all=may_remap_all)
        self._last_click = pointer.LastClick()
        self._drawing = Drawing()
        self._is_closed = False

    async def _call(
        self, what: str, work: Callable[[Display], T], *, deadline_s: float | None = None, effect: Effect = "none"
    ) -> T:
        if self._is_closed:
            raise PlatformError(f"{what}: the connection to display {self._display.name} is closed")

        def on_thread(abandoned: threading.Event) -> T:
            self._display.abandoned = abandoned
            try:
                self._display.drain_events()
                return work(self._display)
            except xcffib.XcffibException as error:
                raise platform_error(error, what, effect) from error

        limit_s = self._call_deadline_s if deadline_s is None else deadline_s
        return await self._worker.run(on_thread, deadline_s=limit_s, what=what, effect=effect)

    # ------------------------------------------------------------ ScreenPort

    async def screen(self) -> Screen:
        """Return the size of the virtual desktop and its monitors."""
        return await self._call("reading the monitors", monitors.screen)

    async def windows(self) -> tuple[Window, ...]:
        """List top-level windows and popups, lowest first."""
        return await self._call("listing windows", windows.list_windows)

    async def has_window_manager(self) -> bool:
        """Tell whether a window manager runs; without one, focus and stacking are set by Tactile itself."""
        return await self._call("looking for a window manager", Display.has_window_manager)

    async def activate(self, window: int, deadline_s: float) -> bool:
        """Bring a window to the front with keyboard focus; tell whether that was confirmed in time."""
        end_s = time.monotonic() + deadline_s
        return await self._call(
            f"activating window {window:#x}",
            lambda display: activation.activate(display, window, end_s),
            deadline_s=deadline_s + GRACE_S,
            effect="possible",
        )

    async def capture(self, area: Extents) -> Screenshot:
        """Return the pixels of an area of the screen.

        Raises:
            RequestError: The area is empty or not wholly on the screen.
        """
        return await self._call("capturing the screen", lambda display: capture.capture(display, area))

    async def drawn(self, windows: Collection[int]) -> Mapping[int, tuple[Extents, ...] | None]:
        """Return what was redrawn of each window since the last asking, relative to its corner.

        None where that is not known: a window asked for the first time, a server that does not tell.
        """
        return await self._call("asking what was redrawn", lambda display: self._drawing.since_last(display, windows))

    # ------------------------------------------------------------ InputPort

    async def click(self, point: Point, *, button: Button, count: int, modifiers: Sequence[str]) -> None:
        """Click exactly this pixel.

        A click where and soon after the last one waits up to 0.5 s, or the application would see a double click.

        Raises:
            RequestError: A modifier is unknown, the count is not 1 to 3, or the point is outside the screen.
            PlatformError: The pointer did not get there.
        """
        held = pointer.check_modifiers(modifiers)
        await self._call(
            f"clicking ({point.x}, {point.y})",
            lambda display: pointer.click(
                display, point, button=button, count=count, modifiers=held, last=self._last_click
            ),
            effect="possible",
        )

    async def type_text(self, text: str, *, deadline_s: float) -> TypingOutcome:
        """Type text into whatever has the keyboard focus.

        Raises:
            RequestError: A character cannot be typed; nothing was sent.
            PartialInputError: Typing stopped midway.
        """
        check_typable(text)
        end_s = time.monotonic() + deadline_s
        delivered = await self._call(
            "typing text",
            lambda display: keyboard.type_text(display, text, self._spare, end_s),
            deadline_s=deadline_s + GRACE_S,
            effect="possible",
        )
        return TypingOutcome(delivered=delivered, primitive=PRIMITIVE_KEYS)

    async def press(self, keys: str) -> None:
        """Press one chord such as "ctrl+shift+s".

        Raises:
            RequestError: A key is unknown or not on the keyboard; nothing was sent.
        """
        chord = parse_chord(keys)
        await self._call(
            f'pressing "{keys[:40]}"',
            lambda display: keyboard.press(display, chord, self._spare),
            effect="possible",
        )

    async def scroll(self, point: Point, direction: Direction, amount: int) -> None:
        """Turn the wheel `amount` notches over a pixel.

        Raises:
            RequestError: The amount is not 1 to 100, or the point is outside the screen.
        """
        await self._call(
            f"scrolling at ({point.x}, {point.y})",
            lambda display: pointer.scroll(display, point, direction, amount),
            effect="possible",
        )

    async def drag(self, source: Point, destination: Point) -> None:
        """Press at one pixel, move in real steps, release at another.

        Raises:
            RequestError: A point is outside the screen.
            PlatformError: The pointer did not get to the source.
        """
        await self._call(
            f"dragging from ({source.x}, {source.y})",
            lambda display: pointer.drag(display, source, destination),
            effect="possible",
        )

    async def release_all(self) -> None:
        """Release every key and button that is down."""
        await self._call("releasing keys and buttons", Display.release_all, effect="possible")

    # ------------------------------------------------------------ end

    async def close(self, deadline_s: float = CALL_DEADLINE_S) -> None:
        """Release what is down, give borrowed keys back, and disconnect; never hangs, may be called twice."""
        if self._is_closed:
            return
        try:
            await self._call("closing", self._leave, deadline_s=deadline_s, effect="possible")
        except PlatformError:
            pass  # the server is stopped or gone: nothing can be given back to it
        finally:
            self._is_closed = True
            self._display.shut_down()
            self._worker.stop(self._display.disconnect)

    def _leave(self, display: Display) -> None:
        display.release_all()
        if self._spare.may_remap_all or not self._spare.bound:
            return  # an isolated desktop keeps the keys: text still on its way would turn into other characters
        last_s = max([0.0, *self._spare.used_at_s.values()])
        display.pause(max(0.0, last_s + REUSE_AFTER_S - time.monotonic()))
        keyboard.restore(display, self._spare)


async def connect(
    display: str,
    xauthority: str | None,
    deadline_s: float,
    *,
    may_remap_all: bool = False,
    call_deadline_s: float = CALL_DEADLINE_S,
) -> X11Adapter:
    """Open a display and release whatever keys a former run left down.

    Args:
        display: Such as ":5".
        xauthority: Its authority file; None looks where every X client looks.
        deadline_s: Seconds for all of it.
        may_remap_all: True on an isolated desktop: keys that type nothing may be bound to missing characters.
        call_deadline_s: Bound of each call that has no deadline of its own.

    Raises:
        SetupError: The display cannot be opened in time, or lacks something.
    """
    worker = Worker(f"tactile-x11{display}")

    def on_thread(abandoned: threading.Event) -> Display:
        opened = Display.open(display, xauthority)
        opened.abandoned = abandoned
        if abandoned.is_set():
            opened.disconnect()  # the caller has given up; nobody else would
            raise AbandonedError
        opened.release_all()
        return opened

    try:
        opened = await worker.run(on_thread, deadline_s=deadline_s, what=f"opening display {display}")
    except PlatformError as error:
        worker.stop()
        hint = "The X server may be stopped; check that it runs and try again."
        raise SetupError(f"X display {display} did not answer within {deadline_s:.1f} s", hint=hint) from error
    except BaseException:
        worker.stop()
        raise
    return X11Adapter(opened, worker, may_remap_all=may_remap_all, call_deadline_s=call_deadline_s)
