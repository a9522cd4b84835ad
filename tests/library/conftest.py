import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from bag_of_words import Words

from evidencegate.documents import Document, Identifiers
from evidencegate.library import Library

HERE = Path(__file__).parent


@pytest.fixture
def embedder() -> Words:
    return Words()


@pytest.fixture
def library(tmp_path: Path, embedder: Words) -> Library:
    return Library(tmp_path / "library", embedder=embedder)


@pytest.fixture
def make() -> Callable[..., Document]:
    """An invented record: identifiers by name, the rest as fields of a document."""

    def made(title: str = "An invented trial", text: str = "It was invented.", **given: Any) -> Document:
        identifiers = Identifiers(**{n: given.pop(n) for n in ("pmid", "pmcid", "doi", "nct") if n in given})
        name = given.pop("id", None) or (identifiers.keys() or ("local:one",))[0]
        return Document(id=name, title=title, text=text, identifiers=identifiers, **given)

    return made


@pytest.fixture
def lines(tmp_path: Path) -> Callable[[str, Sequence[Mapping[str, Any]]], Path]:
    """Writes records as a JSONL file."""

    def written(name: str, records: Sequence[Mapping[str, Any]]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return path

    return written


@pytest.fixture
def child() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Runs a script in another process, with the embedder of these tests at hand; ended with the test."""
    running: list[subprocess.Popen[str]] = []

    def started(script: str, *arguments: str) -> "subprocess.Popen[str]":
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        running.append(process)
        return process

    yield started
    for process in running:
        process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        process.wait()
