"""Imports of optional parts, with an error that names the command to install them."""

import importlib
from contextlib import suppress
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


def import_before_threads() -> None:
    """Import, here and now, what several threads would else begin to import at the same time.

    A thread may see a large package half imported by another (`partially initialized module 'numpy'`).
    What is not installed is left out.
    """
    for module in ("numpy", "onnxruntime", "tokenizers", "pyarrow", "lancedb"):
        with suppress(ModuleNotFoundError):
            importlib.import_module(module)
