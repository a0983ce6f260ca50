"""Refuse payloads that cannot be what is meant, before anything is touched."""

from __future__ import annotations

import math

from tactile.compile.resolve import describe
from tactile.errors import RequestError
from tactile.policy.untrusted import quote
from tactile.records import Action, ActionRequest, Candidate, Role, State
from tactile.verify.cues import wanted_flag

FLAG_ROLES = frozenset({Role.CHECK_BOX, Role.SWITCH, Role.TOGGLE_BUTTON, Role.CHECK_MENU_ITEM, Role.RADIO_BUTTON})
TEXT_MAX = 20_000  # characters of one text; longer ones are refused until paste is built
_KEPT_CONTROLS = frozenset("\t\n")


def check_text(text: str, what: str, *, may_be_empty: bool) -> None:
    """Refuse text that no field can hold as given.

    Raises:
        RequestError: Empty, too long, or with a NUL, another control character or a lone surrogate; says where.
    """
    if not text and not may_be_empty:
        raise RequestError(
            f"The {what} is empty.", hint="Give the text; to clear a field use set_value with an empty value."
        )
    if len(text) > TEXT_MAX:
        raise RequestError(
            f"The {what} has {len(text)} characters; at most {TEXT_MAX} are taken at once. Nothing was sent.",
            hint="Send it in parts, or have the application open a file that holds it.",
        )
    for place, character in enumerate(text):
        is_control = ord(character) < 32 or ord(character) == 127
        is_surrogate = 0xD800 <= ord(character) <= 0xDFFF
        if is_surrogate or (is_control and character not in _KEPT_CONTROLS):
            kind = "lone surrogate" if is_surrogate else "control character"
            raise RequestError(
                f"The {what} has a {kind} (U+{ord(character):04X}) at character {place + 1}. Nothing was sent.",
                hint="Remove it; use press_key for keys such as Escape.",
            )


def check_payload(request: ActionRequest, live: Candidate | None) -> None:
    """Refuse a payload that this control cannot take.

    Raises:
        RequestError: Not a number, out of range, not on or off, or a line break in a one-line field.
    """
    if live is None or request.action not in {Action.SET_VALUE, Action.TYPE}:
        return
    if is_single_line(live) and "\n" in request.payload:
        raise RequestError(
            f"{describe(live)} has one line; the text has line breaks. Nothing was sent.",
            hint="Send it without line breaks; to press Enter afterwards use submit.",
        )
    if request.action is Action.SET_VALUE:
        _check_value(request.payload, live)


def _check_value(payload: str, live: Candidate) -> None:
    if live.role in FLAG_ROLES and wanted_flag(payload) is None:
        raise RequestError(
            f"{describe(live)} is on or off; {quote(payload, 40)} is neither.", hint="Use true or false."
        )
    if live.number is not None and live.role is not Role.COMBO_BOX:
        _check_number(payload, live)


def _check_number(payload: str, live: Candidate) -> None:
    assert live.number is not None
    low, high = live.number.minimum, live.number.maximum
    bounds = f"from {low:g} to {high:g}" if low is not None and high is not None else "within its range"
    try:
        number = float(payload)
    except ValueError:
        number = float("nan")
    is_inside = (low is None or number >= low) and (high is None or number <= high)
    if not math.isfinite(number) or not is_inside:
        raise RequestError(
            f"{describe(live)} takes a number {bounds}, not {quote(payload, 40)}.", hint="Give one in range."
        )


def is_single_line(live: Candidate) -> bool:
    """Tell whether a field takes one line only."""
    if State.MULTI_LINE in live.states:
        return False
    return State.SINGLE_LINE in live.states or live.role in {Role.ENTRY, Role.PASSWORD_TEXT, Role.SPIN_BUTTON}
