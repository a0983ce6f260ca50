"""The straight line on the scripted desktop and three toolkits: same acts, same verdicts; the form's log decides."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tactile.records import (
    Action,
    ActionRequest,
    CandidateSet,
    Failure,
    Locator,
    Receipt,
    RefTarget,
    Role,
    Status,
    Verdict,
)
from tactile.runtime.ledger import Ledger, unfinished
from tactile.runtime.refs import BLOCK, Numbers, Refs
from tactile.runtime.scene import Scene
from tactile.runtime.session import Session, View
from tactile.verify.expect import parse_expectation
from tests.contract.worlds import SECRET, World

pytestmark = pytest.mark.parametrize(
    "place", ["fake", "gtk3_form.py", "gtk4_form.py", "qt_form.py"], indirect=True, scope="module"
)

TEXT = "".join(chr(97 + number % 26) for number in range(5000))


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Where the ledger is."""
    return tmp_path / "ledger.jsonl"


@pytest.fixture
def session(world: World, ledger: Path) -> Iterator[Session]:
    """A session on the world."""
    desktop = world.session_ports()
    book = Ledger(ledger)
    blocks = itertools.count(1, BLOCK)
    numbers = Numbers(lambda _count: next(blocks))
    yield Session(Scene(desktop=desktop, numbers=numbers, refs=Refs(numbers), ledger=book))
    book.end()


def locator_of(role: Role, name: str, candidates: CandidateSet) -> Locator:
    """Return what denotes a thing of the form; GTK 4.8 calls radio buttons check boxes."""
    is_check_box = any(item.name == name and item.role is Role.CHECK_BOX for item in candidates.candidates)
    return Locator(role=Role.CHECK_BOX if role is Role.RADIO_BUTTON and is_check_box else role, name=name)


async def act(
    session: Session, action: Action, role: Role, name: str, payload: str = "", expect: str | None = None
) -> Receipt:
    """Act on what a locator denotes."""
    state = await session.observe(View(app="Form3"), nonce="n")
    target = locator_of(role, name, state.candidates)
    expectation = parse_expectation(expect) if expect else ()
    return await session.act(ActionRequest(action=action, target=target, payload=payload, expectation=expectation))


@pytest.mark.parametrize(
    ("action", "role", "name", "payload", "verdict", "logged"),
    [
        (Action.CLICK, Role.BUTTON, "Go", "", Verdict.WEAK, ("click", "Go", None)),
        (Action.CLICK, Role.BUTTON, "Idle", "", Verdict.UNVERIFIABLE, ("click", "Idle", None)),
        (Action.CLICK, Role.CHECK_BOX, "Remember", "", Verdict.CONFIRMED, ("toggle", "Remember", True)),
        (Action.CLICK, Role.RADIO_BUTTON, "Large", "", Verdict.CONFIRMED, ("toggle", "Large", True)),
        (Action.CLICK, Role.BUTTON, "Open dialog", "", Verdict.CONFIRMED, ("click", "Open dialog", None)),
        (Action.SET_VALUE, Role.ENTRY, "Name", "Ada 中", Verdict.CONFIRMED, ("change", "Name", "Ada 中")),
        (Action.SET_VALUE, Role.TEXT, "Notes", TEXT, Verdict.CONFIRMED, ("change", "Notes", TEXT)),
        (Action.SET_VALUE, Role.SPIN_BUTTON, "Count", "7", Verdict.CONFIRMED, ("change", "Count", 7.0)),
        (Action.INCREMENT, Role.SPIN_BUTTON, "Count", "", Verdict.CONFIRMED, ("change", "Count", 2.0)),
        (Action.TYPE, Role.ENTRY, "Name", "Ada", Verdict.CONFIRMED, ("change", "Name", "Ada")),
        (Action.TYPE, Role.PASSWORD_TEXT, "Secret", "xyz", Verdict.UNVERIFIABLE, ("change", "Secret", 3)),
    ],
    ids=lambda value: value.value if isinstance(value, Action) else None,
)
async def test_an_act_has_its_effect_and_its_verdict(
    world: World,
    session: Session,
    ledger: Path,
    action: Action,
    role: Role,
    name: str,
    payload: str,
    verdict: Verdict,
    logged: tuple[str, str, object],
) -> None:
    """Issue: act and verify; no false success."""
    receipt = await act(session, action, role, name, payload)

    if role is not Role.PASSWORD_TEXT:
        assert logged in world.log()
    else:
        assert any(line[:2] == logged[:2] for line in world.log())
        assert SECRET not in repr(receipt)
    assert (receipt.status, receipt.verdict) == (Status.EXECUTED, verdict), receipt
    assert unfinished(ledger) == ()


@pytest.mark.parametrize(
    ("action", "role", "name", "payload", "failure"),
    [
        (Action.CLICK, Role.BUTTON, "Off", "", Failure.DISABLED),
        (Action.SET_VALUE, Role.ENTRY, "Fixed", "x", Failure.UNSUPPORTED),
        (Action.SET_VALUE, Role.SPIN_BUTTON, "Count", "101", Failure.BAD_REQUEST),
        (Action.EXPAND, Role.BUTTON, "Go", "", Failure.UNSUPPORTED),
        (Action.CLICK, Role.BUTTON, "Nonesuch", "", Failure.TARGET_ABSENT),
        (Action.PRESS_KEY, Role.ENTRY, "Name", "ctrl+nokey", Failure.BAD_REQUEST),
        (Action.TYPE, Role.ENTRY, "Name", "two\nlines", Failure.BAD_REQUEST),
    ],
    ids=lambda value: value.value if isinstance(value, Failure) else None,
)
async def test_a_refusal_touches_nothing(
    world: World,
    session: Session,
    ledger: Path,
    action: Action,
    role: Role,
    name: str,
    payload: str,
    failure: Failure,
) -> None:
    """Issue: each a typed refusal that says what to do, nothing touched."""
    receipt = await act(session, action, role, name, payload)

    assert (receipt.status, receipt.failure) == (Status.REJECTED, failure), receipt
    assert receipt.message
    assert receipt.next
    assert world.log() == []
    assert unfinished(ledger) == ()


async def test_an_option_is_chosen_or_refused(world: World, session: Session) -> None:
    """Facts: GTK 4 and Qt cannot choose by themselves; a refusal is the honest answer."""
    unknown = await act(session, Action.SET_VALUE, Role.COMBO_BOX, "Company", "Umbrella")
    assert unknown.status is Status.REJECTED
    assert world.log() == []

    receipt = await act(session, Action.SET_VALUE, Role.COMBO_BOX, "Company", "Globex")

    is_chosen = ("change", "Company", "Globex") in world.log()
    assert is_chosen is (receipt.verdict is Verdict.CONFIRMED)
    assert is_chosen or receipt.failure is Failure.UNSUPPORTED


async def test_an_expectation_is_judged(world: World, session: Session) -> None:
    """Design: postconditions replace the candidate's own cue."""
    held = await act(session, Action.CLICK, Role.BUTTON, "Go", expect='text "gone 1"')
    missed = await act(session, Action.CLICK, Role.BUTTON, "Go", expect='text "gone 7"')

    assert held.verdict is Verdict.CONFIRMED
    assert (missed.verdict, missed.failure) == (Verdict.REFUTED, Failure.WRONG_EFFECT)


async def test_what_a_modal_dialog_blocks_is_refused(world: World, session: Session) -> None:
    """Facts: accessibility actions reach behind modal dialogs."""
    await act(session, Action.CLICK, Role.BUTTON, "Open dialog")
    before = world.log()

    receipt = await act(session, Action.CLICK, Role.BUTTON, "Go")

    assert receipt.failure is Failure.BLOCKED_BY_MODAL
    assert world.log() == before


async def test_a_removed_thing_is_refused_by_its_ref(world: World, session: Session) -> None:
    """Issue: stale-target conformance."""
    state = await session.observe(View(app="Form3", limit=200), nonce="n")
    (idle,) = [item for item in state.candidates.candidates if item.name == "Idle"]
    await world.do(do="remove", name="Idle")

    receipt = await session.act(ActionRequest(action=Action.CLICK, target=RefTarget(ref=idle.ref)))

    assert (receipt.status, receipt.failure) == (Status.REJECTED, Failure.STALE_DETACHED), receipt
    assert world.log() == []
