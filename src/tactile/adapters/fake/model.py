"""What is on the scripted desktop: applications, windows, widgets, and the log of what reached them."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tactile.adapters.fake.clock import VirtualClock
from tactile.records.accessible import Change, NativeRef, Offer, ValueRange
from tactile.records.geometry import Extents, Point
from tactile.records.vocabulary import Role, State

Call = Callable[[], object]
TITLE_BAR = 20  # px above a client area
ROOT = "/root"  # path of an application's root

_ALL = frozenset({State.ENABLED, State.SENSITIVE, State.SHOWING, State.VISIBLE})
_FIELD = frozenset({State.FOCUSABLE, State.EDITABLE, State.SINGLE_LINE})
STATES: dict[Role, frozenset[State]] = {
    **dict.fromkeys((Role.BUTTON, Role.SLIDER, Role.COMBO_BOX, Role.PAGE_TAB), frozenset({State.FOCUSABLE})),
    **dict.fromkeys(
        (Role.CHECK_BOX, Role.RADIO_BUTTON, Role.TOGGLE_BUTTON, Role.SWITCH),
        frozenset({State.FOCUSABLE, State.CHECKABLE}),
    ),
    **dict.fromkeys((Role.ENTRY, Role.PASSWORD_TEXT, Role.SPIN_BUTTON), _FIELD),
    Role.TEXT: frozenset({State.FOCUSABLE, State.EDITABLE, State.MULTI_LINE}),
    Role.LIST_ITEM: frozenset({State.SELECTABLE}),
    Role.TREE_ITEM: frozenset({State.SELECTABLE, State.EXPANDABLE}),
}


class Fault(StrEnum):
    """What is wrong with one widget or window."""

    IGNORES = "ignores"  # answers true to everything and does nothing
    CANNOT = "cannot"  # offers what it then says it cannot do
    NO_FOCUS = "no_focus"  # never takes the keyboard focus
    NO_ACTIVATION = "no_activation"  # a window that does not come to the front


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that reached an application: the ground truth of a test."""

    at_s: float
    kind: str
    widget: str | None = None
    value: object = None


@dataclass(slots=True, kw_only=True, eq=False)
class Widget:
    """One accessible thing.

    Attributes:
        states: Beside those that its role brings.
        place: Relative to the client area of its window; None lets it be laid out in a column.
        height: Of a container that shows only part of its rows; None as high as they are.
        offset: How far a container is scrolled.
        has_place: False when the toolkit does not say where it is.
        on_press: What its handler does.
        delay_s: Virtual seconds from the press until the handler runs.
        offers: Replaces what its role offers.
    """

    role: Role
    name: str = ""
    description: str = ""
    text: str | None = None
    number: ValueRange | None = None
    states: set[State] = field(default_factory=set)
    children: list[Widget] = field(default_factory=list)
    place: Extents | None = None
    height: int | None = None
    offset: int = 0
    has_place: bool = True
    on_press: Call | None = None
    delay_s: float = 0.0
    fault: Fault | None = None
    offers: tuple[Offer, ...] | None = None
    parent: Widget | None = None
    is_text_selected: bool = False
    key: int = field(default_factory=itertools.count(1).__next__)

    def __post_init__(self) -> None:
        """Give it the states of its role, and its children their parent."""
        self.states |= _ALL | STATES.get(self.role, frozenset())
        if self.text is None and self.role in {Role.ENTRY, Role.PASSWORD_TEXT, Role.TEXT}:
            self.text = ""
        for child in self.children:
            child.parent = self

    @property
    def window(self) -> FakeWindow | None:
        """Return the window it is in, None when it was taken out."""
        top = self
        while top.parent is not None:
            top = top.parent
        return top if isinstance(top, FakeWindow) and top.app is not None else None

    @property
    def is_enabled(self) -> bool:
        """Tell whether it can be used."""
        return State.ENABLED in self.states

    def walk(self) -> Iterator[Widget]:
        """Yield it and all below it, parents first."""
        yield self
        for child in list(self.children):
            yield from child.walk()

    def changed(self, kind: str, detail: str = "") -> None:
        """Tell whoever listens to the application."""
        window = self.window
        if window is not None and window.app is not None:
            window.app.tell(kind, self, detail)

    def add(self, child: Widget, index: int | None = None) -> None:
        """Put a widget in."""
        child.parent = self
        self.children.insert(len(self.children) if index is None else index, child)
        self.changed("children", "add")

    def remove(self) -> None:
        """Take it out of its parent; its platform object is gone."""
        parent = self.parent
        if parent is not None:
            parent.children.remove(self)
            self.parent = None
            parent.changed("children", "remove")

    def rename(self, name: str) -> None:
        """Give it another name."""
        self.name = name
        self.changed("name", name)

    def become(self, role: Role) -> None:
        """Turn into another kind of thing, as a reused platform object does."""
        self.role = role
        self.changed("role")

    def scroll(self, offset: int) -> None:
        """Scroll what is in it."""
        self.offset = offset
        self.changed("bounds", "scroll")

    def write(self, text: str) -> None:
        """Let it hold another text."""
        self.text = text
        self.changed("text")

    def count(self, number: float) -> None:
        """Let it hold another number."""
        assert self.number is not None
        self.number = replace(self.number, current=number)
        self.changed("value")

    def turn(self, state: State, is_on: bool) -> None:
        """Set or clear a state; ENABLED takes SENSITIVE, and SHOWING takes VISIBLE with it."""
        beside = {State.ENABLED: State.SENSITIVE, State.SHOWING: State.VISIBLE}.get(state, state)
        change = self.states.update if is_on else self.states.difference_update
        change({state, beside})
        self.changed("state", state.value)


@dataclass(slots=True, kw_only=True, eq=False)
class FakeWindow(Widget):
    """One window with its accessible; `x` and `y` are where its client area begins.

    Attributes:
        redrawn: What was redrawn since somebody last asked; None when nobody has.
    """

    role: Role = Role.FRAME
    x: int = 100
    y: int = 100
    width: int = 400
    client_height: int = 500
    is_minimised: bool = False
    is_modal: bool = False
    is_popup: bool = False
    app: FakeApp | None = None
    redrawn: list[Extents] | None = None

    def draw(self, area: Extents) -> None:
        """Redraw a part of it, relative to its corner, without a word on the accessibility bus."""
        if self.redrawn is not None:
            self.redrawn.append(area)

    @property
    def client(self) -> Extents:
        """Return its client area."""
        return Extents(x=self.x, y=self.y, width=self.width, height=self.client_height)

    @property
    def outer(self) -> Extents:
        """Return its client area with the title bar."""
        bar = 0 if self.is_popup else TITLE_BAR
        return Extents(x=self.x, y=self.y - bar, width=self.width, height=self.client_height + bar)

    def move(self, x: int, y: int) -> None:
        """Put it elsewhere."""
        self.x, self.y = x, y
        self.changed("bounds")

    def close(self) -> None:
        """Close it."""
        if self.app is None:
            return
        app, desktop = self.app, self.app.desktop
        desktop.record("closed", self.name)
        app.tell("window", self, "close")
        app.windows.remove(self)
        desktop.stack.remove(self)
        self.app = None
        front = [window for window in desktop.stack if not window.is_popup and not window.is_minimised]
        desktop.active = front[-1] if front else None


@dataclass(slots=True, kw_only=True, eq=False)
class FakeApp:
    """One application; `is_hung` and `is_on_bus` are faults that can be switched at any time.

    Attributes:
        are_events_complete: Its toolkit tells everything that changes.
        reads: What was read of it, in order: None for all, else the toplevels.
    """

    desktop: FakeDesktop
    name: str
    pid: int
    windows: list[FakeWindow] = field(default_factory=list)
    is_hung: bool = False
    is_on_bus: bool = True
    are_events_complete: bool = True
    reads: list[tuple[NativeRef, ...] | None] = field(default_factory=list)
    streams: list[deque[Change]] = field(default_factory=list)

    @property
    def root(self) -> NativeRef:
        """Return the native ref of the application."""
        return NativeRef(application=f"fake.{self.pid}", path=ROOT)

    def open(self, window: FakeWindow) -> FakeWindow:
        """Open a window in front of the others, with the focus unless it is a popup."""
        window.app = self
        self.windows.append(window)
        self.desktop.stack.append(window)
        if not window.is_popup:
            self.desktop.active = window
        self.tell("window", window, "open")
        return window

    def hang(self, seconds: float) -> None:
        """Stop answering for a while."""
        self.is_hung = True
        self.desktop.clock.after(seconds, self._heal)

    def _heal(self) -> None:
        self.is_hung = False

    def quit(self) -> None:
        """End, with all windows."""
        for window in list(self.windows):
            window.close()
        self.desktop.apps.remove(self)

    def tell(self, kind: str, source: Widget, detail: str = "") -> None:
        """Hand a change to those who listen."""
        change = Change(kind=kind, source=self.ref(source), detail=detail, at_s=self.desktop.clock.now_s())
        for stream in self.streams:
            stream.append(change)

    def ref(self, widget: Widget) -> NativeRef:
        """Return the native ref of one of its widgets."""
        return NativeRef(application=self.root.application, path=f"/{widget.key}")


@dataclass(slots=True, kw_only=True, eq=False)
class FakeDesktop:
    """Everything there is.

    Attributes:
        stack: Windows, lowest first.
        log: What reached the applications.
        programs: What can be started by name: each callable opens its application and returns it.
        is_bus_lost: The accessibility bus does not answer.
        typing_stops_after: Characters after which typing breaks off.
        before_act: Called once, just before the next act reaches an application: the world changes in between.
    """

    width: int = 1280
    height: int = 800
    clock: VirtualClock = field(default_factory=VirtualClock)
    apps: list[FakeApp] = field(default_factory=list)
    stack: list[FakeWindow] = field(default_factory=list)
    active: FakeWindow | None = None
    focus: Widget | None = None
    log: list[Event] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    programs: dict[str, Callable[[], FakeApp]] = field(default_factory=dict)
    is_bus_lost: bool = False
    typing_stops_after: int | None = None
    before_act: Call | None = None

    def start(self, name: str, *windows: FakeWindow) -> FakeApp:
        """Start an application with its windows, the last one in front."""
        pid = max((app.pid for app in self.apps), default=1000) + 1
        app = FakeApp(desktop=self, name=name, pid=pid)
        self.apps.append(app)
        for window in windows:
            app.open(window)
        return app

    def record(self, kind: str, widget: str | None = None, value: object = None) -> None:
        """Write one line of the log."""
        self.log.append(Event(at_s=self.clock.now_s(), kind=kind, widget=widget, value=value))

    def act_begins(self) -> None:
        """Let the world change in between, if the script says so."""
        call, self.before_act = self.before_act, None
        if call is not None:
            call()

    def find(self, ref: NativeRef) -> Widget | None:
        """Return the live widget behind a native ref."""
        return next(
            (
                widget
                for app in self.apps
                if app.root.application == ref.application
                for window in app.windows
                for widget in window.walk()
                if app.ref(widget) == ref
            ),
            None,
        )

    def window_at(self, point: Point) -> FakeWindow | None:
        """Return the topmost window at a pixel."""
        hit = [window for window in self.stack if not window.is_minimised and window.outer.contains(point)]
        return hit[-1] if hit else None
