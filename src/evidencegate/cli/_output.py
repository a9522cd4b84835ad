"""Where results, progress and errors go: results to stdout, everything else to stderr.

Exit codes (spec 5.12): 0 done, 1 failed, 2 usage, 3 partial, 130 interrupted.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn

from evidencegate._contract import document
from evidencegate._files import require_writable
from evidencegate.errors import EvidenceGateError, InvalidInput, UserError

__all__ = ["Exit", "as_json_text", "check_output", "emit_json", "guarded", "leave", "listed", "note", "save", "write"]

_WORD = 40
"""Characters beyond which what stands in a list is a sentence."""


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    PARTIAL = 3
    INTERRUPTED = 130


def emit_json(command: str, fields: Mapping[str, Any]) -> None:
    """One JSON object on stdout, with the contract's schema name first."""
    write(as_json_text(command, fields))


def as_json_text(command: str, fields: Mapping[str, Any]) -> str:
    """The object of a command as `--json` shows it and as a file has it."""
    return json.dumps(document(command, fields), ensure_ascii=False, indent=2)


def check_output(output: Path | None) -> None:
    """Refuse a file that `save` could not write, before any work is done."""
    if output is None:
        return
    if output.suffix.lower() not in (".md", ".html", ".json"):
        raise InvalidInput(f"cannot write {output.name}: use one of the suffixes .md, .html, .json")
    require_writable(output)


def save(output: Path, rendered: Mapping[str, Callable[[], str]]) -> None:
    """Write to `output` what is rendered for its suffix (.md, .html or .json), and say so."""
    output.write_text(rendered[output.suffix.lower()](), encoding="utf-8")
    note(f"written to {output}")


def write(text: str) -> None:
    """A result on stdout, whatever the terminal's encoding can show."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stdout.flush()


def listed(fields: Mapping[str, Any]) -> str:
    """One line for each field that holds something: its name, and its value as a person writes it."""
    return "\n".join(
        f"{name:<16} {_said(value)}" for name, value in fields.items() if value not in (None, [], {}, 0, "")
    )


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_said(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        # Sentences of a list stand each on a line of their own.
        apart = f"\n{'':<17}" if any(len(str(one)) > _WORD for one in value) else ", "
        return apart.join(map(_said, value))
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def note(text: str) -> None:
    """A line for the person watching, on stderr."""
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stderr.flush()


def leave(code: Exit) -> NoReturn:
    """End the command with `code`."""
    raise SystemExit(int(code))


@contextmanager
def guarded(command: str, *, as_json: bool) -> Iterator[None]:
    """Turns errors raised on purpose into a message and an exit code; others keep their traceback."""
    try:
        yield
    except EvidenceGateError as error:
        code = Exit.USAGE if isinstance(error, UserError) else Exit.FAILED
        if as_json:
            emit_json(command, {"error": {"type": type(error).__name__, "message": str(error)}})
        note(f"evidencegate {command}: {error}")
        leave(code)
    except KeyboardInterrupt:
        note(f"evidencegate {command}: interrupted")
        leave(Exit.INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output left (`| head`): nothing more to say, and nothing failed.
        sys.stdout = None
        leave(Exit.DONE)
    except OSError as error:
        if as_json:
            emit_json(command, {"error": {"type": type(error).__name__, "message": str(error)}})
        note(f"evidencegate {command}: {error.strerror or error}: {error.filename or ''}".rstrip(": "))
        leave(Exit.FAILED)
