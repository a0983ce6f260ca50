"""One server on its own desktop and the SDK's client, over stdio; calls are timed where the client sits."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from benchmarks.applications import FIXTURES, Program
from benchmarks.processes import child_running

LAST_LINES = 12  # of the server's stderr
CALL_S = 120.0  # one call; opening an application on a busy machine is the longest


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the client got, and how long it took from call to answer."""

    text: str
    data: dict[str, Any]
    took_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A connected client.

    Attributes:
        pid: Of the server.
        trace: Folder of the server's trace; None when it records none.
    """

    client: Client
    pid: int
    folder: Path
    trace: Path | None

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool.

        Raises:
            RuntimeError: It was refused or did not work; says how.
            TimeoutError: No answer within 120 s.
        """
        start_s = time.perf_counter()
        with anyio.fail_after(CALL_S):
            result = await self.client.call_tool(tool, arguments)
        took_s = time.perf_counter() - start_s
        text = "\n".join(getattr(item, "text", "") for item in result.content)
        if result.is_error:
            raise RuntimeError(f"{tool} {arguments} was answered with:\n{text}")
        return Answer(text=text, data=dict(result.structured_content or {}), took_s=took_s)

    async def open(self, program: Program) -> int:
        """Open an application and return its pid, as the server names it.

        Raises:
            RuntimeError: It did not open.
        """
        name, *arguments = program.command
        if program.needs:
            arguments += ["--log", str(self.folder / f"{program.name.replace(' ', '-')}.log")]
        opened = await self.call("open_app", name=name, args=arguments)
        found = re.search(r"pid (\d+)", str(opened.data["target"]))
        if found is None:
            raise RuntimeError(f"{program.name} opened, but the receipt names no pid:\n{opened.text}")
        return int(found[1])


def _with_last_words(log: Path, _: object, error: BaseException | None, __: object) -> None:
    """Add what the server wrote last to an error that goes through."""
    if isinstance(error, Exception):
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
        error.add_note("\n".join(["the server's last lines:", *lines]))


@asynccontextmanager
async def open_desk(*, with_trace: bool = False) -> AsyncIterator[Desk]:
    """Start a server with a client; both end with the context, and the desktop with them."""
    async with AsyncExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="tactile-bench-"))
        folder = Path(name)
        shared, trace = folder / "shared", folder / "trace" if with_trace else None
        shared.mkdir()
        more = ["--trace", str(trace)] if trace else []
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "tactile", "serve", "--show", str(FIXTURES), "--share", str(shared), *more],
            env={**os.environ, "XDG_STATE_HOME": str(folder / "state")},
        )
        errors = stack.enter_context((folder / "server.err").open("w", encoding="utf-8"))
        stack.push(partial(_with_last_words, folder / "server.err"))
        client = await stack.enter_async_context(Client(stdio_client(server, errlog=errors)))
        yield Desk(client=client, pid=child_running("serve"), folder=shared, trace=trace)
