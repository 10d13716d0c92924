"""Native forms of float and real, against T-SQL in Python: ROUND to each number of places, and conversions, of floats
that lie halfway between two decimals and a bit or two beside them, and of any others."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.conversions import conversion_form
from sbql.engine.native.formats import FORMATS
from sbql.engine.native.forms import Call, Form
from sbql.engine.native.numbers import NUMBERS
from sbql.engine.scalars.function_registry import bind, lookup
from sbql.engine.session_options import SessionOptions
from sbql.grammar.errors import SqlError
from sbql.grammar.types import FLOAT, INT, SqlType
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.languages import DateFormat

pytestmark = pytest.mark.matrix
ROWS = 400
REAL = SqlType("real")
store = duckdb.connect()
store.execute("SET threads = 1")


def values(seed: int, places: int, digits: int = 14) -> list[float]:
    r = random.Random(f"floats {seed} {places}")
    found = [0.0, -0.0, 5.0, 15.0, -25.0, 2.5, 0.285, 1.005]
    for _ in range(ROWS):
        halves, units = r.randint(0, 10 ** r.randint(1, digits - 1)) + 0.5, r.randint(0, 10 ** r.randint(1, digits))
        value = r.choice([halves / 10.0**places, halves / 10.0**places, units / 10.0**places, r.random() * 10.0 ** r.randint(-9, 13)])  # fmt: skip
        for _ in range(r.choice([0, 0, 1, 2])):
            value = math.nextafter(value, r.choice([0, math.inf]))
        found.append(value * r.choice([1, -1]))
    return found


def shorter(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def differences(form: Form, source: SqlType, given: list[float], compute: Callable[[float], Any]) -> list[object]:
    """Values that the form does not call odd, and for which it has another one; too many of these, too."""
    store.execute(f"CREATE OR REPLACE TABLE t (i int, a {duck_type(source)})")
    store.execute(f"INSERT INTO t VALUES {', '.join(f'({i}, {value!r}::DOUBLE)' for i, value in enumerate(given))}")
    odd, sql = (form.odd or "false").format("a"), form.sql.format("a")
    found = store.execute(f"SELECT {odd}, CASE WHEN {odd} THEN NULL ELSE {sql} END FROM t ORDER BY i").fetchall()
    wrong: list[object] = []
    for (is_odd, value), one in zip(found, given, strict=True):
        if is_odd:
            continue
        try:
            expected = compute(one)
        except SqlError as error:
            expected = error.number
        if repr(value) != repr(expected):
            wrong.append((one, value, expected))
    return wrong


@pytest.mark.parametrize("cut", [0, 1])
@pytest.mark.parametrize("places", [0, 1, 2, 3, 4, 6, 9, 12, 14, -1, -2, -3, -8, -14])
def test_a_float_is_rounded_as_the_decimal_that_it_stands_for(places: int, cut: int) -> None:
    spec = lookup("ROUND")
    assert spec is not None
    types = (FLOAT, INT, INT)
    run = bind(spec, list(types), None).run
    form = NUMBERS["ROUND"][1].form
    made = form if isinstance(form, Form) else form(Call(types, (None, places, cut), FLOAT))
    assert made is not None
    for seed in range(3):
        given = values(seed, places)
        assert differences(made, FLOAT, given, lambda value: run(value, places, cut)) == []


@pytest.mark.parametrize(("pattern", "places"), [("N2", 2), ("0.0", 1), ("N0", 0), ("C", 2), ("P1", 3), ("F6", 6)])
@pytest.mark.parametrize("name", ["float", "real"])
def test_a_float_is_formatted_by_the_digits_that_it_has_to_net(name: str, pattern: str, places: int) -> None:
    spec, source = lookup("FORMAT"), SqlType(name)
    assert spec is not None
    (row,) = (row for row in FORMATS["FORMAT"] if row.kinds == "int|decimal|money|float string string")
    types = (source, TEXT, TEXT)
    bound = bind(spec, list(types), None)
    assert not isinstance(row.form, Form)
    made = row.form(Call(types, (None, pattern, "en-US"), bound.type))
    assert made is not None
    frame = SimpleNamespace(session=SimpleNamespace(options=SessionOptions()))
    for seed in range(3):
        given = [shorter(v) if name == "real" else v for v in values(seed, places, 9 if name == "real" else 12)]
        assert differences(made, source, given, lambda value: bound.run(frame, value, pattern, "en-US")) == []


TEXT = SqlType("varchar", length=40)
GOALS = [
    *((SqlType("decimal", precision=digits, scale=scale), None) for digits, scale in ((18, 2), (18, 4), (10, 0), (38, 6), (38, 10), (5, 1))),
    (SqlType("money"), None), (SqlType("smallmoney"), None), (REAL, None), (TEXT, None), (TEXT, 1), (TEXT, 2), (TEXT, 3),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "style"), GOALS, ids=str)
@pytest.mark.parametrize("name", ["float", "real"])
def test_conversions(name: str, goal: SqlType, style: int | None) -> None:
    source, run = SqlType(name), converter(SqlType(name), goal, style)
    if run is None:
        return
    form = conversion_form(source, goal, style, DateFormat())
    assert form is not None
    for places in (0, 1, 2, 4, 6):
        given = values(places, places, 9 if name == "real" else 14)
        given = [shorter(value) for value in given] if name == "real" else given
        assert differences(form, source, given, run) == []
