"""What was redrawn of a window since it was last asked, as the DAMAGE extension keeps it in the server."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import Any

import xcffib
import xcffib.damage
import xcffib.xfixes

from tactile.adapters.x11.display import Display
from tactile.records.geometry import Extents

WINDOWS_MAX = 128  # windows whose drawing is followed; of a forgotten one everything counts as redrawn
AREAS_MAX = 32  # rectangles told of one window; more become their bounding box
# xcffib says it is typed and is not; strict checking would refuse every call.
_DAMAGE: Any = xcffib.damage
_XFIXES: Any = xcffib.xfixes
_VERSIONS = ((_DAMAGE, "DAMAGE", 1, 1), (_XFIXES, "XFIXES", 2, 0))  # regions came with XFIXES 2


class Drawing:
    """The windows that are followed; one for a connection, its methods only on the worker thread.

    Source:
        Damage of a window counts what its children draw, and nothing where other windows lie over it (measured on
        Xvfb and Xvnc: the server clips before it notes).
    """

    def __init__(self) -> None:
        self._known: OrderedDict[int, int] = OrderedDict()
        self._damage: Any = None
        self._fixes: Any = None
        self._region = 0
        self._is_missing = False

    def since_last(self, display: Display, windows: Collection[int]) -> Mapping[int, tuple[Extents, ...] | None]:
        """Return the areas redrawn since the last asking, relative to each window's corner.

        Args:
            display: The connection.
            windows: Native ids.

        Returns:
            None for a window that was not followed before, or that cannot be: all of it may be new.
        """
        asked = tuple(windows)[:WINDOWS_MAX]
        if not self._is_open(display):
            return dict.fromkeys(windows)
        fetched = {window: self._fetch(window) for window in asked if window in self._known}
        found: dict[int, tuple[Extents, ...] | None] = dict.fromkeys(windows)
        for window, cookies in fetched.items():
            found[window] = _areas(*cookies)
            if found[window] is None:
                self._known.pop(window)  # the window ended and its number came again
        self._follow(display, [window for window in asked if window not in self._known])
        return found

    def _is_open(self, display: Display) -> bool:
        if self._damage is None and not self._is_missing:
            damage, fixes = (_extension(display, *version) for version in _VERSIONS)
            self._is_missing = damage is None or fixes is None
            if not self._is_missing:
                self._damage, self._fixes = damage, fixes
                self._region = display.connection.generate_id()
                fixes.CreateRegion(self._region, 0, [])
        return not self._is_missing

    def _fetch(self, window: int) -> tuple[Any, Any]:
        self._known.move_to_end(window)
        taken = self._damage.Subtract(self._known[window], 0, self._region, is_checked=True)
        return taken, self._fixes.FetchRegion(self._region)

    def _follow(self, display: Display, windows: Collection[int]) -> None:
        level = _DAMAGE.ReportLevel.NonEmpty  # at most one event between two askings, and those are thrown away
        created = {}
        for window in windows:
            number = display.connection.generate_id()
            created[window] = number, self._damage.Create(number, window, level, is_checked=True)
            self._damage.Subtract(number, 0, 0)  # a new one begins with the whole window
        for window, (number, cookie) in created.items():
            try:
                cookie.check()
            except xcffib.Error:
                continue  # the window ended meanwhile
            self._known[window] = number
        while len(self._known) > WINDOWS_MAX:
            _, number = self._known.popitem(last=False)
            self._damage.Destroy(number)


def _extension(display: Display, module: Any, name: str, major: int, minor: int) -> Any:
    if not display.core.QueryExtension(len(name), name).reply().present:
        return None
    extension = display.connection(module.key)
    version = extension.QueryVersion(major, minor).reply()  # it must be asked before anything else is
    return extension if (version.major_version, version.minor_version) >= (major, minor) else None


def _areas(taken: Any, fetched: Any) -> tuple[Extents, ...] | None:
    try:
        taken.check()
    except xcffib.Error:
        fetched.reply()  # of another window; the answer must not stay in the line
        return None
    region = fetched.reply()
    boxes = region.rectangles if len(region.rectangles) <= AREAS_MAX else [region.extents]
    return tuple(Extents(x=box.x, y=box.y, width=box.width, height=box.height) for box in boxes)
