"""Which objects show and can be used, judged from another tool's full walk; and which of them Tactile has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# AtspiRole numbers of what people use; the numbers are the same in every release, the names are not.
USED = frozenset({7, 8, 11, 26, 32, 33, 35, 37, 40, 43, 44, 45, 51, 52, 56, 57, 60, 62, 79, 88, 91, 129, 130})
CONTAINED = frozenset({33, 34, 35, 8, 45, 41, 11})  # menus and their items, combo boxes: open beside their parents
MENU_BAR = 34
EDITABLE, SHOWING = 7, 25  # AtspiStateType
TEXT, PARAGRAPH = 61, 73  # are used when they can be edited
INT_MIN = -(2**31)
NEAR_PX = 2
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One object of the other tool's walk."""

    path: str
    parent: str
    role: int
    name: str
    states: frozenset[int]
    box: Box | None

    @property
    def is_used(self) -> bool:
        """Tell whether people use such a thing."""
        return self.role in USED or (self.role in {TEXT, PARAGRAPH} and EDITABLE in self.states)


def seen_of(fields: Mapping[str, Any]) -> Seen:
    """Make one from what the other tool wrote."""
    box = fields["extents"]
    return Seen(
        path=fields["path"],
        parent=fields["parent"],
        role=fields["role"],
        name=fields["name"] or "",
        states=frozenset(fields["states"]),
        box=tuple(box) if box else None,
    )


def shown(objects: Sequence[Seen], *, are_states_exact: bool) -> tuple[Seen, ...]:
    """Return the objects that show: by their states, and a part of each lies within all that holds it.

    Args:
        objects: All of one application, the application first.
        are_states_exact: False where SHOWING says nothing (GTK 4).
    """
    by_path = {one.path: one for one in objects}
    return tuple(one for one in objects if _shows(one, by_path, are_states_exact))


def _shows(one: Seen, by_path: Mapping[str, Seen], are_states_exact: bool) -> bool:
    if not one.parent or not _is_place(one.box):
        return False
    above = list(_ancestors(one, by_path))
    if are_states_exact and any(SHOWING not in holder.states for holder in (one, *above)):
        return False
    if one.role in CONTAINED:
        # LibreOffice keeps a menu bar of its own, of no height, behind the one that is drawn.
        return all(_is_place(holder.box) for holder in above if holder.role == MENU_BAR)
    view = one.box
    for holder in above:
        if holder.role in CONTAINED or not _is_place(holder.box):
            continue
        view = _intersection(view, holder.box)
        if view is None:
            return False
    return True


def _ancestors(one: Seen, by_path: Mapping[str, Seen]) -> Iterator[Seen]:
    """Yield what holds it, nearest first, without the application."""
    met = {one.path}
    while (holder := by_path.get(one.parent)) is not None and holder.parent and holder.path not in met:
        met.add(holder.path)
        yield holder
        one = holder


def _is_place(box: Box | None) -> bool:
    return box is not None and box[2] > 0 and box[3] > 0 and INT_MIN not in box


def _intersection(one: Box | None, other: Box | None) -> Box | None:
    assert one is not None
    assert other is not None
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[0] + one[2], other[0] + other[2]), min(one[1] + one[3], other[1] + other[3])
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What was found of what shows and can be used."""

    total: int
    missing: tuple[str, ...]

    @property
    def percent(self) -> float:
        """Return the part that was found; all of nothing is nothing."""
        return 100 * (self.total - len(self.missing)) / self.total if self.total else 0.0


def recall_of_objects(used: Sequence[Seen], accessibles: Sequence[Sequence[Any]]) -> Recall:
    """Compare with the accessibles that Tactile read: the same object, or one of the same name in the same place.

    Args:
        used: What shows and can be used.
        accessibles: Path, name, extents, and whether it shows, of each.
    """
    paths = {path for path, _, _, is_showing in accessibles if is_showing}
    places = {(name, tuple(box)) for _, name, box, is_showing in accessibles if is_showing and box}
    missing = [one for one in used if one.path not in paths and (one.name, one.box) not in places]
    return Recall(total=len(used), missing=tuple(map(_named, missing)))


def recall_of_candidates(
    used: Sequence[Seen], objects: Sequence[Seen], candidates: Sequence[Mapping[str, Any]]
) -> Recall:
    """Compare with the candidates that Tactile forms: one for it, or for the control that it is a part of.

    Args:
        used: What shows and can be used.
        objects: All objects.
        candidates: With path and whether it shows.
    """
    by_path = {one.path: one for one in objects}
    paths = {one["path"] for one in candidates if one["is_showing"]}
    holders = {holder.path for path in paths if path in by_path for holder in _ancestors(by_path[path], by_path)}
    names = {one["name"] for one in candidates if one["is_showing"]}
    missing = [
        one
        for one in used
        if one.path not in paths
        and one.path not in holders
        and not any(holder.path in paths and holder.is_used for holder in _ancestors(one, by_path))
        and not (one.name and one.name in names)
    ]
    return Recall(total=len(used), missing=tuple(map(_named, missing)))


def _named(one: Seen) -> str:
    return f'{one.role} "{one.name[:40]}" {list(one.box or ())}'
