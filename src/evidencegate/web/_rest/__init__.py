"""REST, version 1: the objects of `--json`, runs as jobs."""

from fastapi import APIRouter

router = APIRouter()

__all__ = ["router"]
