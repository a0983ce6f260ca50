"""The figures of the benchmarks: median, spread, pairs and bounds are counted right. Nothing here is timed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.conditions import conditions
from benchmarks.crowd import platform_calls
from benchmarks.figures import Figure, alternated, differences, in_ms
from benchmarks.processes import child_running, memory_mb, processor_s
from benchmarks.report import cells, write_json
from benchmarks.startup import BARE, discover_request, first_answer, initialize_request


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
