"""Questions: PICO, tags, classification and the searches made of them.

`understand` makes a `Question` of a text by rules and data files. `tags_in` and `tag_document` read records with
the same vocabulary.
"""

from evidencegate.question._abbreviations import abbreviations, common_abbreviations, expand
from evidencegate.question._edits import Edits
from evidencegate.question._fields import classify
from evidencegate.question._json import question_json
from evidencegate.question._matcher import Entry, Matcher
from evidencegate.question._named import Named, named_in
from evidencegate.question._normal import fold, phrase
from evidencegate.question._records import RecordTags, TextTags, tag_document, tags_in, topic_tags
from evidencegate.question._scenarios import scenarios
from evidencegate.question._types import (
    OF_TOGETHER,
    PICO,
    TOGETHER,
    Category,
    Classification,
    Question,
    Role,
    Spelling,
    SubQuery,
    Tag,
    Tags,
    TargetEvidence,
    Treatment,
)
from evidencegate.question._understand import understand
from evidencegate.question._vocabulary import Vocabulary, load_vocabulary, tag, treatment

__all__ = [
    # values
    "OF_TOGETHER",
    "PICO",
    "TOGETHER",
    "Category",
    "Classification",
    "Edits",
    "Named",
    "Question",
    "RecordTags",
    "Role",
    "Spelling",
    "SubQuery",
    "Tag",
    "Tags",
    "TargetEvidence",
    "TextTags",
    "Treatment",
    "Vocabulary",
    # questions
    "abbreviations",
    "classify",
    "common_abbreviations",
    "expand",
    "question_json",
    "scenarios",
    "understand",
    # records
    "named_in",
    "tag_document",
    "tags_in",
    "topic_tags",
    # vocabulary
    "load_vocabulary",
    "tag",
    "treatment",
    # words as the vocabulary compares them
    "Entry",
    "Matcher",
    "fold",
    "phrase",
]
