"""From a question to an answer: the whole path, once."""

RECORDS = 30
"""Records read of each source for each sub-query."""
