"""Aggregates, groups and orders of few rows give what DuckDB gives, over all types: values, types of the results, and
the errors of what does not fit.

Each statement runs on two instances with the same rows, of which one leaves all to DuckDB.
"""

from __future__ import annotations

from typing import Any

import pytest
from direct_pair import Pair
from told import told

from sbql.engine.direct import form
from sbql.engine.outcomes import ErrorOutcome, ResultSet

VALUES = {
    "tinyint": ("0", "255", "7", "7"),
    "smallint": ("-32768", "32767", "5", "5"),
    "int": ("-2147483648", "2147483647", "3", "-3"),
    "bigint": ("-9223372036854775808", "9223372036854775807", "3", "3"),
    "bit": ("0", "1", "1", "0"),
    "decimal(9, 2)": ("-1.25", "9999999.99", "0.01", "0.01"),
    "decimal(38, 10)": ("9999999999999999999999999999.9999999999", "1.0000000001", "-2", "-2"),
    "decimal(5, 5)": ("0.99999", "-0.00001", "0.5", "0.5"),
    "decimal(38, 0)": ("99999999999999999999999999999999999999", "1", "7", "7"),
    "money": ("-922337203685477.5808", "922337203685477.5807", "0.0001", "0.3333"),
    "smallmoney": ("-214748.3648", "214748.3647", "0.0001", "0.3333"),
    "float": ("1e308", "-0.5", "0.1", "0.1"),
    "date": ("'00010101'", "'99991231'", "'20240229'", "'20240229'"),
    "datetime": ("'17530101'", "'99991231 23:59:59.997'", "'20240229 12:00:00.003'", "'20240229 12:00:00.003'"),
    "smalldatetime": ("'19000101'", "'20790606 23:59'", "'20240229 12:01'", "'20240229 12:01'"),
    "datetime2": ("'00010101'", "'99991231 23:59:59.9999999'", "'20240229 12:00:00.0000001'", "'20240229 12:00:00'"),
    "datetime2(3)": ("'00010101'", "'99991231 23:59:59.999'", "'20240229 12:00:00.001'", "'20240229 12:00:00'"),
    "time": ("'00:00:00.0000001'", "'23:59:59.9999999'", "'12:00'", "'12:00'"),
    "time(0)": ("'00:00'", "'23:59:59'", "'12:00'", "'12:00'"),
    "datetimeoffset": ("'20240101 00:00 +02:00'", "'20231231 23:00 +01:00'", "'20240101 +00:00'", "'20240102 +00:00'"),
    "varchar(10) COLLATE Latin1_General_CI_AS": ("'a'", "'B'", "'b'", "'a '"),
    "nvarchar(10) COLLATE Latin1_General_BIN2": ("N'a'", "N'B'", "N'é'", "N'a'"),
    "char(3)": ("'a'", "'b'", "''", "'a'"),
    "varbinary(5)": ("0x00", "0x0000", "0xFF", "0x"),
    "uniqueidentifier": tuple(
        f"'0000000{n}-0000-0000-0000-00000000000{m}'" for n, m in ((1, 2), (2, 1), (1, 1), (1, 2))
    ),
}
ITEMS = (
    "COUNT(v)", "COUNT(DISTINCT v)", "COUNT_BIG(*)", "COUNT_BIG(v)", "MIN(v)", "MAX(v)", "SUM(v)", "AVG(v)", "MIN(v), MAX(v), COUNT(*)", "SUM(DISTINCT v)", "AVG(v) + 1",
    "ISNULL(MAX(v), MIN(v))", "COALESCE(MAX(v), MIN(v)), COUNT(v)", "CASE WHEN COUNT(*) > 1 THEN MAX(v) ELSE MIN(v) END", "COUNT(*) + COUNT(v)", "MAX(v) + 1", "SUM(v) * 2", "-MIN(v)",
    "CONVERT(varchar(60), MAX(v))", "NULLIF(COUNT(v), 0)", "MAX(v) - MIN(v)", "AVG(v) / COUNT(*)", "CASE WHEN MAX(v) > '5' THEN 1 ELSE 0 END", "ISNULL(SUM(v), 0) + 1", "1 / (COUNT(*) - COUNT(v))",
    "ISNULL(MAX(v + v), MAX(v))", "COUNT(*) * 2, MAX(v), 1 - COUNT_BIG(v)", "MAX(g) + COUNT(*) + 0.5", "SUM(SUM(g)) OVER ()", "MAX(v) + g", "(SELECT MAX(v)) + 1", "NULL, MAX(v)", "COUNT(*) + LEN(NULL)",
)  # fmt: skip
QUERIES = (
    "SELECT {} FROM t WHERE g = 1", "SELECT {} FROM t WHERE g = 2", "SELECT {} FROM t WHERE g = 3", "SELECT {} FROM t WHERE g = 9", "SELECT g, {} FROM t GROUP BY g ORDER BY g",
    "SELECT {} FROM t WHERE g < 9 GROUP BY g ORDER BY g DESC", "SELECT TOP (2) g, {} FROM t WHERE g IN (1, 3) GROUP BY g ORDER BY g",
)  # fmt: skip
WHOLE = (
    "SELECT DISTINCT v FROM t WHERE g = 1", "SELECT v, COUNT(*) FROM t WHERE g = 1 GROUP BY v", "SELECT DISTINCT v, g FROM t", "SELECT id FROM t WHERE g = 1 ORDER BY v, id",
    "SELECT TOP (2) id, v FROM t WHERE g = 1 ORDER BY v DESC, id DESC", "SELECT TOP (3) id FROM t WHERE g = 3 ORDER BY v, id", "SELECT TOP (1) v FROM t WHERE g = 3 ORDER BY v",
    "SELECT DISTINCT TOP (1) v FROM t WHERE g = 1 ORDER BY v", "SELECT DISTINCT TOP (2) g FROM t ORDER BY g DESC", "SELECT g FROM t GROUP BY g, v ORDER BY g, v",
    "IF EXISTS (SELECT v FROM t WHERE g = 2 GROUP BY v) SELECT 1", "SELECT g, MAX(id) FROM t GROUP BY ALL g", "SELECT g, COUNT(*) FROM t GROUP BY ROLLUP (g) ORDER BY g",
    "SELECT g, COUNT(*) FROM t GROUP BY g HAVING COUNT(*) > 2 ORDER BY g", "SELECT g + 1, COUNT(*) FROM t GROUP BY g + 1 ORDER BY g + 1", "SELECT g FROM t GROUP BY ()",
    "SELECT COUNT(*) FROM t GROUP BY ()", "SELECT 1, COUNT(*) FROM t GROUP BY g", "SELECT id, COUNT(*) FROM t GROUP BY g", "SELECT DISTINCT g FROM t ORDER BY id", "SELECT NULL, id, (NULL) FROM t WHERE g = 1", "SELECT TOP (1) NULL AS n FROM t WHERE g = 3 ORDER BY id", "SELECT DISTINCT NULL FROM t WHERE g = 1",
    "DECLARE @k int = 1, @n int; SELECT @n = ISNULL(MAX(id), 0) + @k FROM t WHERE g = @k * 7; SELECT @n", "DECLARE @n int; SELECT @n = MAX(id) + 1 FROM t WHERE g = 3; SELECT @n",
)  # fmt: skip


def whole(session: Any, text: str) -> list[Any]:
    """Errors by number, results with their types and values with theirs; in any order where none is asked for."""
    found: list[Any] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.message))
        elif isinstance(outcome, ResultSet):
            rows = [tuple((type(value).__name__, str(value)) for value in row) for row in outcome.rows]
            rows = rows if "ORDER BY" in text else sorted(rows)
            found.append(([(column.name, column.type) for column in outcome.columns], rows))
        else:
            found.append(str(outcome))
    return found


@pytest.mark.matrix
@pytest.mark.parametrize("sql_type", VALUES)
def test_all_types(pair: Pair, sql_type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = VALUES[sql_type]
    rows = [f"({n}, 1, {v})" for n, v in enumerate(values)] + [f"({n + 10}, 2, {v})" for n, v in enumerate(values[2:])]
    rows += ["(20, 3, NULL)", f"(21, 3, {values[0]})", "(22, 3, NULL)", f"(23, 3, {values[1]})"]
    for session in pair.sessions:
        told(
            session,
            f"CREATE TABLE t (id int NOT NULL, g int NOT NULL, v {sql_type} NULL); INSERT t VALUES {', '.join(rows)}",
        )
    answered: list[bool] = []
    call = form.DirectGroup.__call__

    def called(self: Any, frame: Any) -> Any:
        found = call(self, frame)
        answered.append(found is not None)
        return found

    monkeypatch.setattr(form.DirectGroup, "__call__", called)
    for text in [query.format(item) for query in QUERIES for item in ITEMS] + [*WHOLE]:
        one, other = (whole(session, text) for session in pair.sessions)
        assert one == other, text
    assert sum(answered) > 15
