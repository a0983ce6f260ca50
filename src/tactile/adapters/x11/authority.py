"""Reads X authority files: which cookie opens which display."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

COOKIE_NAME = b"MIT-MAGIC-COOKIE-1"
FAMILY_LOCAL = 256
FAMILY_WILD = 0xFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorityRecord:
    """One line of the file."""

    family: int
    address: bytes
    number: bytes
    name: bytes
    data: bytes


def display_number(display: str) -> str | None:
    """Return the number in a display name such as ":5", ":5.0" or "host:5"; None when it is no display name."""
    found = re.fullmatch(r"[^\s]*:(\d{1,6})(?:\.\d{1,3})?", display)
    return found[1] if found else None


def records(content: bytes) -> Iterator[AuthorityRecord]:
    """Yield the records of a file; stops at the first that is cut off.

    Source:
        libXau: big-endian u16 family, then four fields, each with a u16 length before it.
    """
    offset = 0
    while offset + 2 <= len(content):
        (family,) = struct.unpack_from(">H", content, offset)
        offset += 2
        fields: list[bytes] = []
        for _ in range(4):
            if offset + 2 > len(content):
                return
            (length,) = struct.unpack_from(">H", content, offset)
            offset += 2
            fields.append(content[offset : offset + length])
            offset += length
        if offset > len(content):
            return
        address, number, name, data = fields
        yield AuthorityRecord(family=family, address=address, number=number, name=name, data=data)


def cookie_for(content: bytes, display: str) -> bytes | None:
    """Return the cookie of a local display; a record for exactly this number is taken before one for any."""
    wanted = (display_number(display) or "").encode()
    usable = [record for record in records(content) if record.name == COOKIE_NAME and record.number in {wanted, b""}]
    usable.sort(key=lambda record: (record.number != wanted, record.family not in {FAMILY_LOCAL, FAMILY_WILD}))
    return usable[0].data if usable else None
