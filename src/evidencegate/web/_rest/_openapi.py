"""The description of the API (OpenAPI 3.1), with the shape of a problem and how to sign in."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from evidencegate.web._problems import TYPES

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
        for unused in ("HTTPValidationError", "ValidationError"):
            components["schemas"].pop(unused, None)
        components["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer", "description": "On a server with tokens."}
        }
        document["security"] = [{}, {"token": []}]
        app.openapi_schema = document
    return app.openapi_schema


_LICENSE = {"name": "Apache-2.0", "identifier": "Apache-2.0"}
