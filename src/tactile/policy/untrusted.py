"""Make text from the screen harmless to read: one line, bounded, nothing invisible, no fence marks."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

NAME_MAX = 120  # characters of a name or value on one line; the rest is cut and marked
FENCE_OPEN, FENCE_CLOSE = "⟦", "⟧"
_REPLACED = {FENCE_OPEN: "[", FENCE_CLOSE: "]"}
_ZWJ, _VS16, _KEYCAP = "\u200d", "\ufe0f", "\u20e3"
# Other_Default_Ignorable, Mongolian selectors and blanks that draw nothing yet are letters, marks or symbols to
# Unicode's categories.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
_PICTOGRAPHS_FROM = 0x203C  # the first sign that has an emoji form and is neither a digit nor of Latin-1
_EMOJI_BLOCKS = range(0x1F000, 0x1FB00)  # kept for pictographs: newer ones are unassigned to an older Python


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanText:
    """Text that is safe to show on one line.

    Attributes:
        hidden: Characters removed because a person could not have seen them.
    """

    text: str
    hidden: int
    is_cut: bool


def clean(text: str, limit: int = NAME_MAX) -> CleanText:
    """Return `text` as one bounded line without control, format, bidi, tag or fence characters.

    Args:
        text: Hostile text; lone surrogates and any length are fine.
        limit: Most characters of the result, the cut mark included.

    Returns:
        The line and the number of hidden characters removed; white space is folded and not counted.
    """
    is_long = len(text) > limit * 8
    kept, hidden = _visible(text[: limit * 8])
    line = " ".join("".join(kept).split())
    is_cut = is_long or len(line) > limit
    if is_cut:
        line = line[: limit - 1].rstrip(f" {_ZWJ}{_VS16}") + "…"
    return CleanText(text=line, hidden=hidden, is_cut=is_cut)


def _visible(text: str) -> tuple[list[str], int]:
    kept: list[str] = []
    hidden = 0
    for index, character in enumerate(text):
        if character.isspace():
            kept.append(" ")
        elif character in _REPLACED:
            kept.append(_REPLACED[character])
        elif _is_hidden(character, kept[-1] if kept else "", text[index + 1 : index + 2]):
            hidden += 1
        else:
            kept.append(character)
    return kept, hidden


def _is_hidden(character: str, before: str, after: str) -> bool:
    """Tell whether a character draws nothing, from the last one kept before it and the one that follows."""
    if character == _ZWJ:  # a joiner between two pictographs is part of a visible emoji
        return not ((before == _VS16 or _is_pictograph(before)) and _is_pictograph(after))
    if character == _VS16:
        return not (_is_pictograph(before) or (before in _KEYCAP_BASES and after == _KEYCAP))
    if ord(character) in _EMOJI_BLOCKS:
        return False
    if 0xFE00 <= ord(character) <= 0xFE0E or 0xE0100 <= ord(character) <= 0xE01EF:
        return True
    return character in _BLANK_LETTERS or unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}


_KEYCAP_BASES = frozenset("0123456789#*")


def _is_pictograph(character: str) -> bool:
    if not character or character in _BLANK_LETTERS or ord(character) < _PICTOGRAPHS_FROM:
        return False
    return ord(character) in _EMOJI_BLOCKS or unicodedata.category(character) in {"So", "Sk", "Sm", "Po", "Pd"}


def quote(text: str, limit: int = NAME_MAX) -> str:
    """Return cleaned text in double quotes, with inner quotes and backslashes escaped."""
    return '"' + clean(text, limit).text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def is_suspicious(text: str) -> bool:
    """Tell whether a person would not see all of this text."""
    return clean(text).hidden > 0
