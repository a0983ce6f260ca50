"""The tools beside Tactile: each in a long-lived process of its own, asked in turn, timed by its own clock."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchmarks.applications import SYSTEM_PYTHON

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / ".venv-peers"
LOCK = ROOT / "requirements" / "peers.txt"
PEERS_PYTHON = str(PEERS / "bin" / "python")
ANSWER_S = 120.0  # the slowest answer seen took 20 s
LAST = 800  # characters of a tool's stderr in an error
FETCH_S = 600.0
LINE_MAX = 64 * 2**20  # bytes of one answer: all objects of a page


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool.

    Attributes:
        python: Which interpreter runs it.
        module: What runs in it.
        by: How it names an application: "pid", "name", or "root" (bus name and path).
    """

    name: str
    python: str
    module: str
    by: str

    def arguments(self, root: Mapping[str, Any]) -> dict[str, Any]:
        """Return how this tool is told which application to read."""
        if self.by == "root":
            return {"owner": root["owner"], "path": root["path"]}
        return {self.by: root[self.by]}


TACTILE = Tool(name="Tactile", python=sys.executable, module="benchmarks.walkers.tactile_walk", by="root")
PYATSPI = Tool(name="pyatspi", python=SYSTEM_PYTHON, module="benchmarks.walkers.pyatspi_walk", by="pid")
XA11Y = Tool(name="xa11y", python=PEERS_PYTHON, module="benchmarks.walkers.xa11y_walk", by="pid")
TOUCHPOINT = Tool(name="touchpoint", python=PEERS_PYTHON, module="benchmarks.walkers.touchpoint_walk", by="name")
DBUS_FAST = Tool(name="dbus-fast", python=sys.executable, module="benchmarks.walkers.dbus_fast_walk", by="root")
TOOLS = (TACTILE, PYATSPI, XA11Y, TOUCHPOINT, DBUS_FAST)
NEED_PEERS = (XA11Y, TOUCHPOINT)  # are installed into .venv-peers


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool answered, and how long it took by its own clock."""

    value: Any
    took_s: float


class Peer:
    """One running tool."""

    def __init__(self, tool: Tool, process: asyncio.subprocess.Process, errors: Path) -> None:
        self.tool = tool
        self._process = process
        self._errors = errors

    async def ask(self, do: str, limit_s: float = ANSWER_S, **arguments: Any) -> Answer:
        """Ask a question and wait for the answer.

        Raises:
            RuntimeError: It answered with an error, ended, or did not answer in time (it is ended then).
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **arguments}).encode() + b"\n")
            async with asyncio.timeout(limit_s):
                line = await self._process.stdout.readline()
        except TimeoutError:
            self._process.kill()
            raise RuntimeError(f"{self.tool.name} did not answer {do} within {limit_s:g} s") from None
        except OSError as error:
            raise self._ended(do) from error
        if not line:
            raise self._ended(do)
        reply = json.loads(line)
        if "error" in reply:
            raise RuntimeError(f"{self.tool.name} answered {do} with {reply['error']}")
        return Answer(value=reply["value"], took_s=reply["took_s"])

    def _ended(self, do: str) -> RuntimeError:
        words = self._errors.read_text(encoding="utf-8", errors="replace")[-LAST:]
        return RuntimeError(f"{self.tool.name} ended instead of answering {do}: {words}")

    async def end(self) -> None:
        """End the process."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


@asynccontextmanager
async def running(tool: Tool, desktop: Mapping[str, str]) -> AsyncIterator[Peer]:
    """Run a tool on a desktop for one block.

    Args:
        tool: Which one.
        desktop: Variables by which programs reach the desktop.
    """
    with tempfile.TemporaryDirectory(prefix="tactile-bench-") as name:
        folder, kept = Path(name), {"PATH", "LANG", "TMPDIR"}
        environment = {key: value for key, value in os.environ.items() if key in kept}
        environment |= {"HOME": name, "XDG_RUNTIME_DIR": name, "XDG_STATE_HOME": name, **desktop}
        with (folder / "errors").open("w", encoding="utf-8") as errors:
            process = await asyncio.create_subprocess_exec(
                *(tool.python, "-m", tool.module),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
                cwd=ROOT,
                limit=LINE_MAX,
            )
        peer = Peer(tool, process, folder / "errors")
        try:
            yield peer
        finally:
            await peer.end()


def prepare_peers() -> str:
    """Install the tools of the peers' lock, unless that is done, and return why they cannot be used, "" if they can.

    Their environment sees Debian's packages, since touchpoint reads through Debian's PyGObject.
    """
    stamp = PEERS / "stamp"
    wanted = LOCK.read_text(encoding="utf-8")
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return ""
    click.echo("installing the tools to compare with into .venv-peers …", err=True)
    try:
        _install()
    except (OSError, subprocess.SubprocessError) as error:
        words = getattr(error, "stderr", None) or str(error)
        return f"the tools to compare with could not be installed: {words[-LAST:]}"
    stamp.write_text(wanted, encoding="utf-8")
    return ""


def _install() -> None:
    uv = Path(sys.executable).with_name("uv")
    commands = (
        (SYSTEM_PYTHON, "-m", "venv", "--clear", "--without-pip", "--system-site-packages", str(PEERS)),
        (str(uv), "pip", "sync", "--quiet", "--python", PEERS_PYTHON, "--system-certs", "--require-hashes", str(LOCK)),
    )
    for command in commands:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=FETCH_S)
