"""Every function in every clause: calls that are known to work, and the places in statements where an expression may
stand.

Which arguments a function takes is found out by trying: columns of each type and texts that some function wants. What
does not fit its place ends in a T-SQL error, as any text does.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from sbql.engine.scalars.function_registry import AGGREGATE, SCALAR, WINDOW, FunctionSpec, all_functions

__all__ = ["CLAUSES", "SETUP", "WRITTEN", "candidates", "in_clauses"]

COLUMNS = {
    "a": "int", "b": "nvarchar(50)", "v": "varchar(20)", "c": "decimal(9, 2)", "d": "datetime", "e": "xml", "f": "varbinary(20)", "g": "bit",
    "h": "uniqueidentifier", "r": "float", "m": "nvarchar(max)", "o": "datetimeoffset", "x": "sql_variant",
}  # fmt: skip
VALUES = {
    "a": ("1", "2"), "b": ("N'one'", "N'$.a'"), "v": ("'%n%'", "'12'"), "c": ("1.5", "-7"), "d": ("'20260101'", "'19991231 23:59'"),
    "e": ("N'<r>y</r>'", "N'<a/>'"), "f": ("0x0102", "0x"), "g": ("1", "0"), "h": ("'00000000-0000-0000-0000-000000000001'", "NEWID()"),
    "r": ("0.5", "1e3"), "m": ("N'{\"a\":1}'", "N'text'"), "o": ("'2026-01-01 12:00 +02:00'", "'2026-01-02'"), "x": ("CAST(1 AS int)", "N'v'"),
}  # fmt: skip
SETUP = (
    f"CREATE TABLE w (k int IDENTITY PRIMARY KEY, {', '.join(f'{name} {kind} NULL' for name, kind in COLUMNS.items())})",
    *(f"INSERT w ({', '.join(COLUMNS)}) VALUES ({', '.join(VALUES[name][i] for name in COLUMNS)})" for i in (0, 1)),
    f"INSERT w ({', '.join(COLUMNS)}) VALUES ({', '.join('NULL' for _ in COLUMNS)})",
    "CREATE TABLE taken (z sql_variant, y nvarchar(max))",
    "CREATE MESSAGE TYPE told; CREATE QUEUE heard; CREATE SERVICE told ON QUEUE heard ([DEFAULT])",
)

LITERALS = (
    "1",
    "0",
    "2026",
    "'a'",
    "N'$.a'",
    "'yyyy'",
    "0x01",
    "'SHA2_256'",
    "'20260101'",
    "'+02:00'",
    "NULL",
    "@s",
    "@i",
)
WRITTEN = (
    "CAST(a AS varchar(10))", "CAST(b AS int)", "TRY_CAST(b AS int)", "CONVERT(varchar(7), d, 120)", "CONVERT(xml, v)", "TRY_CONVERT(int, v)",
    "PARSE(v AS int)", "TRY_PARSE(v AS date)", "CASE WHEN a > 1 THEN b ELSE v END", "IIF(a > 1, b, v)", "COALESCE(b, v)", "ISNULL(b, v)",
    "NULLIF(a, 1)", "CHOOSE(a, b, v)", "a + c", "a / NULLIF(c, 0)", "b + v", "-r", "~a", "a & 1", "d AT TIME ZONE 'UTC'",
    "d + 1", "e.value('(/r)[1]', 'int')", "e.query('/r')", "e.exist('/r')", "dbo.fn(a)", "(SELECT MAX(a) FROM w)", "(SELECT NEWID())",
    "CAST(NEWID() AS varbinary(16))", "CHECKSUM(NEWID())", "ABS(CHECKSUM(NEWID())) % 10", "NEXT VALUE FOR n", "@@ROWCOUNT", "@i", "b COLLATE Latin1_General_BIN",
    "JSON_OBJECT('a': a)", "JSON_ARRAY(a, b)", "TRIM(BOTH 'x' FROM b)", "DATEADD(day, a, d)", "DATEDIFF(day, d, '20260101')", "DATEPART(weekday, d)",
    "DATENAME(month, d)", "DATETRUNC(month, d)", "DATE_BUCKET(week, 1, d)", "CURRENT_TIMESTAMP", "SESSION_USER", "x.f()", "nosuch(a)",
    "STRING_AGG(b, ',') WITHIN GROUP (ORDER BY v)", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a) OVER ()", "COUNT(*) OVER (PARTITION BY b)",
    "JSON_ARRAYAGG(a)", "LAG(a) OVER (ORDER BY k)", "ROW_NUMBER() OVER (ORDER BY k)",
)  # fmt: skip
"""What the registry does not spell: operators, casts, methods, functions with a syntax of their own."""

CLAUSES = {
    "select list": "SELECT {0} FROM w",
    "twice": "SELECT {0}, {0} AS again FROM w ORDER BY 2",
    "DISTINCT": "SELECT DISTINCT {0} FROM w",
    "WHERE": "SELECT a FROM w WHERE {0} IS NULL",
    "WHERE =": "SELECT a FROM w WHERE {0} = {0}",
    "WHERE AND": "SELECT a FROM w WHERE k < 0 AND {0} IS NOT NULL",
    "WHERE IN": "SELECT a FROM w WHERE a IN ({0}, 1)",
    "WHERE LIKE": "SELECT a FROM w WHERE {0} LIKE '%a%'",
    "WHERE BETWEEN": "SELECT a FROM w WHERE b BETWEEN {0} AND N'z'",
    "WHERE EXISTS": "SELECT a FROM w WHERE EXISTS (SELECT {0} FROM taken WHERE z = {0})",
    "WHERE IN query": "SELECT a FROM w WHERE a IN (SELECT {0} FROM t)",
    "subquery": "SELECT (SELECT {0}) FROM w",
    "derived": "SELECT q.z FROM (SELECT {0} AS z FROM w) AS q WHERE q.z IS NOT NULL ORDER BY q.z",
    "CTE": "WITH q AS (SELECT {0} AS z FROM w) SELECT z FROM q UNION ALL SELECT z FROM q",
    "GROUP BY": "SELECT {0}, COUNT(*) FROM w GROUP BY {0}",
    "ROLLUP": "SELECT {0}, g, COUNT(*) FROM w GROUP BY ROLLUP ({0}, g)",
    "HAVING": "SELECT g FROM w GROUP BY g HAVING {0} IS NULL",
    "HAVING aggregate": "SELECT g FROM w GROUP BY g HAVING COUNT({0}) > 0",
    "grouped": "SELECT {0} FROM w GROUP BY a, b, v, c, d, f, g, h, r, o, k",
    "ORDER BY": "SELECT a FROM w ORDER BY {0}",
    "ORDER BY DESC": "SELECT {0} AS z FROM w ORDER BY z DESC, {0}",
    "TOP": "SELECT TOP ({0}) a FROM w ORDER BY a",
    "OFFSET": "SELECT a FROM w ORDER BY a OFFSET {0} ROWS FETCH NEXT {0} ROWS ONLY",
    "PARTITION BY": "SELECT ROW_NUMBER() OVER (PARTITION BY {0} ORDER BY a) FROM w",
    "OVER ORDER BY": "SELECT ROW_NUMBER() OVER (ORDER BY {0}) FROM w",
    "windowed": "SELECT MAX({0}) OVER (PARTITION BY g ORDER BY a) FROM w",
    "LAG": "SELECT LAG({0}, 1, {0}) OVER (ORDER BY a) FROM w",
    "NTILE": "SELECT NTILE({0}) OVER (ORDER BY a) FROM w",
    "OVER nothing": "SELECT {0} OVER () FROM w",
    "OVER in WHERE": "SELECT a FROM w WHERE {0} OVER () IS NULL",
    "WINDOW": "SELECT COUNT(*) OVER z FROM w WINDOW z AS (PARTITION BY {0})",
    "aggregate": "SELECT COUNT(DISTINCT {0}), MIN({0}) FROM w",
    "SUM": "SELECT SUM({0}) FROM w",
    "STRING_AGG": "SELECT STRING_AGG({0}, ',') WITHIN GROUP (ORDER BY {0}) FROM w",
    "ON": "SELECT w.k FROM w JOIN taken ON taken.z = {0}",
    "LEFT JOIN ON": "SELECT w.k FROM w LEFT JOIN t ON t.a = w.k AND {0} IS NOT NULL",
    "APPLY": "SELECT q.z FROM w CROSS APPLY (VALUES ({0})) AS q (z)",
    "APPLY query": "SELECT q.z FROM w OUTER APPLY (SELECT TOP (1) {0} AS z FROM t ORDER BY {0}) AS q",
    "STRING_SPLIT": "SELECT value FROM w CROSS APPLY STRING_SPLIT({0}, N',')",
    "OPENJSON": "SELECT value FROM w CROSS APPLY OPENJSON({0})",
    "table function": "SELECT q.a FROM w CROSS APPLY dbo.ft({0}) AS q",
    "FOR XML": "SELECT {0} AS z FROM w FOR XML PATH",
    "FOR JSON": "SELECT {0} AS z FROM w FOR JSON PATH",
    "CASE WHEN": "SELECT CASE WHEN {0} IS NULL THEN 1 ELSE 2 END, CASE {0} WHEN {0} THEN {0} END FROM w",
    "CONVERT": "SELECT CONVERT(nvarchar(max), {0}), CONCAT({0}, N'') FROM w",
    "UNION": "SELECT {0} FROM w UNION SELECT {0} FROM w",
    "PIVOT": "SELECT * FROM (SELECT {0} AS z, g, k FROM w) AS q PIVOT (COUNT(k) FOR g IN ([0], [1])) AS p",
    "INSERT SELECT": "INSERT taken (z) SELECT {0} FROM w",
    "SELECT INTO": "SELECT {0} AS z INTO #made FROM w; DROP TABLE #made",
    "UPDATE SET": "UPDATE w SET b = {0}",
    "UPDATE WHERE": "UPDATE w SET b = b WHERE {0} IS NOT NULL",
    "UPDATE FROM": "UPDATE w SET b = q.z FROM w JOIN (SELECT k AS j, {0} AS z FROM w) AS q ON q.j = w.k",
    "DELETE WHERE": "DELETE w WHERE {0} IS NULL",
    "MERGE": "MERGE w USING (SELECT 1 AS j) AS s ON k = s.j AND {0} IS NOT NULL WHEN MATCHED THEN UPDATE SET b = {0};",
    "OUTPUT": "UPDATE w SET a = a OUTPUT {0}",
    "computed column": "CREATE TABLE made ({columns}, z AS {0}); INSERT made (a) VALUES (1); SELECT z FROM made",
    "persisted column": "CREATE TABLE made ({columns}, z AS {0} PERSISTED); INSERT made (a) VALUES (1); SELECT z FROM made",
    "CHECK": "CREATE TABLE made ({columns}, CHECK ({0} IS NOT NULL)); INSERT made (a) VALUES (1)",
    "filtered index": "CREATE INDEX ix ON w (a) WHERE b = {0}",
    "view": "EXEC ('CREATE VIEW made AS SELECT {quoted} AS z FROM w'); EXEC ('SELECT z FROM made ORDER BY z')",
    "cursor": "DECLARE c CURSOR FOR SELECT {0} FROM w; OPEN c; FETCH c; CLOSE c; DEALLOCATE c",
}  # fmt: skip
"""Places that see the columns of the table w."""

CONSTANT_CLAUSES = {
    "VALUES": "INSERT taken (z, y) VALUES ({0}, NULL)",
    "table of VALUES": "SELECT z FROM (VALUES ({0}), ({0})) AS q (z)",
    "DEFAULT": "CREATE TABLE made (i int, z nvarchar(max) DEFAULT {0}); INSERT made (i) VALUES (1)",
    "DECLARE": "DECLARE @v sql_variant = {0}",
    "SET": "SET @s = {0}",
    "SELECT @": "SELECT @s = {0}",
    "IF": "IF {0} IS NULL PRINT 'x'",
    "WHILE": "WHILE {0} = 1 BREAK",
    "PRINT": "PRINT {0}",
    "alone": "SELECT {0}",
    "RECEIVE list": "RECEIVE TOP ({0}) {0} AS z, message_body FROM heard",
    "RECEIVE WHERE": "RECEIVE * FROM heard WHERE conversation_handle = {0}",
    "SEND": "SEND ON CONVERSATION @h MESSAGE TYPE told ({0})",
    "procedure": "EXEC ('CREATE PROCEDURE made AS RETURN {quoted}'); EXEC made",
    "function": "EXEC ('CREATE FUNCTION made () RETURNS sql_variant AS BEGIN RETURN {quoted} END'); SELECT dbo.made()",
    "THROW": "BEGIN TRY THROW 50001, 'x', 1 END TRY BEGIN CATCH SELECT {0} END CATCH",
    "WAITFOR": "WAITFOR (RECEIVE * FROM heard), TIMEOUT @i",
}  # fmt: skip
"""Places that see no column: the columns of a call become values."""

DECLARED = (
    "DECLARE @s nvarchar(50) = N'a', @i int = 1, @h uniqueidentifier, @d datetime = GETDATE(), @e xml = N'<r>1</r>'; "
)


def candidates(spec: FunctionSpec, chance: random.Random, tries: int) -> Iterator[str]:
    """Calls that may be right."""
    most = spec.max_args if spec.max_args is not None else spec.min_args + 2
    part = "day, " if spec.takes_part else ""
    pool = (*COLUMNS, *LITERALS)
    if spec.kind == WINDOW:
        yield f"{spec.name}({', '.join(['a', '1', 'a'][: spec.min_args])}) OVER (ORDER BY k)"
    if most == 0:
        yield f"{spec.name}()"
        return
    for count in range(spec.min_args, min(most, 6) + 1):
        if count == 0:
            yield f"{spec.name}()"
        elif count == 1:
            yield from (f"{spec.name}({part}{one})" for one in pool)
        elif count == 2 and tries > 100:
            yield from (f"{spec.name}({part}{one}, {two})" for one, two in product(pool, pool))
        else:
            for _ in range(tries):
                yield f"{spec.name}({part}{', '.join(chance.choice(pool) for _ in range(count))})"


def specs(kinds: tuple[str, ...] = (SCALAR, AGGREGATE, WINDOW)) -> list[FunctionSpec]:
    return [spec for spec in all_functions().values() if spec.kind in kinds]


def in_clauses(call: str) -> Iterator[tuple[str, str]]:
    """The names of the clauses, and the call in each."""
    columns = ", ".join(f"{name} {kind} NULL" for name, kind in COLUMNS.items() if name != "x")
    for name, template in (*CLAUSES.items(), *CONSTANT_CLAUSES.items()):
        given = call if name in CLAUSES else _of_values(call)
        text = (
            template.replace("{columns}", columns).replace("{quoted}", given.replace("'", "''")).replace("{0}", given)
        )
        yield name, f"{DECLARED}BEGIN TRAN; {text}\nIF @@TRANCOUNT > 0 ROLLBACK"


def _of_values(call: str) -> str:
    """The call with values for columns: single letters that stand alone."""
    words, quoted = [], False
    for i, c in enumerate(call):
        quoted ^= c == "'"
        alone = c in VALUES and not (call[i - 1 : i] + call[i + 1 : i + 2]).strip(" (),.+-/&~%").strip()
        words.append(
            VALUES[c][0] if alone and not quoted and call[i + 1 : i + 2] != "." and call[i - 1 : i] != "'" else c
        )
    return "".join(words)
