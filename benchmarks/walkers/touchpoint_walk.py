"""Read an application through touchpoint's own full call, without its limits of depth and number."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import Any

from benchmarks.walkers.answering import answer

touchpoint: Any = importlib.import_module("touchpoint")
DEPTH_MAX = 60
OBJECTS_MAX = 20_000


def full(name: str) -> dict[str, int]:
    """Read all elements of an application, which touchpoint knows by name."""
    found = touchpoint.elements(app=name, max_depth=DEPTH_MAX, max_elements=OBJECTS_MAX)
    return {"objects": len(found)}


def applications() -> list[str]:
    """Return the names of all applications."""
    return [str(name) for name in touchpoint.apps()]


if __name__ == "__main__":
    answer({"full": full, "applications": applications, "version": lambda: version("touchpoint-py")})
