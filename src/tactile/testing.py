"""Build a session on a scripted desktop, to test programs that use Tactile without a screen.

Example:
    A button that counts, pressed by its name; `folder` is a `Path` for the ledger, and all of it stands in an
    asynchronous function::

        desktop = FakeDesktop()
        status = Widget(role=Role.LABEL, name="0")
        button = Widget(role=Role.BUTTON, name="Go", on_press=lambda: status.rename("1"))
        desktop.start("Counter", FakeWindow(name="Counter", children=[button, status]))
        with fake_session(desktop, folder) as session:
            receipt = await session.act(
                ActionRequest(action=Action.CLICK, target=Locator(role=Role.BUTTON, name="Go"))
            )
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tactile.adapters.fake import (
    Event,
    FakeAccessibility,
    FakeApp,
    FakeDesktop,
    FakeDevice,
    FakeFiles,
    FakeLauncher,
    FakeWindow,
    Fault,
    VirtualClock,
    Widget,
    check_keys,
)
from tactile.runtime.desktop import Desktop
from tactile.runtime.ledger import Ledger
from tactile.runtime.refs import BLOCK, Numbers, Refs
from tactile.runtime.scene import Scene
from tactile.runtime.session import Session
from tactile.runtime.trace import NoTrace, TraceSink

__all__ = [
    "Event",
    "FakeApp",
    "FakeDesktop",
    "FakeWindow",
    "Fault",
    "VirtualClock",
    "Widget",
    "fake_ports",
    "fake_session",
]


def fake_ports(desktop: FakeDesktop, *, has_accessibility: bool = True) -> Desktop:
    """Return the ports of a scripted desktop.

    Args:
        desktop: The script.
        has_accessibility: False for a desktop where only windows and pixels are known.
    """
    device = FakeDevice(desktop)
    return Desktop(
        accessibility=FakeAccessibility(desktop) if has_accessibility else None,
        input=device,
        screen=device,
        launcher=FakeLauncher(desktop),
        files=FakeFiles(desktop),
        clock=desktop.clock,
        check_keys=check_keys,
        name="fake",
    )


@contextmanager
def fake_session(
    desktop: FakeDesktop, folder: Path, *, first_number: int = 1, trace: TraceSink | None = None
) -> Iterator[Session]:
    """Open a session on a scripted desktop; its ledger is `ledger.jsonl` in the folder.

    Args:
        desktop: The script; it can be changed at any time.
        folder: For the ledger; must exist.
        first_number: Where refs, observations and effects begin to count, for tests that need them to be known.
        trace: Where to record; None records nothing.

    Raises:
        TraceError: The ledger cannot be opened.
    """
    ledger = Ledger(folder / "ledger.jsonl")
    blocks = itertools.count(first_number, BLOCK)
    numbers = Numbers(lambda _count: next(blocks))
    scene = Scene(
        desktop=fake_ports(desktop), numbers=numbers, refs=Refs(numbers), ledger=ledger, trace=trace or NoTrace()
    )
    try:
        yield Session(scene)
    finally:
        ledger.end()
