"""What an accessible can do by itself, from its role, states, interfaces and machine action names; pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tactile.adapters.atspi.roles import Toolkit
from tactile.records.accessible import Offer
from tactile.records.vocabulary import Action, Role, State

ACTION_PREFIX = "atspi.action:"
VALUE_SET = "atspi.value.set"
VALUE_STEP_UP = "atspi.value.step:up"
VALUE_STEP_DOWN = "atspi.value.step:down"
TEXT_SET = "atspi.editable_text.set"
TEXT_INSERT = "atspi.editable_text.insert"
SELECT_CHILD = "atspi.selection.select"
COMBO_CHOOSE = "atspi.combo.choose"
FOCUS = "atspi.focus"
SCROLL_TO = "atspi.scroll_to"

_PRESS = ("press", "click", "activate", "dodefault")
_FLIP = ("toggle", "check", "uncheck", "cycle", "click", "press", "activate", "expand", "collapse", "dodefault")
_CHOOSE = ("select", "toggle", "check", "click", "press", "dodefault")
_OPEN = ("showmenu", "press", "open", "click", "dodefault")
_ITEM = (
    (Action.SELECT, ("select", "toggle")),
    (Action.PRESS, ("activate", "press", "click", "dodefault")),
)

# Machine names by role, best first. What is not listed is never done: GTK 4 frames start with "window.close", labels
# and text views with "clipboard.*" and "selection.*". Entries leave "activate" out: it submits.
ALLOWED: dict[Role, tuple[tuple[Action, tuple[str, ...]], ...]] = {
    Role.BUTTON: ((Action.PRESS, (*_PRESS, "open")), (Action.SHOW_MENU, ("showmenu",))),
    Role.TOGGLE_BUTTON: ((Action.TOGGLE, _FLIP), (Action.PRESS, _FLIP)),
    Role.CHECK_BOX: ((Action.TOGGLE, _FLIP), (Action.PRESS, _FLIP)),
    Role.SWITCH: ((Action.TOGGLE, _FLIP), (Action.PRESS, _FLIP)),
    Role.RADIO_BUTTON: ((Action.SELECT, _CHOOSE), (Action.PRESS, _CHOOSE)),
    Role.LINK: ((Action.PRESS, ("jump", *_PRESS)),),
    Role.MENU: ((Action.PRESS, _OPEN), (Action.SHOW_MENU, _OPEN)),
    Role.MENU_ITEM: ((Action.PRESS, (*_PRESS, "select")), (Action.SHOW_MENU, ("showmenu",))),
    Role.CHECK_MENU_ITEM: ((Action.TOGGLE, _FLIP), (Action.PRESS, _FLIP)),
    Role.RADIO_MENU_ITEM: ((Action.SELECT, _CHOOSE), (Action.PRESS, _CHOOSE)),
    Role.COMBO_BOX: ((Action.SHOW_MENU, _OPEN), (Action.PRESS, _OPEN)),
    Role.PAGE_TAB: ((Action.SELECT, ("select", "switch", *_PRESS)), (Action.PRESS, ("press", "click", "dodefault"))),
    Role.LIST_ITEM: _ITEM,
    Role.TREE_ITEM: _ITEM,
    Role.TABLE_ROW: _ITEM,
    Role.ICON: _ITEM,
    Role.TABLE_CELL: ((Action.SELECT, ("select",)), (Action.TOGGLE, ("toggle",)), (Action.PRESS, _PRESS)),
    Role.COLUMN_HEADER: ((Action.PRESS, _PRESS),),
    Role.SLIDER: ((Action.INCREMENT, ("increment", "increase")), (Action.DECREMENT, ("decrement", "decrease"))),
    Role.SPIN_BUTTON: ((Action.INCREMENT, ("increment", "increase")), (Action.DECREMENT, ("decrement", "decrease"))),
    Role.SCROLL_BAR: ((Action.INCREMENT, ("increment", "increase")), (Action.DECREMENT, ("decrement", "decrease"))),
}

# Chromium says "doDefault" of nearly everything; of a row it means something only where the row can be chosen.
_VAGUE = "dodefault"
_PASSIVE = frozenset({Role.LIST_ITEM, Role.TREE_ITEM, Role.TABLE_ROW, Role.TABLE_CELL, Role.COLUMN_HEADER, Role.ICON})
_CHOSEN = frozenset({State.FOCUSABLE, State.SELECTABLE})
_FOLDING = frozenset({Role.BUTTON, Role.TOGGLE_BUTTON})
_UNFOLD = ("open", "press", "click", "activate", "dodefault")
_EXPANDERS = {Role.TREE_ITEM, Role.TABLE_CELL, Role.TABLE_ROW, Role.LIST_ITEM, Role.TOGGLE_BUTTON, Role.COMBO_BOX}
_FLIPS_OPEN = ("expandorcontract", "expandorcollapse")
RANGES = frozenset({Role.SLIDER, Role.SPIN_BUTTON, Role.SCROLL_BAR})
MEASURED = RANGES | {Role.PROGRESS_BAR, Role.LEVEL_BAR}
SELECTABLES = frozenset({Role.PAGE_TAB, Role.LIST_ITEM, Role.TREE_ITEM, Role.TABLE_CELL, Role.TABLE_ROW, Role.ICON})


def plain(name: str) -> str:
    """Write a machine action name the one way all toolkits agree on: Qt 5 says "ShowMenu", Qt 6 "Show Menu"."""
    return "".join(character for character in name.casefold() if character not in " -_")


def has_actions(role: Role) -> bool:
    """Tell whether action names of this role are worth asking for."""
    return role in ALLOWED


def is_writable(states: frozenset[State]) -> bool:
    """Tell whether the text can be edited."""
    return State.EDITABLE in states and State.READ_ONLY not in states


def offers_of(
    role: Role,
    states: frozenset[State],
    interfaces: Collection[str],
    actions: Sequence[str],
    toolkit: Toolkit,
    *,
    is_in_selection: bool = False,
) -> tuple[Offer, ...]:
    """List what the object can do itself, best mechanism first within one action.

    Args:
        role: Ours.
        states: Ours.
        interfaces: Short names: "Action", "Value", ...
        actions: Machine names as the toolkit spells them.
        toolkit: What speaks; some answer true and do nothing.
        is_in_selection: The parent has the Selection interface.
    """
    offers = [
        *_by_value(role, interfaces),
        *_by_action(role, states, actions, toolkit),
        *_by_text(role, states, interfaces, toolkit),
        *_by_selection(role, states, interfaces, toolkit, is_in_selection=is_in_selection),
        *_by_component(states, interfaces, toolkit),
    ]
    return tuple(dict.fromkeys(offers))


def _first(names: Sequence[str], wanted: Sequence[str]) -> str | None:
    known = {plain(name): name for name in reversed(names)}
    return next((known[word] for word in wanted if word in known), None)


def _by_action(role: Role, states: frozenset[State], actions: Sequence[str], toolkit: Toolkit) -> list[Offer]:
    offers = []
    if role in _PASSIVE and not states & _CHOSEN:
        actions = [name for name in actions if plain(name) != _VAGUE]
    # Qt's "Toggle" on a cell toggles its selection, GTK's a check mark in it.
    allowed = _ITEM if role is Role.TABLE_CELL and toolkit is Toolkit.QT else ALLOWED.get(role, ())
    for action, wanted in allowed:
        name = _first(actions, wanted)
        is_undo = action is Action.SELECT and State.SELECTED in states  # Qt's "Toggle" would take the selection back
        if name is not None and not (is_undo and plain(name) == "toggle"):
            offers.append(Offer(action=action, primitive=ACTION_PREFIX + name))
    if role in _EXPANDERS | _FOLDING and actions:
        offers += _by_expander(role, states, actions)
    return offers


def _by_expander(role: Role, states: frozenset[State], actions: Sequence[str]) -> list[Offer]:
    is_open = State.EXPANDED in states
    flips: tuple[str, ...] = _FLIPS_OPEN if State.EXPANDABLE in states else ()
    if flips and role in _FOLDING and not states & {State.CHECKABLE, State.PRESSED}:
        flips = (*flips, *_UNFOLD)  # an expander has one action that does both
    name = _first(actions, ("collapse", *flips) if is_open else ("expand", *flips))
    action = Action.COLLAPSE if is_open else Action.EXPAND
    return [Offer(action=action, primitive=ACTION_PREFIX + name)] if name is not None else []


def _by_value(role: Role, interfaces: Collection[str]) -> list[Offer]:
    # Before the actions: "Increase" of a Qt spin box moves by ten steps (measured, Qt 5.15 and 6.4).
    if role not in RANGES or "Value" not in interfaces:
        return []
    return [
        Offer(action=Action.SET_VALUE, primitive=VALUE_SET),
        Offer(action=Action.INCREMENT, primitive=VALUE_STEP_UP),
        Offer(action=Action.DECREMENT, primitive=VALUE_STEP_DOWN),
    ]


def _by_text(role: Role, states: frozenset[State], interfaces: Collection[str], toolkit: Toolkit) -> list[Offer]:
    # Firefox answers true and changes nothing; GTK spin buttons show the text and keep the value.
    if "EditableText" not in interfaces or not is_writable(states) or toolkit is Toolkit.GECKO:
        return []
    if role is Role.SPIN_BUTTON and "Value" in interfaces:
        return []
    return [
        Offer(action=Action.SET_VALUE, primitive=TEXT_SET),
        Offer(action=Action.TYPE, primitive=TEXT_INSERT),
    ]


def _by_selection(
    role: Role, states: frozenset[State], interfaces: Collection[str], toolkit: Toolkit, *, is_in_selection: bool
) -> list[Offer]:
    if role is Role.COMBO_BOX and toolkit is Toolkit.GTK3 and "Selection" in interfaces:
        return [Offer(action=Action.SET_VALUE, primitive=COMBO_CHOOSE)]
    # Qt's SelectChild answers false and does nothing; Firefox was not seen to obey.
    if toolkit in {Toolkit.QT, Toolkit.GECKO} or not is_in_selection:
        return []
    if role in SELECTABLES and (State.SELECTABLE in states or role is Role.PAGE_TAB):
        return [Offer(action=Action.SELECT, primitive=SELECT_CHILD)]
    return []


def _by_component(states: frozenset[State], interfaces: Collection[str], toolkit: Toolkit) -> list[Offer]:
    if "Component" not in interfaces:
        return []
    offers = []
    if State.FOCUSABLE in states and toolkit is not Toolkit.GTK4:
        offers.append(Offer(action=Action.FOCUS, primitive=FOCUS))
    if toolkit in {Toolkit.CHROMIUM, Toolkit.GECKO}:
        offers.append(Offer(action=Action.SCROLL_INTO_VIEW, primitive=SCROLL_TO))
    return offers
