"""Text that is piped into the command: read as a file of the same bytes would be."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from installed import clean_environment, command

TEXT = "Apixaban reduced stroke compared with warfarin."
ABSTRACT = "In this invented trial, apixaban reduced stroke compared with warfarin."


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.jsonl"
    path.write_text(json.dumps({"id": "a", "title": "An invented trial", "abstract": ABSTRACT}), "utf-8")
    return path


def checked(record: Path, raw: bytes) -> tuple[int, dict[str, Any]]:
    argv = [command(), "check", "-", "--against", str(record), "--json"]
    done = subprocess.run(argv, input=raw, capture_output=True, env=clean_environment(), timeout=120, check=False)
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_piped_text_may_have_any_mark_of_byte_order(record: Path, encoding: str) -> None:
    code, fields = checked(record, TEXT.encode(encoding))
    (claim,) = fields["claims"]
    assert code == 0
    assert (claim["start"], claim["text"]) == (0, TEXT)


def test_what_is_no_text_is_refused(record: Path) -> None:
    code, fields = checked(record, b"\x00\x01\x02 no text")
    assert code == 2
    assert "not text" in fields["error"]["message"]


@pytest.mark.parametrize("name", ["check", "counter"])
def test_without_a_stdin_the_message_says_what_to_do(record: Path, name: str) -> None:
    given = ["--against", str(record)] if name == "check" else ["--offline"]
    line = " ".join(map(repr, [command(), name, "-", *given])) + " <&-"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, env=clean_environment(), timeout=120, check=False
    )
    assert done.returncode == 2
    assert "name a file" in done.stderr
    assert "Traceback" not in done.stderr
