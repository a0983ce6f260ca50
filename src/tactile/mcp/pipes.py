"""Read what the SDK's parser refuses, so that every request is answered."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any

from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError


class Mended:
    """A read stream that handles the lines which the transport could not parse.

    The SDK's parser refuses a lone surrogate (JSON allows its escape) and the SDK then drops the line: the client
    would wait for ever. Here the request goes on to its tool, which refuses the text with a reason; what is no
    request at all is answered as such.

    Args:
        incoming: Messages, and an exception for each line that did not parse.
        outgoing: For the answers to those.
    """

    def __init__(self, incoming: ReadStream[SessionMessage | Exception], outgoing: WriteStream[SessionMessage]) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    @property
    def last_context(self) -> Any:
        """Context of the sender of the last item, which the SDK looks for."""
        return getattr(self._incoming, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        while True:
            item = await self._incoming.receive()
            if not isinstance(item, Exception):
                return item
            line = _line_of(item)
            request = _request_in(line)
            message = _mended(request)
            if message is not None:
                return message
            await self._outgoing.send(SessionMessage(_answer(request)))

    async def aclose(self) -> None:
        """Close the transport's stream."""
        await self._incoming.aclose()

    def __aiter__(self) -> Mended:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        from anyio import EndOfStream

        try:
            return await self.receive()
        except EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Mended:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


def _line_of(problem: Exception) -> str:
    """Return the line that did not parse, which the parser's error carries; empty when it does not."""
    if not isinstance(problem, ValidationError) or not problem.errors():
        return ""
    found = problem.errors(include_url=False)[0]["input"]
    return found if isinstance(found, str) else ""


def _request_in(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _mended(request: dict[str, Any]) -> SessionMessage | None:
    """Return a tool call whose arguments alone could not be read; anything else would break the answer as well."""
    params = request.get("params")
    if request.get("method") != "tools/call" or not isinstance(params, dict):
        return None
    rest = {**request, "params": {name: value for name, value in params.items() if name != "arguments"}}
    try:
        json.dumps(rest, ensure_ascii=False).encode()
        return SessionMessage(jsonrpc_message_adapter.validate_python(request, by_name=False))
    except (UnicodeEncodeError, ValidationError):
        return None


def _answer(request: dict[str, Any]) -> JSONRPCError:
    number = request.get("id")
    is_id = isinstance(number, int) and not isinstance(number, bool)
    code = INVALID_REQUEST if request else PARSE_ERROR
    return JSONRPCError(
        jsonrpc="2.0",
        id=number if is_id else None,
        error=ErrorData(code=code, message="This line is no JSON-RPC message in UTF-8 that can be answered."),
    )
