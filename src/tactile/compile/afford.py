"""Say what can be done to each candidate and by which mechanism, strongest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tactile.compile.form import CONTAINER_ROLES, EDIT_ROLES, WINDOW_ROLES
from tactile.records import Accessible, Action, Affordance, Candidate, CueKind, Geometry, NativeRef, Role, State

TOGGLE_ROLES = frozenset({Role.CHECK_BOX, Role.SWITCH, Role.TOGGLE_BUTTON, Role.CHECK_MENU_ITEM})
CHOICE_ROLES = frozenset({Role.RADIO_BUTTON, Role.RADIO_MENU_ITEM, Role.LIST_ITEM, Role.PAGE_TAB, Role.TREE_ITEM})
CELL_ROLES = frozenset({Role.TABLE_CELL, Role.TABLE_ROW})
RANGE_ROLES = frozenset({Role.SLIDER, Role.SPIN_BUTTON, Role.SCROLL_BAR, Role.SPLIT_PANE})
PRESS_ROLES = frozenset(
    {Role.BUTTON, Role.LINK, Role.MENU, Role.MENU_ITEM, Role.COMBO_BOX, Role.COLUMN_HEADER, Role.ICON}
)
HOLDING_ROLES = WINDOW_ROLES | (CONTAINER_ROLES - {Role.DOCUMENT})

CUES: Mapping[Role, CueKind] = {
    **dict.fromkeys(TOGGLE_ROLES, CueKind.TOGGLES),
    **dict.fromkeys(CHOICE_ROLES | CELL_ROLES, CueKind.BECOMES_SELECTED),
    **dict.fromkeys(RANGE_ROLES, CueKind.HOLDS_VALUE),
    **dict.fromkeys(EDIT_ROLES - RANGE_ROLES - {Role.COMBO_BOX}, CueKind.HOLDS_TEXT),
}


def afford(
    candidates: tuple[Candidate, ...], accessibles: Mapping[NativeRef, Accessible], input_name: str
) -> tuple[Candidate, ...]:
    """Attach affordances and the cue of the main action.

    Args:
        candidates: From `form`.
        accessibles: The same observation's accessibles, for their offers.
        input_name: Prefix of pointer and key primitives, such as "x11".

    Returns:
        The same candidates in the same order.
    """
    return tuple(
        replace(item, affordances=_affordances(item, accessibles[item.native], input_name), cue=_cue(item))
        for item in candidates
    )


def _cue(item: Candidate) -> CueKind:
    if item.role is Role.TOGGLE_BUTTON and State.EXPANDABLE in item.states:
        return CueKind.RESPONDS
    return CUES.get(item.role, CueKind.RESPONDS)


def _affordances(item: Candidate, accessible: Accessible, input_name: str) -> tuple[Affordance, ...]:
    found = [Affordance(action=offer.action, primitive=offer.primitive) for offer in accessible.offers]
    pointer, keys = f"{input_name}.pointer", f"{input_name}.keys"
    if can_point(item):
        found += [Affordance(action=action, primitive=pointer) for action in _pointer_actions(item)]
    if is_editable(item):
        found += [Affordance(action=action, primitive=keys) for action in (Action.SET_VALUE, Action.TYPE)]
    if item.role in TOGGLE_ROLES:
        found += [
            Affordance(action=Action.SET_VALUE, primitive=toggle.primitive)
            for toggle in found
            if toggle.action is Action.TOGGLE
        ]
    if item.role in WINDOW_ROLES:
        found.append(Affordance(action=Action.FOCUS, primitive=f"{input_name}.activate"))
    elif State.FOCUSABLE in item.states and item.role in EDIT_ROLES and can_point(item):
        found.append(Affordance(action=Action.FOCUS, primitive=pointer))
    return tuple(dict.fromkeys(found))


def can_point(item: Candidate) -> bool:
    """Tell whether a pixel of it is known and visible."""
    return item.geometry is not Geometry.UNKNOWN and item.extents is not None and not item.extents.is_empty


def is_editable(item: Candidate) -> bool:
    """Tell whether text can be typed into it.

    Source:
        Qt5 spin buttons lack EDITABLE, GTK read-only entries lack it too and are rightly left out (measured).
    """
    if State.READ_ONLY in item.states:
        return False
    return State.EDITABLE in item.states or item.role in {Role.SPIN_BUTTON, Role.TERMINAL}


def _pointer_actions(item: Candidate) -> list[Action]:
    # What is hit in the middle of a window or a list is some other thing in it, and the wheel over a range or a
    # choice changes it: neither is what was asked for.
    actions: list[Action] = [] if item.role in HOLDING_ROLES else [Action.CLICK, Action.DRAG, Action.SHOW_MENU]
    if item.role in PRESS_ROLES:
        actions.append(Action.PRESS)
    if item.role in TOGGLE_ROLES:
        actions.append(Action.TOGGLE)
    if item.role in CHOICE_ROLES | CELL_ROLES:
        actions.append(Action.SELECT)
    if item.role not in RANGE_ROLES | {Role.COMBO_BOX}:
        actions.append(Action.SCROLL)
    return actions
