"""The command line: thin over the same calls as the Python API."""

import sys

__all__ = ["main"]


def main() -> None:
    """Entry point of the `evidencegate` command."""
    try:
        from evidencegate.cli._app import run

        run()
    except KeyboardInterrupt:  # while it was still being imported; later the command says so itself
        sys.stderr.write("evidencegate: interrupted\n")
        sys.exit(130)
