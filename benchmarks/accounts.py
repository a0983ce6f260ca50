"""Checks of Tactile against an application that says of itself what is right, in any toolkit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmarks.figures import Figure
from tests.e2e.desk import Desk

SECTION = "accessibility"
EFFECT_S = 5.0  # for an application to show what was done
SEEN_S = 2.0  # for a change to reach the accessibility bus: browsers gather changes before they tell them
ANSWER_S = 25.0  # of a page that is asked
NEAR_PX = 2.0
LISTED_MAX = 200
NOT_CONTROLS = frozenset({"label", "panel", "document", "frame", "table_cell", "grouping"})
Box = Sequence[float]
By = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act on one kind of control.

    Attributes:
        effect: What the application's own account then holds: see `Account.has`.
        option: Name of what is clicked when the first act has opened it.
    """

    what: str
    tool: str
    name: str
    effect: str
    more: Mapping[str, str] = field(default_factory=dict)
    option: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that the application is told to do by itself, and how a look at it then differs."""

    name: str
    command: str
    is_seen: Callable[[By], bool]


class Account(Protocol):
    """What an application says of itself."""

    name: str
    pid: int
    pressed: tuple[str, ...]

    @property
    def acts(self) -> tuple[Act, ...]:
        """Return one act on each kind of control."""
        ...

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return what it can be told to do by itself."""
        ...

    def rects(self) -> dict[str, Box]:
        """Return the visible parts of its controls in physical px."""
        ...

    def values(self) -> dict[str, object]:
        """Return what its controls hold."""
        ...

    def has(self, effect: str) -> bool:
        """Tell whether something has happened."""
        ...

    def change(self, command: str) -> None:
        """Have it change by itself, and wait until it has."""
        ...


# ---------------------------------------------------------------- the checks


def records(place: Desk, account: Account) -> list[dict[str, Any]]:
    """Return the candidates that show."""
    answer = place.call("get_app_state", app=account.pid, format="records", limit=LISTED_MAX)
    if answer.is_error:
        raise RuntimeError(answer.text)
    return [item for item in answer.data["candidates"] if item["showing"]]


def by_name(place: Desk, account: Account) -> dict[str, dict[str, Any]]:
    """Return the controls that show by name; of several of one name that which is more of a control."""
    found = records(place, account)
    found.sort(key=lambda item: (item["role"] not in NOT_CONTROLS, item["role"] == "terminal"))  # beside a menu of it
    return {item["name"]: item for item in found}


def recall(place: Desk, account: Account) -> list[str | None]:
    """Look for each control that shows."""
    names = {item["name"] for item in records(place, account)}
    return [None if name in names else f"{name} is missing" for name in account.rects()]


def geometry(place: Desk, account: Account) -> list[str | None]:
    """Compare the centre of each candidate with that of its control."""
    found = by_name(place, account)
    return [_misplaced(name, box, found[name]) for name, box in account.rects().items() if name in found]


def _misplaced(name: str, box: Box, record: Mapping[str, Any]) -> str | None:
    extents = record["extents"]
    if extents is None:
        return f"{name} has no place"
    x, y = extents["x"] + extents["width"] / 2, extents["y"] + extents["height"] / 2
    off = max(abs(x - box[0] - box[2] / 2), abs(y - box[1] - box[3] / 2))
    is_inside = box[0] <= x < box[0] + box[2] and box[1] <= y < box[1] + box[3]
    return None if is_inside and off <= NEAR_PX else f"{name}: {list(extents.values())} for {[round(n) for n in box]}"


def pointer(place: Desk, account: Account) -> list[str | None]:
    """Click with the pointer (a double click is), and find the click in the application's account."""
    found: list[str | None] = []
    for name in account.pressed:
        record = by_name(place, account).get(name)
        if record is not None:
            place.call("click", target=record["ref"], count=2)
        is_done = record is not None and waited(lambda name=name: account.has(f"press {name}"))  # type: ignore[misc]
        found.append(None if is_done else f"{name} was not pressed")
    return found


def values(place: Desk, account: Account) -> list[str | None]:
    """Compare what controls hold."""
    found = by_name(place, account)
    return [_told(name, value, found[name]) for name, value in account.values().items() if name in found]


def _told(name: str, value: object, record: Mapping[str, Any]) -> str | None:
    told = record["value"]
    if value is None:
        return None if told is None else f"{name} is secret and was read"
    if isinstance(value, bool):
        is_right = ("checked" in record["states"]) is value
    elif isinstance(value, int | float):
        is_right = told is not None and float(told) == value
    else:
        is_right = (told or "").split() == str(value).split()
    return None if is_right else f"{name} holds {value!r}, told was {told!r}"


def events(place: Desk, account: Account) -> list[str | None]:
    """Have the application change by itself, and see it."""
    found: list[str | None] = []
    for change in account.changes:
        by_name(place, account)
        account.change(change.command)
        is_seen = waited(lambda change=change: change.is_seen(by_name(place, account)), SEEN_S)  # type: ignore[misc]
        found.append(None if is_seen else f"{change.name} was not seen")
    return found


def actions(place: Desk, account: Account) -> list[str | None]:
    """Act on one control of each kind, and find the effect in the application's account."""
    return [_acted(place, account, act) for act in account.acts]


def _acted(place: Desk, account: Account, act: Act) -> str | None:
    record = by_name(place, account).get(act.name)
    if record is None:
        return f"{act.what}: {act.name} is missing"
    receipt = place.call(act.tool, target=record["ref"], **act.more)
    if act.option:
        option = by_name(place, account).get(act.option)
        if option is None:
            place.call("press_key", keys="Escape")
            return f"{act.what}: nothing called {act.option} came up"
        receipt = place.call("click", target=option["ref"])
    is_done = waited(lambda: account.has(act.effect))
    return None if is_done else f"{act.what}: no effect ({receipt.failure or receipt.verdict})"


def waited(is_so: Callable[[], bool], within_s: float = EFFECT_S) -> bool:
    """Look again and again until it holds, and tell whether it did in time."""
    until = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)  # between two looks; the deadline bounds the loop
    return True


CHECKS: Mapping[str, Callable[[Desk, Account], list[str | None]]] = {
    "recall": recall,
    "geometry": geometry,
    "values": values,
    "events": events,
    "pointer": pointer,
    "actions": actions,
}


def figure(account: Account, what: str, results: Sequence[str | None]) -> Figure:
    """Return the part of the results that are right; a wrong one says how."""
    wrong = [one for one in results if one]
    more: tuple[tuple[str, float | str], ...] = (
        ("of", len(results)),
        *((f"wrong {number}", one) for number, one in enumerate(wrong, 1)),
    )
    percent = 100 * (len(results) - len(wrong)) / len(results)
    return Figure(section=SECTION, name=f"{account.name}: {what}", unit="%", values=(percent,), least=100.0, more=more)
