"""Where a candidate is said to be is where its widget is, also after the window was moved and resized."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.e2e.desk import SYSTEM_PYTHON, Desk, Form, contains

SLACK = 2  # px, of the issue
TAB_SLACK = 6  # px; GTK 4.18 tells the size of a tab and not its padding (measured on Debian 13; exact with 4.8)
TABS = frozenset({"One", "Two"})
BORDER_MAX = 80  # px between the frame that is moved and the client area that is measured
COMPARED_MIN = 25  # candidates with a widget of the same name; fewer would prove little
EXACT = {"gtk3"}  # toolkits whose accessible extents are those of the whole widget
LOOSE = {  # Qt's check boxes and radio buttons give the part that can be clicked, which lies at the widget's left
    "qt5": {"Remember", "Small", "Large", "Power"},
    "qt6": {"Remember", "Small", "Large", "Power"},
}


@pytest.fixture
def form(shared_desk: Desk, toolkit: str) -> Iterator[Form]:
    """A window of buttons and fields."""
    with shared_desk.opened(toolkit, "--at", "20,20") as opened:
        yield opened


def pairs(records: list[dict[str, Any]], rects: dict[str, list[int]]) -> list[tuple[str, dict[str, int], list[int]]]:
    """Return name, extents and true rectangle of every showing candidate that shares its name with one widget."""
    named = [item for item in records if item["name"] in rects and item["showing"] and item["extents"]]
    names = [item["name"] for item in named]
    return [
        (item["name"], item["extents"], rects[item["name"]])
        for item in named
        if names.count(item["name"]) == 1 and item["extents"]["width"] > 0
    ]


@cache
def gtk4_minor() -> int:
    """Return N of the installed GTK 4.N."""
    code = 'import gi; gi.require_version("Gtk", "4.0"); from gi.repository import Gtk; print(Gtk.get_minor_version())'
    done = subprocess.run([SYSTEM_PYTHON, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    return int(done.stdout)


def test_every_centre_is_in_its_widget_wherever_the_window_is(shared_desk: Desk, form: Form) -> None:
    """Issue 2, must hold: at most 2 px off, on each toolkit, with the window moved."""
    steps: tuple[tuple[str, dict[str, int]], ...] = (
        ("move", {"x": 60, "y": 40}),
        ("move", {"x": 210, "y": 90}),
        ("resize", {"w": 800, "h": 640}),
    )
    places = []
    for do, numbers in steps:
        before = form.settle()["window"]
        form.ask(do, **numbers)
        window = form.settle(lambda now, before=before: now != before)["window"]  # type: ignore[misc]
        places.append(tuple(window))
        if do == "move":
            assert contains([numbers["x"], numbers["y"], BORDER_MAX, BORDER_MAX], window[0], window[1])
        compared = pairs(shared_desk.records(form, limit=200), form.rects())
        assert len(compared) >= COMPARED_MIN, [name for name, _, _ in compared]
        assert [wrong for pair in compared if (wrong := misplaced(form.toolkit, *pair))] == []
    assert len(set(places)) == len(steps)


def misplaced(toolkit: str, name: str, extents: dict[str, int], true: list[int], factor: float = 1) -> str:
    """Say how a candidate's place is wrong, or nothing; what a toolkit leaves out of a widget grows with its factor."""
    x, y = extents["x"] + extents["width"] / 2, extents["y"] + extents["height"] / 2
    told = f"{name}: {list(extents.values())} for {true}"
    if not contains(true, x, y):
        return f"{told}: centre outside"
    if name in LOOSE.get(toolkit, set()):
        return ""
    slack = factor * TAB_SLACK if toolkit == "gtk4" and name in TABS and gtk4_minor() > 8 else SLACK
    if abs(x - true[0] - true[2] / 2) > slack or abs(y - true[1] - true[3] / 2) > slack:
        return f"{told}: centre off"
    edges = (extents["x"] - true[0], extents["y"] - true[1], extents["width"] - true[2], extents["height"] - true[3])
    return f"{told}: edges off" if toolkit in EXACT and any(abs(edge) > factor * SLACK for edge in edges) else ""


def test_the_pointer_lands_in_the_widget(shared_desk: Desk, form: Form) -> None:
    """Our choice: a double or right click forces the pointer; the toolkit logs where it was pressed."""
    before = form.settle()["window"]
    form.ask("move", x=170, y=60)
    form.settle(lambda now: now != before)
    for name, how in (("Go", {"count": 2}), ("Icon", {"button": "right"}), ("P1", {"count": 2})):
        answer = shared_desk.call("click", target=f'button "{name}"', **how)
        assert not answer.is_error, answer.text
        presses = [event["value"] for event in form.new_events() if event["event"] == "press"]
        assert presses, name
        assert all(contains(form.rects()[name], press["x"], press["y"]) for press in presses), (name, presses)
