"""Trees kept between looks, so that a window that has not changed is not read again; never served stale."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field, replace

from tactile.ports import AccessibilityPort, Sweep, Watch
from tactile.records import AccessibleTree, NativeRef, ReadLimits, Screen, Window
from tactile.runtime.applications import AppEntry
from tactile.runtime.desktop import Desktop
from tactile.runtime.doubt import Drawn, Glance, Kept, doubtful, idle_after, joined, without

APPS_MAX = 8  # applications whose trees are kept; a tree has at most some thousand objects
REST_S = 0.05  # what a read gets at least, however long the sweep before it took


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Windows and trees of one moment; one tree for each root of the application."""

    windows: tuple[Window, ...]
    screen: Screen
    trees: tuple[AccessibleTree, ...]


@dataclass(slots=True, kw_only=True)
class _Image:
    """What is kept of one application.

    Attributes:
        acts: Acts begun when it was last read.
        followed: Its windows whose drawing is followed.
    """

    watches: dict[NativeRef, Watch]
    kept: dict[NativeRef, Kept] = field(default_factory=dict)
    acts: int = -1
    followed: tuple[int, ...] = ()
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def close(self) -> None:
        """Stop listening."""
        for watch in self.watches.values():
            watch.close()


class Mirror:
    """The last complete tree of each application, and what was heard of it since.

    A tree is given again only when three witnesses agree that it still holds: the application's events, up to the
    answer of a call made now; its windows; and what was redrawn of them.
    """

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop
        self._images: OrderedDict[tuple[NativeRef, ...], _Image] = OrderedDict()

    async def look(self, entry: AppEntry, limits: ReadLimits, acts: int) -> View:
        """Return windows and trees of one application as they are now.

        Args:
            entry: The application.
            limits: Of a read, the sweep before it included.
            acts: How many acts were begun in this session; after one, everything is read again.

        Raises:
            AppUnresponsiveError: It does not answer, however much of it is kept.
            AppGoneError: It has left the bus.
            PlatformError: The bus or the window system does not answer.
        """
        port, screen = self._desktop.accessibility, self._desktop.screen
        if port is None or not entry.roots:
            windows, size = await asyncio.gather(screen.windows(), screen.screen())
            return View(windows=windows, screen=size, trees=())
        image = self._image(port, tuple(root.root for root in entry.roots))
        async with image.lock:
            try:
                return await self._look(port, entry, image, limits, acts)
            except BaseException:
                image.kept.clear()  # what was told is told only once
                raise

    def _image(self, port: AccessibilityPort, roots: tuple[NativeRef, ...]) -> _Image:
        if roots not in self._images:
            self._images[roots] = _Image(watches={root: port.watch(root) for root in roots})
        self._images.move_to_end(roots)
        while len(self._images) > APPS_MAX:
            self._images.popitem(last=False)[1].close()
        return self._images[roots]

    async def _look(
        self, port: AccessibilityPort, entry: AppEntry, image: _Image, limits: ReadLimits, acts: int
    ) -> View:
        clock, start_s = self._desktop.clock, self._desktop.clock.now_s()
        screen = self._desktop.screen
        windows, size, drawn, sweeps = await asyncio.gather(
            screen.windows(), screen.screen(), screen.drawn(image.followed), self._sweep(image, limits.deadline_s)
        )
        own = tuple(window for window in windows if window.pid is not None and window.pid == entry.pid)
        await self._follow(image, own)
        if image.acts != acts:
            image.kept.clear()
        glances = {
            root: Glance(windows=windows, own=own, screen=size, drawn=drawn, sweep=sweep)
            for root, sweep in sweeps.items()
        }
        rest = replace(limits, deadline_s=max(limits.deadline_s - (clock.now_s() - start_s), REST_S))
        trees = await asyncio.gather(*(_renewed(port, root, image, glance, rest) for root, glance in glances.items()))
        image.acts = acts
        return View(windows=windows, screen=size, trees=tuple(trees))

    async def _sweep(self, image: _Image, deadline_s: float) -> dict[NativeRef, Sweep]:
        sweeps = await asyncio.gather(*(watch.changed(deadline_s) for watch in image.watches.values()))
        return dict(zip(image.watches, sweeps, strict=True))

    async def _follow(self, image: _Image, own: tuple[Window, ...]) -> Drawn:
        """Have the drawing of new windows followed from before they are read."""
        new = [window.native_id for window in own if window.native_id not in image.followed]
        image.followed = tuple(window.native_id for window in own)
        return await self._desktop.screen.drawn(new) if new else {}


async def _renewed(
    port: AccessibilityPort, root: NativeRef, image: _Image, glance: Glance, limits: ReadLimits
) -> AccessibleTree:
    """Return the tree as it is now, reading what is in doubt."""
    kept = image.kept.pop(root, None)
    doubts = None if kept is None else doubtful(kept, glance)
    if kept is not None and doubts is not None and not doubts:
        tree = replace(without(kept.tree, glance.sweep.toplevels), calls=1, elapsed_s=0.0)
        image.kept[root] = Kept(tree=tree, own=glance.own, idle=kept.idle)
        return tree
    tree = await _read(port, root, kept, doubts, limits)
    if tree.is_complete:
        idle = {} if kept is None else idle_after(kept, glance, tree)
        image.kept[root] = Kept(tree=tree, own=glance.own, idle=idle)
    return tree


async def _read(
    port: AccessibilityPort,
    root: NativeRef,
    kept: Kept | None,
    doubts: frozenset[NativeRef] | None,
    limits: ReadLimits,
) -> AccessibleTree:
    """Read what is in doubt and put it to the rest; the sweep counts as a call, too."""
    calls = 1
    if kept is not None and doubts is not None:
        part = await port.read_tree(root, limits, doubts)
        calls += part.calls
        whole = joined(kept.tree, part, doubts)
        if whole is not None:
            return replace(whole, calls=calls)
    tree = await port.read_tree(root, limits)
    return replace(tree, calls=tree.calls + calls)
