"""The sandbox: which arguments bubblewrap gets and which variables programs inside see."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from tactile.adapters.desktop.content import CHROMIUM_FLAGS

# Secrets of the machine in an otherwise visible /etc. Reading them needs privileges, which a desktop of root has.
HIDDEN_FILES = ("shadow", "shadow-", "gshadow", "gshadow-", "sudoers", "krb5.keytab")
HIDDEN_FOLDERS = (
    "sudoers.d",
    "ssh",
    "ssl/private",
    "wireguard",
    "letsencrypt",
    "NetworkManager/system-connections",
    "credstore",
    "credstore.encrypted",
)
# As its first process the supervisor takes the PID namespace with it, and nothing inside can kill or stop it.
FIRST = ("--die-with-parent", "--new-session", "--as-pid-1")
NAMESPACES = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "desk")
NO_PRIVILEGES = ("--cap-drop", "ALL")  # else root keeps the right to mount, and with it the way out
X_SOCKETS = "/tmp/.X11-unix"
SYSTEM_FOLDERS = ("lib", "lib32", "lib64", "libx32", "bin", "sbin")


def environment(root: Path, number: int) -> dict[str, str]:
    """Return all variables of a desktop; nothing is taken from the caller's own.

    Source:
        Each was found necessary for GTK or Qt to show its accessibility tree without a desktop session, or keeps
        GTK4 from waiting for a portal that is not there.
    """
    return {
        "HOME": f"{root}/home",
        "XDG_RUNTIME_DIR": f"{root}/rt",
        "DISPLAY": f":{number}",
        "XAUTHORITY": f"{root}/xauth",
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={root}/rt/bus",
        "LANG": "C.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games",
        "SHELL": "/bin/sh",
        "XDG_SESSION_TYPE": "x11",
        "XDG_CURRENT_DESKTOP": "X",
        "GTK_A11Y": "atspi",
        "GTK_MODULES": "gail:atk-bridge",  # GTK 2 comes to the accessibility bus by these alone; GTK 3 passes them over
        "GDK_BACKEND": "x11",
        "GTK_USE_PORTAL": "0",
        "GSK_RENDERER": "cairo",
        "GSETTINGS_BACKEND": "memory",
        "NO_AT_BRIDGE": "0",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "QT_ACCESSIBILITY": "1",
        "QT_QPA_PLATFORM": "xcb",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }


def _system(base: Path) -> Iterator[str]:
    for name in SYSTEM_FOLDERS:
        path = base / name
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), f"/{name}")
        elif path.is_dir():
            yield from ("--ro-bind", str(path), f"/{name}")


def _hidden(etc: Path) -> Iterator[str]:
    # Only what exists can be covered, as /etc itself is read-only inside; a link would be followed, so it is left.
    for name in HIDDEN_FILES:
        if (etc / name).is_file() and not (etc / name).is_symlink():
            yield from ("--ro-bind", "/dev/null", f"/etc/{name}")
    for name in HIDDEN_FOLDERS:
        if (etc / name).is_dir() and not (etc / name).is_symlink():
            yield from ("--tmpfs", f"/etc/{name}")


def _resolver(etc: Path) -> Iterator[str]:
    # The file is often a link into /run, which is empty inside.
    target = os.path.realpath(etc / "resolv.conf")
    if target.startswith("/run/"):
        yield from ("--ro-bind-try", target, target)


def _chromium(root: Path, etc: Path) -> Iterator[str]:
    # Files in this folder are how Debian's Chromium takes further flags; /etc is read-only, so the folder is made anew.
    folder = etc / "chromium.d"
    if not folder.is_dir() or folder.is_symlink():
        return
    yield from ("--tmpfs", "/etc/chromium.d")
    for file in sorted(folder.iterdir()):
        if file.is_file():
            yield from ("--ro-bind", str(file), f"/etc/chromium.d/{file.name}")
    yield from ("--ro-bind-try", f"{root}/{CHROMIUM_FLAGS}", f"/etc/chromium.d/{CHROMIUM_FLAGS}")


def arguments(
    root: Path,
    *,
    network: bool,
    read_only: Sequence[Path] = (),
    read_write: Sequence[Path] = (),
    machine: Path = Path("/"),
) -> list[str]:
    """Return bubblewrap's arguments up to the program.

    The order matters: later mounts cover earlier ones, so /tmp and /run come before what may lie below them.

    Args:
        root: The desktop's folder, seen inside at the same path.
        network: Share the machine's network.
        read_only: Further paths to show.
        read_write: Further paths to show, writable.
        machine: Where /etc and the system folders are looked at.
    """
    etc = machine / "etc"
    argv = [*FIRST, *NO_PRIVILEGES, *NAMESPACES, *([] if network else ["--unshare-net"])]
    argv += ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", *_hidden(etc)]
    argv += [*_chromium(root, etc), *_system(machine)]
    argv += ["--ro-bind-try", "/opt", "/opt", "--proc", "/proc", "--dev", "/dev"]
    for folder, mode in (("/dev/shm", "1777"), ("/tmp", "1777"), ("/run", "0755"), ("/var", "0755")):
        argv += ["--perms", mode, "--tmpfs", folder]
    argv += ["--perms", "1777", "--dir", "/var/tmp", "--dir", "/var/lib", *(_resolver(etc) if network else ())]
    for folder in ("/var/lib/dbus", "/var/cache/fontconfig"):
        argv += ["--ro-bind-try", folder, folder]
    for path in read_only:
        argv += ["--ro-bind", str(path), str(path)]
    for path in read_write:
        argv += ["--bind", str(path), str(path)]
    return [*argv, "--bind", str(root), str(root), "--bind", f"{root}/x11", X_SOCKETS, "--chdir", f"{root}/home"]
