"""What is asked: targets, postconditions and requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tactile.records.geometry import Point
from tactile.records.vocabulary import Action, Role

Button = Literal["left", "middle", "right"]
Direction = Literal["up", "down", "left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefTarget:
    """A ref of an earlier observation."""

    ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Locator:
    """Role and name, optionally within something named; must fit exactly one candidate."""

    role: Role
    name: str
    within: str | None = None

    def __str__(self) -> str:
        inside = f' in "{self.within}"' if self.within is not None else ""
        return f'{self.role.value} "{self.name}"{inside}'


@dataclass(frozen=True, slots=True, kw_only=True)
class PointTarget:
    """A pixel of the desktop as it was in one observation."""

    observation_id: str
    point: Point


Target = RefTarget | Locator | PointTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One postcondition; several make a conjunction.

    Attributes:
        subject: What it speaks of: a target, or the kind of thing named by `name`.
        kind: state / value / gone / present / contains.
        name: Text, window title, application name or file path.
        argument: The state or the text expected.
    """

    subject: Literal["target", "text", "window", "app", "file"]
    kind: Literal["state", "value", "gone", "present", "contains"]
    target: RefTarget | Locator | None = None
    name: str = ""
    argument: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """One act, fully described.

    Attributes:
        target: None for keys or text that go to the focused thing.
        payload: Text, value or keys, depending on the action.
        expectation: Postconditions that replace the candidate's own cue.
    """

    action: Action
    target: Target | None
    payload: str = ""
    button: Button = "left"
    count: int = 1
    modifiers: tuple[str, ...] = ()
    direction: Direction = "down"
    amount: int = 3
    destination: Target | None = None
    submits: bool = False
    expectation: tuple[Expectation, ...] = ()
