"""What must be pressed, and bound before, to type a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from tactile.adapters.x11.keymap import Keymap, Stroke
from tactile.adapters.x11.keysyms import character_of, keysym_of
from tactile.errors import Diagnosis, RequestError

BINDINGS_MAX = 150  # distinct characters that are not in the layout, per text (facts: 152 keys are free on us)
REUSE_AFTER_S = 3.0  # a loaded application drains typed keys in up to 3 s; a key bound anew before types wrongly

# Keys that keep their meaning on an isolated desktop; every other key that types nothing may be bound anew.
_PROTECTED = frozenset(
    {0xFF08, 0xFF09, 0xFF0D, 0xFF1B, 0xFFFF, 0xFF63, 0xFF67, 0xFF7E, 0xFF7F, 0xFF8D, 0xFE03, 0xFE20}
    | set(range(0xFF50, 0xFF58))  # Home, arrows, Prior, Next, End
    | set(range(0xFFBE, 0xFFCA))  # F1-F12
    | set(range(0xFFE1, 0xFFEF))  # modifiers and locks
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingPlan:
    """Strokes in order, one per character, and the keys to bind before the first of them."""

    strokes: tuple[Stroke, ...]
    bindings: dict[int, int]  # keycode -> keysym
    spare_used: frozenset[int]


@dataclass(slots=True)
class SpareKeys:
    """Keycodes this session has bound to characters or keys the layout lacks.

    Attributes:
        may_remap_all: False leaves every key of the layout alone and takes empty keycodes only.
        bound: Keycode -> keysym, as bound by us.
        used_at_s: Keycode -> when it was last typed with.
        original: Keycode -> row before the first binding.
    """

    may_remap_all: bool
    bound: dict[int, int] = field(default_factory=dict)
    used_at_s: dict[int, float] = field(default_factory=dict)
    original: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def forget_changed(self, keymap: Keymap) -> None:
        """Forget keys that somebody else has bound anew since (setxkbmap resets them all)."""
        rows = dict(keymap.numbered_rows())
        for keycode, keysym in list(self.bound.items()):
            if rows[keycode][:2] != (keysym, keysym):
                del self.bound[keycode], self.original[keycode]
                self.used_at_s.pop(keycode, None)

    def free(self, keymap: Keymap) -> list[int]:
        """Return keycodes not bound by us, highest first: there they lie together, so few requests bind them."""
        rows = [(keycode, row) for keycode, row in keymap.numbered_rows() if keycode not in self.bound]
        rows = [item for item in rows if item[0] > 8 and item[0] not in keymap.modifier_keycodes]
        return [keycode for keycode, row in reversed(rows) if not any(row) or (self.may_remap_all and _is_takable(row))]

    def slots(self, keymap: Keymap) -> list[int]:
        """Return keycodes that may be bound now: free ones, then those bound by us, least recently used first."""
        return self.free(keymap) + sorted(self.bound, key=lambda keycode: self.used_at_s.get(keycode, 0.0))

    def reuse_wait_s(self, keycodes: Iterable[int], now_s: float) -> float:
        """Return how long to wait until whoever got these keys last has certainly handled them."""
        last = [self.used_at_s[keycode] for keycode in keycodes if keycode in self.used_at_s]
        return max([0.0, *(at_s + REUSE_AFTER_S - now_s for at_s in last)])


def runs(keycodes: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Return first and last of each run of neighbouring keycodes."""
    found: list[tuple[int, int]] = []
    for keycode in sorted(keycodes):
        if found and keycode == found[-1][1] + 1:
            found[-1] = (found[-1][0], keycode)
        else:
            found.append((keycode, keycode))
    return tuple(found)


def _is_takable(row: tuple[int, ...]) -> bool:
    if len(row) > 1 and row[0] and row[0] == row[1] and not set(row) - {0, row[0]} and row[0] not in _PROTECTED:
        return True  # one keysym on every level: bound by a former session, for layouts have no such keys
    return not any(keysym in _PROTECTED or (keysym and character_of(keysym) is not None) for keysym in row)


def check_typable(text: str) -> None:
    r"""Refuse text that no keyboard can type: control characters other than \t and \n, lone surrogates.

    Raises:
        RequestError: Names the first such character and its position.
    """
    for position, character in enumerate(text):
        if character in "\t\n" or unicodedata.category(character) not in {"Cc", "Cs"}:
            continue
        code = f"U+{ord(character):04X}"
        kind = "a lone surrogate" if unicodedata.category(character) == "Cs" else "a control character"
        message = f"character {position + 1} ({code}) is {kind}; nothing was typed"
        raise RequestError(message, hint="Remove it, or press keys by name.", diagnosis=Diagnosis(sought=code))


def plan_text(text: str, keymap: Keymap, spare: SpareKeys) -> TypingPlan:
    """Find a stroke for each character; characters the layout lacks get spare keys, each key one meaning.

    Raises:
        RequestError: A character cannot be typed, or more are missing than there are spare keys.

    Source:
        Each key has one meaning for the whole text, for toolkits translate a keycode when they handle it (x11 5).
    """
    check_typable(text)
    wanted = dict.fromkeys(text)
    strokes = {character: stroke for character in wanted if (stroke := keymap.stroke(character)) is not None}
    missing = [character for character in wanted if character not in strokes]
    taken = {stroke.keycode for stroke in strokes.values()}
    slots = [keycode for keycode in spare.slots(keymap) if keycode not in taken]
    limit = min(len(slots), BINDINGS_MAX)
    if len(missing) > limit:
        raise _too_many(missing, limit)
    bindings = {}
    for character, keycode in zip(missing, slots, strict=False):
        bindings[keycode] = keysym_of(character)
        strokes[character] = Stroke(keycode)
    return TypingPlan(
        strokes=tuple(strokes[character] for character in text),
        bindings=bindings,
        spare_used=frozenset(stroke.keycode for stroke in strokes.values()) & (spare.bound.keys() | bindings.keys()),
    )


def _too_many(missing: list[str], limit: int) -> RequestError:
    some = " ".join(missing[:10])
    message = (
        f"{len(missing)} different characters are not on the keyboard layout ({some}...) and only {limit} keys "
        "are free for such; nothing was typed"
    )
    return RequestError(message, hint="Use set_value for this text, or type it in parts.")
