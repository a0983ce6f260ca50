"""Characters and keysyms."""

from __future__ import annotations

import functools

RETURN = 0xFF0D
TAB = 0xFF09
UNICODE_BASE = 0x01000000

# Pages of old keysyms that are a byte of an older character set (X11 protocol, appendix A). Exceptions below.
_PAGES = {
    0x01: "iso8859_2",
    0x02: "iso8859_3",
    0x03: "iso8859_4",
    0x05: "iso8859_6",
    0x06: "koi8_u",
    0x07: "iso8859_7",
    0x0C: "iso8859_8",
    0x0D: "iso8859_11",
    0x13: "iso8859_15",
}
_GREEK_LETTERS_FROM = 0x7C1  # below, the page does not follow the character set
_EXCEPTIONS = {
    0x7D2: "Σ",
    0x7F2: "σ",
    0x7F3: "ς",
    0x7A1: "Ά",
    0x7A2: "Έ",
    0x7A3: "Ή",
    0x7A4: "Ί",
    0x7A5: "Ϊ",
    0x7A7: "Ό",
    0x7A8: "Ύ",
    0x7A9: "Ϋ",
    0x7AB: "Ώ",
    0x7B1: "ά",
    0x7B2: "έ",
    0x7B3: "ή",
    0x7B4: "ί",
    0x7B5: "ϊ",
    0x7B6: "ΐ",
    0x7B7: "ό",
    0x7B8: "ύ",
    0x7B9: "ϋ",
    0x7BA: "ΰ",
    0x7BB: "ώ",
    0x6AD: "ґ",
    0x6BD: "Ґ",
    0x6AE: "ў",
    0x6BE: "Ў",
    0x6B0: "№",
    0x6A1: "ђ",
    0x6B1: "Ђ",
    0x6A2: "ѓ",
    0x6B2: "Ѓ",
    0x6A5: "ѕ",
    0x6B5: "Ѕ",
    0x6A8: "ј",
    0x6B8: "Ј",
    0x6A9: "љ",
    0x6B9: "Љ",
    0x6AA: "њ",
    0x6BA: "Њ",
    0x6AB: "ћ",
    0x6BB: "Ћ",
    0x6AC: "ќ",
    0x6BC: "Ќ",
    0x6AF: "џ",
    0x6BF: "Џ",
    0x6B3: "Ё",
    0x6A3: "ё",
    0x6B4: "Є",
    0x6A4: "є",
    0x6B6: "І",
    0x6A6: "і",
    0x6B7: "Ї",
    0x6A7: "ї",
    0x20AC: "€",
    0x0AA9: "—",
    0x0AAA: "–",
    0x0AD0: "‘",
    0x0AD1: "’",
    0x0AD2: "“",
    0x0AD3: "”",
    0x0AFE: "„",
    0x0AFD: "‚",
    0x0AAE: "…",
    0x0AC9: "™",
    0x0AE6: "•",
}


def keysym_of(character: str) -> int:
    """Return the keysym that types a character: Return and Tab, Latin-1 as it is, all else by code point."""
    if character == "\n":
        return RETURN
    if character == "\t":
        return TAB
    code = ord(character)
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else UNICODE_BASE | code


@functools.lru_cache(maxsize=4096)  # a keymap holds a few hundred distinct keysyms
def character_of(keysym: int) -> str | None:
    """Return what a keysym types; None for keys that type nothing (and for dead keys)."""
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF:
        return chr(keysym)
    if keysym in {RETURN, TAB}:
        return "\n" if keysym == RETURN else "\t"
    if UNICODE_BASE + 0x100 <= keysym <= UNICODE_BASE + 0x10FFFF:
        return chr(keysym - UNICODE_BASE)
    if keysym in _EXCEPTIONS:
        return _EXCEPTIONS[keysym]
    page, low = keysym >> 8, keysym & 0xFF
    if page not in _PAGES or low < 0xA0 or (page == 0x07 and keysym < _GREEK_LETTERS_FROM):
        return None
    if page == 0x06 and low < 0xC0:
        return None  # only the letters follow KOI8
    try:
        return bytes([low]).decode(_PAGES[page])
    except UnicodeDecodeError:
        return None
