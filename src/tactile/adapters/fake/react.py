"""What widgets do when something reaches them, and what they offer; each effect is logged as its handler would."""

from __future__ import annotations

from tactile.adapters.fake.model import FakeDesktop, Fault, Widget
from tactile.errors import RequestError
from tactile.records.accessible import Offer
from tactile.records.vocabulary import Action, Role, State

PRESS, FOCUS, EXPAND, CHOOSE = "fake.press", "fake.focus", "fake.expand", "fake.choose"
TEXT_SET, TEXT_INSERT = "fake.text.set", "fake.text.insert"
VALUE_SET, VALUE_UP, VALUE_DOWN = "fake.value.set", "fake.value.up", "fake.value.down"
TOGGLES = frozenset({Role.CHECK_BOX, Role.TOGGLE_BUTTON, Role.SWITCH, Role.CHECK_MENU_ITEM})
CHOICES = frozenset({Role.LIST_ITEM, Role.TREE_ITEM, Role.PAGE_TAB, Role.TABLE_ROW})
PRESSABLE = frozenset({Role.BUTTON, Role.LINK, Role.MENU_ITEM, Role.COMBO_BOX})


def offers_of(widget: Widget) -> tuple[Offer, ...]:
    """Return what a widget says it can do itself."""
    if widget.offers is not None:
        return widget.offers
    found: list[tuple[Action, str]] = []
    if widget.role in PRESSABLE | TOGGLES:
        found.append((Action.TOGGLE if widget.role in TOGGLES else Action.PRESS, PRESS))
    if widget.role in CHOICES | {Role.RADIO_BUTTON}:
        found.append((Action.SELECT, PRESS))
    if widget.role is Role.COMBO_BOX:
        found.append((Action.SET_VALUE, CHOOSE))
    if widget.number is not None:
        found += [(Action.SET_VALUE, VALUE_SET), (Action.INCREMENT, VALUE_UP), (Action.DECREMENT, VALUE_DOWN)]
    elif State.EDITABLE in widget.states:
        found += [(Action.SET_VALUE, TEXT_SET), (Action.TYPE, TEXT_INSERT)]
    if State.EXPANDABLE in widget.states:
        found.append((Action.COLLAPSE if State.EXPANDED in widget.states else Action.EXPAND, EXPAND))
    if State.FOCUSABLE in widget.states:
        found.append((Action.FOCUS, FOCUS))
    return tuple(Offer(action=action, primitive=primitive) for action, primitive in found)


def react(desktop: FakeDesktop, widget: Widget, primitive: str, argument: str) -> None:
    """Do a primitive that the widget offers; a disabled or deaf widget does nothing and says nothing.

    Raises:
        RequestError: The argument does not fit.
    """
    if not widget.is_enabled or widget.fault is Fault.IGNORES:
        return
    if primitive == PRESS:
        press(desktop, widget)
    elif primitive == FOCUS:
        take_focus(desktop, widget)
    elif primitive == EXPAND:
        widget.turn(State.EXPANDED, State.EXPANDED not in widget.states)
        desktop.record("expand", widget.name, State.EXPANDED in widget.states)
    elif primitive == CHOOSE:
        _choose(desktop, widget, argument)
    elif primitive in {TEXT_SET, TEXT_INSERT}:
        write(desktop, widget, argument if primitive == TEXT_SET else (widget.text or "") + argument)
    else:
        _count(desktop, widget, primitive, argument)


def press(desktop: FakeDesktop, widget: Widget) -> None:
    """Press, toggle or select, as a click or the platform's own action does."""
    if widget.role in TOGGLES:
        widget.turn(State.CHECKED, State.CHECKED not in widget.states)
        desktop.record("toggle", widget.name, State.CHECKED in widget.states)
    elif widget.role is Role.RADIO_BUTTON:
        _choose_one(widget, State.CHECKED)
        desktop.record("toggle", widget.name, True)
    elif widget.role in CHOICES:
        _choose_one(widget, State.SELECTED)
        desktop.record("select", widget.parent.name if widget.parent else None, widget.name)
    elif widget.role in PRESSABLE:
        desktop.record("click", widget.name)
    if widget.on_press is not None:
        desktop.clock.after(widget.delay_s, widget.on_press)


def _choose_one(widget: Widget, state: State) -> None:
    for other in widget.parent.children if widget.parent else ():
        if other.role is widget.role and (other is widget) is not (state in other.states):
            other.turn(state, other is widget)


def take_focus(desktop: FakeDesktop, widget: Widget) -> None:
    """Give a widget the keyboard focus of its window."""
    if widget.fault is Fault.NO_FOCUS or State.FOCUSABLE not in widget.states:
        return
    if desktop.focus is not None and desktop.focus is not widget:
        desktop.focus.turn(State.FOCUSED, False)
    desktop.focus = widget
    widget.turn(State.FOCUSED, True)


def write(desktop: FakeDesktop, widget: Widget, text: str) -> None:
    """Let a field hold a text; a secret is logged by its length only."""
    if State.EDITABLE not in widget.states:
        return
    widget.write(text)
    desktop.record("change", widget.name, len(text) if widget.role is Role.PASSWORD_TEXT else text)


def _choose(desktop: FakeDesktop, widget: Widget, label: str) -> None:
    options = [child for child in widget.walk() if child.name == label and child is not widget]
    if len(options) != 1:
        raise RequestError(
            f'sought one option "{label}", found {len(options)}; nothing was done', hint="name one option"
        )
    widget.write(label)
    desktop.record("change", widget.name, label)


def _count(desktop: FakeDesktop, widget: Widget, primitive: str, argument: str) -> None:
    assert widget.number is not None
    number = widget.number
    low = float("-inf") if number.minimum is None else number.minimum
    high = float("inf") if number.maximum is None else number.maximum
    step = (number.step or 1.0) * (1 if primitive == VALUE_UP else -1)
    wanted = float(argument) if primitive == VALUE_SET else min(max(number.current + step, low), high)
    if not low <= wanted <= high:
        raise RequestError(
            f"sought value {wanted:g}, the range is {low:g} to {high:g}; nothing was done", hint="stay within it"
        )
    widget.count(wanted)
    desktop.record("change", widget.name, wanted)
