"""What an application does by itself is no effect of an act: toasts, feeds, clocks, and its own end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import pytest

from tactile.errors import RequestError
from tactile.ports import LauncherPort
from tactile.records import Action, Extents, Failure, Receipt, Role, Status, Verdict
from tactile.runtime.scene import APPS_MAX, UNREST_MAX, UNREST_S
from tactile.testing import FakeApp, FakeWindow, Widget
from tests.fake_form import FakeForm, start_list
from tests.runtime.desk import Desk

PERIOD_S = 0.3  # of what moves: faster than the patience of an act that shows nothing


@dataclass(slots=True, kw_only=True)
class Ends:
    """LauncherPort that knows how processes ended; `unknown` are not its own."""

    inner: LauncherPort
    codes: dict[int, int] = field(default_factory=dict)
    unknown: frozenset[int] = frozenset()

    async def launch(self, argv: Sequence[str]) -> int:
        """Start a program."""
        return await self.inner.launch(argv)

    async def exit_code(self, pid: int) -> int | None:
        """Return the exit code of a process that has ended.

        Raises:
            RequestError: It is not one of ours.
        """
        if pid in self.unknown:
            raise RequestError("not started here", hint="use a pid that launch returned")
        code = await self.inner.exit_code(pid)
        return code if code is None else self.codes.get(pid, code)


def ends_with(desk: Desk, form: FakeForm, code: int | None) -> None:
    """Let the form's process have this exit code; None is for one that was not started here."""
    launcher = Ends(inner=desk.session.scene.desktop.launcher)
    if code is None:
        launcher.unknown = frozenset({form.app.pid})
    else:
        launcher.codes[form.app.pid] = code
    desk.session.scene.desktop = replace(desk.session.scene.desktop, launcher=launcher)


def toast(form: FakeForm) -> None:
    """Open a window, and close the one before it."""
    number = sum(event.kind == "closed" for event in form.desktop.log)
    active = form.desktop.active
    for window in [item for item in form.app.windows if item.name.startswith("toast")]:
        window.close()
    form.app.open(FakeWindow(name=f"toast {number}", x=700, y=10, width=80, client_height=40))
    form.desktop.active = active  # it asks for no focus


def message(form: FakeForm) -> None:
    """Add a button, as a feed does."""
    place = Extents(x=300, y=10, width=60, height=20)
    form.window.add(Widget(role=Role.BUTTON, name=f"message {form.desktop.clock.now_s():.1f}", place=place))


async def click_later(desk: Desk, ref: str, pause_s: float = 1.0) -> Receipt:
    """Look, think a while, look again, and click at once."""
    await desk.desktop.clock.sleep_s(pause_s)
    await desk.look()
    return await desk.click(ref)


@pytest.mark.parametrize("happens", [toast, message])
async def test_a_dead_button_beside_what_comes_by_itself_is_not_confirmed(
    desk: Desk, form: FakeForm, happens: Callable[[FakeForm], None]
) -> None:
    """Found in an attack: toasts and feeds confirmed a button that does nothing."""
    idle = await desk.ref("Idle")
    desk.desktop.clock.every(PERIOD_S, partial(happens, form))

    receipt = await click_later(desk, idle)

    assert receipt.verdict is Verdict.WEAK
    assert receipt.evidence


async def test_a_clock_that_was_seen_ticking_is_no_evidence_seconds_later(desk: Desk, form: FakeForm) -> None:
    """Found in an attack: it did not tick between the last two looks, so its next tick was evidence."""
    idle, status = await desk.ref("Idle"), form["Status"]
    desk.desktop.clock.every(PERIOD_S, lambda: status.rename(f"{desk.desktop.clock.now_s():.1f}"))

    receipt = await click_later(desk, idle)

    assert (receipt.verdict, receipt.failure) == (Verdict.UNVERIFIABLE, Failure.NO_EFFECT)


async def test_the_targets_own_state_decides_beside_restless_windows_and_controls(desk: Desk, form: FakeForm) -> None:
    """The target's own state is its own."""
    box = await desk.ref("Remember")
    for happens in (toast, message):
        desk.desktop.clock.every(PERIOD_S, partial(happens, form))

    assert (await click_later(desk, box)).verdict is Verdict.CONFIRMED


async def test_restlessness_is_forgotten(desk: Desk, form: FakeForm) -> None:
    """One toast long ago says nothing of a dialog now."""
    opener = await desk.ref("Open dialog")
    toast(form)
    await desk.look()

    assert (await click_later(desk, opener, UNREST_S + 1)).verdict is Verdict.CONFIRMED


async def test_what_an_act_changed_is_not_restless(desk: Desk, form: FakeForm) -> None:
    """A dialog that an act opened closes with a click that is confirmed."""
    assert (await desk.click(await desk.ref("Open dialog"))).verdict is Verdict.CONFIRMED

    assert (await desk.click(await desk.ref("OK"))).verdict is Verdict.CONFIRMED


async def test_what_an_act_on_another_application_changed_is_not_restless(desk: Desk, form: FakeForm) -> None:
    """Acts of any application count, not only of the one that changed."""
    opener = await desk.ref("Open dialog")
    other = start_list(desk.desktop, "Other")
    other["Alpha"].on_press = lambda: toast(form)
    await desk.click(await desk.ref("Alpha", "list"))
    await desk.look("form")

    assert (await desk.click(opener)).verdict is Verdict.CONFIRMED


async def test_the_memory_of_restlessness_is_bounded(desk: Desk, form: FakeForm) -> None:
    """Nothing grows for ever."""
    scene = desk.session.scene
    for number in range(2 * UNREST_MAX):
        form["Count"].count(number)
        await desk.look()

    assert len(scene._unrest) <= UNREST_MAX
    assert len(scene._seen) <= APPS_MAX


def launches(desk: Desk, *, app: FakeApp, other: FakeApp | None, ends_after_s: float | None) -> None:
    """Let "viewer" be a program whose start makes another application open a window."""

    def start() -> FakeApp:
        if app not in desk.desktop.apps:
            desk.desktop.apps.append(app)
        opener = other or desk.desktop.start("helper")
        desk.desktop.clock.after(0.1, lambda: opener.open(FakeWindow(name="New", children=[_hello()])))
        if ends_after_s is not None:
            desk.desktop.clock.after(ends_after_s, app.quit)
        return app

    desk.desktop.programs["viewer"] = start


def _hello() -> Widget:
    return Widget(role=Role.BUTTON, name="Hello")


async def test_a_window_of_what_was_running_is_not_the_launched_programs(desk: Desk, form: FakeForm) -> None:
    """Found in an attack: a toast of another application confirmed open_app of a program without a window."""
    launches(desk, app=FakeApp(desktop=desk.desktop, name="viewer", pid=2000), other=form.app, ends_after_s=None)

    receipt = await desk.session.open_app("viewer")

    assert (receipt.verdict, receipt.failure) == (Verdict.REFUTED, Failure.NO_EFFECT)


async def test_the_programs_own_window_is_waited_for_past_a_toast(desk: Desk, form: FakeForm) -> None:
    """The toast comes first, the program's own window later."""
    app = FakeApp(desktop=desk.desktop, name="viewer", pid=2000)
    launches(desk, app=app, other=form.app, ends_after_s=None)
    desk.desktop.clock.after(2.0, lambda: app.open(FakeWindow(name="Own", children=[_hello()])))

    receipt = await desk.session.open_app("viewer")

    assert receipt.verdict is Verdict.CONFIRMED
    assert "2000" in receipt.target


@pytest.mark.parametrize("is_running", [True, False])
async def test_a_window_of_another_process_is_weak(desk: Desk, form: FakeForm, is_running: bool) -> None:
    """Hand-over to a running instance once the program has ended; a new process while it runs."""
    app = FakeApp(desktop=desk.desktop, name="viewer", pid=2000)
    launches(desk, app=app, other=form.app if is_running else None, ends_after_s=0.5 if is_running else None)

    receipt = await desk.session.open_app("viewer")

    assert receipt.verdict is Verdict.WEAK
    assert "another process" in receipt.message


async def test_a_crash_does_not_confirm(desk: Desk, form: FakeForm) -> None:
    """Found in an attack: the window of a crashed application "closes"."""
    ends_with(desk, form, -11)
    form["Go"].on_press = form.app.quit

    receipt = await desk.click(await desk.ref("Go"))

    assert (receipt.verdict, receipt.failure) == (Verdict.UNVERIFIABLE, Failure.APP_GONE)
    assert "SIGSEGV" in receipt.message


@pytest.mark.parametrize("expect", ['window "Form3" gone', 'text "Status" gone'])
async def test_a_crash_does_not_meet_an_expectation(desk: Desk, form: FakeForm, expect: str) -> None:
    """Everything is gone after a crash; that is not what was asked for."""
    ends_with(desk, form, -6)
    form["Go"].on_press = form.app.quit

    receipt = await desk.click(await desk.ref("Go"), expect=expect)

    assert (receipt.verdict, receipt.failure) == (Verdict.UNVERIFIABLE, Failure.APP_GONE)


async def test_a_normal_end_is_named(desk: Desk, form: FakeForm) -> None:
    """The receipt says that the process ended, and how."""
    ends_with(desk, form, 3)
    form["Go"].on_press = form.app.quit

    receipt = await desk.click(await desk.ref("Go"))

    assert receipt.verdict is Verdict.CONFIRMED
    assert any("process ends" in item.cue and item.after == "exit code 3" for item in receipt.evidence)


async def test_an_end_that_nobody_knows_of_is_judged_by_its_window(desk: Desk, form: FakeForm) -> None:
    """Of a program that was not started here there is no exit code."""
    ends_with(desk, form, None)
    form["Go"].on_press = form.app.quit

    receipt = await desk.click(await desk.ref("Go"))

    assert receipt.verdict is Verdict.CONFIRMED
    assert not any("process" in item.cue for item in receipt.evidence)


@pytest.mark.parametrize(
    "expect",
    [
        'window "Form3" gone',
        'text "Status" gone',
        'button "Go" gone',
        'button "Go" is hidden',
        'app "form" gone',
        'file ~/x contains "done" and button "Go" gone',
    ],
)
async def test_what_is_expected_of_an_end_is_met_at_once(desk: Desk, form: FakeForm, expect: str) -> None:
    """Found in an attack: gone things were waited for, and the outcome then unknown."""

    def leave() -> None:
        desk.desktop.files["/home/fake/x"] = b"done"
        form.app.quit()

    form["Go"].on_press = leave
    go, start_s = await desk.ref("Go"), desk.desktop.clock.now_s()

    receipt = await desk.click(go, expect=expect)

    assert (receipt.status, receipt.verdict) == (Status.EXECUTED, Verdict.CONFIRMED)
    assert desk.desktop.clock.now_s() - start_s < 1.0


async def test_what_cannot_come_any_more_is_not_waited_for(desk: Desk, form: FakeForm) -> None:
    """A text of an application that has ended does not show."""
    form["Go"].on_press = form.app.quit
    go, start_s = await desk.ref("Go"), desk.desktop.clock.now_s()

    receipt = await desk.click(go, expect='text "Saved"')

    assert (receipt.verdict, receipt.failure) == (Verdict.UNVERIFIABLE, Failure.APP_GONE)
    assert desk.desktop.clock.now_s() - start_s < 1.0


async def test_a_key_that_ends_an_application_off_the_bus_is_confirmed(desk: Desk, form: FakeForm) -> None:
    """Only its windows and its exit code are known."""
    form.app.is_on_bus = False
    desk.desktop.before_act = form.app.quit

    receipt = await desk.act(Action.PRESS_KEY, None, "ctrl+q")

    assert receipt.verdict is Verdict.CONFIRMED, receipt
