"""How GTK 4 is read: nothing hidden, nothing missed, few messages; GTK itself says what it draws."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tactile.adapters.atspi import AtspiAdapter, connect
from tactile.adapters.desktop import Desktop, DesktopOptions, start
from tactile.errors import UnsupportedError
from tactile.records.accessible import Accessible, AccessibleTree, Application, ReadLimits
from tactile.records.vocabulary import Action, Role, State
from tests.apps.fixture_control import ask, read_log
from tests.e2e.desk import need_programs

APPS = Path(__file__).resolve().parents[1] / "apps"
OPTIONS = DesktopOptions(numbers=range(150, 170), read_only=(APPS,))
MESSAGES_MAX = 60  # of one look at gnome-calculator's window; the best of the others needs 512
KEYS = (*"0123456789", "=")
TURNS: dict[str, tuple[Any, ...]] = {
    "notebook": (1, 0),
    "stack": ("S2", "S1", "S3", "S1"),
    "switched": ("W2", "W1"),
    "slide": (False, True),
    "fade": (False, True),
    "expander": (False, True),
    "search": (False, True),
    "fruit": ("an", ""),
    "scroll": (0.5, 1.0, 0.0),
}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The adapter is made for asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
async def desktop() -> AsyncIterator[Desktop]:
    """One private desktop for the module."""
    running = await start(OPTIONS)
    yield running
    await running.stop()


@pytest.fixture(scope="module")
async def atspi(desktop: Desktop) -> AsyncIterator[AtspiAdapter]:
    """One connection, as a session has it."""
    adapter = await connect(desktop.session_bus, 5.0)
    yield adapter
    await adapter.close()


@dataclass(frozen=True, slots=True)
class Pages:
    """The running fixture."""

    atspi: AtspiAdapter
    application: Application
    log: Path
    control: Path

    async def read(self) -> AccessibleTree:
        """Read its tree."""
        return await self.atspi.read_tree(self.application.root, ReadLimits(deadline_s=10.0))

    def drawn(self) -> set[str]:
        """Return what GTK says that it draws."""
        return set(ask(self.control, do="drawn")["names"])

    async def shown(self, known: set[str]) -> tuple[set[str], AccessibleTree]:
        """Return what Tactile says that shows, of those names that GTK was asked about."""
        tree = await self.read()
        parts = [one for one in tree.accessibles if one.role in {Role.BUTTON, Role.LABEL}]
        return {one.name for one in parts if is_shown(one)} & known, tree

    async def settled(self, known: set[str]) -> tuple[set[str], set[str], AccessibleTree]:
        """Look until both accounts agree, or GTK has had time for its transitions."""
        end = time.monotonic() + 4
        while True:
            drawn = self.drawn()
            shown, tree = await self.shown(known)
            if drawn & known == shown or time.monotonic() > end:
                return drawn & known, shown, tree
            await asyncio.sleep(0.05)


def is_shown(one: Accessible) -> bool:
    """Tell whether an accessible shows, by its state and by its place; they must agree."""
    has_place = one.extents is not None and not one.extents.is_empty
    assert State.SHOWING not in one.states or has_place, one
    return State.SHOWING in one.states


async def appeared(atspi: AtspiAdapter, pid: int) -> Application:
    """Wait until a process is on the bus."""
    end = time.monotonic() + 15
    while True:
        for application in await atspi.applications(2.0):
            if application.pid == pid and application.is_responding:
                return application
        assert time.monotonic() < end, f"process {pid} did not come to the accessibility bus"
        await asyncio.sleep(0.05)


async def launch(desktop: Desktop, atspi: AtspiAdapter, layout: str) -> Pages:
    """Start the fixture."""
    log, control = desktop.home / f"{layout}.log", desktop.home / f"{layout}.sock"
    program = ["/usr/bin/python3", str(APPS / "gtk4_pages.py"), "--layout", layout]
    pid = await desktop.run([*program, "--log", str(log), "--control", str(control)])
    return Pages(atspi, await appeared(atspi, pid), log, control)


@pytest.fixture(scope="module")
async def pages(desktop: Desktop, atspi: AtspiAdapter) -> AsyncIterator[Pages]:
    """The fixture with pages, revealers, a filter and a list."""
    running = await launch(desktop, atspi, "form")
    yield running
    ask(running.control, do="quit")


@pytest.fixture(scope="module")
def names(pages: Pages) -> set[str]:
    """Every name GTK can be asked about."""
    return set(ask(pages.control, do="names")["names"])


@pytest.mark.parametrize("what", list(TURNS))
async def test_only_what_gtk_draws_shows_and_all_of_it(pages: Pages, names: set[str], what: str) -> None:
    """Issue: recall 100 %, no hidden thing shown, also after pages were turned there and back."""
    for to in TURNS[what]:
        ask(pages.control, do="turn", what=what, to=to)
        drawn, shown, tree = await pages.settled(names)
        assert shown == drawn, (what, to)
        assert tree.is_complete


async def test_a_long_list_gives_its_visible_rows_and_how_many_there_are(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """Issue: the visible part plus totals in bounded messages; listing 3,000 rows stops GTK 4.8 for seconds."""
    long = await launch(desktop, atspi, "list")
    names = set(ask(long.control, do="names")["names"])
    for share in (0.0, 0.5, 1.0):
        ask(long.control, do="turn", what="scroll", to=share)
        drawn, shown, tree = await long.settled(names)
        assert shown == drawn, share
        assert sum(name.startswith("Line ") for name in shown) > 5
        assert "Slide button" in shown  # what lies beside the list arrives
        assert [cut.total for cut in tree.cuts] == [3000]
        assert tree.calls < 1500
    ask(long.control, do="quit")


async def test_what_is_added_is_there_at_the_next_look(pages: Pages) -> None:
    """GTK 4.8 says nothing of a new widget: neither an event nor an item of its cache."""
    await pages.read()
    ask(pages.control, do="add", name="Newcomer")

    found = [one for one in (await pages.read()).accessibles if one.name == "Newcomer" and one.role is Role.BUTTON]
    assert len(found) == 1
    assert Action.PRESS in {offer.action for offer in found[0].offers}


async def test_an_action_taken_over_from_others_alike_is_looked_up_before_it_is_done(pages: Pages) -> None:
    """Our choice: action names are asked of one of a kind; what only looks alike is refused, and nothing happens."""
    tree = await pages.read()
    key = next(one for one in tree.accessibles if one.name == "K5" and one.role is Role.BUTTON)
    other = next(one for one in tree.accessibles if one.name == "Lookalike" and one.role is Role.BUTTON)
    press = next(offer.primitive for offer in key.offers if offer.action is Action.PRESS)

    with pytest.raises(UnsupportedError):
        await pages.atspi.perform(other.ref, press, "", 5.0)
    await pages.atspi.perform(key.ref, press, "", 5.0)

    end = time.monotonic() + 5
    while not (clicks := [line["widget"] for line in read_log(pages.log) if line["event"] == "click"]):
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
    assert clicks == ["K5"]


async def test_a_calculator_is_read_whole_in_sixty_messages(desktop: Desktop, atspi: AtspiAdapter) -> None:
    """Issue: at most 60 messages for gnome-calculator's window, once GTK has built its objects."""
    need_programs("gnome-calculator")
    pid = await desktop.run(["gnome-calculator"])
    application = await appeared(atspi, pid)
    end = time.monotonic() + 10
    keys: set[str] = set()
    while not keys.issuperset(KEYS):
        assert time.monotonic() < end, keys
        tree = await atspi.read_tree(application.root, ReadLimits(deadline_s=10.0))
        presses = [one for one in tree.accessibles if any(offer.action is Action.PRESS for offer in one.offers)]
        keys = {one.name for one in presses if is_shown(one)}

    tree = await atspi.read_tree(application.root, ReadLimits(deadline_s=10.0))

    assert tree.is_complete
    assert tree.calls <= MESSAGES_MAX
    await desktop.run(["kill", str(pid)])
