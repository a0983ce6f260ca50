"""Under which conditions figures were taken: machine, load, release, versions."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("tactile-mcp", "mcp", "dbus-fast", "xcffib", "pydantic")


def conditions() -> dict[str, str]:
    """Return what stays the same during a run."""
    return {
        "cpu": _cpu(),
        "cores": f"{len(os.sched_getaffinity(0))} of {os.cpu_count()}",
        "memory": _memory(),
        "system": f"{_release()}, {platform.machine()}, kernel {platform.release()}",
        "python": f"{platform.python_version()} {sys.implementation.name}",
        "packages": ", ".join(f"{name} {version(name)}" for name in PACKAGES),
        "user": "root" if os.geteuid() == 0 else "ordinary",
    }


def load() -> str:
    """Return the load averages of now, over 1, 5 and 15 minutes."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def _field(path: str, name: str) -> str:
    """Return the value of one `name: value` or `name=value` line, empty when there is none."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    for line in lines:
        key, _, value = line.partition("=" if "=" in line else ":")
        if key.strip() == name:
            return value.strip().strip('"')
    return ""


def _cpu() -> str:
    return _field("/proc/cpuinfo", "model name") or platform.processor() or "unknown"


def _memory() -> str:
    words = _field("/proc/meminfo", "MemTotal").split()
    return f"{int(words[0]) / 1024**2:.1f} GiB" if words else "unknown"


def _release() -> str:
    name = _field("/etc/os-release", "PRETTY_NAME") or platform.system()
    try:
        return f"{name} ({Path('/etc/debian_version').read_text(encoding='utf-8').strip()})"
    except OSError:
        return name
