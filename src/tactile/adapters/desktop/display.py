"""Display numbers and the cookie: how programs outside find the desktop's X server and are let in."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from tactile.errors import SetupError

SOCKETS = Path("/tmp/.X11-unix")  # fixed in every X library
FAMILY_LOCAL, FAMILY_WILD = 256, 0xFFFF  # X.h, Xauth.h
COOKIE_SIZE = 16  # bytes
PROTOCOL = b"MIT-MAGIC-COOKIE-1"


def ensure_sockets_folder(sockets: Path = SOCKETS) -> None:
    """Make the folder of X sockets where it is missing, as a display manager would.

    Raises:
        SetupError: It cannot be made or written.
    """
    with contextlib.suppress(OSError):
        sockets.mkdir(mode=0o1777)
        sockets.chmod(0o1777)  # mkdir's mode is cut by the umask
    if not os.access(sockets, os.W_OK | os.X_OK):
        raise SetupError(
            f"{sockets} is missing or cannot be written, so no display can be offered",
            code="display_refused",
            hint=f"sudo install -d -m 1777 {sockets}",
        )


def _taken(number: int, sockets: Path, listening: str) -> bool:
    if os.path.lexists(sockets / f"X{number}") or os.path.lexists(f"/tmp/.X{number}-lock"):
        return True
    return any(line.endswith(f"@{SOCKETS}/X{number}") for line in listening.splitlines())


def free_numbers(numbers: Iterable[int], sockets: Path = SOCKETS) -> Iterator[int]:
    """Give the display numbers that nobody uses.

    Raises:
        SetupError: After the last one.
    """
    listening = Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace")
    yield from (number for number in numbers if not _taken(number, sockets, listening))
    raise SetupError("all display numbers are taken", code="display_refused", hint=f"remove stale links in {sockets}")


def claim_by_link(numbers: Iterable[int], root: Path, sockets: Path = SOCKETS) -> int:
    """Take a free number by making its link into the desktop's folder, which only one can succeed in.

    Raises:
        SetupError: All numbers are taken.
    """
    for number in free_numbers(numbers, sockets):
        with contextlib.suppress(FileExistsError):
            (sockets / f"X{number}").symlink_to(root / "x11" / f"X{number}")
            return number
    raise AssertionError("free_numbers ends with an error")


def claim_by_name(numbers: Iterable[int], sockets: Path = SOCKETS) -> tuple[int, socket.socket]:
    """Take a free number where the X server makes its own socket.

    Returns:
        The number, and a socket whose name keeps other starts of Tactile from it until it is closed.

    Raises:
        SetupError: All numbers are taken.
    """
    for number in free_numbers(numbers, sockets):
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0tactile-display-{number}")
        except OSError:
            claim.close()
        else:
            return number, claim
    raise AssertionError("free_numbers ends with an error")


def remove_dead(number: int, sockets: Path = SOCKETS) -> None:
    """Remove the socket and lock file of an X server that was killed; those of a living one stay."""
    path, lock = sockets / f"X{number}", Path(f"/tmp/.X{number}-lock")
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
    with contextlib.suppress(OSError, ValueError):
        if not Path(f"/proc/{int(lock.read_text(encoding='ascii'))}").exists():
            lock.unlink()


def _record(family: int, address: bytes, number: bytes, cookie: bytes) -> bytes:
    fields = (address, number, PROTOCOL, cookie)
    return struct.pack(">H", family) + b"".join(struct.pack(">H", len(field)) + field for field in fields)


def authority(hostname: str, number: int, cookie: bytes) -> bytes:
    """Return the content of an Xauthority file that lets programs in from inside and outside.

    Args:
        hostname: The machine's own name; some clients accept only records with it.
        number: Of the display.
        cookie: The secret.
    """
    text = str(number).encode()
    return _record(FAMILY_LOCAL, hostname.encode(), text, cookie) + _record(FAMILY_WILD, b"", text, cookie)
