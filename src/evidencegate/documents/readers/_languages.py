"""Language codes in one form."""

# The codes MEDLINE uses for nearly all of its records (ISO 639-2/B), as ISO 639-1.
# fmt: off
_SHORT = {
    "eng": "en", "fre": "fr", "fra": "fr", "ger": "de", "deu": "de", "spa": "es", "ita": "it", "por": "pt",
    "chi": "zh", "zho": "zh", "jpn": "ja", "rus": "ru", "pol": "pl", "dut": "nl", "nld": "nl", "kor": "ko",
    "tur": "tr", "hun": "hu", "cze": "cs", "ces": "cs", "dan": "da", "swe": "sv", "nor": "no", "fin": "fi",
    "heb": "he", "ukr": "uk", "rum": "ro", "ron": "ro", "hrv": "hr", "srp": "sr", "slo": "sk", "slk": "sk",
    "slv": "sl", "bul": "bg", "gre": "el", "ell": "el", "per": "fa", "fas": "fa", "ara": "ar", "cat": "ca",
    "ice": "is", "isl": "is", "est": "et", "lit": "lt", "lav": "lv",
}
# fmt: on


def language(code: str | None) -> str:
    """`en` from `eng`, `EN` or `en-GB`; a code without a two-letter form stays; empty for None."""
    short = (code or "").strip().lower().replace("_", "-").split("-")[0]
    return _SHORT.get(short, short)
