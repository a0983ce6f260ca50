"""Start processes, keep their output within bounds, and end all of them."""

# Importing pathlib would add several milliseconds to the start of every desktop.
# ruff: noqa: PTH123, PTH208

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence

LOG_MAX = 1 << 20  # bytes kept of one process's output; the rest is read and dropped so that the writer never blocks
READ_SIZE = 1 << 16  # bytes; the capacity of a pipe
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # prctl(2)
END_LIMIT_S = 1.0  # no process that got SIGKILL needs this long; past it the kernel ends the supervisor too


class Output:
    """Move what one process writes into a file, up to a limit."""

    def __init__(self, pipe: int, path: str, limit: int = LOG_MAX) -> None:
        self.pipe = pipe
        self.path = path
        self._left = limit
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        os.set_blocking(pipe, False)

    def drain(self) -> int:
        """Read once; return the number of bytes, 0 at the end of the stream, -1 when nothing is there now."""
        try:
            data = os.read(self.pipe, READ_SIZE)
        except BlockingIOError:
            return -1
        if self._left and data:
            self._keep(data)
        return len(data)

    def _keep(self, data: bytes) -> None:
        kept = data[: self._left]
        self._left -= len(kept)
        note = b"" if self._left else b"\n[more output was dropped]\n"
        with contextlib.suppress(OSError):  # a full disk must not end the desktop
            os.write(self._file, kept + note)

    def tail(self, lines: int = 12) -> str:
        """Return the last lines written so far."""
        while self.pipe >= 0 and self.drain() > 0:
            pass
        with open(self.path, "rb") as file:
            return "\n".join(file.read()[-4000:].decode("utf-8", "replace").splitlines()[-lines:])

    def close(self) -> None:
        """Close both ends."""
        os.close(self.pipe)
        os.close(self._file)
        self.pipe = -1


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of every orphan below, and get SIGTERM when our own parent dies."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def die_with_parent() -> None:
    """Ask the kernel to kill the calling process when its parent ends; runs between fork and exec."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def spawn(
    argv: Sequence[str],
    environment: Mapping[str, str],
    folder: str,
    before_exec: Callable[[], None] | None = None,
    pass_fds: Sequence[int] = (),
) -> tuple[subprocess.Popen[bytes], int]:
    """Start a process in a session of its own; return it and the pipe its output comes from.

    Raises:
        OSError: The program or the folder is not there, or cannot be executed.
        ValueError: A NUL character in the arguments.
    """
    reader, writer = os.pipe()
    try:
        process = subprocess.Popen(
            list(argv),
            env=dict(environment),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=writer,
            start_new_session=True,
            pass_fds=tuple(pass_fds),
            preexec_fn=before_exec,  # noqa: PLW1509  this process has one thread
        )
    except BaseException:
        os.close(reader)
        raise
    finally:
        os.close(writer)
    return process, reader


def parents() -> dict[int, int]:
    """Return the parent of every visible process."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # The command's name is in parentheses and may itself hold spaces and parentheses.
                found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    return found


def descendants(root: int, parent_of: Mapping[int, int]) -> set[int]:
    """Return every process below `root`."""
    found: set[int] = set()
    ring = {root}
    while ring:
        ring = {pid for pid, parent in parent_of.items() if parent in ring} - found
        found |= ring
    return found


def end_all() -> None:
    """Kill every process below this one and reap them, also those that changed their session."""
    signal.setitimer(signal.ITIMER_REAL, END_LIMIT_S)
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in descendants(os.getpid(), parents()):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    signal.setitimer(signal.ITIMER_REAL, 0)
