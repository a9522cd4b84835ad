"""Templates to pages. Everything a template is given is escaped; what is ours alone is `Markup`."""

import secrets
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment

from evidencegate._templates import templates_of
from evidencegate._version import __version__
from evidencegate.report import NOTICE
from evidencegate.web._pages import _words as words
from evidencegate.web._security import csrf_token, visitor
from evidencegate.web._settings import WebSettings


def page(request: Request, template: str, *, status: int = 200, here: str = "", **context: Any) -> HTMLResponse:
    """A whole page. `here` is the path of the menu that it belongs to."""
    settings: WebSettings = request.app.state.settings
    who = visitor(request)
    if "error" in context:
        context["error"] = settings.conceal(context["error"])
    return HTMLResponse(
        environment()
        .get_template(template)
        .render(
            **context,
            here=here,
            csrf_token=csrf_token(request),
            notice_text=NOTICE,
            signed_in_as=who.owner if settings.tokens and who.owner else "",
        ),
        status,
    )


def _once() -> str:
    """A word that no other form carries."""
    return secrets.token_urlsafe(9)


@cache
def environment() -> Environment:
    """The templates, with the words and addresses that they share."""
    made = templates_of("evidencegate.web")
    made.filters.update(words.FILTERS)
    made.globals.update(version=__version__, source_url=words.source_url, once=_once)
    return made
