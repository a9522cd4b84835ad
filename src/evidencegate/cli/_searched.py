"""What a search found, where its run is taken up or made again: searches themselves are asked for over MCP."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate._contract import document
from evidencegate.cli._output import Exit, emit_json, leave, note, write
from evidencegate.errors import InvalidInput

if TYPE_CHECKING:
    from evidencegate._searching import Searched


def present_searched(searched: "Searched", output: Path | None, *, as_json: bool) -> None:
    """Show the records and write them to `output`; leave with the exit code it deserves."""
    fields = searched.to_json()
    if output is not None:
        if output.suffix.lower() != ".json":
            raise InvalidInput(f"cannot write {output.name}: a search is written as .json")
        output.write_text(json.dumps(document("search", fields), ensure_ascii=False, indent=2), encoding="utf-8")
        note(f"written to {output}")
    if as_json:
        emit_json("search", fields)
    else:
        write("\n".join(_lines(fields)))
    for warning in fields["warnings"]:
        note(f"warning: {warning}")
    if fields["partial"]:
        leave(Exit.PARTIAL)


def _lines(fields: Mapping[str, Any]) -> Iterator[str]:
    sufficiency = fields["sufficiency"]
    yield (
        f"{fields['found']} records about it, the best {len(fields['records'])} shown; sufficiency "
        f"{sufficiency['score']:.0f} of 100, {sufficiency['level']}"
    )
    for number, record in enumerate(fields["records"], start=1):
        yield ""
        yield f"{number}. {record['title']}. {record['journal']}. {record['year']}. {record['url']}"
        yield f"   {record['level'].replace('_', ' ')}, relevance {record['score']:g} of 100"
        for passage in record["passages"]:
            yield f"   “{' '.join(passage['text'].split())}”"
