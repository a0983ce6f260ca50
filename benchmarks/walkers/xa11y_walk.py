"""Read an application through xa11y's own full call: role, name, value and children."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import Any

from benchmarks.walkers.answering import answer

xa11y: Any = importlib.import_module("xa11y")
FIND_S = 5.0  # for an application that is there


def full(pid: int) -> dict[str, int]:
    """Read the whole tree."""
    tree = xa11y.App.by_pid(pid, timeout=FIND_S).tree()
    count, stack = 0, [tree]
    while stack:
        node = stack.pop()
        count += 1
        stack += node["children"]
    return {"objects": count}


def applications() -> list[str]:
    """Return the names of all applications."""
    return [str(app.name) for app in xa11y.App.list()]


if __name__ == "__main__":
    answer({"full": full, "applications": applications, "version": lambda: version("xa11y")})
