"""Observing and opening on the scripted desktop."""

from __future__ import annotations

import pytest

from tactile.errors import AppUnresponsiveError, RequestError, ResolveError
from tactile.records import Failure, Role, Status, Verdict
from tactile.runtime.ledger import unfinished
from tactile.testing import FakeApp, FakeWindow, Widget
from tests.apps.fixture_control import CANARY
from tests.fake_form import FakeForm, start_form
from tests.runtime.desk import Desk


async def test_a_state_lists_what_shows_and_keeps_its_refs(desk: Desk, form: FakeForm) -> None:
    """Design: the same thing keeps its ref."""
    first, second = await desk.ref("Go"), await desk.ref("Go")
    state = await desk.look()

    assert first == second
    assert f'{first} button "Go"' in state.text
    assert state.window_title == "Form3"


async def test_a_secret_is_not_in_the_state(desk: Desk, form: FakeForm) -> None:
    """Design: password content is never read."""
    state = await desk.look()

    assert CANARY not in state.text
    assert CANARY not in repr(state)


async def test_only_changes_are_listed_since_an_observation(desk: Desk, form: FakeForm) -> None:
    """Design: since."""
    state = await desk.look()
    form["Status"].rename("gone 1")

    later = await desk.look(since=state.sight.observation.observation_id)

    assert later.changes is not None
    assert [line.sign for line in later.changes] == ["~"]


async def test_a_query_finds_what_is_scrolled_away(desk: Desk, form: FakeForm) -> None:
    """Design: query."""
    state = await desk.look(query="row 29")

    assert 'list_item "Row 29"' in state.text


async def test_a_list_is_folded_and_expanded(desk: Desk, form: FakeForm) -> None:
    """Design: expand."""
    rows = await desk.ref("Rows")

    state = await desk.look(expand=rows)

    assert len([ref for ref in state.listed if "Row " in str(state.candidates.by_ref(ref))]) >= 30


@pytest.mark.parametrize("word", ["form", "FORM", "Form3", "1001"])
async def test_an_application_is_found_by_name_title_and_pid(desk: Desk, form: FakeForm, word: str) -> None:
    """Design: app accepts a name, a pid or a window id."""
    start_form(desk.desktop, "Second").app.name = "second"

    state = await desk.look(word)

    assert state.entry.pid == form.app.pid


async def test_two_applications_of_one_name_are_refused_and_both_are_named(desk: Desk, form: FakeForm) -> None:
    """Our choice: ambiguity is an error."""
    start_form(desk.desktop, "Second")

    with pytest.raises(ResolveError) as caught:
        await desk.look("form")

    assert caught.value.code == Failure.TARGET_AMBIGUOUS
    assert len(caught.value.diagnosis.near_misses) == 2


async def test_an_unknown_application_is_refused_with_those_that_run(desk: Desk, form: FakeForm) -> None:
    """Issue: bad input."""
    with pytest.raises(RequestError) as caught:
        await desk.look("nonesuch")

    assert any("form" in near for near in caught.value.diagnosis.near_misses)


async def test_one_window_of_two_of_the_same_name_is_observed_by_its_ref(desk: Desk) -> None:
    """Issue: two windows of the same name."""
    left = FakeWindow(name="Twin", x=50, children=[Widget(role=Role.BUTTON, name="Left")])
    right = FakeWindow(name="Twin", x=600, children=[Widget(role=Role.BUTTON, name="Right")])
    desk.desktop.start("twins", left, right)
    running = await desk.session.apps()
    refs = desk.session.window_refs(running.windows)

    state = await desk.look(refs[left.key])

    assert '"Left"' in state.text
    assert '"Right"' not in state.text


async def test_a_hung_application_is_reported_and_the_others_are_not_held_up(desk: Desk, form: FakeForm) -> None:
    """Issue: a hung application never delays the others."""
    form.app.is_hung = True
    start_form(desk.desktop, "Second").app.name = "second"
    start_s = desk.desktop.clock.now_s()

    state = await desk.look("second")

    assert state.window_title == "Second"
    assert desk.desktop.clock.now_s() - start_s <= 1.0
    with pytest.raises(AppUnresponsiveError):
        await desk.look("form")


async def test_an_application_off_the_bus_is_seen_by_its_windows(desk: Desk, form: FakeForm) -> None:
    """Design: windows only."""
    form.app.is_on_bus = False

    state = await desk.look("form")

    assert state.entry.accessible == "none"
    assert "no accessibility" in state.text


def opens_after(desk: Desk, seconds: float) -> None:
    """Let the script know a program whose window comes late."""

    def start() -> FakeApp:
        app = desk.desktop.start("late")
        window = FakeWindow(name="Late", children=[Widget(role=Role.BUTTON, name="Hello")])
        desk.desktop.clock.after(seconds, lambda: app.open(window))
        return app

    desk.desktop.programs["late"] = start


@pytest.mark.parametrize("seconds", [0.0, 3.0])
async def test_opening_waits_for_the_window(desk: Desk, seconds: float) -> None:
    """Design: open_app returns when the first window is up and its tree is stable."""
    opens_after(desk, seconds)

    receipt = await desk.session.open_app("late", ["--flag"])

    assert receipt.verdict is Verdict.CONFIRMED
    assert desk.values("launch") == [("late", "--flag")]
    assert unfinished(desk.ledger) == ()
    await desk.click('button "Hello"')
    assert desk.kinds()[-1] == ("click", "Hello")


async def test_a_program_without_a_window_is_refuted(desk: Desk) -> None:
    """Our choice: started is not opened."""
    opens_after(desk, 60.0)

    receipt = await desk.session.open_app("late")

    assert (receipt.verdict, receipt.failure) == (Verdict.REFUTED, Failure.NO_EFFECT)


async def test_a_tree_that_does_not_get_stable_is_weak(desk: Desk) -> None:
    """Our choice: what is still growing is not ready."""
    opens_after(desk, 0.0)
    start = desk.desktop.programs["late"]

    def restless() -> FakeApp:
        app = start()
        desk.desktop.clock.every(0.02, lambda: app.windows[0].children[0].rename(f"{desk.desktop.clock.now_s()}"))
        return app

    desk.desktop.programs["late"] = restless

    assert (await desk.session.open_app("late")).verdict is Verdict.WEAK


async def test_an_unknown_program_is_refused(desk: Desk) -> None:
    """Issue: bad input."""
    receipt = await desk.session.open_app("nonesuch")

    assert (receipt.status, receipt.failure) == (Status.REJECTED, Failure.BAD_REQUEST)
    assert unfinished(desk.ledger) == ()
    assert desk.desktop.log == []
