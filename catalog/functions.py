"""Python functions that DuckDB calls: once for each name in a store, and for every session of it at once.

Decides when DuckDB gets to know them. A DuckDB transaction does not see a function that was made known after it began,
as it does not see rows that were committed later. Such a transaction gets a function of its own, by a temporary macro
of the same name, so that it need not begin anew on another snapshot. Whoever registers the functions knows what they
are.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.changes import TEMP
from sbql.catalog.duck_types import quote
from sbql.catalog.function_errors import keeping_errors

__all__ = ["FunctionsInTransaction", "StoreFunctions"]

_numbers: Final = itertools.count(1)


class _Function(NamedTuple):
    name: str
    call: Callable[..., Any]
    parameter_types: list[str]
    return_type: str
    is_volatile: bool
    takes_nulls: bool

    def make_known(self, connection: duckdb.DuckDBPyConnection, name: str) -> None:
        connection.create_function(
            name,
            self.call,
            self.parameter_types,
            self.return_type,
            null_handling="special" if self.takes_nulls else "default",
            side_effects=self.is_volatile,
        )


class StoreFunctions:
    """Of one store. May be called from any thread."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._mutex = threading.Lock()
        self._names: set[str] = set()
        self._registered: list[_Function] = []
        self._mark = ""
        self._announced: Callable[[], None] | None = None

    def register(
        self,
        name: str,
        function: Callable[..., Any],
        parameter_types: Sequence[str],
        return_type: str,
        *,
        is_volatile: bool,
        is_bare: bool = False,
        takes_nulls: bool = True,
    ) -> None:
        """Make a function callable from DuckDB SQL. It does nothing for a name that is there already, so a name must
        say all that its function does. It gets None for NULL; one that `takes_nulls` not is called for no row with a
        NULL, has NULL there, and a value everywhere else. Types are DuckDB's names. One that is not volatile may be
        called while DuckDB plans the query: an error then is none, until a row asks again. One that `is_bare` raises
        nothing, so that a call needs nothing around it."""
        if name in self._names:
            return
        with self._mutex:
            if name in self._names:
                return
            call = function if is_bare else keeping_errors(function, len(parameter_types))
            made = _Function(name, call, list(parameter_types), return_type, is_volatile, takes_nulls)
            made.make_known(self._connection, name)
            self._registered.append(made)
            self._names.add(name)

    def announce(self, mark: str, register: Callable[[], None]) -> None:
        """`register` is called when a statement first has `mark` in it, with which the names of its functions begin
        and which stands in no other text of ours: DuckDB loads NumPy for the first function of Python, for which a
        process that needs none should not pay."""
        self._mark, self._announced = mark, register

    def make_known(self, sql: str) -> None:
        """Register what was announced if a statement, which is new to a session, mentions it."""
        register = self._announced
        if register is not None and self._mark in sql:
            register()
            self._announced = None

    @property
    def count(self) -> int:
        """How many have been registered so far."""
        return len(self._registered)

    def since(self, count: int) -> Sequence[_Function]:
        """Those registered behind the first `count`."""
        return self._registered[count:]

    def release(self) -> None:
        """Take them from DuckDB: none outlives its module."""
        for function in self._registered:
            self._connection.remove_function(function.name)
        self._registered.clear()
        self._names.clear()


class FunctionsInTransaction:
    """What the open DuckDB transaction of one connection knows. Used by one thread at a time."""

    __slots__ = ("_connection", "_functions", "_known", "_own")

    def __init__(self, functions: StoreFunctions, connection: duckdb.DuckDBPyConnection) -> None:
        self._functions = functions
        self._connection = connection
        self._known: int | None = None
        self._own: list[tuple[str, str]] = []

    def begin(self, known: int) -> None:
        """After DuckDB's BEGIN, before which `known` functions had been registered."""
        self._known = known

    def know(self, sql: str) -> None:
        """Before a statement that the session has not run yet (one that it has run mentions nothing new): what it may
        mention is there, also what was registered after BEGIN. Raises DuckDB's errors."""
        self._functions.make_known(sql)
        if self._known is None:
            return
        for function in self._functions.since(self._known):
            name = f"{function.name}~{next(_numbers)}"
            function.make_known(self._connection, name)
            parameters = ", ".join(f"p{place}" for place in range(len(function.parameter_types)))
            text = f"{quote(function.name)}({parameters}) AS {quote(name)}({parameters})"
            self._own.append((function.name, name))
            self._connection.execute(f"CREATE OR REPLACE TEMP MACRO {text}")
            self._known += 1

    def end(self) -> None:
        """After DuckDB's COMMIT or ROLLBACK: what the transaction had of its own is no longer needed."""
        self._known = None
        for macro, name in self._own:
            with contextlib.suppress(duckdb.Error):  # gone with a ROLLBACK
                self._connection.execute(f"DROP MACRO IF EXISTS {TEMP}.{quote(macro)}")
                self._connection.remove_function(name)
        self._own.clear()
