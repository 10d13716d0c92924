"""What a result set says of its columns holds for its rows: where one is NULL, the column may be NULL."""

from __future__ import annotations

import pytest

import sbql

FORMS = (
    "SELECT {} AS x",
    "SELECT {} AS x WHERE 1 = 1",
    "SELECT {0} AS x UNION ALL SELECT {0}",
    "SELECT x FROM (SELECT {} AS x) AS d",
    "SELECT v.x FROM (VALUES ({})) AS v (x)",
    "SELECT {} AS x FROM (VALUES (1), (2)) AS v (i)",
    "WITH c AS (SELECT {} AS x) SELECT x FROM c",
    "DECLARE @n int; SELECT {} AS x, @n AS n",
)
NULLS = (
    "NULL", "CAST(NULL AS int)", "CAST(NULL AS xml)", "CONVERT(datetime2, NULL)", "NULLIF(1, 1)", "NULL + 1", "1 + CAST(NULL AS int)", "N'a' + NULL",
    "-CAST(NULL AS int)", "UPPER(NULL)", "LEN(NULL)", "ABS(CAST(NULL AS int))", "SUBSTRING(CAST(NULL AS varchar(5)), 1, 2)", "IIF(1 = 1, NULL, 1)",
    "CASE WHEN 1 = 0 THEN 1 END", "CHOOSE(3, 1, 2)", "TRY_CAST('a' AS int)", "DB_NAME(99)", "(SELECT 1 WHERE 1 = 0)", "ISNULL(NULL, NULLIF(1, 1))",
    "COALESCE(NULLIF(1, 1), NULLIF(2, 2))", "~CAST(NULL AS int)",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_column_with_a_null_is_nullable(form: str) -> None:
    with sbql.connect() as connection:
        for text in NULLS:
            cursor = connection.execute(form.format(text))
            assert {row[0] for row in cursor.fetchall()} == {None}, text
            assert cursor.description[0][6] is True, text


def test_a_literal_is_not() -> None:
    """Else the test above would hold where nobody looks."""
    with sbql.connect() as connection:
        assert connection.execute("SELECT 1 AS x").description[0][6] is False
