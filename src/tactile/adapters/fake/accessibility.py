"""AccessibilityPort over the scripted desktop."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal

from tactile.adapters.fake.layout import layout, widget_at
from tactile.adapters.fake.model import FakeApp, FakeDesktop, FakeWindow, Fault, Widget
from tactile.adapters.fake.react import offers_of, react
from tactile.errors import AppGoneError, AppUnresponsiveError, ObjectGoneError, PlatformError, UnsupportedError
from tactile.ports import ChangeStream, Sweep, Watch
from tactile.records.accessible import Accessible, AccessibleTree, Application, Change, Cut, NativeRef, ReadLimits
from tactile.records.geometry import Point
from tactile.records.vocabulary import Role, State

HEARD_MAX = 200  # events of one application between two sweeps; then anything may have changed


class FakeStream:
    """Changes of one application, in virtual time."""

    def __init__(self, desktop: FakeDesktop, waiting: deque[Change]) -> None:
        self._desktop, self._waiting = desktop, waiting

    async def next(self, timeout_s: float) -> Change | None:
        """Return the next change, or None when none came within `timeout_s` virtual seconds."""
        await self._desktop.clock.advance(timeout_s, lambda: bool(self._waiting))
        return self._waiting.popleft() if self._waiting else None


class FakeWatch:
    """A watch over one application: the sources of its changes, at most `HEARD_MAX` events between two sweeps."""

    def __init__(self, port: FakeAccessibility, root: NativeRef) -> None:
        self._port, self._root = port, root
        self._app: FakeApp | None = None
        self._heard: deque[Change] = deque(maxlen=HEARD_MAX + 1)

    async def changed(self, deadline_s: float) -> Sweep:
        """Return what changed since the last asking.

        Raises:
            AppUnresponsiveError: The application hangs.
            AppGoneError: It has ended.
            PlatformError: The bus is lost; when it is back, anything may have changed.
        """
        try:
            app = await self._port.answering(self._root, deadline_s, "look what changed")
        except (AppGoneError, AppUnresponsiveError):
            raise
        except PlatformError:
            self.close()
            raise
        is_told = self._app is app and len(self._heard) <= HEARD_MAX
        if self._app is not app:
            self.close()
            app.streams.append(self._heard)
            self._app = app
        sources = frozenset(change.source for change in self._heard if change.kind != "name")
        said: dict[tuple[NativeRef, Literal["name", "description"]], str] = {
            (change.source, "name"): change.detail for change in self._heard if change.kind == "name"
        }
        toplevels = tuple(app.ref(window) for window in app.windows)
        self._heard.clear()
        return Sweep(sources=sources if is_told else None, toplevels=toplevels, said=said)

    def close(self) -> None:
        """Stop listening."""
        if self._app is not None:
            self._app.streams = [stream for stream in self._app.streams if stream is not self._heard]
        self._app = None
        self._heard.clear()


class FakeAccessibility:
    """Reads and acts on the widgets of a scripted desktop."""

    def __init__(self, desktop: FakeDesktop) -> None:
        self._desktop = desktop

    def watch(self, root: NativeRef) -> Watch:
        """Return a watch over one application; it begins to listen when it is first asked."""
        return FakeWatch(self, root)

    async def applications(self, deadline_s: float) -> tuple[Application, ...]:
        """List applications; a hung one is listed as not responding.

        Raises:
            PlatformError: The bus is lost.
        """
        self._check_bus()
        apps = [app for app in self._desktop.apps if app.is_on_bus]
        if any(app.is_hung for app in apps):
            await self._desktop.clock.sleep_s(deadline_s)
        return tuple(_application(app) for app in apps)

    async def read_tree(
        self, root: NativeRef, limits: ReadLimits, only: Collection[NativeRef] | None = None
    ) -> AccessibleTree:
        """Read the tree below an application root, or just the toplevels named.

        Raises:
            AppUnresponsiveError: The application hangs.
            AppGoneError: It has ended.
            PlatformError: The bus is lost.
        """
        start_s = self._desktop.clock.now_s()
        app = await self.answering(root, limits.deadline_s, "read the tree")
        app.reads.append(None if only is None else tuple(sorted(only)))
        reading = _Reading(app, limits)
        toplevels = tuple(app.ref(window) for window in app.windows)
        for window, ref in zip(app.windows, toplevels, strict=True):
            if only is None or ref in only:
                reading.take(window, 1)
        return AccessibleTree(
            application=_application(app),
            toplevels=toplevels,
            accessibles=tuple(reading.found),
            are_events_complete=app.are_events_complete,
            is_complete=not reading.is_cut,
            gaps=("a limit of the read",) if reading.is_cut else (),
            cuts=tuple(reading.cuts),
            calls=len(reading.found),
            elapsed_s=self._desktop.clock.now_s() - start_s,
        )

    async def at_point(self, root: NativeRef, point: Point) -> NativeRef | None:
        """Return the innermost widget of the application's topmost window at a pixel."""
        app = self._app(root)
        window = self._desktop.window_at(point)
        is_own = app is not None and window is not None and window.app is app
        return app.ref(widget_at(window, point)) if is_own and app and window else None

    async def perform(self, ref: NativeRef, primitive: str, argument: str, deadline_s: float) -> bool | None:
        """Do one offered primitive, once; the answer is true whatever it did.

        Raises:
            ObjectGoneError, UnsupportedError, AppGoneError: Nothing was done.
            AppUnresponsiveError: The application hangs; the effect is possible.
        """
        self._desktop.act_begins()
        await self.answering(ref, deadline_s, f"do {primitive}", is_act=True)
        widget = self._desktop.find(ref)
        if widget is None:
            raise ObjectGoneError(f"sought {ref.path}, it no longer exists", hint="observe again")
        if widget.fault is Fault.CANNOT or primitive not in {offer.primitive for offer in offers_of(widget)}:
            raise UnsupportedError(f'"{widget.name}" cannot do {primitive}; nothing was done', hint="observe again")
        react(self._desktop, widget, primitive, argument)
        return True

    def changes(self, root: NativeRef) -> AbstractAsyncContextManager[ChangeStream]:
        """Open a stream of changes of one application.

        Raises:
            PlatformError: On entering, when the bus is lost.
        """
        return self._changes(root)

    @asynccontextmanager
    async def _changes(self, root: NativeRef) -> AsyncIterator[ChangeStream]:
        self._check_bus()
        waiting: deque[Change] = deque()
        app = self._app(root)
        if app is not None:
            app.streams.append(waiting)
        yield FakeStream(self._desktop, waiting)
        if app is not None:
            app.streams = [stream for stream in app.streams if stream is not waiting]

    def _app(self, ref: NativeRef) -> FakeApp | None:
        apps = [app for app in self._desktop.apps if app.is_on_bus]
        return next((app for app in apps if app.root.application == ref.application), None)

    def _check_bus(self) -> None:
        if self._desktop.is_bus_lost:
            raise PlatformError("sought the accessibility bus, it does not answer", hint="restart it")

    async def answering(self, ref: NativeRef, deadline_s: float, sought: str, *, is_act: bool = False) -> FakeApp:
        """Return the application an object belongs to, if it answers.

        Raises:
            AppGoneError: It has ended.
            AppUnresponsiveError: It hangs.
            PlatformError: The bus is lost.
        """
        self._check_bus()
        app = self._app(ref)
        if app is None:
            raise AppGoneError(f"{sought}: the application has ended", hint="see list_apps for what runs")
        if app.is_hung:
            await self._desktop.clock.sleep_s(deadline_s)
            raise AppUnresponsiveError(
                f"{sought}: {app.name} did not answer within {deadline_s:g} s",
                hint="wait until it answers again",
                effect="possible" if is_act else "none",
            )
        return app


def _application(app: FakeApp) -> Application:
    return Application(root=app.root, name=app.name, pid=app.pid, toolkit="fake", is_responding=not app.is_hung)


class _Reading:
    """One read of one application, within its limits."""

    def __init__(self, app: FakeApp, limits: ReadLimits) -> None:
        self._app, self._limits = app, limits
        self._places = {widget: place for window in app.windows for widget, place in layout(window).items()}
        self.found: list[Accessible] = []
        self.cuts: list[Cut] = []
        self.is_cut = False

    def take(self, widget: Widget, depth: int) -> None:
        """Record a widget and what is in it, depth first."""
        if len(self.found) >= self._limits.accessibles_max or depth > self._limits.depth_max:
            self.is_cut = True
            return
        self.found.append(self._record(widget))
        if State.SHOWING not in widget.states:
            return  # of what does not show only the name is read, as over AT-SPI
        children = widget.children[: self._limits.children_max]
        if len(children) < len(widget.children):
            ref, total = self._app.ref(widget), len(widget.children)
            self.cuts.append(Cut(ref=ref, what=widget.role.value, total=total, shown=len(children)))
            self.is_cut = True
        for child in children:
            self.take(child, depth + 1)

    def _record(self, widget: Widget) -> Accessible:
        window = widget.window
        assert window is not None
        is_showing, is_secure = State.SHOWING in widget.states, widget.role is Role.PASSWORD_TEXT
        is_unread = is_secure or widget.text is None or not is_showing
        text = None if is_unread else (widget.text or "")[: self._limits.text_max]
        return Accessible(
            ref=self._app.ref(widget),
            parent=self._app.ref(widget.parent) if widget.parent else None,
            toplevel=self._app.ref(window),
            role=widget.role,
            native_role=widget.role.value,
            name=widget.name,
            description=widget.description,
            states=self._states(widget, window),
            extents=self._places[widget] if is_showing and widget.has_place else None,
            offers=offers_of(widget) if is_showing else (),
            value=widget.number,
            text=text,
            text_length=None if text is None else len(widget.text or ""),
            child_count=len(widget.children),
            is_secure=is_secure,
            unread=("extents",) if is_showing and not widget.has_place else (),
        )

    def _states(self, widget: Widget, window: FakeWindow) -> frozenset[State]:
        states = set(widget.states)
        if widget is window:
            states |= {State.ACTIVE} if self._app.desktop.active is window else set()
            states |= {State.MODAL} if window.is_modal else set()
        return frozenset(states)
