"""Start the parts of a desktop and its applications; one JSON message a line on stdin and stdout.

In: `{"id", "run": argv, "env", "cwd"}`, `{"id", "tail": pid, "lines"}`; the end of stdin ends the desktop.
Out: `{"hello"}`, then `{"ready"}` or `{"failed"}`, then answers by id, `{"exit", "code"}` when an application ends
and `{"lost"}` when a part does.
"""

# Importing pathlib would add several milliseconds to the start of every desktop.
# ruff: noqa: PTH108, PTH119, PTH123

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from tactile.adapters.desktop.inside import processes
from tactile.adapters.desktop.inside.bus import BusError, wake_accessibility
from tactile.adapters.desktop.inside.screen import ScreenError, wait_for_window_manager

COMMAND_MAX = 4 << 20  # bytes of one command; the kernel takes at most about 2 MB of arguments
LOGS_MAX = 64  # applications whose output is kept; the oldest goes first


class PartFailedError(Exception):
    """One part of the desktop did not start."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(reason)
        self.part = part
        self.reason = reason


def say(**message: object) -> None:
    """Write one message; a closed stdout means that nobody owns this desktop any more."""
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]


class Parts:
    """The desktop's own processes: X server, bus, window manager."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.config = config
        self.root: str = config["root"]
        self.environment: dict[str, str] = config["environment"]
        # The monotonic clock is the same one in every process of the machine.
        self.deadline: float = config["deadline"]
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.outputs: dict[str, processes.Output] = {}
        self.before_exec = processes.die_with_parent if config["reduced"] else None

    def spawn(self, part: str, argv: list[str], pass_fds: tuple[int, ...] = ()) -> None:
        """Start one part; its output goes to `logs/PART.log`."""
        try:
            process, pipe = processes.spawn(argv, self.environment, self.root, self.before_exec, pass_fds)
        except OSError as error:
            raise PartFailedError(part, f"cannot start {argv[0]}: {error.strerror}") from error
        self.outputs[part] = processes.Output(pipe, f"{self.root}/logs/{part}.log")
        self.running[part] = process
        self.check()  # its end may have been signalled before it was on the list

    def check(self, *_: object) -> None:
        """Raise when a part has ended; serves as the handler of SIGCHLD while the desktop starts.

        Raises:
            PartFailedError: Names the part.
        """
        for part, process in self.running.items():
            if process.poll() is not None:
                raise PartFailedError(part, f"ended with code {process.returncode} before the desktop was ready")

    def announced(self, part: str, reader: int) -> str:
        """Return the line a part writes when it is ready."""
        text = b""
        with selectors.DefaultSelector() as selector:
            selector.register(reader, selectors.EVENT_READ)
            while not text.endswith(b"\n"):
                if not selector.select(max(self.deadline - time.monotonic(), 0)):
                    raise PartFailedError(part, "was not ready in time")
                data = os.read(reader, 4096)
                if not data:
                    raise PartFailedError(part, "ended before it was ready")
                text += data
        os.close(reader)
        return text.decode().strip()

    def spawn_announcing(self, part: str, argv: list[str], option: tuple[str, ...]) -> int:
        """Start a part that reports readiness on a descriptor; return our end of it."""
        reader, writer = os.pipe()
        try:
            self.spawn(part, [*argv, *(word.replace("{fd}", str(writer)) for word in option)], (writer,))
        finally:
            os.close(writer)
        return reader

    def start(self) -> dict[str, Any]:
        """Start all parts, X server and bus side by side, and return what the ready message carries."""
        began = time.monotonic()
        took: dict[str, float] = {}
        screen = self.spawn_announcing("xserver", self.config["server"], ("-displayfd", "{fd}"))
        bus = self.spawn_announcing("bus", self.config["bus"], ("--print-address={fd}",))
        number = int(self.announced("xserver", screen))
        took["display"] = time.monotonic() - began
        self.spawn("openbox", self.config["window_manager"])
        self.announced("bus", bus)
        took["bus"] = time.monotonic() - began
        accessibility = self._accessibility()
        took["accessibility"] = time.monotonic() - began
        self._window_manager(number)
        took["window_manager"] = time.monotonic() - began
        return {"display": f":{number}", "accessibility": accessibility, "timings": took}

    def _accessibility(self) -> str:
        try:
            return wake_accessibility(self.environment["DBUS_SESSION_BUS_ADDRESS"], self.deadline)
        except (BusError, OSError) as error:
            raise PartFailedError("accessibility", str(error)) from error

    def _window_manager(self, number: int) -> None:
        try:
            cookie = bytes.fromhex(self.config["cookie"])
            wait_for_window_manager(f"/tmp/.X11-unix/X{number}", cookie, self.deadline)
        except (ScreenError, OSError) as error:
            raise PartFailedError("openbox", str(error)) from error

    def explain(self, part: str) -> str:
        """Return the last lines of a part's log; the accessibility bus writes to the log of the bus that starts it."""
        output = self.outputs.get("bus" if part == "accessibility" else part)
        return output.tail() if output else ""


class Supervisor:
    """Serve commands, move output, report ends."""

    def __init__(self, parts: Parts, wakeup: int) -> None:
        self._parts = parts
        self._applications: dict[int, subprocess.Popen[bytes]] = {}
        self._outputs: dict[int, processes.Output] = {}
        self._wakeup = wakeup
        self._pending = b""
        self._stopping = False
        self._selector = selectors.DefaultSelector()
        os.set_blocking(0, False)
        self._selector.register(0, selectors.EVENT_READ, self._commands)
        self._selector.register(wakeup, selectors.EVENT_READ, self._signals)
        for output in parts.outputs.values():
            self._watch(output)

    def serve(self) -> None:
        """Work until stdin ends, a part ends, or SIGTERM arrives."""
        self._reap()
        while not self._stopping:
            for key, _ in self._selector.select():
                key.data()

    def _watch(self, output: processes.Output) -> None:
        def move() -> None:
            if output.drain() == 0:
                self._selector.unregister(output.pipe)
                output.close()

        self._selector.register(output.pipe, selectors.EVENT_READ, move)

    def _signals(self) -> None:
        if signal.SIGTERM in os.read(self._wakeup, 4096):
            self._stopping = True
        self._reap()

    def _reap(self) -> None:
        for pid, status in ended_children():
            code = os.waitstatus_to_exitcode(status)
            if pid in self._applications:
                self._applications.pop(pid).returncode = code
                say(exit=pid, code=code)
            for process in self._parts.running.values():
                if process.pid == pid:
                    process.returncode = code
        # In the order of their start, as the end of the X server takes the others with it.
        for part, process in self._parts.running.items():
            if process.returncode is not None:
                say(lost=part, code=process.returncode, log=self._parts.explain(part))
                self._stopping = True
                return

    def _commands(self) -> None:
        data = os.read(0, processes.READ_SIZE)
        *lines, self._pending = (self._pending + data).split(b"\n")
        if not data or len(self._pending) > COMMAND_MAX:
            self._stopping = True
        for line in lines:
            self._obey(json.loads(line))

    def _obey(self, command: dict[str, Any]) -> None:
        if "tail" in command:
            output = self._outputs.get(command["tail"])
            say(id=command["id"], text=output.tail(command["lines"]) if output else "")
        else:
            self._run(command)

    def _run(self, command: dict[str, Any]) -> None:
        argv = command["run"]
        environment = {**self._parts.environment, **command["env"]}
        folder = command["cwd"] or environment["HOME"]
        try:
            process, pipe = processes.spawn(argv, environment, folder, self._parts.before_exec)
        except (OSError, ValueError) as error:
            say(
                id=command["id"],
                error=str(error),
                errno=getattr(error, "errno", None),
                path=str(getattr(error, "filename", "")),
            )
            return
        self._applications[process.pid] = process
        log = f"{self._parts.root}/logs/{process.pid}-{os.path.basename(argv[0])[:40]}.log"
        self._outputs[process.pid] = processes.Output(pipe, log)
        self._watch(self._outputs[process.pid])
        self._forget_old_output()
        say(id=command["id"], pid=process.pid)

    def _forget_old_output(self) -> None:
        if len(self._outputs) > LOGS_MAX:
            oldest = self._outputs.pop(next(iter(self._outputs)))
            with contextlib.suppress(OSError):
                os.unlink(oldest.path)


def ended_children() -> Iterator[tuple[int, int]]:
    """Reap every child that has ended, adopted ones too."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield pid, status


def wakeup_pipe(*signals: int) -> int:
    """Turn signals into bytes on a pipe; return the end to read."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    os.set_blocking(reader, False)
    ignore: Callable[..., None] = lambda *_: None  # noqa: E731  a handler must exist for the wakeup byte to be written
    for number in signals:
        signal.signal(number, ignore)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def leave(*_: object) -> None:
    """End through the `finally` clauses; the handler of SIGTERM while the desktop starts."""
    raise SystemExit(1)


def supervise(config: dict[str, Any]) -> int:
    """Start the desktop and serve until it ends; return the exit code."""
    parts = Parts(config)
    signal.signal(signal.SIGCHLD, parts.check)
    try:
        ready = parts.start()
        # In a sandbox SIGTERM could only come from a program inside, which has no say in this.
        wakeup = wakeup_pipe(signal.SIGCHLD, *([signal.SIGTERM] if config["reduced"] else []))
    except PartFailedError as error:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if config["reduced"]:  # who hears of the failure sends SIGTERM: it must not cut short the ending of the others
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        say(failed=error.part, reason=error.reason, log=parts.explain(error.part))
        return 1
    say(ready=ready)
    Supervisor(parts, wakeup).serve()
    return 0


def main() -> int:
    """Read the configuration named by the last argument and run the desktop.

    In a sandbox this is its first process, whose end ends all others; without one, everything below is killed here.
    """
    with open(sys.argv[-1], encoding="utf-8") as file:
        config = json.load(file)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if config["reduced"]:
        signal.signal(signal.SIGTERM, leave)
        processes.adopt_orphans()
    try:
        say(hello=os.getpid())
        return supervise(config)
    except BrokenPipeError:
        return 1
    finally:
        if config["reduced"]:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            processes.end_all()
