"""The state folder: numbers no other run gives out, the ledger's and the traces' place."""

from __future__ import annotations

import fcntl
import os
import secrets
from pathlib import Path

from tactile.errors import SetupError

START_MAX = 40  # a new folder starts at a random block, so that refs of a run with another folder rarely fit


def state_folder(environment: dict[str, str] | None = None) -> Path:
    """Return the folder for ledgers and traces, made if need be, for its owner only.

    Raises:
        SetupError: It cannot be made or written.
    """
    variables = os.environ if environment is None else environment
    base = variables.get("XDG_STATE_HOME")
    folder = (Path(base) if base else Path.home() / ".local" / "state") / "tactile"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(
            f"The state folder {folder} cannot be made: {error.strerror}.",
            hint="Set XDG_STATE_HOME to a folder you may write to; acts are recorded there before they happen.",
        ) from error
    return folder


def reserve_numbers(folder: Path, count: int) -> int:
    """Reserve `count` numbers for this run and return the first.

    Raises:
        SetupError: The folder cannot be written.
    """
    try:
        descriptor = os.open(folder / "numbers", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise SetupError(
            f"The state folder {folder} cannot be written: {error.strerror}.",
            hint="Set XDG_STATE_HOME to a folder you may write to.",
        ) from error
    with os.fdopen(descriptor, "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        text = file.read(32).strip()
        first = int(text) if text.isdigit() else 1 + 10 * secrets.randbelow(START_MAX)
        file.seek(0)
        file.truncate()
        file.write(str(first + count))
        file.flush()
        os.fsync(file.fileno())
    return first
