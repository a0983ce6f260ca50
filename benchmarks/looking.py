"""What one look and one click cost, application by application, each alone on a desktop of its own."""

from __future__ import annotations

from typing import Any

from benchmarks.applications import Program
from benchmarks.desk import Answer, Desk, open_desk
from benchmarks.figures import Figure, in_ms
from tactile.render.tokens import estimate_tokens

WARM_UP = 3  # looks that are not counted: connections, caches, the application's own first answer
CLEAR_EVERY = 6  # clicks; the display of a calculator is not endless


async def measure_program(program: Program, looks: int, clicks: int) -> list[Figure]:
    """Open an application alone, look at it, and click where it is a calculator.

    Raises:
        RuntimeError: A call was refused.
    """
    async with open_desk() as desk:
        pid = await desk.open(program)
        figures = [await measure_looks(desk, program, pid, looks)]
        if program.digits and clicks:
            figures += await measure_clicks(desk, program, pid, clicks)
        return figures


async def measure_looks(desk: Desk, program: Program, pid: int, looks: int) -> Figure:
    """Measure `get_app_state` as a client sees it; the server's own part is among `more`."""
    for _ in range(WARM_UP):
        await desk.call("get_app_state", app=pid)
    answers = [await desk.call("get_app_state", app=pid) for _ in range(looks)]
    records = await desk.call("get_app_state", app=pid, format="records")
    return Figure(
        section="get_app_state",
        name=program.name,
        unit="ms",
        values=in_ms([answer.took_s for answer in answers]),
        bound=program.state_ms,
        more=(*_cost(answers[-1]), *_parts(records.data)),
    )


def _cost(answer: Answer) -> tuple[tuple[str, float | str], ...]:
    complete = answer.data["complete"]
    return (
        ("accessibles", complete["in_tree"]),
        ("listed", complete["shown"]),
        ("tokens", estimate_tokens(answer.text)),
    )


def _parts(data: dict[str, Any]) -> tuple[tuple[str, float | str], ...]:
    return tuple((f"{name}_ms", round(seconds * 1000, 1)) for name, seconds in data["timings_s"].items())


WORDS = {"One": "1", "Two": "2"}  # kcalc's names of its keys on Debian 13


async def refs_of(desk: Desk, pid: int, names: tuple[str, ...]) -> list[str]:
    """Return the refs of buttons.

    Raises:
        RuntimeError: There is no such button.
    """
    state = await desk.call("get_app_state", app=pid, format="records")
    buttons = [item for item in state.data["candidates"] if item["role"] == "button"]
    found = {WORDS.get(item["name"], item["name"]): item["ref"] for item in buttons}
    missing = [name for name in names if name not in found]
    if missing:
        raise RuntimeError(f"the buttons {missing} were sought; there are {sorted(found)}")
    return [found[name] for name in names]


async def measure_clicks(desk: Desk, program: Program, pid: int, clicks: int) -> list[Figure]:
    """Measure from a click to its receipt, the wait for quiet included."""
    assert program.digits is not None
    refs = await refs_of(desk, pid, program.digits)
    receipts = []
    for number in range(clicks):
        if number % CLEAR_EVERY == 0:
            await desk.call("press_key", keys="Escape")
        receipts.append(await desk.call("click", target=refs[number % 2]))
    settles = in_ms([answer.data["timings_s"]["settle"] for answer in receipts])
    totals = in_ms([answer.data["timings_s"]["total"] for answer in receipts])
    rest = tuple(total - settle for total, settle in zip(totals, settles, strict=True))
    verdicts = [answer.data["verdict"] for answer in receipts]
    counted = tuple((verdict, verdicts.count(verdict)) for verdict in dict.fromkeys(verdicts))
    whole = in_ms([answer.took_s for answer in receipts])
    primitive = ("primitive", receipts[-1].data["primitive"])

    def figure(name: str, values: tuple[float, ...], bound: float | None = None, *more: tuple[str, float]) -> Figure:
        return Figure(section="click", name=f"{program.name}{name}", unit="ms", values=values, bound=bound, more=more)

    return [
        Figure(
            section="click",
            name=program.name,
            unit="ms",
            values=whole,
            bound=program.click_ms,
            more=(*counted, primitive),
        ),
        figure(": until quiet", settles),
        figure(": ground, act, look again", rest),
    ]
