"""What is written down of an act, and what must not be."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tactile.records import Action, Failure, Status
from tactile.runtime.ledger import Ledger
from tactile.runtime.trace import FileTrace
from tactile.testing import FakeDesktop, fake_session
from tests.apps.fixture_control import CANARY
from tests.fake_form import FakeForm, start_form
from tests.runtime.desk import Desk

SECRET = "correct-horse-battery"


@pytest.fixture
def traced(tmp_path: Path) -> Iterator[Desk]:
    """A session with the form, that records everything."""
    desktop = FakeDesktop()
    start_form(desktop)
    trace = FileTrace(tmp_path / "trace", "run")
    with fake_session(desktop, tmp_path, trace=trace) as session:
        yield Desk(desktop=desktop, session=session, ledger=tmp_path / "ledger.jsonl")
    trace.close()


def written(desk: Desk) -> str:
    """Return everything that was written to disk."""
    files = [path for path in desk.ledger.parent.rglob("*") if path.is_file()]
    assert len(files) == 2
    return "".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("action", [Action.TYPE, Action.SET_VALUE])
@pytest.mark.parametrize("way", ["ref", "locator", "focus", "point"])
async def test_a_secret_is_nowhere_on_disk(traced: Desk, action: Action, way: str) -> None:
    """Design: secrets leave no trace, by whatever target they are sent."""
    ref = await traced.ref("Secret")
    target: str | None = {"ref": ref, "locator": 'password "Secret"'}.get(way)
    if way == "focus":
        await traced.act(Action.FOCUS, ref)
    if way == "point":
        state = await traced.look()
        live = state.candidates.by_ref(ref)
        assert live is not None
        assert live.extents is not None
        point = live.extents.center
        target = f"{state.sight.observation.observation_id}@{point.x},{point.y}"

    receipt = await traced.act(action, target, SECRET)

    assert SECRET not in written(traced)
    assert CANARY not in written(traced)
    assert SECRET not in repr(receipt)


async def test_a_trace_holds_each_observation_and_act(traced: Desk) -> None:
    """Design: the trace is the record of a run."""
    await traced.click(await traced.ref("Go"))
    lines = [json.loads(line) for line in (traced.ledger.parent / "trace/run.jsonl").read_text("utf-8").splitlines()]

    assert [line["kind"] for line in lines] == ["run", "observation", "act"]
    assert lines[2]["receipt"]["status"] == "executed"


async def test_a_ledger_holds_no_payload(traced: Desk) -> None:
    """Design: a digest only."""
    await traced.act(Action.SET_VALUE, await traced.ref("Name"), "Ada Lovelace")

    assert "Ada" not in traced.ledger.read_text(encoding="utf-8")


async def test_nothing_is_done_when_the_intent_cannot_be_written(desk: Desk, form: FakeForm) -> None:
    """Design: the act must not happen without its intent on disk."""
    go = await desk.ref("Go")
    desk.session.scene.ledger.end()
    desk.session.scene.ledger = Ledger(Path("/dev/full"))

    receipt = await desk.click(go)

    assert receipt.status is Status.REJECTED
    assert receipt.next
    assert desk.desktop.log == []
    desk.session.scene.ledger.end()
    desk.session.scene.ledger = Ledger(desk.ledger)  # which the fixture closes


async def test_acts_at_the_same_time_happen_one_after_the_other(desk: Desk, form: FakeForm) -> None:
    """Design: a session acts one at a time, so that each before picture is true."""
    go, remember = await desk.ref("Go"), await desk.ref("Remember")

    receipts = await asyncio.gather(desk.click(go), desk.click(remember), desk.click(go))

    lines = [json.loads(line)["kind"] for line in desk.ledger.read_text("utf-8").splitlines()]
    assert lines == ["intent", "outcome"] * 3
    assert [receipt.status for receipt in receipts] == [Status.EXECUTED] * 3
    assert form.gone == 2


async def test_a_hung_application_costs_a_few_seconds_at_most(desk: Desk, form: FakeForm) -> None:
    """Design: every wait has a deadline."""
    go = await desk.ref("Go")
    form.app.is_hung = True
    start_s = desk.desktop.clock.now_s()

    receipt = await desk.click(go)

    assert receipt.failure is Failure.APP_UNRESPONSIVE
    assert desk.desktop.clock.now_s() - start_s <= 5.0
