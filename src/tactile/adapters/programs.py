"""Turn the name of a program or application into a command line, and start it."""

from __future__ import annotations

import asyncio
import configparser
import difflib
import shlex
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from tactile.errors import Diagnosis, RequestError

ENTRIES = ("/usr/share/applications", "/usr/local/share/applications")
ENTRIES_MAX = 2000  # desktop entries read at most
CHILDREN_MAX = 200  # started programs whose end is still looked at
NEAR_MAX = 6  # names offered for an unknown one


class Programs:
    """LauncherPort: resolves a name, then hands the command line to the desktop's own starter.

    Args:
        start: Starts a command line and returns its pid as the desktop's applications report it.
        exit_of: Returns the exit code of what was started, None while it runs.
        path: Where programs are looked for.
    """

    def __init__(
        self,
        start: Callable[[Sequence[str]], Awaitable[int]],
        exit_of: Callable[[int], Awaitable[int | None]],
        path: str,
    ) -> None:
        self._start = start
        self._exit_of = exit_of
        self._path = path

    async def launch(self, argv: Sequence[str]) -> int:
        """Start a program by file name, or an application by the name of its desktop entry.

        Raises:
            RequestError: There is neither; names the nearest ones.
        """
        command = await asyncio.to_thread(self._command, argv[0])
        return await self._start([*command, *argv[1:]])

    async def exit_code(self, pid: int) -> int | None:
        """Return the exit code of a program that was launched, negative for a signal; None while it runs."""
        return await self._exit_of(pid)

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


class Children:
    """Programs started in the user's own session, detached from our input and output."""

    def __init__(self) -> None:
        self._running: dict[int, asyncio.subprocess.Process] = {}

    async def start(self, argv: Sequence[str]) -> int:
        """Start a program and return its pid.

        Raises:
            RequestError: It cannot be executed.
        """
        nothing = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *argv, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
            )
        except OSError as error:
            raise RequestError(f"{argv[0]!r} cannot be started: {error.strerror}.", hint="Install it first.") from error
        self._running[process.pid] = process
        while len(self._running) > CHILDREN_MAX:
            self._running.pop(next(iter(self._running)))
        return process.pid

    async def exit_of(self, pid: int) -> int | None:
        """Return the exit code, negative for a signal; None while it runs or when it is not known any more."""
        process = self._running.get(pid)
        return None if process is None else process.returncode
