"""A session on the scripted desktop, with the shortest way to look and to act."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tactile.records import Action, ActionRequest, Failure, Receipt, Status, Verdict
from tactile.runtime.ledger import unfinished
from tactile.runtime.session import AppState, Session, View
from tactile.testing import FakeDesktop, fake_session
from tactile.verify.expect import parse_expectation
from tactile.verify.target import parse_target


@dataclass(slots=True, kw_only=True)
class Desk:
    """A scripted desktop and a session on it."""

    desktop: FakeDesktop
    session: Session
    ledger: Path

    async def look(self, app: str | None = None, **view: Any) -> AppState:
        """Observe."""
        return await self.session.observe(View(app=app, **view), nonce="n0")

    async def ref(self, name: str, app: str | None = None) -> str:
        """Observe, and return the ref of the one listed thing of that name."""
        state = await self.look(app, limit=200)
        listed = [item for ref in state.listed if (item := state.candidates.by_ref(ref)) and item.name == name]
        assert len(listed) == 1, f"{name}: {[item.label for item in listed]}"
        return listed[0].ref

    async def act(self, action: Action, target: str | None, payload: str = "", **more: Any) -> Receipt:
        """Act on a target string."""
        if "expect" in more:
            more["expectation"] = parse_expectation(more.pop("expect"))
        if "destination" in more:
            more["destination"] = parse_target(more.pop("destination"))
        aim = None if target is None else parse_target(target)
        return await self.session.act(ActionRequest(action=action, target=aim, payload=payload, **more))

    async def click(self, target: str, **more: Any) -> Receipt:
        """Click a target string."""
        return await self.act(Action.CLICK, target, **more)

    def kinds(self) -> list[tuple[str, str | None]]:
        """Return what reached the applications, without keys and times."""
        return [(event.kind, event.widget) for event in self.desktop.log]

    def values(self, kind: str) -> list[object]:
        """Return the values of all events of one kind."""
        return [event.value for event in self.desktop.log if event.kind == kind]

    def check_refused(self, receipt: Receipt, failure: Failure) -> None:
        """Check that an act was refused for this reason, that it says so, and that nothing was touched."""
        assert receipt.failure is failure, receipt
        assert receipt.status is Status.REJECTED
        assert receipt.verdict is Verdict.UNVERIFIABLE
        assert receipt.safe_to_retry
        assert receipt.message
        assert receipt.next
        assert self.desktop.log == []
        assert unfinished(self.ledger) == ()


@contextmanager
def desk_on(desktop: FakeDesktop, folder: Path, first_number: int = 1) -> Iterator[Desk]:
    """Open a session on a scripted desktop."""
    with fake_session(desktop, folder, first_number=first_number) as session:
        yield Desk(desktop=desktop, session=session, ledger=folder / "ledger.jsonl")
