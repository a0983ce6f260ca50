"""The ledger survives; the trace holds everything but secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.codec import SCHEMA_VERSION, from_json
from tactile.errors import TraceError
from tactile.records import Action, ActionRequest, Observation, Receipt, RefTarget, Status, Verdict
from tactile.runtime.ledger import Intent, Ledger, unfinished
from tactile.runtime.trace import FileTrace
from tests.unit.building import observation


def intent(effect: str) -> Intent:
    """Make an intent."""
    return Intent(
        effect=effect, action="press", target='button "\ud800\n"', application="notes 1", payload_digest="", at=1.0
    )


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=12))
def test_an_effect_is_unfinished_from_its_intent_to_its_outcome(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, bool]]
) -> None:
    """A crash between the two leaves an effect whose outcome is not known."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.jsonl"
    ledger = Ledger(path)
    waiting: dict[str, None] = {}
    for effect, is_intent in steps:
        if is_intent:
            ledger.intend(intent(effect))
            waiting[effect] = None
        else:
            ledger.close(effect, "executed", "confirmed", 2.0)
            waiting.pop(effect, None)
    ledger.end()

    assert [entry["effect"] for entry in unfinished(path)] == list(waiting)


def test_an_intent_is_on_disk_before_anything_else_happens(tmp_path: Path) -> None:
    """Read back through another open file while the first is still open."""
    ledger = Ledger(tmp_path / "ledger")
    ledger.intend(intent("f1"))

    (line,) = (tmp_path / "ledger").read_text("ascii").splitlines()
    assert json.loads(line)["kind"] == "intent"
    assert (tmp_path / "ledger").stat().st_mode & 0o777 == 0o600
    ledger.end()


def test_a_line_cut_by_a_crash_is_passed_over(tmp_path: Path) -> None:
    """The last line of a run that was killed may be half there."""
    path = tmp_path / "ledger"
    ledger = Ledger(path)
    ledger.intend(intent("f1"))
    ledger.end()
    path.write_bytes(path.read_bytes() + b'{"kind": "intent", "eff')

    assert [entry["effect"] for entry in unfinished(path)] == ["f1"]


def test_no_ledger_means_nothing_unfinished_and_one_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    """Nothing is done without a ledger."""
    assert unfinished(tmp_path / "none") == ()
    with pytest.raises(TraceError):
        Ledger(tmp_path)


def test_the_trace_holds_what_was_seen_and_done_and_no_secret(tmp_path: Path) -> None:
    """The public interface: traces never hold the value of a secret."""
    trace = FileTrace(tmp_path / "traces", "r1")
    seen = observation()
    request = ActionRequest(action=Action.TYPE, target=RefTarget(ref="e1"), payload="hunter2 \ud800")
    receipt = Receipt(status=Status.EXECUTED, verdict=Verdict.UNVERIFIABLE)
    trace.observation(seen, ("e1",))
    trace.receipt(request, receipt, is_secret=True)
    trace.receipt(request, receipt, is_secret=False)
    trace.close()

    lines = [json.loads(line) for line in trace.path.read_text("utf-8").splitlines()]

    assert [line["kind"] for line in lines] == ["run", "observation", "act", "act"]
    assert lines[0]["schema"] == SCHEMA_VERSION
    assert from_json(Observation, lines[1]["observation"]) == seen
    assert lines[2]["request"]["payload"] == "(may be a secret)"
    assert from_json(ActionRequest, lines[3]["request"]) == request
    assert trace.path.stat().st_mode & 0o777 == 0o600


def test_a_trace_that_cannot_be_written_is_an_error_that_names_the_way_out(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").touch()

    with pytest.raises(TraceError, match="cannot be opened"):
        FileTrace(tmp_path / "file", "r1")
