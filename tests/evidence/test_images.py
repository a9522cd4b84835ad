"""Images: policy, queries, selection, and errors."""

import asyncio
from collections.abc import Sequence

import pytest
from evidence_strategies import make_question

from evidencegate.evidence import Image, ImagePolicy, find_images, image_policy, image_queries, select_images, tag_terms
from evidencegate.question import understand

URL = "https://pmc.ncbi.nlm.nih.gov/articles/PMC1/"


def image(title: str) -> Image:
    return Image(title=title, url=URL, source="open_i", licence="CC BY 4.0")


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("Which anticoagulant in atrial fibrillation?", ImagePolicy.ALGORITHM_ONLY),
        ("How long should antibiotics be given for community-acquired pneumonia?", ImagePolicy.ALGORITHM_ONLY),
        ("Which drug for heart failure, judged by echocardiography?", ImagePolicy.STANDARD),
        ("How is pulmonary embolism diagnosed on CT?", ImagePolicy.STANDARD),
        ("Should a doctor's acting on impact factors treat heart failure?", ImagePolicy.ALGORITHM_ONLY),
    ],
)
def test_management_without_imaging_gets_algorithms_only(text: str, policy: ImagePolicy) -> None:
    assert image_policy(understand(text)) is policy


def test_an_algorithm_must_name_disease_and_decision() -> None:
    question = make_question()
    shown = select_images(
        question,
        [
            image("Algorithm for anticoagulation in atrial fibrillation"),
            image("Algorithm for atrial fibrillation"),
            image("Algorithm for anticoagulation"),
            image("ECG of atrial fibrillation with anticoagulation algorithm"),
            image("Anticoagulation in atrial fibrillation"),
        ],
    )
    assert [i.title for i in shown] == ["Algorithm for anticoagulation in atrial fibrillation"]


def test_other_questions_get_images_of_the_disease() -> None:
    question = make_question("How is atrial fibrillation diagnosed?", ("AF",), ("diagnosis",))
    shown = select_images(question, [image("Atrial fibrillation on an ECG"), image("A fractured wrist")])
    assert [i.title for i in shown] == ["Atrial fibrillation on an ECG"]
    assert len(select_images(question, [image(f"Atrial fibrillation {n}") for n in range(9)])) == 4


def test_queries_use_the_words_of_the_vocabulary() -> None:
    queries = image_queries(make_question())
    assert queries[0] == "atrial fibrillation anticoagulation algorithm"
    assert tag_terms("CAP")[0] == "community-acquired pneumonia"
    assert tag_terms("a rare condition of its own") == ()
    assert image_queries(make_question("x", (), ("interaction",))) == ()


def test_an_image_without_source_licence_or_address_cannot_be_made() -> None:
    for change in ({"title": " "}, {"source": ""}, {"licence": ""}, {"url": "https://www.google.com/search?q=x"}):
        with pytest.raises(ValueError, match=r"image"):
            Image(**{"title": "t", "url": URL, "source": "open_i", "licence": "CC BY", **change})


def test_an_error_gives_no_images_at_all() -> None:
    question = make_question("How is atrial fibrillation diagnosed?", ("AF", "CKD"), ("diagnosis",))
    calls: list[str] = []

    async def fetch(query: str) -> Sequence[Image]:
        calls.append(query)
        if len(calls) > 1:
            raise TimeoutError
        return [image("Atrial fibrillation on an ECG")]

    assert asyncio.run(find_images(question, fetch)) == ()

    async def works(query: str) -> Sequence[Image]:
        return [image("Atrial fibrillation on an ECG")]

    assert len(asyncio.run(find_images(question, works))) == 1
