"""A running desktop: use it, and end it with everything in it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from tactile.adapters.desktop import display, folder
from tactile.adapters.desktop.channel import Channel
from tactile.errors import PlatformError, RequestError

END_LIMIT_S = 2.0  # a killed desktop is gone in well under 0.2 s; past this something holds it in the kernel


@dataclass(slots=True)
class Held:
    """What has been acquired for a desktop so far, given back in one place."""

    folder: folder.Folder
    channel: Channel | None = None
    info: int | None = None  # where bwrap tells of the sandbox's first process
    init: int | None = None  # descriptor of that process
    sandboxed: bool = True
    claim: socket.socket | None = None  # keeps the display number where no link does

    async def release(self) -> None:
        """End every process, then remove the display link and the folder."""
        try:
            if self.channel is not None:
                await self._end(self.channel)
        finally:
            if not self.sandboxed:
                folder.end_processes_of(self.folder.root)
            clear(self.folder)
            self._close()

    async def started(self, channel: Channel) -> bool:
        """Wait until something runs inside, and get hold of the sandbox's first process; False when it failed."""
        if await asyncio.shield(channel.hello) and self.sandboxed and self.info is not None and self.init is None:
            # Written before the program inside was started, so it is there now.
            self.init = os.pidfd_open(json.loads(os.read(self.info, 4096))["child-pid"])
        return channel.hello.result()

    def _close(self) -> None:
        if self.claim is not None:
            self.claim.close()
        for descriptor in (self.info, self.init):
            if descriptor is not None:
                os.close(descriptor)
        self.info = self.init = None

    async def _end(self, channel: Channel) -> None:
        process = channel.process
        channel.stopping = True
        if self.sandboxed and process.returncode is None:
            # Killed in its first moments, bwrap would leave the sandbox behind: its first process must be known.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.started(channel), END_LIMIT_S)
        with contextlib.suppress(ProcessLookupError):
            if self.init is not None:
                # The kernel ends all of a PID namespace with its first process, and the outer bwrap ends after that.
                signal.pidfd_send_signal(self.init, signal.SIGKILL)
            elif self.sandboxed:
                process.kill()
            else:
                process.terminate()
        try:
            await asyncio.wait_for(process.wait(), END_LIMIT_S)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await channel.close()


def clear(of: folder.Folder) -> None:
    """Remove a desktop's traces outside its folder, then the folder; its processes have ended."""
    number = folder.display_of(of.root)
    folder.remove_links_into(of.root, display.SOCKETS)
    if number is not None:
        display.remove_dead(number)
    of.remove()


def clear_abandoned(base: Path, prefix: str) -> None:
    """Remove what killed owners left: processes without a sandbox, display sockets and links, folders."""
    for found in folder.abandoned(base, prefix, os.getuid()):
        folder.end_processes_of(found.root)
        clear(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desktop:
    """A running desktop; ends with `stop`, with `async with`, or with this process.

    Args:
        display: Its X display, ":N", reachable from outside too.
        xauthority: The file that lets clients in.
        session_bus: Address of its session bus.
        accessibility_bus: Address of its accessibility bus at the start; after a crash of that bus ask the session bus.
        root: Its folder, at the same path inside and outside.
        home: The HOME of its applications.
        isolation: "full", or "reduced": a private display, but no sandbox around the processes.
        isolation_reason: Why it is reduced; "" when full.
        server: Which X server runs.
        timings: When each part was ready, from the call of `start` for "total", else from the supervisor's start.

    Units:
        Timings are in seconds.
    """

    display: str
    xauthority: Path
    session_bus: str
    accessibility_bus: str
    root: Path
    home: Path
    isolation: Literal["full", "reduced"]
    isolation_reason: str
    server: Literal["xvnc", "xvfb"]
    timings: Mapping[str, float]
    _held: Held = field(repr=False)

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables by which a program outside reaches this desktop."""
        return {
            "DISPLAY": self.display,
            "XAUTHORITY": str(self.xauthority),
            "DBUS_SESSION_BUS_ADDRESS": self.session_bus,
        }

    @property
    def ended(self) -> str | None:
        """Return why the desktop is no longer there; None while it runs."""
        channel = self._channel
        return channel.ended.result() if channel.ended.done() else None

    @property
    def _channel(self) -> Channel:
        assert self._held.channel is not None
        return self._held.channel

    async def wait_ended(self) -> str:
        """Wait until the desktop ends by itself or is stopped, and return why."""
        return await asyncio.shield(self._channel.ended)

    async def run(
        self,
        argv: Sequence[str],
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        deadline_s: float = 10.0,
    ) -> int:
        """Start a program inside and return its process id there, the one that its windows and buses report.

        Args:
            argv: Program and arguments.
            env: Added to the desktop's own variables.
            cwd: A folder inside; the home folder when None.
            deadline_s: Until the program has been executed.

        Raises:
            RequestError: There is no such program or folder inside, or it cannot be executed.
            PlatformError: The desktop has ended or does not answer.

        Units:
            Seconds.
        """
        if isinstance(argv, str) or not argv or not argv[0]:
            raise RequestError("no program was given", code="bad_request", hint="give a list: program, arguments")
        answer = await self._ask(deadline_s, run=list(argv), env=dict(env or {}), cwd=cwd)
        if "pid" in answer:
            return int(answer["pid"])
        absent = answer.get("errno") == errno.ENOENT
        raise RequestError(
            f"cannot start {argv[0]!r} in the desktop: {answer.get('error')}",
            code=("folder_missing" if cwd and answer.get("path") == cwd else "program_missing") if absent else None,
            hint="install it, or show its folder inside (--show); only /usr, /etc and /opt are visible there"
            if self.isolation == "full"
            else "install it, or give its full path",
        )

    async def output_of(self, pid: int, lines: int = 12, deadline_s: float = 2.0) -> str:
        """Return the last lines a program wrote to stdout and stderr; "" when it is not known any more."""
        answer = await self._ask(deadline_s, tail=pid, lines=lines)
        return str(answer.get("text", ""))

    async def exit_of(self, pid: int, deadline_s: float = 0.0) -> int | None:
        """Return the exit code of a program started here, negative for a signal; None when it still runs.

        Args:
            pid: From `run`.
            deadline_s: How long to wait for the end.

        Raises:
            RequestError: `run` never returned this id.
            PlatformError: The desktop ended first.

        Units:
            Seconds.
        """
        code = self._channel.exit_of(pid)
        if code is None:
            raise RequestError(f"no program {pid} was started in this desktop", hint="use an id that run returned")
        await asyncio.wait((code, self._channel.ended), timeout=deadline_s, return_when=asyncio.FIRST_COMPLETED)
        if code.done():
            return code.result()
        if self.ended is not None:
            raise self._lost()
        return None

    async def stop(self) -> None:
        """End everything inside and leave nothing behind; calling it again does nothing."""
        await self._held.release()

    async def __aenter__(self) -> Self:
        """Return the desktop itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the desktop."""
        await self.stop()

    def _lost(self) -> PlatformError:
        return PlatformError(f"the desktop {self.display} ended: {self.ended}", hint="start a new desktop")

    async def _ask(self, deadline_s: float, **command: object) -> Mapping[str, Any]:
        try:
            answer = await asyncio.wait_for(self._channel.ask(**command), deadline_s)
        except TimeoutError as error:
            raise PlatformError(
                f"the desktop {self.display} did not answer within {deadline_s:g} s", hint="stop it and start a new one"
            ) from error
        if not answer:
            raise self._lost()
        return answer
