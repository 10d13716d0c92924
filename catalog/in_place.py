"""InPlace: a statement that DuckDB runs at once, as a change whose rows nobody has seen.

It decides that such a change is done once and never again: what it reads may have changed by then, and its
number of rows has been told. So only a transaction that holds nothing else may have one, and it ends with it.
It must not know what the statement means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from sbql.catalog.found_rows import FoundTable, OwnStatement, distinct_text
from sbql.catalog.store_protocols import StoreConnection
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["InPlace", "NotOnce", "OnceTest"]


class NotOnce(SqlError):
    """A row may be met several times, so that nobody knows which value it gets. Nothing was done, and
    whoever asked does it in another way."""

    def __init__(self) -> None:
        super().__init__(0, "")


class OnceTest(Struct, frozen=True):
    """One of `columns`, of whole numbers, must not have a value twice in `source`, what stands in FROM."""

    columns: tuple[str, ...]
    source: str


class InPlace(FoundTable):
    """What `own` does to its table, when the unit of work gets it, if all `tests` hold in the same snapshot. `count`:
    its rows, as soon as it is done."""

    __slots__ = ("_is_as_bound", "_is_done", "_statement", "_tests")

    def __init__(
        self, statement: OwnStatement, tests: Sequence[OnceTest] = (), is_as_bound: Callable[[], bool] = lambda: True
    ) -> None:
        """`is_as_bound`: the tables are still defined as they were when `statement` was made: a key that
        made sure of its rows may be gone."""
        self._statement = statement
        self._tests = tests
        self._is_as_bound = is_as_bound
        self._is_done = False
        self.name = ""
        self.count = 0
        self.own = None

    def perform(self, session: StoreConnection, table: str) -> None:
        """`table` is what it changes. Raises NotOnce, 1205 when it was done before, and DuckDB's errors."""
        if self._is_done:
            raise sql_error(1205, 0, "lock")
        for test in self._tests:
            if not any(_is_each_once(session, column, test.source) for column in test.columns):
                raise NotOnce
        ((count,),) = session.run_write(self._statement.sql, self._statement.values, (table,)).fetchall()
        if not self._is_as_bound():  # asked behind it, when its snapshot is taken
            raise NotOnce
        self.count = count
        self._is_done = True

    def pages(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """Raises SqlError: nobody has seen the rows."""
        raise NotOnce

    def drop(self) -> None:
        """There is nothing to drop."""


def _is_each_once(session: StoreConnection, column: str, source: str) -> bool:
    ((low, high, count),) = session.run(f"SELECT min({column}), max({column}), count({column}) FROM {source}", ())
    if not count:
        return True
    return session.run(f"SELECT {distinct_text(column, low, high, count)} FROM {source}", ()).rows == [(count,)]
