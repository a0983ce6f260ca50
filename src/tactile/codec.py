"""Records as JSON and back; the schema version travels with every document."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any

SCHEMA_VERSION = 1


def to_json(value: object) -> Any:
    """Return a record as plain JSON values; None and empty fields are kept, sets are sorted."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset | set):
        return sorted(to_json(item) for item in value)
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    return value


def from_json(kind: Any, data: Any) -> Any:
    """Return the record of type `kind` that `to_json` wrote.

    Raises:
        TypeError: The data does not have the shape of the type.
        ValueError: A word is not in its vocabulary.
    """
    origin = typing.get_origin(kind)
    if kind is Any or data is None:
        return data
    if origin in {typing.Union, types.UnionType}:
        return _from_union(typing.get_args(kind), data)
    if origin is typing.Literal:
        return data
    if origin in {tuple, frozenset}:
        return _from_many(origin, typing.get_args(kind), data)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        if not isinstance(data, dict):
            raise TypeError(f"{kind.__name__} is an object, not {type(data).__name__}")
        hints = _hints(kind)
        return kind(**{name: from_json(hints[name], item) for name, item in data.items() if name in hints})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    return kind(data) if kind is float else data


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _from_many(origin: Any, arguments: tuple[Any, ...], data: Any) -> Any:
    if not isinstance(data, list | tuple):
        raise TypeError(f"a list is needed, not {type(data).__name__}")
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return tuple(from_json(kind, item) for kind, item in zip(arguments, data, strict=True))
    return origin(from_json(arguments[0], item) for item in data)


def _from_union(members: tuple[Any, ...], data: Any) -> Any:
    """Pick the member that the data fits: by the field names of records, else the first plain one."""
    for kind in members:
        if dataclasses.is_dataclass(kind) and isinstance(data, dict):
            if {field.name for field in dataclasses.fields(kind)} == set(data):
                return from_json(kind, data)
        elif kind is not type(None) and not isinstance(data, dict):
            return from_json(kind, data)
    raise TypeError(f"no member of {members} fits {type(data).__name__}")
