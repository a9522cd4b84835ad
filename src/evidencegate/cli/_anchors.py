"""`evidencegate anchors`: list, show, check."""

from typing import Annotated

import typer

from evidencegate.cli._app import Json, app, commands
from evidencegate.cli._options import PacksIn
from evidencegate.cli._output import Exit, emit_json, guarded, leave, listed, write

anchors = commands("Curated guidelines and landmark trials, by clinical scenario.")
app.add_typer(anchors, name="anchors")


@anchors.command("list")
def list_(packs: PacksIn = None, as_json: Json = False) -> None:
    """The packs, and how many anchors each has."""
    with guarded("anchors list", as_json=as_json):
        from evidencegate.evidence import load_packs

        loaded = load_packs(packs)
        rows = [
            {"scenario": pack.scenario, "title": pack.title, "anchors": [a.id for a in pack.anchors]}
            for pack in loaded.packs
        ]
        if as_json:
            emit_json("anchors list", {"packs": rows})
            return
        write("\n".join(f"{row['scenario']:<36} {len(row['anchors']):>3}  {row['title']}" for row in rows))


@anchors.command()
def show(
    name: Annotated[str, typer.Argument(help="A scenario, or the id of one anchor.")],
    packs: PacksIn = None,
    as_json: Json = False,
) -> None:
    """One pack or one anchor, with what is known of it and how it was confirmed."""
    with guarded("anchors show", as_json=as_json):
        from evidencegate.evidence import load_packs

        shown = load_packs(packs).find(name)
        fields = [anchor.to_json() for anchor in shown]
        if as_json:
            emit_json("anchors show", {"anchors": fields})
            return
        for anchor in fields:
            write(listed(anchor))
            write("")


@anchors.command()
def check(packs: PacksIn = None, as_json: Json = False) -> None:
    """Validate every pack: identifiers, stored addresses, dates, figures with a source."""
    with guarded("anchors check", as_json=as_json):
        from evidencegate.evidence import check_packs

        problems = check_packs(packs)
        if as_json:
            emit_json("anchors check", {"problems": list(problems), "ok": not problems})
        else:
            write("\n".join(problems) or "all packs are valid")
        if problems:
            leave(Exit.FAILED)
