"""REST, version 1: the objects of `--json`, runs as jobs, errors as RFC 9457 has them."""

from fastapi import APIRouter

from evidencegate.web._rest import _knowledge, _libraries, _runs, _work
from evidencegate.web._rest._openapi import described

router = APIRouter()
for part in (_work, _runs, _libraries, _knowledge):
    router.include_router(part.router)

__all__ = ["described", "router"]
