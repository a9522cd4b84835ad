"""The commands. Each imports its room when it is called: `--help` must not wait for models."""

from typing import Annotated

import typer

from evidencegate._version import __version__


def commands(help_text: str, name: str | None = None) -> typer.Typer:
    """A group of commands. Its help is plain text: drawing it with rich takes longer than everything else of it."""
    return typer.Typer(
        name=name,
        help=help_text,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )


app = commands("Answers to clinical questions in which every sentence is bound to a literal quote.", "evidencegate")

Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout (schema evidencegate/1).")]


def _version(value: bool) -> None:
    if value:
        typer.echo(f"evidencegate {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Answers to clinical questions in which every sentence is bound to a literal quote."""


def run() -> None:
    """Run the command line."""
    # Registered here, once, in the order in which help lists them.
    from evidencegate.cli import (  # noqa: F401
        _anchors,
        _ask,
        _check,
        _counter,
        _doctor,
        _evaluate,
        _library,
        _mcp,
        _question,
        _report,
        _runs,
        _serve,
    )

    app()
