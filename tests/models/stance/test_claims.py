import pytest

from evidencegate.models.stance._claims import split_claim


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        ("Zelmorin lowers pain", ("Zelmorin lowers pain",)),
        (
            "Macrolides do NOT interact with statins and do NOT increase statin exposure or myopathy risk",
            (
                "Macrolides do NOT interact with statins",
                "Macrolides do NOT increase statin exposure or myopathy risk",
            ),
        ),
        (
            "Zelmorin was safe in adults; it did not prolong the QT interval",
            ("Zelmorin was safe in adults", "it did not prolong the QT interval"),
        ),
        ("Pain and sleep were better with zelmorin", ("Pain and sleep were better with zelmorin",)),
        ("Yes; no", ("Yes; no",)),
    ],
)
def test_facts_are_parted(claim: str, parts: tuple[str, ...]) -> None:
    assert split_claim(claim) == parts
