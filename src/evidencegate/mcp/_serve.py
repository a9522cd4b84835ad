"""Serving: over stdin and stdout for one client, or over HTTP for programs on this machine."""

import ipaddress
import logging
import sys
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server

from evidencegate._extras import import_before_threads
from evidencegate.errors import InvalidInput
from evidencegate.mcp._server import create_server
from evidencegate.mcp._shelf import Shelf

PATH = "/mcp"


def serve_stdio(shelf: Shelf) -> None:
    """Serve one client until it closes our stdin. Nothing but the protocol goes to stdout; the log goes to stderr."""
    _log_to_stderr()
    import_before_threads()
    anyio.run(_stdio, create_server(shelf))


async def _stdio(server: "Server[dict[str, Any]]") -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def serve_http(shelf: Shelf, host: str, port: int) -> None:
    """Serve programs on this machine at `http://host:port/mcp`, until interrupted.

    Raises:
        InvalidInput: `host` can be reached from elsewhere. There are no users here, so nobody could be kept apart.
    """
    import uvicorn

    if not _loopback(host):
        raise InvalidInput(
            f"{host} can be reached from other machines, and this server knows no users. Stay on this machine with "
            "--host 127.0.0.1; for others there is `evidencegate serve` with tokens"
        )
    _log_to_stderr()
    import_before_threads()
    app = create_server(shelf).streamable_http_app(streamable_http_path=PATH, host=host)
    # The SDK guards against other names for this machine (DNS rebinding) where the host is loopback.
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _log_to_stderr() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
