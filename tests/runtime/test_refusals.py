"""Every refusal of the straight line: its code, that it helps, and that nothing was touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactile.records import Action, Extents, Failure, Role, State
from tactile.testing import FakeWindow, Fault, Widget
from tests.fake_form import FakeForm
from tests.runtime.desk import Desk, desk_on


async def test_a_button_taken_out_is_refused_and_what_is_there_now_is_named(desk: Desk, buttons: FakeForm) -> None:
    """Issue: stale-target conformance; public reports of clicks that hit the next row."""
    alpha = await desk.ref("Alpha")
    bravo = await desk.ref("Bravo")
    buttons["Alpha"].remove()

    receipt = await desk.click(alpha)

    desk.check_refused(receipt, Failure.STALE_DETACHED)
    assert 'button "Alpha"' in receipt.target
    assert receipt.near_misses[0] == f'button "Bravo" [{bravo}]'  # it moved up to Alpha's place
    assert any("Charlie" in near for near in receipt.near_misses)


async def test_the_ref_of_another_button_still_means_that_button(desk: Desk, buttons: FakeForm) -> None:
    """Issue: a click on Bravo's ref clicks Bravo, wherever it has moved to."""
    bravo = await desk.ref("Bravo")
    buttons["Alpha"].remove()

    await desk.click(bravo)

    assert desk.kinds() == [("click", "Bravo")]


async def test_a_button_that_now_says_something_else_is_refused(desk: Desk, buttons: FakeForm) -> None:
    """Our choice: a row that was recycled under another name is another target."""
    alpha = await desk.ref("Alpha")
    buttons["Alpha"].rename("Delete everything")

    receipt = await desk.click(alpha)

    desk.check_refused(receipt, Failure.STALE_RENAMED)
    assert any("Delete everything" in near for near in receipt.near_misses)


async def test_a_label_with_a_new_text_is_no_other_thing(desk: Desk, form: FakeForm) -> None:
    """Our choice: names of readable things mirror what they hold."""
    status = await desk.ref("Status")
    form["Status"].rename("gone 7")

    receipt = await desk.click(status)

    assert receipt.failure is not Failure.STALE_RENAMED


async def test_a_button_of_a_closed_window_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: the window is named, as that is what went."""
    form.open_dialog()
    ok = await desk.ref("OK")
    form.app.windows[-1].close()
    desk.desktop.log.clear()

    receipt = await desk.click(ok)

    desk.check_refused(receipt, Failure.STALE_WINDOW)
    assert "Confirm" in receipt.message


async def test_the_ref_of_a_closed_window_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: window refs are targets too."""
    second = form.app.open(FakeWindow(name="Second"))
    state = await desk.look()
    second.close()
    desk.desktop.log.clear()

    receipt = await desk.act(Action.PRESS_KEY, state.window_ref, "ctrl+s")

    desk.check_refused(receipt, Failure.STALE_WINDOW)


async def test_a_hidden_button_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: what a person cannot see is not acted on."""
    go = await desk.ref("Go")
    form["Go"].turn(State.SHOWING, False)

    desk.check_refused(await desk.click(go), Failure.STALE_HIDDEN)


async def test_a_button_in_a_minimised_window_is_refused_and_the_way_out_is_said(desk: Desk, form: FakeForm) -> None:
    """Our choice: restoring a window is an act of its own."""
    go = await desk.ref("Go")
    form.window.is_minimised = True

    receipt = await desk.click(go)

    desk.check_refused(receipt, Failure.STALE_HIDDEN)
    assert "minimised" in receipt.message


async def test_a_ref_of_another_run_is_refused(desk: Desk, form: FakeForm, tmp_path: Path) -> None:
    """Our choice: refs end with the server that gave them."""
    other = tmp_path / "other"
    other.mkdir()
    with desk_on(desk.desktop, other, first_number=500) as later:
        ref = await later.ref("Go")

    desk.check_refused(await desk.click(ref), Failure.STALE_SESSION)


async def test_a_point_of_an_unknown_observation_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: a point means nothing without the picture it was read from."""
    desk.check_refused(await desk.click("o99@150,150"), Failure.STALE_SESSION)


async def test_a_point_in_a_window_that_moved_is_refused(desk: Desk, form: FakeForm) -> None:
    """Public reports: coordinates of an old screenshot."""
    state = await desk.look()
    form.window.move(300, 150)

    receipt = await desk.click(f"{state.sight.observation.observation_id}@350,300")

    desk.check_refused(receipt, Failure.STALE_MOVED)


async def test_a_point_whose_window_closed_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: the application behind is not clicked instead."""
    second = form.app.open(FakeWindow(name="Second", x=700, y=200))
    state = await desk.look()
    second.close()
    desk.desktop.log.clear()

    receipt = await desk.click(f"{state.sight.observation.observation_id}@750,300")

    desk.check_refused(receipt, Failure.STALE_WINDOW)


async def test_a_point_that_another_window_now_covers_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: the cover is named."""
    state = await desk.look()
    desk.desktop.start("other", FakeWindow(name="Cover", x=90, y=90, width=500, client_height=700))

    receipt = await desk.click(f"{state.sight.observation.observation_id}@200,300")

    desk.check_refused(receipt, Failure.OCCLUDED)
    assert "Cover" in receipt.message


@pytest.mark.parametrize("point", ["5000,20", "-1,20", "1280,0", "0,800"])
async def test_a_point_outside_the_screen_is_refused(desk: Desk, form: FakeForm, point: str) -> None:
    """Issue: bad input."""
    state = await desk.look()

    receipt = await desk.click(f"{state.sight.observation.observation_id}@{point}")

    assert receipt.failure in {Failure.BAD_REQUEST, Failure.TARGET_ABSENT}
    desk.check_refused(receipt, receipt.failure)


async def test_a_point_on_no_window_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: the bare desktop belongs to no application."""
    state = await desk.look()

    receipt = await desk.click(f"{state.sight.observation.observation_id}@1200,780")

    desk.check_refused(receipt, Failure.TARGET_ABSENT)


async def test_a_disabled_button_is_refused_although_the_toolkit_would_say_yes(desk: Desk, form: FakeForm) -> None:
    """Issue: no false success."""
    desk.check_refused(await desk.click(await desk.ref("Off")), Failure.DISABLED)


async def test_a_button_that_is_enabled_a_moment_later_is_clicked(desk: Desk, form: FakeForm) -> None:
    """A file dialog enables its Save some time after the last key; a look takes milliseconds and came before it."""
    off = await desk.ref("Off")
    desk.desktop.clock.after(0.2, lambda: form["Off"].turn(State.ENABLED, True))

    await desk.click(off)

    assert desk.kinds() == [("click", "Off")]


async def test_a_disabled_field_is_refused(desk: Desk, form: FakeForm) -> None:
    """Issue: no false success."""
    form["Name"].turn(State.ENABLED, False)

    desk.check_refused(await desk.act(Action.SET_VALUE, await desk.ref("Name"), "x"), Failure.DISABLED)


async def test_a_button_under_a_window_that_keeps_above_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: a real click would go to the window on top, so even the toolkit's own action is refused."""
    go = await desk.ref("Go", "form")
    desk.desktop.start("notes", FakeWindow(name="Always on top", x=90, y=90, width=450, client_height=650))
    desk.desktop.active = form.window

    receipt = await desk.click(go)

    desk.check_refused(receipt, Failure.OCCLUDED)
    assert "Always on top" in receipt.message


async def test_a_row_scrolled_away_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: off screen is not hidden: scrolling helps, and the refusal says so."""
    receipt = await desk.click('list item "Row 30"')

    desk.check_refused(receipt, Failure.OFF_SCREEN)
    assert "Scroll" in receipt.next


async def test_what_a_modal_dialog_blocks_is_refused(desk: Desk, form: FakeForm) -> None:
    """Facts: accessibility actions reach behind modal dialogs on GTK and Qt."""
    go = await desk.ref("Go")
    form.open_dialog()

    receipt = await desk.click(go)

    desk.check_refused(receipt, Failure.BLOCKED_BY_MODAL)
    assert "Confirm" in receipt.message


async def test_typing_without_a_focused_field_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: text never goes to an unknown place."""
    desk.check_refused(await desk.act(Action.TYPE, None, "hello"), Failure.FOCUS_MISMATCH)


async def test_a_field_that_takes_no_focus_gets_no_keys(desk: Desk, form: FakeForm) -> None:
    """Our choice: keys are sent only when the application says that they arrive there."""
    form["Name"].fault = Fault.NO_FOCUS

    desk.check_refused(await desk.act(Action.PRESS_KEY, await desk.ref("Name"), "ctrl+a"), Failure.FOCUS_MISMATCH)


async def test_a_window_that_does_not_come_to_the_front_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: activation is confirmed or nothing is done."""
    go = await desk.ref("Go", "form")
    form.window.fault = Fault.NO_ACTIVATION
    desk.desktop.start("other", FakeWindow(name="Other", x=700))

    desk.check_refused(await desk.click(go), Failure.FOCUS_MISMATCH)


async def test_a_drag_from_an_unknown_place_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: unknown geometry is never clicked by point."""
    form["Name"].has_place = False

    receipt = await desk.act(Action.DRAG, 'button "Go"', destination='entry "Name"')

    desk.check_refused(receipt, Failure.GEOMETRY_UNKNOWN)


async def test_a_click_on_an_unknown_place_says_what_can_be_done(desk: Desk, form: FakeForm) -> None:
    """Our choice: an entry has no press of its own and its pixel is not known."""
    form["Name"].has_place = False

    receipt = await desk.click('entry "Name"')

    assert receipt.failure in {Failure.GEOMETRY_UNKNOWN, Failure.UNSUPPORTED}
    desk.check_refused(receipt, receipt.failure)


async def test_what_a_thing_cannot_do_is_refused_with_what_it_can(desk: Desk, form: FakeForm) -> None:
    """Our choice: unsupported names the alternatives."""
    receipt = await desk.act(Action.EXPAND, await desk.ref("Go"))

    desk.check_refused(receipt, Failure.UNSUPPORTED)
    assert "press" in receipt.next


async def test_a_read_only_field_is_refused(desk: Desk, form: FakeForm) -> None:
    """Issue: no false success."""
    desk.check_refused(await desk.act(Action.SET_VALUE, await desk.ref("Fixed"), "x"), Failure.UNSUPPORTED)


async def test_an_absent_name_is_refused_with_near_misses(desk: Desk, form: FakeForm) -> None:
    """Our choice: never the first match, never none without help."""
    await desk.look()

    receipt = await desk.click('button "Go!"')

    desk.check_refused(receipt, Failure.TARGET_ABSENT)
    assert any('"Go"' in near for near in receipt.near_misses)


async def test_two_buttons_of_one_name_are_refused_and_both_are_named(desk: Desk, form: FakeForm) -> None:
    """Our choice: ambiguity is an error."""
    form.window.add(Widget(role=Role.BUTTON, name="Idle"))
    await desk.look()

    receipt = await desk.click('button "Idle"')

    desk.check_refused(receipt, Failure.TARGET_AMBIGUOUS)
    assert len(receipt.near_misses) == 2


async def test_a_locator_is_narrowed_by_its_container(desk: Desk, form: FakeForm) -> None:
    """Design: button "Save" in "Save As"."""
    form.window.add(Widget(role=Role.PANEL, name="Left", children=[Widget(role=Role.BUTTON, name="Idle")]))
    await desk.look()

    await desk.click('button "Idle" in "Left"')

    assert desk.kinds() == [("click", "Idle")]


async def test_an_application_that_ended_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: app_gone names the ref."""
    go = await desk.ref("Go")
    form.app.quit()
    desk.desktop.log.clear()

    desk.check_refused(await desk.click(go), Failure.APP_GONE)


async def test_a_hung_application_is_refused_before_the_act(desk: Desk, form: FakeForm) -> None:
    """Our choice: the before picture cannot be taken, so nothing is done."""
    go = await desk.ref("Go")
    form.app.is_hung = True

    desk.check_refused(await desk.click(go), Failure.APP_UNRESPONSIVE)


async def test_a_lost_bus_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: without the tree the target cannot be checked."""
    go = await desk.ref("Go")
    desk.desktop.is_bus_lost = True

    receipt = await desk.click(go)

    assert receipt.failure is not None
    desk.check_refused(receipt, receipt.failure)


async def test_a_thing_that_vanishes_at_dispatch_is_refused(desk: Desk, buttons: FakeForm) -> None:
    """Our choice: the platform's own answer decides, and the ledger is closed."""
    alpha = await desk.ref("Alpha")
    desk.desktop.before_act = buttons["Alpha"].remove

    desk.check_refused(await desk.click(alpha), Failure.STALE_DETACHED)


@pytest.mark.parametrize("keys", ["ctrl+nokey", "", "ctrl+", "hyper+a"])
async def test_an_unknown_key_is_refused(desk: Desk, form: FakeForm, keys: str) -> None:
    """Issue: bad input."""
    desk.check_refused(await desk.act(Action.PRESS_KEY, 'entry "Name"', keys), Failure.BAD_REQUEST)


@pytest.mark.parametrize("text", ["", "x" * 100_000, "a\0b", "a\ud800b", "two\nlines"])
async def test_text_that_the_field_cannot_take_is_refused(desk: Desk, form: FakeForm, text: str) -> None:
    """Issue: bad input: empty, 100,000 characters, NUL, a lone surrogate, a line break in a one-line field."""
    name = await desk.ref("Name")

    desk.check_refused(await desk.act(Action.TYPE, name, text), Failure.BAD_REQUEST)


@pytest.mark.parametrize(("name", "value"), [("Count", "101"), ("Count", "many"), ("Remember", "maybe")])
async def test_a_value_that_the_control_cannot_hold_is_refused(
    desk: Desk, form: FakeForm, name: str, value: str
) -> None:
    """Our choice: out of range, no number, neither on nor off."""
    desk.check_refused(await desk.act(Action.SET_VALUE, await desk.ref(name), value), Failure.BAD_REQUEST)


async def test_an_unknown_option_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: only the platform knows the options; its refusal touches nothing."""
    desk.check_refused(await desk.act(Action.SET_VALUE, await desk.ref("Company"), "Umbrella"), Failure.BAD_REQUEST)


async def test_two_windows_of_one_name_and_place_are_not_clicked_by_point(desk: Desk) -> None:
    """Issue: two windows of the same name; without a sure window no pixel is used."""
    same = [FakeWindow(name="Twin", children=[Widget(role=Role.ENTRY, name=name)]) for name in ("Left", "Right")]
    desk.desktop.start("twins", *same)
    await desk.look()

    receipt = await desk.click('entry "Left"')

    assert receipt.failure is not None, receipt
    desk.check_refused(receipt, receipt.failure)


async def test_two_windows_of_one_name_at_two_places_are_told_apart(desk: Desk) -> None:
    """Issue: two windows of the same name."""
    left = FakeWindow(name="Twin", x=50, children=[Widget(role=Role.BUTTON, name="Left")])
    right = FakeWindow(name="Twin", x=600, children=[Widget(role=Role.BUTTON, name="Right")])
    desk.desktop.start("twins", left, right)
    await desk.look()

    await desk.click('button "Left"', button="right")

    (press,) = desk.values("press")
    assert isinstance(press, dict)
    assert (
        Extents(x=50, y=100, width=400, height=500)
        .intersect(Extents(x=press["x"], y=press["y"], width=1, height=1))
        .width
    )
    assert desk.desktop.active is left
