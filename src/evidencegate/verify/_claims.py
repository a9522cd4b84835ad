"""Atomic claims of a text, by rules: which sentences state facts, and which facts each states."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from evidencegate.documents import Kind, Span, Token, sentences, tokens
from evidencegate.verify._lexicon import lexicon, words
from evidencegate.verify._types import Claim, Severity

# Below this many words a part of a sentence is no statement of its own.
SHORTEST_PART = 3
# A longer sentence is a list or a table that lost its breaks, and is left whole.
LONGEST_PARTED = 400
# What a sentence may open with that is no part of what it states: list marks, headings, block quotes.
_LEAD = re.compile(r"\s*(?:[-*+•>]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)*")
_REFERENCE_ENTRY = re.compile(
    r"(?:\[\d+\]|\d{1,3}\.)?\s*[A-Z][\w'’-]+(?:\s+[A-Z]{1,3}\b|,\s+[A-Z]\.).{0,300}?\b(?:19|20)\d{2}\b.{0,60}?[;:]\s*\d"
    r"|(?:(?:\[\d+\]|\d{1,3}[.)])\s+|[A-Z][\w'’-]+,?\s+[A-Z]{1,3}\b[.,])"
    r".{5,}?\b(?:doi\s*:|https?://doi\.org/|PMID\s*:)\s*\S+\s*$",
    re.DOTALL,
)


def claims(text: str, *, skip: Sequence[Span] = (), marks: Sequence[Span] = ()) -> tuple[Claim, ...]:
    """The atomic factual statements of `text`, in order; each is a literal slice of it.

    `skip` are stretches that state nothing themselves, such as a reference list; `marks` are citations, which stay
    in `text` and are blank in `statement`.

    Questions, headings, entries of a reference list and sentences about the text itself give none. Coordinated
    clauses are parted where the second has its own verb; its subject is carried over into `statement`, numbers
    and negations stay where they are. Time is linear in the length of the text.
    """
    found: list[Claim] = []
    skip = [*skip, *(Span(*line.span()) for line in re.finditer(r"^.+$", text, re.MULTILINE) if _is_entry(line[0]))]
    bare = blanked(text, marks)
    for index, span in enumerate(sentences(text)):
        if any(span.overlaps(stretch) for stretch in skip) or not factual(span.of(bare)):
            continue
        for part, subject in parts(bare, span):
            statement = f"{subject} {part.of(bare)}" if subject else part.of(bare)
            found.append(make_claim(len(found), part.of(text), statement, part, index))
    return tuple(found)


def blanked(text: str, marks: Sequence[Span]) -> str:
    """The text with `marks` made blank, every offset kept."""
    pieces = list(text)
    for mark in marks:
        pieces[mark.start : mark.end] = " " * len(mark)
    return "".join(pieces)


def make_claim(number: int, text: str, statement: str, span: Span, sentence: int, *, rephrased: bool = False) -> Claim:
    """A claim with its id and severity."""
    return Claim(
        id=f"c{number + 1}",
        text=text,
        statement=statement,
        span=span,
        sentence=sentence,
        severity=severity(text),
        rephrased=rephrased,
    )


def _is_entry(line: str) -> bool:
    """Whether a line is an entry of a reference list, wherever it stands."""
    return len(line) < 1_000 and _REFERENCE_ENTRY.match(line.strip("*_ \t")) is not None


def factual(sentence: str) -> bool:
    """Whether a sentence states a fact that evidence could bear on."""
    if sentence.lstrip().startswith(("#", "|", "```", "===", "---", "<!--")):
        return False
    body = sentence[len(_LEAD.match(sentence)[0]) :].strip() if _LEAD.match(sentence) else sentence.strip()  # type: ignore[index]
    plain = body.strip("*_ ")
    if plain.endswith(("?", ":")):
        return False
    said = [token for token in tokens(plain) if token.kind is Kind.WORD]
    if len(said) < 2 or (len(said) < 3 and not any(t.kind is Kind.NUMBER for t in tokens(plain))):
        return False
    if len(said) < 9 and not plain.endswith((".", "!", ")", "]", "”", '"', ";")) and not _has_verb(said):
        return False
    return not any(pattern.match(plain) for pattern in _not_factual())


def severity(text: str) -> Severity:
    """How much hangs on a claim, from its own words."""
    for level, patterns in _severities():
        if any(pattern.search(text) for pattern in patterns):
            return level
    return Severity.LOW


def parts(text: str, sentence: Span) -> Iterator[tuple[Span, str]]:
    """The statements of one sentence: the span of each, and the subject it borrows (empty if it has its own)."""
    body = _body(text, sentence)
    inside = tokens(body.of(text))
    cuts = list(_cuts(inside, body.of(text))) if len(inside) <= LONGEST_PARTED else []
    start = 0
    subject = ""
    borrowed = ""
    for end, resume, needs_subject in [*cuts, (len(body), len(body), False)]:
        piece = _trimmed(text, Span(body.start + start, body.start + end))
        if len(piece):
            yield piece, borrowed
        if not start:
            subject = _subject(inside, body.of(text), end)
        borrowed = subject if needs_subject else ""
        start = resume


def _body(text: str, sentence: Span) -> Span:
    lead = _LEAD.match(sentence.of(text))
    start = sentence.start + (len(lead[0]) if lead else 0)
    return _trimmed(text, Span(min(start, sentence.end), sentence.end)) if start < sentence.end else sentence


def _trimmed(text: str, span: Span) -> Span:
    piece = span.of(text)
    core = piece.strip(" \t\r\n,;")
    if not core:
        return Span(span.start, span.start)
    left = span.start + piece.index(core)
    return Span(left, left + len(core))


def _cuts(inside: tuple[Token, ...], body: str) -> Iterator[tuple[int, int, bool]]:
    """Where a sentence falls apart: end of the one part, begin of the next, whether that borrows the subject."""
    depth = 0
    last = 0
    for i, token in enumerate(inside):
        depth += (token.text in "([") - (token.text in ")]") if token.kind is Kind.SYMBOL else 0
        if depth > 0 or i < SHORTEST_PART:
            continue
        if token.text == ";" or token.folded in words("claims", "joints"):
            after = i + 1
        else:
            continue
        if token.text == ";" and after < len(inside) and inside[after].folded in words("claims", "joints"):
            after += 1
        rest, before = inside[after:], inside[last:i]
        if not _has_verb(_reported(before)) or len(rest) < SHORTEST_PART or len(before) < SHORTEST_PART:
            continue
        opening = "verb" if _parallel(before, rest[0]) else _opening(rest)
        comma = i > 0 and inside[i - 1].text == ","
        if opening == "verb" and _verb_before(before) and token.folded != "or":
            yield token.start, rest[0].start, True
        elif opening == "clause" and (comma or token.text == ";" or token.folded in ("whereas", "but", "while")):
            yield token.start, rest[0].start, False
        else:
            continue
        last = after


def _reported(before: tuple[Token, ...]) -> tuple[Token, ...]:
    """What stands after the last "that": in "showed that A, B and C fell" the list is no clause yet."""
    at = max((i for i, token in enumerate(before) if token.folded == "that"), default=-1)
    return before[at + 1 :] or before


def _opening(rest: tuple[Token, ...]) -> str:
    """`verb`: goes on with a verb; `clause`: has a subject and then a verb; else empty."""
    verbs = words("claims", "verbs")
    ahead = rest[:14]
    skip = 0
    while skip < len(ahead) - 1 and ahead[skip].folded in words("claims", "before_verb"):
        skip += 1
    if any(token.folded in ("did", "does", "do") for token in ahead[:skip]):
        return "verb"  # after an auxiliary, whatever it is
    # "lower mortality" and "cause of death" open with what only looks like a verb.
    if ahead[skip].folded in verbs and _surely_verb(ahead[skip], ahead[skip + 1 :]):
        return "verb"
    for position, token in enumerate(ahead):
        if token.kind is Kind.SYMBOL and token.text in ",;()":
            return ""
        if position and token.folded in verbs and _surely_verb(token, ahead[position + 1 :]):
            return "clause"
    return ""


_AMBIGUOUS = frozenset(
    [
        "lower",
        "cause",
        "results",
        "report",
        "need",
        "cost",
        "lead",
        "show",
        "increase",
        "decrease",
        "reduce",
        "raise",
        "increased",
        "decreased",
        "reduced",
        "improved",
        "used",
        "compared",
        "reports",
        "costs",
        "plays",
        "works",
        "uses",
        "lies",
    ]
)
_AFTER_VERB = frozenset(
    [
        "the",
        "a",
        "an",
        "its",
        "their",
        "by",
        "in",
        "to",
        "from",
        "with",
        "no",
        "mortality",
        "risk",
        "both",
        "all",
        "and",
    ]
)


def _surely_verb(token: Token, following: tuple[Token, ...]) -> bool:
    """Participles and nouns that look like verbs count only where an object with an article, or an adverb, follows."""
    if token.folded not in _AMBIGUOUS:
        return True
    return bool(following) and (following[0].folded in _AFTER_VERB or following[0].folded.endswith("ly"))


def _parallel(before: tuple[Token, ...], token: Token) -> bool:
    """`reduced strokes and increased bleeds`: a past tense after a past tense that no auxiliary makes a participle."""
    verbs = words("claims", "verbs")
    first = next((t for t in before[1:] if t.folded in verbs), None)
    return first is not None and all(t.folded in verbs and t.folded.endswith("ed") for t in (first, token))


def _has_verb(said: tuple[Token, ...] | list[Token]) -> bool:
    return any(token.folded in words("claims", "verbs") for token in said)


def _verb_before(before: tuple[Token, ...]) -> bool:
    """Whether the first part has a subject before its verb, which the second may borrow."""
    verbs = words("claims", "verbs")
    first = next((i for i, token in enumerate(before) if token.folded in verbs), 0)
    return first > 0


def _subject(inside: tuple[Token, ...], body: str, end: int) -> str:
    """What stands before the first verb."""
    verbs = words("claims", "verbs")
    for i, token in enumerate(inside):
        if token.start >= end:
            break
        if i and token.folded in verbs:
            return body[: token.start].strip(" ,;")
    return ""


@cache
def _not_factual() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in lexicon("claims")["not_factual"]["begins"])


@cache
def _severities() -> tuple[tuple[Severity, tuple[re.Pattern[str], ...]], ...]:
    table = lexicon("claims")["severity"]
    return tuple(
        (level, tuple(re.compile(pattern, re.IGNORECASE) for pattern in table[level.value]))
        for level in (Severity.HIGH, Severity.MEDIUM)
    )
