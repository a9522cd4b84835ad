"""Which records of a batch are one, and which of them the library has: identity before storage.

Everything happens in the order in which the records came: a deletion after a record takes it back, a record
after a deletion stands alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from evidencegate.documents import Document, Identifiers
from evidencegate.library._merge import canonical, contradict, identity_keys, merge
from evidencegate.library._store import Stored


@dataclass(slots=True)
class Entry:
    """One work: what the batch brings of it, and what the library has of it."""

    incoming: Document | None = None
    stored: list[Stored] = field(default_factory=list)
    deleted: bool = False
    """What the library has does not count any more."""
    identifiers: Identifiers = field(default_factory=Identifiers)
    keys: set[str] = field(default_factory=set)


class Resolver:
    """Gathers the records of one batch into entries."""

    def __init__(self, stored: Iterable[Stored]) -> None:
        self._by_key: dict[str, Entry] = {}
        for known in stored:
            identifiers = Identifiers.parse(**dict(key.split(":", 1) for key in known.keys))
            entry = Entry(stored=[known], identifiers=identifiers)
            self._name(entry, identity_keys(known.keys, known.document))

    def add(self, document: Document) -> None:
        """A record of the batch: joins the entries it shares an identifier with, where no other contradicts."""
        keys = identity_keys(document.identifiers.keys(), document.id)
        entry = Entry(identifiers=document.identifiers)
        for key in keys:
            other = self._by_key.get(key)
            if other is None or other is entry or contradict(other.identifiers, entry.identifiers):
                continue
            self._join(other, entry)
            entry = other
        entry.incoming = merge(entry.incoming, document) if entry.incoming else canonical(document)
        self._name(entry, keys)

    def delete(self, key: str) -> None:
        """A record that its source has withdrawn."""
        entry = self._by_key.get(key)
        if entry is not None:
            entry.incoming, entry.deleted = None, True

    def __iter__(self) -> Iterator[Entry]:
        """The entries that the batch says something about, each once, in order."""
        seen = {id(entry): entry for entry in self._by_key.values()}
        return (entry for entry in seen.values() if entry.incoming is not None or entry.deleted)

    def _join(self, into: Entry, other: Entry) -> None:
        """`other`, which comes from earlier keys of the same record, becomes part of `into`."""
        into.identifiers = into.identifiers.merge(other.identifiers)
        into.stored += other.stored
        into.deleted = into.deleted and (other.deleted or not other.stored)
        if other.incoming:
            into.incoming = merge(into.incoming, other.incoming) if into.incoming else other.incoming
        self._name(into, other.keys)

    def _name(self, entry: Entry, keys: Iterable[str]) -> None:
        for key in keys:
            owner = self._by_key.get(key)
            # A key that belongs to a contradicting record stays with it.
            if owner is None or owner is entry or not contradict(owner.identifiers, entry.identifiers):
                self._by_key[key] = entry
                entry.keys.add(key)
