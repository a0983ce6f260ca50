"""What a toolkit says is at a pixel; a hint, never proof: toolkits disagree on how deep they look."""

from __future__ import annotations

from typing import Any

from tactile.adapters.atspi import bus
from tactile.adapters.atspi.calls import Call, Line
from tactile.adapters.atspi.node import extents_of
from tactile.adapters.atspi.roles import Toolkit, states_of
from tactile.records.accessible import NativeRef
from tactile.records.geometry import Point
from tactile.records.vocabulary import State

DEPTH_MAX = 60
SCREEN = 0


async def at_point(line: Line, root: NativeRef, toolkit: Toolkit, point: Point, until: float) -> NativeRef | None:
    """Return the deepest object the toolkit names at a physical pixel, None when it names none.

    GTK 4 cannot be asked: its coordinates have no relation to the screen.
    """
    if toolkit is Toolkit.GTK4:
        return None
    children = await _first(line, Call(root.application, root.path, bus.ACCESSIBLE, "GetChildren"), until)
    found = None
    for owner, path in reversed(children or []):
        if owner == root.application and await _covers(line, owner, path, point, until):
            found = await _descend(line, owner, path, point, until)
            break
    return NativeRef(application=root.application, path=found) if found is not None else None


async def _covers(line: Line, owner: str, path: str, point: Point, until: float) -> bool:
    states = await _first(line, Call(owner, path, bus.ACCESSIBLE, "GetState"), until)
    if states is None or State.SHOWING not in states_of(states):
        return False
    numbers = await _first(line, Call(owner, path, bus.COMPONENT, "GetExtents", "u", (SCREEN,)), until)
    extents = extents_of(tuple(numbers)) if numbers is not None else None
    return extents is not None and extents.contains(point)


async def _descend(line: Line, owner: str, path: str, point: Point, until: float) -> str | None:
    """Ask again at every level: GTK 3 names only the direct child, Chromium the deepest object."""
    best = None
    for _ in range(DEPTH_MAX):
        call = Call(owner, path, bus.COMPONENT, "GetAccessibleAtPoint", "iiu", (point.x, point.y, SCREEN))
        answer = await _first(line, call, until)
        if answer is None or answer[0] != owner or answer[1] in {bus.NULL_PATH, path}:
            break
        best = path = str(answer[1])
    return best


async def _first(line: Line, call: Call, until: float) -> Any:
    body, _ = await line.call(call, until)
    return body[0] if body else None
