"""What shows of a browser's windows, named by one query a window inside the application instead of a walk.

Collection.GetMatches answers everything with SHOWING below a toplevel, in the order of the document. Against full walks
of Chromium 156 and Firefox 153 nothing was missing and nothing too much (pages with frames, shadow trees, dialogs,
scrolled panes, zoom 50 to 300 %), also not what shows although its parent does not, which no walk finds.

What it takes inside the application grows with the whole page, and in Chromium with the square of the children of one
parent: 15 s in a table of 20,000 rows, during which the browser stands still. So each toplevel is first asked for its
first `OBJECTS_MAX` objects, which ends early, and one with more is walked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tactile.adapters.atspi import bus, walk
from tactile.adapters.atspi.calls import Batch, Call
from tactile.adapters.atspi.details import NOBODY, Details
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.reading import Job, Reading
from tactile.adapters.atspi.roles import Toolkit, native_role
from tactile.adapters.atspi.web import CONTROL_NUMBERS, DOCUMENT_WEB, LEAF, STATES_OF_LEAF, Page, is_closed_list
from tactile.records.accessible import Cut, NativeRef
from tactile.records.vocabulary import State

RULE = "(aiia{ss}iaiiasib)uib"
ALL, ANY = 1, 2  # AtspiCollectionMatchType; an empty part must say ALL
CANONICAL = 1  # AtspiCollectionSortOrder
SHOWING = 25  # AtspiStateType
STATE_WORDS, ROLE_WORDS = 2, 5
# Objects of one window up to which it is queried. Units: objects. The worst page of that size, flat, takes Chromium
# 0.12 s for each query (measured with two cores under load).
OBJECTS_MAX = 6000
OUT_OF_VIEW_MAX = 50  # controls scrolled out of view that are read with name, role and states: the nearest ones
ANCESTORS_MAX = 60  # looked up above something whose parent does not show

GONE = "org.freedesktop.DBus.Error.UnknownObject"


def rule(states: Sequence[int] = (), roles: Sequence[int] = ()) -> tuple[Any, ...]:
    """Return a match rule: all of the states, any of the roles.

    Source:
        Both are sent as bits; lists of numbers find nothing (measured on Chromium, Firefox and GTK 3).
    """
    return (
        _bits(states, STATE_WORDS),
        ALL,
        {},
        ALL,
        _bits(roles, ROLE_WORDS) if roles else [],
        ANY if roles else ALL,
        [],
        ALL,
        False,
    )


def _bits(numbers: Sequence[int], words: int) -> list[int]:
    bits = sum(1 << number for number in set(numbers))
    unsigned = [bits >> 32 * word & 0xFFFFFFFF for word in range(words)]
    return [word - (1 << 32) if word >> 31 else word for word in unsigned]


async def read(job: Job) -> Reading:
    """Read what shows of an application by one query a toplevel; walk the toplevels that are too big or refuse."""
    search = _Search(job)
    await search.find()
    search.link()
    if not search.reading.lost:
        await search.fill()
    if search.unfit and not search.reading.lost:
        return _merged(search.reading, await walk.read(replace(job, only=frozenset(search.unfit))))
    return search.reading


def _merged(reading: Reading, walked: Reading) -> Reading:
    """Put the toplevels that were walked into their places."""
    by_path = {top.path: top for top in (*reading.tops, *walked.tops)}
    return Reading(
        toplevels=reading.toplevels,
        tops=[by_path[path] for path in reading.toplevels if path in by_path],
        cuts=[*reading.cuts, *walked.cuts],
        is_complete=reading.is_complete and walked.is_complete,
        lost=walked.lost,
        calls=reading.calls + walked.calls,
        gaps=reading.gaps | walked.gaps,
    )


@dataclass(slots=True)
class _Search:
    """One read: find, link, fill."""

    job: Job
    reading: Reading = field(default_factory=Reading)
    unfit: set[str] = field(default_factory=set)  # toplevels that are too big, or have no Collection
    nodes: dict[str, Node] = field(default_factory=dict)  # what matched, in the order of the document
    parents: dict[str, str] = field(default_factory=dict)
    hidden: dict[str, Node] = field(default_factory=dict)  # ancestors that do not show
    outside: dict[str, list[Node]] = field(default_factory=dict)  # by document: controls out of view

    # ---- what is there

    async def find(self) -> None:
        """Ask each toplevel what shows in it, and each of those who its parent is."""
        until = self.job.until
        paths = await walk.toplevels(self.job)
        self.reading.toplevels = tuple(paths)
        wanted = [path for path in dict.fromkeys(paths) if self.job.only is None or path in self.job.only]
        if len(wanted) > self.job.limits.children_max:
            self.reading.miss(f"the limit of {self.job.limits.children_max} windows")
            del wanted[self.job.limits.children_max :]
        self.reading.tops = [Node(path=path, parent=None, depth=1) for path in wanted]
        batch, details = self._batch()
        for top in self.reading.tops:
            details.states(top, _nothing)
            details.basics(top, lambda top=top: self._top_is_known(top, details))  # type: ignore[misc]
            self._measure(batch, details, top)
        await self._run(batch, details, until)

    def _top_is_known(self, top: Node, details: Details) -> None:
        top.interfaces -= {"Text", "Action"}
        top.is_seen = True
        details.specifics(top, _nothing)

    def _measure(self, batch: Batch, details: Details, top: Node) -> None:
        """Ask what shows in a toplevel, unless it holds too much for that."""

        def take(body: Sequence[Any] | None, error: str) -> None:
            if body is None:
                self._failed(top, error)
            elif len(body[0]) >= OBJECTS_MAX:
                self.unfit.add(top.path)
            else:
                self._matches(batch, details, top)

        batch.ask(self._get_matches(top.path, rule(), OBJECTS_MAX), take)

    def _matches(self, batch: Batch, details: Details, top: Node) -> None:
        room = self.job.limits.accessibles_max

        def take(body: Sequence[Any] | None, error: str) -> None:
            if body is None:
                self._failed(top, error)
                return
            for owner, path in body[0]:
                if owner == self.job.owner and path not in self.nodes and path != bus.NULL_PATH:
                    self._meet(details, path, room)
            if len(self.nodes) >= room:
                self._cut_short(top, room)

        batch.ask(self._get_matches(top.path, rule((SHOWING,)), room), take)

    def _failed(self, top: Node, error: str) -> None:
        if error in NOBODY:
            self.reading.lost = error
        elif error == GONE:
            top.is_gone = True
        else:
            self.unfit.add(top.path)

    def _meet(self, details: Details, path: str, room: int) -> None:
        if len(self.nodes) >= room:
            return
        self.nodes[path] = node = Node(path=path, parent=None, depth=0)
        details.role(node, _nothing)
        self._ask_parent(details, node)

    def _cut_short(self, top: Node, room: int) -> None:
        self.reading.miss(f"the limit of {room} accessibles")
        ref = NativeRef(application=self.job.owner, path=top.path)
        self.reading.cuts.append(Cut(ref=ref, what=native_role(top.role_number), total=-1, shown=len(self.nodes)))

    def _ask_parent(self, details: Details, node: Node) -> None:
        def take(value: Any) -> None:
            owner, path = value
            if owner != self.job.owner or path == bus.NULL_PATH:
                return
            self.parents[node.path] = path
            self._meet_hidden(details, path)

        call = bus.get(self.job.owner, node.path, bus.ACCESSIBLE, "Parent")
        details.ask(node, "parent", call, take, _nothing)

    def _meet_hidden(self, details: Details, path: str) -> None:
        """Go on upwards from something that shows although its parent does not."""
        is_known = path in self.nodes or path in self.hidden or path in self.reading.toplevels
        if is_known or path == self.job.application.root.path or len(self.hidden) >= self.job.limits.accessibles_max:
            return
        self.hidden[path] = node = Node(path=path, parent=None, depth=0)
        details.role(node, _nothing)
        self._ask_parent(details, node)

    def _get_matches(self, path: str, what: tuple[Any, ...], count: int) -> Call:
        body = (what, CANONICAL, count, True)
        return Call(self.job.owner, path, bus.COLLECTION, "GetMatches", RULE, body)

    # ---- how it hangs together

    def link(self) -> None:
        """Hang each match below its nearest ancestor that shows; leave out the options of closed lists."""
        # Chromium leaves SHOWING on the page of a minimised window, and takes it from the window only (measured).
        shown = (top for top in self.reading.tops if State.SHOWING in top.states or "states" in top.unread)
        tops = {top.path: top for top in shown}
        self.reading.tops = [top for top in self.reading.tops if top.path not in self.unfit]
        for node in self.nodes.values():
            parent = self._shown_parent(node, tops)
            if parent is None or parent.depth >= self.job.limits.depth_max:
                if parent is not None:
                    self.reading.miss(f"the depth of {self.job.limits.depth_max}")
                continue
            node.parent, node.depth = parent, parent.depth + 1
            parent.children.append(node)

    def _shown_parent(self, node: Node, tops: dict[str, Node]) -> Node | None:
        path = self.parents.get(node.path)
        for _ in range(ANCESTORS_MAX):
            if path is None:
                return None
            shown = tops.get(path) or self.nodes.get(path)
            if shown is not None:
                # Its own ancestors come before it in the order of the document, so it has its place by now.
                return shown if shown.depth else None
            if path in self.hidden and is_closed_list(self.hidden[path].role_number):
                return None
            path = self.parents.get(path)
        return None

    # ---- what it is

    async def fill(self) -> None:
        """Ask each thing for what its role needs; texts of leaves only where nothing around them says the same."""
        page = Page(self.reading.tops, self.job.toolkit)
        batch, details = self._batch()
        for node in page.nodes:
            if node.role_number == LEAF and self.job.toolkit is Toolkit.CHROMIUM:
                continue
            self._describe(details, node, page)
        for document in page.documents:
            self._ask_outside(batch, details, document)
        await self._run(batch, details, self.job.until)
        batch, details = self._batch()
        for leaf in page.untold_leaves():
            self._describe_leaf(details, leaf)
        for node in page.placeless():
            details.extents(node, _nothing)
        await self._run(batch, details, self.job.until)
        page.finish()
        for document in page.documents:
            document.children.extend(self.outside.get(document.path, ()))

    def _describe(self, details: Details, node: Node, page: Page) -> None:
        """Ask for everything about a control, and for what may make a control of a box."""

        def then() -> None:
            self._after_basics(details, node, page)

        wants = page.wants(node)
        node.interfaces = wants.interfaces
        details.states(node, then)
        details.property(node, "name", "Name", str, then)
        if wants.description:
            details.property(node, "description", "Description", str, then)
        if wants.faces:
            details.faces(node, then)
        if wants.action:
            details.first_action(node, then)

    def _after_basics(self, details: Details, node: Node, page: Page) -> None:
        node.is_gone = node.is_gone or State.DEFUNCT in node.states
        if node.is_gone:
            return
        page.settle(node)
        node.is_seen = True
        details.specifics(node, _nothing)

    def _describe_leaf(self, details: Details, leaf: Node) -> None:
        leaf.interfaces = frozenset({"Component"})
        leaf.states = STATES_OF_LEAF
        leaf.is_seen = True
        details.property(leaf, "name", "Name", str, _nothing)
        details.extents(leaf, _nothing)

    # ---- what is scrolled out of view

    def _ask_outside(self, batch: Batch, details: Details, document: Node) -> None:
        def take(body: Sequence[Any] | None, _error: str) -> None:
            controls = [path for owner, path in body[0] if owner == self.job.owner] if body else []
            chosen = nearest(controls, self.nodes, OUT_OF_VIEW_MAX)
            self.outside[document.path] = [self._name_outside(details, path, document) for path in chosen]
            if len(controls) > len(chosen) + sum(path in self.nodes for path in controls):
                ref = NativeRef(application=self.job.owner, path=document.path)
                shown = len(chosen) + sum(path in self.nodes for path in controls)
                self.reading.cuts.append(Cut(ref=ref, what=native_role(DOCUMENT_WEB), total=len(controls), shown=shown))

        batch.ask(self._get_matches(document.path, rule(roles=CONTROL_NUMBERS), 0), take)

    def _name_outside(self, details: Details, path: str, document: Node) -> Node:
        node = Node(path=path, parent=document, depth=document.depth + 1, is_pruned=True)
        node.interfaces = frozenset({"Component"})  # it can be scrolled into view; its place is asked for when it shows

        def seen() -> None:
            node.is_seen = bool(node.name) and State.DEFUNCT not in node.states
            if State.SHOWING in node.states:  # it came into view meanwhile: the next look has it whole
                node.states -= {State.SHOWING}

        details.role(node, seen)
        details.states(node, seen)
        details.property(node, "name", "Name", str, seen)
        return node

    # ---- sending

    def _batch(self) -> tuple[Batch, Details]:
        batch = Batch(self.job.line)
        return batch, Details(batch, self.job.owner, self.job.toolkit, text_max=self.job.limits.text_max)

    async def _run(self, batch: Batch, details: Details, until: float) -> None:
        if not await batch.run(until):
            self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
        self.reading.calls += batch.calls
        self.reading.lost = self.reading.lost or details.lost


def nearest(paths: Sequence[str], shown: dict[str, Node], most: int) -> list[str]:
    """Return those that do not show, nearest in the document to what does, in its order.

    Args:
        paths: In the order of the document.
        shown: What shows.
        most: How many at most.
    """
    places = [index for index, path in enumerate(paths) if path in shown]
    first, last = (places[0], places[-1]) if places else (0, 0)
    rest = [index for index, path in enumerate(paths) if path not in shown]
    by_distance = sorted(rest, key=lambda index: max(first - index, index - last, 0))
    return [paths[index] for index in sorted(by_distance[:most])]


def _nothing() -> None:
    return
