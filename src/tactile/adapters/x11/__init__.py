"""X11: windows, pixels, pointer and keyboard of one display."""

from tactile.adapters.x11.adapter import X11Adapter, connect
from tactile.adapters.x11.keys import known_key

__all__ = ["X11Adapter", "connect", "known_key"]
