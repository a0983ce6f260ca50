"""Say what this machine lacks for an isolated desktop, one line per cause with its fix."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tactile.adapters.desktop import display, programs, sandbox

TRY_LIMIT_S = 5.0
SWITCHES = {
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    "/proc/sys/user/max_user_namespaces": ("0", "sudo sysctl -w user.max_user_namespaces=10000"),
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap with userns",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One finding: what was looked at, whether it is as needed, what was found, what to do otherwise."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


def probe(search_path: str = "/usr/local/bin:/usr/bin:/bin") -> tuple[Check, ...]:
    """Look at everything `start` needs; takes some tens of milliseconds and starts nothing that lasts."""
    return (
        *(_program(name, search_path) for name in ("openbox", "dbus-daemon")),
        _server(search_path),
        _launcher(),
        _sockets(),
        *_sandbox(search_path),
    )


def _install(name: str) -> str:
    return f"sudo apt-get install {programs.PACKAGES[name]}"


def _program(name: str, search_path: str) -> Check:
    path = shutil.which(name, path=search_path)
    return Check(name=name, ok=path is not None, detail=path or "not installed", fix="" if path else _install(name))


def _server(search_path: str) -> Check:
    found = programs.find_server("auto", search_path)
    if found is None:
        return Check(name="X server", ok=False, detail="neither Xvnc nor Xvfb is installed", fix=_install("xvnc"))
    kind, path = found
    fix = "" if kind == "xvnc" else f"to view a desktop: {_install('xvnc')}"
    return Check(name="X server", ok=True, detail=f"{kind}: {path}", fix=fix)


def _launcher() -> Check:
    path = programs.find_launcher()
    name = "at-spi-bus-launcher"
    return Check(name=name, ok=path is not None, detail=path or "not installed", fix="" if path else _install(name))


def _sockets() -> Check:
    folder = display.SOCKETS
    parent = folder if folder.is_dir() else folder.parent
    ok = os.access(parent, os.W_OK | os.X_OK)
    fix = "" if ok else f"sudo install -d -m 1777 {folder}"
    return Check(name="X sockets", ok=ok, detail=f"{parent} is {'' if ok else 'not '}writable", fix=fix)


def _sandbox(search_path: str) -> tuple[Check, ...]:
    bwrap = shutil.which("bwrap", path=search_path)
    if bwrap is None:
        return (Check(name="bwrap", ok=False, detail="not installed; isolation is reduced", fix=_install("bwrap")),)
    refusal = _refusal(bwrap)
    if not refusal:
        return (Check(name="bwrap", ok=True, detail=f"{bwrap}: makes sandboxes"),)
    fixes = _closed_switches()
    found = Check(name="bwrap", ok=False, detail=f"isolation is reduced: {refusal}", fix="" if fixes else CHROOT_FIX)
    return (found, *(Check(name="user namespaces", ok=False, detail=path, fix=fix) for path, fix in fixes))


CHROOT_FIX = "run outside a chroot, or give the container the right to make namespaces"


def _refusal(bwrap: str) -> str:
    command = [bwrap, "--die-with-parent", "--new-session", *sandbox.NAMESPACES, "--unshare-net", "--ro-bind", "/", "/"]
    command += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--", "/bin/true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TRY_LIMIT_S, check=False, env={})
    except subprocess.TimeoutExpired:
        return f"no answer within {TRY_LIMIT_S:g} s"
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit code {done.returncode}"


def _closed_switches() -> list[tuple[str, str]]:
    found = []
    for path, (closed, fix) in SWITCHES.items():
        file = Path(path)
        if file.is_file() and file.read_text(encoding="ascii").strip() == closed:
            found.append((f"{path} is {closed}", fix))
    return found
