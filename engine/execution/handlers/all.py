"""Imports every handler module, and so registers every handler. A new handler module is picked up by its place in the folder."""

from __future__ import annotations

import importlib
import pkgutil

from sbql.engine.execution import handlers

for found in pkgutil.iter_modules(handlers.__path__):
    if found.name != "all":
        importlib.import_module(f"{handlers.__name__}.{found.name}")
