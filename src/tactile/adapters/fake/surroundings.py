"""LauncherPort and FilesPort over the scripted desktop."""

from __future__ import annotations

from collections.abc import Sequence

from tactile.adapters.fake.model import FakeDesktop
from tactile.errors import RequestError

HOME = "/home/fake"


class FakeLauncher:
    """Starts the programs that the script knows."""

    def __init__(self, desktop: FakeDesktop) -> None:
        self._desktop = desktop

    async def launch(self, argv: Sequence[str]) -> int:
        """Start a program and return its pid.

        Raises:
            RequestError: The script knows no such program.
        """
        program = self._desktop.programs.get(argv[0])
        if program is None:
            raise RequestError(f'There is no program "{argv[0]}".', hint="Name one that is installed.")
        self._desktop.record("launch", None, tuple(argv))
        return program().pid

    async def exit_code(self, pid: int) -> int | None:
        """Return 0 for a program that has quit, None while it runs."""
        return None if any(app.pid == pid for app in self._desktop.apps) else 0


class FakeFiles:
    """Reads the files that the script holds, under their full paths."""

    def __init__(self, desktop: FakeDesktop) -> None:
        self._desktop = desktop

    async def read_file(self, path: str, max_bytes: int) -> bytes | None:
        """Return up to `max_bytes` of a file; `~` is the home of the desktop."""
        content = self._desktop.files.get(path.replace("~", HOME, 1) if path.startswith("~") else path)
        return None if content is None else content[:max_bytes]
