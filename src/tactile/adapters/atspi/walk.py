"""A guarded walk over native objects that descends only into what shows."""

from __future__ import annotations

from dataclasses import dataclass, field

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Batch, Call
from tactile.adapters.atspi.details import Details
from tactile.adapters.atspi.gtk4 import Cached, cached_items
from tactile.adapters.atspi.node import Node
from tactile.adapters.atspi.reading import Job, Reading
from tactile.adapters.atspi.roles import Toolkit, native_role
from tactile.adapters.atspi.virtual import visible_children
from tactile.records.accessible import Cut, NativeRef
from tactile.records.vocabulary import Role, State

DROPPED_WHEN_HIDDEN = frozenset({Role.MENU, Role.POPUP_MENU})  # a closed menu is listed, its items are not

NAMED_BY_CHILD = frozenset({Role.LIST_ITEM, Role.TREE_ITEM})


async def read(job: Job) -> Reading:
    """Read an application by walking down from its toplevels."""
    batch = Batch(job.line)
    walk = Walk(job, batch, Details(batch, job.owner, job.toolkit, text_max=job.limits.text_max))
    await walk.run()
    walk.reading.lost = walk.details.lost
    walk.reading.calls += batch.calls
    return walk.reading


@dataclass(slots=True)
class Walk:
    """One walk."""

    job: Job
    batch: Batch
    details: Details
    reading: Reading = field(default_factory=Reading)
    cached: dict[str, Cached] = field(default_factory=dict)
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
        cached = self.cached.get(node.path)
        if cached is not None:
            cached.fill(node)
            if node.is_outside:  # its place is known to be out of view: only what costs nothing
                node.is_seen = True
                self._descend(node)
                return
            self._specifics(node)
        elif self.job.toolkit is Toolkit.GTK4:
            self.details.states(node, lambda: None)
            self.details.basics(node, lambda: self._specifics(node))
        else:
            self.details.states(node, lambda: self._after_states(node))

    def _after_states(self, node: Node) -> None:
        node.is_gone = node.is_gone or State.DEFUNCT in node.states
        if node.is_gone:
            return
        if State.SHOWING in node.states or "states" in node.unread:
            self.details.basics(node, lambda: self._specifics(node))
            return
        node.is_pruned = True
        parent = node.parent
        if parent is not None and parent.role(self.job.toolkit) in DROPPED_WHEN_HIDDEN:
            node.is_gone = True
            return
        node.is_seen = True
        self.details.role(node, lambda: self._name_hidden(node))
        self.details.property(node, "name", "Name", str, lambda: self._name_hidden(node))

    def _name_hidden(self, node: Node) -> None:
        """Name a row that is scrolled out of view after its first child: GTK 3 rows of labels have no name."""
        if self.job.toolkit is Toolkit.GTK3 and not node.name and node.role(self.job.toolkit) in NAMED_BY_CHILD:
            self.details.first_child_name(node)

    def _specifics(self, node: Node) -> None:
        node.is_seen = True
        if node.is_gone or State.DEFUNCT in node.states:
            node.is_gone = True
            return
        # Extents first: on Qt what has no size is closed, however much its children SHOW; GTK 4's SHOWING says
        # nothing, so what lies out of a scroll pane's view is told by its place.
        if self.job.toolkit is Toolkit.QT or node.scroller is not None:
            self.details.specifics(node, lambda: self._descend(node))
            if node.waiting == 0:
                self._descend(node)
            return
        self.details.specifics(node, lambda: None)
        self._descend(node)

    def _descend(self, node: Node) -> None:
        if node.scroller is not None and node.extents is not None and node.scroller.extents is not None:
            node.is_outside = node.extents.intersect(node.scroller.extents).is_empty
        if node.is_pruned or not node.child_count:
            return
        node_is_closed = node.extents is not None and node.extents.is_empty and node.parent is not None
        if self.job.toolkit is Toolkit.QT and node_is_closed:
            node.is_pruned = True
            return
        if not 0 < node.child_count <= self.job.limits.children_max:
            self._refuse(node)
            return
        known = self._known_children(node)
        if known is not None:
            self._adopt(node, known)
        else:
            self.details.children(node, lambda paths: self._adopt(node, paths))

    def _known_children(self, node: Node) -> list[str] | None:
        """Return the children if the application's cache names all of them."""
        cached = self.cached.get(node.path)
        if cached is None or len(cached.children) != node.child_count:
            return None
        return cached.children

    def _refuse(self, node: Node) -> None:
        if node.child_count is not None and node.child_count < 0 and self._is_menu(node):
            self.details.children(node, lambda paths: self._adopt(node, paths[: self.job.limits.children_max]))
            return
        self.oversized.append(node)

    def _is_menu(self, node: Node) -> bool:
        return node.role(self.job.toolkit) in {Role.MENU, Role.POPUP_MENU, Role.MENU_BAR}

    def _adopt(self, node: Node, paths: list[str]) -> None:
        for path in paths[: self.job.limits.children_max]:
            if node.is_outside and path not in self.cached:
                continue
            child = self._new(path, node)
            if child is not None:
                self._place(child, node)
                node.children.append(child)
                self.visit(child)

    def _place(self, child: Node, parent: Node) -> None:
        if self.job.toolkit is Toolkit.GTK4:
            is_scroller = parent.role(self.job.toolkit) in {Role.SCROLL_PANE, Role.VIEWPORT}
            child.scroller = parent if is_scroller else parent.scroller
            child.is_outside = parent.is_outside

    # ---- the way back

    async def run(self) -> None:
        """Walk until everything is read or the deadline has come."""
        until = self.job.until
        if self.job.toolkit is Toolkit.GTK4:
            self.cached = await cached_items(self.job.line, self.job.owner, until)
        paths = await self._toplevels(until)
        self.reading.toplevels = tuple(paths)
        self.start([path for path in paths if self.job.only is None or path in self.job.only])
        if not await self.batch.run(until):
            self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
        for node in () if self.details.lost else self.oversized:
            await self._read_visible(node, until)

    async def _toplevels(self, until: float) -> list[str]:
        root = self.job.application.root
        body, error = await self.job.line.call(Call(root.application, root.path, bus.ACCESSIBLE, "GetChildren"), until)
        if body is None:
            raise bus.error_of(error, f'read the windows of "{self.job.application.name or root.application}"')
        return [path for owner, path in body[0] if owner == root.application and path != bus.NULL_PATH]

    async def _read_visible(self, node: Node, until: float) -> None:
        """Read what shows of something with too many children, and say what was left out."""
        owner = self.job.owner
        known = await self._gtk4_children(node, until) if self.job.toolkit is Toolkit.GTK4 else []
        paths = await visible_children(self.job.line, node, owner, known, self.job.limits, until)
        batch = Batch(self.job.line)
        self.details = self._details(batch)
        self._adopt(node, paths)
        if not await batch.run(until):
            self.reading.miss(f"the deadline of {self.job.limits.deadline_s:g} s")
        self.reading.calls += batch.calls
        shown = sum(1 for child in node.children if not child.is_gone)
        total = node.child_count if node.child_count is not None else -1
        ref = NativeRef(application=owner, path=node.path)
        self.reading.cuts.append(Cut(ref=ref, what=native_role(node.role_number), total=total, shown=shown))

    async def _gtk4_children(self, node: Node, until: float) -> list[str]:
        """Return all children: GTK 4 has no virtual ones, its list views expose the rows that exist."""
        known = self._known_children(node)
        if known is not None or node.child_count is None or node.child_count > self.job.limits.accessibles_max:
            return known or []
        owner = self.job.owner
        body, _ = await self.job.line.call(Call(owner, node.path, bus.ACCESSIBLE, "GetChildren"), until)
        return [path for _, path in body[0]] if body else []

    def _details(self, batch: Batch) -> Details:
        return Details(batch, self.job.owner, self.job.toolkit, text_max=self.job.limits.text_max)
