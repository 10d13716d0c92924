"""Combinations: every scalar function and operator in every clause that takes an expression gives the same value there,
plain and with a comment and a line end at every border of tokens.

The value to compare with is that of the expression over variables, `SELECT V`: no clause may give another, and only
what `refusals` names may be refused. What the value has to be is not asked here: tests/oracle and tests/sql know.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from combination_clauses import CLAUSES, OPERANDS, SETUP, Clause
from combination_expressions import EXPRESSIONS, UNTRIED, VOLATILE

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet
from sbql.engine.scalars import calls as expressions_calls
from sbql.engine.scalars.function_registry import SCALAR, all_functions
from sbql.grammar.ast import Batch, FunctionCall, MethodCall
from sbql.grammar.lexer import Source, scan
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import find_all, walk
from sbql.repl.testing.expectations import shown

WITHOUT_ORDER = ("xml", "text", "ntext", "image")
EVERYWHERE = os.environ.get("COMBINATIONS") == "all"
BORDER = " /* a 'border' */ -- of [tokens]\n"


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    instance = Instance.open(None, clock="virtual", seed=0)
    made = instance.connect(database="master")
    for batch in SETUP.split("\nGO\n"):
        assert run(made, batch)[1] == []
    yield made
    instance.close()


def run(session: Any, text: str) -> tuple[list[tuple[str, str]], list[int]]:
    """The rows of all result sets and the messages, as (type, text), and the numbers of errors."""
    loop = session.instance.loop
    task = loop.start(session, text)
    assert loop.run_until_done(task), text
    if task.failure is not None:
        raise AssertionError(text) from task.failure
    rows: list[tuple[str, str]] = []
    errors: list[int] = []
    for outcome in task.outcomes:
        if isinstance(outcome, ResultSet):
            rows += [(str(outcome.columns[0].type), shown(row, outcome)[0]) for row in outcome.rows]
        elif isinstance(outcome, InfoMessage) and not outcome.number:
            rows.append(("message", outcome.text))
        elif isinstance(outcome, ErrorOutcome):
            errors.append(outcome.error.number)
    return rows, errors


def tokens(text: str) -> list[str]:
    return [text[token.start : token.end] for token in scan(Source(text)) if token.kind != "end"]


def over(expression: str, operands: dict[str, str]) -> str:
    """The expression with other operands."""
    return " ".join(operands.get(token, token) for token in tokens(expression))


def declarations(expression: str) -> str:
    used = [f"{name} {OPERANDS[name][0]} = {OPERANDS[name][1]}" for name in sorted(names(expression))]
    return f"DECLARE {', '.join(used)};\n" if used else ""


def names(expression: str) -> set[str]:
    """The operands of an expression."""
    return {token for token in tokens(expression) if token in OPERANDS}


def batch_of(clause: Clause, expression: str, sql_type: str) -> str:
    forms = {
        "E": over(expression, {name: f"t.[{name[1:]}]" for name in OPERANDS}),
        "V": expression,
        "L": over(expression, {name: value for name, (_, value, _) in OPERANDS.items()}),
        "QE": over(expression, {name: queue for name, (_, _, queue) in OPERANDS.items() if queue is not None}),
        "T": sql_type,
    }
    if clause.name in ("check", "computed column"):
        forms["E"] = over(expression, {name: f"[{name[1:]}]" for name in OPERANDS})
    text = " ".join(forms.get(token, token) for token in tokens(clause.text))
    return f"{declarations(expression)}DECLARE @r {sql_type} = {expression};\n{text}"


def value_of(session: Any, expression: str) -> tuple[str, str, str]:
    """Type, value and value as text."""
    rows, errors = run(
        session, f"{declarations(expression)}SELECT {expression} AS v; SELECT CONVERT(nvarchar(4000), {expression});"
    )
    assert errors == [], (expression, errors)
    return rows[0][0], rows[0][1], rows[1][1]


METHODS = {"check": 423, "computed column": 435, "print": 2722}
"""Where methods of xml have no place."""
WITHOUT_COLUMNS = {"group by": 164, "order by": 408, "over order by": 5309}


def refusals(clause: Clause, expression: str, as_text: str) -> set[int | None]:
    """The errors that a clause may answer an expression with."""
    found: set[int | None] = set()
    if any(isinstance(node, MethodCall) for node in walk(tree_of(expression))):
        found.add(METHODS.get(clause.name))
    if not names(expression):
        found.add(WITHOUT_COLUMNS.get(clause.name))
    if clause.name == "send" and as_text == "NULL":
        found.add(8433)
    return found


def tree_of(text: str) -> Batch:
    return parse_batch(f"SELECT {text}")


def expected_of(clause: Clause, value: str, as_text: str) -> set[str]:
    """What may be shown, without blanks around it."""
    if "'yes'" in clause.text:
        return {"yes"}
    if not clause.is_text:
        return {value}
    if clause.name == "print" and as_text == "NULL":
        return {""}
    if clause.name == "send" and as_text == "":
        return {"", "NULL"}  # blanks, or nothing: an empty body is no body
    return {as_text}


def fault(session: Any, clause: Clause, text: str, expression: str, value: str, as_text: str) -> str | None:
    """What is wrong with a clause around an expression, None if nothing is."""
    rows, errors = run(session, text)
    if errors or "TRANSACTION" in clause.text:
        run(session, "WHILE @@TRANCOUNT > 0 ROLLBACK; DROP TABLE IF EXISTS #c, #d, #p;")
    if errors:
        allowed = refusals(clause, expression, as_text)
        return None if set(errors) <= allowed else f"{clause.name}: errors {errors} of\n{text}"
    if expression in VOLATILE:
        return None if rows or clause.compares else f"{clause.name}: no row of\n{text}"
    expected = expected_of(clause, value, as_text)
    found = rows[-1][1].strip() if rows else None
    return None if found in expected else f"{clause.name}: {found!r} instead of {expected} by\n{text}"


@pytest.mark.matrix
@pytest.mark.parametrize("number", range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_an_expression_means_the_same_in_every_clause(session: Any, number: int) -> None:
    """All clauses plain; the text with borders gives an equal tree in all of them, and is run in some, in
    turn (in all with COMBINATIONS=all)."""
    expression = EXPRESSIONS[number]
    sql_type, value, as_text = value_of(session, expression)
    found = []
    for place, clause in enumerate(CLAUSES):
        if clause.compares and sql_type in WITHOUT_ORDER or clause.groups and "@x" in names(expression):
            continue
        text = batch_of(clause, expression, sql_type)
        bordered = BORDER.join(tokens(text))
        assert parse_batch(bordered) == parse_batch(text)
        texts = [text, bordered] if EVERYWHERE or (number + place) % 6 == 0 else [text]
        found += [fault(session, clause, each, expression, value, as_text) for each in texts]
    wrong = [each for each in found if each is not None]
    assert not wrong, "\n\n".join(wrong)


def test_every_scalar_function_is_tried() -> None:
    """A new function needs a line in combination_expressions.py, or a reason there."""
    tried = {
        call.name.name.upper() for expression in EXPRESSIONS for call in find_all(tree_of(expression), FunctionCall)
    }
    functions = {name for name, spec in all_functions().items() if spec.kind == SCALAR} | set(
        expressions_calls._SPECIAL
    )
    assert functions - tried == UNTRIED.keys()
