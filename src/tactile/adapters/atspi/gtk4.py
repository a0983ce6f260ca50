"""How GTK 4 is read: what exists from its cache, then places, values and actions only of what can be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call
from tactile.adapters.atspi.details import Details
from tactile.adapters.atspi.gtk4_items import Items
from tactile.adapters.atspi.gtk4_mapped import Hits, close
from tactile.adapters.atspi.gtk4_places import (
    POPUP_LAYER,
    POPUPS,
    SCROLLERS,
    below,
    in_view,
    is_page,
    lend_places,
    may_be_popover,
    move_back,
    role_of,
    wants_place,
)
from tactile.adapters.atspi.gtk4_rows import Rows
from tactile.adapters.atspi.gtk4_survey import Survey
from tactile.adapters.atspi.node import Node, name_of
from tactile.adapters.atspi.offers import has_actions
from tactile.adapters.atspi.reading import Job, Reading
from tactile.adapters.atspi.walk import toplevels
from tactile.records.geometry import Extents
from tactile.records.vocabulary import State

PARENT = 2  # Component's coordinate type
SHAPING = frozenset({State.FOCUSABLE, State.EXPANDABLE, State.CHECKABLE, State.HAS_POPUP, State.SENSITIVE})
SAMPLES = 2  # of one shape whose actions are asked for: its first and its last

Shape = tuple[int, frozenset[str], frozenset[State], tuple[int, ...]]


async def read(job: Job) -> Reading:
    """Read an application of GTK 4.

    Raises:
        PlatformError: It does not answer, or not as GTK 4 does.
    """
    look = Look(job)
    await look.run()
    return look.reading


@dataclass(slots=True)
class Look:
    """One read.

    Attributes:
        popovers: Boxes drawn in windows of their own.
    """

    job: Job
    reading: Reading = field(default_factory=Reading)
    popovers: set[Node] = field(default_factory=set)

    async def run(self) -> None:
        """Read in steps; each asks for what the one before showed to matter."""
        paths = await self._toplevels()
        items = Items(self.job, self.reading, Survey(self.job, self.reading))
        await items.collect(paths)
        self.reading.tops = [Node(path=path, parent=None, depth=1, is_seen=True) for path in paths]
        await self._meet(items.grow(list(reversed(self.reading.tops))))
        await self._place()
        rows = Rows(self.job, self.reading, items)
        for node in tuple(items.oversized):
            await self._meet(await rows.read(node))
        if items.oversized:
            await self._place()
        lend_places(self.reading.tops)
        await self._hide()
        await self._tell()
        self._mark()

    async def _toplevels(self) -> list[str]:
        paths = await toplevels(self.job)
        self.reading.calls += 1
        self.reading.toplevels = tuple(dict.fromkeys(paths))
        wanted = [path for path in self.reading.toplevels if self.job.only is None or path in self.job.only]
        if len(wanted) > self.job.limits.accessibles_max:
            self.reading.miss(f"{self.job.limits.accessibles_max} objects")
        return wanted[: self.job.limits.accessibles_max]

    # ---- the steps

    async def _stage(self, asks: Iterable[Callable[[Details], None]]) -> None:
        """Make calls in a batch of their own."""
        batch = Batch(self.job.line)
        details = Details(batch, self.job.owner, self.job.toolkit, text_max=self.job.limits.text_max)
        for ask in asks:
            ask(details)
        if not await batch.run(self.job.until):
            self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
        self.reading.calls += batch.calls
        self.reading.lost = details.lost or self.reading.lost

    async def _meet(self, strangers: Iterable[Node]) -> None:
        """Ask for all that the cache would have said."""
        new = tuple(strangers)
        await self._stage(partial(_ask, ask, node) for node in new for ask in (Details.states, Details.basics))
        for node in new:
            node.name = name_of(node.name, self.job.toolkit)

    async def _place(self) -> None:
        """Ask for places, and which boxes are popovers; then for the popovers' places."""
        new = [node for node in below(self.reading.tops) if node.extents is None and "extents" not in node.unread]
        boxes = [node for node in new if may_be_popover(node) and not wants_place(node)]
        pages = [node for node in new if is_page(node) and node.children]
        shifts: dict[Node, tuple[int, int]] = {}
        await self._stage(
            [
                *(partial(_ask, Details.extents, node) for node in new if wants_place(node)),
                *(partial(self._layer, node) for node in boxes),
                *(partial(self._distance, node, shifts) for node in pages),
            ]
        )
        drawn_apart = self.popovers | {node for node in new if node.parent is not None and role_of(node) in POPUPS}
        wanted = dict.fromkeys(one for node in drawn_apart for one in (node, node.parent) if one is not None)
        await self._stage(partial(_ask, Details.extents, one) for one in wanted if one.extents is None)
        for page, (left, up) in shifts.items():
            move_back(page, left, up)

    def _layer(self, node: Node, details: Details) -> None:
        def take(value: Any) -> None:
            if int(value) == POPUP_LAYER:
                self.popovers.add(node)

        call = Call(self.job.owner, node.path, bus.COMPONENT, "GetLayer")
        details.ask(node, "", call, take, _nothing)

    def _distance(self, page: Node, shifts: dict[Node, tuple[int, int]], details: Details) -> None:
        def take(value: Any) -> None:
            left, up, _, _ = value
            shifts[page] = (int(left), int(up))

        call = Call(self.job.owner, page.path, bus.COMPONENT, "GetExtents", "u", (PARENT,))
        details.ask(page, "", call, take, _nothing)

    async def _hide(self) -> None:
        """Find what is not drawn although it has a place.

        Source:
            GTK 4.18 takes what is not drawn out of the tree, and says SHOWING of the rest; 4.8 does neither (both
            measured against `gtk_widget_get_mapped`, with pages flipped there and back).
        """
        is_pruned = any(State.SHOWING in node.states for top in self.reading.tops for node in below(top.children))
        if is_pruned:
            return
        hits = Hits(self.job, self.reading)
        await hits.judge({node: area for node, area in self._seen().items() if _is_judged(node)})
        close(hits.hidden)

    async def _tell(self) -> None:
        """Ask what can be seen for actions, values, texts and hints."""
        seen = [node for node in self._seen() if wants_place(node)]
        shapes: dict[Shape, list[Node]] = {}
        for node in seen:
            if has_actions(role_of(node)) and "Action" in node.interfaces:
                shapes.setdefault(_shape(node), []).append(node)
        samples = [dict.fromkeys((nodes[0], nodes[-1])) for nodes in shapes.values()]
        await self._stage(partial(_ask, Details.first_action, one) for pair in samples for one in pair)
        for nodes in shapes.values():
            _share_actions(nodes)
        await self._stage(partial(_ask, Details.specifics, node) for node in seen)

    def _seen(self) -> dict[Node, Extents]:
        areas = ((node, in_view(node, self.popovers)) for node in below(self.reading.tops))
        return {node: area for node, area in areas if area is not None}

    def _mark(self) -> None:
        """Say SHOWING of what can be seen and what it lies in, and of nothing else below the windows."""
        seen = self._seen()
        for node in reversed(list(below(self.reading.tops))):
            if node.parent is None:
                continue
            is_shown = node in seen or any(State.SHOWING in child.states for child in node.children)
            node.states = node.states | {State.SHOWING} if is_shown else node.states - {State.SHOWING}


def _ask(ask: Callable[[Details, Node, Callable[[], None]], None], node: Node, details: Details) -> None:
    """Ask, with nothing to follow."""
    ask(details, node, _nothing)


def _is_judged(node: Node) -> bool:
    return node.parent is not None and wants_place(node) and role_of(node) not in SCROLLERS


def _shape(node: Node) -> Shape:
    """Return what makes two objects of one application the same kind of widget, as far as can be told.

    Source:
        Action names are fixed for each class of widget (GTK's tables for buttons, switches, entries, expanders and
        colour swatches); all others have those of action groups, with dots in them, of which no offer is made. The
        shape stands for the class. It may not: so the first and the last of one shape are asked, and acting looks the
        name up again before it does anything.
    """
    children = tuple(child.role_number for child in node.children)
    return (node.role_number, node.interfaces, node.states & SHAPING, children)


def _share_actions(nodes: Sequence[Node]) -> None:
    """Give the actions of the samples to all of one shape; where the samples differ, each is asked for itself."""
    first, last = nodes[0], nodes[-1]
    if first.actions != last.actions:
        return
    for node in nodes:
        node.actions = dict(first.actions)
        if not first.actions:
            node.interfaces -= {"Action"}


def _nothing() -> None:
    return
