"""What a server does when its desktop dies under it, and when it is interrupted."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.e2e.desk import SYSTEM_PYTHON, desk, need_programs, need_toolkit, wait_until
from tests.e2e.wire import Wire, children, gone_after_s

END_S = 5.0


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def test_a_server_whose_x_server_died_opens_a_new_desktop_and_refuses_old_refs(tmp_path: Path) -> None:
    """An attacker's finding: all later calls failed, and nothing could bring the desktop back."""
    need_programs("zenity")
    with desk(tmp_path) as opened:
        first = opened.call("open_app", name="zenity", args=["--question", "--text", "Old"])
        assert first.verdict == "confirmed", first.text
        records = opened.call("get_app_state", app="zenity", format="records").data["candidates"]
        old = next(item["ref"] for item in records if item["name"] == "Yes")
        servers = [pid for pid in children(os.getpid()) if _command(pid).startswith(("Xtigervnc", "Xvnc", "Xvfb"))]
        assert len(servers) == 1
        os.kill(servers[0], signal.SIGKILL)

        first_answer = opened.call("list_apps")
        assert first_answer.failure in {"", "platform_lost"}  # "" when the death was noticed first
        wait_until(lambda: not opened.call("list_apps").is_error, "a new desktop")

        again = opened.call("open_app", name="zenity", args=["--question", "--text", "New"])
        assert again.verdict == "confirmed", again.text
        refused = opened.call("click", target=old)
        assert refused.failure == "stale_session", refused.text


def test_an_interrupt_ends_the_server_and_its_desktop(tmp_path: Path) -> None:
    """An attacker's finding: after Ctrl+C the server stayed, answering nothing, until its input was closed."""
    need_toolkit("gtk3")
    form = str(Path(__file__).resolve().parents[1] / "apps" / "gtk3_form.py")
    with Wire.start(tmp_path) as wire:
        wire.initialize()
        wire.call(2, "open_app", name=SYSTEM_PYTHON, args=[form])
        below = children(wire.process.pid)

        os.kill(wire.process.pid, signal.SIGINT)

        gone_after_s(below | {wire.process.pid}, END_S)
