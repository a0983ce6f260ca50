"""`tactile serve`."""

from __future__ import annotations

from pathlib import Path

from tactile.cli.options import options


def serve_stdio(
    *, desktop: str, size: str, network: bool, trace: Path | None, show: tuple[Path, ...], share: tuple[Path, ...]
) -> None:
    """Serve MCP over stdio until the client closes it."""
    chosen = options(desktop=desktop, size=size, network=network, trace=trace, show=show, share=share)
    from tactile.mcp.server import build_server

    build_server(chosen).run("stdio")
