"""Effects, written to disk before they happen and closed after; an unclosed one has an unknown outcome."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tactile.errors import TraceError

READ_MAX = 5_000_000  # bytes of a ledger read back at most, from its end


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One effect about to happen."""

    effect: str
    action: str
    target: str
    application: str
    payload_digest: str
    at: float


class Ledger:
    """An append-only file of intents and outcomes.

    Args:
        path: Made if need be, for its owner only.

    Raises:
        TraceError: It cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise TraceError(
                f"The ledger {path} cannot be opened: {error.strerror}.",
                hint="Nothing is done without a ledger. Set XDG_STATE_HOME to a folder you may write to.",
            ) from error

    def intend(self, intent: Intent) -> None:
        """Write an intent and wait until it is on disk.

        Raises:
            TraceError: It could not be written; the act must not happen.
        """
        self._append(
            {
                "kind": "intent",
                "effect": intent.effect,
                "action": intent.action,
                "target": intent.target,
                "application": intent.application,
                "payload": intent.payload_digest,
                "at": intent.at,
                "pid": os.getpid(),
            }
        )

    def close(self, effect: str, status: str, verdict: str, at: float) -> None:
        """Write the outcome of an intent.

        Raises:
            TraceError: It could not be written.
        """
        self._append({"kind": "outcome", "effect": effect, "status": status, "verdict": verdict, "at": at})

    def _append(self, line: dict[str, Any]) -> None:
        text = json.dumps(line, ensure_ascii=True) + "\n"
        try:
            line_bytes = text.encode("ascii")
            if os.write(self._descriptor, line_bytes) != len(line_bytes):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # a short write: the disk is full
            os.fdatasync(self._descriptor)
        except OSError as error:
            raise TraceError(
                f"The ledger {self.path} cannot be written: {error.strerror}.", hint="Free some space and try again."
            ) from error

    def end(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def unfinished(path: Path) -> tuple[dict[str, Any], ...]:
    """Return the intents without an outcome: their effect may or may not have happened."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - READ_MAX))
            lines = file.read(READ_MAX).splitlines()
    except OSError:
        return ()
    intents: dict[str, dict[str, Any]] = {}
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue  # a line cut by a crash or by the read limit
        if not isinstance(entry, dict):
            continue
        if entry.get("kind") == "intent":
            intents[entry["effect"]] = entry
        else:
            intents.pop(entry.get("effect", ""), None)
    return tuple(intents.values())
