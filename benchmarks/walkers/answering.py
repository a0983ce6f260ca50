"""Answer questions on stdin until it closes, each timed with this process's own clock. Standard library only."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TextIO


def answer(commands: Mapping[str, Callable[..., Any]]) -> None:
    """Answer one JSON object a line, `{"do": name, ...}`, with `{"took_s", "value"}` or `{"took_s", "error"}`.

    What else is printed to stdout in this process goes to stderr.
    """
    with _replies() as replies:
        for line in sys.stdin:
            request = json.loads(line)
            command, start_s = commands[request.pop("do")], time.perf_counter()
            try:
                reply = {"value": command(**request)}
            except Exception as error:  # noqa: BLE001 - whatever a tool raises is its answer, and it is asked again
                reply = {"error": _said(error)}
            _send(replies, reply, start_s)


async def answer_async(commands: Mapping[str, Callable[..., Awaitable[Any]]]) -> None:
    """Do the same with coroutines; the event loop runs on between two questions."""
    with _replies() as replies:
        while line := await asyncio.to_thread(sys.stdin.readline):
            request = json.loads(line)
            command, start_s = commands[request.pop("do")], time.perf_counter()
            try:
                reply = {"value": await command(**request)}
            except Exception as error:  # noqa: BLE001 - as above
                reply = {"error": _said(error)}
            _send(replies, reply, start_s)


def _replies() -> TextIO:
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]


def _send(replies: TextIO, reply: dict[str, Any], start_s: float) -> None:
    replies.write(json.dumps({"took_s": time.perf_counter() - start_s, **reply}) + "\n")
    replies.flush()
