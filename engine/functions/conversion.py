"""Conversion and logic functions that are ordinary calls: ISDATE, SQL_VARIANT_PROPERTY, NULL tests for
COLUMNS_UPDATED."""

from __future__ import annotations

from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.type_rules import as_text
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, SQL_VARIANT, SqlType, Variant, nvarchar, varbinary
from sbql.grammar.values.date_text import parse_date_text
from sbql.grammar.values.dates import in_range
from sbql.grammar.values.kinds import kind, spelled, storage_size

__all__: list[str] = []


def _date_text(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Text and what converts to it; of the dates datetime and smalldatetime only. Raises 8116."""
    if sql_type.name in ("date", "time", "datetime2", "datetimeoffset"):
        raise sql_error(8116, sql_type.name, position, name)
    return as_text(sql_type, position, name)


@function("ISDATE", INT, [_date_text], null_on_null=False, needs_options=True)
def _isdate(frame: Frame, value: str | None) -> int:
    """1 when the text converts to datetime; texts of datetime2 with more than three fractional digits do not."""
    if value is None:
        return 0
    parsed = parse_date_text(value, dates=frame.session.options.dates, iso_is_fixed=False)
    if parsed is None or not value.strip() or parsed[1] is not None:
        return 0
    digits = value.rpartition(".")[2] if "." in value and ":" in value.rpartition(".")[0] else ""
    return int(in_range(parsed[0], "datetime") and len(digits.rstrip("APMapm ")) <= 3)


@function("SQL_VARIANT_PROPERTY", SQL_VARIANT, [SQL_VARIANT, as_text])
def _sql_variant_property(value: Variant, name: str) -> Any:
    sql_type = value.type
    wanted = name.strip().lower()
    if wanted == "basetype":
        return Variant(nvarchar(128), sql_type.word if sql_type.name == "decimal" else spelled(sql_type))
    if wanted == "collation":
        return (
            Variant(nvarchar(128), sql_type.collation or "SQL_Latin1_General_CP1_CI_AS")
            if kind(sql_type) == "string"
            else None
        )
    numbers = {
        "precision": _precision(sql_type), "scale": _scale(sql_type), "maxlength": _max_length(sql_type),
        "totalbytes": _max_length(sql_type) + 2 if storage_size(sql_type) else _length(value) + (8 if kind(sql_type) == "string" else 4),
    }  # fmt: skip
    found = numbers.get(wanted)
    return None if found is None else Variant(INT, found)


def _length(value: Variant) -> int:
    return len(value.value) * (2 if value.type.name in ("nvarchar", "nchar") else 1)


def _max_length(sql_type: SqlType) -> int:
    if sql_type.length is not None:
        return sql_type.length * (2 if sql_type.name in ("nvarchar", "nchar") else 1)
    return storage_size(sql_type)


def _precision(sql_type: SqlType) -> int:
    fixed = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19, "bit": 1, "money": 19, "smallmoney": 10, "float": 53, "real": 24,
             "datetime": 23, "smalldatetime": 16, "date": 10}  # fmt: skip
    if sql_type.name in fixed:
        return fixed[sql_type.name]
    if sql_type.name == "decimal":
        return sql_type.precision or 18
    if sql_type.name in ("time", "datetime2", "datetimeoffset"):
        scale = 7 if sql_type.scale is None else sql_type.scale
        return {"time": 8, "datetime2": 19, "datetimeoffset": 26}[sql_type.name] + (scale + 1 if scale else 0)
    return 0


def _scale(sql_type: SqlType) -> int:
    return {"money": 4, "smallmoney": 4, "datetime": 3}.get(sql_type.name, sql_type.scale or 0)


@function("COLUMNS_UPDATED", varbinary(8000), needs_frame=True)
def _columns_updated(frame: Frame) -> Any:
    """One bit a column in order of column id, the lowest bit of the first byte for the first column."""
    return None if frame.trigger is None else frame.trigger.columns_updated
