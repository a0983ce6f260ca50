"""A server's desktop ends with the server, whatever ends the server."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path

import pytest

from tests.e2e.desk import SYSTEM_PYTHON, need_toolkit, server_command
from tests.e2e.wire import Wire, children, gone_after_s

END_S = 5.0  # of the server after its stdin was closed
DESKTOP_S = 1.0  # of the desktop after a kill; 0.2 s is the aim on an idle machine, and the machine may be loaded
FORM = str(Path(__file__).resolve().parents[1] / "apps" / "gtk3_form.py")


def _with_desktop(wire: Wire) -> set[int]:
    """Open an application and return all processes of the server's desktop."""
    wire.initialize()
    opened = wire.call(2, "open_app", name=SYSTEM_PYTHON, args=[FORM])
    assert opened["structuredContent"]["status"] == "executed", opened
    return children(wire.process.pid)


def test_closing_stdin_ends_the_server_and_everything_on_its_desktop(tmp_path: Path) -> None:
    """Our choice: clients end a stdio server by closing its input."""
    need_toolkit("gtk3")
    with Wire.start(tmp_path) as wire:
        below = _with_desktop(wire)
        assert len(below) >= 5
        wire.close_stdin()
        gone_after_s(below | {wire.process.pid}, END_S)
        assert wire.process.wait(1) == 0


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_a_killed_server_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    """Issue 2: everything in it gone, also after `kill -9` of the server."""
    need_toolkit("gtk3")
    with Wire.start(tmp_path) as wire:
        below = _with_desktop(wire)
        assert len(below) >= 5
        os.kill(wire.process.pid, getattr(signal, name))
        took = gone_after_s(below, DESKTOP_S if name == "SIGKILL" else END_S)
        print(f"gone {took:.3f} s after {name}")


@pytest.mark.parametrize("end", ["stdin", "SIGKILL"])
def test_a_server_behind_a_shell_ends_with_its_client_too(tmp_path: Path, end: str) -> None:
    """clients.md: some clients start a server through a shell, whose kill does not reach the server."""
    need_toolkit("gtk3")
    (tmp_path / "shared").mkdir()
    line = shlex.join(server_command(tmp_path / "shared"))
    with Wire.start(tmp_path, ["sh", "-c", f"{line}; true"]) as wire:
        below = _with_desktop(wire)
        assert len(below) >= 6
        if end == "SIGKILL":
            os.kill(wire.process.pid, signal.SIGKILL)  # the shell alone; its death closes no pipe of ours
        wire.close_stdin()
        gone_after_s(below, END_S)
