import pytest

from evidencegate.models.stance import Label, Stance, agreement

YES, NO, NOTHING = Stance(0.9, 0.05, 0.05), Stance(0.1, 0.8, 0.1), Stance(0.2, 0.2, 0.6)


def test_kappa_by_hand() -> None:
    # table: yes/yes 2, yes/no 1, no/no 1 -> observed 0.75, chance (3*2 + 1*2) / 16 = 0.5, kappa 0.5
    found = agreement([YES, YES, YES, NO], [YES, YES, NO, NO])
    assert found.share == 0.75
    assert found.kappa == pytest.approx(0.5)
    assert found.table[Label.SUPPORTS][Label.REFUTES] == 1
    assert found.disagreements == (2,)


def test_the_surest_disagreement_comes_first() -> None:
    found = agreement([NOTHING, YES], [YES, NO])
    assert found.disagreements == (1, 0)


def test_one_label_only_is_full_agreement() -> None:
    assert agreement([YES], [YES]).kappa == 1.0


def test_nothing_to_compare() -> None:
    assert agreement([], []).share == 0.0


def test_different_pairs_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="different pairs"):
        agreement([YES], [])
