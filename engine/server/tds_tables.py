"""Table-valued parameters of TDS clients, as arguments of a call.

It decides how rows that a client sends become a table variable of the table type that they are for.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.batch.execute import Argument
from sbql.engine.tds.table_values import TableValue
from sbql.grammar.errors import sql_error

__all__ = ["table_argument"]


def table_argument(session: Any, given: TableValue, name: str | None) -> Argument:
    """Raises 40517: not yet."""
    raise sql_error(40517, "Table-valued parameters of network clients")
