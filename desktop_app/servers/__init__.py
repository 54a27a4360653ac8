"""Servers for programs on the same machine: MCP over pipes, HTTP on 127.0.0.1."""
