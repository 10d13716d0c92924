"""Spark and notebooks: run T-SQL from a PySpark program or a notebook and get its result as a DataFrame.

It decides how results become DataFrames and what a notebook shows. PySpark and IPython are imported when a function is called that needs
them, not when this package is. It must not know how statements run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sbql.spark_udfs.engines import engine_session, release, use
    from sbql.spark_udfs.frames import sql

_HOMES = {"engine_session": "engines", "release": "engines", "sql": "frames", "use": "engines"}

__all__ = ["engine_session", "load_ipython_extension", "release", "sql", "unload_ipython_extension", "use"]


def load_ipython_extension(ipython: Any) -> None:
    """`%load_ext sbql.spark_udfs`: the magics %sbql and %%sbql."""
    ipython.register_magics(import_module("sbql.spark_udfs.magics").SbqlMagics)


def unload_ipython_extension(ipython: Any) -> None:
    """`%unload_ext sbql.spark_udfs`: what was opened for the notebook is closed. The magics stay until the kernel ends."""
    import_module("sbql.spark_udfs.engines").release()


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sbql.spark_udfs' has no attribute {name!r}")
    return getattr(import_module(f"sbql.spark_udfs.{home}"), name)
