"""All applications on one desktop, looked at in turn; then the memory of the server that did it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.applications import Program
from benchmarks.desk import Desk, open_desk
from benchmarks.figures import Figure, in_ms
from benchmarks.looking import measure_clicks
from benchmarks.processes import memory_mb

MEMORY_MB = 120.0  # the promise: resident memory of the server


async def measure_crowd(programs: Sequence[Program], rounds: int, clicks: int) -> list[Figure]:
    """Open all applications with one server, look at each in turn, click the calculators, and read the memory.

    The server writes a trace, which says what each look cost in platform calls.

    Raises:
        RuntimeError: A call was refused.
    """
    async with open_desk(with_trace=True) as desk:
        fresh = memory_mb(desk.pid)
        pids = [await desk.open(program) for program in programs]
        taken: list[list[float]] = [[] for _ in programs]
        for _ in range(rounds):
            for which, pid in enumerate(pids):
                taken[which].append((await desk.call("get_app_state", app=pid)).took_s)
        for program, pid in zip(programs, pids, strict=True):
            if program.digits and clicks:
                await measure_clicks(desk, program, pid, clicks)
        assert desk.trace is not None
        calls = platform_calls(desk.trace)
        looks = [
            Figure(
                section="crowd",
                name=f"get_app_state, {len(pids)} open: {program.name}",
                unit="ms",
                values=in_ms(taken[which]),
                more=calls.get(pids[which], ()),
            )
            for which, program in enumerate(programs)
        ]
        return [*looks, *_memory(desk, fresh)]


def _memory(desk: Desk, fresh: tuple[float, float]) -> list[Figure]:
    now, highest = memory_mb(desk.pid)

    def figure(name: str, value: float, bound: float | None = None) -> Figure:
        return Figure(section="memory", name=name, unit="MB", values=(value,), bound=bound)

    return [
        figure("server after initialize", fresh[0]),
        figure("server after all of the above", now, MEMORY_MB),
        figure("server, highest", highest, MEMORY_MB),
    ]


def platform_calls(folder: Path) -> dict[int, tuple[tuple[str, float | str], ...]]:
    """Return, by pid, the platform calls and accessibles of the last traced observation."""
    found: dict[int, tuple[tuple[str, float | str], ...]] = {}
    for path in folder.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            observation = entry.get("observation") or {}
            tree = observation.get("tree") if entry["kind"] == "observation" else None
            if tree is not None:
                found[observation["pid"]] = (("calls", tree["calls"]), ("read", len(tree["accessibles"])))
    return found
