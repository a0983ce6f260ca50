"""The folder of one desktop: made private, locked by its owner, cleared away after owners that were killed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tactile.errors import SetupError

RUNTIME_PATH_MAX = 48  # bytes; sockets below it must fit into the 108 bytes of a Unix socket address
PREFIX = "tactile-"
CONFIG = "desktop.json"
CONFIG_MAX = 1 << 16  # bytes
PARTS = ("home", "rt", "x11", "svc", "logs")
ATTEMPTS_MAX = 8  # a folder is lost only to a clean-up that sees it in the moment between its making and its locking


def base_folder(runtime: str, uid: int) -> tuple[Path, str]:
    """Return where desktops of this user live and what their names begin with.

    Args:
        runtime: The value of XDG_RUNTIME_DIR; "" when unset.
        uid: Whose desktops.
    """
    if runtime and len(os.fsencode(runtime)) <= RUNTIME_PATH_MAX:
        with contextlib.suppress(OSError):
            state = os.lstat(runtime)
            if Path(runtime).is_dir() and state.st_uid == uid and os.access(runtime, os.W_OK):
                return Path(runtime), PREFIX
    return Path("/tmp"), f"{PREFIX}{uid}-"


class Folder:
    """A desktop's folder, held by a lock that the kernel lets go when this process ends, however it ends."""

    def __init__(self, root: Path, lock: int) -> None:
        self.root = root
        self._lock = lock

    @classmethod
    def make(cls, base: Path, prefix: str) -> Folder:
        """Make a new folder (mode 0700) with its parts and lock it.

        Raises:
            SetupError: The base cannot be written.
        """
        for _ in range(ATTEMPTS_MAX):
            try:
                root = Path(tempfile.mkdtemp(prefix=prefix, dir=base))
            except OSError as error:
                raise SetupError(
                    f"cannot make a folder for the desktop in {base}: {error.strerror}",
                    code="folder_failed",
                    hint="set XDG_RUNTIME_DIR to a folder of your own, or free space in /tmp",
                ) from error
            lock = _locked(root)
            if lock is not None:
                for name in PARTS:
                    (root / name).mkdir(mode=0o700)
                (root / "x11").chmod(0o1777)  # the X server asks for this mode; the folder above is private
                return cls(root, lock)
        raise SetupError(f"{ATTEMPTS_MAX} new folders in {base} vanished", code="folder_failed", hint="try again")

    def remove(self) -> None:
        """Delete the folder and let the lock go; calling it again does nothing."""
        if self._lock < 0:
            return
        shutil.rmtree(self.root, ignore_errors=True)
        if self.root.exists():  # a program made folders that not even their owner may change
            _open_up(self.root)
            shutil.rmtree(self.root, ignore_errors=True)
        os.close(self._lock)
        self._lock = -1


def _open_up(folder: Path) -> None:
    folder.chmod(0o700)
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            _open_up(entry)


def _locked(root: Path) -> int | None:
    """Lock a folder; None when another process holds it or it is no longer there."""
    try:
        lock = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(lock), os.lstat(root)):
            return lock
    except OSError:
        pass
    os.close(lock)
    return None


def abandoned(base: Path, prefix: str, uid: int) -> Iterator[Folder]:
    """Give each folder of this user whose owner has ended, locked."""
    for root in sorted(base.glob(f"{prefix}*")):
        with contextlib.suppress(OSError):
            if root.lstat().st_uid != uid:
                continue
            lock = _locked(root)
            if lock is not None:
                yield Folder(root, lock)


def processes_of(root: Path) -> list[int]:
    """Return this user's processes that have the desktop's runtime folder in their environment."""
    mark = f"XDG_RUNTIME_DIR={root}/rt".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if entry.stat().st_uid == os.getuid() and mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


def end_processes_of(root: Path) -> None:
    """Kill what is left of a desktop that had no sandbox around it."""
    for pid in processes_of(root):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def display_of(root: Path) -> int | None:
    """Return the display number a desktop was started with; None when its folder does not tell.

    Programs inside could have put anything there, so no link is followed and no pipe waited for.
    """
    try:
        descriptor = os.open(root / CONFIG, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return int(json.loads(os.read(descriptor, CONFIG_MAX))["environment"]["DISPLAY"].removeprefix(":"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    finally:
        os.close(descriptor)


def remove_links_into(root: Path, sockets: Path) -> None:
    """Remove the display links that lead into a desktop's folder."""
    with contextlib.suppress(FileNotFoundError):
        for link in sockets.iterdir():
            with contextlib.suppress(OSError):
                if str(link.readlink()).startswith(f"{root}/"):
                    link.unlink()
