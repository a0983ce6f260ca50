"""A guarded walk over native objects that descends only into what shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call
from tactile.adapters.atspi.details import Details
from tactile.adapters.atspi.node import Node, area_of
from tactile.adapters.atspi.qt import arrange
from tactile.adapters.atspi.reading import Job, Reading
from tactile.adapters.atspi.roles import Toolkit, native_role
from tactile.adapters.atspi.virtual import Part, visible_part
from tactile.records.accessible import Cut, NativeRef
from tactile.records.vocabulary import Role, State

DROPPED_WHEN_HIDDEN = frozenset({Role.MENU, Role.POPUP_MENU})  # a closed menu is listed, its items are not

SAMPLED = 4  # items of a menu of which one shows if the menu is open
VISIBLE_MAX = 2000  # children of one list or table read at most; a sheet that fills a screen of 1080p has 1300 cells

# Cells of one column have the same role, interfaces and actions, as long as they agree in these.
LIKENESS = frozenset({State.EXPANDABLE, State.CHECKABLE, State.EDITABLE, State.SENSITIVE, State.SHOWING, State.DEFUNCT})

NAMED_BY_CHILD = frozenset({Role.LIST_ITEM, Role.TREE_ITEM})


async def read(job: Job) -> Reading:
    """Read an application by walking down from its toplevels."""
    batch = Batch(job.line)
    walk = Walk(job, batch, Details(batch, job.owner, job.toolkit, text_max=job.limits.text_max))
    await walk.run()
    walk.reading.lost = walk.details.lost
    walk.reading.calls += batch.calls
    return walk.reading


async def toplevels(job: Job) -> list[str]:
    """Return the paths of the windows that an application has now.

    Raises:
        TactileError: It does not say; see `bus.error_of`.
    """
    root = job.application.root
    body, error = await job.line.call(Call(root.application, root.path, bus.ACCESSIBLE, "GetChildren"), job.until)
    if body is None:
        raise bus.error_of(error, f'read the windows of "{job.application.name or root.application}"')
    return [path for owner, path in body[0] if owner == root.application and path != bus.NULL_PATH]


@dataclass(slots=True)
class Walk:
    """One walk."""

    job: Job
    batch: Batch
    details: Details
    reading: Reading = field(default_factory=Reading)
    seen: set[str] = field(default_factory=set)
    oversized: list[Node] = field(default_factory=list)

    # ---- going down

    def start(self, paths: list[str]) -> None:
        """Read the toplevels and what lies below them."""
        self.seen.add(self.job.application.root.path)
        self.reading.tops = [node for path in paths if (node := self._new(path, None)) is not None]
        for node in self.reading.tops:
            self.visit(node)

    def _new(self, path: str, parent: Node | None) -> Node | None:
        """Make a node, unless it was met before or a limit is reached."""
        depth = parent.depth + 1 if parent else 1
        if path in self.seen:
            return None
        if len(self.seen) > self.job.limits.accessibles_max or depth > self.job.limits.depth_max:
            is_deep = depth > self.job.limits.depth_max
            limit = f"depth {self.job.limits.depth_max}" if is_deep else f"{self.job.limits.accessibles_max} objects"
            self.reading.miss(limit)
            return None
        self.seen.add(path)
        return Node(path=path, parent=parent, depth=depth)

    def visit(self, node: Node) -> None:
        """Read one accessible and what lies below it."""
        self.details.states(node, lambda: self._after_states(node))

    def _after_states(self, node: Node) -> None:
        node.is_gone = node.is_gone or State.DEFUNCT in node.states
        if node.is_gone:
            return
        if State.SHOWING in node.states or "states" in node.unread or self._may_be_viewport(node):
            self.details.basics(node, lambda: self._specifics(node))
            return
        self._prune(node)

    def _prune(self, node: Node) -> None:
        """Keep no more than the name of what does not show."""
        node.is_pruned = True
        parent = node.parent
        if parent is not None and parent.role(self.job.toolkit) in DROPPED_WHEN_HIDDEN:
            node.is_gone = True
            return
        node.is_seen = True
        self.details.role(node, lambda: self._name_hidden(node))
        self.details.property(node, "name", "Name", str, lambda: self._name_hidden(node))

    def _may_be_viewport(self, node: Node) -> bool:
        """Tell whether it may be the viewport of a scroll pane in view, whose word on whether it shows is void.

        Source:
            GTK 3 asks whether the viewport's own place is in view of the viewport itself; scrolled by more than its
            height, it says that it shows nowhere, while its content is right (measured, GTK 3.24.38).
        """
        parent = node.parent
        if parent is None or self.job.toolkit is not Toolkit.GTK3 or State.VISIBLE not in node.states:
            return False
        return parent.role(self.job.toolkit) is Role.SCROLL_PANE

    def _name_hidden(self, node: Node) -> None:
        """Name a row that is scrolled out of view after its first child: GTK 3 rows of labels have no name."""
        if self.job.toolkit is Toolkit.GTK3 and not node.name and node.role(self.job.toolkit) in NAMED_BY_CHILD:
            self.details.first_child_name(node)

    def _specifics(self, node: Node) -> None:
        if State.SHOWING not in node.states and self._may_be_viewport(node):
            if node.role(self.job.toolkit) is not Role.VIEWPORT:
                self._prune(node)
                return
            node.states |= {State.SHOWING}
        node.is_seen = True
        if node.is_gone or State.DEFUNCT in node.states:
            node.is_gone = True
            return
        if self._is_closed_without_size(node):  # its place first
            self.details.specifics(node, lambda: self._descend(node))
            if node.waiting == 0:
                self._descend(node)
            return
        self.details.specifics(node, lambda: None)
        self._descend(node)

    def _descend(self, node: Node) -> None:
        if node.is_pruned or not node.child_count:
            return
        has_no_size = node.extents is not None and node.extents.is_empty and node.parent is not None
        if has_no_size and self._is_closed_without_size(node):
            node.is_pruned = True
            return
        if not 0 < node.child_count <= self.job.limits.children_max:
            self._refuse(node)
            return
        self.details.children(node, lambda paths: self._adopt(node, paths))

    def _is_closed_without_size(self, node: Node) -> bool:
        """Tell whether nothing in it can be seen if it has no size, whatever its children say.

        Source:
            Qt keeps closed dialogs and lists so. LibreOffice keeps a second menu bar of its own so, beside that of
            GTK, whose menus say that they show (measured, 7.4).
        """
        return self.job.toolkit is Toolkit.QT or node.role(self.job.toolkit) is Role.MENU_BAR

    def _refuse(self, node: Node) -> None:
        if node.child_count is not None and node.child_count < 0 and self._is_menu(node):
            self.details.children(node, lambda paths: self._adopt(node, paths[: self.job.limits.children_max]))
            return
        self.oversized.append(node)

    def _is_menu(self, node: Node) -> bool:
        return node.role(self.job.toolkit) in {Role.MENU, Role.POPUP_MENU, Role.MENU_BAR}

    def _adopt(self, node: Node, paths: list[str]) -> None:
        if node.role(self.job.toolkit) in DROPPED_WHEN_HIDDEN and len(paths) > SAMPLED:
            self._if_open(node, paths, lambda: self._adopt_all(node, paths))
        else:
            self._adopt_all(node, paths)

    def _if_open(self, node: Node, paths: list[str], then: Callable[[], None]) -> None:
        """Go on with a menu's items if one of a few of them shows: a closed menu is not asked about them all."""
        sample = [Node(path=path, parent=node, depth=node.depth + 1) for path in paths[:: len(paths) // SAMPLED]]
        missing = len(sample)

        def count() -> None:
            nonlocal missing
            missing -= 1
            if missing == 0 and any(State.SHOWING in one.states or "states" in one.unread for one in sample):
                then()

        for one in sample:
            self.details.states(one, count)

    def _adopt_all(self, node: Node, paths: list[str]) -> None:
        for path in paths[: self.job.limits.children_max]:
            child = self._new(path, node)
            if child is not None:
                node.children.append(child)
                self.visit(child)

    # ---- the way back

    async def run(self) -> None:
        """Walk until everything is read or the deadline has come."""
        until = self.job.until
        paths = await toplevels(self.job)
        self.reading.toplevels = tuple(paths)
        self.start([path for path in paths if self.job.only is None or path in self.job.only])
        if not await self.batch.run(until):
            self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
        for node in () if self.details.lost else self.oversized:
            await self._read_visible(node, until)
        for node in self.reading.nodes() if self.job.toolkit is Toolkit.QT else ():
            if "Table" in node.interfaces and node not in self.oversized:
                arrange(node)

    async def _read_visible(self, node: Node, until: float) -> None:
        """Read what shows of something with too many children, and say what was left out."""
        limits = self.job.limits
        most = max(0, min(VISIBLE_MAX, limits.accessibles_max - len(self.seen)))
        part = await visible_part(self.job, node, most)
        self.reading.calls += part.calls
        if not part.is_whole:
            self.reading.miss(f"{most} visible children of one {native_role(node.role_number)}")
        await self._read_members(node, part, until)
        shown = sum(1 for child in node.children if not child.is_gone and (child.row is not None or part.size is None))
        rows, columns = part.size or (node.child_count if node.child_count is not None else -1, 1)
        self.reading.cuts.append(
            Cut(
                ref=NativeRef(application=self.job.owner, path=node.path),
                what=native_role(node.role_number),
                total=rows * columns,
                shown=shown,
                size=part.size,
            )
        )

    async def _read_members(self, node: Node, part: Part, until: float) -> None:
        """Read one of each column in full, then the others by what differs; drop what turns out not to show."""
        node.titles |= part.titles
        models: dict[int | None, Node] = {}
        likes: list[tuple[Node, Node]] = []
        for member in part.members:
            child = self._new(member.path, node)
            if child is None:
                continue
            child.row, child.column = member.row, member.column
            node.children.append(child)
            if member.row is not None and member.column in models:
                likes.append((child, models[member.column]))
            elif member.row is not None:
                models[member.column] = child
        alike = {child for child, _ in likes}
        await self._stage([partial(self.visit, child) for child in node.children if child not in alike], until)
        await self._stage([partial(self._visit_like, child, model) for child, model in likes], until)
        if self.job.toolkit is Toolkit.QT:
            arrange(node)
        area = area_of(node)
        for child in node.children:
            seen = area if child.row is None else part.area
            if seen is not None and "extents" not in child.unread:
                child.is_gone = child.is_gone or child.extents is None or child.extents.intersect(seen).is_empty

    async def _stage(self, visits: Sequence[Callable[[], None]], until: float) -> None:
        """Make visits in a batch of their own."""
        batch = Batch(self.job.line)
        self.details = self._details(batch)
        for visit in visits:
            visit()
        if not await batch.run(until):
            self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
        self.reading.calls += batch.calls

    def _visit_like(self, node: Node, model: Node) -> None:
        """Read a cell as far as it differs from one of its column."""
        if model.is_gone or model.child_count != 0 or model.unread:
            self.visit(node)
            return

        def compare() -> None:
            if node.states & LIKENESS != model.states & LIKENESS:
                self._after_states(node)
                return
            node.role_number, node.interfaces, node.child_count = model.role_number, model.interfaces, 0
            node.actions = dict(model.actions)
            self._specifics(node)

        self.details.states(node, compare)
        self.details.property(node, "name", "Name", str, compare)

    def _details(self, batch: Batch) -> Details:
        return Details(batch, self.job.owner, self.job.toolkit, text_max=self.job.limits.text_max)
