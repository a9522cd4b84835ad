"""Any sequence of additions and deletions, against a dictionary that says what should be there."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from bag_of_words import Words
from hypothesis import given, settings
from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers
from evidencegate.library import Library

WORKS = st.integers(1, 4)
NAMED_BY = st.sampled_from([("pmid",), ("doi",), ("pmid", "doi")])
ADD = st.tuples(st.just("add"), st.lists(st.tuples(WORKS, NAMED_BY), min_size=1, max_size=4))
DELETE = st.tuples(st.just("delete"), st.tuples(WORKS, st.sampled_from(["pmid", "doi"])))


def _keys(work: int, named_by: tuple[str, ...]) -> dict[str, str]:
    every = {"pmid": str(work), "doi": f"10.1000/{work}"}
    return {name: every[name] for name in named_by}


@dataclass
class Model:
    """Works as sets of keys with the word of their newest text."""

    works: list[tuple[set[str], str]] = field(default_factory=list)

    def add(self, keys: set[str], word: str) -> None:
        same = [known for known in self.works if known[0] & keys]
        self.works = [known for known in self.works if known not in same]
        self.works.append((keys.union(*(known[0] for known in same)), word))

    def delete(self, key: str) -> int:
        kept = [known for known in self.works if key not in known[0]]
        gone, self.works = len(self.works) - len(kept), kept
        return gone


@settings(max_examples=12)
@given(st.lists(st.one_of(ADD, ADD, DELETE), min_size=1, max_size=6))
def test_the_library_holds_what_the_model_holds(steps: list[tuple[str, object]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        library, model, number = Library(Path(folder) / "library", embedder=Words()), Model(), 0
        for what, given_ in steps:
            if what == "add":
                documents = []
                for work, named_by in given_:  # type: ignore[attr-defined]
                    number += 1
                    word = f"revision{number}x"
                    identifiers = Identifiers(**_keys(work, named_by))
                    documents.append(
                        Document(id=identifiers.keys()[0], title=f"Work {work}", text=word, identifiers=identifiers)
                    )
                    model.add(set(identifiers.keys()), word)
                library.add_documents(documents)
            else:
                work, name = given_  # type: ignore[misc]
                key = f"{name}:{_keys(work, (name,))[name]}"
                assert library.delete(key) == model.delete(key)
            reader = Library(library.path, create=False, embedder=Words())
            assert {(frozenset(d.identifiers.keys()), d.text) for d in reader.iterate()} == {
                (frozenset(keys), word) for keys, word in model.works
            }
        words = {word for _, word in model.works}
        for revision in range(1, number + 1):
            found = {hit.document.text for hit in library.search(f"revision{revision}x", mode="bm25")}
            assert found == {f"revision{revision}x"} & words
