"""The figures of the benchmarks: median, spread, pairs and bounds are counted right. Nothing here is timed."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from benchmarks.conditions import conditions
from benchmarks.crowd import platform_calls
from benchmarks.figures import Figure, alternated, differences, in_ms
from benchmarks.forms import TOOLKITS
from benchmarks.peers import Tool, running
from benchmarks.processes import child_running, memory_mb, processor_s
from benchmarks.recall import Box, Seen, recall_of_candidates, recall_of_objects, shown
from benchmarks.report import as_content, cells, write_json
from benchmarks.startup import BARE, discover_request, first_answer, initialize_request
from benchmarks.subjects import SUBJECTS
from benchmarks.toolkits import ROWS, reference
from benchmarks.witnesses import NAMES


def figure(*values: float, bound: float | None = None) -> Figure:
    """Return a figure."""
    return Figure(section="start", name="initialize", unit="ms", values=values, bound=bound, more=(("calls", 3),))


def test_one_slow_repetition_does_not_move_the_median() -> None:
    """House style: medians and spread."""
    measured = figure(10.0, 12.0, 11.0, 900.0, 13.0)

    assert measured.median == 12.0
    assert measured.quartiles == (11.0, 13.0)


def test_a_single_value_is_its_own_spread() -> None:
    """Memory is read once."""
    assert figure(80.0).quartiles == (80.0, 80.0)


@pytest.mark.parametrize(("bound", "is_within"), [(None, None), (12.0, True), (11.9, False)])
def test_the_median_is_held_against_the_bound(bound: float | None, is_within: bool | None) -> None:
    """Our choice: a promise is about the usual case, the spread is printed beside it."""
    assert figure(10.0, 12.0, 40.0, bound=bound).is_within is is_within


def test_differences_are_taken_pair_by_pair() -> None:
    """A drift of the machine cancels within a pair; medians of the two halves would keep it."""
    assert differences((5.0, 9.0, 30.0), (4.0, 7.0, 29.0)) == (1.0, 2.0, 1.0)
    with pytest.raises(ValueError, match="shorter"):
        differences((1.0, 2.0), (1.0,))


def test_the_order_within_pairs_alternates() -> None:
    """A B B A: neither half always runs on the caches that the other has warmed."""
    assert alternated(3) == ((0, 1), (1, 0), (0, 1))


def test_a_row_says_how_often_was_measured_and_whether_the_bound_holds() -> None:
    """Our choice."""
    name, count, median, *_, bound, more = cells(figure(*in_ms([0.01, 0.03]), bound=15.0))

    assert (name.strip(), count, median, more) == ("initialize", "2", "20.0 ms", "calls 3")
    assert "over 15" in bound


def test_the_file_keeps_every_repetition_and_what_was_not_measured(tmp_path: Path) -> None:
    """Our choice: figures can be looked at again."""
    write_json(tmp_path / "figures.json", conditions(), [figure(1.0, 2.0, 4.0)], ["kcalc is not installed"])

    content = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert content["figures"][0]["values"] == [1.0, 2.0, 4.0]
    assert content["not_measured"] == ["kcalc is not installed"]
    assert all(content["conditions"].values())


def test_platform_calls_come_from_the_last_traced_look_at_each_application(tmp_path: Path) -> None:
    """The trace is the only place that names them; an application without a tree has none."""
    looks = [(7, {"calls": 90, "accessibles": [{}]}), (8, None), (7, {"calls": 40, "accessibles": [{}, {}]})]
    lines = [json.dumps({"kind": "observation", "observation": {"pid": pid, "tree": tree}}) for pid, tree in looks]
    (tmp_path / "run.jsonl").write_text("\n".join([json.dumps({"kind": "run"}), *lines]), encoding="utf-8")

    assert platform_calls(tmp_path) == {7: (("calls", 40), ("read", 2))}


def test_a_process_has_memory_and_processor_time() -> None:
    """Source: proc(5); a wrong field name or unit would be off by orders of magnitude."""
    now_mb, highest_mb = memory_mb(os.getpid())

    assert 5 < now_mb <= highest_mb < 5000
    assert 0 < processor_s(os.getpid()) < 3600
    with pytest.raises(LookupError, match="one child process"):
        child_running("no-such-word")


@pytest.mark.parametrize("request_of", [initialize_request, discover_request])
def test_the_bare_server_answers_the_first_message_of_both_protocols(
    request_of: Callable[[], dict[str, Any]], tmp_path: Path
) -> None:
    """An error answer would come as quickly, so only a result is measured."""
    took_s, _ = first_answer(BARE, request_of(), tmp_path)

    assert took_s > 0


def test_a_server_that_ends_is_no_measurement(tmp_path: Path) -> None:
    """Our choice: no figure rather than a wrong one."""
    with pytest.raises(RuntimeError, match="no answer"):
        first_answer((sys.executable, "-c", "input()"), initialize_request(), tmp_path)


# ---------------------------------------------------------------- beside other tools


def seen(path: str, parent: str = "", role: int = 43, box: Box | None = (10, 10, 20, 20), *states: int) -> Seen:
    """Return an object of another tool's walk; a button that shows unless told otherwise."""
    return Seen(path=path, parent=parent, role=role, name=path, states=frozenset(states or {25}), box=box)


ROOT = seen("/root", "", 75, None)
FRAME = seen("/frame", "/root", 23, (0, 0, 100, 100))


def test_what_shows_has_its_state_and_a_place_within_all_that_holds_it() -> None:
    """Facts: GTK 3 says SHOWING of cells that are scrolled away; their places do not."""
    pane = seen("/pane", "/frame", 49, (0, 0, 100, 50))
    objects = (
        ROOT,
        FRAME,
        pane,
        seen("/in", "/pane"),
        seen("/below", "/pane", 56, (0, 60, 20, 20)),
        seen("/hidden", "/pane", 43, (10, 10, 20, 20), 30),
        seen("/nowhere", "/pane", 43, (-(2**31), -(2**31), 20, 20)),
        seen("/flat", "/pane", 43, (10, 10, 0, 20)),
    )

    assert [one.path for one in shown(objects, are_states_exact=True)] == ["/frame", "/pane", "/in"]


def test_of_gtk4_only_places_tell_what_shows() -> None:
    """Facts: GTK 4 sets SHOWING on the frame only."""
    objects = (ROOT, FRAME, seen("/button", "/frame", 43, (10, 10, 20, 20), 30))

    assert [one.path for one in shown(objects, are_states_exact=False)] == ["/frame", "/button"]
    assert [one.path for one in shown(objects, are_states_exact=True)] == ["/frame"]


def test_menus_show_beside_their_parents_but_not_in_a_menu_bar_without_a_height() -> None:
    """Measured: LibreOffice has a second menu bar, which is not drawn; an open menu lies outside its menu."""
    objects = (
        ROOT,
        FRAME,
        seen("/drawn", "/frame", 34, (0, 0, 100, 20)),
        seen("/file", "/drawn", 33, (0, 0, 20, 20)),
        seen("/open", "/file", 35, (0, 120, 50, 20)),
        seen("/flat", "/frame", 34, (0, 0, 100, 0)),
        seen("/edit", "/flat", 33, (0, 0, 20, 20)),
    )

    assert [one.path for one in shown(objects, are_states_exact=True)] == ["/frame", "/drawn", "/file", "/open"]


def test_what_is_missing_is_named() -> None:
    """Our choice: a recall below 100 % says what was not found; the same thing under another path is found."""
    used = (seen("/here"), seen("/renewed"), seen("/missing"), seen("/hidden"))
    ours = [["/here", "/here", [0, 0, 1, 1], True], ["/new", "/renewed", [10, 10, 20, 20], True]]
    ours.append(["/hidden", "", None, False])

    found = recall_of_objects(used, ours)

    assert found.percent == 50.0
    assert [name.split('"')[1] for name in found.missing] == ["/missing", "/hidden"]


def test_a_part_of_a_control_is_found_with_its_control() -> None:
    """One candidate a control: the arrow of a combo box needs none of its own, a button beside it does."""
    objects = (
        ROOT,
        FRAME,
        seen("/combo", "/frame", 11),
        seen("/arrow", "/combo"),
        seen("/beside", "/frame"),
    )

    found = recall_of_candidates(objects[2:], objects, [{"path": "/combo", "name": "Size", "is_showing": True}])

    assert [name.split('"')[1] for name in found.missing] == ["/beside"]


def test_nothing_to_find_is_no_full_recall() -> None:
    """A walk that saw nothing must not pass."""
    assert recall_of_objects((), []).percent == 0.0


@pytest.mark.parametrize(("least", "is_within"), [(None, None), (12.0, True), (12.1, False)])
def test_the_median_is_held_against_the_least(least: float | None, is_within: bool | None) -> None:
    """How many times as fast, and how much was found, are promised from below."""
    assert replace(figure(10.0, 12.0, 40.0), least=least).is_within is is_within


def test_a_tool_that_fails_or_hangs_is_named_and_ends(tmp_path: Path) -> None:
    """Our choice: no figure rather than a wrong one, and no wait without an end."""
    code = 'import sys\nfor line in sys.stdin:\n    print(\'{"took_s": 1, "error": "no luck"}\', flush=True)'
    (tmp_path / "failing.py").write_text(code, encoding="utf-8")
    (tmp_path / "hanging.py").write_text("import sys\nfor line in sys.stdin: pass\n", encoding="utf-8")

    async def ask(module: str) -> None:
        tool = Tool(name="tool", python=sys.executable, module=module, by="pid")
        async with running(tool, {"PYTHONPATH": str(tmp_path)}) as peer:
            await peer.ask("full", 0.5)

    with pytest.raises(RuntimeError, match="no luck"):
        anyio.run(ask, "failing")
    with pytest.raises(RuntimeError, match=r"did not answer full within 0\.5 s"):
        anyio.run(ask, "hanging")


def test_every_cell_of_the_reference_has_a_value_or_a_reason() -> None:
    """A run in which nothing but one row was measured still makes a whole document."""

    def measured(name: str, value: float, *more: tuple[str, float | str]) -> Figure:
        least = 100.0 if more and more[0][0] == "of" else None
        return Figure(section="accessibility", name=name, unit="", values=(value,), least=least, more=more)

    figures = [
        measured("thunar: full, Tactile", 50.0, ("objects", 9)),
        measured("thunar: full, pyatspi", 500.0),
        measured("fixture gtk3: recall", 50.0, ("of", 2), ("wrong 1", "Go is missing")),
    ]
    text = reference(as_content({"cores": "2 of 2"}, figures, ["kcalc: kcalc is not installed"]))

    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| GTK 3")]
    assert rows[0][3] == "1 of 2 ✗"
    assert "500 (500–500)" in rows[0]
    assert all(cell.strip("| ") for row in rows for cell in row)
    notes = text.partition("## Notes")[2]
    assert "fixture gtk3, recall: Go is missing" in notes
    assert "kcalc: kcalc is not installed" in notes
    asked = {int(number) for number in re.findall(r"not measured \[(\d+)\]", text)}
    assert asked <= {int(number) for number in re.findall(r"^(\d+)\. ", notes, re.MULTILINE)}


def test_the_reference_is_of_the_applications_that_are_read() -> None:
    """A row of an application that no run reads would never have a value."""
    accounts = {f"fixture {toolkit}" for toolkit in TOOLKITS} | set(NAMES.values()) | {""}

    assert {row.subject for row in ROWS} <= {subject.name for subject in SUBJECTS}
    assert {row.account for row in ROWS} <= accounts
