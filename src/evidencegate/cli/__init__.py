"""The command line: thin over the same calls as the Python API."""

__all__ = ["main"]


def main() -> None:
    """Entry point of the `evidencegate` command."""
    from evidencegate.cli._app import run

    run()
