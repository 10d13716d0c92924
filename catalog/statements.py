"""Statements: what a connection runs again and again, parsed once, and what is around each run.

Decides how many texts are kept, and when the rows of a table are counted. It must not know transactions, nor what a
statement is for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.functions import FunctionsInTransaction, StoreFunctions
from sbql.catalog.parallelism import SERIAL, Parallelism, Statement

__all__ = ["Statements"]

_KEPT: Final = 512


class _Store(Protocol):
    functions: StoreFunctions
    parallelism: Parallelism

    @property
    def clock(self) -> int: ...


class Statements:
    """Of one connection. Used by one thread at a time."""

    __slots__ = ("_connection", "_known", "_store", "functions")

    def __init__(self, store: _Store, connection: duckdb.DuckDBPyConnection) -> None:
        self._store = store
        self._connection = connection
        self._known: OrderedDict[str, Statement] = OrderedDict()
        self.functions = FunctionsInTransaction(store.functions, connection)

    def find(self, sql: str) -> Statement:
        """Raises duckdb.Error for a text that is none."""
        known = self._known
        found = known.get(sql)
        if found is None:
            self.functions.know(sql)
            parsed = self._connection.extract_statements(sql)
            found = known[sql] = Statement(parsed[0] if len(parsed) == 1 else sql, SERIAL in sql)
            if len(known) > _KEPT:
                known.popitem(last=False)
        return found

    def forget(self) -> None:
        """A definition may change what they mean: they are parsed again."""
        self._known.clear()

    def around(self, statement: Statement, tables: Collection[str] = ()) -> AbstractContextManager[None]:
        """What is to be around a run of it, up to the last of its rows: it has the threads that it needs then. `tables`
        are those that a query reads which may have more than one."""
        parallelism = self._store.parallelism
        if tables and not statement.is_serial and parallelism.is_large(tables, self._store.clock, self._count):
            return parallelism.measured(statement)
        return parallelism.around(is_serial=statement.is_serial)

    def execute(self, statement: Statement, params: Sequence[object] = ()) -> duckdb.DuckDBPyConnection:
        """Raises duckdb.Error."""
        connection = self._connection
        return connection.execute(statement.parsed, params) if params else connection.execute(statement.parsed)

    def _count(self, table: str) -> int:
        ((count,),) = self._connection.execute(f"SELECT count(*) FROM {table}").fetchall()
        return int(count)
