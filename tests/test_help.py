"""Help says what there is, and waits for nothing that only the work needs."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import installed
from evidencegate.cli._output import listed

COMMANDS = "ask report check counter question library anchors runs evaluate serve mcp doctor".split()
HEAVY = {"rich", "numpy", "lxml", "httpx2", "sqlalchemy", "onnxruntime", "lancedb", "fastapi", "mcp", "yaml", "jinja2"}
LOADED = """
import json, sys
from evidencegate.cli import main
sys.argv = ["evidencegate", *json.loads(sys.argv[1])]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


@pytest.mark.parametrize("words", [[], ["ask"], ["runs", "resume"]], ids=" ".join)
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    told = subprocess.run(
        [sys.executable, "-c", LOADED, json.dumps([*words, "--help"])], capture_output=True, text=True, check=True
    )
    *shown, modules = told.stdout.splitlines()
    assert any(line.startswith("Usage: evidencegate") for line in shown)
    assert not HEAVY & set(json.loads(modules))


def test_help_lists_every_command_with_what_it_does() -> None:
    told = subprocess.run(
        [installed.command(), "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**installed.clean_environment(), "COLUMNS": "110", "NO_COLOR": "1"},
    )
    rows = [line.split(maxsplit=1) for line in told.stdout.partition("Commands:")[2].splitlines() if line.strip()]
    assert {row[0] for row in rows} == set(COMMANDS)
    assert all(len(row) == 2 for row in rows)


def test_what_a_person_reads_holds_no_brackets_of_a_language() -> None:
    shown = listed({"sources": ["pubmed", "open_i"], "nothing": [], "n": 0, "summary": ["A sentence " * 6, "Another."]})
    assert shown.splitlines() == [
        "sources          pubmed, open_i",
        f"summary          {'A sentence ' * 6}",
        f"{'':<17}Another.",
    ]


def test_an_anchor_is_shown_in_words() -> None:
    from evidencegate.cli import _anchors  # noqa: F401  (registers its commands)
    from evidencegate.cli._app import app

    told = CliRunner().invoke(app, ["anchors", "show", "af_ckd_anticoagulation"])
    assert told.exit_code == 0
    assert "['" not in told.stdout
    assert "{'" not in told.stdout
