"""A scalar function gives the same whether a query says its body as one value or runs it, wherever it is called.

The twin of each function is the same body WITH EXECUTE AS CALLER, which means the same and is always run.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from types import FrameType

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError
from sbql.grammar.messages import message

BODIES: dict[str, tuple[str, str]] = {
    "expression": ("int", "RETURN @a * 2 + @b"),
    "query by key": ("varchar(20)", "RETURN (SELECT name FROM dbo.owners WHERE id = @a)"),
    "query of many": ("varchar(20)", "RETURN (SELECT name FROM dbo.owners WHERE id > @a)"),
    "count": ("int", "RETURN (SELECT COUNT(*) FROM dbo.pets WHERE owner = @a AND age <> @b)"),
    "sum of parameters": ("int", "RETURN (SELECT SUM(@b) FROM dbo.pets WHERE owner = @a)"),
    "sum beside NULLs": ("int", "RETURN (SELECT SUM(age) FROM dbo.pets WHERE owner = @a)"),
    "top of parameters": ("int", "RETURN (SELECT TOP (@b) age FROM dbo.pets WHERE id = @a ORDER BY id)"),
    "top 1": ("int", "RETURN (SELECT TOP (1) age FROM dbo.pets WHERE owner = @a ORDER BY id DESC)"),
    "texts together": ("varchar(max)", "RETURN STUFF((SELECT ',' + p.name FROM dbo.pets AS p WHERE p.owner = @a ORDER BY p.id FOR XML PATH('')), 1, 1, '')"),
    "exists": ("int", "IF EXISTS (SELECT * FROM dbo.pets WHERE owner = @a AND age > @b) RETURN 1 RETURN 0"),
    "not in": ("int", "IF @a NOT IN (SELECT owner FROM dbo.pets WHERE owner IS NOT NULL) RETURN 7 RETURN @b"),
    "derived": ("int", "RETURN (SELECT MAX(d.n) FROM (SELECT owner, COUNT(*) AS n FROM dbo.pets GROUP BY owner) AS d WHERE d.owner >= @a)"),
    "join": ("varchar(40)", "RETURN (SELECT MAX(o.name + p.name) FROM dbo.owners AS o JOIN dbo.pets AS p ON p.owner = o.id WHERE o.id = @a)"),
    "union": ("int", "RETURN (SELECT MAX(x.id) FROM (SELECT id FROM dbo.pets WHERE owner = @a UNION ALL SELECT id FROM dbo.owners WHERE id = @b) AS x)"),
    "if": ("varchar(10)", "IF @a > @b RETURN 'more' ELSE IF @a = @b RETURN 'same' RETURN 'less'"),
    "if without else": ("int", "IF @a > 2 RETURN 1 IF @b > 2 RETURN 2 RETURN NULL"),
    "if at the end": ("int", "DECLARE @r int = 5 IF @a > 2 SET @r = @r + @a ELSE SET @r = @b IF @r > 6 SET @r = -@r RETURN @r"),
    "nested ifs": ("int", "DECLARE @r int IF @a > 1 BEGIN IF @b > 1 SET @r = 1 ELSE BEGIN SET @r = 2 SET @r = @r * 10 END END RETURN @r"),
    "swap": ("int", "DECLARE @t int = @a SET @a = @b SET @b = @t RETURN @a * 100 + @b"),
    "declare in a branch": ("int", "IF @a > 2 BEGIN DECLARE @x int = @a END SET @x = ISNULL(@x, -1) + 1 RETURN @x"),
    "declared twice in a row": ("int", "DECLARE @x int = @a + 1, @y int = 2 SET @y = @x * @y RETURN @y + @x"),
    "chain": ("varchar(60)", "DECLARE @s varchar(60) = CAST(@a AS varchar(10)) SET @s = @s + '-' + @s SET @s = @s + '/' + @s SET @s = UPPER(@s) + LOWER(@s) RETURN @s"),
    "select of variables": ("int", "DECLARE @x int, @y int SELECT @x = @a + 1, @y = @b + 1 RETURN @x * @y"),
    "select that reads what it assigns": ("int", "DECLARE @x int = 1, @y int SELECT @x = @a, @y = @x RETURN @x * 10 + @y"),
    "lookup by key": ("varchar(20)", "DECLARE @r varchar(20) SELECT @r = name FROM dbo.owners WHERE id = @a RETURN ISNULL(@r, 'nobody')"),
    "lookup that keeps": ("varchar(20)", "DECLARE @r varchar(20) = 'kept' SELECT @r = name FROM dbo.owners WHERE id = @a RETURN @r"),
    "lookup that keeps what a query gave": ("varchar(20)", "DECLARE @r varchar(20) = (SELECT name FROM dbo.owners WHERE id = @b) SELECT @r = name FROM dbo.owners WHERE id = @a RETURN @r"),
    "lookup that adds": ("varchar(40)", "DECLARE @r varchar(40) = 'x' SELECT @r = @r + name FROM dbo.owners WHERE id = @a SELECT @r = @r + name FROM dbo.owners WHERE id = @b RETURN @r"),
    "lookup that keeps a number": ("int", "DECLARE @r tinyint = 9 SELECT @r = age * @b FROM dbo.pets WHERE id = @a AND owner > 1 IF @r > 8 SET @r = @r - 1 RETURN @r"),
    "lookup of a lookup": ("varchar(20)", "DECLARE @o int SET @o = (SELECT owner FROM dbo.pets WHERE id = @a) RETURN ISNULL((SELECT UPPER(name) FROM dbo.owners WHERE id = @o), 'none')"),
    "lookup by what is computed": ("varchar(20)", "RETURN (SELECT name + CAST(@b AS varchar(5)) FROM dbo.owners WHERE id = @a % 3 + 1 AND name LIKE '%b%')"),
    "lookup by what may fail": ("varchar(20)", "RETURN (SELECT name FROM dbo.owners WHERE id = 6 / (@a - 2))"),
    "lookup of what may fail": ("int", "RETURN (SELECT 6 / (id - 2) FROM dbo.owners WHERE id = @a)"),
    "lookup in a branch": ("varchar(20)", "IF @a > 2 RETURN 'many' DECLARE @r varchar(20) SELECT @r = name FROM dbo.owners WHERE id = @a IF @r IS NULL SET @r = 'nobody' RETURN @r"),
    "lookup of a function": ("int", "RETURN (SELECT dbo.twice(owner) FROM dbo.pets WHERE id = @a)"),
    "lookup under a lock": ("varchar(20)", "RETURN (SELECT name FROM dbo.owners WITH (NOLOCK) WHERE id = @a)"),
    "lookup of no key": ("int", "RETURN (SELECT MAX(age) FROM dbo.pets WHERE name = 'x' AND @a > 1)"),
    "lookup of two columns": ("varchar(60)", "DECLARE @r varchar(20), @n int SELECT @r = name, @n = id FROM dbo.pets WHERE id = @a RETURN @r + CAST(@n AS varchar(10))"),
    "lookup of many": ("int", "DECLARE @r int SELECT @r = COUNT(*) FROM dbo.pets WHERE owner >= @a DECLARE @s int SELECT @s = MAX(age), @r = @r + 0 FROM dbo.pets RETURN @r + @s"),
    "lookup by text": ("int", "DECLARE @r int SELECT @r = id FROM dbo.codes WHERE code = CAST(@a AS varchar(5)) RETURN @r"),
    "last of many": ("int", "DECLARE @r int SELECT @r = id FROM dbo.pets WHERE owner = @a RETURN @r"),
    "top 1 assigned": ("int", "DECLARE @r int SELECT TOP (1) @r = age FROM dbo.pets WHERE owner = @a ORDER BY age DESC, id RETURN @r"),
    "one after the other": ("int", "DECLARE @o int SELECT @o = owner FROM dbo.pets WHERE id = @a DECLARE @n int SELECT @n = COUNT(*) FROM dbo.pets WHERE owner = @o RETURN @n * 10 + ISNULL(@o, 0)"),
    "another function": ("int", "RETURN dbo.twice(@a) + dbo.twice(@b)"),
    "itself": ("int", "IF @a <= 0 OR @a > 5 RETURN 0 RETURN @a + dbo.{name}(@a - 1, @b)"),
    "loop": ("int", "DECLARE @i int = 0, @s int = 0 WHILE @i < @a AND @i < 5 BEGIN SET @i += 1 SET @s += @i END RETURN @s"),
    "cut": ("varchar(2)", "DECLARE @s varchar(3) = 'x' + CAST(@a * 1000 AS varchar(10)) RETURN @s + 'y'"),
    "overflow": ("tinyint", "RETURN @a * 100"),
    "division": ("int", "DECLARE @r int = 100 / (@a - 2) RETURN @r"),
    "division in a branch": ("int", "DECLARE @r int IF @a <> 2 SET @r = 100 / (@a - 2) RETURN @r"),
    "error on purpose": ("int", "IF @a > 2 RETURN CAST('more than two is no good' AS int) RETURN @a"),
    "clock": ("int", "RETURN YEAR(GETDATE()) * 0 + @a"),
    "row count": ("int", "DECLARE @n int SELECT @n = COUNT(*) FROM dbo.pets RETURN @@ROWCOUNT + @a"),
    "a constant": ("int", "RETURN 5"),
    "money": ("money", "DECLARE @net money = @a * 10.5 RETURN @net / 1.19"),
    "dates": ("datetime", "DECLARE @d datetime = '20240131' RETURN DATEADD(month, @a, DATEADD(day, DATEDIFF(day, 0, @d), 0))"),
    "no end": ("int", "IF @a > 2 RETURN 1 RETURN (SELECT id FROM dbo.owners WHERE 1 = 0)"),
    "names in another case": ("int", "DECLARE @R INT = @A SET @r = @R + @B RETURN @r"),
    "name of a column": ("int", "DECLARE @owner int = 3 RETURN (SELECT COUNT(*) FROM dbo.pets WHERE owner = @owner AND id <> @a)"),
}  # fmt: skip
INLINED = frozenset(
    "expression|query by key|count|sum beside NULLs|top 1|exists|not in|derived|join|union|if|if without else|if at the end|nested ifs|swap|declared twice in a row|chain|"
    "select of variables|lookup by key|lookup that keeps|lookup that keeps what a query gave|lookup that keeps a number|lookup of a lookup|lookup by what is computed|lookup by what may fail|lookup of what may fail|"
    "lookup in a branch|lookup of a function|lookup under a lock|lookup of no key|lookup of two columns|top 1 assigned|one after the other|another function|cut|overflow|division|dates|money|no end|texts together|declare in a branch|division in a branch|clock|a constant|"
    "names in another case|name of a column|lookup by text".split("|")
)
"""Those that must not be run for each row."""

PLACES = {
    "select": "SELECT id, {f} FROM dbo.calls ORDER BY id",
    "where": "SELECT id FROM dbo.calls WHERE {f} IS NOT NULL AND CAST({f} AS varchar(50)) > '2' ORDER BY id",
    "group": "SELECT COUNT(*), {f} FROM dbo.calls GROUP BY {f} ORDER BY 1, 2",
    "group of columns": "SELECT a, b, {f} FROM dbo.calls GROUP BY a, b HAVING {f} IS NOT NULL ORDER BY a, b",
    "cube": "SELECT COUNT(*), {f}, GROUPING({f}), MAX({f}) FROM dbo.calls GROUP BY CUBE ({f}, note) ORDER BY 1, 2, 3",
    "group and its key": "SELECT {f}, MAX(a), MIN({f}) FROM dbo.calls WHERE {f} IS NOT NULL GROUP BY {f} HAVING {f} IS NOT NULL AND COUNT(*) < 9 ORDER BY {f} DESC",
    "group of an expression": "SELECT CAST({f} AS varchar(9)) + '!', COUNT(DISTINCT {f}) FROM dbo.calls GROUP BY CAST({f} AS varchar(9)) + '!' ORDER BY 1",
    "group of a join": "SELECT COUNT(*), {c.f}, o.name FROM dbo.calls AS c LEFT JOIN dbo.owners AS o ON o.id = c.a CROSS JOIN dbo.owners AS x GROUP BY {c.f}, o.name ORDER BY 1, 2, 3",
    "group and each": "SELECT MAX({f}), {f}, MIN({f}) FROM dbo.calls GROUP BY a, b ORDER BY a, b",
    "sum of rows": "SELECT o.id, MAX({f}) FROM dbo.owners AS o LEFT JOIN dbo.calls AS c ON c.a = o.id WHERE o.id < 3 OR {c.f} IS NULL GROUP BY o.id ORDER BY o.id",
    "group of many": "SELECT COUNT(*), {f}, {f2} FROM dbo.calls GROUP BY {f}, {f2} ORDER BY 1, {f}, {f2}",
    "distinct": "SELECT DISTINCT {f}, b FROM dbo.calls ORDER BY {f}, b",
    "distinct top": "SELECT DISTINCT TOP (3) {f} FROM dbo.calls ORDER BY 1 DESC",
    "pages": "SELECT id, {f} FROM dbo.calls ORDER BY {f}, id OFFSET 1 ROWS FETCH NEXT 3 ROWS ONLY",
    "with ties": "SELECT TOP (2) WITH TIES {f} FROM dbo.calls ORDER BY {f}",
    "of a function": "SELECT id, {of.f} FROM dbo.calls ORDER BY id",
    "inner group": "SELECT o.id, (SELECT COUNT(*) FROM (SELECT {c.f} AS v FROM dbo.calls AS c WHERE c.a >= o.id GROUP BY {c.f}) AS x) FROM dbo.owners AS o ORDER BY o.id",
    "applied": "SELECT o.id, x.v, x.n FROM dbo.owners AS o OUTER APPLY (SELECT MAX({c.f}) AS v, COUNT({outer.c.f}) AS n FROM dbo.calls AS c WHERE c.a = o.id) AS x ORDER BY o.id",
    "exists": "SELECT o.id FROM dbo.owners AS o WHERE EXISTS (SELECT * FROM dbo.calls AS c WHERE c.a = o.id AND {c.f} IS NOT NULL) ORDER BY o.id",
    "recursion": "WITH r AS (SELECT 1 AS a, 1 AS b, CAST('' AS varchar(80)) AS v UNION ALL SELECT a + 1, b, CAST({f} AS varchar(80)) FROM r WHERE a < 4) SELECT * FROM r ORDER BY a",
    "for json": "SELECT id, {f} AS v FROM dbo.calls ORDER BY id FOR JSON PATH",
    "for xml": "SELECT {f} AS v, COUNT(*) AS n FROM dbo.calls GROUP BY {f} ORDER BY {f} FOR XML PATH('r')",
    "pivot": "SELECT * FROM (SELECT b, {f} AS v FROM dbo.calls) AS s PIVOT (COUNT(v) FOR b IN ([1], [2], [3])) AS p",
    "string_agg": "SELECT STRING_AGG(CAST({f} AS varchar(20)), ',') WITHIN GROUP (ORDER BY {f}, id) FROM dbo.calls",
    "except": "SELECT {f} FROM dbo.calls EXCEPT SELECT {f} FROM dbo.calls WHERE id > 3",
    "order": "SELECT id FROM dbo.calls ORDER BY {f}, id",
    "join": "SELECT c.id, d.id FROM dbo.calls AS c JOIN dbo.calls AS d ON {c.f} = {d.f} ORDER BY 1, 2",
    "outer join": "SELECT c.id, o.id FROM dbo.calls AS c LEFT JOIN dbo.owners AS o ON CAST({c.f} AS varchar(50)) = CAST(o.id AS varchar(50)) ORDER BY 1, 2",
    "aggregate": "SELECT b, COUNT({f}), MAX({f}), MIN({f}) FROM dbo.calls GROUP BY b ORDER BY b",
    "aggregate inside": "SELECT b, {max.f} FROM dbo.calls GROUP BY b ORDER BY b",
    "window": "SELECT id, COUNT(*) OVER (PARTITION BY {f}), ROW_NUMBER() OVER (ORDER BY {f}, id), MAX({f}) OVER () FROM dbo.calls ORDER BY id",
    "window inside": "SELECT id, {window.f} FROM dbo.calls ORDER BY id",
    "case": "SELECT id, CASE WHEN a > 1 THEN {f} END, CASE {f} WHEN {f} THEN 1 END FROM dbo.calls ORDER BY id",
    "subquery": "SELECT o.id, (SELECT COUNT({f}) FROM dbo.calls WHERE a = o.id), (SELECT MAX({outer.f}) FROM dbo.calls) FROM dbo.owners AS o ORDER BY o.id",
    "in": "SELECT id FROM dbo.calls WHERE {f} IN (SELECT {f} FROM dbo.calls WHERE id > 2) ORDER BY id",
    "apply": "SELECT c.id, x.v FROM dbo.calls AS c CROSS APPLY (SELECT {c.f} AS v) AS x ORDER BY c.id",
    "derived": "SELECT d.v, COUNT(*) FROM (SELECT DISTINCT id, {f} AS v FROM dbo.calls) AS d GROUP BY d.v ORDER BY 1, 2",
    "union": "SELECT {f} FROM dbo.calls UNION SELECT {f} FROM dbo.calls ORDER BY 1",
    "common table": "WITH x AS (SELECT id, {f} AS v FROM dbo.calls) SELECT id, v FROM x WHERE v IS NOT NULL ORDER BY id",
    "constants": "SELECT {one.f}, {none.f}",
    "variables": "DECLARE @x int = 3, @y int = 1 SELECT id, {var.f} FROM dbo.calls ORDER BY id",
    "query as argument": "SELECT id, {query.f} FROM dbo.calls ORDER BY id",
    "expression as argument": "SELECT id, {long.f} FROM dbo.calls ORDER BY id",
    "new each time": "SELECT id, {new.f} FROM dbo.calls ORDER BY id",
    "top": "SELECT TOP (2) id, {f} FROM dbo.calls WHERE id < 3 ORDER BY id",
    "update": "BEGIN TRAN UPDATE dbo.calls SET note = CAST({f} AS varchar(60)) SELECT id, note FROM dbo.calls ORDER BY id ROLLBACK",
    "update where": "BEGIN TRAN UPDATE dbo.calls SET note = 'y' WHERE {f} IS NULL SELECT id, note FROM dbo.calls ORDER BY id ROLLBACK",
    "update of what it reads": "BEGIN TRAN UPDATE dbo.pets SET age = {pets.f} WHERE id < 4 SELECT id, age FROM dbo.pets ORDER BY id ROLLBACK",
    "insert": "BEGIN TRAN INSERT dbo.calls (id, a, b, note) SELECT id + 100, a, b, {f} FROM dbo.calls SELECT id, note FROM dbo.calls ORDER BY id ROLLBACK",
    "insert values": "BEGIN TRAN INSERT dbo.calls VALUES (200, 1, 1, {one.f}) SELECT note FROM dbo.calls WHERE id = 200 ROLLBACK",
    "delete": "BEGIN TRAN DELETE dbo.calls WHERE {f} IS NULL SELECT COUNT(*) FROM dbo.calls ROLLBACK",
    "merge": "BEGIN TRAN MERGE dbo.calls AS t USING dbo.owners AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET note = {t.f}; SELECT id, note FROM dbo.calls ORDER BY id ROLLBACK",
    "output": "BEGIN TRAN UPDATE dbo.calls SET b = b + 1 OUTPUT inserted.id, {inserted.f} ROLLBACK",
    "into": "SELECT id, {f} AS v INTO #into FROM dbo.calls SELECT id, v FROM #into ORDER BY id DROP TABLE #into",
    "cursor": "DECLARE @v varchar(80), @all varchar(max) = '' DECLARE c CURSOR STATIC FOR SELECT CAST({f} AS varchar(80)) FROM dbo.calls ORDER BY id OPEN c FETCH FROM c INTO @v WHILE @@FETCH_STATUS = 0 BEGIN SET @all += ISNULL(@v, '-') + ';' FETCH FROM c INTO @v END CLOSE c DEALLOCATE c SELECT @all",
    "own changes": "BEGIN TRAN UPDATE dbo.pets SET age = age + 1, owner = 1 WHERE owner = 2 DELETE dbo.owners WHERE id = 3 SELECT id, {f} FROM dbo.calls ORDER BY id ROLLBACK",
    "set": "DECLARE @r varchar(60) = {one.f} SELECT @r",
    "if": "IF {one.f} IS NULL SELECT 'no' ELSE SELECT 'yes'",
    "try": "BEGIN TRY SELECT id, {f} FROM dbo.calls ORDER BY id END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_LINE() END CATCH",
}  # fmt: skip
ARGUMENTS = {
    "f2": "b, a", "of.f": "ISNULL(dbo.twice(a), 1) / 2, dbo.twice(b)", "outer.c.f": "o.id, c.b",
    "f": "a, b", "c.f": "c.a, c.b", "d.f": "d.a, d.b", "o.f": "o.id, 1", "outer.f": "o.id, b", "t.f": "t.a, t.b", "inserted.f": "inserted.a, inserted.b", "pets.f": "owner, age", "max.f": "MAX(a), MIN(b)",
    "window.f": "MAX(a) OVER (PARTITION BY b), b", "one.f": "3, 1", "none.f": "NULL, NULL", "var.f": "@x, @y", "query.f": "(SELECT MAX(p.owner) FROM dbo.pets AS p WHERE p.id = calls.id), b",
    "long.f": "CASE WHEN a > 100 THEN 0 ELSE a + b - b + 0 * LEN('abc' + CAST(id AS varchar(10))) END, ABS(b)", "new.f": "a + 0 * ABS(CHECKSUM(NEWID())) % 7, b",
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    found = instance.connect()
    for text in (
        "CREATE TABLE dbo.owners (id int PRIMARY KEY, name varchar(20)); INSERT dbo.owners VALUES (1, 'ann'), (2, 'Bob'), (3, NULL)",
        "CREATE TABLE dbo.pets (id int PRIMARY KEY, owner int, name varchar(20), age int)",
        "INSERT dbo.pets VALUES (1, 1, 'a<b', 3), (2, 1, 'Rex', 5), (3, 2, 'x', NULL), (4, NULL, 'y', 1), (5, 3, 'z', NULL)",
        "CREATE TABLE dbo.codes (code varchar(5) PRIMARY KEY, id int); INSERT dbo.codes VALUES ('1', 11), ('2', 22)",
        "CREATE TABLE dbo.calls (id int PRIMARY KEY, a int, b int, note varchar(60))",
        "INSERT dbo.calls VALUES (1, 1, 3, 'x'), (2, 2, 2, 'x'), (3, 3, 1, 'x'), (4, NULL, 2, 'x'), (5, 4, NULL, 'x'), (6, 1, 0, 'x'), (7, -1, 5, 'x')",
        "CREATE FUNCTION dbo.twice (@n int) RETURNS int AS BEGIN IF @n IS NULL RETURN 0 RETURN (SELECT 2 * COUNT(*) FROM dbo.pets WHERE owner >= @n) END",
    ):
        assert not told(found, text)
    for number, (returns, body) in enumerate(BODIES.values()):
        for kind, option in (("f", ""), ("g", " WITH EXECUTE AS CALLER")):
            name = f"{kind}{number}"
            text = body.replace("{name}", name).replace(" RETURN", "\n RETURN")
            assert not told(
                found, f"CREATE FUNCTION dbo.{name} (@a int, @b int) RETURNS {returns}{option} AS BEGIN\n {text}\n END"
            )
    yield found
    instance.close()


def _text(place: str, name: str) -> str:
    return re.sub(r"\{([\w.]*f2?)\}", lambda found: f"dbo.{name}({ARGUMENTS[found[1]]})", PLACES[place])


def _told(session: Session, text: str) -> list[object]:
    """What the batch was told; whatever it left open is closed."""
    found = told(session, text)
    told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
    told(session, "IF CURSOR_STATUS('global', 'c') > -3 DEALLOCATE c")
    return found


@pytest.mark.matrix
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_is_said_gives_what_one_that_runs_gives(session: Session, body: str, place: str) -> None:
    number = [*BODIES].index(body)
    run, said = (_told(session, _text(place, f"{kind}{number}")) for kind in "gf")
    assert [str(part).replace(f"g{number}", f"f{number}") for part in run] == [str(part) for part in said]


@pytest.mark.parametrize("body", BODIES)
def test_which_bodies_are_said(session: Session, body: str) -> None:
    """The others run once for each row: those that loop, call themselves, or assign what a query may have many of."""
    number = [*BODIES].index(body)
    runs = _body_runs(session, f"SELECT dbo.f{number}(a, b) FROM dbo.calls WHERE id < 2 ORDER BY id")
    assert (runs == 0) == (body in INLINED)


JOINED = ("group", "group and its key", "group of a join", "cube", "distinct", "window", "inner group")
"""Places where a row can be joined to those of the query, for the arguments are columns of it as they are."""


@pytest.mark.parametrize(
    ("body", "place"),
    [
        *((body, place) for body in ("lookup that keeps", "lookup in a branch") for place in JOINED),
        *(
            (body, place)
            for body in ("lookup by key", "lookup of a lookup")
            for place in (*JOINED, "group and each", "applied", "of a function")
        ),
    ],
)
def test_a_row_that_is_looked_up_is_said_everywhere(session: Session, body: str, place: str) -> None:
    assert _body_runs(session, _text(place, f"f{[*BODIES].index(body)}")) == 0


@pytest.mark.parametrize(
    ("key", "parameter", "found"),
    [
        ("varchar(10)", "nvarchar(10)", "code = @c"),
        ("varchar(10) COLLATE Latin1_General_CS_AS", "varchar(10)", "code = @c COLLATE Latin1_General_CI_AS"),
        ("nvarchar(10) COLLATE Latin1_General_BIN2", "nvarchar(10)", "code = @c COLLATE Latin1_General_CI_AI"),
    ],
)
def test_a_key_that_compares_by_another_rule_may_find_several_rows(
    session: Session, key: str, parameter: str, found: str
) -> None:
    """Each row of the caller stays one row, and a query for one value that finds two is an error."""
    told(session, f"CREATE TABLE dbo.y (code {key} NOT NULL PRIMARY KEY, name varchar(9))")
    told(session, "INSERT dbo.y VALUES ('ae', 'one'), (N'æ', 'two'), ('b', 'b'), (N'B', 'B'), ('c', 'c')")
    told(session, "INSERT dbo.y VALUES ('b', 'b'), ('c', 'c')")
    told(
        session,
        f"CREATE FUNCTION dbo.kept (@c {parameter}) RETURNS varchar(9) AS BEGIN DECLARE @r varchar(9) = '-'; SELECT @r = name FROM dbo.y WHERE {found}; RETURN @r END",
    )
    told(
        session,
        f"CREATE FUNCTION dbo.only_one (@c {parameter}) RETURNS varchar(9) AS BEGIN RETURN (SELECT name FROM dbo.y WHERE {found}) END",
    )
    source = "(VALUES (1, N'ae'), (2, N'æ'), (3, 'b'), (4, 'c')) AS q (i, n)"
    assert told(session, f"SELECT SUM(i), COUNT(*) FROM {source} WHERE dbo.kept(n) > ''") == [(10, 4)]
    assert told(session, f"SELECT COUNT(*) FROM {source} WHERE i = 4 GROUP BY dbo.only_one(n)") == [(1,)]
    several = told(session, f"SELECT COUNT(*) FROM dbo.y WHERE {found.replace('@c', chr(39) + 'b' + chr(39))}")
    if several == [(2,)]:
        assert told(session, f"SELECT MAX(dbo.only_one(n)) FROM {source}")[-1:] == [512]


def test_a_look_up_leaves_the_order_of_rows(session: Session) -> None:
    """Without ORDER BY rows come as they came before a function was called."""
    told(
        session,
        "CREATE TABLE dbo.many (id int NOT NULL PRIMARY KEY, n int NULL); CREATE TABLE dbo.known (id int NOT NULL PRIMARY KEY, name varchar(9))",
    )
    told(
        session,
        "INSERT dbo.many SELECT value, NULLIF(value * 7 % 300, 5) FROM GENERATE_SERIES(1, 300); INSERT dbo.known SELECT value, CONCAT('n', value) FROM GENERATE_SERIES(50, 300)",
    )
    told(
        session,
        "CREATE FUNCTION dbo.nl (@a int) RETURNS varchar(9) AS BEGIN RETURN (SELECT name FROM dbo.known WHERE id = @a) END",
    )
    assert [row[0] for row in told(session, "SELECT TOP (4) id, dbo.nl(n) FROM dbo.many")] == [1, 2, 3, 4]
    assert [row[0] for row in told(session, "SELECT id, dbo.nl(n) FROM dbo.many WHERE id < 12")] == [*range(1, 12)]
    listed = "SELECT STRING_AGG(CONCAT(id, dbo.nl(n) + 'x'), ' ') FROM dbo.many WHERE id < 4"
    assert told(session, listed) == [("1 2 3",)]


def test_what_is_looked_up_twice_is_joined_once(session: Session) -> None:
    body = "DECLARE @n varchar(20), @o int SELECT @n = name, @o = owner FROM dbo.pets WHERE id = @a RETURN @n + STR(@o)"
    assert not told(session, f"CREATE FUNCTION dbo.pair (@a int) RETURNS varchar(40) AS BEGIN {body} END")
    asked: list[str] = []

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name == "join" and "self" in frame.f_locals:
            asked.append(frame.f_locals["self"].alias)

    sys.setprofile(note)
    try:
        told(session, "SELECT MAX(dbo.pair(a)), MIN(dbo.pair(a)), MAX(dbo.pair(b)) FROM dbo.calls")
    finally:
        sys.setprofile(None)
    assert len(set(asked)) == 2


def _body_runs(session: Session, text: str) -> int:
    runs = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal runs
        runs += event == "call" and frame.f_code.co_name in ("run_user_function", "quickly")

    sys.setprofile(note)
    try:
        told(session, text)
    finally:
        sys.setprofile(None)
    return runs


def test_what_a_said_body_does_not_need_is_not_computed(session: Session) -> None:
    """As in a query of SQL Server that has the body of a function in it."""
    body = "DECLARE @r int = 100 / (@a - 2) IF @b > 0 RETURN 1 RETURN @r"
    for name, option in (("said", ""), ("run", " WITH EXECUTE AS CALLER")):
        assert not told(session, f"CREATE FUNCTION dbo.{name} (@a int, @b int) RETURNS int{option} AS BEGIN {body} END")
    assert told(session, "SELECT dbo.run(a, b) FROM dbo.calls WHERE id = 2") == [8134]
    assert told(session, "SELECT dbo.said(a, b) FROM dbo.calls WHERE id = 2") == [(1,)]
    assert told(session, "SELECT dbo.said(a, 0) FROM dbo.calls WHERE id = 2") == [8134]


@pytest.mark.parametrize(
    ("number", "times"), [(8134, 2), (245, 2), (1205, 1), (1222, 1), (3960, 1), (3617, 1), (3624, 1)]
)
def test_what_fails_is_asked_again_by_bodies_unless_it_may_not_be(
    session: Session, number: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that ends the transaction or the waiting has nothing to do with the body of a function."""
    asked: list[str] = []

    def fail(self: Session, sql: object, *given: object, **how: object) -> None:
        asked.append(str(sql))
        raise SqlError(number, "as it is said", severity=message(number).severity)

    monkeypatch.setattr(Session, "read_pages", fail)
    monkeypatch.setattr(Session, "read", fail)
    assert told(session, "SELECT dbo.f0(a, b) FROM dbo.calls") == [number]
    assert len(asked) == times
