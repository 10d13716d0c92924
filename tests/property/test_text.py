"""Text is UTF-16 units, and compares by its collation: the same through every way that it can take.

Random strings (`text_strings.py`: halves of surrogate pairs, the private characters that stand for them in the store,
characters that are equal to others) go through both evaluators, and through tables, parameters, messages, JSON, XML,
cursors and conversions, from which they have to come back. `TEXT_STRINGS` says how many there are.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from text_strings import cut, legal_in_xml, strings, units

import sbql

COUNT = int(os.environ.get("TEXT_STRINGS", "16"))
SEED = int(os.environ.get("TEXT_SEED", "11"))

FUNCTIONS = (
    "LEN(@a)", "DATALENGTH(@a)", "SUBSTRING(@a, 2, 3)", "LEFT(@a, 3)", "RIGHT(@a, 3)", "STUFF(@a, 2, 1, @b)", "REVERSE(@a)", "REPLACE(@a, @b, N'-')",
    "REPLACE(@a, LEFT(@b, 1), N'')", "CHARINDEX(@b, @a)", "CHARINDEX(LEFT(@b, 1), @a, 2)", "PATINDEX(N'%' + LEFT(@b, 2) + N'%', @a)", "UNICODE(@a)",
    "NCHAR(UNICODE(@a))", "CONCAT(LEFT(@a, 2), SUBSTRING(@a, 3, 40))", "LEFT(@a, 2) + SUBSTRING(@a, 3, 40)", "REPLICATE(@a, 2)", "UPPER(@a)", "LOWER(@a)",
    "TRANSLATE(@a, LEFT(@b, 1), N'x')", "LTRIM(@a)", "RTRIM(@a)", "TRIM(@b FROM @a)", "CAST(@a AS nvarchar(3))", "CAST(@a AS nchar(5))",
    "CAST(@a AS varchar(3))", "CAST(@a AS char(1))", "CAST(@a AS varbinary(80))", "CAST(CAST(@a AS varbinary(7)) AS nvarchar(9))", "QUOTENAME(@a)",
    "STRING_ESCAPE(@a, 'json')", "CONCAT_WS(LEFT(@b, 1), @a, @b)", "ISNULL(NULLIF(@a, @b), N'same')", "CHECKSUM(@a)", "FORMATMESSAGE(N'%s', @a)",
    "CASE @a WHEN @b THEN 1 WHEN LEFT(@a, 2) + SUBSTRING(@a, 3, 40) THEN 2 END",
)  # fmt: skip
CONDITIONS = (
    "@a = @b", "@a <> @b", "@a < @b", "@a >= @b", "@a LIKE N'%' + @b + N'%'", "@a LIKE LEFT(@b, 1) + N'%'", "@a LIKE N'_' + SUBSTRING(@a, 2, 40)",
    "@a LIKE N'%[a-m]%'", "@a IN (@b, N'ss', N'x')", "@a BETWEEN @b AND N'z'",
)  # fmt: skip
COLLATIONS = (
    "", "Latin1_General_CI_AI", "Latin1_General_CS_AS", "Latin1_General_CS_AI", "Latin1_General_BIN2", "Latin1_General_100_CI_AS_KS_WS",
    "SQL_Latin1_General_CP1_CI_AI",
)  # fmt: skip


@pytest.fixture(scope="module")
def cursor() -> Iterator[Any]:
    with sbql.connect(autocommit=True) as connection:
        yield connection.cursor()


def rows(cursor: Any, text: str, *parameters: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = cursor.execute(text, parameters).fetchall()
    return found


PAIRS = [tuple(pair) for pair in zip(strings(SEED, COUNT), strings(SEED + 1, COUNT), strict=True)]


def _related(first: str, second: str, number: int) -> str:
    """Often a part of the first, so that searches find something."""
    start = number % 3
    return second if number % 2 else cut(first, start, start + 2) or second


def test_both_evaluators_agree(cursor: Any) -> None:
    """Functions and conditions as closures over variables, and in DuckDB over columns."""
    shown = [f"{text} AS c{i}" for i, text in enumerate(FUNCTIONS)]
    shown += [f"CASE WHEN {text} THEN 1 WHEN NOT ({text}) THEN 0 END AS t{i}" for i, text in enumerate(CONDITIONS)]
    cursor.execute("CREATE TABLE pairs (id int PRIMARY KEY, a nvarchar(60), b nvarchar(60))")
    given = [(i, a, _related(a, b, i)) for i, (a, b) in enumerate(PAIRS)]
    cursor.executemany("INSERT pairs VALUES (?, ?, ?)", given)
    in_query = ", ".join(shown).replace("@a", "a").replace("@b", "b")
    from_table = rows(cursor, f"SELECT {in_query} FROM pairs ORDER BY id")
    declared = "DECLARE @a nvarchar(60) = ?, @b nvarchar(60) = ?; DECLARE @out TABLE (n int, v nvarchar(400));"
    body = "".join(
        f"DECLARE @v{i} nvarchar(400) = {_as_text(text)}; INSERT @out VALUES ({i}, @v{i});"
        for i, text in enumerate(FUNCTIONS)
    )
    body += "".join(
        f"IF {text} INSERT @out VALUES ({len(FUNCTIONS) + i}, N'1') ELSE IF NOT ({text}) INSERT @out VALUES ({len(FUNCTIONS) + i}, N'0');"
        for i, text in enumerate(CONDITIONS)
    )
    expressions = [*FUNCTIONS, *CONDITIONS]
    for (_, a, b), found in zip(given, from_table, strict=True):
        closures = dict(rows(cursor, f"SET NOCOUNT ON; {declared}{body} SELECT n, v FROM @out", a, b))
        for i, value in enumerate(found):
            assert closures.get(i) == _text(value), (expressions[i], a, b)


def _as_text(expression: str) -> str:
    return f"CONVERT(nvarchar(400), {expression}, 2)" if "AS varbinary(80)" in expression else expression


def _text(value: Any) -> str | None:
    return None if value is None else value.hex().upper() if isinstance(value, bytes) else str(value)


@pytest.mark.parametrize("collation", COLLATIONS)
def test_comparison_in_queries_is_that_of_variables(cursor: Any, collation: str) -> None:
    """=, <, ORDER BY, GROUP BY, DISTINCT, joins, MIN and unique keys are one relation, that of the closures."""
    clause = f" COLLATE {collation}" if collation else ""
    texts = list(dict.fromkeys(text for pair in PAIRS[:14] for text in pair))
    cursor.execute(f"DROP TABLE IF EXISTS words; CREATE TABLE words (id int, s nvarchar(60){clause})")
    cursor.executemany("INSERT words VALUES (?, ?)", list(enumerate(texts)))
    ordered = [i for (i,) in rows(cursor, "SELECT id FROM words ORDER BY s, id")]
    place = {i: n for n, i in enumerate(ordered)}
    joined = set(rows(cursor, "SELECT x.id, y.id FROM words x JOIN words y ON x.s = y.s"))
    less = set(rows(cursor, "SELECT x.id, y.id FROM words x JOIN words y ON x.s < y.s"))
    groups = rows(cursor, "SELECT COUNT(*), MIN(id) FROM words GROUP BY s")
    assert len(groups) == len(rows(cursor, "SELECT DISTINCT s FROM words"))
    assert len(groups) == len({min(j for i, j in joined if i == k) for k in range(len(texts))})
    chance = random.Random(SEED)
    compare = f"IF @a = @b{clause} SELECT 0 ELSE IF @a < @b{clause} SELECT -1 ELSE SELECT 1"
    for _ in range(60):
        i, j = chance.randrange(len(texts)), chance.randrange(len(texts))
        ((sign,),) = rows(cursor, f"DECLARE @a nvarchar(60) = ?, @b nvarchar(60) = ?; {compare}", texts[i], texts[j])
        assert ((i, j) in joined) == (sign == 0), (texts[i], texts[j])
        assert ((i, j) in less) == (sign < 0), (texts[i], texts[j])
        if sign:
            assert (place[i] < place[j]) == (sign < 0), (texts[i], texts[j])
    first = min(place, key=lambda i: place[i])
    ((lowest,),) = rows(cursor, "SELECT MIN(s) FROM words")
    assert (texts.index(lowest), first) in joined
    cursor.execute(f"DROP TABLE IF EXISTS keyed; CREATE TABLE keyed (s nvarchar(60){clause} UNIQUE)")
    for i, text in enumerate(texts):
        is_new = not any(j < i and (j, i) in joined for j in range(i))
        if is_new:
            cursor.execute("INSERT keyed VALUES (?)", (text,))
        else:
            with pytest.raises(sbql.Error) as refused:
                cursor.execute("INSERT keyed VALUES (?)", (text,))
            assert getattr(refused.value, "number", 2627) == 2627


def test_texts_come_back_whole(cursor: Any) -> None:
    """Parameters, tables, table variables, pieces, bytes, JSON, cursors, dynamic SQL and literals."""
    cursor.execute("CREATE TABLE kept (id int IDENTITY, s nvarchar(60), m nvarchar(max), v sql_variant)")
    ways = (
        "SELECT @p", "SELECT s FROM kept WHERE id = @@IDENTITY", "SELECT m FROM kept WHERE id = @@IDENTITY",
        "SELECT CAST(v AS nvarchar(60)) FROM kept WHERE id = @@IDENTITY", "SELECT LEFT(s, 1) + SUBSTRING(s, 2, 60) FROM kept WHERE id = @@IDENTITY",
        "SELECT CAST(CAST(s AS varbinary(200)) AS nvarchar(60)) FROM kept WHERE id = @@IDENTITY",
        "DECLARE @t TABLE (x nvarchar(60)); INSERT @t SELECT s FROM kept WHERE id = @@IDENTITY; SELECT x FROM @t",
        "DECLARE @v nvarchar(60); DECLARE c CURSOR LOCAL FOR SELECT s FROM kept WHERE id = @@IDENTITY; OPEN c; FETCH c INTO @v; SELECT @v",
        "SELECT value FROM OPENJSON((SELECT s FROM kept WHERE id = @@IDENTITY FOR JSON PATH, WITHOUT_ARRAY_WRAPPER))",
        "SELECT JSON_VALUE((SELECT @p AS s FOR JSON PATH, WITHOUT_ARRAY_WRAPPER), '$.s')",
        "EXEC sp_executesql N'SELECT @q', N'@q nvarchar(60)', @p", "SELECT s FROM (SELECT s, id FROM kept UNION ALL SELECT N'', 0) d WHERE id = @@IDENTITY",
        "SELECT STRING_AGG(SUBSTRING(@p, n.value, 1), N'') WITHIN GROUP (ORDER BY n.value) FROM GENERATE_SERIES(1, 60) AS n",
    )  # fmt: skip
    for text, _ in PAIRS:
        cursor.execute("INSERT kept (s, m, v) VALUES (?, ?, CAST(? AS nvarchar(60)))", (text, text, text))
        for way in ways:
            ((found,),) = rows(cursor, f"DECLARE @p nvarchar(60) = ?; {way}", text)
            assert found == text, (way, text)
        quoted = text.replace("'", "''")
        assert rows(cursor, f"SELECT N'{quoted}' UNION ALL SELECT m FROM kept WHERE id = @@IDENTITY") == [(text,)] * 2
        assert rows(cursor, "SELECT COUNT(*) FROM kept WHERE s = ? AND m = ?", text, text)[0][0] >= 1
        assert rows(cursor, "SELECT LEN(?) , DATALENGTH(?)", text + "x", text) == [(units(text) + 1, 2 * units(text))]


def test_messages_keep_their_bodies(cursor: Any) -> None:
    """A body that was cut into pieces and put together again is the same body."""
    cursor.execute("IF DB_ID('mail') IS NULL CREATE DATABASE mail")
    cursor.execute("USE mail; CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])")
    for text, _ in PAIRS:
        cursor.execute(
            "DECLARE @h uniqueidentifier, @b nvarchar(max) = ?; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;"
            " SET @b = LEFT(@b, 1) + SUBSTRING(@b, 2, 2) + SUBSTRING(@b, 4, 100); SEND ON CONVERSATION @h (@b)",
            (text,),
        )
        ((body, again),) = rows(cursor, "RECEIVE message_body, CAST(message_body AS nvarchar(max)) FROM q")
        assert (body or b"") == text.encode("utf-16-le", "surrogatepass")
        assert (again or "") == text
    cursor.execute("USE master")


def test_xml_keeps_what_xml_can_hold(cursor: Any) -> None:
    for text, _ in PAIRS:
        if not legal_in_xml(text):
            continue
        ((found,),) = rows(
            cursor,
            "DECLARE @x xml = (SELECT ? AS [text()] FOR XML PATH ('a'), TYPE); SELECT @x.value('a[1]', 'nvarchar(60)')",
            text,
        )
        assert found == text


def test_what_leaves_as_utf_8_has_no_halves(cursor: Any) -> None:
    """Arrow has U+FFFD where a Python program gets the half."""
    text = "SELECT N'a' + NCHAR(0xD83D) AS x, CAST(N'q' + NCHAR(0xDE00) AS sql_variant) AS y, N'\ud83d\ude00' AS z"
    assert cursor.execute(text).arrow().to_pylist() == [{"x": "a\ufffd", "y": "q\ufffd", "z": "😀"}]
    assert rows(cursor, text)[0][0] == "a\ud83d"


def test_names_may_hold_halves(tmp_path: Any) -> None:
    """Names and definitions of objects, in a file that is opened again."""
    path = tmp_path / "names.duckdb"
    with sbql.connect(path, autocommit=True) as connection:
        cursor = connection.cursor()
        cursor.execute(
            "CREATE TABLE [t\ud83d] ([c\ude00] nvarchar(10) DEFAULT N'd\udc00'); INSERT [t\ud83d] DEFAULT VALUES"
        )
        cursor.execute("CREATE PROCEDURE [p\ud83d] AS SELECT [c\ude00] + N'\udfff' FROM [t\ud83d]")
    with sbql.connect(path, autocommit=True) as connection:
        cursor = connection.cursor()
        assert rows(cursor, "EXEC [p\ud83d]") == [("d\udc00\udfff",)]
        assert rows(cursor, "SELECT name FROM sys.objects WHERE name LIKE N'%' + NCHAR(0xD83D) ORDER BY name") == [
            ("p\ud83d",),
            ("t\ud83d",),
        ]
