"""A number is proved by what the source counts with it, and by nothing else. The sentences are invented."""

import pytest

from evidencegate.documents import Document
from evidencegate.verify import Agreement, Verdict, check, compare

SAME, DIFFERS, SWAPPED = Agreement.SAME, Agreement.DIFFERS, Agreement.SWAPPED
UNBOUND, NOT_FOUND = Agreement.UNBOUND, Agreement.NOT_FOUND
WITHDRAWALS = (
    "Withdrawals were commoner with placebo (27%) and zelfan treatment (16%) than with tavaxin 0.6 mg (11%), "
    "tavaxin 1.2 mg (14%) and tavaxin 1.8 mg (9%)."
)
BEHIND = (
    "Falls were seen in 1 (0.6%) tavaxin versus 15 (8.6%) zelfan versus 39 (22.4%) morulin (p < 0.001), and coughs in "
    "1 (0.7%) tavaxin versus 5 (2.8%) zelfan versus 14 (8.0%) morulin patients (p < 0.001)."
)
ROW = "Sleep was good more often with tavaxin 100 and 300 mg than with placebo (27.3, 32.6 and 17.2%)."
PAIR = "Sleep rose in the tavaxin arm (8.0 h [mean] vs 8.4 h [mean])."
SPRAY = "The rise was 4.06 (95% CI 3.41, 4.71) ng/ml with the capsule and 8.0 (95% CI 6.86, 9.13) ng/ml with the spray."


@pytest.mark.parametrize(
    ("evidence", "swapped"),
    [
        ("Tavaxin led to more falls than zelfan, with more withdrawals on tavaxin (66 vs. 51%).", True),
        ("Withdrawals were more common with tavaxin than with zelfan (66% versus 51%).", True),
        ("Compared with zelfan, more people withdrew on tavaxin (66 vs. 51%).", True),
        ("Withdrawals were rarer with zelfan than with tavaxin (51% versus 66%).", True),
        ("Withdrawals were more common with zelfan than with tavaxin (66% versus 51%).", False),
    ],
)
def test_two_numbers_side_by_side_belong_to_the_groups_in_their_order(evidence: str, swapped: bool) -> None:
    found = compare("Withdrawals were 51% of patients given tavaxin and 66% given zelfan.", evidence)

    assert [one.agreement is Agreement.SWAPPED for one in found] == [swapped, swapped]


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        # the group stands before a number in brackets
        ("Withdrawals were highest with zelfan (27%).", WITHDRAWALS, [SWAPPED]),
        ("Withdrawals were highest with placebo (27%).", WITHDRAWALS, [SAME]),
        ("Of those on tavaxin 1.8 mg 14% withdrew.", WITHDRAWALS, [SAME, SWAPPED]),
        ("Of those on tavaxin 1.8 mg 9% withdrew.", WITHDRAWALS, [SAME, SAME]),
        # numbers side by side, their groups in the same order
        ("Deaths with placebo were 12%.", "Deaths were 12% and 15% in the tavaxin and placebo groups.", [SWAPPED]),
        ("Deaths with placebo were 15%.", "Deaths were 12% and 15% in the tavaxin and placebo groups.", [SAME]),
        ("Deaths with placebo were 12%.", "Deaths were rarer with tavaxin than with placebo (12% vs 15%).", [SWAPPED]),
        (
            "The mean loss was 3.2 kg with placebo.",
            "With tavaxin and placebo the mean loss was 3.2 ± 3.1 kg (P < 0.001) and 1.7 ± 2.3 kg, respectively.",
            [SWAPPED],
        ),
        (
            "The mean loss was 3.2 kg with tavaxin.",
            "With tavaxin and placebo the mean loss was 3.2 ± 3.1 kg (P < 0.001) and 1.7 ± 2.3 kg, respectively.",
            [SAME],
        ),
        # names behind the brackets, more than two of them, the same ones twice
        ("Falls were seen in 8.6% after zelfan.", BEHIND, [SAME]),
        ("Falls were seen in 22.4% after zelfan.", BEHIND, [SWAPPED]),
        ("Falls were seen in 22.4% after morulin.", BEHIND, [SAME]),
        # three numbers in a row, and the doses they are of
        ("Sleep was good in 32.6% with tavaxin 300 mg.", ROW, [SAME, SAME]),
        ("Sleep was good in 27.3% with tavaxin 300 mg.", ROW, [SWAPPED, SAME]),
        ("Sleep was good in 17.2% with placebo.", ROW, [SAME]),
        # a unit behind the interval
        ("The rise was 8.0 ng/ml with the spray.", SPRAY, [SAME]),
        ("The rise was 8.0 ng/ml with the capsule.", SPRAY, [SWAPPED]),
        # two numbers behind the one group that is named; asides between them
        ("Sleep was 8.4 h in the tavaxin arm.", PAIR, [SWAPPED]),
        ("Sleep was 8.0 h in the tavaxin arm.", PAIR, [SAME]),
        # in the order of groups that another sentence names
        ("Falls were 5.6% with tavaxin.", "Falls occurred in 0.8%, 0.9%, 2.2% and 5.6%, respectively.", [UNBOUND]),
        # bounds
        ("A cold was caught by more than half of the nurses.", "A cold was caught by 55.1% of the nurses.", [SAME]),
        ("A cold was caught by more than half of the nurses.", "A cold was caught by 45.1% of the nurses.", [DIFFERS]),
        ("A cold was caught by fewer than 10% of the nurses.", "A cold was caught by 8.6% of the nurses.", [SAME]),
        # a number of those of whom the claim's matter is denied
        ("Tavaxin gave relief in 19.6%.", "Tavaxin gave relief in most. Some had no relief on it (19.6%).", [UNBOUND]),
        # a group that is only told by its letter, or as the other one
        ("Tavaxin left pain in 12% of the treated.", "Pain was left in 12% of group B and 31% of group S.", [UNBOUND]),
        ("Tavaxin left pain in 12% of the treated.", "Pain was left in 12% of those in group B.", [UNBOUND]),
        ("Pain was left in 12% of group B.", "Pain was left in 12% of group B and 31% of group S.", [SAME]),
        ("Cure was 31% with flour.", "Cure was commoner with food than in the other group (68%, 31%).", [UNBOUND]),
        ("Falls were 69% on zelfan.", "Falls were 81%; 69% for tavaxin and 93% for zelfan.", [SWAPPED]),
        # medians, and words for numbers
        (
            "Median survival was 9.8 months with tavaxin.",
            "Median survival was 14.2 months with tavaxin and 9.8 months with placebo.",
            [SWAPPED],
        ),
        (
            "Fifteen percent of those on tavaxin died, 12% on placebo.",
            "Deaths were 12% with tavaxin and 15% with placebo.",
            [SWAPPED, SWAPPED],
        ),
        # parts of a study; the number of all beside those of the groups is nobody else's
        ("Part B took 65 patients.", "In part A 65 patients and in part B 392 patients took part.", [SWAPPED]),
        ("392 were enrolled in part B and 65 in part A.", "In part B 392 patients were enrolled.", [SAME, NOT_FOUND]),
        (
            "392 were enrolled in part B and 65 in part A.",
            "In part B 392 patients were enrolled. They were up to 65 years old.",
            [SAME, UNBOUND],
        ),
        (
            "57 people were assigned to control or exercise.",
            "57 people were assigned to control (n = 19) or exercise (n = 38).",
            [SAME],
        ),
        # a number of another matter
        ("Nausea befell 12%.", "Nausea befell some. Twelve (12%) moved house.", [UNBOUND]),
        # other studies
        ("The response rate was 21%.", "In an earlier study the response rate was 26%.", [NOT_FOUND]),
        ("The response rate was 21%.", "Here it was 26%. Lee et al. saw a response rate of 21%.", [UNBOUND]),
        ("Lee et al. saw a response rate of 21%.", "Lee et al. saw a response rate of 21%.", [SAME]),
        ("Part A had a response rate of 21%.", "Part B had a response rate of 26%.", [NOT_FOUND]),
        # units
        ("Glucose fell by 1.6 mg/dl by week 26.", "Glucose fell by 1.6 mmol/l by week 26.", [DIFFERS, SAME]),
        ("Fasting glucose was 126 mg/dL.", "Fasting glucose was 7.0 mmol/L.", [SAME]),
        ("LDL cholesterol was 100 mg/dL.", "LDL cholesterol was 2.6 mmol/L.", [SAME]),
        ("LDL cholesterol was 47 mg/dL.", "LDL cholesterol was 2.6 mmol/L.", [DIFFERS]),
        ("The dose was 0.6 mg of tavaxin.", "Tavaxin was given in a dose of 0.6, 1.2 or 1.8 mg.", [SAME]),
        ("Mean age was 50 years.", "Mean age was 50.3 ± 10.6 years.", [SAME]),
        # shares in words
        ("Nine in ten patients liked tavaxin.", "Tavaxin was liked by 90.6% of patients.", [SAME]),
        ("A third of patients liked tavaxin.", "Tavaxin was liked by 34.4% of patients.", [SAME]),
        ("A third of patients liked tavaxin.", "Tavaxin was liked by 54.4% of patients.", [DIFFERS]),
    ],
)  # fmt: skip
def test_a_number_is_what_it_counts(claim: str, evidence: str, expected: list[Agreement]) -> None:
    assert [finding.agreement for finding in compare(claim, evidence)] == expected


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("In part B 392 patients were enrolled and 65 in part A.", Verdict.UNCERTAIN),
        ("Those on tavaxin had a median survival of 9.8 months.", Verdict.INCORRECT),
        ("Each treatment went on for 12 months.", Verdict.INCORRECT),
        ("Patients were given 100 g of tavaxin daily.", Verdict.INCORRECT),
        ("Patients were given 100 mg of tavaxin daily.", Verdict.CORRECT),
        ("Of the patients in part B 392 were enrolled.", Verdict.CORRECT),
    ],
)
def test_numbers_decide_where_a_reader_is_of_two_minds(claim: str, verdict: Verdict, says) -> None:  # type: ignore[no-untyped-def]
    text = (
        "In part B 392 patients were enrolled. Each treatment went on for 12 weeks. Patients were given 100 mg of "
        "tavaxin daily. Median survival was 14.2 months with tavaxin and 9.8 months with placebo."
    )
    supports = 0.9 if verdict is not Verdict.INCORRECT else 0.4

    (found,) = check(claim, Document(id="local:a", title="", text=text), reader=says(supports, 0.05)).claims

    assert found.verdict is verdict


def test_what_was_told_once_is_found_in_another_place_of_the_article(says) -> None:  # type: ignore[no-untyped-def]
    told = "The trial enrolled 200 patients with gout.\n\nNurses took part in this invented trial. "
    text = told + "It lasted long. " * 30 + "\n\nTavaxin eased the pain of gout."

    for count, verdict in ((200, Verdict.CORRECT), (300, Verdict.UNCERTAIN)):
        claim = f"Tavaxin eased the pain of {count} patients with gout."
        (found,) = check(claim, Document(id="local:a", title="", text=text), reader=says(0.97, 0.01)).claims

        assert found.verdict is verdict


def test_the_numbers_of_a_table_are_compared_by_value_alone() -> None:
    rows = [f"{number}% on drug {number}" for number in range(1, 151)]
    table = "Falls were " + ", ".join(rows) + " in this trial."
    claim = "Of all people " + " ".join(f"{number}% fell" for number in range(2, 152)) + "."

    found = compare(claim, table)

    assert [one.agreement for one in found] == [SAME] * 149 + [NOT_FOUND]
