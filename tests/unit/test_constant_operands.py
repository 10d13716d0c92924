"""An operator whose right operand is a constant gives what it gives with a variable of the same value there: results,
NULL, and errors, behind a variable and behind what has to be computed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

OPERANDS = {
    "tinyint": ("0", "3", "255"),
    "smallint": ("-32768", "7", "32767"),
    "int": ("-2147483648", "-7", "0", "2", "2147483647"),
    "bigint": ("-9223372036854775808", "-7", "0", "5", "9223372036854775807"),
    "decimal(9,2)": ("-2.50", "0", "9999999.99"),
    "money": ("-922337203685477.5808", "0", "2.5"),
    "float": ("-1.5e300", "0", "1.5e300"),
    "varchar(5)": ("''", "'ab'", "'abcde'"),
    "nvarchar(5)": ("N'cd'", "N' '"),
    "varbinary(4)": ("0x", "0x01020304"),
    "datetime": ("'2024-02-29'", "'9999-12-31'", "'1753-01-01'"),
}
OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()


def told(session: Session, text: str) -> list[object]:
    found: list[object] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.message))
        elif isinstance(outcome, ResultSet):
            found.append(repr(outcome.rows))
    return found


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("kind", OPERANDS)
def test_constants_and_variables(session: Session, kind: str, operator: str) -> None:
    names = f"DECLARE @a {kind}, @b {kind}, @nothing {kind}, @r sql_variant; "
    for left, right in itertools.product((*OPERANDS[kind], "NULL"), repeat=2):
        constant = f"CAST({right} AS {kind})"
        values = f"{names} SET @a = {left}; SET @b = {right}; "
        for one in ("@a", "ISNULL(@nothing, @a)"):
            texts = [f"{values} SET @r = {one} {operator} {other}; SELECT @r" for other in (constant, "@b")]
            first, second = (told(session, text) for text in texts)
            assert first == second, texts[0]
