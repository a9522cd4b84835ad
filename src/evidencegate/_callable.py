"""Rooms that share their name with a call: `evidencegate.counter` is the package, and `evidencegate.counter(…)` works.

Once a package is imported, the import system binds it as an attribute of its parent, over whatever stood there. So
that the name means the same before and after, the package is made callable: its class is set to one with `__call__`,
as the data model allows for modules.
"""

import importlib
import sys
from types import ModuleType
from typing import Any


def make_callable(package: str, call: str) -> None:
    """Let the imported `package` be called as `evidencegate._api.<call>`."""

    class Callable(ModuleType):
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return getattr(importlib.import_module("evidencegate._api"), call)(*args, **kwargs)

    Callable.__call__.__doc__ = f"See `evidencegate._api.{call}`."
    sys.modules[package].__class__ = Callable
