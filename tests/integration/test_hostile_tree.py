"""Applications that lie about their own tree: the read stays bounded, harms nobody, and says what it did not get."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tactile.adapters.atspi import AtspiAdapter, connect
from tactile.adapters.desktop import Desktop, DesktopOptions, start
from tactile.errors import PlatformError
from tactile.records.accessible import AccessibleTree, Application, NativeRef, ReadLimits
from tactile.records.vocabulary import Role
from tests.apps.hostile_tree import LOUD, MODES, Hostile

LIMITS = ReadLimits(deadline_s=1.5, accessibles_max=1000)
SLACK_S = 2.0  # for a busy machine to notice that the deadline has come
TOOLKITS = ("gtk", "GTK", "Qt", "Chromium", "something new")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
async def desktop() -> AsyncIterator[Desktop]:
    """One private desktop for the module."""
    async with await start(DesktopOptions(numbers=range(150, 170))) as running:
        yield running


@pytest.fixture(scope="module")
async def atspi(desktop: Desktop) -> AsyncIterator[AtspiAdapter]:
    """One connection for all, so that each test shows that the one before did it no harm."""
    adapter = await connect(desktop.session_bus, 5.0)
    yield adapter
    await adapter.close()


async def _read(atspi: AtspiAdapter, hostile: Hostile, address: str) -> AccessibleTree | PlatformError:
    owner = await hostile.start(address)
    root = NativeRef(application=owner, path="/org/a11y/atspi/accessible/root")
    loop = asyncio.get_running_loop()
    await atspi.applications(1.0)
    listed = loop.time()
    try:
        return await atspi.read_tree(root, LIMITS)
    except PlatformError as problem:
        return problem
    finally:
        assert loop.time() - listed < LIMITS.deadline_s + SLACK_S
        hostile.stop()


@pytest.mark.parametrize("toolkit", TOOLKITS)
@pytest.mark.parametrize("mode", MODES)
async def test_a_lying_application_is_read_within_its_bounds(
    desktop: Desktop, atspi: AtspiAdapter, mode: str, toolkit: str
) -> None:
    """Whatever it answers: a bounded tree or a typed refusal, and the next application is read as before."""
    honest = Hostile("honest", toolkit)
    victim = await honest.start(desktop.accessibility_bus)
    hostile = Hostile(mode, toolkit, victim=victim)

    found = await _read(atspi, hostile, desktop.accessibility_bus)

    if isinstance(found, AccessibleTree):
        refs = [one.ref for one in found.accessibles]
        assert len(refs) == len(set(refs)) <= LIMITS.accessibles_max
        assert {one.ref.application for one in found.accessibles} <= {found.application.root.application}
        is_cut = mode in {"deep", "wide", "silent"} or (mode == "leaves" and len(refs) < 201)
        assert not (found.is_complete and is_cut)
    else:
        assert mode in {"garbage", "silent", "leaves", "wide", "boast"}, found
        assert found.hint
    asked = honest.asked
    tree = await atspi.read_tree(NativeRef(application=victim, path="/org/a11y/atspi/accessible/root"), LIMITS)
    names = sorted(one.name for one in tree.accessibles if one.role is Role.BUTTON)
    assert names == ["Thing b0", "Thing b1", "Thing b2"]
    assert honest.asked > asked  # the positive control: it is this application that was read
    honest.stop()


async def test_a_name_of_a_hundred_thousand_signs_comes_in_whole_and_is_cut_for_the_reader(
    desktop: Desktop, atspi: AtspiAdapter
) -> None:
    """What a name costs further on is bounded where it is rendered; here it must not break the read."""
    found = await _read(atspi, Hostile("loud", "gtk"), desktop.accessibility_bus)

    assert isinstance(found, AccessibleTree)
    assert max(len(one.name) for one in found.accessibles) <= LOUD


async def test_a_hundred_silent_applications_do_not_hold_up_the_list(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """A hundred connections that never answer: the list comes within its deadline and names the honest one."""
    silent = [Hostile("silent", "gtk") for _ in range(100)]
    for one in silent:
        await one.start(desktop.accessibility_bus)
    honest = Hostile("honest", "gtk")
    owner = await honest.start(desktop.accessibility_bus)

    listed: tuple[Application, ...] = await atspi.applications(2.0)

    assert any(one.root.application == owner and one.is_responding for one in listed)
    for one in (*silent, honest):
        one.stop()
