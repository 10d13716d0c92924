"""Aggregates say for which rows their expression is NULL (warning 8153) by what it is made of, where that is known: for
each call over every value of its types, so many groups have a NULL as the scalar evaluator finds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from native_calls import CALLS
from native_sweep import Sweep

from sbql.engine import noted_warnings
from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.errors import SqlError

SHARE = int(os.environ.get("NATIVE_SHARE", "701"))
"""One of so many calls is made."""

COMPOSED = [
    ("UPPER(LEFT(a0, 1)) + LOWER(SUBSTRING(a0, 2, LEN(a0)))", ("varchar(40)",)),
    ("RTRIM(a0) + ': ' + CAST(a1 AS varchar(10))", ("nvarchar(40)", "smallint")),
    ("CONCAT(a0, NULL, a1)", ("varchar(40)", "smallint")),
    ("CONCAT_WS(NULL, a0, a1)", ("varchar(40)", "smallint")),
    ("CONCAT(a0, '') + NULLIF(a1, '42')", ("char(10)", "varchar(40)")),
    ("a0 * 2.5 / NULLIF(a1, 0)", ("decimal(9,2)", "smallint")),
    ("a0 + ISNULL(a1, 0) - COALESCE(a1, 1)", ("int", "smallint")),
    ("TRY_CAST(a0 AS int) + 1", ("varchar(40)",)),
    ("LEN(TRY_CAST(a0 AS date)) * a1", ("varchar(40)", "smallint")),
    ("IIF(a0 > 0, a1, NULL) * a0", ("smallint", "decimal(9,2)")),
    ("QUOTENAME(a0) + QUOTENAME(a0 + REPLICATE('x', 100))", ("varchar(40)",)),
    ("LEFT(REPLICATE(a0, a1), 3) + 'x'", ("char(10)", "smallint")),
    ("STUFF(a0, a1, 2, 'x') + 'y'", ("char(10)", "smallint")),
    ("DATEADD(day, a0, CAST('20240229' AS date))", ("smallint",)),
    ("DATEDIFF(day, a0, NULLIF(a1, a0)) % 7", ("date", "datetime")),
    ("REPLACE(a0, LEFT(a1, 1), NULL)", ("varchar(40)", "char(10)")),
    ("dbo.Share(a0, a1)", ("decimal(9,2)", "smallint")),
    ("dbo.Either(a0, a1) + a1", ("decimal(9,2)", "smallint")),
    ("dbo.Twice(a0 + a1) * a1", ("decimal(9,2)", "smallint")),
]
FUNCTIONS = """CREATE FUNCTION dbo.Share (@a money, @b int) RETURNS money AS BEGIN RETURN @a / NULLIF(@b, 0) END
GO
CREATE FUNCTION dbo.Either (@a money, @b int) RETURNS money AS BEGIN IF @b > 5 RETURN @a RETURN NULL END
GO
CREATE FUNCTION dbo.Twice (@a money) RETURNS money AS BEGIN DECLARE @b money = @a + 1 RETURN @b + @b END"""


@pytest.fixture(scope="module")
def sweep() -> Iterator[Sweep]:
    found = Sweep()
    for text in FUNCTIONS.split("\nGO\n"):
        found.run(text)
    yield found
    found.close()


class Noted(set[int]):
    """Whose warnings are to say that NULLs were left out, and how often that was noted."""

    count = 0

    def add(self, number: int) -> None:
        self.count += 1
        super().add(number)


def test_as_many_groups_have_nulls_as_have_values_that_are(sweep: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = Noted()
    monkeypatch.setattr(noted_warnings, "_left_out", noted)
    differences = []
    for call, types in [*COMPOSED, *CALLS[::SHARE]]:
        wanted = sweep.by_scalars(call, types)
        if isinstance(wanted, int):
            continue
        failing = [k for k, value in enumerate(wanted) if isinstance(value, SqlError)]
        condition = f" WHERE k NOT IN ({', '.join(map(str, failing))})" if failing else ""
        noted.count = 0
        outcomes = sweep.session.run(f"SELECT k, MAX({call}) FROM {sweep.table(types)}{condition} GROUP BY k")
        if any(isinstance(outcome, ErrorOutcome) for outcome in outcomes):
            continue  # no MAX of that type, or an operand that fails beside a NULL
        nulls = sum(value is None for value in wanted)
        if noted.count != nulls:
            differences.append(f"{call} {types}: {nulls} are NULL, {noted.count} were noted")
    assert not differences, "\n".join(differences)
