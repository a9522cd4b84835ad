"""The pages: rendered on the server from the same `--json` objects and jobs as every other door."""

from fastapi import APIRouter

from evidencegate.web._pages import _asking, _entering, _exports, _places, _running, _starting
from evidencegate.web._pages._entering import problem_page

__all__ = ["problem_page", "router"]

# Fixed paths before those with a name in them: `/runs/compare` is no run.
router = APIRouter(include_in_schema=False)
for _part in (_asking, _starting, _places, _exports, _running, _entering):
    router.include_router(_part.router)
