"""Every exception Tactile raises, drawn as a tree.

TactileError
├── SetupError            the machine or the desktop is not as needed
├── RequestError          the request itself is malformed or names nothing known
├── ResolveError          the target does not denote exactly one live thing that can be acted on
├── PolicyError           refused by policy or approval
├── PlatformError         the platform did not answer, or went away
├── EffectError           raised only by `receipt.raise_for_verdict()`
└── TraceError            the record of a run cannot be written or read
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

Effect = Literal["none", "possible"]

NEAR_MISSES_MAX = 8  # names a diagnosis carries at most; more only costs the reader's context
DIAGNOSIS_TEXT_MAX = 200  # characters of one sought, seen or near-miss text


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What was looked for and what was there instead, bounded."""

    sought: str = ""
    last_seen: str = ""
    near_misses: tuple[str, ...] = ()

    def bounded(self) -> Diagnosis:
        """Return a copy whose texts and lists keep to the limits of this module."""
        return Diagnosis(
            sought=self.sought[:DIAGNOSIS_TEXT_MAX],
            last_seen=self.last_seen[:DIAGNOSIS_TEXT_MAX],
            near_misses=tuple(text[:DIAGNOSIS_TEXT_MAX] for text in self.near_misses[:NEAR_MISSES_MAX]),
        )


class TactileError(Exception):
    """Base of all errors; says whether the desktop may have changed and what to do next.

    Args:
        message: What was sought and what was found, one sentence.
        code: A word of the closed failure list, or the branch's own word.
        hint: The next step for the caller.
        diagnosis: Sought, last seen, near misses.
        effect: "possible" when the desktop may have changed.
    """

    default_code: ClassVar[str] = "error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        hint: str = "",
        diagnosis: Diagnosis | None = None,
        effect: Effect = "none",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.hint = hint
        self.diagnosis = (diagnosis or Diagnosis()).bounded()
        self.effect: Effect = effect


class SetupError(TactileError):
    """The machine or the desktop lacks something; the message names it and the fix."""

    default_code = "setup"


class RequestError(TactileError):
    """The request is malformed: unknown application, key, role, action, or unreadable text."""

    default_code = "bad_request"


class ResolveError(TactileError):
    """The target does not denote exactly one live thing that can be acted on now."""

    default_code = "target_absent"


class PolicyError(TactileError):
    """Policy or a missing approval forbids the action."""

    default_code = "policy_denied"


class PlatformError(TactileError):
    """The platform did not answer as it should."""

    default_code = "platform_lost"


class AppUnresponsiveError(PlatformError):
    """One application did not answer before its deadline; the others are not affected."""

    default_code = "app_unresponsive"


class AppGoneError(PlatformError):
    """The application ended or left the accessibility bus."""

    default_code = "app_gone"


class ObjectGoneError(PlatformError):
    """One accessible no longer exists; its application still answers."""

    default_code = "stale_detached"


class UnsupportedError(PlatformError):
    """The platform object cannot do what was asked."""

    default_code = "unsupported"


class PartialInputError(PlatformError):
    """Input stopped midway; the message says how much was delivered."""

    default_code = "partial_input"

    def __init__(self, message: str, *, delivered: int, hint: str = "") -> None:
        super().__init__(message, hint=hint, effect="possible")
        self.delivered = delivered


class EffectError(TactileError):
    """The receipt's verdict is not the one the caller insists on."""

    default_code = "unverified"


class TraceError(TactileError):
    """A trace or ledger cannot be written or read."""

    default_code = "trace"
