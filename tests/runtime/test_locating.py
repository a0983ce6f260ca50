"""A locator fits one candidate of the whole desktop, whichever application was looked at last."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactile.records import Action, Failure, Role
from tactile.testing import FakeApp, FakeDesktop, FakeWindow, Widget
from tests.fake_form import FakeForm
from tests.runtime.desk import Desk, desk_on


def two_dialogs(first: str = "First", second: str = "Second") -> FakeDesktop:
    """Make two applications, each with an OK button and one of its own."""
    desktop = FakeDesktop()
    for title, own in ((first, "Alpha"), (second, "Bravo")):
        buttons = [Widget(role=Role.BUTTON, name=name) for name in ("OK", own)]
        desktop.start(title, FakeWindow(name=title, children=buttons))
    return desktop


async def test_one_name_in_two_applications_is_refused_and_both_are_named(tmp_path: Path) -> None:
    """An attacker's finding: another application's dialog had been answered, and confirmed."""
    with desk_on(two_dialogs(), tmp_path) as desk:
        await desk.look("First")

        receipt = await desk.click('button "OK"')

        desk.check_refused(receipt, Failure.TARGET_AMBIGUOUS)
        assert any('in "First"' in near for near in receipt.near_misses)
        assert any('in "Second"' in near for near in receipt.near_misses)


@pytest.mark.parametrize(("title", "pid"), [("First", 1001), ("Second", 1002)])
async def test_a_window_title_chooses_the_application(tmp_path: Path, title: str, pid: int) -> None:
    """Public interface: `button "OK" in "Save As"`; the receipt says where it was."""
    with desk_on(two_dialogs(), tmp_path) as desk:
        await desk.look("First")

        receipt = await desk.click(f'button "OK" in "{title}"')

        assert receipt.target.endswith(f'in "{title}" of "{title}" pid {pid}')
        assert desk.kinds() == [("click", "OK")]


async def test_a_thing_of_another_application_is_found_by_its_name_alone(tmp_path: Path) -> None:
    """One candidate fits, wherever it is."""
    with desk_on(two_dialogs(), tmp_path) as desk:
        await desk.look("First")

        await desk.click('button "Bravo"')

        assert desk.kinds() == [("click", "Bravo")]


async def test_two_windows_of_one_title_are_refused(tmp_path: Path) -> None:
    """Issue: two windows of the same name are a typed refusal; the refs named can be used."""
    with desk_on(two_dialogs("Form", "Form"), tmp_path) as desk:
        receipt = await desk.click('button "OK" in "Form"')
        desk.check_refused(receipt, Failure.TARGET_AMBIGUOUS)

        ref = receipt.near_misses[0].partition("[")[2].partition("]")[0]
        await desk.click(ref)

        assert desk.kinds() == [("click", "OK")]


async def test_an_application_that_hangs_does_not_keep_others_from_being_found(tmp_path: Path) -> None:
    """Issue: a hung application never delays the others; what cannot be read cannot be chosen."""
    desktop = two_dialogs()
    hung: FakeApp = desktop.apps[1]
    hung.hang(60.0)
    with desk_on(desktop, tmp_path) as desk:
        await desk.click('button "Alpha"')

        assert desk.kinds() == [("click", "Alpha")]


@pytest.mark.parametrize("role", ["frame", "list"])
async def test_a_click_on_what_holds_other_things_is_refused(tmp_path: Path, role: str) -> None:
    """An attacker's finding: the middle of a window is some other thing, which then was clicked."""
    rows = [Widget(role=Role.LIST_ITEM, name=f"Row {number}") for number in range(3)]
    desktop = FakeDesktop()
    desktop.start("Rows", FakeWindow(name="Rows", children=[Widget(role=Role.LIST, name="Rows", children=rows)]))
    with desk_on(desktop, tmp_path) as desk:
        desk.check_refused(await desk.click(f'{role} "Rows"'), Failure.UNSUPPORTED)


@pytest.mark.parametrize("role", [Role.SLIDER, Role.SPIN_BUTTON, Role.COMBO_BOX])
async def test_the_wheel_over_a_value_is_refused(tmp_path: Path, role: Role) -> None:
    """An attacker's finding: scrolling over a slider set it, and the receipt said that nothing had moved."""
    desktop = FakeDesktop()
    desktop.start("Values", FakeWindow(name="Values", children=[Widget(role=role, name="Volume")]))
    with desk_on(desktop, tmp_path) as desk:
        receipt = await desk.act(Action.SCROLL, f'{role.value} "Volume"')

        desk.check_refused(receipt, Failure.UNSUPPORTED)


async def test_every_ref_of_the_full_records_can_be_used(tmp_path: Path) -> None:
    """An attacker's finding: refs of records had been refused as of another run."""
    buttons = [Widget(role=Role.BUTTON, name=f"Button {number}") for number in range(60)]
    desktop = FakeDesktop(height=4000)
    desktop.start("Many", FakeWindow(name="Many", children=buttons))
    with desk_on(desktop, tmp_path) as desk:
        state = await desk.look("Many", with_records=True)
        last = next(item for item in state.candidates.candidates if item.name == "Button 59")
        assert last.ref not in state.listed

        receipt = await desk.click(last.ref)

        assert receipt.failure in {None, Failure.NO_EFFECT, Failure.OFF_SCREEN}, receipt
        assert 'button "Button 59"' in receipt.target


async def test_a_query_lists_what_matches_alone_and_says_when_nothing_does(desk: Desk, form: FakeForm) -> None:
    """An attacker's finding: a query without a match looked like an answer."""
    assert form["Remember"].name == "Remember"
    found = await desk.look(query="remember")
    missed = await desk.look(query="nothing of that kind")

    names = [item.name for ref in found.listed if (item := found.candidates.by_ref(ref))]
    assert names == ["Remember"]
    assert "nothing matches the query" in missed.text
    assert len(missed.listed) > 5
