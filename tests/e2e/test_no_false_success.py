"""Nothing is called done that was not done, and what cannot be done is refused before it is tried."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.desk import SYSTEM_PYTHON, Desk, Form, contains, need_toolkit, wait_until

ON_TOP = """
import os, sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk
window = Gtk.Window(title="Lid", default_width=700, default_height=600)
window.set_keep_above(True)
window.show_all()
window.move(0, 0)
GLib.timeout_add(20, lambda: not os.path.exists(sys.argv[1]) or Gtk.main_quit())
Gtk.main()
"""


@pytest.fixture
def form(shared_desk: Desk, varied_toolkit: str) -> Iterator[Form]:
    """A window of buttons and fields."""
    with shared_desk.opened(varied_toolkit, "--keep") as opened:
        yield opened


def test_only_a_button_that_does_something_is_confirmed(shared_desk: Desk, form: Form) -> None:
    """Issue 2, must hold: a disabled button is refused; one whose handler does nothing is not called done."""
    off = shared_desk.call("click", target='button "Off"')
    assert (off.data["status"], off.failure) == ("rejected", "disabled"), off.text
    assert form.new_events() == []

    idle = shared_desk.call("click", target='button "Idle"')
    assert form.clicks() == ["Idle"]
    assert idle.data["status"] == "executed"
    assert idle.verdict in {"refuted", "unverifiable"}, idle.text

    go = shared_desk.call("click", target='button "Go"', expect='text "gone 1"')
    assert form.clicks() == ["Go"]
    assert go.verdict == "confirmed", go.text


def test_an_expectation_that_does_not_come_true_refutes(shared_desk: Desk) -> None:
    """Our choice: what the caller expects is judged, not what the toolkit answers."""
    with shared_desk.opened("gtk3") as form:
        wrong = shared_desk.call("click", target='button "Idle"', expect='text "gone 1"')
        assert form.clicks() == ["Idle"]
        assert wrong.verdict == "refuted", wrong.text


def test_a_read_only_field_is_refused_and_an_editable_one_is_written(shared_desk: Desk, form: Form) -> None:
    """Issue 2, must hold: toolkits answer "done" for a read-only field."""
    for answer in (
        shared_desk.call("set_value", target='entry "Fixed"', value="changed"),
        shared_desk.call("type_text", target='entry "Fixed"', text="changed"),
    ):
        assert answer.is_error
        assert answer.data["status"] == "rejected", answer.text
        assert answer.failure == "unsupported"
    assert form.values()["Fixed"] == "fixed text"
    assert form.new_events() == []

    written = shared_desk.call("set_value", target='entry "Name"', value="grüße 漢字")
    assert written.verdict == "confirmed", written.text
    assert form.values()["Name"] == "grüße 漢字"
    # Toolkits differ in where a new value leaves the caret, and text goes in at the caret.
    assert not shared_desk.call("press_key", target='entry "Name"', keys="End").is_error
    typed = shared_desk.call("type_text", target='entry "Name"', text=" end")
    assert typed.verdict == "confirmed", typed.text
    assert form.values()["Name"] == "grüße 漢字 end"


def test_a_window_that_its_own_button_closed_is_told_from_one_that_stayed(shared_desk: Desk, form: Form) -> None:
    """Issue 2, must hold: the window closed meanwhile."""
    refs = shared_desk.refs(form)
    closing = shared_desk.call("click", target=refs["Close me"], expect=f'window "{_title(form)}" gone')
    assert closing.verdict == "confirmed", closing.text
    assert "Close me" in form.clicks()
    late = shared_desk.call("click", target=refs["Go"])
    assert late.failure in {"stale_window", "app_gone"}, late.text
    assert form.clicks() == []


def test_a_handler_that_blocks_is_named_and_the_application_is_usable_afterwards(shared_desk: Desk, form: Form) -> None:
    """Our choice: a busy application is no failure of the act and no success either."""
    slow = shared_desk.call("click", target='button "Slow"')
    assert form.clicks() == ["Slow"]
    assert slow.verdict != "confirmed", slow.text
    assert slow.data["status"] in {"executed", "outcome_unknown", "timed_out"}
    assert slow.data["next"]
    wait_until(lambda: any(event["event"] == "slow_done" for event in form.events()), "the handler's end")
    go = shared_desk.call("click", target='button "Go"')
    assert not go.is_error, go.text
    assert "Go" in form.clicks()


def test_a_button_behind_a_modal_dialog_is_refused_until_the_dialog_is_answered(shared_desk: Desk, form: Form) -> None:
    """Our choice: the dialog would swallow the click."""
    refs = shared_desk.refs(form)
    shown = shared_desk.call("click", target=refs["Open dialog"])
    assert not shown.is_error, shown.text
    assert form.clicks() == ["Open dialog"]
    blocked = shared_desk.call("click", target=refs["Go"])
    assert blocked.failure == "blocked_by_modal", blocked.text
    assert form.new_events() == []
    new = {name: ref for name, ref in shared_desk.refs(form).items() if name not in refs}
    assert new, "the dialog's buttons are listed"
    answered = shared_desk.call("click", target=new.get("OK") or next(iter(new.values())))
    assert not answered.is_error, answered.text
    form.new_events()
    assert not shared_desk.call("click", target=refs["Go"]).is_error
    assert form.clicks() == ["Go"]


def test_a_window_behind_another_is_brought_forward_before_the_pointer_clicks(
    shared_desk: Desk, varied_toolkit: str
) -> None:
    """Our choice: the pointer hits whatever is on top, so the window has to be there first."""
    with (
        shared_desk.opened(varied_toolkit, "--at", "30,30") as below,
        shared_desk.opened("gtk3", "--at", "40,40") as above,
    ):
        clicked = shared_desk.call("click", target=shared_desk.refs(below)["Go"], count=2)
        assert not clicked.is_error, clicked.text
        presses = [event["value"] for event in below.new_events() if event["event"] == "press"]
        assert presses
        assert all(contains(below.rects()["Go"], press["x"], press["y"]) for press in presses)
        assert above.new_events() == []


@pytest.mark.parametrize("below_toolkit", ["gtk3", "qt5"])
def test_a_button_covered_by_a_window_that_stays_on_top_is_refused(shared_desk: Desk, below_toolkit: str) -> None:
    """Our choice: the press would reach the lid; the refusal names it."""
    need_toolkit("gtk3")
    with shared_desk.opened(below_toolkit, "--at", "60,60") as below:
        lift = shared_desk.folder / f"lift-{below_toolkit}"
        lid = shared_desk.call("open_app", name=SYSTEM_PYTHON, args=["-c", ON_TOP, str(lift)])
        assert lid.data["status"] == "executed", lid.text
        refs = shared_desk.refs(below)
        covered = shared_desk.call("click", target=refs["Go"], count=2)
        assert covered.failure == "occluded", covered.text
        assert "Lid" in covered.data["message"]
        assert below.new_events() == []
        lift.touch()
        wait_until(lambda: "Lid" not in shared_desk.call("list_apps").text, "the lid gone")
        uncovered = shared_desk.call("click", target=refs["Go"], count=2)
        assert not uncovered.is_error, uncovered.text
        assert "Go" in below.clicks()


def _title(form: Form) -> str:
    return {"gtk3": "Form3", "gtk4": "Form4"}.get(form.toolkit, "FormQt")
