"""What the tests of the pages share: a reader of pages, forms filled in as a browser does, and runs that have ended."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from evidencegate.library import Library
from evidencegate.web import WebSettings, create_app

HTML = {"accept": "text/html,application/xhtml+xml"}
VOID = frozenset({"meta", "link", "input", "br", "img", "path", "rect"})
ARTICLES = [
    {
        "id": "a",
        "pmid": "900000001",
        "title": "Apixaban and bleeding in atrial fibrillation with kidney disease: an invented cohort",
        "abstract": (
            "We followed 9,800 patients with atrial fibrillation and chronic kidney disease. Apixaban reduced major "
            "bleeding compared with warfarin in patients with atrial fibrillation and chronic kidney disease (HR 0.71, "
            "95% CI 0.60-0.84). Stroke was less frequent with apixaban."
        ),
        "authors": ["Invented A", "Invented B"],
        "journal": "Invented Nephrology",
        "year": 2023,
    },
    {
        "id": "b",
        "pmid": "900000002",
        "title": "No difference in bleeding between apixaban and warfarin on dialysis: an invented trial",
        "abstract": (
            "In this trial of 154 patients with atrial fibrillation and chronic kidney disease, apixaban did not "
            "reduce major bleeding compared with warfarin (HR 1.20, 95% CI 0.63-2.30). The trial was stopped early."
        ),
        "authors": ["Invented C"],
        "journal": "Journal of Invented Trials",
        "year": 2022,
        "publication_types": ["Randomized Controlled Trial"],
    },
]
CHECKED = {
    "text": "Zelfaban reduced major bleeding compared with warfarin (HR 0.52). Patients preferred zelfaban.",
    "source_text": "In this invented trial, zelfaban reduced major bleeding compared with warfarin (HR 0.62).",
}
CLAIM = "Apixaban reduces major bleeding compared with warfarin in atrial fibrillation and chronic kidney disease."
COMPARED = "In patients with atrial fibrillation and chronic kidney disease, is apixaban safer than warfarin?"


class Page(HTMLParser):
    """A page taken apart: its elements with their attributes and text, and whether every tag is closed."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[int] = []
        self.unclosed: list[str] = []
        self.feed(source)
        self.close()
        self.unclosed += [self.elements[n][0] for n in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}, []))
        if tag not in VOID:
            self._open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}, []))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self.elements[self._open[-1]][0] == tag:
            self._open.pop()
        else:
            self.unclosed.append(tag)

    def handle_data(self, data: str) -> None:
        for n in self._open:
            self.elements[n][2].append(data)

    def all(self, tag: str, **attributes: str) -> list[tuple[dict[str, str], str]]:
        """Attributes and text of every element of that name which has these attributes."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            (found, "".join(text))
            for name, found, text in self.elements
            if name == tag and all(found.get(key) == value for key, value in wanted.items())
        ]

    def one(self, tag: str, **attributes: str) -> tuple[dict[str, str], str]:
        """The only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes, _ in self.elements if "id" in attributes]


def get(client: TestClient, path: str, status: int = 200) -> Page:
    """The page at `path`, taken apart."""
    response = client.get(path, headers=HTML)
    assert response.status_code == status, response.text[:2000]
    return Page(response.text)


def token(client: TestClient) -> str:
    """What every form of this client's pages carries."""
    return get(client, "/").all("input", name="csrf_token")[0][0]["value"]


def send(client: TestClient, path: str, fields: Mapping[str, Any], **others: Any) -> Any:
    """A form sent as its page would send it."""
    data = {"csrf_token": token(client), **fields}
    return client.post(path, data=data, headers=HTML, follow_redirects=False, **others)


def understood(client: TestClient, question: str, **fields: Any) -> dict[str, Any]:
    """What the form of the second step holds after the first."""
    page = Page(send(client, "/", {"question": question, "step": "read", **fields}).text)
    form: dict[str, Any] = {"question": question, "read_as": page.one("input", name="read_as")[0]["value"]}
    for attributes, _ in page.all("input", type="text"):
        form[attributes["name"]] = attributes["value"]
    for name in ("disease", "decision", "library", "source"):
        boxes = [a for a, _ in page.all("input", type="checkbox", name=name) if "checked" in a]
        form[name] = [box["value"] for box in boxes]
    for name in ("main_disease", "main_decision"):
        start = next(n for n, (tag, a, _) in enumerate(page.elements) if tag == "select" and a.get("name") == name)
        options = [a for tag, a, _ in page.elements[start + 1 :] if tag == "option"]
        form[name] = next((a["value"] for a in options if "selected" in a), options[0]["value"])
    return form


def ended(client: TestClient, response: Any) -> str:
    """The path of a run that a form began, once it has ended."""
    assert response.status_code == 303, response.text[:3000]
    path = str(response.headers["location"].partition("?")[0])
    assert "event: end" in client.get(f"{path}/events").text  # the stream ends with the run
    return path


def result_of(client: TestClient, path: str) -> Any:
    """The `--json` object of a run."""
    response = client.get(f"{path}/export.json")
    assert response.status_code == 200, response.text
    return response.json()


@dataclass(frozen=True)
class Site:
    """A server with a small library, and a run of every kind that somebody asked for through its forms."""

    client: TestClient
    runs: dict[str, str]
    """Kind to path."""

    def page(self, kind: str) -> Page:
        """The page of the run of that kind."""
        return get(self.client, self.runs[kind])


@contextmanager
def opened_site(folder: Path) -> Iterator[Site]:
    """The server, while inside."""
    (folder / "articles.jsonl").write_text("\n".join(map(json.dumps, ARTICLES)), "utf-8")
    Library(folder / "shelf").add([folder / "articles.jsonl"])
    settings = WebSettings.of(
        libraries=[folder / "shelf"], state_dir=folder / "state", offline=True, posts_per_minute=100_000
    )
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8765") as client:
        forms = {
            "ask": ("/", {**understood(client, COMPARED, library=["shelf"]), "step": "search"}),
            "check": ("/check", CHECKED),
            "counter": ("/counter", {"text": CLAIM, "library": ["shelf"]}),
            "report": (
                "/report",
                {"topic": COMPARED, "planned_for": COMPARED, "outline": "Bleeding\nStroke", "library": ["shelf"]}
                | {"step": "write"},
            ),
        }
        begun = {kind: send(client, path, fields) for kind, (path, fields) in forms.items()}
        yield Site(client, {kind: ended(client, response) for kind, response in begun.items()})
