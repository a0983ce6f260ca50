"""What an act changed, as lines of a receipt; what is named there counts as shown to the caller."""

from __future__ import annotations

from tactile.policy.untrusted import quote
from tactile.records import Candidate, ChangeLine
from tactile.runtime.ground import Aim
from tactile.runtime.scene import Scene
from tactile.runtime.settle import Outcome
from tactile.verify.differ import Difference, differences, window_differences

CHANGES_MAX = 10  # lines of one receipt
LINES_MAX = 40  # lines of the changes since an observation


def change_lines(scene: Scene, aim: Aim, outcome: Outcome) -> tuple[tuple[ChangeLine, ...], int]:
    """Return the differences the act made, bounded, and how many were cut."""
    if outcome.after is None:
        return (), 0
    before, after = aim.before, outcome.after
    opened, closed = window_differences(before.observation.windows, after.observation.windows)
    refs = scene.refs.windows([(window.native_id, window.title) for window in (*opened, *closed)])
    windows = [
        ChangeLine(sign=sign, ref=refs[window.native_id], label=f"window {quote(window.title, 60)}")
        for sign, group in (("+", opened), ("-", closed))
        for window in group
        if not window.is_popup
    ]
    found = differences(before.candidates, after.candidates)
    room = max(CHANGES_MAX - len(windows), 0)
    return (*windows, *difference_lines(scene, found[:room], aim.entry.pid)), max(len(found) - room, 0)


def difference_lines(scene: Scene, found: tuple[Difference, ...], pid: int | None) -> tuple[ChangeLine, ...]:
    """Return differences as lines, bounded; what they name counts as shown."""
    found = found[:LINES_MAX]
    given = scene.refs.give((one.candidate for one in found), pid)
    scene.refs.show([item for item, one in zip(given, found, strict=True) if one.sign != "-"], pid)
    return tuple(
        ChangeLine(sign=one.sign, ref=item.ref, label=_label(item), detail=one.detail)
        for one, item in zip(found, given, strict=True)
    )


def _label(item: Candidate) -> str:
    return f"{item.role.value} {quote(item.name, 60)}"
