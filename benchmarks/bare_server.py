"""The least that an MCP server of the SDK can be: one tool, stdio. Runs by itself, as the other half of each pair."""

from __future__ import annotations

from mcp.server import MCPServer

server = MCPServer(name="bare")


@server.tool()
def ping() -> str:
    """Answer."""
    return "pong"


if __name__ == "__main__":
    server.run("stdio")
