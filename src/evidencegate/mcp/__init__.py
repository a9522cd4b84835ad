"""The MCP server: five read-only tools over the calls of the package, for programs that ask on somebody's behalf.

Needs the extra `mcp`. `evidencegate mcp` starts it; docs/doors.md says what the tools take and give.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evidencegate.mcp._serve import serve_http, serve_stdio
    from evidencegate.mcp._server import create_server
    from evidencegate.mcp._shelf import Shelf

__all__ = ["Shelf", "create_server", "serve_http", "serve_stdio"]

# The SDK takes half a second to import; the command's help does not wait for it.
_LAZY = {"Shelf": "_shelf", "create_server": "_server", "serve_http": "_serve", "serve_stdio": "_serve"}


def __getattr__(name: str) -> object:
    if name in _LAZY:
        return getattr(import_module(f"evidencegate.mcp.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
