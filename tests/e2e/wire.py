"""The server's raw pipes: JSON lines written and read without any client library."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pytest

from tests.e2e.desk import server_command, server_environment

ANSWER_S = 40.0  # one answer; the first call starts the desktop
END_S = 10.0


@dataclass(slots=True, kw_only=True)
class Wire:
    """One server process and every line that it wrote to its stdout."""

    process: subprocess.Popen[bytes]
    lines: list[bytes] = field(default_factory=list)
    arrived: queue.SimpleQueue[bytes] = field(default_factory=queue.SimpleQueue)

    @classmethod
    @contextmanager
    def start(cls, folder: Path, command: Sequence[str] | None = None) -> Iterator[Wire]:
        """Start a server for one block; whatever happens, its process group ends with it."""
        (folder / "shared").mkdir(exist_ok=True)
        with (folder / "wire.err").open("wb") as errors:
            process = subprocess.Popen(
                command or server_command(folder / "shared"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=server_environment(folder / "state"),
                cwd=folder,
                start_new_session=True,
            )
            wire = cls(process=process)
            assert process.stdout is not None
            reader = threading.Thread(target=wire._read, args=(process.stdout,), daemon=True)
            reader.start()
            try:
                yield wire
            finally:
                wire.end()
                reader.join(END_S)
                process.stdout.close()

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self.lines.append(line)
            self.arrived.put(line)

    def end(self) -> None:
        """Close stdin, and kill what does not end by that."""
        self.close_stdin()
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(END_S)

    def close_stdin(self) -> None:
        """Say that no request will come any more."""
        assert self.process.stdin is not None
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass  # it has ended already

    def send_raw(self, line: str) -> None:
        """Write one line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def ask_raw(self, line: str, number: int) -> dict[str, Any]:
        """Write one line and return the answer with that id; one without an id answers what could not be read."""
        self.send_raw(line)
        deadline = time.monotonic() + ANSWER_S
        while (left := deadline - time.monotonic()) > 0:
            try:
                answer: dict[str, Any] = json.loads(self.arrived.get(timeout=left))
            except queue.Empty:
                break
            if answer.get("id") == number or ("error" in answer and answer.get("id") is None):
                return answer
        pytest.fail(f"no answer to {line[:200]} within {ANSWER_S:g} s")

    def ask(self, number: int, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and return the answer."""
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        return self.ask_raw(json.dumps(message), number)

    def call(self, number: int, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        answer = self.ask(number, "tools/call", name=tool, arguments=arguments)
        result: dict[str, Any] = answer["result"]
        return result

    def initialize(self) -> dict[str, Any]:
        """Shake hands in the older protocol, which needs no client library."""
        answer = self.ask(
            1,
            "initialize",
            protocolVersion="2025-11-25",
            capabilities={},
            clientInfo={"name": "wire", "version": "1"},
        )
        self.send_raw('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return answer


def children(pid: int) -> set[int]:
    """Return all living descendants of a process."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (found := _parent(int(entry.name))) is not None:
            parents.setdefault(found, []).append(int(entry.name))
    seen: set[int] = set()
    todo = [pid]
    while todo:
        new = [child for child in parents.get(todo.pop(), []) if child not in seen]
        seen.update(new)
        todo += new
    return seen


def _parent(pid: int) -> int | None:
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return None if state == "Z" else int(parent)


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that has ended and was not yet fetched does not."""
    return _parent(pid) is not None


def gone_after_s(pids: set[int], within_s: float) -> float:
    """Poll until all processes are gone and return the time that took."""
    start = time.monotonic()
    while left := {pid for pid in pids if is_alive(pid)}:
        if time.monotonic() - start > within_s:
            pytest.fail(f"{[_name(pid) for pid in left]} still run after {within_s:g} s")
        time.sleep(0.005)  # between two looks; the deadline bounds the loop
    return time.monotonic() - start


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:120]
    except OSError:
        return str(pid)
