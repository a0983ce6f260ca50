"""InputPort and ScreenPort over the scripted desktop."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tactile.adapters.fake.keys import check_keys, check_modifier
from tactile.adapters.fake.layout import LINE, widget_at
from tactile.adapters.fake.model import FakeDesktop, FakeWindow, Fault, Widget
from tactile.adapters.fake.react import press, take_focus, write
from tactile.errors import PartialInputError, RequestError
from tactile.ports import Screenshot, TypingOutcome
from tactile.records.action import Button, Direction
from tactile.records.geometry import Extents, Point
from tactile.records.observation import Screen, Window
from tactile.records.vocabulary import Role, State

KEY_S = 0.001  # virtual time that one key takes
SCROLLERS = frozenset({Role.LIST, Role.TABLE, Role.TREE, Role.SCROLL_PANE})


class FakeDevice:
    """Pointer, keyboard and windows of a scripted desktop."""

    def __init__(self, desktop: FakeDesktop) -> None:
        self._desktop = desktop

    # ---- ScreenPort

    async def screen(self) -> Screen:
        """Return the size of the desktop."""
        return Screen(width=self._desktop.width, height=self._desktop.height)

    async def windows(self) -> tuple[Window, ...]:
        """List windows, lowest first."""
        return tuple(self._window(place, window) for place, window in enumerate(self._desktop.stack))

    def _window(self, place: int, window: FakeWindow) -> Window:
        assert window.app is not None
        return Window(
            native_id=window.key,
            pid=window.app.pid,
            title=window.name,
            app_class=window.app.name,
            extents=window.client,
            outer=window.outer,
            stacking=place,
            is_active=window is self._desktop.active,
            is_minimised=window.is_minimised,
            is_modal=window.is_modal,
            is_popup=window.is_popup,
        )

    async def activate(self, window: int, deadline_s: float) -> bool:
        """Bring a window to the front; one that refuses lets the deadline pass."""
        found = next((item for item in self._desktop.stack if item.key == window), None)
        if found is None or found.fault is Fault.NO_ACTIVATION:
            await self._desktop.clock.sleep_s(deadline_s)
            return False
        found.is_minimised = False
        self._raise(found)
        return True

    def _raise(self, window: FakeWindow) -> None:
        stack = self._desktop.stack
        stack.append(stack.pop(stack.index(window)))
        self._desktop.active = window
        window.changed("window", "activate")

    async def capture(self, area: Extents) -> Screenshot:
        """Return grey pixels; nothing is drawn here."""
        whole = Extents(x=0, y=0, width=self._desktop.width, height=self._desktop.height)
        if area.is_empty or area.intersect(whole) != area:
            raise RequestError("The area is empty or not wholly on the screen.", hint="Give one that is.")
        return Screenshot(area=area, pixels=bytes([128]) * (area.width * area.height * 3))

    async def drawn(self, windows: Collection[int]) -> Mapping[int, tuple[Extents, ...] | None]:
        """Return what the script has redrawn of each window since the last asking."""
        found: dict[int, tuple[Extents, ...] | None] = dict.fromkeys(windows)
        for window in self._desktop.stack:
            if window.key in found:
                found[window.key] = None if window.redrawn is None else tuple(window.redrawn)
                window.redrawn = []
        return found

    # ---- InputPort

    async def click(self, point: Point, *, button: Button, count: int, modifiers: Sequence[str]) -> None:
        """Click a pixel: the topmost window there gets it, unless its modal dialog or a hang is in the way."""
        self._check_point(point)
        held = [check_modifier(word) for word in modifiers]
        self._desktop.act_begins()
        self._desktop.record("press", None, {"x": point.x, "y": point.y, "button": button, "held": held})
        window = self._receiving(point)
        if window is None:
            return
        if not window.is_popup:
            self._raise(window)
        widget = widget_at(window, point)
        if not widget.is_enabled or widget.fault is Fault.IGNORES:
            return
        take_focus(self._desktop, widget)
        for _ in range(count if button == "left" else 0):
            press(self._desktop, widget)

    def _receiving(self, point: Point) -> FakeWindow | None:
        window = self._desktop.window_at(point)
        if window is None or window.app is None or window.app.is_hung:
            return None
        is_blocked = not window.is_modal and any(other.is_modal for other in window.app.windows)
        return None if is_blocked else window

    async def type_text(self, text: str, *, deadline_s: float) -> TypingOutcome:
        """Type into the focused widget of the active window; keys that nothing takes are logged all the same.

        Raises:
            RequestError: A character cannot be typed; nothing was sent.
            PartialInputError: The script breaks typing off, or the deadline is too short.

        Units:
            Virtual seconds; a key takes `KEY_S`.
        """
        if any(ord(character) < 32 and character not in "\t\n" for character in text):
            raise RequestError("The text has a character that no key types; nothing was sent.", hint="Leave it out.")
        self._desktop.act_begins()
        stop = self._desktop.typing_stops_after
        sent = text[: min(int(deadline_s / KEY_S), len(text) if stop is None else stop)]
        field = self._focused()
        for character in sent:
            self._desktop.record("key", field.name if field else None, {"key": character})
        if field is not None and field.fault is not Fault.IGNORES:
            write(self._desktop, field, sent if field.is_text_selected else (field.text or "") + sent)
            field.is_text_selected = False
        await self._desktop.clock.sleep_s(len(sent) * KEY_S)
        if len(sent) < len(text):
            raise PartialInputError(f"{len(sent)} of {len(text)} characters were sent.", delivered=len(sent))
        return TypingOutcome(delivered=len(text), primitive="fake.keys")

    def _focused(self) -> Widget | None:
        field, window = self._desktop.focus, self._desktop.active
        is_there = field is not None and window is not None and field.window is window
        return field if is_there and window is not None and window.app is not None and not window.app.is_hung else None

    async def press(self, keys: str) -> None:
        """Press one chord; ctrl+a, Delete and Return do what they do in a field.

        Raises:
            RequestError: A key is unknown; nothing was sent.
        """
        *modifiers, key = check_keys(keys)
        self._desktop.act_begins()
        field = self._focused()
        self._desktop.record("key", field.name if field else None, {"key": "+".join([*modifiers, key])})
        if field is None or State.EDITABLE not in field.states:
            return
        if modifiers == ["ctrl"] and key == "a":
            field.is_text_selected = True
        elif key in {"delete", "backspace"} and field.is_text_selected:
            field.is_text_selected = False
            write(self._desktop, field, "")
        elif key in {"return", "enter"}:
            self._desktop.record("activate", field.name, field.text if field.role is not Role.PASSWORD_TEXT else None)
            if field.on_press is not None:
                self._desktop.clock.after(field.delay_s, field.on_press)

    async def scroll(self, point: Point, direction: Direction, amount: int) -> None:
        """Turn the wheel over a pixel: the scrolling container there moves by a line for each notch."""
        self._check_point(point)
        self._desktop.act_begins()
        self._desktop.record("wheel", None, {"direction": direction, "amount": amount})
        window = self._receiving(point)
        widget: Widget | None = widget_at(window, point) if window else None
        while widget is not None and (widget.role not in SCROLLERS or widget.height is None):
            widget = widget.parent
        if widget is None or widget.height is None or direction in {"left", "right"}:
            return
        longest = max(len(widget.children) * (LINE + 6) - widget.height, 0)
        sign = 1 if direction == "down" else -1
        widget.scroll(min(max(widget.offset + sign * amount * LINE, 0), longest))

    async def drag(self, source: Point, destination: Point) -> None:
        """Press at one pixel and release at another; the log names what was there."""
        self._check_point(source)
        self._check_point(destination)
        self._desktop.act_begins()
        start, end = self._receiving(source), self._receiving(destination)
        dragged = widget_at(start, source).name if start else None
        self._desktop.record("drag", dragged)
        self._desktop.record("drop", widget_at(end, destination).name if end else None, dragged)

    def _check_point(self, point: Point) -> None:
        if not (0 <= point.x < self._desktop.width and 0 <= point.y < self._desktop.height):
            raise RequestError(f"The point ({point.x},{point.y}) is outside the screen.", hint="Give one inside.")
