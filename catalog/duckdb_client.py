"""DuckDB's client: the names that the catalog uses, from the extension alone.

`import duckdb` brings the relations, expressions and sources of DuckDB's own Python interface, which nothing here asks
for, and takes five times as long as the extension under it: a fifth of the start of `sbql -Q "SELECT 1"`. This is the
only module that knows the difference. Others say

    from sbql.catalog import duckdb_client as duckdb

What reads or writes Arrow says `load_arrow()` first. Whoever imports `duckdb` as well gets the very same classes.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import (
        DuckDBPyConnection,
        Error,
        FatalException,
        InterruptException,
        IOException,
        OutOfMemoryException,
        Statement,
        TransactionException,
        connect,
    )
else:
    try:
        import _duckdb as _client
    except ImportError:  # a release that is built another way
        import duckdb as _client

    DuckDBPyConnection = _client.DuckDBPyConnection
    Error = _client.Error
    FatalException = _client.FatalException
    InterruptException = _client.InterruptException
    IOException = _client.IOException
    OutOfMemoryException = _client.OutOfMemoryException
    Statement = _client.Statement
    TransactionException = _client.TransactionException
    connect = _client.connect

__all__ = [
    "DuckDBPyConnection",
    "Error",
    "FatalException",
    "IOException",
    "InterruptException",
    "OutOfMemoryException",
    "Statement",
    "TransactionException",
    "connect",
    "load_arrow",
]


def load_arrow() -> None:
    """Load the rest of DuckDB's package, which teaches the extension to read and write Arrow."""
    importlib.import_module("duckdb")
