"""Read files for postconditions: regular files only, bounded, and on an isolated desktop only below its home."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from tactile.errors import RequestError


class HomeFiles:
    """FilesPort of an isolated desktop.

    Applications inside are not trusted: a link that they planted is never followed, so that a postcondition
    cannot be made to read a file outside.

    Args:
        home: The desktop's home folder, at the same path outside.
        shared: Other folders and files that the desktop shows at the same path.
    """

    def __init__(self, home: Path, shared: Sequence[Path] = ()) -> None:
        self._home = home
        self._shared = tuple(shared)

    async def read_file(self, path: str, max_bytes: int) -> bytes | None:
        """Return up to `max_bytes` of a file below the home, or None when it does not exist.

        Raises:
            RequestError: The path is outside these folders, goes through a link, or is no regular file.
        """
        folder, parts = self._place(path)
        return await asyncio.to_thread(_read_below, folder, parts, max_bytes, path)

    def _place(self, path: str) -> tuple[Path, tuple[str, ...]]:
        """Return the folder that a path starts from, and the names below it."""
        pure = PurePosixPath(path)
        if pure.parts[:1] == ("~",):
            pure = PurePosixPath(*pure.parts[1:])
        folder = self._home
        if pure.is_absolute():
            roots = [root for root in (self._home, *self._shared) if pure.is_relative_to(root)]
            folder = roots[0] if roots else folder
            folder = folder.parent if pure == PurePosixPath(folder) else folder  # a single shared file
            pure = pure.relative_to(folder) if roots else pure
        if pure.is_absolute() or ".." in pure.parts or not pure.parts or "\0" in path:
            raise RequestError(
                f"The file {path!r} is not below the desktop's home folder, nor in a shared one.",
                hint="Name it from the home folder of the isolated desktop, such as ~/a.txt.",
            )
        return folder, pure.parts


class UserFiles:
    """FilesPort of the user's own desktop."""

    async def read_file(self, path: str, max_bytes: int) -> bytes | None:
        """Return up to `max_bytes` of a file, or None when it does not exist.

        Raises:
            RequestError: It is no regular file or may not be read.
        """
        if "\0" in path:
            raise RequestError(f"The file name {path!r} has a NUL character.")
        return await asyncio.to_thread(_read_anywhere, path, max_bytes)


def _read_below(home: Path, parts: tuple[str, ...], max_bytes: int, name: str) -> bytes | None:
    folder = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = inner
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        return _read(os.open(parts[-1], flags, dir_fd=folder), max_bytes, name)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(name, error) from error
    finally:
        os.close(folder)


def _read_anywhere(name: str, max_bytes: int) -> bytes | None:
    try:
        return _read(os.open(Path(name).expanduser(), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), max_bytes, name)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(name, error) from error


def _read(descriptor: int, max_bytes: int, name: str) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise RequestError(f"{name!r} is not a regular file.", hint="Only plain files can be looked into.")
        return file.read(max_bytes)


def _unreadable(name: str, error: OSError) -> RequestError:
    return RequestError(f"The file {name!r} cannot be read: {error.strerror}.", hint="Links are not followed.")
