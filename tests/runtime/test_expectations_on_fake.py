"""Postconditions of the caller: each kind, held and not held."""

from __future__ import annotations

import pytest

from tactile.records import Action, Failure, State, Verdict
from tactile.testing import FakeWindow
from tests.fake_form import FakeForm
from tests.runtime.desk import Desk

HELD = {
    "text": 'text "gone 1"',
    "text gone": 'text "Status" gone',
    "window": 'window "Second"',
    "window gone": 'window "Third" gone',
    "app": 'app "helper"',
    "app gone": 'app "old" gone',
    "file": "file ~/new.txt",
    "file contains": 'file ~/notes.txt contains "saved"',
    "file gone": "file ~/old.txt gone",
    "state": 'check box "Remember" is checked',
    "negated state": 'radio button "Small" is not checked',
    "disabled": 'button "Idle" is disabled',
    "value": 'entry "Name" = "Ada"',
    "contains": 'entry "Name" contains "da"',
    "target gone": 'button "Open dialog" gone',
    "both": 'text "gone 1" and entry "Name" = "Ada"',
}


def everything_happens(desk: Desk, form: FakeForm) -> None:
    """Let a press of Go bring about all that is expected in `HELD`."""
    third = form.app.open(FakeWindow(name="Third", x=800))
    old = desk.desktop.start("old", FakeWindow(name="Old", x=820))
    desk.desktop.files = {"/home/fake/notes.txt": b"empty", "/home/fake/old.txt": b"x"}
    desk.desktop.active = form.window
    desk.desktop.stack.append(desk.desktop.stack.pop(desk.desktop.stack.index(form.window)))

    def effect() -> None:
        form["Status"].rename("gone 1")
        form.app.open(FakeWindow(name="Second", x=700))
        third.close()
        desk.desktop.start("helper", FakeWindow(name="Helper", x=720))
        old.quit()
        desk.desktop.files = {"/home/fake/notes.txt": b"saved", "/home/fake/new.txt": b""}
        form["Remember"].turn(State.CHECKED, True)
        form["Small"].turn(State.CHECKED, False)
        form["Idle"].turn(State.ENABLED, False)
        form["Name"].write("Ada")
        form["Open dialog"].remove()

    form["Go"].on_press = effect


@pytest.mark.parametrize("expect", HELD.values(), ids=HELD.keys())
@pytest.mark.parametrize("delay_s", [0.0, 2.5])
async def test_an_expectation_that_comes_true_confirms(desk: Desk, form: FakeForm, expect: str, delay_s: float) -> None:
    """Design: postconditions are judged before and after, and waited for up to five seconds."""
    everything_happens(desk, form)
    form["Go"].delay_s = delay_s

    receipt = await desk.click(await desk.ref("Go", "form"), expect=expect)

    assert receipt.verdict is Verdict.CONFIRMED, receipt
    assert all(item.supports for item in receipt.evidence)


@pytest.mark.parametrize("expect", HELD.values(), ids=HELD.keys())
async def test_an_expectation_that_does_not_come_true_is_refuted(desk: Desk, form: FakeForm, expect: str) -> None:
    """Issue: no false success."""
    everything_happens(desk, form)
    form["Go"].on_press = None

    receipt = await desk.click(await desk.ref("Go", "form"), expect=expect)

    assert (receipt.verdict, receipt.failure) == (Verdict.REFUTED, Failure.NO_EFFECT), receipt
    assert "Not as expected" in receipt.message


async def test_another_effect_than_the_expected_one_is_a_wrong_effect(desk: Desk, form: FakeForm) -> None:
    """Our choice: what happened instead can be seen in the changes."""
    receipt = await desk.click(await desk.ref("Go"), expect='text "done"')

    assert (receipt.verdict, receipt.failure) == (Verdict.REFUTED, Failure.WRONG_EFFECT)


async def test_an_expectation_that_held_before_is_weak(desk: Desk, form: FakeForm) -> None:
    """Our choice: what was so already proves nothing."""
    receipt = await desk.click(await desk.ref("Go"), expect='text "Remember"')

    assert receipt.verdict is Verdict.WEAK


async def test_an_expectation_by_ref_follows_the_thing(desk: Desk, form: FakeForm) -> None:
    """Design: e5 is checked."""
    remember = await desk.ref("Remember")

    receipt = await desk.act(Action.CLICK, remember, expect=f"{remember} is checked")

    assert receipt.verdict is Verdict.CONFIRMED


async def test_one_false_clause_of_two_is_refuted_and_named(desk: Desk, form: FakeForm) -> None:
    """Design: a conjunction."""
    receipt = await desk.click(await desk.ref("Go"), expect='text "gone 1" and window "Second"')

    assert receipt.verdict is Verdict.REFUTED
    assert 'window "Second"' in receipt.message
    assert [item.supports for item in receipt.evidence] == [True, False]
