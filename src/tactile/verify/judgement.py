"""What judging one act answers."""

from __future__ import annotations

from dataclasses import dataclass

from tactile.records import Evidence, Failure, Verdict

EVIDENCE_MAX = 6  # facts in one receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Verdict, the evidence for it, and what failed if it is not confirmed."""

    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    failure: Failure | None = None
    message: str = ""
