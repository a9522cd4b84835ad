"""`evidencegate doctor`: what works here, and what to do about the rest."""

from typing import Any

from evidencegate.cli._app import Json, app
from evidencegate.cli._output import Exit, emit_json, guarded, leave, write


@app.command()
def doctor(as_json: Json = False) -> None:
    """Check the installation: optional parts, models, anchor packs, settings."""
    with guarded("doctor", as_json=as_json):
        checks = [*_extras(), _packs(), *_models()]
        if as_json:
            emit_json("doctor", {"checks": checks, "ok": all(c["ok"] or c["optional"] for c in checks)})
        else:
            for check in checks:
                mark = "ok     " if check["ok"] else ("absent " if check["optional"] else "BROKEN ")
                write(f"{mark} {check['name']:<24} {check['detail']}")
        if any(not c["ok"] and not c["optional"] for c in checks):
            leave(Exit.FAILED)


def _check(name: str, ok: bool, detail: str, *, optional: bool = False) -> dict[str, Any]:
    return {"name": name, "ok": ok, "optional": optional, "detail": detail}


def _extras() -> list[dict[str, Any]]:
    from importlib.util import find_spec

    needs = {
        "models": ("numpy", "onnxruntime", "tokenizers"),
        "library": ("lancedb", "pyarrow"),
        "pdf": ("pypdf", "docx", "typst"),
        "llm": ("pydantic_ai",),
        "web": ("fastapi", "python_multipart", "uvicorn"),
        "mcp": ("mcp",),
    }
    rows = []
    for extra, modules in needs.items():
        missing = [module for module in modules if find_spec(module) is None]
        detail = f'pip install "evidencegate[{extra}]" adds {", ".join(missing)}' if missing else "installed"
        rows.append(_check(f"extra {extra}", not missing, detail, optional=True))
    return rows


def _packs() -> dict[str, Any]:
    from evidencegate.evidence import check_packs, load_packs

    problems = check_packs(None)
    count = sum(len(pack.anchors) for pack in load_packs(None).packs)
    return _check("anchor packs", not problems, "; ".join(problems) or f"{count} anchors, all valid")


def _models() -> list[dict[str, Any]]:
    from evidencegate.errors import EvidenceGateError, MissingExtra
    from evidencegate.models.embedding import default_embedder
    from evidencegate.models.stance import default_model

    rows = []
    for name, load in (("embedder", default_embedder), ("stance model", default_model)):
        try:
            rows.append(_check(name, True, load().name))
        except MissingExtra as error:
            rows.append(_check(name, False, str(error), optional=True))
        except EvidenceGateError as error:
            rows.append(_check(name, False, str(error)))
    return rows
