"""The conversation with a desktop's supervisor: JSON lines over pipes, answers by number, ends as they happen."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any

LINE_MAX = 1 << 20  # bytes of one message
ERRORS_MAX = 4000  # bytes kept of what the sandbox and the supervisor write to stderr
STREAMS_LIMIT_S = 0.5  # a stream ends with its process; only a stray child could keep it open
EXITS_MAX = 1000  # exit codes kept
STOPPED = "it was stopped"


class Channel:
    """Talk with one supervisor; whatever it says is checked, as programs of the same user run beside it.

    Shield its futures when awaiting them: the cancelling of one reader must not take them from the others.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        self.process = process
        self.hello: asyncio.Future[bool] = loop.create_future()
        self.outcome: asyncio.Future[Mapping[str, Any]] = loop.create_future()
        self.ended: asyncio.Future[str] = loop.create_future()
        self._answers: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._exits: dict[int, asyncio.Future[int]] = {}
        self._serial = 0
        self._errors = b""
        self.stopping = False
        self._lost = ""
        self._tasks = (asyncio.create_task(self._listen()), asyncio.create_task(self._keep_errors()))

    async def last_errors(self) -> str:
        """Return the last lines written to stderr, once the process has ended."""
        await asyncio.wait(self._tasks, timeout=STREAMS_LIMIT_S)
        return self._errors.decode("utf-8", "replace").strip()

    async def ask(self, **command: object) -> Mapping[str, Any]:
        """Send a command and return its answer; an empty one when the desktop ended meanwhile."""
        assert self.process.stdin is not None
        self._serial += 1
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        if self.ended.done():
            return {}
        self._answers[self._serial] = answer
        try:
            self.process.stdin.write(json.dumps({"id": self._serial, **command}).encode() + b"\n")
            with contextlib.suppress(ConnectionError):
                await self.process.stdin.drain()
            return await answer
        finally:
            self._answers.pop(self._serial, None)

    def exit_of(self, pid: int) -> asyncio.Future[int] | None:
        """Return the future exit code of an application; None when there is no such application."""
        return self._exits.get(pid)

    def expect_exit(self, pid: int) -> None:
        """Keep the exit code of an application for later questions."""
        self._exits.setdefault(pid, asyncio.get_running_loop().create_future())
        for old in [old for old, code in self._exits.items() if code.done()][: max(len(self._exits) - EXITS_MAX, 0)]:
            del self._exits[old]

    async def close(self) -> None:
        """Let the streams end, which they do with the process, and close them."""
        if self.process.stdin is not None:
            self.process.stdin.close()
            with contextlib.suppress(ConnectionError):
                await self.process.stdin.wait_closed()
        await asyncio.wait(self._tasks, timeout=STREAMS_LIMIT_S)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._end(STOPPED)

    async def _listen(self) -> None:
        assert self.process.stdout is not None
        reason = ""
        try:
            while line := await self.process.stdout.readline():
                self._receive(json.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            reason = f"its supervisor sent what cannot be read: {error}"
        self._end(STOPPED if self.stopping else self._lost or reason or "its supervisor ended")

    async def _keep_errors(self) -> None:
        assert self.process.stderr is not None
        while data := await self.process.stderr.read(4096):
            self._errors = (self._errors + data)[-ERRORS_MAX:]

    def _receive(self, message: Mapping[str, Any]) -> None:
        if "id" in message:
            answer = self._answers.get(message["id"])
            if "pid" in message:
                self.expect_exit(int(message["pid"]))
            if answer is not None and not answer.done():
                answer.set_result(message)
        elif "exit" in message:
            code = self._exits.get(message["exit"])
            if code is not None and not code.done():
                code.set_result(int(message["code"]))
        elif "lost" in message:
            self._lost = f"its {message['lost']} ended with code {message['code']}: {message['log']}"
        elif "hello" in message and not self.hello.done():
            self.hello.set_result(True)
        elif ("ready" in message or "failed" in message) and not self.outcome.done():
            self.outcome.set_result(message)

    def _end(self, reason: str) -> None:
        if self.ended.done():
            return
        self.ended.set_result(reason)
        if not self.hello.done():
            self.hello.set_result(False)
        if not self.outcome.done():
            self.outcome.set_result({})
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result({})
