"""How long a client waits for a new server, and a program for the import: paired and interleaved."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mcp_types
from mcp_types.version import LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION

from benchmarks.figures import Figure, alternated, differences, in_ms
from benchmarks.processes import processor_s

ANSWER_S = 60.0  # to the first answer of a server, on a busy machine
END_S = 20.0  # for a process to end once its stdin is closed
LATER_MS = 200.0  # the promise: initialize is answered at most so much later than by a bare server
IMPORT_MS = 150.0  # the promise: import tactile
CLIENT = {"name": "benchmark", "version": "1"}

BARE = (sys.executable, str(Path(__file__).with_name("bare_server.py")))
TACTILE = (sys.executable, "-m", "tactile", "serve")


def initialize_request() -> dict[str, Any]:
    """Return the first message of a client in mode legacy."""
    params = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": CLIENT}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def discover_request() -> dict[str, Any]:
    """Return the first message of a client in mode auto."""
    meta = {
        mcp_types.PROTOCOL_VERSION_META_KEY: LATEST_MODERN_VERSION,
        mcp_types.CLIENT_INFO_META_KEY: CLIENT,
        mcp_types.CLIENT_CAPABILITIES_META_KEY: {},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}


def first_answer(command: Sequence[str], request: dict[str, Any], folder: Path) -> tuple[float, float]:
    """Start a server, send one request, and end the server.

    Returns:
        From start to answer: seconds on the clock, and seconds of processor.

    Raises:
        RuntimeError: It answered with an error, or not in time.
    """
    line = json.dumps(request).encode() + b"\n"
    with (folder / "server.err").open("wb") as errors:
        start_s = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "XDG_STATE_HOME": str(folder)},
            cwd=folder,
        )
        try:
            answer = _exchange(process, line)
            took_s, worked_s = time.perf_counter() - start_s, processor_s(process.pid)
        finally:
            _end(process)
    if "result" not in answer:
        raise RuntimeError(f"{' '.join(command)} answered {request['method']} with {answer}")
    return took_s, worked_s


def _exchange(process: subprocess.Popen[bytes], line: bytes) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line)
    process.stdin.flush()
    received, deadline_s = b"", time.monotonic() + ANSWER_S
    while not received.endswith(b"\n"):
        left_s = max(deadline_s - time.monotonic(), 0.0)
        ready, _, _ = select.select([process.stdout], [], [], left_s)
        piece = os.read(process.stdout.fileno(), 65536) if ready else b""
        if not piece:
            raise RuntimeError(f"no answer to {line[:80]!r} within {ANSWER_S:g} s, or the server ended")
        received += piece
    answer: dict[str, Any] = json.loads(received.splitlines()[0])
    return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(END_S)


def measure_answers(pairs: int) -> list[Figure]:
    """Measure the first answer of a bare server and of Tactile's, in turn, in both protocol eras."""
    requests = (
        ("initialize (legacy)", initialize_request(), LATER_MS),
        ("server/discover (auto)", discover_request(), None),
    )
    found: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="tactile-bench-") as name:
        folder = Path(name)
        for label, request, bound in requests:
            taken: tuple[list[tuple[float, float]], ...] = ([], [])
            for command in (BARE, TACTILE):  # the files are in the page cache afterwards, the bytecode is written
                first_answer(command, request, folder)
            for order in alternated(pairs):
                for which in order:
                    taken[which].append(first_answer((BARE, TACTILE)[which], request, folder))
            found += _answer_figures(label, taken[0], taken[1], bound)
    return found


def _answer_figures(
    label: str, bare: list[tuple[float, float]], ours: list[tuple[float, float]], bound: float | None
) -> list[Figure]:
    clock = [in_ms([one[0] for one in taken]) for taken in (bare, ours)]
    processor = [in_ms([one[1] for one in taken]) for taken in (bare, ours)]

    def figure(name: str, values: tuple[float, ...], limit: float | None = None) -> Figure:
        return Figure(section="start", name=f"{label}: {name}", unit="ms", values=values, bound=limit)

    return [
        figure("bare server", clock[0]),
        figure("tactile serve", clock[1]),
        figure("later, per pair", differences(clock[1], clock[0]), bound),
        figure("more processor time, per pair", differences(processor[1], processor[0])),
    ]


def measure_imports(rounds: int) -> list[Figure]:
    """Measure fresh interpreters that do nothing, import the package, or print the help, in turn."""
    commands = (("-c", "pass"), ("-c", "import tactile"), ("-m", "tactile", "--help"))
    taken: tuple[list[float], ...] = ([], [], [])
    for command in commands:
        _run([sys.executable, *command])
    for number in range(rounds):
        for which in [0, 1, 2] if number % 2 == 0 else [2, 1, 0]:
            taken[which].append(_run([sys.executable, *commands[which]]))
    nothing, imported, helped = map(in_ms, taken)

    def figure(name: str, values: tuple[float, ...], bound: float | None = None) -> Figure:
        return Figure(section="start", name=name, unit="ms", values=values, bound=bound)

    return [
        figure("python -c pass", nothing),
        figure("import tactile, interpreter included", imported),
        figure("import tactile, per pair", differences(imported, nothing), IMPORT_MS),
        figure("tactile --help, interpreter included", helped),
    ]


def _run(command: Sequence[str]) -> float:
    """Run a command to its end and return how long that took."""
    start_s = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=ANSWER_S, check=True)
    return time.perf_counter() - start_s
