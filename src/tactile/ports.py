"""The protocols the runtime needs; each is small enough to fake in an afternoon."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from tactile.records.accessible import AccessibleTree, Application, Change, NativeRef, ReadLimits
from tactile.records.action import Button, Direction
from tactile.records.geometry import Extents, Point
from tactile.records.observation import Screen, Window


class ChangeStream(Protocol):
    """Events of one application from the moment the stream was opened."""

    async def next(self, timeout_s: float) -> Change | None:
        """Return the next change, or None when none came within `timeout_s` seconds."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What an application told since it was last asked.

    Attributes:
        sources: Objects that changed; None when that is not known: anything may have changed.
        toplevels: Those it has now, in its order.
        said: The name or description that an object last said to have now; one that is known already is no news.
            Some toolkits say both anew whenever they are asked for something.
    """

    sources: frozenset[NativeRef] | None
    toplevels: tuple[NativeRef, ...]
    said: Mapping[tuple[NativeRef, Literal["name", "description"]], str] = field(default_factory=dict)


class Watch(Protocol):
    """Keeps in mind what changes in one application, for as long as it is open; bounded."""

    async def changed(self, deadline_s: float) -> Sweep:
        """Return what changed since the last asking, up to this moment; costs one call to the application.

        Whatever the application told before it answers that call is in it; the first time, anything may have changed.

        Raises:
            AppUnresponsiveError: It did not answer; nothing is forgotten.
            AppGoneError: It is no longer on the bus.
            PlatformError: The bus itself is not there.
        """
        ...

    def close(self) -> None:
        """Stop listening; asking again starts anew."""
        ...


class ChangesPort(Protocol):
    """Tells what changes."""

    def changes(self, root: NativeRef) -> AbstractAsyncContextManager[ChangeStream]:
        """Open a stream of changes of one application."""
        ...

    def watch(self, root: NativeRef) -> Watch:
        """Return a watch over one application; it begins to listen when it is first asked."""
        ...


class AccessibilityPort(ChangesPort, Protocol):
    """Read and act on accessible objects."""

    async def applications(self, deadline_s: float) -> tuple[Application, ...]:
        """List applications; one that does not answer in time is listed as not responding.

        Raises:
            PlatformError: The accessibility bus itself is not there.
        """
        ...

    async def read_tree(
        self, root: NativeRef, limits: ReadLimits, only: Collection[NativeRef] | None = None
    ) -> AccessibleTree:
        """Read the tree below an application root, within limits; partial trees say so.

        With `only`, just these toplevels are read; the tree names all that there are in `toplevels`.

        Raises:
            AppUnresponsiveError: Nothing at all came before the deadline.
            AppGoneError: The application is no longer on the bus.
        """
        ...

    async def at_point(self, root: NativeRef, point: Point) -> NativeRef | None:
        """Return what the toolkit says is at a physical pixel; None when it does not say."""
        ...

    async def perform(self, ref: NativeRef, primitive: str, argument: str, deadline_s: float) -> bool | None:
        """Do one offered primitive, once; never retried here.

        Returns:
            The toolkit's own answer, None when it gave none. It is not evidence.

        Raises:
            ObjectGoneError: The object no longer exists; nothing was done.
            AppUnresponsiveError: No answer in time; the effect is possible.
            UnsupportedError: The object cannot do it; nothing was done.
            RequestError: The argument does not fit; nothing was done.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingOutcome:
    """What became of typed text: characters sent, and the mechanism used."""

    delivered: int
    primitive: str


class InputPort(Protocol):
    """Real pointer and keyboard input. No key or button stays down after any of these, also on error.

    The calls return when the window system has the input, not when the application has it: keys sent right behind a
    click may overtake it. Wait for what the click does.
    """

    async def click(self, point: Point, *, button: Button, count: int, modifiers: Sequence[str]) -> None:
        """Click exactly this pixel."""
        ...

    async def type_text(self, text: str, *, deadline_s: float) -> TypingOutcome:
        """Type text into whatever has the keyboard focus.

        Raises:
            RequestError: A character cannot be typed; nothing was sent.
            PartialInputError: Typing stopped midway.
        """
        ...

    async def press(self, keys: str) -> None:
        """Press one chord such as "ctrl+shift+s".

        Raises:
            RequestError: A key is unknown; nothing was sent.
        """
        ...

    async def scroll(self, point: Point, direction: Direction, amount: int) -> None:
        """Turn the wheel `amount` notches over a pixel."""
        ...

    async def drag(self, source: Point, destination: Point) -> None:
        """Press at one pixel, move in real steps, release at another."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Screenshot:
    """Pixels of an area.

    Shape:
        `pixels` is height x width x 3 bytes, RGB, row by row.
    """

    area: Extents
    pixels: bytes


class ScreenPort(Protocol):
    """Windows and pixels."""

    async def screen(self) -> Screen:
        """Return the size of the virtual desktop."""
        ...

    async def windows(self) -> tuple[Window, ...]:
        """List top-level windows and popups, lowest first."""
        ...

    async def activate(self, window: int, deadline_s: float) -> bool:
        """Bring a window to the front with keyboard focus; tell whether that was confirmed in time."""
        ...

    async def capture(self, area: Extents) -> Screenshot:
        """Return the pixels of an area of the screen."""
        ...

    async def drawn(self, windows: Collection[int]) -> Mapping[int, tuple[Extents, ...] | None]:
        """Return what was redrawn of each window since the last asking, relative to its corner.

        What lies under another window is not drawn. None where it is not known: a window asked for the first time, a
        window system that does not tell. One asker for each port: what is told once is not told again.
        """
        ...


class LauncherPort(Protocol):
    """Starts programs on the desktop."""

    async def launch(self, argv: Sequence[str]) -> int:
        """Start a program; return its pid as the desktop's applications report it.

        Raises:
            RequestError: There is no such program.
        """
        ...

    async def exit_code(self, pid: int) -> int | None:
        """Return the exit code of a launched program, negative for a signal; None while it runs."""
        ...


class FilesPort(Protocol):
    """Reads files of the desktop's user, for postconditions."""

    async def read_file(self, path: str, max_bytes: int) -> bytes | None:
        """Return up to `max_bytes` of a file, or None when it does not exist. `~` is the desktop's home."""
        ...


class ClockPort(Protocol):
    """Time."""

    def now_s(self) -> float:
        """Return monotonic seconds."""
        ...

    async def sleep_s(self, seconds: float) -> None:
        """Wait."""
        ...
