"""Turn the name of a program or application into a command line, and start it."""

from __future__ import annotations

import asyncio
import configparser
import difflib
import os
import shlex
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from tactile.errors import Diagnosis, RequestError

ENTRIES = ("/usr/share/applications", "/usr/local/share/applications")
ENTRIES_MAX = 2000  # desktop entries read at most
NEAR_MAX = 6  # names offered for an unknown one


class Programs:
    """LauncherPort: resolves a name, then hands the command line to the desktop's own starter.

    Args:
        start: Starts a command line and returns its pid as the desktop's applications report it.
        path: Where programs are looked for.
    """

    def __init__(self, start: Callable[[Sequence[str]], Awaitable[int]], path: str) -> None:
        self._start = start
        self._path = path

    async def launch(self, argv: Sequence[str]) -> int:
        """Start a program by file name, or an application by the name of its desktop entry.

        Raises:
            RequestError: There is neither; names the nearest ones.
        """
        command = await asyncio.to_thread(self._command, argv[0])
        return await self._start([*command, *argv[1:]])

    def _command(self, name: str) -> list[str]:
        if "/" in name or shutil.which(name, path=self._path):
            return [name]
        entries = desktop_entries()
        command = entries.get(name.casefold())
        if command is None:
            near = difflib.get_close_matches(name.casefold(), entries, NEAR_MAX, 0.5)
            raise RequestError(
                f"There is no program or application called {name[:60]!r}.",
                hint="Give the program's file name, such as mousepad, or install it first.",
                diagnosis=Diagnosis(sought=name, near_misses=tuple(near)),
            )
        return command


def desktop_entries(folders: Sequence[str] = ENTRIES) -> Mapping[str, list[str]]:
    """Return the installed applications' command lines, by id and by name, folded.

    Source:
        Desktop Entry Specification: field codes such as %U are left out when nothing is to be opened.
    """
    found: dict[str, list[str]] = {}
    files = [file for folder in folders for file in sorted(Path(folder).glob("*.desktop"))]
    for file in files[:ENTRIES_MAX]:
        entry = _entry(file)
        if entry is not None:
            name, command = entry
            found.setdefault(name.casefold(), command)
            found.setdefault(file.stem.casefold(), command)
    return found


def _entry(file: Path) -> tuple[str, list[str]] | None:
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    try:
        parser.read(file, encoding="utf-8")
        section = parser["Desktop Entry"]
        command = [word for word in shlex.split(section["Exec"]) if not _is_field_code(word)]
        name = section["Name"]
    except (configparser.Error, KeyError, ValueError, OSError):
        return None  # a broken entry starts nothing
    return (name, command) if command and section.get("Type") == "Application" else None


def _is_field_code(word: str) -> bool:
    return len(word) == 2 and word[0] == "%" and word[1] != "%"


async def start_here(argv: Sequence[str], environment: Mapping[str, str]) -> int:
    """Start a program in the user's own session, detached from our input and output.

    Raises:
        RequestError: It cannot be executed.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    except OSError as error:
        raise RequestError(f"{argv[0]!r} cannot be started: {error.strerror}.", hint="Install it first.") from error
    return process.pid
