"""`evidencegate serve`: the web page and the REST API."""

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evidencegate.cli._app import app
from evidencegate.cli._options import PacksIn
from evidencegate.cli._output import Exit, guarded, note

if TYPE_CHECKING:
    from types import FrameType

    from starlette.datastructures import State
    from uvicorn import Server

_BACKLOG = 2048
_TURN_SECONDS = 0.001
_GOODBYE_SECONDS = 3
"""For replies under way to be sent, and for jobs at work to end."""


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; any but this machine's own needs tokens.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port to listen on.")] = 8765,
    library: Annotated[
        list[str] | None, typer.Option("--library", help="Offer this library: DIR, or NAME=DIR; repeatable.")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(help="Who may use the server: a file with a line `name: token` for each.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A name under which the server is reached; repeatable.")
    ] = None,
    https: Annotated[
        bool, typer.Option("--https", help="A proxy in front speaks HTTPS: cookies are sent over it alone.")
    ] = False,
    model: Annotated[
        list[str] | None, typer.Option("--model", help="Let users choose this model, provider:model; repeatable.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Where the models are served, if not by their provider.")] = None,
    packs: PacksIn = None,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nothing over the network for anybody.")] = False,
    no_uploads: Annotated[
        bool, typer.Option("--no-uploads", help="Nobody may add documents to the libraries.")
    ] = False,
    max_jobs: Annotated[int, typer.Option(min=1, max=64, help="How many run at once; the others wait.")] = 2,
    max_seconds: Annotated[
        float | None, typer.Option(min=1, help="The longest a job may ask on; then it answers from what it has.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="Where the server's secret and its runs are; your own ones where not given.")
    ] = None,
) -> None:
    """Serve the web page and the REST API, on this machine alone unless told otherwise."""
    with guarded("serve", as_json=False):
        from evidencegate._extras import require

        for module in ("fastapi", "python_multipart", "uvicorn"):
            require("web", module)
        import uvicorn

        from evidencegate.web import WebSettings, create_app

        settings = WebSettings.of(
            libraries=library or (),
            tokens=_lines(token_file),
            host=host,
            port=port,
            hosts=tuple(allow_host or ()),
            https=https,
            models=tuple(model or ()),
            base_url=base_url,
            packs=packs,
            offline=offline,
            uploads=not no_uploads,
            max_jobs=max_jobs,
            max_seconds=max_seconds,
            state_dir=state,
        )
        application = create_app(settings)
        application.state.jobs.take()  # refused here, with a message, where another server has the directory
        listening = _listening(host, port)
        shown = f"[{host}]" if ":" in host else host
        note(f"EvidenceGate on http://{shown}:{port} (REST: /api/v1, description: /api/v1/openapi.json); stop: Ctrl-C")
        config = uvicorn.Config(
            application,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=_GOODBYE_SECONDS,
        )
        application.state.jobs.patience = _GOODBYE_SECONDS
        # Jobs compute in this process. A request changes threads some times, and each time waits for its turn: a
        # shorter turn is what keeps pages quick meanwhile.
        sys.setswitchinterval(_TURN_SECONDS)
        server = uvicorn.Server(config)
        _run(server, listening, application.state)
        # A job may still compute in its thread, for which Python would wait. All it has done is in the ledger.
        sys.stderr.flush()
        os._exit(Exit.DONE if server.started else Exit.FAILED)


def _listening(host: str, port: int) -> socket.socket:
    """The socket, bound before anything is said of it.

    Raises:
        EvidenceGateError: somebody else has the port, or there is no such address here.
    """
    from evidencegate.errors import EvidenceGateError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, as asyncio sends small pieces at once (TCP_NODELAY) only where it is: else each reply on a
    # connection that is kept waits 40 ms for the other side.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        said = error.strerror or str(error)
        raise EvidenceGateError(f"cannot listen on {host}, port {port}: {said}. Choose another with --port") from error
    return listening


def _run(server: "Server", listening: socket.socket, state: "State") -> None:
    """Serve until told to stop; those who follow a run are let go of first, as the server waits for its readers."""
    told = server.handle_exit

    def handle_exit(signal: int, frame: "FrameType | None") -> None:
        if server.started:
            state.hang_up()
        told(signal, frame)

    server.handle_exit = handle_exit  # type: ignore[method-assign,assignment]  # uvicorn looks it up when it begins to serve
    with suppress(KeyboardInterrupt):  # raised again by uvicorn once it has stopped: how a server is meant to end
        server.run(sockets=[listening])


def _lines(path: Path | None) -> list[str]:
    """The lines of the token file.

    Raises:
        InvalidInput: it holds no token, or others can read it.
    """
    if path is None:
        return []
    from evidencegate.errors import InvalidInput

    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise InvalidInput(f"{path} can be read by others; close it with: chmod 600 {path}")
    lines = path.read_text("utf-8").splitlines()
    if not any(line.strip() and not line.lstrip().startswith("#") for line in lines):
        raise InvalidInput(f"{path} holds no token: a line `name: token` for each user is needed")
    return lines
