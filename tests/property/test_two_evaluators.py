"""Scalars run as closures, queries in DuckDB: one expression means the same in both (value, type, error number).

Random expressions, conditions and calls of every deterministic function run through both; results that the
documentation gives are asked of both. What may differ is said in `check`. `make fuzz` runs many more (PROPERTY_EXAMPLES
each, from another seed each time).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from documented_results import ERRORS, TRUTHS, VALUES as DOCUMENTED
from expression_texts import FUNCTIONS, LEFT_OUT, calls, conditions, expressions
from hypothesis import HealthCheck, given, settings, strategies as st
from two_evaluators import ROWS, VALUES, Answer, Evaluators, name_of

from sbql.engine.scalars.function_registry import SCALAR, all_functions

FEW = settings(
    max_examples=400, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
VERY_FEW = settings(FEW, max_examples=5)
MANY = settings(
    FEW, max_examples=int(os.environ.get("PROPERTY_EXAMPLES", "20000")), derandomize=False, print_blob=True,
)  # fmt: skip

ROW = st.integers(0, ROWS - 1)
TRUTH = "CASE WHEN {0} THEN 1 WHEN NOT ({0}) THEN 0 END"
SKIPS = re.compile(r"[<>=]|\b(?:CASE|IIF|IN|BETWEEN|LIKE|AND|OR|COALESCE|ISNULL|NULLIF|CHOOSE|NULL)\b")
"""Where SQL Server, too, promises no order, or leaves a part unevaluated."""

OPERAND = re.compile(r"\{([^:{}]+):([^{}]*)\}")


@pytest.fixture(scope="module")
def both() -> Iterator[Evaluators]:
    evaluators = Evaluators()
    yield evaluators
    evaluators.close()


def check(text: str, one: Answer, other: Answer, *, is_deep: bool) -> None:
    """The same; but an error of a value may stay away where a NULL or a condition makes its part needless, and of two
    errors that a deep text has, either may be the one."""
    if one.same(other):
        return
    is_late = one.is_late or other.is_late or ("sql_variant" in text and 529 in (one.error, other.error))
    if is_late and (SKIPS.search(text) or "None" in (one.value, other.value)):
        return
    if is_deep and one.error and other.error:
        return
    pytest.fail(f"{text}\n  closures: {one}\n  query:    {other}")


def try_value(both: Evaluators, text: str, row: int, *, is_deep: bool = True) -> None:
    one = both.by_closures(text, row)
    check(text, one, both.by_query(text, row), is_deep=is_deep)
    if one.error is None:
        assigned = both.by_closures(text, row, f"DECLARE @r {one.type}; SET @r = {{}}; SELECT @r")
        assert one.same(assigned), f"{text}\n  SELECT: {one}\n  SET:    {assigned}"


def try_condition(both: Evaluators, text: str, row: int) -> None:
    one = both.by_closures(text, row, f"SELECT {TRUTH}")
    check(text, one, both.by_query(text, row, f"SELECT {TRUTH}"), is_deep=True)
    found = both.by_where(text, row)
    wanted = one if one.error else Answer("1" if one.value == "1" else "0", "int")
    check(text, wanted, found, is_deep=True)


# --- random ------------------------------------------------------------------------------------------------


@FEW
@given(expressions(1), ROW)
def test_values(both: Evaluators, text: str, row: int) -> None:
    try_value(both, text, row, is_deep=False)


@FEW
@given(expressions(2), ROW)
def test_deeper_values(both: Evaluators, text: str, row: int) -> None:
    try_value(both, text, row)


@FEW
@given(conditions(), ROW)
def test_conditions(both: Evaluators, text: str, row: int) -> None:
    try_condition(both, text, row)


_FORMS = (
    *(f"«{{0}}» {op} «{{1}}»" for op in "+-*/%&|^"), "COALESCE(«{0}», «{1}»)", "ISNULL(«{0}», «{1}»)", "NULLIF(«{0}», «{1}»)",
    "CAST(«{0}» AS {1})", "TRY_CAST(«{0}» AS {1})", "CONVERT({1}, «{0}», 1)", "CONVERT({1}, «{0}», 121)",
    "CASE «{0}» WHEN «{1}» THEN 1 ELSE 0 END", "IIF(1 = 1, «{0}», «{1}»)", "GREATEST(«{0}», «{1}»)",
)  # fmt: skip


@pytest.mark.matrix
@pytest.mark.parametrize("one", list(VALUES))
def test_pairs_of_types(both: Evaluators, one: str) -> None:
    """Every pair of types in one operator, one form and one comparison; over the rows and types all of them are met.
    `make fuzz` tries each pair in each."""
    place = list(VALUES).index(one)
    for number, other in enumerate(VALUES):
        turn = place * 5 + number * 3
        try_value(both, _FORMS[turn % 8].format(one, other), turn % ROWS, is_deep=False)
        try_value(both, _FORMS[8 + turn % (len(_FORMS) - 8)].format(one, other), (turn + 1) % ROWS, is_deep=False)
        try_condition(both, f"«{one}» {('=', '<>', '<', '<=', '>', '>=')[turn % 6]} «{other}»", turn % ROWS)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.parametrize("one", list(VALUES))
def test_all_pairs_of_types(both: Evaluators, one: str) -> None:
    for other in VALUES:
        for row in range(0, ROWS, 3):
            for form in _FORMS:
                try_value(both, form.format(one, other), row, is_deep=False)
            for op in ("=", "<>", "<", "<=", ">", ">="):
                try_condition(both, f"«{one}» {op} «{other}»", row)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions(both: Evaluators, name: str) -> None:
    @VERY_FEW
    @given(calls(0, "number", name), calls(0, "text", name), ROW)
    def run(text: str, other: str, row: int) -> None:
        try_value(both, text, row)
        try_value(both, other, row)

    run()


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@MANY
@given(st.one_of(expressions(1), expressions(2), expressions(3)), ROW)
def test_many_values(both: Evaluators, text: str, row: int) -> None:
    try_value(both, text, row)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@MANY
@given(st.one_of(conditions(1), conditions(2), conditions(3)), ROW)
def test_many_conditions(both: Evaluators, text: str, row: int) -> None:
    try_condition(both, text, row)


def test_every_function_is_tried_or_left_out() -> None:
    known = {name for name, spec in all_functions().items() if spec.kind == SCALAR and spec.deterministic}
    assert known - set(FUNCTIONS) - set(LEFT_OUT) == set()


# --- keys --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sql_type", [t for t in VALUES if t != "xml"])
def test_equality_and_order(both: Evaluators, sql_type: str) -> None:
    """GROUP BY, DISTINCT and ORDER BY find the equal values equal and the smaller ones first, as = and < of closures
    do."""
    literals = VALUES[sql_type]
    table = f"dbo.keys_{name_of(sql_type)}"
    rows = ", ".join(f"({n}, CAST({literal} AS {sql_type}))" for n, literal in enumerate(literals))
    both.run(f"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (n int, v {sql_type}); INSERT {table} VALUES {rows}")

    def compared(op: str, a: int, b: int) -> bool:
        text = f"DECLARE @a {sql_type} = {literals[a]}, @b {sql_type} = {literals[b]}; SELECT IIF(@a {op} @b, 1, 0)"
        return both.answer(text).value == "1"

    firsts = [a for a in range(len(literals)) if not any(compared("=", a, b) for b in range(a))]
    assert both.answer(f"SELECT COUNT(*) FROM (SELECT DISTINCT v FROM {table}) AS d").value == str(len(firsts))
    assert both.answer(f"SELECT COUNT(*) FROM (SELECT MIN(n) AS n FROM {table} GROUP BY v) AS d").value == str(
        len(firsts)
    )
    assert both.answer(f"SELECT COUNT(DISTINCT v) FROM {table}").value == str(len(firsts))
    (result, *_) = both.run(f"SELECT n FROM {table} ORDER BY v")
    order = [n for (n,) in result.rows]
    assert not [(a, b) for a, b in pairwise(order) if compared("<", b, a)]
    assert (
        both.answer(f"SELECT MIN(n) FROM {table} WHERE v = (SELECT v FROM {table} WHERE n = {order[0]})").error is None
    )


# --- as documented -----------------------------------------------------------------------------------------


def asked(both: Evaluators, text: str) -> list[Any]:
    """The answers of both: operands are variables, and columns."""
    operands = OPERAND.findall(text)

    def named(sign: str) -> str:
        numbers = iter(range(len(operands)))
        return OPERAND.sub(lambda _: f"{sign}{next(numbers)}", text)

    variables = ", ".join(f"@o{n} {sql_type} = {value}" for n, (sql_type, value) in enumerate(operands))
    columns = (
        ", ".join(f"CAST({value} AS {sql_type}) AS o{n}" for n, (sql_type, value) in enumerate(operands)) or "1 AS one"
    )
    declared = f"DECLARE {variables}; " if operands else ""
    return [
        both.answer(f"{declared}SELECT {named('@o')}"),
        both.answer(f"SELECT {named('o')} FROM (SELECT {columns}) AS operands"),
    ]


@pytest.mark.parametrize("text", DOCUMENTED)
def test_documented_values(both: Evaluators, text: str) -> None:
    assert [(a.type, a.shown) for a in asked(both, text)] == [DOCUMENTED[text]] * 2


@pytest.mark.parametrize("text", TRUTHS)
def test_documented_truths(both: Evaluators, text: str) -> None:
    wanted = {True: "1", False: "0", None: "NULL"}[TRUTHS[text]]
    assert [a.shown for a in asked(both, TRUTH.format(text))] == [wanted] * 2


@pytest.mark.parametrize("text", ERRORS)
def test_documented_errors(both: Evaluators, text: str) -> None:
    form = (
        f"CASE WHEN {text} THEN 1 END" if (" = " in text or " IN (" in text) and not text.startswith("CASE") else text
    )
    assert [a.error for a in asked(both, form)] == [ERRORS[text]] * 2
