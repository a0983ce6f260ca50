"""Private desktops: X server, window manager and accessibility bus that belong to one caller and end with it."""

from __future__ import annotations

from tactile.adapters.desktop.doctor import Check, probe
from tactile.adapters.desktop.handle import Desktop
from tactile.adapters.desktop.isolated import start
from tactile.adapters.desktop.options import DesktopOptions

__all__ = ["Check", "Desktop", "DesktopOptions", "probe", "start"]
