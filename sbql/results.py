"""Results: what a batch has produced, to be fetched as PEP 249 says.

It decides how rows are fetched, one result set after the other, as tuples, as Arrow or as a DataFrame.
It must not know how a batch is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sbql import exceptions
from sbql.arguments import count_of
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.values import plain

if TYPE_CHECKING:
    import pandas
    import pyarrow

__all__ = ["Results"]


class Results:
    """The result sets of the last batch. `arraysize` is how many rows `fetchmany` gives when it is not told."""

    def __init__(self) -> None:
        self.arraysize = 1
        self._results: list[ResultSet] = []
        self._plain: tuple[ResultSet, list[tuple[Any, ...]]] | None = None
        self._count = -1
        self._next_row = 0

    def _check_open(self) -> None:
        """Raises InterfaceError when nothing can be fetched any more."""

    def _forget(self) -> None:
        self._results, self._plain, self._count, self._next_row = [], None, -1, 0

    @property
    def description(self) -> list[tuple[Any, ...]] | None:
        """A tuple (name, type, None, length, precision, scale, null_ok) for each column; None without a result
        set. `type` is a SqlType, which `STRING`, `NUMBER` or their like equals; lengths are characters of
        national text, bytes of all else, -1 of (max)."""
        if not self._results:
            return None
        return [
            (c.name, c.type, None, c.type.length, c.type.precision, c.type.scale, c.nullable)
            for c in self._results[0].columns
        ]

    @property
    def rowcount(self) -> int:
        """Rows of the current result set, else rows that the last statement touched, else -1."""
        return len(self._results[0].rows) if self._results else self._count

    @property
    def rownumber(self) -> int | None:
        """0-based index of the next row; None without a result set."""
        return self._next_row if self._results else None

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, a value for each column; None behind the last. Raises ProgrammingError without a result set,
        InterfaceError when the cursor or its connection is closed; so do the other ways to fetch."""
        rows = self._rows()
        if self._next_row >= len(rows):
            return None
        self._next_row += 1
        return rows[self._next_row - 1]

    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        """The next `size` rows, or as many as there are; None: `arraysize`. Raises ProgrammingError,
        too, for what is no number of rows."""
        rows = self._rows()
        start = self._next_row
        count = count_of(self.arraysize, "arraysize") if size is None else count_of(size, "size")
        self._next_row = min(len(rows), start + count)
        return rows[start : self._next_row]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rest of the rows; an empty list behind the last."""
        rows = self._rows()
        start, self._next_row = self._next_row, len(rows)
        return rows[start:]

    def nextset(self) -> bool | None:
        """Go on to the next result set of the batch: True; None when there is none. Rows of this
        one that were not fetched are gone."""
        self._check_open()
        self._next_row = 0
        del self._results[:1]
        return True if self._results else None

    def arrow(self) -> pyarrow.Table:
        """The rest of the current result set as a pyarrow Table: a column for each, with Arrow's type for its SQL type.
        Raises ImportError without pyarrow, nothing fetched."""
        _check_installed("arrow()", "pyarrow")
        from sbql.engine.result_arrow import to_arrow

        return to_arrow(*self._rest())

    def df(self) -> pandas.DataFrame:
        """The rest of the current result set as a pandas DataFrame, made as `arrow()` makes its table. Raises
        ImportError without pyarrow or pandas, nothing fetched."""
        _check_installed("df()", "pandas", "pyarrow")
        from sbql.engine.result_arrow import to_pandas

        return to_pandas(*self._rest())

    def _rest(self) -> tuple[Sequence[ResultColumn], Sequence[tuple[Any, ...]]]:
        """Columns and the rows that were not fetched; now they are."""
        result = self._result()
        start, self._next_row = self._next_row, len(result.rows)
        return result.columns, result.rows[start:]

    def _result(self) -> ResultSet:
        self._check_open()
        if not self._results:
            raise exceptions.ProgrammingError("there is no result set to fetch from")
        return self._results[0]

    def _rows(self) -> list[tuple[Any, ...]]:
        """Those of the current result set. A sql_variant is given as the value in it; what type it has, the text can
        ask."""
        result = self._result()
        if not any(column.type.name == "sql_variant" for column in result.columns):
            return result.rows
        if self._plain is None or self._plain[0] is not result:
            rows = [tuple(map(plain, row)) for row in result.rows]
            self._plain = (result, rows)
        return self._plain[1]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self

    def __next__(self) -> tuple[Any, ...]:
        row = self.fetchone()
        if row is None:
            raise StopIteration
        return row

    next = __next__


def _check_installed(call: str, *packages: str) -> None:
    """Raises ImportError that says what to install."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise ImportError(f"{call} needs {' and '.join(missing)}: pip install {' '.join(missing)}", name=missing[0])
