"""Spark: run T-SQL from a PySpark program and get its result as a DataFrame.

It decides how results become DataFrames. PySpark is imported when a function is called, not when this package is. It
must not know how statements run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sbql.spark_udfs.frames import sql

__all__ = ["sql"]


def __getattr__(name: str) -> Any:
    if name == "sql":
        return import_module("sbql.spark_udfs.frames").sql
    raise AttributeError(f"module 'sbql.spark_udfs' has no attribute {name!r}")
