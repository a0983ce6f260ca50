"""What is kept between looks: read once, served while it holds, and never longer."""

from __future__ import annotations

import pytest

from tactile.adapters.fake.accessibility import HEARD_MAX
from tactile.errors import AppGoneError, AppUnresponsiveError, PlatformError
from tactile.records import AccessibleTree, Action, Extents, ReadLimits, Role, State
from tactile.runtime.applications import find, running
from tactile.runtime.mirror import APPS_MAX, Mirror
from tactile.runtime.refs import Numbers, Refs
from tactile.testing import FakeApp, FakeDesktop, FakeWindow, Widget, fake_ports
from tests.fake_form import FakeForm
from tests.runtime.desk import Desk

CARET = Extents(x=20, y=30, width=1, height=16)
SPINNER = Extents(x=100, y=100, width=40, height=40)
LIMITS = ReadLimits()


class Looker:
    """A mirror on a desktop with one application of two windows."""

    def __init__(self) -> None:
        self.desktop = FakeDesktop()
        self.first = FakeWindow(name="First", children=[Widget(role=Role.BUTTON, name="Go")], x=0)
        self.second = FakeWindow(name="Second", children=[Widget(role=Role.LABEL, name="0")], x=500)
        self.app = self.desktop.start("pair", self.first, self.second)
        self.ports = fake_ports(self.desktop)
        self.mirror = Mirror(self.ports)
        self.acts = 0

    async def look(self, app: FakeApp | None = None) -> AccessibleTree:
        """Look at an application."""
        entry, _ = find(str((app or self.app).pid), await running(self.ports), Refs(Numbers(lambda _count: 1)))
        (tree,) = (await self.mirror.look(entry, LIMITS, self.acts)).trees
        return tree

    async def names(self) -> list[str]:
        """Look and return the names of everything."""
        return [item.name for item in (await self.look()).accessibles]

    def read(self) -> list[list[str] | None]:
        """Return what was read since the last asking: None for all, else the windows' names."""
        windows = {self.app.ref(window): window.name for window in self.app.windows}
        done, self.app.reads = self.app.reads, []
        return [None if only is None else [windows[ref] for ref in only] for only in done]


@pytest.fixture
def looker() -> Looker:
    """Two windows side by side, and nobody has looked yet."""
    return Looker()


@pytest.fixture
async def seen(looker: Looker) -> Looker:
    """Two windows that were read once."""
    await looker.look()
    assert looker.read() == [None]
    return looker


async def test_an_unchanged_application_is_read_once(looker: Looker) -> None:
    """Issue 3, point 5: the second look costs the sweep alone."""
    first = await looker.look()
    second = await looker.look()

    assert looker.read() == [None]
    assert second.calls == 1
    assert second.accessibles is first.accessibles
    assert second.is_complete


async def test_a_changed_window_is_read_and_the_other_is_not(seen: Looker) -> None:
    """Issue 3, point 5: a dirty flag per window."""
    seen.first.children[0].rename("Gone")

    assert await seen.names() == ["First", "Gone", "Second", "0"]
    assert seen.read() == [["First"]]
    assert await seen.names() == ["First", "Gone", "Second", "0"]
    assert seen.read() == []


async def test_a_name_that_is_known_already_is_no_news(seen: Looker) -> None:
    """Measured: an icon view says its own name whenever it is asked for a child, so every read would make it dirty."""
    seen.first.children[0].changed("name", "Go")
    await seen.look()
    assert seen.read() == []

    seen.first.children[0].rename("Gone")
    assert "Gone" in await seen.names()


async def test_where_events_do_not_tell_all_everything_is_read(looker: Looker) -> None:
    """Facts 3.8: browsers change more than they say, so any event makes all of it doubtful."""
    looker.app.are_events_complete = False
    await looker.look()
    looker.first.children[0].rename("Gone")
    await looker.look()

    assert looker.read() == [None, None]


async def test_a_new_window_is_read_and_a_closed_one_is_left_out(seen: Looker) -> None:
    """Ports: a sweep names the toplevels there are now."""
    third = seen.app.open(FakeWindow(name="Third", x=900))
    assert (await seen.names())[-1] == "Third"
    third.close()
    assert "Third" not in await seen.names()

    assert seen.read()[0] is None  # the event is of something that nobody has seen yet


async def test_a_moved_window_is_read_though_it_says_nothing(seen: Looker) -> None:
    """Our choice: the window system is a witness of its own."""
    seen.first.x += 10
    await seen.look()

    assert seen.read() == [["First"]]


async def test_what_was_redrawn_is_read_though_it_says_nothing(seen: Looker) -> None:
    """Our choice: pixels are the second witness."""
    seen.second.children[0].name = "1"
    seen.second.draw(SPINNER)

    assert await seen.names() == ["First", "Go", "Second", "1"]
    assert seen.read() == [["Second"]]


async def test_a_place_that_is_redrawn_without_meaning_costs_one_read(seen: Looker) -> None:
    """Measured: GTK 3 redraws the whole field for every blink of its caret."""
    for _ in range(3):
        seen.second.draw(SPINNER)
        await seen.look()

    assert seen.read() == [["Second"]]


async def test_what_is_known_of_a_place_ends_with_the_tree_it_was_learned_with(seen: Looker) -> None:
    """Our choice: when something changed there, redrawing means something again."""
    seen.second.draw(SPINNER)
    await seen.look()
    seen.second.children[0].rename("1")
    await seen.look()
    seen.read()
    seen.second.draw(SPINNER)
    await seen.look()

    assert seen.read() == [["Second"]]


@pytest.mark.parametrize(("area", "reads"), [(CARET, [None]), (SPINNER, [None, None, None])])
async def test_where_events_do_not_tell_all_only_a_caret_is_let_blink(
    looker: Looker, area: Extents, reads: list[None]
) -> None:
    """Our choice: there, what is redrawn may be all there is to tell of a change."""
    looker.app.are_events_complete = False
    await looker.look()
    looker.read()
    for _ in range(3):
        looker.second.draw(area)
        await looker.look()

    assert looker.read() == reads


@pytest.mark.parametrize("how", ["covered", "minimised", "off the screen"])
async def test_what_is_out_of_sight_is_read_where_events_do_not_tell_all(looker: Looker, how: str) -> None:
    """Measured: what lies under another window is not drawn, so that no drawing proves nothing."""
    looker.app.are_events_complete = False
    if how == "covered":
        looker.desktop.start("other", FakeWindow(name="Other", x=40))
    elif how == "minimised":
        looker.first.is_minimised = True
    else:
        looker.first.x = -20
    await looker.look()
    await looker.look()

    assert looker.read() == [None, None]


async def test_after_an_act_everything_is_read(seen: Looker) -> None:
    """Our choice: cheap safety, whatever the application says of our own acts."""
    seen.acts += 1
    await seen.look()
    await seen.look()

    assert seen.read() == [None]


async def test_more_events_than_are_kept_mean_that_anything_may_have_changed(seen: Looker) -> None:
    """Bounds: on overflow nothing is taken for unchanged."""
    for number in range(HEARD_MAX + 1):
        seen.first.children[0].rename(str(number))

    assert str(HEARD_MAX) in await seen.names()
    assert seen.read() == [None]


async def test_a_lost_bus_makes_everything_doubtful(seen: Looker) -> None:
    """Nobody knows what happened in between."""
    entry, _ = find(str(seen.app.pid), await running(seen.ports), Refs(Numbers(lambda _count: 1)))
    seen.desktop.is_bus_lost = True
    with pytest.raises(PlatformError):
        await seen.mirror.look(entry, LIMITS, 0)
    seen.first.children[0].name = "Gone"  # in silence: nobody could listen
    seen.desktop.is_bus_lost = False

    assert "Gone" in await seen.names()
    assert seen.read() == [None]


async def test_a_stopped_application_is_not_served_from_memory(seen: Looker) -> None:
    """Case C61: the sweep asks whether it lives."""
    seen.app.is_hung = True
    with pytest.raises(AppUnresponsiveError):
        await seen.look()
    seen.app.is_hung = False
    seen.first.children[0].name = "Gone"

    assert "Gone" in await seen.names()
    assert seen.read() == [None]


async def test_an_ended_application_is_gone(seen: Looker) -> None:
    """Ports: AppGoneError; nothing is served from memory."""
    entry, _ = find(str(seen.app.pid), await running(seen.ports), Refs(Numbers(lambda _count: 1)))
    seen.app.quit()

    with pytest.raises(AppGoneError):
        await seen.mirror.look(entry, LIMITS, 0)


async def test_a_partial_tree_is_never_kept(looker: Looker) -> None:
    """Our choice: what was cut may be had the next time."""
    looker.first.children[0].children = [Widget(role=Role.LABEL, name=str(number)) for number in range(600)]
    for child in looker.first.children[0].children:
        child.parent = looker.first.children[0]

    assert not (await looker.look()).is_complete
    assert not (await looker.look()).is_complete
    assert looker.read() == [None, None]


async def test_the_trees_of_a_few_applications_are_kept_and_no_more(seen: Looker) -> None:
    """Bounds: the one that was not looked at for longest is forgotten, and no longer listened to."""
    others = [seen.desktop.start(f"app{n}", FakeWindow(name=f"App {n}", x=900)) for n in range(APPS_MAX)]
    assert len(seen.app.streams) == 1
    for other in others:
        await seen.look(other)
    assert seen.app.streams == []
    await seen.look()

    assert seen.read() == [None]


async def test_nothing_changed_is_told_in_few_words(desk: Desk, form: FakeForm) -> None:
    """Case C70: the difference to an earlier answer, from a tree that was not read again."""
    first = await desk.look()
    form.app.reads.clear()
    second = await desk.look(since=first.sight.observation.observation_id)
    form["Idle"].turn(State.ENABLED, False)
    third = await desk.look(since=first.sight.observation.observation_id)

    assert form.app.reads == [(form.app.ref(form.window),)]
    assert second.changes == ()
    assert len(second.text.encode()) < 1000
    assert [(line.sign, line.label) for line in third.changes or ()] == [("~", 'button "Idle"')]


async def test_the_look_before_an_act_is_not_a_read(desk: Desk, form: FakeForm) -> None:
    """An act reads the application anew only after it: what came before was just looked at."""
    await desk.look()
    form.app.reads.clear()
    await desk.act(Action.CLICK, 'button "Go"')

    assert 0 < len(form.app.reads) <= 2
