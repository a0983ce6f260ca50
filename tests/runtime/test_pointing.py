"""Points, popups, buttons and keys: what reaches which window."""

from __future__ import annotations

import pytest

from tactile.records import Action, Failure, Role, State, Status, Verdict
from tactile.testing import FakeWindow, Widget
from tests.fake_form import FakeForm
from tests.runtime.desk import Desk


async def point_of(desk: Desk, name: str) -> str:
    """Return a point target in the middle of the one thing of that name."""
    ref = await desk.ref(name)
    state = await desk.look()
    live = state.candidates.by_ref(ref)
    assert live is not None
    assert live.extents is not None
    return f"{state.sight.observation.observation_id}@{live.extents.center.x},{live.extents.center.y}"


async def test_a_point_clicks_that_pixel_and_the_thing_there_is_judged(desk: Desk, form: FakeForm) -> None:
    """Design: a point is a target with a candidate behind it."""
    point = await point_of(desk, "Remember")

    receipt = await desk.click(point)

    (press,) = desk.values("press")
    assert isinstance(press, dict)
    assert point.endswith(f"@{press['x']},{press['y']}")
    assert receipt.verdict is Verdict.CONFIRMED
    assert "Remember" in receipt.target


async def test_a_point_on_a_disabled_button_is_refused(desk: Desk, form: FakeForm) -> None:
    """Issue: no false success."""
    desk.check_refused(await desk.click(await point_of(desk, "Off")), Failure.DISABLED)


async def test_a_point_behind_a_modal_dialog_is_refused(desk: Desk, form: FakeForm) -> None:
    """Facts: modal dialogs swallow clicks."""
    form.open_dialog()
    state = await desk.look()

    receipt = await desk.click(f"{state.sight.observation.observation_id}@450,700")

    desk.check_refused(receipt, Failure.BLOCKED_BY_MODAL)


async def test_a_point_cannot_be_typed_into(desk: Desk, form: FakeForm) -> None:
    """Our choice: text goes to a named thing or to the focus."""
    desk.check_refused(await desk.act(Action.TYPE, await point_of(desk, "Name"), "x"), Failure.BAD_REQUEST)


async def test_the_dialog_itself_can_be_answered(desk: Desk, form: FakeForm) -> None:
    """Design: what blocks is not blocked."""
    form.open_dialog()

    receipt = await desk.click(await desk.ref("OK"))

    assert receipt.verdict is Verdict.CONFIRMED
    assert desk.kinds() == [("click", "OK"), ("closed", "Confirm")]


@pytest.mark.parametrize(
    ("more", "presses"), [({"button": "right"}, 0), ({"count": 2}, 2), ({"modifiers": ("ctrl",)}, 1)]
)
async def test_a_click_that_is_not_plain_is_a_real_one(
    desk: Desk, form: FakeForm, more: dict[str, object], presses: int
) -> None:
    """Design: only the pointer has other buttons, counts and modifiers; the receipt says why."""
    receipt = await desk.click(await desk.ref("Idle"), **more)

    assert receipt.primitive == "x11.pointer"
    assert [rung.primitive for rung in receipt.ladder] == ["fake.press"]
    assert len(desk.values("press")) == 1
    assert len(desk.values("click")) == presses


async def test_a_click_into_a_field_confirms_by_the_focus(desk: Desk, form: FakeForm) -> None:
    """Design: becomes_focused."""
    receipt = await desk.click(await desk.ref("Name"))

    assert receipt.verdict is Verdict.CONFIRMED
    assert desk.desktop.focus is form["Name"]


async def test_an_item_of_an_open_menu_is_clicked_in_its_popup(desk: Desk, form: FakeForm) -> None:
    """Facts: menus are override-redirect windows of their own."""
    item = Widget(role=Role.MENU_ITEM, name="Open It", on_press=lambda: form.app.open(FakeWindow(name="Opened", x=700)))
    menu = FakeWindow(
        role=Role.WINDOW, name="", is_popup=True, x=300, y=120, width=220, client_height=60, children=[item]
    )
    form.app.open(menu)

    receipt = await desk.click(await desk.ref("Open It"), button="left", modifiers=("shift",))

    assert ("click", "Open It") in desk.kinds()
    assert receipt.verdict is Verdict.CONFIRMED


async def test_a_button_under_an_open_menu_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: the click would go to the menu."""
    go = await desk.ref("Go")
    form.app.open(FakeWindow(role=Role.WINDOW, name="", is_popup=True, x=90, y=50, width=300, client_height=200))

    desk.check_refused(await desk.click(go, button="right"), Failure.OCCLUDED)


async def test_keys_without_a_target_go_to_the_focus(desk: Desk, form: FakeForm) -> None:
    """Design: press_key."""
    await desk.act(Action.FOCUS, await desk.ref("Name"))

    receipt = await desk.act(Action.PRESS_KEY, None, "Return")

    assert receipt.status is Status.EXECUTED
    assert desk.values("activate") == [""]


async def test_keys_with_a_target_focus_it_first(desk: Desk, form: FakeForm) -> None:
    """Design: press_key with a target."""
    await desk.act(Action.PRESS_KEY, await desk.ref("Name"), "ctrl+a")

    assert form["Name"].is_text_selected


async def test_a_value_is_set_by_keys_where_the_toolkit_cannot(desk: Desk, form: FakeForm) -> None:
    """Design: the ladder: select all, then type."""
    field = form["Name"]
    field.offers, field.text = (), "old"

    receipt = await desk.act(Action.SET_VALUE, await desk.ref("Name"), "new")

    assert (receipt.verdict, receipt.primitive) == (Verdict.CONFIRMED, "x11.keys")
    assert field.text == "new"


async def test_a_field_is_cleared_by_keys_where_the_toolkit_cannot(desk: Desk, form: FakeForm) -> None:
    """Design: set_value with an empty value."""
    field = form["Name"]
    field.offers, field.text = (), "old"

    receipt = await desk.act(Action.SET_VALUE, await desk.ref("Name"), "")

    assert receipt.verdict is Verdict.CONFIRMED
    assert field.text == ""


async def test_a_window_is_brought_forward_by_its_ref(desk: Desk, form: FakeForm) -> None:
    """Design: focus on a window's ref restores it."""
    state = await desk.look("form")
    desk.desktop.start("other", FakeWindow(name="Other", x=700))
    form.window.is_minimised = True

    receipt = await desk.act(Action.FOCUS, state.window_ref)

    assert receipt.verdict is Verdict.CONFIRMED, receipt
    assert desk.desktop.active is form.window
    assert not form.window.is_minimised


async def test_a_row_that_became_another_row_is_refused(desk: Desk, form: FakeForm) -> None:
    """Public reports: recycled rows of a list."""
    row = await desk.ref("Row 2")
    form["Row 2"].rename("Row 77")

    desk.check_refused(await desk.click(row), Failure.STALE_RENAMED)


async def test_a_thing_that_changed_its_role_is_refused(desk: Desk, form: FakeForm) -> None:
    """Our choice: a number that the platform gave to something else is another thing."""
    idle = await desk.ref("Idle")
    form["Idle"].become(Role.CHECK_BOX)

    desk.check_refused(await desk.click(idle), Failure.STALE_RENAMED)


async def test_a_window_that_moved_is_no_obstacle_for_a_ref(desk: Desk, form: FakeForm) -> None:
    """Design: the place is read anew just before the click."""
    idle = await desk.ref("Idle")
    form.window.move(500, 90)

    await desk.click(idle, modifiers=("ctrl",))

    assert ("click", "Idle") in desk.kinds()


async def test_a_hundred_acts_on_a_changing_window_never_hit_another_button(desk: Desk, buttons: FakeForm) -> None:
    """Issue: stale-target conformance over 100 runs; the real toolkits have their own."""
    names = ["Alpha", "Bravo", "Charlie", "Delta"]
    for run in range(25):
        refs = {name: await desk.ref(name) for name in names}
        victim = names[run % 4]
        index = buttons.window.children.index(buttons[victim])
        buttons[victim].remove()
        for name in names:
            receipt = await desk.click(refs[name])
            expected = Failure.STALE_DETACHED if name == victim else Failure.NO_EFFECT
            assert receipt.failure is expected
        buttons.window.add(Widget(role=Role.BUTTON, name=victim), index)
        assert [event.widget for event in desk.desktop.log] == [name for name in names if name != victim]
        desk.desktop.log.clear()


async def test_a_check_box_that_is_switched_off_can_be_read_from_the_receipt(desk: Desk, form: FakeForm) -> None:
    """Design: evidence carries before and after."""
    form["Remember"].turn(State.CHECKED, True)

    receipt = await desk.click(await desk.ref("Remember"))

    assert (receipt.evidence[0].before, receipt.evidence[0].after) == ("checked", "not checked")
