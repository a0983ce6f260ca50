"""Say what really scrolled, from where things were and are."""

from __future__ import annotations

from collections import Counter

from tactile.policy.untrusted import quote
from tactile.records import Candidate, CandidateSet, Direction, Evidence, Failure, NativeRef, Source, Verdict
from tactile.verify.judgement import Judgement

MOVED_MIN = 2  # px; less is a re-layout


def judge_scroll(
    before: CandidateSet, after: CandidateSet, direction: Direction, restless: frozenset[NativeRef] = frozenset()
) -> Judgement:
    """Return confirmed with the container and its offset, or refuted when nothing moved.

    Args:
        before: As it was.
        after: As it is.
        direction: Asked for; content moves the other way.
        restless: Things that were moving before.

    Units:
        Offsets are physical px; negative y means the content moved up.
    """
    moved = Counter(
        {
            (container, shift): count
            for (container, shift), count in _moved(before, after, restless).items()
            if _is_along(shift, direction)
        }
    )
    if not moved:
        if _replaced(before, after):
            evidence = Evidence(
                cue="content scrolls", before="", after="other rows are showing", source=Source.AX, supports=True
            )
            return Judgement(verdict=Verdict.WEAK, evidence=(evidence,), message="Rows changed; no offset can be read.")
        return Judgement(
            verdict=Verdict.REFUTED,
            failure=Failure.NO_EFFECT,
            message="Nothing moved: the end is reached, or this is not the scrolling container.",
        )
    (container, shift), count = moved.most_common(1)[0]
    what = _name(container, after)
    evidence = Evidence(
        cue=f"{what} scrolls",
        before="at 0,0",
        after=f"content moved by {shift[0]},{shift[1]} px ({count} things)",
        source=Source.AX,
        supports=True,
    )
    return Judgement(verdict=Verdict.CONFIRMED, evidence=(evidence,))


def _is_along(shift: tuple[int, int], direction: Direction) -> bool:
    """Tell whether content moved as scrolling in this direction moves it, and no other way."""
    along, across = (shift[1], shift[0]) if direction in {"up", "down"} else (shift[0], shift[1])
    is_right_way = along < 0 if direction in {"down", "right"} else along > 0
    return is_right_way and abs(across) < MOVED_MIN


def _moved(
    before: CandidateSet, after: CandidateSet, restless: frozenset[NativeRef]
) -> Counter[tuple[NativeRef | None, tuple[int, int]]]:
    """Count the things that moved within their window, by parent and shift."""
    old = {item.native: item for item in before.candidates}
    origins, origins_after = _origins(before), _origins(after)
    found: Counter[tuple[NativeRef | None, tuple[int, int]]] = Counter()
    for item in after.candidates:
        earlier = old.get(item.native)
        if item.native in restless or earlier is None or earlier.full_extents is None or item.full_extents is None:
            continue
        if origins_after.get(item.toplevel) != origins.get(item.toplevel):
            continue  # the window itself moved
        shift = (item.full_extents.x - earlier.full_extents.x, item.full_extents.y - earlier.full_extents.y)
        if max(abs(shift[0]), abs(shift[1])) >= MOVED_MIN:
            found[(item.parent, shift)] += 1
    return found


def _origins(candidates: CandidateSet) -> dict[NativeRef, tuple[int, int]]:
    return {
        item.native: (item.full_extents.x, item.full_extents.y)
        for item in candidates.candidates
        if item.native == item.toplevel and item.full_extents is not None
    }


def _replaced(before: CandidateSet, after: CandidateSet) -> bool:
    old = {item.native for item in before.candidates if item.is_showing}
    new = {item.native for item in after.candidates if item.is_showing}
    return bool(old - new) and bool(new - old)


def _name(container: NativeRef | None, after: CandidateSet) -> str:
    item: Candidate | None = after.by_native(container) if container is not None else None
    if item is None:
        return "content"
    return f"{item.role.value} {quote(item.name, 40)}" if item.name else item.role.value
