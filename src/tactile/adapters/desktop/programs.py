"""Find the programs a desktop is made of, and say which Debian package brings a missing one."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tactile.errors import SetupError

SERVERS = {"xvnc": ("Xtigervnc", "Xvnc"), "xvfb": ("Xvfb",)}
PACKAGES = {
    "bwrap": "bubblewrap",
    "xvnc": "tigervnc-standalone-server",
    "xvfb": "xvfb",
    "openbox": "openbox",
    "dbus-daemon": "dbus-daemon",
    "at-spi-bus-launcher": "at-spi2-core",
}
SERVICES = Path("/usr/share/dbus-1/services")
ACCESSIBILITY_SERVICE = "org.a11y.Bus.service"
SYSTEM_PYTHON = Path("/usr/bin/python3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """Absolute paths of what a desktop is made of."""

    server: Literal["xvnc", "xvfb"]
    server_path: str
    openbox: str
    dbus_daemon: str


def missing(name: str) -> SetupError:
    """Make the error for an absent program."""
    return SetupError(
        f"the desktop needs {name}, which is not installed",
        code="program_missing",
        hint=f"sudo apt-get install {PACKAGES[name]}",
    )


def find_server(
    wanted: Literal["auto", "xvnc", "xvfb"], search_path: str
) -> tuple[Literal["xvnc", "xvfb"], str] | None:
    """Return kind and path of the X server to use, None when there is none."""
    kinds: tuple[Literal["xvnc", "xvfb"], ...] = ("xvnc", "xvfb") if wanted == "auto" else (wanted,)
    for kind in kinds:
        for name in SERVERS[kind]:
            if path := shutil.which(name, path=search_path):
                return kind, path
    return None


def find_launcher(services: Path = SERVICES) -> str | None:
    """Return the program that starts the accessibility bus, as its service file names it."""
    try:
        lines = (services / ACCESSIBILITY_SERVICE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return None
    paths = [line.removeprefix("Exec=").split()[0] for line in lines if line.startswith("Exec=")]
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def find(wanted: Literal["auto", "xvnc", "xvfb"], search_path: str) -> Programs:
    """Find all programs.

    Raises:
        SetupError: One is missing; names it and its package.
    """
    server = find_server(wanted, search_path)
    if server is None:
        raise missing("xvnc" if wanted == "auto" else wanted)
    found = {name: shutil.which(name, path=search_path) for name in ("openbox", "dbus-daemon")}
    for name, path in found.items():
        if path is None:
            raise missing(name)
    if find_launcher() is None:
        raise missing("at-spi-bus-launcher")
    return Programs(
        server=server[0],
        server_path=server[1],
        openbox=str(found["openbox"]),
        dbus_daemon=str(found["dbus-daemon"]),
    )


def interpreter() -> tuple[str, str | None]:
    """Return the Python for the inside of a desktop, and the folder to show there when it is not below /usr.

    The system's own is preferred: a virtual environment's may live in a home folder, which is hidden inside.
    """
    if os.access(SYSTEM_PYTHON, os.X_OK):
        return str(SYSTEM_PYTHON), None
    own = os.path.realpath(sys.executable)
    return own, None if own.startswith("/usr/") else os.path.realpath(sys.base_prefix)
