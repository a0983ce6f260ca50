"""What GTK 4.8 draws at all: it tells hidden pages from shown ones in no state and no place, only where it is hit.

A page of a stack that was shown once keeps its places when another takes its turn, and so does what a revealer fades
out; no event says so. `GetAccessibleAtPoint` looks for what the pointer would meet: nothing that is hidden answers it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Call
from tactile.adapters.atspi.details import WINDOW
from tactile.adapters.atspi.gtk4_places import BUTTONS, CONTROLS, FACES, above, below, overlapping, role_of
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.reading import Job, Reading
from tactile.records.geometry import Extents
from tactile.records.vocabulary import Role, State

Spot = tuple[int, int]
"""Toolkit px, counted as GTK counts the window's."""

PADDING = 2  # px outside a control's content, within its padding: 4.8 gives the place of the content


@dataclass(slots=True)
class Hits:
    """Asks until every group of siblings is known to be drawn or not.

    Attributes:
        drawn: What was hit, and all that it lies in.
        hidden: What was not, with everything below.
    """

    job: Job
    reading: Reading
    drawn: set[Node] = field(default_factory=set)
    hidden: set[Node] = field(default_factory=set)

    async def judge(self, areas: Mapping[Node, Extents]) -> None:
        """Sort nodes into drawn and hidden.

        Args:
            areas: Of each node that has a place: what its scrollers leave of it.

        Insensitive ones are never hit; they go with what they lie in.
        """
        groups: dict[Node, list[Node]] = {}
        within: dict[Node, dict[Node, Extents]] = {}
        for node, area in areas.items():
            holder = _holder(node)
            if holder is None or State.SENSITIVE not in node.states:
                continue
            groups.setdefault(holder, []).append(node)
            for one in above(node):
                within.setdefault(one, {})[node] = area
        waiting = set(groups)
        while waiting:
            ready = waiting - {one for holder in waiting for one in above(holder)}
            await asyncio.gather(*(self._group(one, groups[one]) for one in ready if not self._is_known(one)))
            waiting -= ready
        await asyncio.gather(*(self._crowd(holder, groups[holder], within[holder]) for holder in groups))

    def _is_known(self, holder: Node) -> bool:
        return holder in self.drawn or any(one in self.hidden for one in (holder, *above(holder)))

    async def _group(self, holder: Node, members: Sequence[Node]) -> None:
        """Try one of some siblings, and if it is not drawn, what holds them, then the others."""
        first = min(members, key=lambda one: not _has_label(one))
        if await self._is_hit(first, _points(first)):
            self.drawn |= {first, *above(first)}
            return
        place = first.extents
        around = () if place is None else (_middle(place), (place.x, place.y))
        if "Component" in holder.interfaces and not await self._is_hit(holder, around):
            self.hidden.add(holder)
            return
        self.hidden.add(first)
        await self._each([one for one in members if one is not first])

    async def _crowd(self, holder: Node, members: Sequence[Node], areas: Mapping[Node, Extents]) -> None:
        """Try each of some siblings that something covers: pages, or rows that a filter took out."""
        if not any(one in self.hidden for one in (holder, *above(holder))):
            covered = overlapping(areas) - self.drawn - self.hidden
            await self._each([one for one in members if one in covered])

    async def _each(self, nodes: Sequence[Node]) -> None:
        answers = await asyncio.gather(*(self._is_hit(node, _points(node)) for node in nodes))
        for node, is_hit in zip(nodes, answers, strict=True):
            if is_hit:
                self.drawn |= {node, *above(node)}
            else:
                self.hidden.add(node)

    async def _is_hit(self, node: Node, points: Sequence[Spot]) -> bool:
        """Tell whether anything below a node answers at one of some points."""
        for point in points:
            body = (*point, WINDOW)
            call = Call(self.job.owner, node.path, bus.COMPONENT, "GetAccessibleAtPoint", "iiu", body)
            answer, error = await self.job.line.call(call, self.job.until)
            self.reading.calls += 1
            if answer is None and not error:
                self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
            if answer is None or answer[0][1] != bus.NULL_PATH:
                return True  # no answer is no proof that it is hidden
        return not points


def _holder(node: Node) -> Node | None:
    return next((one for one in above(node) if role_of(one) not in CONTROLS), None)


def _has_label(node: Node) -> bool:
    return role_of(node) in FACES or any(role_of(one) in FACES for one in below(node.children))


def _points(node: Node) -> tuple[Spot, ...]:
    """Return where to try, best first.

    Source:
        Of a label inside, the middle answers; the pictures of buttons, and the inner parts of entries, spin buttons and
        switches have no accessible and answer null, but the padding around them answers (4.8.3: all of the form, of
        gnome-calculator).
    """
    place = node.extents
    if place is None:
        return ()
    across, down = _middle(place)
    edges = ((place.x - PADDING, down), (across, place.y + place.height + 1), (place.x, place.y))
    role = role_of(node)
    is_sure = role in FACES | {Role.TEXT} or (role in BUTTONS and _has_label(node))
    return ((across, down), *edges) if is_sure else (*edges, (across, down))


def _middle(place: Extents) -> Spot:
    return place.center.x, place.center.y


def close(nodes: Iterable[Node]) -> None:
    """Take the room from what is hidden, as GTK does where it was never shown."""
    for node in below(tuple(nodes)):
        if node.extents is not None:
            node.extents = Extents(x=node.extents.x, y=node.extents.y, width=0, height=0)
