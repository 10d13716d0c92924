"""Python values as parameters: which SQL type a value takes along.

It decides from the class of the value, widely enough that statements which differ only in lengths share one compiled
form. It must not know the column that a value is meant for: T-SQL converts it there.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sbql.exceptions import ProgrammingError
from sbql.grammar.types import (
    BIGINT,
    BIT,
    DATE,
    FLOAT,
    INT,
    NULL_TYPE,
    NVARCHAR_MAX,
    UNIQUEIDENTIFIER,
    VARBINARY_MAX,
    SqlType,
    Variant,
    datetime2,
    datetimeoffset,
    decimal,
    nvarchar,
    time,
    varbinary,
)
from sbql.grammar.values.ticks import TickDatetime, with_tick

__all__ = ["parameters_of", "typed"]

_INT_MAX = 2**31 - 1
_BIGINT_MAX = 2**63 - 1
_PRECISION_MAX = 38
_NVARCHAR_MAX_SIZE = 4000
_VARBINARY_MAX_SIZE = 8000


def typed(value: Any) -> Variant:
    """The value with its SQL type. Raises ProgrammingError for a value that no type carries."""
    match value:
        case Variant():
            return value
        case None:
            return Variant(NULL_TYPE, None)
        case bool():
            return Variant(BIT, value)
        case int():
            return _integer(value)
        case float():
            return Variant(FLOAT, value)
        case Decimal():
            return _decimal(value)
        case str():
            fits = len(value.encode("utf-16-le", "surrogatepass")) // 2 <= _NVARCHAR_MAX_SIZE
            return Variant(nvarchar(_NVARCHAR_MAX_SIZE) if fits else NVARCHAR_MAX, value)
        case bytes() | bytearray() | memoryview():
            data = bytes(value)
            return Variant(varbinary(_VARBINARY_MAX_SIZE) if len(data) <= _VARBINARY_MAX_SIZE else VARBINARY_MAX, data)
        case dt.datetime():
            return _moment(value)
        case dt.date():
            return Variant(DATE, value)
        case dt.time():
            return Variant(time(), value)
        case uuid.UUID():
            return Variant(UNIQUEIDENTIFIER, value)
    raise ProgrammingError(f"a parameter of the Python type {type(value).__name__} has no SQL type")


def parameters_of(values: Mapping[str, Any]) -> dict[str, Variant]:
    """The values as a session takes them: typed, by the name of the variable with its @."""
    return {f"@{name.removeprefix('@')}": typed(value) for name, value in values.items()}


def _integer(value: int) -> Variant:
    sql_type: SqlType
    if -_INT_MAX - 1 <= value <= _INT_MAX:
        sql_type = INT
    elif -_BIGINT_MAX - 1 <= value <= _BIGINT_MAX:
        sql_type = BIGINT
    else:
        return _decimal(Decimal(value))
    return Variant(sql_type, int(value))


def _decimal(value: Decimal) -> Variant:
    if not value.is_finite():
        raise ProgrammingError(f"{value} is not a number that decimal can hold")
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    scale = max(0, -exponent)
    precision = max(len(digits) + max(0, exponent), scale, 1)
    if precision > _PRECISION_MAX:
        raise ProgrammingError(f"{value} has more than {_PRECISION_MAX} digits")
    return Variant(decimal(precision, scale), Decimal(format(value, "f")))


def _moment(value: dt.datetime) -> Variant:
    """datetime2, or datetimeoffset with an offset instead of a place. A pandas.Timestamp brings its nanoseconds along,
    as far as the types go; its NaT is NULL."""
    if value != value:
        return Variant(NULL_TYPE, None)
    if type(value) not in (dt.datetime, TickDatetime):
        tick = getattr(value, "nanosecond", 0) // 100
        parts = (value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond)
        value = with_tick(dt.datetime(*parts, value.tzinfo, fold=value.fold), tick)
    offset = value.utcoffset()
    if offset is None:
        return Variant(datetime2(), value)
    return Variant(datetimeoffset(), value.replace(tzinfo=dt.timezone(offset), fold=0))
