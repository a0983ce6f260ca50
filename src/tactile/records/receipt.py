"""What the caller gets back from an act."""

from __future__ import annotations

from dataclasses import dataclass

from tactile.errors import Effect, EffectError
from tactile.records.vocabulary import Failure, Source, Status, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One fact that speaks for or against the effect."""

    cue: str
    before: str
    after: str
    source: Source
    supports: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """A mechanism that was passed over, and why."""

    primitive: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One difference between two observations: sign is +, - or ~."""

    sign: str
    ref: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was done, what was seen, and how sure it is.

    Attributes:
        effect: Ledger id; "" when nothing was dispatched.
        target: What was acted on, in words.
        near_misses: Live things the caller may have meant, when refused.
        observation: Id of the after picture; "" when none was taken.
    """

    effect: str = ""
    action: str = ""
    target: str = ""
    status: Status
    verdict: Verdict
    primitive: str = ""
    ladder: tuple[Rung, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    failure: Failure | None = None
    message: str = ""
    safe_to_retry: bool = False
    next: str = ""
    near_misses: tuple[str, ...] = ()
    observation: str = ""
    changes: tuple[ChangeLine, ...] = ()
    changes_cut: int = 0
    timings_s: tuple[tuple[str, float], ...] = ()

    @property
    def is_error(self) -> bool:
        """Tell whether the request was refused or its outcome is not known."""
        return self.status is not Status.EXECUTED

    def raise_for_verdict(self) -> Receipt:
        """Return itself when confirmed.

        Raises:
            EffectError: The verdict is anything else; carries the failure as its code.
        """
        if self.verdict is Verdict.CONFIRMED:
            return self
        code = self.failure.value if self.failure else "unverified"
        effect: Effect = "none" if self.status is Status.REJECTED else "possible"
        raise EffectError(self.message or f"verdict {self.verdict.value}", code=code, hint=self.next, effect=effect)
