"""`evidencegate mcp`: the tools for other programs."""

from typing import Annotated, Literal

import typer

from evidencegate.cli._app import app
from evidencegate.cli._output import guarded, note


@app.command()
def mcp(
    library: Annotated[
        list[str] | None,
        typer.Option("--library", help="DIR or NAME=DIR: a library that callers may search by its name; repeatable."),
    ] = None,
    transport: Annotated[
        Literal["stdio", "http"], typer.Option(help="`stdio`: started by its client; `http`: for this machine.")
    ] = "stdio",
    host: Annotated[str, typer.Option(help="With http: an address of this machine itself.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="With http.")] = 8766,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nothing over the network, whoever calls.")] = False,
) -> None:
    """Serve five read-only tools over the Model Context Protocol."""
    with guarded("mcp", as_json=False):
        from evidencegate._extras import require

        require("mcp", "mcp")
        from evidencegate.mcp import Shelf, serve_http, serve_stdio

        shelf = Shelf.of(library or (), offline=offline)
        if transport == "stdio":
            serve_stdio(shelf)
            return
        note(f"serving on http://{f'[{host}]' if ':' in host else host}:{port}/mcp")
        serve_http(shelf, host, port)
