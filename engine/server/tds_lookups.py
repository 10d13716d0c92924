"""What is looked up in a server's catalog views, where our own server has an operation for it.

It decides the queries; they run on SQL Server, too. It must not know how they are sent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sbql.grammar.names import dotted, string_literal

__all__ = ["LOOKUPS", "undeclared_types"]

Query = Callable[[str], list[tuple[Any, ...]]]
"""Runs a query: its rows."""

_LENGTHS: Final = {"nvarchar": 2, "nchar": 2, "varchar": 1, "char": 1, "varbinary": 1, "binary": 1}
_SCALES: Final = ("time", "datetime2", "datetimeoffset")


def _output_parameters(query: Query, request: dict[str, Any]) -> dict[int, str]:
    """{parts}: the parts of a procedure's name, None for one that is left out. Types of
    OUTPUT parameters by position, from 0."""
    parts: list[str | None] = request["parts"]
    views = f"{dotted(parts[-3])}.sys" if len(parts) == 3 and parts[-3] else "sys"
    rows = query(
        f"SELECT p.parameter_id, t.name, p.max_length, p.precision, p.scale FROM {views}.parameters p JOIN {views}.types t ON t.user_type_id = p.system_type_id "
        f"WHERE p.object_id = OBJECT_ID({string_literal(dotted(*parts), is_national=True)}) AND p.is_output = 1 AND p.parameter_id > 0"
    )
    return {int(place) - 1: _spelt(str(name), *numbers) for place, name, *numbers in rows}


def _spelt(name: str, length: int, precision: int, scale: int) -> str:
    if name in _LENGTHS:
        return f"{name}({'max' if length == -1 else length // _LENGTHS[name]})"
    if name in ("decimal", "numeric"):
        return f"{name}({precision}, {scale})"
    return f"{name}({scale})" if name in _SCALES else name


def undeclared_types(query: Query, text: str, declared: str) -> dict[str, str]:
    """The types that a statement gives to variables which nobody has declared, by their names in lower case; none where
    the server cannot tell. An open transaction does not notice, under XACT_ABORT either."""
    rows = query(
        "DECLARE @sbql_aborts bit = IIF(@@OPTIONS & 16384 <> 0, 1, 0); SET XACT_ABORT OFF; BEGIN TRY EXEC sys.sp_describe_undeclared_parameters "
        f"{string_literal(text, is_national=True)}, {string_literal(declared, is_national=True)}; "
        "END TRY BEGIN CATCH END CATCH; IF @sbql_aborts = 1 SET XACT_ABORT ON"
    )
    return {str(row[1]).lower(): str(row[3]) for row in rows}


LOOKUPS: Final[dict[str, Callable[[Query, dict[str, Any]], Any]]] = {
    "output_parameters": _output_parameters,
}
