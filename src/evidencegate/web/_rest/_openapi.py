"""The description of the API (OpenAPI 3.1), with the shape of a problem and how to sign in."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from evidencegate._contract import schema_of
from evidencegate.web._problems import TYPES

_LICENSE = {"name": "Apache-2.0", "identifier": "Apache-2.0"}
_COMMANDS = ("ask", "check", "counter", "report")

_PROBLEM = {
    "title": "Problem",
    "description": "What went wrong (RFC 9457).",
    "type": "object",
    "required": ["type", "title", "status", "detail", "instance"],
    "properties": {
        "type": {"type": "string", "enum": [f"/problems/{name}" for name in TYPES]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What to do."},
        "instance": {"type": "string", "description": "The path that was asked."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}


def described(app: FastAPI) -> dict[str, Any]:
    """The document that `/api/v1/openapi.json` gives."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes, license_info=_LICENSE
        )
        components = document.setdefault("components", {})
        components.setdefault("schemas", {})["Problem"] = _PROBLEM
        components["schemas"].update(_results())
        for unused in ("HTTPValidationError", "ValidationError"):
            components["schemas"].pop(unused, None)
        components["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer", "description": "On a server with tokens."}
        }
        document["security"] = [{}, {"token": []}]
        app.openapi_schema = document
    return app.openapi_schema


def _results() -> dict[str, Any]:
    """What the commands show, by the contract of `--json`; in place of the reply that stands for any of them."""
    made: dict[str, Any] = {}
    for command in _COMMANDS:
        schema = schema_of(command)
        schema.pop("$schema")
        parts = schema.pop("$defs")
        made[f"Result.{command}"] = _renamed(schema)
        made.update({f"Contract.{name}": _renamed(part) for name, part in parts.items()})
    made["ResultReply"] = {
        "description": "What the command of the run gives with `--json`.",
        "oneOf": [{"$ref": f"#/components/schemas/Result.{command}"} for command in _COMMANDS],
    }
    return made


def _renamed(part: Any) -> Any:
    """A piece of the contract with its references turned to where OpenAPI keeps such pieces."""
    if isinstance(part, dict):
        return {key: _renamed(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_renamed(one) for one in part]
    if isinstance(part, str) and part.startswith("#/$defs/"):
        return part.replace("#/$defs/", "#/components/schemas/Contract.")
    return part
