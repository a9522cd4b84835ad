"""Text out of replies: without tags, entities and characters that cannot be written down again."""

import html
import json
import re

from evidencegate.documents.readers._build import resolved

# Bounded, as every pattern here: a reply full of beginnings without an end costs no more to read than another.
_BLOCK = re.compile(
    r"<\s{0,9}/?\s{0,9}(?:[a-z]{1,9}:)?(?:p|br|div|h[1-6]|li|list|list-item|disp-formula|sec|title|tr|td|th)\b[^<>]*>",
    re.IGNORECASE,
)
# TeX beside a formula is a program for a typesetter, no text of the article.
_TEX = re.compile(
    r"<((?:[a-z]+:)?(?:tex-math|annotation))\b(?:[^<>]*/>|[^<>]*>.*?(?:</\1\s*>|$))", re.IGNORECASE | re.DOTALL
)
# A tag starts with a letter right after `<`; `p<0.05` and `a < b` are text.
_TAG = re.compile(r"</?[a-zA-Z][\w:.-]*(?:\s[^<>]*)?/?>|<!\w[^<>]*>|<\?[^<>]*\?>")
_UNSEEN = re.compile(r"<(script|style|head)\b[^>]*>.*?(?:</\1\s*>|$)|<!--.*?(?:-->|$)", re.IGNORECASE | re.DOTALL)
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_SPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """`text` without control characters and lone surrogates, which JSON and HTML may smuggle in."""
    return _UNWRITABLE.sub("", text)


def plain(markup: str) -> str:
    """One line of text from a little markup: tags dropped, entities resolved, white space made single.

    What had been escaped twice is resolved twice.
    """
    text = _TAG.sub("", _BLOCK.sub(" ", _TEX.sub(" ", markup)))
    return _SPACE.sub(" ", clean(resolved(html.unescape(text)))).strip()


def page_words(page: str) -> str:
    """What a reader would see of an error page, or of the message inside an error object; for quoting in a reason."""
    if page.lstrip().startswith("{"):
        try:
            error = json.loads(page)
        except (ValueError, RecursionError):
            error = {}
        names = ("message", "errMsg", "error", "detail")
        message = next((error[name] for name in names if isinstance(error.get(name), str)), None)
        if message is not None:
            return plain(message)
    return plain(_UNSEEN.sub(" ", page[:4096]))
