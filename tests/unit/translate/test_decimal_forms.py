"""Native forms of products, quotients, remainders, powers and roundings of exact numbers, against the operators of
T-SQL in Python: random types, and values that lie at their ends, halfway, and a unit beside quotients without
a rest."""

from __future__ import annotations

import random
from decimal import Decimal, localcontext

import duckdb
import pytest

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.arithmetic import amount_form, operator_form
from sbql.engine.native.conversions import conversion_form
from sbql.engine.native.forms import Call, Form
from sbql.engine.native.numbers import NUMBERS
from sbql.engine.tables.typed_sql import Parameter, Typed
from sbql.grammar.types import INT, SqlType
from sbql.grammar.values.arithmetic import operation
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import digits_after, digits_before
from sbql.grammar.values.languages import DateFormat
from sbql.grammar.values.result_types import arithmetic_type

pytestmark = pytest.mark.matrix
ROWS = 50
store = duckdb.connect()
store.execute("SET threads = 1")
MONEY, FLOAT = SqlType("money"), SqlType("float")
MOST = Decimal("922337203685477.5807")
WHOLE = {"int": 10, "smallint": 5, "tinyint": 3}


@pytest.fixture(autouse=True)
def many_digits():
    with localcontext() as context:
        context.prec = 90
        yield


def decimal_type(r: random.Random) -> SqlType:
    precision = r.choice([1, 5, 9, 10, 15, 18, 19, 20, 28, 30, 38, r.randint(1, 38)])
    return SqlType("decimal", precision=precision, scale=min(precision, r.choice([0, 2, 4, 6, 10, r.randint(0, 38)])))


def value_of(sql_type: SqlType, r: random.Random) -> Decimal | None:
    if sql_type.name in WHOLE:
        return Decimal(r.choice([0, 1, 2, 3, 7, 100, 255, r.randint(0, 255)]))
    digits, places = (19, 4) if sql_type.name == "money" else (sql_type.precision or 18, sql_type.scale or 0)
    kind = r.random()
    if kind < 0.05:
        return None
    if kind < 0.1:
        return Decimal(0)
    most = 10**digits - 1
    some = 10 ** r.randint(0, digits - 1)
    units = r.choice([most, some, 5 * some, 2 * some, some + 1, r.randint(some, 10 * some - 1)])
    found = Decimal(min(units, most) * r.choice([1, -1])).scaleb(-places)
    return max(-MOST, min(MOST, found)) if sql_type.name == "money" else found


def differences(form: Form, types: list[SqlType], rows: list[tuple[Decimal | None, ...]], compute) -> list[object]:
    """Rows that the form does not call odd, and for which it has another value."""
    names = ["a", "b"][: len(types)]
    store.execute(
        f"CREATE OR REPLACE TABLE t (i int, {', '.join(f'{n} {duck_type(t)}' for n, t in zip(names, types, strict=True))})"
    )
    given = (f"({i}, {', '.join('NULL' if v is None else f'{v:f}' for v in row)})" for i, row in enumerate(rows))
    store.execute(f"INSERT INTO t VALUES {', '.join(given)}")
    odd, when, quick = (one.format(*names) for one in (form.odd or "false", form.when or "false", form.quick or "NULL"))
    when = f"({when}) IS NOT FALSE"
    forms = f"CASE WHEN {when} THEN {quick} WHEN {odd} THEN NULL ELSE {form.sql.format(*names)} END"
    is_odd = f"CASE WHEN {when} THEN false ELSE {odd} END"
    found = store.execute(f"SELECT {is_odd}, {forms} FROM t ORDER BY i").fetchall()
    wrong: list[object] = []
    for (is_odd, value), row in zip(found, rows, strict=True):
        expected = None if None in row else value if is_odd else compute(*row)
        if value != expected:
            wrong.append((types, row, value, expected))
    return wrong


def exact(seed: int) -> random.Random:
    return random.Random(f"decimals {seed}")


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("op", "*/%")
def test_operators(op: str, seed: int) -> None:
    r, asked = exact(seed), 0
    for _ in range(12):
        left = r.choice([decimal_type(r), decimal_type(r), MONEY])
        right = r.choice([MONEY, *map(SqlType, WHOLE)]) if left == MONEY else decimal_type(r)
        result = arithmetic_type(op, left, right)
        form = amount_form(op, left, right, result)
        if form is None and (left == MONEY) == (right == MONEY):
            form = operator_form(op, Typed("a", left), Typed("b", right), result)
        if form is None:
            continue
        rows = [(value_of(left, r), value_of(right, r)) for _ in range(ROWS)]
        assert differences(form, [left, right], rows, operation(op, result)) == []
        asked += 1
    assert asked > 3


def constant(value: Decimal | int, sql_type: SqlType) -> Typed:
    return Typed("b", sql_type, False, is_literal=True, constant=Parameter(lambda frame: value, sql_type))


@pytest.mark.parametrize("seed", range(8))
def test_quotients_by_constants(seed: int) -> None:
    """All forms that are known to have no odd rows, over numbers on both sides of those that are divided in 64 bits."""
    r, asked = exact(seed), 0
    for _ in range(40):
        left = r.choice([decimal_type(r), SqlType("decimal", precision=r.randint(6, 19), scale=r.randint(0, 6)), MONEY])
        digits = r.randint(1, 6)
        right = INT if left == MONEY else SqlType("decimal", precision=digits, scale=r.randint(0, digits))
        units = r.choice([3, 7, 11, 12, 60, 119, 365, 1, 1, 999, r.randint(1, 10**digits - 1)]) % 10**digits or 1
        divisor = Decimal(units * r.choice([1, 1, -1])).scaleb(-(right.scale or 0))
        result = arithmetic_type("/", left, right)
        given = constant(int(divisor) if right == INT else divisor, right)
        form = amount_form("/", left, right, result, given) or operator_form("/", Typed("a", left), given, result)
        if form is None or form.odd:
            continue
        unit, most = (
            Decimal(1).scaleb(-digits_after(left)),
            MOST if left == MONEY else Decimal(10) ** digits_before(left),
        )
        found = [value_of(left, r) for _ in range(ROWS)] + ([Decimal("-922337203685477.5808")] if left == MONEY else [])
        for _ in range(ROWS):
            whole = Decimal(r.randint(1, 10 ** r.randint(1, 20))).scaleb(-r.randint(0, result.scale or 4))
            beside = (whole * divisor).quantize(unit) + r.choice([0, 0, 1, -1]) * unit
            found += [beside] if abs(beside) < most else []
        for power in range(6, 19):  # where one way ends and the other one begins
            edge = Decimal(9 * 10**power // r.choice([1, 2, 3, 7, 9])).scaleb(-digits_after(left))
            found += [edge, -edge] if edge < most else []
        rows = [(value, None if value is None else divisor) for value in found]
        assert differences(form, [left, right], rows, operation("/", result)) == []
        asked += 1
    assert asked > 8


@pytest.mark.parametrize("seed", range(16))
def test_quotients_beside_a_whole_number_of_units(seed: int) -> None:
    """A dividend that is a product of a quotient and the divisor, or a unit more or less."""
    r = exact(seed)
    for _ in range(12):
        left, right = decimal_type(r), decimal_type(r)
        result = arithmetic_type("/", left, right)
        form = operator_form("/", Typed("a", left), Typed("b", right), result)
        unit, most = (
            Decimal(1).scaleb(-(left.scale or 0)),
            Decimal(10) ** ((left.precision or 18) - (left.scale or 0)),
        )
        rows = []
        for _ in range(ROWS):
            divisor = value_of(right, r) or Decimal(1)
            quotient = Decimal(r.randint(1, 10 ** r.randint(1, 18))).scaleb(-r.randint(0, result.scale or 0))
            dividend = (quotient * divisor).quantize(unit) + r.choice([0, 0, 1, -1]) * unit
            if abs(dividend) < most and right.precision != right.scale:
                rows.append((dividend, divisor))
        if form is not None and rows:
            assert differences(form, [left, right], rows, operation("/", result)) == []


@pytest.mark.parametrize("seed", range(16))
def test_fewer_places(seed: int) -> None:
    r = exact(seed)
    for _ in range(12):
        source, target = r.choice([decimal_type(r), MONEY]), r.choice([decimal_type(r), MONEY])
        form = conversion_form(source, target, None, DateFormat())
        python = converter(source, target)
        if form is None or python is None:
            continue
        rows = [(value_of(source, r),) for _ in range(ROWS)]
        assert differences(form, [source], rows, python) == []


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("exponent", ["2", "0.5", "3"])
def test_powers(exponent: str, seed: int) -> None:
    r = exact(seed)
    for source in (MONEY, *(decimal_type(r) for _ in range(6))):
        result = MONEY if source == MONEY else SqlType("decimal", precision=38, scale=source.scale)
        row = NUMBERS["POWER"][0]
        form = row.form(Call((source, FLOAT), (None, None), result)) if not isinstance(row.form, Form) else row.form
        assert form is not None
        form = Form(form.sql.replace("{1}", f"{exponent}::DOUBLE"), form.odd.replace("{1}", f"{exponent}::DOUBLE"))
        rows = [(value_of(source, r),) for _ in range(ROWS)]

        def power(base: Decimal, to: float = float(exponent), result: SqlType = result) -> Decimal:
            return converter(FLOAT, result)(float(base) ** to)

        assert differences(form, [source], rows, power) == []


@pytest.mark.parametrize("style", [None, 0, 1, 2, 126])
def test_amounts_as_text(style: int | None) -> None:
    """Of every length: what does not fit is 234, which is Python's."""
    r = exact(style or 0)
    texts = [SqlType(name, length=length) for name in ("varchar", "nchar") for length in (*range(1, 27), 40)]
    for source, most in ((MONEY, MOST), (SqlType("smallmoney"), Decimal("214748.3647"))):
        rows = [(value_of(MONEY, r),) for _ in range(ROWS)]
        edges = [
            Decimal(s) for s in ("0.0049", "-0.0051", "999.995", "-999.995", "99999.995", "-0.5", "1000", "999999.9999")
        ]
        rows = (
            [(v,) for (v,) in rows if v is None or abs(v) <= most] + [(v,) for v in edges if abs(v) <= most] + [(most,)]
        )
        found = [(form, t) for t in texts if (form := conversion_form(source, t, style, DateFormat())) is not None]
        assert len(found) > 30
        for form, target in found:
            assert differences(form, [source], rows, converter(source, target, style)) == []


def test_an_integer_literal_is_no_amount_first() -> None:
    assert amount_form("*", MONEY, INT, MONEY) is not None
    assert amount_form("*", MONEY, SqlType("bigint"), MONEY) is None
