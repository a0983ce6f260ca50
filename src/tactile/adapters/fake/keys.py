"""Chords such as "ctrl+shift+s", as far as a scripted desktop needs them."""

from __future__ import annotations

from tactile.errors import RequestError

MODIFIERS = frozenset({"ctrl", "shift", "alt", "super"})
NAMED = frozenset(
    {"return", "enter", "tab", "escape", "backspace", "delete", "space", "up", "down", "left", "right", "home", "end"}
)


def check_modifier(word: str) -> str:
    """Return a modifier, folded.

    Raises:
        RequestError: It is none.
    """
    folded = word.strip().casefold()
    if folded not in MODIFIERS:
        raise RequestError(f'"{word}" is no modifier key.', hint="Use ctrl, shift, alt or super.")
    return folded


def check_keys(keys: str) -> tuple[str, ...]:
    """Return the parts of a chord, folded, the key last.

    Raises:
        RequestError: A key or modifier is unknown, or no key is named.
    """
    *modifiers, key = (part.strip().casefold() for part in keys.split("+"))
    unknown = [part for part in modifiers if part not in MODIFIERS]
    if key not in NAMED and not (len(key) == 1 and key.isprintable()):
        unknown.append(key)
    if unknown:
        raise RequestError(f'The chord "{keys}" has no known key "{unknown[0]}".', hint='Example: "ctrl+s".')
    return (*modifiers, key)
