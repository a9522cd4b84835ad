"""Where a room's page templates are, and how text from outside gets into them: escaped, always (rule 13)."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

__all__ = ["templates_of"]


@cache
def templates_of(room: str) -> Environment:
    """The templates in the folder `templates` of the package `room`; a name it is not given is an error."""
    return Environment(
        loader=PackageLoader(room, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
