"""Verdicts of the straight line: what is confirmed, what is not, and what is written down."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from tactile.records import Action, Failure, Role, State, Status, Verdict
from tactile.runtime.ledger import unfinished
from tactile.testing import FakeWindow, Fault, Widget
from tests.fake_form import FakeForm
from tests.runtime.desk import Desk


async def test_a_button_that_does_nothing_is_not_confirmed(desk: Desk, form: FakeForm) -> None:
    """Issue: no false success."""
    receipt = await desk.click(await desk.ref("Idle"))

    assert desk.kinds() == [("click", "Idle")]
    assert (receipt.status, receipt.failure) == (Status.EXECUTED, Failure.NO_EFFECT)
    assert receipt.verdict is Verdict.UNVERIFIABLE
    assert not receipt.safe_to_retry


async def test_a_clock_on_the_screen_does_not_confirm_a_button_that_does_nothing(desk: Desk, form: FakeForm) -> None:
    """Our choice: what moves by itself is no effect."""
    ticks = iter(range(10_000))
    clock = Widget(role=Role.LABEL, name="12:00")
    form.window.add(clock)
    desk.desktop.clock.every(0.05, lambda: clock.rename(f"12:{next(ticks)}"))
    idle = await desk.ref("Idle")
    await desk.desktop.clock.sleep_s(0.2)

    receipt = await desk.click(idle)

    assert receipt.verdict is Verdict.UNVERIFIABLE
    assert receipt.failure is Failure.NO_EFFECT


async def test_a_label_elsewhere_is_weak_evidence(desk: Desk, form: FakeForm) -> None:
    """Our choice: likely, not proven."""
    receipt = await desk.click(await desk.ref("Go"))

    assert receipt.verdict is Verdict.WEAK
    assert any("gone 1" in item.after for item in receipt.evidence)


async def test_a_late_effect_is_found(desk: Desk, form: FakeForm) -> None:
    """Facts: GTK 4 buttons act after 260 ms; handlers may take longer."""
    form["Go"].delay_s = 0.4

    receipt = await desk.click(await desk.ref("Go"))

    assert receipt.verdict is Verdict.WEAK
    assert any("gone 1" in item.after for item in receipt.evidence)


async def test_a_dialog_that_opens_confirms(desk: Desk, form: FakeForm) -> None:
    """Design: windows first."""
    receipt = await desk.click(await desk.ref("Open dialog"))

    assert receipt.verdict is Verdict.CONFIRMED
    assert any("Confirm" in line.label and line.sign == "+" for line in receipt.changes)


async def test_a_window_that_closes_itself_confirms(desk: Desk, form: FakeForm) -> None:
    """Issue: a window that closed meanwhile is evidence, not an error."""
    receipt = await desk.click(await desk.ref("Close me"))

    assert receipt.verdict is Verdict.CONFIRMED
    assert ("click", "Close me") in desk.kinds()


@pytest.mark.parametrize("way", [Action.CLICK, Action.TOGGLE])
async def test_a_check_box_confirms_by_its_own_state(desk: Desk, form: FakeForm, way: Action) -> None:
    """Design: the candidate's own cue decides."""
    receipt = await desk.act(way, await desk.ref("Remember"))

    assert receipt.verdict is Verdict.CONFIRMED
    assert desk.kinds() == [("toggle", "Remember")]


async def test_a_check_box_that_ignores_is_refuted(desk: Desk, form: FakeForm) -> None:
    """Issue: no false success; the toolkit answered true."""
    form["Remember"].fault = Fault.IGNORES

    receipt = await desk.click(await desk.ref("Remember"))

    assert (receipt.verdict, receipt.failure) == (Verdict.REFUTED, Failure.NO_EFFECT)


async def test_a_check_box_that_ignores_while_a_dialog_opens_has_a_wrong_effect(desk: Desk, form: FakeForm) -> None:
    """Our choice: something happened, not what was meant."""
    form["Remember"].fault = Fault.IGNORES
    desk.desktop.before_act = lambda: form.window.add(Widget(role=Role.BUTTON, name="Surprise"))

    receipt = await desk.click(await desk.ref("Remember"))

    assert (receipt.verdict, receipt.failure) == (Verdict.REFUTED, Failure.WRONG_EFFECT)


@pytest.mark.parametrize(("name", "role"), [("Large", "radio button"), ("Row 2", "list item")])
async def test_a_choice_confirms_when_it_is_selected(desk: Desk, form: FakeForm, name: str, role: str) -> None:
    """Design: the candidate's own cue decides."""
    await desk.look()

    receipt = await desk.click(f'{role} "{name}"')

    assert receipt.verdict is Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("name", "value", "logged"),
    [("Name", "Ada", "Ada"), ("Notes", "one\ntwo", "one\ntwo"), ("Count", "7", 7.0), ("Company", "Globex", "Globex")],
)
async def test_a_value_confirms_when_it_is_read_back(
    desk: Desk, form: FakeForm, name: str, value: str, logged: object
) -> None:
    """Design: holds_value."""
    receipt = await desk.act(Action.SET_VALUE, await desk.ref(name), value)

    assert receipt.verdict is Verdict.CONFIRMED, receipt
    assert desk.values("change") == [logged]


@pytest.mark.parametrize(("name", "value"), [("Name", ""), ("Company", "Acme"), ("Remember", "off")])
async def test_a_value_that_is_so_already_is_left_alone(desk: Desk, form: FakeForm, name: str, value: str) -> None:
    """Our choice: set_value can be repeated."""
    receipt = await desk.act(Action.SET_VALUE, await desk.ref(name), value)

    assert receipt.verdict is Verdict.CONFIRMED
    assert receipt.primitive == "none"
    assert desk.desktop.log == []


async def test_setting_a_value_twice_writes_once(desk: Desk, form: FakeForm) -> None:
    """Our choice: set_value can be repeated."""
    name = await desk.ref("Name")

    first, second = [await desk.act(Action.SET_VALUE, name, "Ada") for _ in range(2)]

    assert (first.verdict, second.verdict) == (Verdict.CONFIRMED, Verdict.CONFIRMED)
    assert desk.values("change") == ["Ada"]


async def test_a_field_that_ignores_is_refuted(desk: Desk, form: FakeForm) -> None:
    """Issue: no false success: it says that it can be edited, answers true and holds nothing."""
    form["Name"].fault = Fault.IGNORES

    receipt = await desk.act(Action.SET_VALUE, await desk.ref("Name"), "Ada")

    assert (receipt.verdict, receipt.failure) == (Verdict.REFUTED, Failure.NO_EFFECT)


@pytest.mark.parametrize(("on", "word"), [(True, "on"), (True, "true"), (False, "off")])
async def test_a_check_box_is_set_to_a_state(desk: Desk, form: FakeForm, on: bool, word: str) -> None:
    """Design: set_value on a check box toggles only when needed."""
    form["Remember"].turn(State.CHECKED, not on)

    receipt = await desk.act(Action.SET_VALUE, await desk.ref("Remember"), word)

    assert receipt.verdict is Verdict.CONFIRMED
    assert (State.CHECKED in form["Remember"].states) is on


async def test_typed_text_confirms_when_it_is_gained(desk: Desk, form: FakeForm) -> None:
    """Design: gains_text."""
    form["Name"].text = "Ada "

    receipt = await desk.act(Action.TYPE, await desk.ref("Name"), "Lovelace")

    assert receipt.verdict is Verdict.CONFIRMED
    assert desk.values("change") == ["Ada Lovelace"]


async def test_a_long_text_is_read_back_whole(desk: Desk, form: FakeForm) -> None:
    """Our choice: 20,000 characters are judged, not their beginning."""
    text = "".join(chr(97 + number % 26) for number in range(20_000))

    receipt = await desk.act(Action.SET_VALUE, await desk.ref("Notes"), text)

    assert receipt.verdict is Verdict.CONFIRMED, receipt.message


async def test_typing_that_breaks_off_says_how_far_it_came(desk: Desk, form: FakeForm) -> None:
    """Design: partial_input."""
    field = form["Name"]
    field.offers = ()
    desk.desktop.typing_stops_after = 3

    receipt = await desk.act(Action.TYPE, await desk.ref("Name"), "abcdef")

    assert (receipt.verdict, receipt.failure) == (Verdict.REFUTED, Failure.PARTIAL_INPUT)
    assert "3 of 6" in receipt.message
    assert field.text == "abc"
    assert not receipt.safe_to_retry


async def test_a_secret_is_typed_and_leaves_no_trace(desk: Desk, form: FakeForm) -> None:
    """Design: secrets: nothing of them in receipt or ledger."""
    receipt = await desk.act(Action.TYPE, await desk.ref("Secret"), "xyzzy-secret")

    assert receipt.verdict is Verdict.UNVERIFIABLE
    assert "xyzzy" not in repr(receipt)
    assert "xyzzy" not in desk.ledger.read_text(encoding="utf-8")
    assert "hunter2" not in repr(receipt)


async def test_text_and_submit_press_return_in_the_field(desk: Desk, form: FakeForm) -> None:
    """Design: type_text with submit."""
    await desk.act(Action.TYPE, await desk.ref("Name"), "Ada", submits=True)

    assert desk.values("activate") == ["Ada"]


async def test_text_goes_to_the_focused_field(desk: Desk, form: FakeForm) -> None:
    """Design: type_text without a target."""
    await desk.act(Action.FOCUS, await desk.ref("Name"))

    receipt = await desk.act(Action.TYPE, None, "Ada")

    assert receipt.verdict is Verdict.CONFIRMED
    assert form["Name"].text == "Ada"


async def test_focus_confirms_by_the_state(desk: Desk, form: FakeForm) -> None:
    """Design: becomes_focused."""
    assert (await desk.act(Action.FOCUS, await desk.ref("Name"))).verdict is Verdict.CONFIRMED
    form["Notes"].fault = Fault.NO_FOCUS
    assert (await desk.act(Action.FOCUS, await desk.ref("Notes"))).verdict is Verdict.REFUTED


@pytest.mark.parametrize(("way", "value"), [(Action.INCREMENT, 2.0), (Action.DECREMENT, 0.0)])
async def test_a_step_confirms_by_the_number(desk: Desk, form: FakeForm, way: Action, value: float) -> None:
    """Design: value_rises, value_falls."""
    receipt = await desk.act(way, await desk.ref("Count"))

    assert receipt.verdict is Verdict.CONFIRMED
    assert desk.values("change") == [value]


@pytest.mark.parametrize(("way", "is_open"), [(Action.EXPAND, False), (Action.COLLAPSE, True)])
async def test_expanding_and_collapsing_confirm_by_the_state(
    desk: Desk, form: FakeForm, way: Action, is_open: bool
) -> None:
    """Design: expands, collapses."""
    form.window.add(Widget(role=Role.TREE_ITEM, name="Branch", states={State.EXPANDED} if is_open else set()))

    assert (await desk.act(way, await desk.ref("Branch"))).verdict is Verdict.CONFIRMED
    assert desk.values("expand") == [not is_open]


async def test_expanding_what_is_open_is_left_alone(desk: Desk, form: FakeForm) -> None:
    """Our choice: asking for what is so already is no error."""
    form.window.add(Widget(role=Role.TREE_ITEM, name="Branch", states={State.EXPANDED}))

    assert (await desk.act(Action.EXPAND, await desk.ref("Branch"))).primitive == "none"
    assert desk.desktop.log == []


async def test_scrolling_says_what_moved_and_the_end_is_refuted(desk: Desk, form: FakeForm) -> None:
    """Design: scroll reports what really scrolled."""
    rows = await desk.ref("Rows")

    first = await desk.act(Action.SCROLL, rows, amount=2)
    form["Rows"].scroll(780)
    await desk.look()
    second = await desk.act(Action.SCROLL, rows, amount=2)

    assert first.verdict is Verdict.CONFIRMED
    assert "0,-48" in first.evidence[0].after
    assert (second.verdict, second.failure) == (Verdict.REFUTED, Failure.NO_EFFECT)


async def test_a_drag_goes_from_the_one_to_the_other(desk: Desk, form: FakeForm) -> None:
    """Design: drag."""
    await desk.look()

    await desk.act(Action.DRAG, 'button "Go"', destination='entry "Name"')

    assert [(event.kind, event.widget, event.value) for event in desk.desktop.log] == [
        ("drag", "Go", None),
        ("drop", "Name", "Go"),
    ]


async def test_a_window_behind_is_brought_forward_first(desk: Desk, form: FakeForm) -> None:
    """Design: acting is visible."""
    go = await desk.ref("Go", "form")
    desk.desktop.start("other", FakeWindow(name="Other", x=80, y=80, width=600, client_height=700))

    receipt = await desk.click(go)

    assert desk.kinds() == [("click", "Go")]
    assert desk.desktop.active is form.window
    assert receipt.status is Status.EXECUTED


async def test_a_mechanism_that_could_do_nothing_gives_way_to_the_next(desk: Desk, form: FakeForm) -> None:
    """Design: the ladder; the receipt says which was passed over and why."""
    form["Go"].fault = Fault.CANNOT

    receipt = await desk.click(await desk.ref("Go"))

    assert receipt.primitive == "x11.pointer"
    assert [rung.primitive for rung in receipt.ladder] == ["fake.press"]
    assert ("click", "Go") in desk.kinds()
    assert unfinished(desk.ledger) == ()


async def test_an_application_that_hangs_at_dispatch_has_an_unknown_outcome(desk: Desk, form: FakeForm) -> None:
    """Design: outcome_unknown is never repeated blindly."""
    desk.desktop.before_act = partial(setattr, form.app, "is_hung", True)

    receipt = await desk.click(await desk.ref("Go"))

    assert (receipt.status, receipt.failure) == (Status.OUTCOME_UNKNOWN, Failure.APP_UNRESPONSIVE)
    assert not receipt.safe_to_retry
    assert unfinished(desk.ledger) == ()


async def test_an_application_that_hangs_after_the_act_has_an_unknown_outcome(desk: Desk, form: FakeForm) -> None:
    """Fixture: Slow blocks its main loop for four seconds."""
    receipt = await desk.click(await desk.ref("Slow"))

    assert (receipt.status, receipt.failure) == (Status.OUTCOME_UNKNOWN, Failure.APP_UNRESPONSIVE)
    assert desk.kinds() == [("click", "Slow")]


async def test_an_application_that_ends_at_dispatch_is_gone(desk: Desk, form: FakeForm) -> None:
    """Design: app_gone; whether it had an effect is said."""
    desk.desktop.before_act = form.app.quit

    receipt = await desk.click(await desk.ref("Go"))

    assert receipt.failure is Failure.APP_GONE
    assert unfinished(desk.ledger) == ()


async def test_an_application_that_quits_because_of_a_press_confirms(desk: Desk, form: FakeForm) -> None:
    """Our choice: the window that the button was in went with it."""
    form["Idle"].on_press = form.app.quit

    receipt = await desk.click(await desk.ref("Idle"))

    assert receipt.verdict is Verdict.CONFIRMED


async def test_a_bus_lost_after_the_act_is_said(desk: Desk, form: FakeForm) -> None:
    """Our choice: unverifiable, not refuted."""
    form["Idle"].on_press = partial(setattr, desk.desktop, "is_bus_lost", True)

    receipt = await desk.click(await desk.ref("Idle"))

    assert receipt.verdict is Verdict.UNVERIFIABLE
    assert receipt.status is Status.OUTCOME_UNKNOWN


async def test_a_crash_between_intent_and_outcome_leaves_an_open_effect(desk: Desk, form: FakeForm) -> None:
    """Design: the ledger is written before the act."""

    def crash() -> None:
        raise KeyboardInterrupt

    idle = await desk.ref("Idle")
    desk.desktop.before_act = crash
    with pytest.raises(KeyboardInterrupt):
        await desk.click(idle)

    (left,) = unfinished(desk.ledger)
    assert left["action"] == "click"
    assert "Idle" in left["target"]


async def test_a_cancelled_act_leaves_an_open_effect(desk: Desk, form: FakeForm) -> None:
    """Our choice: a client that gives up does not make the outcome known."""

    def cancel() -> None:
        raise asyncio.CancelledError

    idle = await desk.ref("Idle")
    desk.desktop.before_act = cancel
    with pytest.raises(asyncio.CancelledError):
        await desk.click(idle)

    assert len(unfinished(desk.ledger)) == 1
    assert (await desk.click(idle)).status is Status.EXECUTED  # and the session goes on


async def test_the_intent_is_on_disk_before_the_act_and_closed_after(desk: Desk, form: FakeForm) -> None:
    """Design: intend, act once, close."""
    seen: list[int] = []
    idle = await desk.ref("Idle")
    desk.desktop.before_act = lambda: seen.append(len(unfinished(desk.ledger)))

    await desk.click(idle)

    assert seen == [1]
    assert unfinished(desk.ledger) == ()
