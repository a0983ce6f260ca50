"""The MCP server: thin handlers over one Session; nothing here prints."""
