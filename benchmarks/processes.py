"""What the kernel says of a process: processor time, memory, children."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def processor_s(pid: int) -> float:
    """Return the processor time of all threads of a process so far, also on a loaded machine the same.

    Source:
        proc(5), /proc/PID/task/TID/schedstat: the first number is the time on a processor in ns.
    """
    fields = (_text(path).split() for path in (PROC / str(pid) / "task").glob("*/schedstat"))
    return sum(int(field[0]) for field in fields if field) / 1e9


def memory_mb(pid: int) -> tuple[float, float]:
    """Return resident memory of a process now and at its highest.

    Units:
        MB of 1,000,000 bytes.

    Raises:
        LookupError: The process has ended.
    """
    found = dict(line.split(":", 1) for line in _text(PROC / str(pid) / "status").splitlines() if ":" in line)
    if "VmRSS" not in found:
        raise LookupError(f"process {pid} has no memory any more: it has ended")
    return _mb(found["VmRSS"]), _mb(found["VmHWM"])


def child_running(word: str) -> int:
    """Return the pid of this process's child with a word in its command line.

    Raises:
        LookupError: There is none, or more than one.
    """
    found = [pid for pid in _children(os.getpid()) if word in _text(PROC / str(pid) / "cmdline").split("\0")]
    if len(found) != 1:
        raise LookupError(f"one child process running {word!r} was sought, found: {found}")
    return found[0]


def _children(pid: int) -> Iterator[int]:
    for path in (PROC / str(pid) / "task").glob("*/children"):
        yield from map(int, _text(path).split())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""  # it ended between listing and reading


def _mb(value: str) -> float:
    return int(value.split(maxsplit=1)[0]) * 1024 / 1e6
