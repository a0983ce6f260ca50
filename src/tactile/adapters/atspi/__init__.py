"""The accessibility platform of Linux desktops: AT-SPI over D-Bus."""

from tactile.adapters.atspi.adapter import AtspiAdapter, connect

__all__ = ["AtspiAdapter", "connect"]
