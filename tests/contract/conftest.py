"""Each behaviour of the contract is tested on the scripted desktop and on a real one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tactile.adapters import atspi, x11
from tactile.adapters import desktop as isolated
from tests.contract.worlds import APPS, FakeWorld, RealWorld, World

Real = tuple[isolated.Desktop, atspi.AtspiAdapter, x11.X11Adapter, Path, str]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapters are made for asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Real | None]:
    """None for the scripted desktop; one isolated desktop with both adapters connected, for a module.

    The parameter is `World.program`; each module says on which worlds its tests run.
    """
    if request.param == "fake":
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="contract-"))  # short: socket paths end at 107 characters
    options = isolated.DesktopOptions(read_only=(APPS,), read_write=(folder,), deadline_s=20.0)
    try:
        async with await isolated.start(options) as desktop:
            bus = await atspi.connect(desktop.session_bus, 5.0)
            device = await x11.connect(desktop.display, str(desktop.xauthority), 5.0, may_remap_all=True)
            yield desktop, bus, device, folder, request.param
            await device.close()
            await bus.close()
    finally:
        shutil.rmtree(folder)


@pytest.fixture
async def world(place: Real | None) -> AsyncIterator[World]:
    """A desktop with the form in front, started anew for each test."""
    if place is None:
        fake = FakeWorld()
        fake.app = await fake.start("Form3")
        yield fake
        return
    real = RealWorld(*place)
    try:
        real.app = await real.start("Form3")
        yield real
    finally:
        await real.end()
