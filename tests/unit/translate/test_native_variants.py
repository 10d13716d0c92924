"""What DuckDB makes a sql_variant of is what is stored for it, the text that it is sorted by too."""

from __future__ import annotations

import duckdb
import pytest
from native_sweep import VALUES, type_of, values_of

from sbql.catalog.duck_types import duck_type, encoder
from sbql.engine.native.variants import to_variant
from sbql.grammar.types import SQL_VARIANT, Variant

TYPES = [name for name in VALUES if to_variant(type_of(name)) is not None]


WITH_ODD_ROWS = frozenset({"decimal(38,10)", "decimal(38,16)", "decimal(38,18)", "decimal(38,37)", "real", "float"})
"""Their numbers near zero are written with an exponent by Python; all values of the others are DuckDB's."""


@pytest.mark.parametrize("name", TYPES)
def test_the_stored_form_is_the_same(name: str) -> None:
    sql_type = type_of(name)
    form, encode = to_variant(sql_type), encoder(SQL_VARIANT)
    assert form is not None and encode is not None
    assert bool(form.odd) == (name in WITH_ODD_ROWS)
    connection, odd = duckdb.connect(), 0
    for value in values_of(name):
        stored = None if value is None else encode(Variant(sql_type, value))
        literal = "NULL" if value is None else f"'{value}'"
        operand = f"CAST({literal} AS {duck_type(sql_type)})"
        text, is_odd = (form.sql.format(operand), (form.odd or "false").format(operand))
        found = connection.execute(f"SELECT {is_odd}, {text}").fetchone()
        assert found is not None
        odd += bool(found[0])
        assert found[0] or found[1] == stored, value
    assert odd * 2 <= len(values_of(name))


def test_numbers_and_dates_are_among_them() -> None:
    wanted = "int bigint bit decimal(18,4) decimal(38,0) decimal(38,10) money smallmoney float real uniqueidentifier date smalldatetime"
    assert set(wanted.split()) <= set(TYPES)
