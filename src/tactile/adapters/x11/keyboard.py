"""Keys and text by XTEST; every function blocks and belongs on the worker thread."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from tactile.adapters.x11.display import KEY_PRESS, KEY_RELEASE, Display
from tactile.adapters.x11.keymap import FIRST_KEYCODE, Keymap, Stroke, rows_of
from tactile.adapters.x11.keys import Chord, Modifier
from tactile.adapters.x11.typing_plan import SpareKeys, TypingPlan, plan_text, runs
from tactile.errors import PartialInputError, PlatformError, RequestError

CHUNK = 20  # strokes between two looks at focus and deadline; a look costs one round trip, about 0.1 ms
SETTLE_S = 0.15  # facts x11 5: after one ChangeKeyboardMapping GTK3, GTK4 and Qt5 typed right with 150 ms
LOCK_MASK = 0x02  # Caps Lock in the pointer's mask
CAPS_LOCK = 0xFFE5


def read_keymap(display: Display) -> Keymap:
    """Read the layout as it is now; it can change at any time."""
    count = display.setup.max_keycode - FIRST_KEYCODE + 1
    mapping = display.core.GetKeyboardMapping(FIRST_KEYCODE, count)
    modifiers = display.core.GetModifierMapping()
    group, groups = display.keyboard_group()
    reply = mapping.reply()
    return Keymap(
        rows=rows_of(list(reply.keysyms), reply.keysyms_per_keycode),
        modifier_keycodes=frozenset(modifiers.reply().keycodes) - {0},
        group=group,
        groups=groups,
    )


def hold(display: Display, keymap: Keymap, modifiers: Sequence[Modifier]) -> list[int]:
    """Press modifiers; return their keycodes. The caller releases them in `finally`.

    Raises:
        RequestError: The layout has no such key; nothing was pressed.
    """
    keycodes = []
    for modifier in modifiers:
        keycode = keymap.modifier_keycode(modifier)
        if keycode is None:
            raise RequestError(f"the keyboard layout has no {modifier} key; nothing was pressed")
        keycodes.append(keycode)
    for keycode in keycodes:
        display.fake(KEY_PRESS, keycode)
    return keycodes


def bind(display: Display, keymap: Keymap, spare: SpareKeys, bindings: dict[int, int]) -> None:
    """Give spare keys their keysyms, and let the toolkits notice."""
    if not bindings:
        return
    per_keycode = len(keymap.rows[0])
    rows = dict(keymap.numbered_rows())
    changed = {}
    for keycode, keysym in bindings.items():
        spare.original.setdefault(keycode, rows[keycode])
        spare.bound[keycode] = keysym
        # The same keysym on every level, so that a held modifier does not change the character.
        changed[keycode] = tuple([keysym] * min(4, per_keycode) + [0] * (per_keycode - 4))
    _change_rows(display, changed)
    display.pause(SETTLE_S)


def _change_rows(display: Display, rows: Mapping[int, tuple[int, ...]]) -> None:
    """Write rows of the keymap, one request for each run of neighbouring keycodes.

    Few requests: each makes all clients read the keymap anew, and hundreds of them stopped openbox for tens of
    seconds. No other rows: a key written back unchanged comes out with other levels than before (seen on Xvnc).
    """
    for first, last in runs(rows):
        flat = [keysym for keycode in range(first, last + 1) for keysym in rows[keycode]]
        display.core.ChangeKeyboardMapping(last - first + 1, first, len(rows[first]), flat)
    display.sync()


def restore(display: Display, spare: SpareKeys) -> None:
    """Give the keys bound by us their former rows back; not while typed keys may still be on their way."""
    keymap = read_keymap(display)
    spare.forget_changed(keymap)
    if spare.bound:
        _change_rows(display, {keycode: spare.original[keycode] for keycode in spare.bound})


def press(display: Display, chord: Chord, spare: SpareKeys) -> None:
    """Press one chord and release it; nothing stays down.

    Raises:
        RequestError: The present layout cannot give the key; nothing was pressed.
    """
    keymap = read_keymap(display)
    spare.forget_changed(keymap)
    stroke = _stroke_of(display, keymap, chord, spare)
    held = [*chord.modifiers, *(name for name in stroke.modifiers if name not in chord.modifiers)]
    try:
        keycodes = hold(display, keymap, held)
        display.fake(KEY_PRESS, stroke.keycode)
        display.fake(KEY_RELEASE, stroke.keycode)
        for keycode in reversed(keycodes):
            display.fake(KEY_RELEASE, keycode)
        display.sync()
    finally:
        display.release_all()
        if stroke.keycode in spare.bound:
            spare.used_at_s[stroke.keycode] = time.monotonic()


def _stroke_of(display: Display, keymap: Keymap, chord: Chord, spare: SpareKeys) -> Stroke:
    if chord.character is not None:
        stroke = keymap.stroke(chord.character)
    elif chord.modifier is not None:
        keycode = keymap.modifier_keycode(chord.modifier)
        stroke = None if keycode is None else Stroke(keycode)
    else:
        keycode = keymap.keycode(chord.keysym)
        stroke = None if keycode is None else Stroke(keycode)
    if stroke is not None:
        return stroke
    slots = spare.slots(keymap) if chord.modifier is None else []
    if not slots:
        message = f'the present keyboard layout has no key "{chord.name}"; nothing was pressed'
        raise RequestError(message, hint="Type it as text, or use another key.")
    display.pause(spare.reuse_wait_s(slots[:1], time.monotonic()))
    bind(display, keymap, spare, {slots[0]: chord.keysym})
    return Stroke(slots[0])


def type_text(display: Display, text: str, spare: SpareKeys, deadline_s: float) -> int:
    """Type text into the focused window; return how many characters were sent.

    Units:
        `deadline_s` on the clock of `time.monotonic`.

    Raises:
        RequestError: A character cannot be typed; nothing was sent.
        PartialInputError: The deadline passed, or the focus went to another window, midway.
        PlatformError: No window has the keyboard focus; nothing was sent.
    """
    keymap = read_keymap(display)
    spare.forget_changed(keymap)
    plan = plan_text(text, keymap, spare)
    _refuse_without_focus(display)
    wait_s = spare.reuse_wait_s(plan.bindings, time.monotonic())
    if plan.bindings and time.monotonic() + wait_s + SETTLE_S > deadline_s:
        raise PartialInputError("no time to bind keys for characters the layout lacks", delivered=0)
    display.pause(wait_s)
    bind(display, keymap, spare, plan.bindings)
    try:
        return _send(display, keymap, plan, deadline_s)
    finally:
        display.release_all()
        spare.used_at_s.update(dict.fromkeys(plan.spare_used, time.monotonic()))


def _refuse_without_focus(display: Display) -> None:
    if display.sync() == 0:
        message = "no window has the keyboard focus; nothing was typed"
        raise PlatformError(message, code="focus_mismatch", hint="Click into the field first.")


def _send(display: Display, keymap: Keymap, plan: TypingPlan, deadline_s: float) -> int:
    caps = keymap.keycode(CAPS_LOCK) if display.pointer()[1] & LOCK_MASK else None
    focus = display.sync()
    toplevel = display.toplevel_of(focus)
    if caps is not None:
        _tap(display, caps)  # a locked Caps Lock would swap the case of every letter
    try:
        for start in range(0, len(plan.strokes), CHUNK):
            if time.monotonic() > deadline_s:
                raise _partial(start, len(plan.strokes), "the deadline passed")
            _send_chunk(display, keymap, plan.strokes[start : start + CHUNK])
            now = display.sync()
            if now != focus and display.toplevel_of(now) != toplevel and start + CHUNK < len(plan.strokes):
                raise _partial(start, len(plan.strokes), "the keyboard focus went to another window")
    finally:
        if caps is not None:
            _tap(display, caps)
    return len(plan.strokes)


def _partial(delivered: int, total: int, why: str) -> PartialInputError:
    message = f"{why}: {delivered} of {total} characters were typed, up to {CHUNK} more may have gone elsewhere"
    return PartialInputError(message, delivered=delivered, hint="Read the field before typing the rest.")


def _tap(display: Display, keycode: int) -> None:
    display.fake(KEY_PRESS, keycode)
    display.fake(KEY_RELEASE, keycode)


def _send_chunk(display: Display, keymap: Keymap, strokes: Sequence[Stroke]) -> None:
    """Send strokes; a modifier stays down over neighbours that both need it."""
    held: dict[Modifier, int] = {}
    for stroke in strokes:
        for name in [name for name in held if name not in stroke.modifiers]:
            display.fake(KEY_RELEASE, held.pop(name))
        for name in stroke.modifiers:
            if name not in held:
                held[name] = hold(display, keymap, [name])[0]
        _tap(display, stroke.keycode)
    for keycode in held.values():
        display.fake(KEY_RELEASE, keycode)
