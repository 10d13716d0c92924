"""FOR XML and FOR JSON over rows that need no DuckDB say what they say over DuckDB's rows: all clauses, all types, odd
values, no rows, and what they refuse."""

from __future__ import annotations

import pytest
from direct_pair import Pair
from told import told

SETUP = """CREATE TABLE o (id int NOT NULL PRIMARY KEY, a nvarchar(50) NULL, b varchar(20) NULL, c decimal(9,3) NULL, m money NULL, f float NULL, d datetime2(7) NULL, z datetimeoffset(3) NULL, g uniqueidentifier NULL,
    y varbinary(10) NULL, x xml NULL, t bit NULL, w date NULL, h time(2) NULL, v sql_variant NULL, ch char(5) NULL, l nvarchar(max) NULL, dt datetime NULL, r real NULL, s smallmoney NULL, big bigint NULL)
INSERT o VALUES (1, N'plain', 'text', 1.5, 2.25, 1.5, '2024-02-03T04:05:06.1234567', '2024-02-03T04:05:06.789+02:00', '6F9619FF-8B86-D011-B42D-00C04FC964FF', 0x0102FF, N'<p q="1">t</p>', 1, '2024-02-03', '10:11:12.34',
    CAST(5 AS int), 'ab', N'long', '2024-02-03T04:05:06.123', 1.1, 3, 9007199254740993)
INSERT o (id) VALUES (2)
INSERT o (id, a, b, l, f, ch, v) VALUES (3, N'<&> " 😀 é', 'a]]>b&amp;', NCHAR(9) + NCHAR(10) + NCHAR(13) + N'/' + NCHAR(92), 1e300, '', N'vari<ant')
INSERT o (id, a) VALUES (4, NCHAR(1) + N'x')"""
COLUMNS = "id, a, b, c, m, f, d, z, g, y, x, t, w, h, v, ch, l, dt, r, s, big".split(", ")
PLAIN = "SELECT {columns} FROM o WHERE id = {id}"
QUERIES = (
    PLAIN, "SELECT {columns} FROM @o", "SELECT TOP (1) {columns} FROM @o ORDER BY id DESC", "SELECT i.id AS [i/@id], o.a AS [i/a], o.b FROM @o AS i JOIN o ON o.id = i.id", "SELECT i.id, o.a, o.b, o.w FROM @o AS i LEFT JOIN o ON o.id = i.id + 1",
    "SELECT 5 AS five, N'a<' AS [at], @s AS s", "SELECT id AS [@id], a AS [x/y], b AS [x/z], c AS [text()] FROM o WHERE id = {id}", "SELECT id AS 'j.id', a AS 'j.a', b FROM o WHERE id = {id}", "SELECT COUNT(*) AS n FROM o WHERE id = {id}",
)  # fmt: skip
CLAUSES = (
    "XML RAW", "XML RAW ('row'), ELEMENTS XSINIL, ROOT ('r')", "XML AUTO", "XML AUTO, ELEMENTS", "XML PATH", "XML PATH (''), TYPE", "XML PATH ('o'), ROOT, TYPE", "XML RAW, BINARY BASE64", "XML PATH, BINARY BASE64, ELEMENTS XSINIL",
    "XML RAW, XMLSCHEMA ('urn:x')", "JSON PATH", "JSON PATH, ROOT ('r'), INCLUDE_NULL_VALUES", "JSON PATH, WITHOUT_ARRAY_WRAPPER", "JSON AUTO", "JSON AUTO, INCLUDE_NULL_VALUES",
)  # fmt: skip
VARIABLE = """DECLARE @s nvarchar(20) = N'ü'
DECLARE @o TABLE (id int NOT NULL, a nvarchar(50) NULL, b varchar(20) NULL, c decimal(9,3) NULL)
INSERT @o SELECT id, a, b, c FROM o WHERE id {some}
"""


@pytest.mark.matrix
@pytest.mark.parametrize("clause", CLAUSES)
def test_the_same_documents(pair: Pair, clause: str) -> None:
    for query in QUERIES:
        for number, some in ((1, "= 1"), (2, "< 3"), (3, "= 3"), (4, "> 3"), (9, "> 9")):
            columns = ", ".join(COLUMNS if query is PLAIN else COLUMNS[:4])
            text = f"{query.format(columns=columns, id=number)} FOR {clause}"
            one, other = pair.both(VARIABLE.format(some=some) + text)
            assert one == other, text
            one, other = pair.both(f"{VARIABLE.format(some=some)}SELECT ({text})")
            assert one == other, text
    assert pair.rendered > len(QUERIES) or "XMLSCHEMA" in clause, "most need no DuckDB"


@pytest.mark.matrix
@pytest.mark.parametrize("column", COLUMNS)
def test_the_same_values(pair: Pair, column: str) -> None:
    for clause in ("XML PATH", "XML RAW, BINARY BASE64", "XML AUTO, ELEMENTS XSINIL", "JSON PATH, INCLUDE_NULL_VALUES"):
        for number in (1, 2, 3, 4):
            text = f"SELECT {column} FROM o WHERE id = {number} FOR {clause}"
            one, other = pair.both(text)
            assert one == other, text
    assert pair.rendered > 8, "most need no DuckDB"


@pytest.mark.matrix
def test_rows_of_a_trigger(pair: Pair) -> None:
    """As a trigger makes the body of a message."""
    for clause in ("XML AUTO, TYPE, BINARY BASE64", "XML PATH ('i'), ROOT ('all')", "JSON PATH"):
        kind = "xml" if "XML" in clause else "nvarchar(max)"
        body = f"DECLARE @b {kind} = (SELECT id, a, b, w FROM inserted FOR {clause}), @c {kind} = (SELECT * FROM deleted d FOR {clause}); SELECT @b, @c"
        for session in pair.sessions:
            assert told(session, f"CREATE OR ALTER TRIGGER says ON o AFTER INSERT, UPDATE, DELETE AS {body}") == []
        for text in (
            "INSERT o (id, a, w) VALUES (20, N'é', '20240101'), (21, NULL, NULL)",
            "UPDATE o SET b = 'x' WHERE id IN (1, 20)",
            "DELETE o WHERE id >= 20",
            "DELETE o WHERE id = 99",
        ):
            one, other = pair.both(text)
            assert one == other and one, text
