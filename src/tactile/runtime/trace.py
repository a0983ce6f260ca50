"""Everything that was seen and done in one run, as JSON lines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Protocol

from tactile.codec import SCHEMA_VERSION, to_json
from tactile.errors import TraceError
from tactile.records import ActionRequest, Observation, Receipt


class TraceSink(Protocol):
    """Where a session puts its record."""

    def observation(self, observation: Observation, listed: tuple[str, ...]) -> None:
        """Record one full observation and the refs that were listed."""
        ...

    def receipt(self, request: ActionRequest, receipt: Receipt, is_secret: bool) -> None:
        """Record one act; a secret payload is left out."""
        ...


class NoTrace:
    """Records nothing."""

    def observation(self, observation: Observation, listed: tuple[str, ...]) -> None:
        """Do nothing."""

    def receipt(self, request: ActionRequest, receipt: Receipt, is_secret: bool) -> None:
        """Do nothing."""


class FileTrace:
    """One file of JSON lines per run, in a folder, readable by its owner only.

    Raises:
        TraceError: The folder or file cannot be made.
    """

    def __init__(self, folder: Path, run: str) -> None:
        self.path = folder / f"{run}.jsonl"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise TraceError(
                f"The trace {self.path} cannot be opened: {error.strerror}.", hint="Choose another folder with --trace."
            ) from error
        self._file = os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace")
        self._write({"kind": "run", "run": run, "schema": SCHEMA_VERSION})

    def observation(self, observation: Observation, listed: tuple[str, ...]) -> None:
        """Record one full observation and the refs that were listed."""
        self._write({"kind": "observation", "listed": listed, "observation": to_json(observation)})

    def receipt(self, request: ActionRequest, receipt: Receipt, is_secret: bool) -> None:
        """Record one act; a secret payload is left out."""
        asked = to_json(request)
        if is_secret:
            asked["payload"] = "(may be a secret)"
            asked["expectation"] = f"({len(request.expectation)} postconditions, which may quote the secret)"
        self._write({"kind": "act", "request": asked, "receipt": to_json(receipt)})

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
