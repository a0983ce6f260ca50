"""Chords such as "ctrl+shift+s": names to keysyms, nothing of the machine."""

from __future__ import annotations

import difflib
import unicodedata
from dataclasses import dataclass
from typing import Literal

from tactile.adapters.x11.keysyms import keysym_of
from tactile.errors import Diagnosis, RequestError

Modifier = Literal["ctrl", "shift", "alt", "super", "altgr"]

CHORD_MAX = 80  # characters; the longest sensible chord has about 30
NEAR_MAX = 4

MODIFIERS: dict[str, Modifier] = {
    "ctrl": "ctrl",
    "control": "ctrl",
    "shift": "shift",
    "alt": "alt",
    "super": "super",
    "win": "super",
    "windows": "super",
    "altgr": "altgr",
}

# Keysyms: X11 protocol, appendix A.
MODIFIER_KEYSYMS: dict[Modifier, int] = {
    "ctrl": 0xFFE3,
    "shift": 0xFFE1,
    "alt": 0xFFE9,
    "super": 0xFFEB,
    "altgr": 0xFE03,
}

# Names that mean a key of another platform; guessing which key is meant would press a wrong one.
REFUSED = {
    "cmd": 'There is no Command key here; say "ctrl" (shortcuts of applications) or "super".',
    "command": 'There is no Command key here; say "ctrl" (shortcuts of applications) or "super".',
    "option": 'There is no Option key here; say "alt".',
    "meta": 'Say "super" or "alt".',
    "fn": "The Fn key does not exist for X11; name the key it would give.",
}

_NAMED = {
    "enter": 0xFF0D,
    "return": 0xFF0D,
    "tab": 0xFF09,
    "escape": 0xFF1B,
    "esc": 0xFF1B,
    "backspace": 0xFF08,
    "delete": 0xFFFF,
    "del": 0xFFFF,
    "insert": 0xFF63,
    "ins": 0xFF63,
    "home": 0xFF50,
    "end": 0xFF57,
    "pageup": 0xFF55,
    "prior": 0xFF55,
    "pgup": 0xFF55,
    "pagedown": 0xFF56,
    "next": 0xFF56,
    "pgdn": 0xFF56,
    "pgdown": 0xFF56,
    "up": 0xFF52,
    "down": 0xFF54,
    "left": 0xFF51,
    "right": 0xFF53,
    "arrowup": 0xFF52,
    "arrowdown": 0xFF54,
    "arrowleft": 0xFF51,
    "arrowright": 0xFF53,
    "menu": 0xFF67,
    "contextmenu": 0xFF67,
    "print": 0xFF61,
    "printscreen": 0xFF61,
    "pause": 0xFF13,
    "break": 0xFF6B,
    "capslock": 0xFFE5,
    "numlock": 0xFF7F,
    "scrolllock": 0xFF14,
    "kpenter": 0xFF8D,
}
NAMED_KEYSYMS: dict[str, int] = _NAMED | {f"f{number}": 0xFFBD + number for number in range(1, 25)}

NAMED_CHARACTERS = {
    "space": " ",
    "plus": "+",
    "minus": "-",
    "grave": "`",
    "backtick": "`",
    "comma": ",",
    "period": ".",
    "dot": ".",
    "slash": "/",
    "backslash": "\\",
    "semicolon": ";",
    "colon": ":",
    "apostrophe": "'",
    "quote": "'",
    "equal": "=",
    "equals": "=",
    "underscore": "_",
    "asterisk": "*",
    "less": "<",
    "greater": ">",
    "bracketleft": "[",
    "bracketright": "]",
    "tilde": "~",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chord:
    """One key with the modifiers held meanwhile.

    Attributes:
        name: The key as it was named.
        character: The character when the key is one: its level in the present layout is then looked up.
        modifier: The modifier when the key itself is one.
    """

    modifiers: tuple[Modifier, ...]
    name: str
    keysym: int
    character: str | None = None
    modifier: Modifier | None = None


def _normalised(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _split(text: str) -> list[str]:
    if text == "+":
        return ["+"]
    if text.endswith("++"):
        return [*text[:-2].split("+"), "+"]
    return text.split("+")


def _near(name: str) -> tuple[str, ...]:
    known = [*MODIFIERS, *NAMED_KEYSYMS, *NAMED_CHARACTERS]
    return tuple(difflib.get_close_matches(_normalised(name), known, n=NEAR_MAX, cutoff=0.5))


def _unknown(part: str, chord: str, *, wanted: str = "key") -> RequestError:
    hint = REFUSED.get(_normalised(part), "")
    near = _near(part)
    if not hint:
        likely = f" Near: {', '.join(near)}." if near else ""
        hint = f'One chord such as "ctrl+shift+s", "Page_Down", "F5" or "ctrl++".{likely}'
    message = f'"{part[:40]}" in "{chord[:CHORD_MAX]}" is not a known {wanted}; nothing was pressed'
    return RequestError(message, hint=hint, diagnosis=Diagnosis(sought=part, near_misses=near))


def _is_printable(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CZ" or character == " "


def _key(part: str, chord: str, modifiers: tuple[Modifier, ...]) -> Chord:
    name = _normalised(part)
    character = part if len(part) == 1 and _is_printable(part) else NAMED_CHARACTERS.get(name)
    if character is not None:
        # Menus write Ctrl+S for the key s; only an explicit shift means Shift, except for a key on its own.
        if any(held != "shift" for held in modifiers) and len(character.lower()) == 1:
            character = character.lower()
        return Chord(modifiers=modifiers, name=part, keysym=keysym_of(character), character=character)
    if name in MODIFIERS:
        itself = MODIFIERS[name]
        return Chord(modifiers=modifiers, name=part, keysym=MODIFIER_KEYSYMS[itself], modifier=itself)
    if name in NAMED_KEYSYMS:
        return Chord(modifiers=modifiers, name=part, keysym=NAMED_KEYSYMS[name])
    raise _unknown(part, chord)


def known_key(name: str) -> bool:
    """Tell whether a name, without modifiers, means a key: a name of the list or one printable character."""
    try:
        _key(name, name, ())
    except RequestError:
        return False
    return True


def parse_chord(keys: str) -> Chord:
    """Read one chord: modifiers and one key, joined by "+".

    Names ignore case, "_", "-" and spaces. With ctrl, alt or super a letter means its key whatever its case;
    alone, "S" means Shift and s. A modifier may be the key itself ("super").

    Raises:
        RequestError: A part is unknown; the message names it and the hint says what is near.
    """
    if keys == " ":
        return _key(" ", keys, ())
    text = keys.strip()
    if not text or len(text) > CHORD_MAX:
        message = "empty chord" if not text else f"a chord of {len(text)} characters is too long"
        raise RequestError(f"{message}; nothing was pressed", hint='Say one chord such as "ctrl+s".')
    parts = [part.strip() for part in _split(text)]
    modifiers: list[Modifier] = []
    for part in parts[:-1]:
        known = MODIFIERS.get(_normalised(part))
        if known is None:
            raise _unknown(part, keys, wanted="modifier (ctrl, shift, alt, super, altgr)")
        if known not in modifiers:
            modifiers.append(known)
    return _key(parts[-1], keys, tuple(modifiers))
