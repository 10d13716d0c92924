"""Texts as applications have them need no Python: of each expression that has a native form, hardly a row of a table of
usual texts is a call of a function of Python, of which each takes as long as a hundred rows in DuckDB.

The texts are names, addresses, paths and sentences in several languages and scripts, numbers with signs and blanks,
dates in the usual spellings, and words where one expects a number or date: staged data is cleaned by TRY_CAST.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

ROWS = 400
FEW = ROWS // 20
"""Calls that may be: some rows may be odd."""

COLUMNS = {
    "s": ("varchar(60)", "CHOOSE(value % 8 + 1, 'O''Brien-Smith, Pat', 'J. von Berg & Sons (UK) Ltd.', 'item_' + k, 'user' + k + '@mail-example.com', 'C:\\dir\\file_1.txt', '50% off! [new] <b>', 'Plain words', 'trailing  ')"),
    "n": ("nvarchar(60)", "CHOOSE(value % 8 + 1, N'O''Brien-Smith, Pat', N'M\u00fcller & S\u00f6hne \u2013 GmbH', N'item_' + k, N'user@mail-example.com', N'Za\u017c\u00f3\u0142\u0107 g\u0119\u015bl\u0105', N'\u041c\u043e\u0441\u043a\u0432\u0430 ' + k, N'\u6771\u4eac\u90fd', N'trailing  ')"),
    "x": ("varchar(max)", "REPLICATE(CAST('long text - line ' AS varchar(max)), 20) + k"),
    "c": ("char(20)", "'AB-' + k"),
    "t": ("varchar(30)", "CHOOSE(value % 5 + 1, k, '-' + k + '.25', ' ' + k, k + '.5  ', '+' + k)"),
    "w": ("nvarchar(30)", "CHOOSE(value % 3 + 1, k, '-' + k, ' ' + k + ' ')"),
    "u": ("varchar(40)", "CHOOSE(value % 6 + 1, '2024-03-05', '2024-03-05 13:14:15', '2024-03-05T13:14:15.123', '20240305', '2024-03-05 13:14:15.1234567', '03/05/2024')"),
    "h": ("varchar(20)", "CHOOSE(value % 4 + 1, '13:14', '13:14:15', '13:14:15.123', '13:14:15.1234567')"),
    "b": ("varchar(8)", "CHOOSE(value % 6 + 1, '0', '1', 'true', 'False', 'TRUE', 'no')"),
    "m": ("varchar(20)", "CHOOSE(value % 4 + 1, '$' + k, '1,' + RIGHT('000' + k, 3) + '.50', k, '-' + k + '.99')"),
    "z": ("varchar(40)", "CAST(NEWID() AS varchar(40))"),
}  # fmt: skip
"""Names to types and how each row has its text, by its number `value`, as text `k`."""

ANY_TEXT = ("s", "n", "x", "c", "t", "w", "u", "h", "b", "m", "z")
TARGETS = (
    "bigint", "int", "smallint", "tinyint", "bit", "decimal(10,2)", "decimal(38,6)", "money", "float", "real", "uniqueidentifier",
    "date", "datetime", "smalldatetime", "datetime2(7)", "datetime2(3)", "datetime2(0)", "datetimeoffset(7)", "datetimeoffset(3)", "time(7)", "time(3)", "time(0)",
)  # fmt: skip
DATED = frozenset(target for target in TARGETS if "date" in target)
TRIED = [f"TRY_CAST({c} AS {target})" for c in ANY_TEXT for target in TARGETS if c != "h" or target not in DATED]
CHECKED = [f"{name}({c})" for c in ANY_TEXT for name in ("ISNUMERIC", "ISDATE") if (c, name) != ("h", "ISDATE")]
CONVERTED = [
    *(f"CAST(w AS {target})" for target in ("int", "bigint", "smallint", "decimal(9,0)", "money", "float", "real")),
    *(f"CAST(t AS {target})" for target in ("decimal(18,2)", "decimal(38,4)", "money", "float", "real")),
    *(f"CAST(u AS {target})" for target in ("date", "datetime2(7)", "datetime2(3)", "datetime2(0)", "time(7)", "time(3)", "time(0)", "datetimeoffset(7)", "datetimeoffset(0)")),
    *(f"CAST(LEFT(u, 19) AS {target})" for target in ("datetime", "smalldatetime", "time(0)")),
    *(f"CAST(h AS {target})" for target in ("time(7)", "time(3)", "time(0)")),
    "CAST(m AS money)", "CAST(NULLIF(b, 'no') AS bit)", "CAST(z AS uniqueidentifier)",  "CONVERT(datetime, LEFT(u, 10))",
]  # fmt: skip


MATCHED = [
    *(call.format("n") for call in ("IIF({0} LIKE '%[0-9]%', 1, 0)", "IIF({0} LIKE N'%[^a-z]%', 1, 0)", "IIF({0} LIKE '%\\_1%' ESCAPE '\\', 1, 0)", "IIF({0} LIKE N'[\u0430-\u044f]%[0-9]', 1, 0)", "PATINDEX('%[0-9]%', {0})", "PATINDEX('%[^a-z]%', {0})", "PATINDEX('%mail%', {0})")),
    "IIF(n COLLATE Latin1_General_CS_AS LIKE '%[0-9]', 1, 0)", "CHARINDEX('a', n COLLATE Latin1_General_CS_AS)", "IIF(n COLLATE Latin1_General_CS_AS = s COLLATE Latin1_General_CS_AS, 1, 0)",
    "IIF(n LIKE LEFT(n, 3) + '%', 1, 0)", "IIF(c LIKE LEFT(c, 3) + '%' + t + 'x', 1, 0)", "IIF(c LIKE '%' + u, 1, 0)", "REVERSE(n)", "ASCII(n)", "UNICODE(n)",
    "PARSENAME(x, 1)", "PARSENAME(c, 1)", "QUOTENAME(x)", "QUOTENAME(x, '''')", "QUOTENAME(n)", "REVERSE(s)",
]  # fmt: skip
"""Patterns and single characters."""


@pytest.fixture(scope="module")
def usual_rows() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    declared = ", ".join(f"{name} {kind}" for name, (kind, _) in COLUMNS.items())
    made = ", ".join(value for _, value in COLUMNS.values())
    numbered = f"(SELECT value, CAST(value AS varchar(9)) AS k FROM GENERATE_SERIES(1, {ROWS})) AS g"
    assert told(session, f"CREATE TABLE t ({declared}); INSERT t SELECT {made} FROM {numbered}") == []
    yield session
    instance.close()


@pytest.mark.matrix
@pytest.mark.parametrize("expression", [*TRIED, *CHECKED, *CONVERTED, *MATCHED])
def test_usual_texts_need_no_python(usual_rows, calls, expression):
    assert told(usual_rows, f"SELECT {expression} AS x INTO #made FROM t; DROP TABLE #made") == []
    assert len(calls) <= FEW


def test_calls_of_python_are_seen(usual_rows, calls):
    """What the others assert can be false."""
    told(usual_rows, "SELECT FORMATMESSAGE(n, 1) FROM t")
    assert len(calls) >= ROWS
