"""The page about sources says what is so."""

import re
from pathlib import Path

import pytest

from evidencegate.settings import Settings, load
from evidencegate.sources import NAMES, Status
from simulated import LiteratureService

PAGE = Path(__file__).parents[2] / "docs" / "sources.md"


def test_every_setting_on_the_page_exists_and_every_source_and_status_is_on_it() -> None:
    page = PAGE.read_text("utf-8")
    table = page[page.index("## Settings") : page.index("## Measured")]
    named = {name.lower() for name in re.findall(r"`([A-Z][A-Z_]+)`", table)}
    assert named <= set(Settings.model_fields)
    of_sources = {name for name in Settings.model_fields if not name.endswith("_rate")} - {"data_dir", "ledger"}
    assert of_sources <= named
    for name in (*NAMES, *Status):
        assert f"`{name}`" in page


def test_the_example_runs(
    service: LiteratureService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in service.environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    load.cache_clear()
    code = PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0]
    exec(compile(code, "sources.md", "exec"), {})
    load.cache_clear()
    shown = capsys.readouterr().out
    assert "pubmed ok" in shown
    assert "europe_pmc ok" in shown
