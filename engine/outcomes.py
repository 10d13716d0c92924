"""What a batch produces, in order: result sets, row counts, messages, errors. A renderer or a driver consumes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, field

from sbql.engine.result_html import html_table
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType

__all__ = [
    "ErrorOutcome",
    "ErrorSet",
    "InParts",
    "InfoMessage",
    "MoreRows",
    "Outcome",
    "ResultColumn",
    "ResultSet",
    "ReturnStatus",
    "RowsAffected",
]


class ResultColumn(Struct, frozen=True):
    """`name` is '' for an expression without alias (shown as "(No column name)")."""

    name: str
    type: SqlType
    nullable: bool = True


class ResultSet(Struct):
    """`rows` hold Python values as listed in grammar.types. `goes_on`: these are the first ones, `MoreRows` follow, or
    an error does. Only a sink that takes results in parts sees it."""

    columns: Sequence[ResultColumn]
    rows: list[tuple[Any, ...]]
    goes_on: bool = False

    def _repr_html_(self) -> str:
        """For notebooks."""
        return html_table(self.columns, self.rows)


class MoreRows(Struct, frozen=True):
    """The next rows of the last ResultSet, for a sink that takes results in parts. `goes_on`: there may be more."""

    rows: list[tuple[Any, ...]]
    goes_on: bool


class RowsAffected(Struct, frozen=True):
    """Sent after a statement unless SET NOCOUNT is ON. `statement` is its word, for
    clients that tell counts apart by it."""

    count: int
    statement: str = ""


class ErrorSet(Struct, frozen=True):
    """What RAISERROR … WITH SETERROR has done: no rows, and a number for @@ERROR. Nobody is told."""

    number: int


class InfoMessage(Struct, frozen=True):
    """PRINT (number 0, severity 0), RAISERROR below severity 11, and the server's own remarks (5701 and such)."""

    text: str
    number: int = 0
    severity: int = 0
    state: int = 1
    line: int = 0
    procedure: str | None = None


class ErrorOutcome(Struct, frozen=True):
    """An error of a statement. The batch may have gone on behind it."""

    error: SqlError


class ReturnStatus(Struct, frozen=True):
    """Return code and output parameters of a procedure called by a client."""

    value: int
    outputs: dict[str, Any] = field(default_factory=dict)


Outcome = ResultSet | MoreRows | RowsAffected | InfoMessage | ErrorOutcome | ReturnStatus


class InParts:
    """A sink that takes a large result in parts, as its rows arise, instead of one ResultSet. The statement goes on
    when it returns: who is slow to take rows holds up the query, and no memory."""

    __slots__ = ("_take",)

    def __init__(self, take: Callable[[Outcome], None]) -> None:
        self._take = take

    def __call__(self, outcome: Outcome) -> None:
        self._take(outcome)
