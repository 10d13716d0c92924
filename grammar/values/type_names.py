"""Type names: from a type as written in the text to a SqlType, with its default length, precision and scale.

It decides synonyms (integer, dec, national character varying …), defaults, and the errors for a size out of range. It
must not know the catalog: alias types are looked up by a function that the caller hands in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from sbql.grammar.ast.base import DataTypeReference, ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.types import (
    BIGINT,
    BIT,
    DATE,
    DATETIME,
    INT,
    MAX,
    MONEY,
    REAL,
    SMALLINT,
    SYSNAME,
    TINYINT,
    UNIQUEIDENTIFIER,
    XML,
    SqlType,
)

__all__ = ["canonical_name", "is_system_type", "resolve_type"]

_SYNONYMS = {
    "integer": "int", "dec": "decimal", "numeric": "decimal", "character": "char", "char varying": "varchar",
    "character varying": "varchar", "national char": "nchar", "national character": "nchar",
    "national char varying": "nvarchar", "national character varying": "nvarchar", "national text": "ntext",
    "binary varying": "varbinary", "double precision": "float", "timestamp": "rowversion",
}  # fmt: skip
_PLAIN = frozenset({
    "tinyint", "smallint", "int", "bigint", "bit", "money", "smallmoney", "real", "date", "datetime", "smalldatetime",
    "uniqueidentifier", "xml", "sql_variant", "text", "ntext", "image", "rowversion",
})  # fmt: skip
_KNOWN = {
    known.name: known
    for known in (BIGINT, BIT, DATE, DATETIME, INT, MONEY, REAL, SMALLINT, TINYINT, UNIQUEIDENTIFIER, XML)
}
"""Types without a size are one object each: whoever compares them, compares as a rule an object with itself."""
_SIZED = {"char": 8000, "varchar": 8000, "binary": 8000, "varbinary": 8000, "nchar": 4000, "nvarchar": 4000}
_SCALED = frozenset({"time", "datetime2", "datetimeoffset"})
_NOT_BUILT = frozenset({"hierarchyid", "geometry", "geography", "vector", "json"})


def is_system_type(name: str) -> bool:
    """True for a name that the language itself knows as a type."""
    plain = canonical_name(name)
    return plain in _PLAIN or plain in _SIZED or plain in _SCALED or plain in ("decimal", "float", "sysname")


def resolve_type(
    reference: DataTypeReference,
    user_type: Callable[[ObjectName], SqlType | None] | None = None,
    *,
    position: int = 1,
    in_cast: bool = False,
) -> SqlType:
    """The SqlType that `reference` means.

    `user_type` finds alias types; `position` is the number of the column or parameter in messages; `in_cast` gives the
    default length 30 instead of 1. Raises 131, 243, 291, 1001, 1002, 2715, 2716, 2717, 2750, 2751, 40517.
    """
    name = canonical_name(reference.name.name)
    schema = (reference.name.schema or "").lower()
    if schema not in ("", "sys", "dbo") or not is_system_type(name):
        return _user_type(reference, user_type, position, in_cast)
    if name == "sysname":
        _refuse_more(reference, name, 0, position, in_cast)
        return SYSNAME
    if name in _PLAIN:
        _refuse_more(reference, name, 0, position, in_cast)
        return _KNOWN.setdefault(name, SqlType(name))
    if name == "decimal":
        return _decimal(reference, position)
    _refuse_more(reference, name, 1, position, in_cast)
    if name in _SIZED:
        return _sized(reference, name, in_cast)
    return _scaled(reference, name) if name in _SCALED else _float(reference)


def canonical_name(name: str) -> str:
    lowered = " ".join(name.lower().split())
    return _SYNONYMS.get(lowered, lowered)


def _user_type(
    reference: DataTypeReference,
    user_type: Callable[[ObjectName], SqlType | None] | None,
    position: int,
    in_cast: bool,
) -> SqlType:
    found = user_type(reference.name) if user_type is not None else None
    if found is not None:
        if reference.arguments:
            raise sql_error(2716, position, str(reference.name), span=reference.span)
        return found
    if reference.name.name.lower() in _NOT_BUILT:
        raise sql_error(40517, f"data type {reference.name.name}", span=reference.span)
    if in_cast:
        raise sql_error(243, str(reference.name), span=reference.span)
    raise sql_error(2715, position, str(reference.name), span=reference.span)


def _refuse_more(reference: DataTypeReference, name: str, most: int, position: int, in_cast: bool) -> None:
    """A type takes so many numbers. Raises 2716, in a CAST 291."""
    if len(reference.arguments) > most:
        raise (
            sql_error(291, name, span=reference.span)
            if in_cast
            else sql_error(2716, position, name, span=reference.span)
        )


def _sized(reference: DataTypeReference, name: str, in_cast: bool) -> SqlType:
    if not reference.arguments:
        return SqlType(name, length=30 if in_cast else 1)
    size = reference.arguments[0]
    if isinstance(size, str):
        if not name.endswith(("varchar", "varbinary")):
            raise sql_error(102, "max", span=reference.span)
        return SqlType(name, length=MAX)
    if size < 1:
        _bad_size(reference, size)
    if size > _SIZED[name]:
        raise sql_error(131, size, "type", name, _SIZED[name], span=reference.span)
    return SqlType(name, length=size)


def _numbers(reference: DataTypeReference) -> list[int]:
    """The arguments of a type that does not take `max`. Raises 102."""
    for argument in reference.arguments:
        if isinstance(argument, str):
            raise sql_error(102, argument, span=reference.span)
    return [int(a) for a in reference.arguments]


def _scaled(reference: DataTypeReference, name: str) -> SqlType:
    scale = (_numbers(reference) or [7])[0]
    if not 0 <= scale <= 7:
        raise sql_error(1002, reference.span.line, scale, span=reference.span)
    return SqlType(name, scale=scale)


def _decimal(reference: DataTypeReference, position: int) -> SqlType:
    arguments = _numbers(reference)
    precision = arguments[0] if arguments else 18
    scale = arguments[1] if len(arguments) > 1 else 0
    if precision > 38:
        raise sql_error(2750, position, precision, 38, span=reference.span)
    if precision < 1:
        _bad_size(reference, precision)
    if scale > precision:
        raise sql_error(2751, position, scale, precision, span=reference.span)
    spelling = "numeric" if reference.name.name.lower() == "numeric" else None
    return SqlType("decimal", precision=precision, scale=scale, spelling=spelling)


def _float(reference: DataTypeReference) -> SqlType:
    """float(1) to float(24) is real; float(25) to float(53) is float."""
    digits = (_numbers(reference) or [53])[0]
    if not 1 <= digits <= 53:
        _bad_size(reference, digits)
    return SqlType("real" if digits <= 24 else "float")


def _bad_size(reference: DataTypeReference, size: int) -> NoReturn:
    raise sql_error(1001, reference.span.line, size, span=reference.span)
