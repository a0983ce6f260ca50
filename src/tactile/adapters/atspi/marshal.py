"""D-Bus values as bytes and back: what the answers of AT-SPI hold, and the arguments that reads send.

Source:
    D-Bus Specification 0.43, "Type System" and "Marshaling".
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from struct import Struct, unpack_from
from typing import Any

DEPTH_MAX = 64  # arrays, structs and variants within each other, as the specification allows
SIGNATURE_MAX = 255  # characters

_U32 = Struct("<I")
_NUMBERS = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
_WIDTHS = {"y": 1, "b": 4, "n": 2, "q": 2, "i": 4, "u": 4, "x": 8, "t": 8, "d": 8}
_ALIGNMENTS = {**_WIDTHS, "s": 4, "o": 4, "g": 1, "v": 1, "a": 4, "(": 8, "{": 8}
_BAD = (struct.error, IndexError, ValueError, TypeError, OverflowError, AttributeError)

# ---------------------------------------------------------------- values out of bytes

Read = Callable[[bytes, int, int], tuple[Any, int]]
"""Takes bytes, a position and the depth so far; returns the value and the position behind it."""


def decode(signature: str, data: bytes, *, is_little: bool = True) -> list[Any]:
    """Read a body.

    Args:
        signature: As the message says.
        data: The whole body.
        is_little: Whether its numbers are little-endian.

    Returns:
        One value a complete type: arrays as lists, structs as tuples, `ay` as bytes, dictionaries as such, and what
        variants hold. Text that is no UTF-8 has replacement characters.

    Raises:
        ValueError: The body is not of that signature, or the signature is none.
    """
    try:
        reads, depth = _readers(signature, is_little)
        values, at = [], 0
        for read in reads:
            value, at = read(data, at, depth)
            values.append(value)
    except _BAD as problem:
        raise ValueError(f"a body of signature {signature!r} was sought: {problem}") from problem
    if at != len(data):
        raise ValueError(f"a body of signature {signature!r} has {len(data) - at} bytes too many")
    return values


@lru_cache(maxsize=1024)
def _readers(signature: str, is_little: bool) -> tuple[tuple[Read, ...], int]:
    """Return a reader for each complete type, and how deep they are nested."""
    if len(signature) > SIGNATURE_MAX:
        raise ValueError("the signature is too long")
    order = "<" if is_little else ">"
    reads, at, deepest = [], 0, 0
    while at < len(signature):
        read, at, depth = _reader(signature, at, order, 0)
        reads.append(read)
        deepest = max(deepest, depth)
    return tuple(reads), deepest


def _reader(signature: str, at: int, order: str, depth: int) -> tuple[Read, int, int]:
    """Return the reader of the complete type at a position, the position behind it, and the depth it reaches."""
    if depth > DEPTH_MAX:
        raise ValueError("the signature is nested too deeply")
    code = signature[at]
    if code in _NUMBERS:
        return _number_reader(code, order), at + 1, depth
    if code in "so":
        return _text_reader(order), at + 1, depth
    if code == "g":
        return _read_signature, at + 1, depth
    if code == "v":
        return _variant_reader(order), at + 1, depth + 1
    if code == "a":
        return _array_of(signature, at + 1, order, depth + 1)
    if code == "(":
        return _struct_of(signature, at + 1, order, depth + 1)
    raise ValueError(f"there is no type {code!r}")


def _number_reader(code: str, order: str) -> Read:
    width = _WIDTHS[code]
    take = Struct(order + _NUMBERS[code]).unpack_from

    def read(data: bytes, at: int, _depth: int) -> tuple[Any, int]:
        at = (at + width - 1) & -width
        return take(data, at)[0], at + width

    def read_bool(data: bytes, at: int, _depth: int) -> tuple[Any, int]:
        at = (at + 3) & -4
        return take(data, at)[0] != 0, at + 4

    return read_bool if code == "b" else read


def _text_reader(order: str) -> Read:
    take = Struct(order + "I").unpack_from

    def read(data: bytes, at: int, _depth: int) -> tuple[Any, int]:
        at = (at + 3) & -4
        end = at + 4 + take(data, at)[0]
        if data[end] != 0:  # beyond the end it is an IndexError
            raise ValueError("a text does not end where it should")
        return data[at + 4 : end].decode("utf-8", "replace"), end + 1

    return read


def _read_signature(data: bytes, at: int, _depth: int) -> tuple[Any, int]:
    end = at + 1 + data[at]
    if data[end] != 0:
        raise ValueError("a signature does not end where it should")
    return data[at + 1 : end].decode("latin-1"), end + 1


def _variant_reader(order: str) -> Read:
    is_little = order == "<"

    usual = {f"\1{code}\0".encode(): _reader(code, 0, order, 0)[0] for code in "siud"}

    def read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
        simple = usual.get(data[at : at + 3])
        if simple is not None:
            return simple(data, at + 3, depth)
        signature, at = _read_signature(data, at, depth)
        reads, deeper = _readers(signature, is_little)
        if len(reads) != 1:
            raise ValueError("a variant holds one value")
        if depth + deeper > DEPTH_MAX:
            raise ValueError("variants are nested too deeply")
        return reads[0](data, at, depth + deeper)

    return read


def _array_of(signature: str, at: int, order: str, depth: int) -> tuple[Read, int, int]:
    if signature[at] == "{":
        key, behind, _ = _reader(signature, at + 1, order, depth + 1)
        if signature[at + 1] not in "ybnqiuxtdsog":
            raise ValueError("a key is of a basic type")
        value, behind, deepest = _reader(signature, behind, order, depth + 1)
        if signature[behind] != "}":
            raise ValueError("an entry is a key and a value")
        return _entries_reader(key, value, order), behind + 1, deepest
    code = signature[at]
    item, behind, deepest = _reader(signature, at, order, depth)
    if code == "y":
        return _bytes_reader(order), behind, deepest
    if code in _NUMBERS and code != "b":
        return _numbers_reader(code, order), behind, deepest
    return _items_reader(item, _ALIGNMENTS[code], order), behind, deepest


def _extent_reader(alignment: int, order: str) -> Callable[[bytes, int], tuple[int, int]]:
    """Return what tells where the items of an array start and end."""
    take = Struct(order + "I").unpack_from

    def extent(data: bytes, at: int) -> tuple[int, int]:
        at = (at + 3) & -4
        size = take(data, at)[0]
        at = (at + 4 + alignment - 1) & -alignment
        if at + size > len(data):
            raise ValueError("an array is longer than its message")
        return at, at + size

    return extent


def _items_reader(item: Read, alignment: int, order: str) -> Read:
    extent = _extent_reader(alignment, order)

    def read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
        at, end = extent(data, at)
        values = []
        while at < end:  # each item is at least one byte
            value, at = item(data, at, depth)
            values.append(value)
        if at != end:
            raise ValueError("an array does not end where it should")
        return values, at

    return read


def _numbers_reader(code: str, order: str) -> Read:
    width = _WIDTHS[code]
    extent = _extent_reader(width, order)

    def read(data: bytes, at: int, _depth: int) -> tuple[Any, int]:
        at, end = extent(data, at)
        count, rest = divmod(end - at, width)
        if rest:
            raise ValueError("an array does not end where it should")
        return list(unpack_from(f"{order}{count}{_NUMBERS[code]}", data, at)), end

    return read


def _bytes_reader(order: str) -> Read:
    extent = _extent_reader(1, order)

    def read(data: bytes, at: int, _depth: int) -> tuple[Any, int]:
        at, end = extent(data, at)
        return data[at:end], end

    return read


def _entries_reader(key: Read, value: Read, order: str) -> Read:
    extent = _extent_reader(8, order)

    def read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
        at, end = extent(data, at)
        entries = {}
        while at < end:
            name, at = key(data, (at + 7) & -8, depth)
            entries[name], at = value(data, at, depth)
        if at != end:
            raise ValueError("a dictionary does not end where it should")
        return entries, at

    return read


def _struct_of(signature: str, at: int, order: str, depth: int) -> tuple[Read, int, int]:
    fields, deepest = [], depth
    while signature[at] != ")":
        field, at, reached = _reader(signature, at, order, depth)
        fields.append(field)
        deepest = max(deepest, reached)
    if not fields:
        raise ValueError("a struct has fields")
    return _fields_reader(tuple(fields)), at + 1, deepest


def _fields_reader(fields: tuple[Read, ...]) -> Read:
    def read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
        at = (at + 7) & -8
        values = []
        for field in fields:
            value, at = field(data, at, depth)
            values.append(value)
        return tuple(values), at

    def read_two(data: bytes, at: int, depth: int) -> tuple[Any, int]:  # (so), which most answers consist of
        one, at = first(data, (at + 7) & -8, depth)
        other, at = second(data, at, depth)
        return (one, other), at

    if len(fields) != 2:
        return read
    first, second = fields
    return read_two


# ---------------------------------------------------------------- bytes out of values

Write = Callable[[bytearray, Any], None]


def encode(signature: str, values: Sequence[Any]) -> bytes:
    """Write a body, little-endian.

    Raises:
        ValueError: The values are not of that signature, or there is a type in it that reads do not need (a variant).
    """
    out = bytearray()
    at = 0
    try:
        for value in values:
            write, at = _writer(signature, at)
            write(out, value)
    except _BAD as problem:
        raise ValueError(f"cannot write {values!r} as {signature!r}: {problem}") from problem
    if at != len(signature):
        raise ValueError(f"cannot write {values!r} as {signature!r}: there are too few values")
    return bytes(out)


@lru_cache(maxsize=256)
def _writer(signature: str, at: int) -> tuple[Write, int]:
    """Return the writer of the complete type at a position, and the position behind it."""
    code = signature[at]
    if code in _NUMBERS:
        return _number_writer(code), at + 1
    if code in "so":
        return _write_text, at + 1
    if code == "g":
        return _write_signature, at + 1
    if code in "({":
        fields, behind = [], at + 1
        while signature[behind] not in ")}":
            field, behind = _writer(signature, behind)
            fields.append(field)
        return _struct_writer(tuple(fields)), behind + 1
    if code == "a":
        item, behind = _writer(signature, at + 1)
        return _array_writer(item, _ALIGNMENTS[signature[at + 1]]), behind
    raise ValueError(f"no read sends a {code!r}")


def _pad(out: bytearray, alignment: int) -> None:
    out += bytes(-len(out) % alignment)


def _number_writer(code: str) -> Write:
    pack, width = Struct("<" + _NUMBERS[code]).pack, _WIDTHS[code]

    def write(out: bytearray, value: Any) -> None:
        _pad(out, width)
        out += pack(bool(value) if code == "b" else value)

    return write


def _write_text(out: bytearray, value: str) -> None:
    data = value.encode()
    if b"\0" in data:
        raise ValueError("there is a NUL in the text")
    _pad(out, 4)
    out += _U32.pack(len(data)) + data + b"\0"


def _write_signature(out: bytearray, value: str) -> None:
    data = value.encode("ascii")
    out += bytes((len(data),)) + data + b"\0"


def _struct_writer(fields: tuple[Write, ...]) -> Write:
    def write(out: bytearray, values: Sequence[Any]) -> None:
        _pad(out, 8)
        for field, value in zip(fields, values, strict=True):
            field(out, value)

    return write


def _array_writer(item: Write, alignment: int) -> Write:
    def write(out: bytearray, values: Any) -> None:
        _pad(out, 4)
        length_at = len(out)
        out += bytes(4)
        _pad(out, alignment)
        start = len(out)
        for value in values.items() if isinstance(values, dict) else values:
            item(out, value)
        _U32.pack_into(out, length_at, len(out) - start)

    return write
