"""Two values of a type are the same exactly if they are stored alike, whatever Python's equality says."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from sbql.catalog.duck_types import to_store
from sbql.grammar.types import (
    FLOAT,
    INT,
    SQL_VARIANT,
    SqlType,
    Variant,
    binary,
    datetime2,
    datetimeoffset,
    decimal,
    time,
    varchar,
)
from sbql.grammar.values.compare import is_same_value
from sbql.grammar.values.ticks import with_tick

NOON = dt.datetime(2026, 1, 1, 12)
ZONES = [dt.timezone(dt.timedelta(minutes=minutes)) for minutes in (0, 60, -330, 840)]
MOMENTS = [NOON.replace(tzinfo=dt.UTC).astimezone(zone) for zone in ZONES] + [
    NOON.replace(tzinfo=zone) for zone in ZONES
]
BASES = {
    SqlType("int"): [0, 1],
    SqlType("bigint"): [0, 1],
    SqlType("bit"): [False, True],
    SqlType("float"): [0.0, -0.0, 1.0],
    SqlType("real"): [0.0, -0.0, 1.0],
    SqlType("money"): [Decimal("0.0000"), Decimal("1.0000")],
    SqlType("decimal", precision=5, scale=1): [Decimal("0.0"), Decimal("1.0")],
    SqlType("decimal", precision=5, scale=2): [Decimal("0.00"), Decimal("1.00")],
    SqlType("varchar", length=3): ["", "a", "a ", "A"],
    SqlType("nvarchar", length=3): ["", "a", "a ", "A"],
    SqlType("varbinary", length=3): [b"", b"a", b"a\0"],
    SqlType("datetime2", scale=7): [NOON, with_tick(NOON, 1)],
    SqlType("datetimeoffset", scale=7): MOMENTS,
    SqlType("datetimeoffset", scale=3): MOMENTS,
}
VARIANTS = [Variant(base, value) for base, values in BASES.items() for value in values]
VARIANTS.append(Variant(SqlType("decimal", precision=5, scale=1, spelling="numeric"), Decimal("1.0")))
VALUES: dict[SqlType, list[Any]] = {
    INT: [None, 0, 1],
    FLOAT: [None, 0.0, 1.0],
    decimal(5, 2): [None, Decimal("0.00"), Decimal("1.00")],
    varchar(3): [None, "", "a", "a ", "A"],
    binary(3): [None, b"a\0\0", b"aa\0"],
    time(7): [None, dt.time(12), with_tick(dt.time(12), 1)],
    datetime2(7): [None, NOON, with_tick(NOON, 1)],
    datetimeoffset(7): [None, *MOMENTS, *(with_tick(moment, 1) for moment in MOMENTS)],
    datetimeoffset(0): [None, *MOMENTS],
    SQL_VARIANT: [None, *VARIANTS],
}


@pytest.mark.parametrize("sql_type", VALUES, ids=str)
def test_stored_alike(sql_type: SqlType) -> None:
    values = VALUES[sql_type]
    for one, other in product(values, values):
        stored = repr(to_store(one, sql_type)) == repr(to_store(other, sql_type))
        assert is_same_value(one, other) == stored, (one, other)
