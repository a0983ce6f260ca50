"""The monitors of a display: which parts of the virtual desktop people see."""

from __future__ import annotations

from typing import Any

import xcffib
import xcffib.randr

from tactile.adapters.x11.display import Display
from tactile.records.geometry import Extents
from tactile.records.observation import Monitor, Screen

NAME = "RANDR"
VERSION = (1, 5)  # the first that has monitors
MONITORS_MAX = 32  # more is a fault
_RANDR: Any = xcffib.randr


def screen(display: Display) -> Screen:
    """Return the size of the virtual desktop and its monitors, left to right."""
    width, height = display.size()
    return Screen(width=width, height=height, monitors=_monitors(display))


def _monitors(display: Display) -> tuple[Monitor, ...]:
    """Return the active monitors; none on a server that does not say."""
    extension = _extension(display)
    if extension is None:
        return ()
    reply = extension.GetMonitors(display.root, True).reply()
    found = list(reply.monitors)[:MONITORS_MAX]
    asked = [display.core.GetAtomName(item.name) for item in found]
    monitors = [
        Monitor(
            name=_name(cookie),
            extents=Extents(x=item.x, y=item.y, width=item.width, height=item.height),
            is_primary=bool(item.primary),
        )
        for item, cookie in zip(found, asked, strict=True)
        if item.width and item.height
    ]
    return tuple(sorted(monitors, key=lambda item: (item.extents.x, item.extents.y)))


def _extension(display: Display) -> Any:
    if not display.core.QueryExtension(len(NAME), NAME).reply().present:
        return None
    extension = display.connection(_RANDR.key)
    version = extension.QueryVersion(*VERSION).reply()
    return extension if (version.major_version, version.minor_version) >= VERSION else None


def _name(cookie: Any) -> str:
    try:
        return bytes(cookie.reply().name.buf()).decode("utf-8", errors="replace")
    except xcffib.Error:
        return ""  # the monitor was removed meanwhile
