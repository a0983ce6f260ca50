"""Tactile against what the fixture applications say of themselves: what shows, where, which values, what acting does.

The applications' own toolkits and logs decide (tests/apps/README.md); nothing here is taken from the accessibility bus.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.figures import Figure, in_ms
from tests.e2e.desk import IMPORTS, READABLE, SYSTEM_PYTHON, Desk, Form, desk
from tests.e2e.test_coordinates import misplaced, pairs

SECTION = "accessibility"
EFFECT_S = 5.0  # for the application's log to show what was done
LISTED_MAX = 200  # of one answer
LOOKS = 10
IMPORT_S = 60.0
TOOLKITS = READABLE
PRESSES = ("Go", "Icon", "P1", "Idle", "Open dialog")  # by a right click, which only the raw log sees
NOT_CONTROLS = frozenset({"label"})
WITHOUT_VALUE = NOT_CONTROLS | {"button", "page_tab"}  # the toolkit's own account names their text
SECRET = "Secret"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One act, and the line that the application must log.

    Attributes:
        option: Name of what is clicked when the first act has opened it.
    """

    what: str
    tool: str
    name: str
    event: str
    value: object = None
    more: tuple[tuple[str, str], ...] = ()
    option: str = ""
    widget: str | None = ""


STEPS = (
    Step(what="button", tool="click", name="Go", event="click"),
    Step(what="check box", tool="click", name="Remember", event="toggle", value=True),
    Step(what="radio button", tool="click", name="Large", event="toggle", value=True),
    Step(what="switch", tool="click", name="Power", event="toggle", value=True),
    Step(what="entry set", tool="set_value", name="Name", event="change", value="abc", more=(("value", "abc"),)),
    Step(what="entry typed", tool="type_text", name="Search", event="change", value="xyz", more=(("text", "xyz"),)),
    Step(what="spin button", tool="set_value", name="Count", event="change", value=7, more=(("value", "7"),)),
    Step(what="slider", tool="set_value", name="Volume", event="change", value=30, more=(("value", "30"),)),
    Step(what="tab", tool="click", name="Two", event="tab"),
    Step(what="row", tool="click", name="Row 3", event="select", value="Row 3", widget="Rows"),
    Step(what="combo box", tool="click", name="Company", event="change", value="Globex", option="Globex"),
    Step(what="menu", tool="click", name="File", event="menu", option="Open It", widget="Open It"),
    Step(what="scrolling", tool="scroll", name="Rows", event="wheel", more=(("direction", "down"),), widget=None),
)


def missing(toolkit: str) -> str:
    """Return why a fixture cannot be started, empty when it can."""
    done = subprocess.run([SYSTEM_PYTHON, "-c", IMPORTS[toolkit]], capture_output=True, timeout=IMPORT_S, check=False)
    return "" if done.returncode == 0 else f"{toolkit} is not installed for {SYSTEM_PYTHON}"


def measure_form(toolkit: str) -> list[Figure]:
    """Check one fixture application.

    Raises:
        RuntimeError: Its toolkit is not installed, or it did not open.
    """
    absent = missing(toolkit)
    if absent:
        raise RuntimeError(absent)
    try:
        with tempfile.TemporaryDirectory(prefix="tactile-bench-") as name, desk(Path(name)) as place:
            return _checked(place, toolkit)
    except (AssertionError, pytest.fail.Exception) as error:  # of the machinery that the tests share
        raise RuntimeError(str(error)) from error


def _checked(place: Desk, toolkit: str) -> list[Figure]:
    form = place.open(toolkit, "--at", "20,20")
    form.settle()
    checks: tuple[tuple[str, Callable[[Desk, Form], Sequence[str | None]]], ...] = (
        ("recall", recall),
        ("geometry", geometry),
        ("pointer", pointer),
        ("values", values),
        ("events", events),
        ("actions", actions),
    )
    looks = _looks(place, form)
    return [_figure(toolkit, what, check(place, form)) for what, check in checks] + looks


def _figure(toolkit: str, what: str, results: Sequence[str | None]) -> Figure:
    """Return the part of the results that are right; a wrong one says how."""
    wrong = [one for one in results if one]
    percent = 100 * (len(results) - len(wrong)) / len(results) if results else 0.0
    more: tuple[tuple[str, float | str], ...] = (
        ("of", len(results)),
        *((f"wrong {number}", one) for number, one in enumerate(wrong, 1)),
    )
    return Figure(
        section=SECTION, name=f"fixture {toolkit}: {what}", unit="%", values=(percent,), least=100.0, more=more
    )


def _looks(place: Desk, form: Form) -> list[Figure]:
    """Return how long observations take, each after a change and without one."""
    changed, same = [], []
    for number in range(LOOKS):
        form.ask("rename", name="Idle" if number % 2 == 0 else "Still", to="Still" if number % 2 == 0 else "Idle")
        form.settle()
        changed.append(place.observe(form, format="records").data["timings_s"]["observe"])
        place.observe(form)
        same.append(place.observe(form, format="records").data["timings_s"]["observe"])
    return [
        Figure(section=SECTION, name=f"fixture {form.toolkit}: {what}", unit="ms", values=in_ms(taken))
        for what, taken in (("changed", changed), ("unchanged", same))
    ]


# ---------------------------------------------------------------- what there is


def recall(place: Desk, form: Form) -> list[str | None]:
    """Look for each widget that shows among the candidates that show."""
    texts = form.values()
    names = {item["name"] for item in _records(place, form) if item["showing"]}
    shown = [name for name, (_, _, width, height) in form.rects().items() if width > 0 and height > 0]
    return [None if {name, str(texts.get(name))} & names else f"{name} is missing" for name in shown]


def geometry(place: Desk, form: Form) -> list[str | None]:
    """Compare the places of candidates with those of their widgets, here and after a move."""
    found: list[str | None] = []
    for where in ((60, 40), (180, 70)):
        before = form.settle()["window"]
        form.ask("move", x=where[0], y=where[1])
        form.settle(lambda now, before=before: now != before)  # type: ignore[misc]
        found += [misplaced(form.toolkit, *pair) or None for pair in pairs(_records(place, form), form.rects())]
    return found


def pointer(place: Desk, form: Form) -> list[str | None]:
    """Press with the right button, which is done with the pointer, and see where the toolkit was pressed."""
    return [_pressed(place, form, name) for name in PRESSES if name in form.rects()]


def _pressed(place: Desk, form: Form, name: str) -> str | None:
    ref = _ref(place, form, name)
    if ref is None:
        return f"{name} is missing"
    form.new_events()
    place.call("click", target=ref, button="right")
    presses = [line["value"] for line in _logged(form, lambda line: line["event"] == "press")]
    x, y, width, height = form.rects()[name]
    is_inside = [x <= press["x"] < x + width and y <= press["y"] < y + height for press in presses]
    place.call("press_key", keys="Escape")
    return None if presses and all(is_inside) else f"{name} was pressed at {presses}, and lies at {x},{y}"


def values(place: Desk, form: Form) -> list[str | None]:
    """Compare the values of fields, and the states of what can be checked, with the toolkit's own."""
    by_name = {item["name"]: item for item in _records(place, form) if item["showing"]}
    return [
        _told(name, value, by_name[name])
        for name, value in form.values().items()
        if name in by_name and not isinstance(value, dict) and by_name[name]["role"] not in WITHOUT_VALUE
    ]


def _told(name: str, value: object, record: dict[str, Any]) -> str | None:
    if name == SECRET:
        return None if record["value"] is None else "the secret was read"
    if isinstance(value, bool):
        is_right = ("checked" in record["states"]) is value
    elif isinstance(value, int | float):
        is_right = record["value"] is not None and float(record["value"]) == value
    else:
        is_right = (record["value"] or "").split() == str(value).split()  # lines are joined when they are shown
    return None if is_right else f"{name} holds {value!r}, told was {record['value']!r} {record['states']}"


# ---------------------------------------------------------------- what happens


def events(place: Desk, form: Form) -> list[str | None]:
    """Have the application change by itself, and see each change in the very next observation."""
    changes: tuple[tuple[str, dict[str, Any], Callable[[dict[str, Any]], bool]], ...] = (
        ("rename", {"name": "Idle", "to": "Renamed"}, lambda by: "Renamed" in by and "Idle" not in by),
        ("rename", {"name": "Renamed", "to": "Idle"}, lambda by: "Idle" in by and "Renamed" not in by),
        ("enable", {"name": "Off", "on": True}, lambda by: by["Off"]["enabled"]),
        ("enable", {"name": "Off", "on": False}, lambda by: not by["Off"]["enabled"]),
        ("show", {"name": "Slow", "on": False}, lambda by: "Slow" not in by),
        ("show", {"name": "Slow", "on": True}, lambda by: "Slow" in by),
        ("insert", {"name": "Newcomer", "index": 0}, lambda by: "Newcomer" in by),
        ("remove", {"name": "Newcomer"}, lambda by: "Newcomer" not in by),
    )
    found: list[str | None] = []
    for do, arguments, is_seen in changes:
        _records(place, form)
        form.ask(do, **arguments)
        form.settle()
        by_name = {item["name"]: item for item in _records(place, form) if item["showing"]}
        found.append(None if is_seen(by_name) else f"{do} {arguments} was not seen")
    return found


def actions(place: Desk, form: Form) -> list[str | None]:
    """Act on one control of each kind, and find the effect in the application's own log."""
    return [_acted(place, form, step) for step in STEPS]


def _acted(place: Desk, form: Form, step: Step) -> str | None:
    ref = _ref(place, form, step.name)
    if ref is None:
        return f"{step.what}: {step.name} is missing"
    form.new_events()
    receipt = place.call(step.tool, target=ref, **dict(step.more))
    if step.option:
        option = _ref(place, form, step.option)
        if option is None:
            place.call("press_key", keys="Escape")
            return f"{step.what}: nothing called {step.option} came up"
        receipt = place.call("click", target=option)
    widget = step.name if step.widget == "" else step.widget

    def is_it(line: dict[str, Any]) -> bool:
        return (
            line["event"] == step.event
            and line["widget"] == widget
            and (step.value is None or line["value"] == step.value)
        )

    return None if _logged(form, is_it) else f"{step.what}: no effect ({receipt.failure or receipt.verdict})"


# ---------------------------------------------------------------- looking


def _records(place: Desk, form: Form) -> list[dict[str, Any]]:
    return place.records(form, limit=LISTED_MAX)


def _ref(place: Desk, form: Form, name: str) -> str | None:
    """Return the ref of a control; a label of the same name stands beside it."""
    found = [item for item in _records(place, form) if item["name"] == name and item["showing"]]
    found.sort(key=lambda item: item["role"] in NOT_CONTROLS)
    return str(found[0]["ref"]) if found else None


def _logged(form: Form, is_it: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """Return the lines logged since `new_events`, waiting a little for the first."""
    until = time.monotonic() + EFFECT_S
    while True:
        found = [line for line in form.events()[form.read :] if is_it(line)]
        if found or time.monotonic() > until:
            return found
        time.sleep(0.02)  # between two looks; the deadline bounds the loop
