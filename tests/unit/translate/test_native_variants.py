"""What DuckDB makes a sql_variant of is what is stored for it, the text that it is sorted by too."""

from __future__ import annotations

import duckdb
import pytest
from native_sweep import VALUES, type_of, values_of

from sbql.catalog.duck_types import duck_type, encoder
from sbql.engine.native.variants import to_variant
from sbql.grammar.types import SQL_VARIANT, Variant

TYPES = [name for name in VALUES if to_variant(type_of(name)) is not None]


@pytest.mark.parametrize("name", TYPES)
def test_the_stored_form_is_the_same(name: str) -> None:
    sql_type = type_of(name)
    form, encode = to_variant(sql_type), encoder(SQL_VARIANT)
    assert form is not None and encode is not None and not form.odd
    connection = duckdb.connect()
    for value in values_of(name):
        stored = None if value is None else encode(Variant(sql_type, value))
        literal = "NULL" if value is None else f"'{value}'"
        text = form.sql.format(f"CAST({literal} AS {duck_type(sql_type)})")
        assert connection.execute(f"SELECT {text}").fetchone() == (stored,), value


def test_numbers_and_dates_are_among_them() -> None:
    assert {"int", "bigint", "decimal(18,4)", "decimal(38,0)", "date"} <= set(TYPES)
