"""Imports of optional parts, with an error that names the command to install them."""

import importlib
from types import ModuleType

from evidencegate.errors import MissingExtra


def require(extra: str, module: str) -> ModuleType:
    """Import `module`, which comes with the extra `extra`.

    Raises:
        MissingExtra: the module is not installed; the message holds the exact install command.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtra(extra, module) from error
