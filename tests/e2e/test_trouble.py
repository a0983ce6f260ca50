"""Applications that are stopped, doubled, late or killed: the others are as they were, and what is wrong is said."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.desk import APPS, SYSTEM_PYTHON, Desk, Form, need_toolkit, wait_until
from tests.e2e.wire import is_alive

LISTING_S = 3.0  # a listing with stopped applications may take a second longer, on a busy machine more
DEADLINE_S = 8.0  # a read's own deadline and what surrounds it, on a busy machine


def host_pid(form: Form) -> int:
    """Return the pid of a fixture as this side of its namespace sees it, by its own control socket."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if str(form.control).encode() in words and words[0].endswith(b"python3"):
                return int(entry.name)
    pytest.fail(f"no process of {form.toolkit} on this machine")


@contextmanager
def stopped(*forms: Form) -> Iterator[None]:
    """Stop applications for one block."""
    pids = [host_pid(form) for form in forms]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def _by_pid(desk: Desk) -> dict[int, dict[str, object]]:
    return {app["pid"]: app for app in desk.apps()}


def test_stopped_applications_are_named_and_cost_the_others_nothing(shared_desk: Desk) -> None:
    """Case C61, with two at once, one of which was never seen before it stopped."""
    with (
        shared_desk.opened("gtk3", "--title", "First") as first,
        shared_desk.opened("qt5", "--title", "Second") as second,
        shared_desk.opened("gtk4", "--title", "Healthy") as healthy,
    ):
        with stopped(first, second):
            started = time.monotonic()
            listed = _by_pid(shared_desk)
            assert time.monotonic() - started < LISTING_S
            for form in (first, second):
                assert listed[form.pid]["accessible"] == "none"
                assert "not responding" in str(listed[form.pid]["why"])
                assert listed[form.pid]["windows"]
            assert listed[healthy.pid]["accessible"] == "full"

            go = shared_desk.refs(healthy)["Go"]
            assert shared_desk.call("click", target=go).data["status"] == "executed"
            wait_until(lambda: healthy.clicks() == ["Go"], "the click in the healthy one")
            # A locator is looked for in every application; the stopped ones are no reason to fail.
            clicked = shared_desk.call("click", target='button "Idle" in "Healthy"')
            assert clicked.data["status"] == "executed", clicked.text

            refused = shared_desk.call("get_app_state", app=first.pid)
            assert refused.failure == "app_unresponsive" or "not respond" in refused.text

        wait_until(lambda: _by_pid(shared_desk)[first.pid]["accessible"] == "full", "the first one healed")
        assert "Go" in shared_desk.refs(second)


def test_an_application_killed_under_a_read_is_refused_or_gone(shared_desk: Desk) -> None:
    """Facts: an exit in mid-walk answers with errors and then with nothing."""
    for toolkit in ("gtk3", "gtk4", "qt5"):
        form = shared_desk.open(toolkit)
        pid = host_pid(form)
        shared_desk.observe(form)
        os.kill(pid, signal.SIGKILL)
        started = time.monotonic()

        answer = shared_desk.call("get_app_state", app=form.pid)

        assert time.monotonic() - started < DEADLINE_S
        assert not is_alive(pid)
        if not answer.is_error:  # its window may outlive it for a moment
            assert "no accessibility" in answer.text, answer.text
        wait_until(lambda form=form: form.pid not in _by_pid(shared_desk), "the dead one is not listed")  # type: ignore[misc]


def test_two_copies_are_told_apart_and_one_is_left_alone(shared_desk: Desk) -> None:
    """Case C04."""
    with (
        shared_desk.opened("gtk3", "--title", "Same") as one,
        shared_desk.opened("gtk3", "--title", "Same") as other,
    ):
        listed = _by_pid(shared_desk)
        windows = [listed[form.pid]["windows"][0]["id"] for form in (one, other)]  # type: ignore[index]
        assert len(set(windows)) == 2

        ambiguous = shared_desk.call("get_app_state", app="Same")
        assert ambiguous.failure == "target_ambiguous", ambiguous.text
        assert str(one.pid) in ambiguous.text
        assert str(other.pid) in ambiguous.text

        button = shared_desk.refs(other)["Go"]
        assert shared_desk.call("click", target=button).data["status"] == "executed"
        wait_until(lambda: other.clicks() == ["Go"], "the click in the named one")
        assert one.clicks() == []


def test_a_late_application_is_said_to_be_late_and_read_when_it_is_there(shared_desk: Desk) -> None:
    """The window is up long before anything answers; nothing may be called an empty success."""
    need_toolkit("gtk3")
    opened = shared_desk.call("open_app", name=SYSTEM_PYTHON, args=[str(APPS / "late_form.py"), "--title", "Late"])
    assert opened.data["status"] in {"executed", "timed_out", "outcome_unknown"}, opened.text

    def is_read() -> bool:
        answer = shared_desk.call("get_app_state", app="Late", format="records")
        if answer.is_error:
            return False
        names = [item["name"] for item in answer.data["candidates"]]
        if "Awake" not in names:
            assert "accessibility" in answer.text or "not respond" in answer.text, answer.text
        return "Awake" in names

    wait_until(is_read, "the late one is read")
    shared_desk.call("press_key", keys="alt+F4")
