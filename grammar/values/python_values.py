"""Values of Python: which SQL type a value takes along as a parameter.

It decides from the class of the value, widely enough that statements which differ only in lengths share one compiled
form. It must not know the column that a value is meant for: T-SQL converts it there.
"""

from __future__ import annotations

import datetime as dt
import math
import uuid
from decimal import Decimal
from typing import Any

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

__all__ = ["DoesNotFit", "HasNoType", "typed"]

_INT_MAX = 2**31 - 1
_BIGINT_MAX = 2**63 - 1
_PRECISION_MAX = 38
_OFFSET_MAX = dt.timedelta(hours=14)
_NVARCHAR_MAX_SIZE = 4000
_VARBINARY_MAX_SIZE = 8000
_NVARCHAR = nvarchar(_NVARCHAR_MAX_SIZE)
_VARBINARY = varbinary(_VARBINARY_MAX_SIZE)


class HasNoType(TypeError):
    """No SQL type carries values of this Python type."""


class DoesNotFit(ValueError):
    """The value is beyond what the SQL type that would carry it can hold."""


def typed(value: Any) -> Variant:
    """The value with its SQL type. Raises HasNoType and DoesNotFit."""
    match value:
        case Variant():
            return value
        case None:
            return Variant(NULL_TYPE, None)
        case bool():
            return Variant(BIT, value)
        case int():
            return _integer(int(value))
        case float():
            return _float(float(value))
        case Decimal():
            return _decimal(value)
        case str():
            text = str.__str__(value)  # without what a subclass may add
            fits = len(text.encode("utf-16-le", "surrogatepass")) // 2 <= _NVARCHAR_MAX_SIZE
            return Variant(_NVARCHAR if fits else NVARCHAR_MAX, text)
        case bytes() | bytearray() | memoryview():
            data = bytes(value)
            return Variant(_VARBINARY if len(data) <= _VARBINARY_MAX_SIZE else VARBINARY_MAX, data)
        case dt.datetime():
            return _moment(value)
        case dt.date():
            return Variant(DATE, value)
        case dt.time():
            return _time(value)
        case uuid.UUID():
            return Variant(UNIQUEIDENTIFIER, value)
    return _of_numpy(value)


def _of_numpy(value: Any) -> Variant:
    """A scalar of numpy, which knows its Python twin; a datetime64 keeps its ticks of 100 ns. NA of pandas, of
    which Python has no twin, is NULL."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if getattr(value, "ndim", None) == 0 and kind in "biufM" and kind:
        if kind != "M":
            plain = value.item()
            return typed(plain if isinstance(plain, bool | int | float) else float(plain))
        if value != value:
            return Variant(NULL_TYPE, None)
        moment = value.astype("datetime64[us]").item()
        if isinstance(moment, dt.datetime):
            nanoseconds = value - value.astype("datetime64[us]")
            return _moment(with_tick(moment, int(nanoseconds.astype("timedelta64[ns]").astype("int64")) // 100))
        raise DoesNotFit(f"{value} is not a datetime2: that has the years 1 to 9999")
    if type(value).__name__ == "NAType" and type(value).__module__.startswith("pandas."):
        return Variant(NULL_TYPE, None)
    raise HasNoType(f"a value of the Python type {type(value).__name__} has no SQL type")


def _float(value: float) -> Variant:
    if not math.isfinite(value):
        raise DoesNotFit(f"{value} is not a number that float can hold; None is NULL")
    return Variant(FLOAT, value)


def _time(value: dt.time) -> Variant:
    if value.tzinfo is not None:
        raise DoesNotFit("a time has no time zone in SQL; take it off with replace(tzinfo=None)")
    return Variant(time(), value)


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
        raise DoesNotFit(f"{value} is not a number that decimal can hold; None is NULL")
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    scale = max(0, -exponent)
    precision = max(len(digits) + max(0, exponent), scale, 1)
    if precision > _PRECISION_MAX:
        raise DoesNotFit(f"{value} has more than {_PRECISION_MAX} digits, the most that decimal can hold")
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
    if offset % dt.timedelta(minutes=1) or abs(offset) > _OFFSET_MAX:
        raise DoesNotFit(f"the offset {offset} is none of datetimeoffset's: whole minutes, up to 14 hours")
    try:
        value.replace(tzinfo=None) - offset
    except OverflowError:
        raise DoesNotFit("the moment is before the year 1 or after 9999 in UTC, and so is no datetimeoffset") from None
    return Variant(datetimeoffset(), value.replace(tzinfo=dt.timezone(offset), fold=0))
