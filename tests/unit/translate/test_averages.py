"""AVG keeps the sum in the type of its result: where SUM is 8115, so is AVG, in groups, windows and pivots;
elsewhere it is the sum divided."""

from __future__ import annotations

from decimal import Decimal

import pytest
from told import told

from sbql.engine.instance import Instance

HIGHEST = {
    "tinyint": 255,
    "smallint": 32_767,
    "int": 2_147_483_647,
    "bigint": 9_223_372_036_854_775_807,
    "smallmoney": Decimal("214748.3647"),
    "money": Decimal("922337203685477.5807"),
    "decimal(30, 6)": Decimal("9" * 24 + ".999999"),
}
OVERFLOWS = {"int", "bigint", "money"}
"""Two of the highest value are too much; those of the others are summed in a larger type."""
FORMS = {
    "all": "SELECT {f}(x) FROM {t}",
    "groups": "SELECT g, {f}(x) FROM {t} GROUP BY g ORDER BY g",
    "rollup": "SELECT g, {f}(x) FROM {t} GROUP BY ROLLUP (g) ORDER BY g",
    "expression": "SELECT {f}(CASE WHEN g < 9 THEN x END) FROM {t}",
    "having": "SELECT g FROM {t} GROUP BY g HAVING {f}(x) > 0 ORDER BY g",
    "window": "SELECT g, {f}(x) OVER () FROM {t} ORDER BY id",
    "partition": "SELECT g, {f}(x) OVER (PARTITION BY g) FROM {t} ORDER BY id",
    "running": "SELECT g, {f}(x) OVER (ORDER BY id) FROM {t} ORDER BY id",
    "frame": "SELECT g, {f}(x) OVER (PARTITION BY g ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM {t} ORDER BY id",
    "pivot": "SELECT [1], [2] FROM (SELECT g, x FROM {t}) AS q PIVOT ({f}(x) FOR g IN ([1], [2])) AS p",
    "subquery": "SELECT (SELECT {f}(u.x) FROM {t} AS u WHERE u.g = t.g) FROM {t} AS t ORDER BY id",
    "variable": "DECLARE @v sql_variant; SELECT @v = {f}(x) FROM {t}",
}
ONE_AT_A_TIME = "SELECT g, {f}(x) OVER (ORDER BY id ROWS CURRENT ROW) FROM {t} ORDER BY id"
DISTINCT = "SELECT {f}(DISTINCT x) FROM {t} WHERE g = 1"


@pytest.fixture(scope="module")
def session():
    instance = Instance.open(clock="virtual", seed=1)
    found = instance.connect()
    yield found
    instance.close()


def filled(session, sql_type: str, rows: str) -> None:
    told(session, f"DROP TABLE IF EXISTS t; CREATE TABLE t (id int IDENTITY, g int, x {sql_type})")
    assert told(session, f"INSERT t VALUES {rows}") == []


@pytest.mark.parametrize("sql_type", HIGHEST)
def test_it_fails_where_the_sum_does(session, sql_type: str) -> None:
    high = HIGHEST[sql_type]
    filled(session, sql_type, f"(1, {high}), (1, {high}), (2, 4), (2, NULL)")
    for name, form in FORMS.items():
        texts = [form.format(f=f, t="t") for f in ("SUM", "AVG")]
        total, average = (told(session, text) for text in texts)
        assert (8115 in total) == (8115 in average) == (sql_type in OVERFLOWS), (name, total, average)
        assert len(average) == len(total), name


@pytest.mark.parametrize("sql_type", HIGHEST)
def test_what_fits(session, sql_type: str) -> None:
    """The highest value alone, and averages that are cut towards zero."""
    high = HIGHEST[sql_type]
    filled(session, sql_type, f"(1, {high}), (1, {high}), (2, 7), (2, 8)")
    low = [(2, 7), (2, 8)]
    assert told(session, ONE_AT_A_TIME.format(f="AVG", t="t")) == [(1, high), (1, high), *low]
    assert told(session, DISTINCT.format(f="AVG", t="t")) == [(high,)]
    exact = sql_type in ("smallmoney", "money", "decimal(30, 6)")
    assert told(session, "SELECT AVG(x) FROM t WHERE g = 2") == [(Decimal("7.5") if exact else 7,)]
    assert told(session, "SELECT AVG(x) FROM t WHERE g = 3") == [(None,)]
    if sql_type != "tinyint":
        filled(session, sql_type, "(1, -7), (1, -8)")
        assert told(session, "SELECT AVG(x) FROM t") == [(Decimal("-7.5") if exact else -7,)]


def test_wider_by_hand(session) -> None:
    """What the page advises."""
    filled(session, "int", f"(1, {HIGHEST['int']}), (1, {HIGHEST['int']})")
    assert told(session, "SELECT AVG(CAST(x AS bigint)), AVG(x * 1.0) FROM t") == [(2147483647, Decimal("2147483647"))]
