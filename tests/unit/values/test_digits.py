"""Numbers of more digits than Python reads."""

from __future__ import annotations

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.digits import whole


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("-12", -12), ("+7", 7), ("0" * 9000 + "42", 42), ("-" + "0" * 9000 + "42", -42), ("0" * 9000, 0)],
)
def test_whole(text: str, number: int) -> None:
    assert whole(text) == number


@pytest.mark.parametrize("count", [4000, 4001, 5000, 1_000_000])
def test_more_digits_than_any_type_has(count: int) -> None:
    assert whole("9" * count) >= 10**3999
    assert whole("-" + "9" * count) <= -(10**3999)


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ("SELECT {n}", 1007),
        ("SELECT CAST('{n}' AS int)", 248),
        ("SELECT CAST('{n}' AS smallint)", 244),
        ("SELECT CAST('{n}' AS bigint)", 8115),
        ("SELECT '{n}' + 1", 248),
    ],
)
@pytest.mark.parametrize("count", [39, 4299, 4301, 100_000])
def test_out_of_range_whatever_the_length(instance: Instance, statement: str, number: int, count: int) -> None:
    outcomes = instance.connect().run(statement.format(n="9" * count))
    assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)] == [number]
