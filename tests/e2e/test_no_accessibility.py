"""An application that cannot be read is said to be one, and can still be clicked by a point."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.desk import Desk, Form, contains


@pytest.fixture(scope="module")
def form(shared_desk: Desk) -> Iterator[Form]:
    """A window that only the X server knows."""
    with shared_desk.opened("tk", "--at", "100,80") as opened:
        yield opened


def test_a_tk_application_is_listed_as_unreadable_and_clicked_by_a_point(shared_desk: Desk, form: Form) -> None:
    """Our choice: no empty success; Tk is not on the accessibility bus."""
    entry = next(app for app in shared_desk.apps() if app["pid"] == form.pid)
    assert entry["accessible"] == "none"
    assert entry["why"]
    assert len(entry["windows"]) == 1
    state = shared_desk.observe(form, format="records")
    assert "no accessibility" in state.text
    assert state.data["candidates"] == []
    assert state.data["stable"] is False

    x, y, width, height = form.rects()["Go"]
    form.new_events()
    point = f"{state.data['observation']}@{x + width // 2},{y + height // 2}"
    clicked = shared_desk.call("click", target=point)
    assert clicked.data["status"] == "executed", clicked.text
    assert clicked.verdict != "confirmed", "nothing was read, so nothing is confirmed"
    events = form.new_events()
    presses = [event["value"] for event in events if event["event"] == "press"]
    assert presses
    assert all(contains([x, y, width, height], press["x"], press["y"]) for press in presses)
    assert [event["widget"] for event in events if event["event"] == "click"] == ["Go"]


def test_a_point_is_refused_once_the_window_has_moved(shared_desk: Desk, form: Form) -> None:
    """Our choice: the pixel belongs to the picture it was seen in."""
    state = shared_desk.observe(form)
    x, y, width, height = form.rects()["Go"]
    point = f"{state.data['observation']}@{x + width // 2},{y + height // 2}"
    before = form.settle()["window"]
    form.ask("move", x=300, y=200)
    form.settle(lambda now: now != before)
    form.new_events()
    moved = shared_desk.call("click", target=point)
    assert moved.failure in {"stale_moved", "stale_window"}, moved.text
    assert form.new_events() == []
