"""`evidencegate library`: add, search, info."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from evidencegate.cli._app import Json, app, commands
from evidencegate.cli._output import Exit, emit_json, guarded, leave, note, write
from evidencegate.cli._progress import progress_bar

library = commands("A local collection of documents, indexed for hybrid search.")
app.add_typer(library, name="library")

Directory = Annotated[str, typer.Option("--library", help="The library's directory, or an object-store URI.")]


@library.command()
def add(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders: PubMed XML, JATS, PDF, JSONL, RIS, …")],
    library: Directory,
    as_json: Json = False,
) -> None:
    """Add or update documents; safe to run again, goes on where it was stopped."""
    with guarded("library add", as_json=as_json):
        from evidencegate.errors import InvalidInput
        from evidencegate.library import Library

        if not any(path.exists() for path in paths):
            raise InvalidInput(f"there is nothing to add: no file or folder {', '.join(map(str, paths))}")
        with progress_bar("documents") as advance:
            added = Library(library).add(paths, progress=advance)
        if as_json:
            emit_json("library add", added.to_json())
        else:
            write(
                f"{added.added} added, {added.updated} updated, {added.deleted} deleted, "
                f"{len(added.skipped)} skipped; {added.documents} documents in {library} "
                f"({added.seconds:.1f} s)"
            )
            for skipped in added.skipped:
                note(f"skipped {skipped.path}: {skipped.reason}")
        if added.skipped:
            leave(Exit.PARTIAL if added.documents else Exit.FAILED)


@library.command()
def search(
    query: Annotated[str, typer.Argument(help="Plain words; no query syntax.")],
    library: Directory,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many documents.")] = 10,
    mode: Annotated[Literal["hybrid", "bm25", "vector"], typer.Option(help="Which index.")] = "hybrid",
    year_from: Annotated[int | None, typer.Option(help="Not older than this year.")] = None,
    year_to: Annotated[int | None, typer.Option(help="Not newer than this year.")] = None,
    publication_type: Annotated[list[str] | None, typer.Option(help="Only these publication types.")] = None,
    as_json: Json = False,
) -> None:
    """Search the library."""
    with guarded("library search", as_json=as_json):
        import time

        from evidencegate.library import Filters, Library

        opened = Library(library, create=False)
        filters = Filters(year_from=year_from, year_to=year_to, publication_types=tuple(publication_type or ()))
        started = time.perf_counter()
        hits = opened.search(query, limit=limit, mode=mode, filters=filters)
        milliseconds = (time.perf_counter() - started) * 1000
        if as_json:
            fields = {"hits": [hit.to_json() for hit in hits], "milliseconds": round(milliseconds, 2)}
            emit_json("library search", fields)
            return
        for hit in hits:
            document = hit.document
            write(f"{hit.score:.3f}  {document.title} ({document.year or 'n.d.'})  {document.id}")
        if not hits:
            note("nothing found")


@library.command()
def info(library: Directory, as_json: Json = False) -> None:
    """What is in the library, and in what state."""
    with guarded("library info", as_json=as_json):
        from evidencegate.library import Library

        fields = Library(library, create=False).info().to_json()
        if as_json:
            emit_json("library info", fields)
            return
        write("\n".join(f"{name:<20} {value}" for name, value in fields.items()))
