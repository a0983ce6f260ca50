"""One MCP server on its own isolated desktop, driven through the official client; fixture applications on it.

Ground truth comes from the applications (event log, geometry and values of their own toolkit), never from the server.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.apps.fixture_control import ask, read_log

APPS = Path(__file__).resolve().parents[1] / "apps"
SYSTEM_PYTHON = "/usr/bin/python3"  # the fixture applications' toolkits are Debian packages
CALL_S = 60.0  # one tool call; opening an application on a loaded machine is the longest
WAIT_S = 8.0  # for an application to log or to place what it was told to
PROGRAMS = {
    "gtk3": ("gtk3_form.py",),
    "gtk4": ("gtk4_form.py",),
    "qt5": ("qt_form.py",),
    "qt6": ("qt_form.py", "--qt", "6"),
    "tk": ("tk_form.py",),
    "gtk3-catalogue": ("gtk3_catalogue.py",),
    "gtk4-catalogue": ("gtk4_catalogue.py",),
    "qt5-catalogue": ("qt_catalogue.py",),
    "qt6-catalogue": ("qt_catalogue.py", "--qt", "6"),
}
IMPORTS = {
    "gtk3": 'import gi; gi.require_version("Gtk", "3.0")',
    "gtk4": 'import gi; gi.require_version("Gtk", "4.0")',
    "qt5": "import PyQt5.QtWidgets",
    "qt6": "import PyQt6.QtWidgets",
    "tk": "import tkinter",
}
READABLE = ("gtk3", "gtk4", "qt5", "qt6")
VARIED = ("gtk3", "gtk4", "qt5")
NOISE = frozenset({"ready", "scroll"})  # events that no input causes
Mode = Literal["auto", "legacy"]


def need_toolkit(toolkit: str) -> None:
    """Skip the test where a toolkit is not installed; `--require all` makes that a failure."""
    need = IMPORTS[toolkit.partition("-")[0]]
    done = subprocess.run([SYSTEM_PYTHON, "-c", need], capture_output=True, timeout=30, check=False)
    if done.returncode:
        pytest.skip(f"needs {toolkit} for {SYSTEM_PYTHON}")


def need_programs(*programs: str) -> None:
    """Skip the test where a program is not installed; `--require all` makes that a failure."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")


def wait_until(is_so: Callable[[], bool], what: str, within_s: float = WAIT_S) -> None:
    """Poll until something holds, or fail with its name."""
    deadline = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {within_s:g} s: {what}")
        time.sleep(0.01)  # between two looks; the deadline bounds the loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a client gets from one tool call."""

    text: str
    data: dict[str, Any]
    is_error: bool

    @property
    def failure(self) -> str:
        """Code of the closed failure list, empty when nothing failed."""
        return self.data.get("failure") or ""

    @property
    def verdict(self) -> str:
        """Verdict of a receipt."""
        return str(self.data.get("verdict", ""))


@dataclass(slots=True, kw_only=True)
class Form:
    """One running fixture application."""

    toolkit: str
    pid: int
    log: Path
    control: Path
    read: int = 0

    def ask(self, do: str, **arguments: object) -> dict[str, Any]:
        """Send a control command."""
        return dict(ask(self.control, do=do, **arguments))

    def events(self) -> list[dict[str, Any]]:
        """Return all that was logged, without what no input causes."""
        return [event for event in read_log(self.log) if event["event"] not in NOISE]

    def new_events(self) -> list[dict[str, Any]]:
        """Return what was logged since the last call of this."""
        events = self.events()
        new, self.read = events[self.read :], len(events)
        return new

    def clicks(self) -> list[str]:
        """Return the names of the buttons whose handlers ran since the last look."""
        return [event["widget"] for event in self.new_events() if event["event"] == "click"]

    def rects(self) -> dict[str, list[int]]:
        """Return the visible widgets' rectangles in root px."""
        return dict(self.ask("geometry")["widgets"])

    def values(self) -> dict[str, Any]:
        """Return what the fields hold."""
        return dict(self.ask("values")["values"])

    def settle(self, is_so: Callable[[list[int]], bool] = lambda _window: True) -> dict[str, Any]:
        """Wait until the window is as wanted and stands still, and return the geometry then."""
        last: dict[str, Any] = {}

        def look() -> bool:
            nonlocal last
            before, last = last, self.ask("geometry")
            return last == before and last["window"] is not None and is_so(last["window"])

        wait_until(look, f"the window of {self.toolkit} in its place")
        return last


@dataclass(slots=True, kw_only=True)
class Desk:
    """A client and its server; calls are synchronous.

    Attributes:
        folder: Seen by the desktop's applications at the same path.
    """

    portal: BlockingPortal
    client: Client
    folder: Path
    forms: list[Form] = field(default_factory=list)

    def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool."""

        async def run() -> Any:
            return await self.client.call_tool(tool, arguments)

        result = self.portal.start_task_soon(run).result(CALL_S)
        text = "\n".join(getattr(item, "text", "") for item in result.content)
        return Answer(text=text, data=dict(result.structured_content or {}), is_error=bool(result.is_error))

    def open(self, toolkit: str, *arguments: str, env: Mapping[str, str] | None = None) -> Form:
        """Open a fixture application, with more variables if given, and wait until it says that it is in place."""
        need_toolkit(toolkit)
        stem = self.folder / f"{len(self.forms)}-{toolkit}"
        log, control = stem.with_suffix(".log"), stem.with_suffix(".sock")
        program, *more = PROGRAMS[toolkit]
        argv = [str(APPS / program), *more, "--log", str(log), "--control", str(control), *arguments]
        command = [*(f"{name}={value}" for name, value in (env or {}).items()), SYSTEM_PYTHON, *argv]
        opened = self.call("open_app", name="/usr/bin/env", args=command)
        assert opened.data["status"] == "executed", opened.text
        found = re.search(r"pid (\d+)", opened.data["target"])
        assert found, opened.text
        form = Form(toolkit=toolkit, pid=int(found[1]), log=log, control=control)
        self.forms.append(form)
        wait_until(lambda: any(event["event"] == "ready" for event in read_log(log)), f"{toolkit} ready")
        return form

    def close(self, form: Form) -> None:
        """End a fixture application and wait until its window is gone."""
        try:
            form.ask("quit")
        except OSError:
            return  # it has ended already
        wait_until(lambda: all(app["pid"] != form.pid for app in self.apps()), f"{form.toolkit} gone")

    @contextmanager
    def opened(self, toolkit: str, *arguments: str, env: Mapping[str, str] | None = None) -> Iterator[Form]:
        """Open a fixture application for one block."""
        form = self.open(toolkit, *arguments, env=env)
        try:
            yield form
        finally:
            self.close(form)

    def apps(self) -> list[dict[str, Any]]:
        """Return the running applications."""
        return list(self.call("list_apps").data["apps"])

    def observe(self, form: Form, **arguments: Any) -> Answer:
        """Observe one application."""
        answer = self.call("get_app_state", app=form.pid, **arguments)
        assert not answer.is_error, answer.text
        return answer

    def records(self, form: Form, **arguments: Any) -> list[dict[str, Any]]:
        """Return the candidate records of one application."""
        return list(self.observe(form, format="records", **arguments).data["candidates"])

    def refs(self, form: Form, role: str = "button", **arguments: Any) -> dict[str, str]:
        """Return the refs by name of one role."""
        return {item["name"]: item["ref"] for item in self.records(form, **arguments) if item["role"] == role}


def server_command(folder: Path, *options: str) -> list[str]:
    """Return the server's command line, with the fixtures readable and a folder shared with its desktop."""
    more = ["--desktop", "isolated", "--show", str(APPS), "--share", str(folder), *options]
    return [sys.executable, "-m", "tactile", "serve", *more]


def server_environment(state: Path) -> dict[str, str]:
    """Return the variables that a server gets: its own state folder, and no display of the machine."""
    kept = {name: value for name, value in os.environ.items() if name in {"HOME", "PATH", "LANG", "TMPDIR", "USER"}}
    return {**kept, "XDG_STATE_HOME": str(state)}


@contextmanager
def desk(folder: Path, mode: Mode = "auto", state: Path | None = None, size: str = "1280x800") -> Iterator[Desk]:
    """Run a server over stdio with a client of one protocol era for one block."""
    shared = Path(tempfile.mkdtemp(prefix="shared-", dir=folder))
    command, *arguments = server_command(shared, "--size", size)
    server = StdioServerParameters(
        command=command, args=arguments, env=server_environment(state or folder / "state"), cwd=folder
    )
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        errors = stack.enter_context((folder / "server.err").open("a", encoding="utf-8"))
        client = Client(stdio_client(server, errlog=errors), mode=mode)
        opened = portal.wrap_async_context_manager(client)
        opened.__enter__()
        # A failed assertion stays out of the client, whose task groups would wrap it beyond recognition.
        stack.callback(opened.__exit__, None, None, None)
        yield Desk(portal=portal, client=client, folder=shared)


def contains(rect: Mapping[str, Any] | list[int], x: float, y: float, slack: float = 0) -> bool:
    """Tell whether a point lies in a rectangle, given as a record or as [x, y, w, h]."""
    left, top, width, height = rect if isinstance(rect, list) else (rect[k] for k in ("x", "y", "width", "height"))
    return left - slack <= x < left + width + slack and top - slack <= y < top + height + slack
