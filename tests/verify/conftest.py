"""An invented article and readers that say what a test wants."""

from collections.abc import Callable, Sequence

import pytest

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.models.stance import Stance

TEXT = (
    "We enrolled 1,000 patients with atrial fibrillation. Tavaxin reduced stroke compared with placebo "
    "(HR 0.72, 95% CI 0.61 to 0.85; P<0.001). Mortality was 12% with tavaxin and 15% with placebo. "
    "Major bleeding did not differ between groups.\n\n"
    "Patients received 100 mg tavaxin daily for 12 weeks. It is unclear whether tavaxin improves cognition. "
    "Quality of life was not assessed."
)


@pytest.fixture
def article() -> Document:
    """An invented trial of an invented drug."""
    return Document(
        id="pmid:11111111",
        title="Tavaxin for the prevention of stroke in atrial fibrillation: an invented trial",
        text=TEXT,
        identifiers=Identifiers(pmid="11111111"),
        authors=("Miller A", "Okafor B"),
        journal="Journal of Invented Trials",
        year=2020,
    )


@pytest.fixture
def retracted() -> Document:
    """The same, withdrawn."""
    return Document(
        id="pmid:22222222",
        title="Tavaxin, withdrawn",
        text=TEXT,
        identifiers=Identifiers(pmid="22222222"),
        authors=("Miller A",),
        year=2019,
        notices=(Notice(status=RetractionStatus.RETRACTED, source="pubmed"),),
    )


Reader = Callable[[Sequence[tuple[str, str]]], list[Stance]]


@pytest.fixture
def says() -> Callable[[float, float], Reader]:
    """A reader that says the same of every pair."""

    def make(supports: float, refutes: float) -> Reader:
        stance = Stance(supports, refutes, 1.0 - supports - refutes, reader="scripted")
        return lambda pairs: [stance] * len(pairs)

    return make
