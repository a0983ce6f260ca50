"""A scripted desktop in memory, with virtual time and faults on demand: every port, for tests without a screen."""

from __future__ import annotations

from tactile.adapters.fake.accessibility import FakeAccessibility
from tactile.adapters.fake.clock import VirtualClock
from tactile.adapters.fake.device import FakeDevice
from tactile.adapters.fake.keys import check_keys
from tactile.adapters.fake.model import Event, FakeApp, FakeDesktop, FakeWindow, Fault, Widget
from tactile.adapters.fake.surroundings import FakeFiles, FakeLauncher

__all__ = [
    "Event",
    "FakeAccessibility",
    "FakeApp",
    "FakeDesktop",
    "FakeDevice",
    "FakeFiles",
    "FakeLauncher",
    "FakeWindow",
    "Fault",
    "VirtualClock",
    "Widget",
    "check_keys",
]
