"""The present keyboard layout: which key, with which modifiers, gives which keysym or character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tactile.adapters.x11.keys import MODIFIER_KEYSYMS, Modifier
from tactile.adapters.x11.keysyms import character_of

FIRST_KEYCODE = 8  # X11 never uses lower ones


@dataclass(frozen=True, slots=True, order=True)
class Stroke:
    """One key with the level modifiers it needs."""

    keycode: int
    shift: bool = False
    altgr: bool = False

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """Return the modifiers by name."""
        held: list[Modifier] = []
        if self.shift:
            held.append("shift")
        if self.altgr:
            held.append("altgr")
        return tuple(held)


# Column of the core mapping -> modifiers, for a layout with one group (seen on Xvnc and Xvfb: 0-1, 2-3 the same
# again, 4-5 the AltGr levels). With several groups 4 and more are those of whichever group has that many: unknown.
_LEVELS = ((0, False, False), (1, True, False), (4, False, True), (5, True, True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Keymap:
    """A core keyboard mapping and its active group.

    Attributes:
        rows: Keysyms per keycode, from FIRST_KEYCODE on, all rows equally long.
        modifier_keycodes: Keycodes in the modifier map.
        group: The active group, 0 is the first.
        groups: How many groups there are.
    """

    rows: tuple[tuple[int, ...], ...]
    modifier_keycodes: frozenset[int] = frozenset()
    group: int = 0
    groups: int = 1
    characters: dict[str, Stroke] = field(default_factory=dict, compare=False)
    plain: dict[int, int] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for keycode, row in self.numbered_rows():
            if row and row[0]:
                self.plain.setdefault(row[0], keycode)
        for column, shift, altgr in self._levels():
            if (altgr and self.modifier_keycode("altgr") is None) or (shift and self.modifier_keycode("shift") is None):
                continue
            for keycode, row in self.numbered_rows():
                character = character_of(row[column]) if column < len(row) else None
                if character is not None:
                    self.characters.setdefault(character, Stroke(keycode, shift, altgr))

    def _levels(self) -> tuple[tuple[int, bool, bool], ...]:
        if self.groups == 1:
            return _LEVELS
        if self.group in {0, 1}:
            return ((2 * self.group, False, False), (2 * self.group + 1, True, False))
        return ()  # the core mapping does not show a third group

    def numbered_rows(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield keycode and keysyms."""
        return enumerate(self.rows, FIRST_KEYCODE)

    def stroke(self, character: str) -> Stroke | None:
        """Return how the layout types a character; None when it cannot."""
        return self.characters.get(character)

    def keycode(self, keysym: int) -> int | None:
        """Return the key that gives a keysym without modifiers."""
        return self.plain.get(keysym)

    def modifier_keycode(self, modifier: Modifier) -> int | None:
        """Return the key of a modifier; it must be in the modifier map, or it modifies nothing."""
        wanted = MODIFIER_KEYSYMS[modifier]
        for keycode, row in self.numbered_rows():
            if row and row[0] == wanted and keycode in self.modifier_keycodes:
                return keycode
        return None


def rows_of(keysyms: Sequence[int], per_keycode: int) -> tuple[tuple[int, ...], ...]:
    """Cut the flat list of the protocol into rows."""
    return tuple(tuple(keysyms[at : at + per_keycode]) for at in range(0, len(keysyms), per_keycode))
