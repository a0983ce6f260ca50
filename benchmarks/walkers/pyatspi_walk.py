"""Read an application through pyatspi, one property after the other, as screen readers and test tools do.

Runs under Debian's Python. It is also the second opinion on what shows: it shares nothing with Tactile.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.walkers.answering import answer

pyatspi: Any = importlib.import_module("pyatspi")
Atspi: Any = importlib.import_module("gi.repository.Atspi")

OBJECTS_MAX = 20_000
TEXT_MAX = 2000  # characters of one text
SCREEN, WINDOW = 0, 1  # AtspiCoordType
Fields = dict[str, Any]


def applications() -> list[str]:
    """Return the names of all applications."""
    return [app.name for app in pyatspi.Registry.getDesktop(0) if app is not None]


def _application(pid: int) -> Any:
    for app in pyatspi.Registry.getDesktop(0):
        if app is not None and app.get_process_id() == pid:
            return app
    raise LookupError(f"no application with pid {pid}")


def _tried(read: Callable[[], Any]) -> Any:
    """Read one field; what fails is None, as every user of pyatspi writes it."""
    try:
        return read()
    except Exception:  # noqa: BLE001 - GLib.GError, LookupError and NotImplementedError, by release
        return None


def _fields(accessible: Any, kind: int) -> Fields:
    interfaces = _tried(accessible.get_interfaces) or []
    return {
        "role": _tried(accessible.getRole),
        "name": _tried(lambda: accessible.name),
        "description": _tried(lambda: accessible.description),
        "states": [int(state) for state in _tried(lambda: accessible.getState().getStates()) or []],
        "interfaces": interfaces,
        "extents": _tried(lambda: _extents(accessible, kind)) if "Component" in interfaces else None,
        "action": _tried(lambda: accessible.queryAction().getName(0)) if "Action" in interfaces else None,
        "value": _tried(lambda: accessible.queryValue().currentValue) if "Value" in interfaces else None,
        "text": _tried(lambda: _text(accessible)) if "Text" in interfaces else None,
    }


def _extents(accessible: Any, kind: int) -> list[int]:
    box = accessible.queryComponent().getExtents(kind)
    return [box.x, box.y, box.width, box.height]


def _text(accessible: Any) -> str:
    text = accessible.queryText()
    count = text.characterCount
    return str(text.getText(0, min(count, TEXT_MAX))) if count > 0 else ""


def _walk(pid: int, kind: int, take: Callable[[Any, Any, Fields], None]) -> int:
    application = _application(pid)
    stack, count = [(application, None)], 0
    while stack and count < OBJECTS_MAX:
        accessible, parent = stack.pop()
        take(accessible, parent, _fields(accessible, kind))
        count += 1
        stack += [(child, accessible) for child in reversed(_children(accessible))]
    return count


def _children(accessible: Any) -> list[Any]:
    children = [_tried(partial(accessible.getChildAtIndex, index)) for index in range(accessible.childCount)]
    return [child for child in children if child is not None]


def full(pid: int) -> dict[str, int]:
    """Read every object with all its fields."""
    kept: list[Fields] = []
    count = _walk(pid, SCREEN, lambda _accessible, _parent, fields: kept.append(fields))
    return {"objects": count}


def objects(pid: int, *, is_in_window: bool) -> list[Fields]:
    """Read every object, and return all of them with their object paths."""
    found: list[Fields] = []

    def take(accessible: Any, parent: Any, fields: Fields) -> None:
        fields["path"], fields["parent"] = accessible.path, parent.path if parent is not None else ""
        fields["role"] = int(fields["role"] if fields["role"] is not None else -1)
        found.append(fields)

    _walk(pid, WINDOW if is_in_window else SCREEN, take)
    return found


def version() -> str:
    """Return the release of the libraries."""
    release = getattr(pyatspi, "__version__", "")
    return ".".join(map(str, release)) if isinstance(release, tuple) else str(release)


if __name__ == "__main__":
    answer({"applications": applications, "full": full, "objects": objects, "version": version})
