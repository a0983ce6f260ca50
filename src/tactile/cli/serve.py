"""`tactile serve`."""

from __future__ import annotations

import signal
from pathlib import Path

from tactile.cli.options import options


def serve_stdio(
    *, desktop: str, size: str, network: bool, trace: Path | None, show: tuple[Path, ...], share: tuple[Path, ...]
) -> None:
    """Serve MCP over stdio until the client closes it."""
    chosen = options(desktop=desktop, size=size, network=network, trace=trace, show=show, share=share)
    from tactile.mcp.server import build_server

    # Python's own handler would wait for the thread that reads stdin, for ever. Like SIGTERM, this ends us at once,
    # and the isolated desktop with us.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    build_server(chosen).run("stdio")
