"""GTK 4's cache: nearly the whole of an application in one call, and the few calls that close its gaps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call
from tactile.adapters.atspi.gtk4_survey import Survey
from tactile.adapters.atspi.node import Node, name_of
from tactile.adapters.atspi.reading import Job, Reading
from tactile.adapters.atspi.roles import Toolkit, states_of
from tactile.errors import UnsupportedError

CACHE_PATH = "/org/a11y/atspi/cache"
ITEM_FIELDS = 10  # a((so)(so)(so)iiassusau)
ROUNDS = 4  # times the cache is listed at most: once is usual, twice when something new was built


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the cache; `children` are its known ones, in their order."""

    fields: tuple[Any, ...]
    children: list[str] = field(default_factory=list)

    @property
    def child_count(self) -> int:
        """Return how many children it says it has now."""
        return int(self.fields[4])

    @property
    def is_closed(self) -> bool:
        """Tell whether the cache names all its children: of a hidden page it still names those that left."""
        return self.child_count == len(self.children) or self.child_count == 0

    def fill(self, node: Node) -> None:
        """Copy what the item says into a node."""
        _, _, _, _, child_count, interfaces, name, role, description, states = self.fields
        node.child_count = child_count
        node.interfaces = frozenset(word.rpartition(".")[2] for word in interfaces)
        node.name = name_of(name, Toolkit.GTK4)
        node.role_number = role
        node.description = description
        node.states = states_of(states)


@dataclass(slots=True)
class Items:
    """What is known of one application's objects: the cache, and the children that had to be asked for.

    Attributes:
        grown: Paths that have become nodes.
        oversized: Nodes with more children than are read one by one.
    """

    job: Job
    reading: Reading
    survey: Survey
    known: dict[str, Item] = field(default_factory=dict)
    listed: dict[str, list[str]] = field(default_factory=dict)
    grown: set[str] = field(default_factory=set)
    oversized: list[Node] = field(default_factory=list)

    def children(self, path: str) -> list[str]:
        """Return the known children of an object, in their order."""
        if path in self.listed:
            return self.listed[path]
        item = self.known.get(path)
        if item is None:
            return self.survey.children.get(path, [])
        return item.children if item.child_count else []

    async def collect(self, tops: Iterable[str]) -> None:
        """List the cache and ask for children until everything below `tops` is known.

        Raises:
            PlatformError: The application does not answer.

        Source:
            GTK builds an object when its parent's children are asked for, and only then lists it: 10 of 96, 8 of 442
            and 4 of 426 in fresh applications (4.8.3, 4.18.6).
        """
        tops = tuple(tops)
        await self.survey.look(tops)
        for _ in range(ROUNDS if self.survey.is_cheap else 0):
            is_listed = await self._list()
            batch = Batch(self.job.line)
            for path in tops:
                self._close(path, batch, set())
            is_whole = await batch.run(self.job.until)
            self.reading.calls += batch.calls
            if not is_whole:
                self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
                return
            if not is_listed or all(path in self.known for paths in self.listed.values() for path in paths):
                break
        self.survey.remember(tops, {path: item.child_count for path, item in self.known.items()})

    def grow(self, tops: Iterable[Node]) -> list[Node]:
        """Make the nodes below some, and fill all of them in.

        Returns:
            Those that the cache does not know.
        """
        limits, strangers, stack = self.job.limits, [], list(tops)
        self.grown.update(node.path for node in stack)
        while stack:
            node = stack.pop()
            item = self.known.get(node.path)
            if item is None:
                strangers.append(node)
                node.child_count = self.survey.counts.get(node.path)
            else:
                item.fill(node)
            if (node.child_count or 0) > limits.children_max:
                self.oversized.append(node)
                continue
            for path in self.children(node.path):
                if path in self.grown:
                    continue
                if len(self.grown) >= limits.accessibles_max or node.depth >= limits.depth_max:
                    self.reading.miss(f"{limits.accessibles_max} objects or {limits.depth_max} levels")
                    break
                self.grown.add(path)
                node.children.append(Node(path=path, parent=node, depth=node.depth + 1, is_seen=True))
            stack.extend(reversed(node.children))
        return strangers

    async def _list(self) -> bool:
        """List the cache; tell whether there is one that answers in time."""
        call = Call(self.job.owner, CACHE_PATH, "org.a11y.atspi.Cache", "GetItems")
        body, error = await self.job.line.call(call, self.job.until)
        self.reading.calls += 1
        if body is None:
            problem = bus.error_of(error, f'list the objects of "{self.job.application.name or self.job.owner}"')
            # Without a cache everything is asked for one by one; a late one costs what was not asked for yet.
            if not isinstance(problem, UnsupportedError) and not (self.listed or self.survey.children):
                raise problem
            return False
        self.known = linked(body[0])
        return True

    def _close(self, path: str, batch: Batch, seen: set[str]) -> None:
        """Ask for the children that the cache does not name, down from an object."""
        waiting = [path]
        while waiting:
            one = waiting.pop()
            item = self.known.get(one)
            is_huge = item is not None and item.child_count > self.job.limits.children_max
            if one in seen or is_huge or len(seen) > self.job.limits.accessibles_max:
                continue
            seen.add(one)
            if one in self.listed or (item is not None and item.is_closed):
                waiting.extend(self.children(one))
            elif item is None or item.child_count > 0:
                self._ask(one, batch, seen)

    def _ask(self, path: str, batch: Batch, seen: set[str]) -> None:
        def take(body: Any, _error: str) -> None:
            owner = self.job.owner
            named = body[0] if body else ()
            self.listed[path] = [child for name, child in named if name == owner and child != bus.NULL_PATH]
            for child in self.listed[path]:
                self._close(child, batch, seen)

        batch.ask(Call(self.job.owner, path, bus.ACCESSIBLE, "GetChildren"), take)


def linked(items: Iterable[Any]) -> dict[str, Item]:
    """Return items by path, each with its known children."""
    rows = [tuple(item) for item in items if len(item) == ITEM_FIELDS]
    known = {row[0][1]: Item(row) for row in rows}
    for row in sorted(rows, key=lambda row: int(row[3])):
        parent = known.get(row[2][1])
        if parent is not None and row[2][1] != row[0][1] and row[3] >= 0:
            parent.children.append(row[0][1])
    return known
