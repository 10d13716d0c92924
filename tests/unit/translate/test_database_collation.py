"""The collation of a database: its columns, variables and literals have it, unless they say another.

Each program runs in a database with a collation, and in one with the default where all texts name the collation: both
tell the same. What a program means under a collation is what the other tests are about.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import last_rows, told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

COLLATIONS = (
    "Latin1_General_CS_AS", "Latin1_General_BIN2", "Latin1_General_CI_AI", "Latin1_General_CI_AS", "Cyrillic_General_CI_AS", "Latin1_General_100_CI_AS_SC_UTF8", "SQL_Latin1_General_CP1_CS_AS",
)  # fmt: skip
SETUP = """CREATE TABLE t (i int IDENTITY, v varchar(20) {c}, n nvarchar(20) {c}, f char(4) {c})
CREATE TABLE k (v varchar(20) {c} PRIMARY KEY)
INSERT t (v, n, f) VALUES ('a', N'a', 'a'), ('A', N'A', 'A'), (N'é', N'é', N'é'), ('E', N'E', 'E'), (N'Ж', N'Ж', N'Ж'), (N'ж', N'ж', N'ж'), (NULL, NULL, NULL), ('a_b', N'a-b', 'ab')"""
PROGRAMS = {
    "a literal": "SELECT i FROM t WHERE v = 'a' ORDER BY i",
    "national": "SELECT i FROM t WHERE n = N'E' ORDER BY i",
    "IN": "SELECT i FROM t WHERE v IN ('A', 'e', 'x') ORDER BY i",
    "LIKE": "SELECT i FROM t WHERE v LIKE 'A%' ORDER BY i",
    "LIKE, a set": "SELECT i FROM t WHERE n LIKE N'[a-e]%' ORDER BY i",
    "BETWEEN": "SELECT i FROM t WHERE v BETWEEN 'a' AND 'b' ORDER BY i",
    "order": "SELECT v FROM t ORDER BY v, i",
    "groups": "SELECT COUNT(*) FROM t GROUP BY v ORDER BY COUNT(*)",
    "distinct": "SELECT COUNT(DISTINCT n), COUNT(DISTINCT f) FROM t",
    "the first": "SELECT MIN(v), MAX(n) FROM t",
    "functions": "SELECT REPLACE(v, 'A', 'x'), CHARINDEX('E', n), PATINDEX('%A%', v), UPPER(v), LEN(v), DATALENGTH(v), STUFF(v, 1, 1, 'y') FROM t ORDER BY i",
    "as bytes": "SELECT CAST(v AS varbinary(20)), CAST(n AS varbinary(20)), CAST(CAST(n AS varchar(20)) AS varbinary(20)) FROM t ORDER BY i",
    "a join": "SELECT a.i, b.i FROM t a JOIN t b ON b.v = a.n ORDER BY a.i, b.i",
    "a variable": "DECLARE @v varchar(20) = 'a' {c}; SELECT i FROM t WHERE v = @v ORDER BY i; SELECT COUNT(*) FROM t WHERE @v = v {c}",
    "a key": "INSERT k VALUES ('a'); INSERT k VALUES ('A'); INSERT k VALUES (N'é'), ('e'); SELECT v FROM k ORDER BY v",
    "many keys": "INSERT k SELECT DISTINCT v FROM t WHERE v IS NOT NULL; SELECT v FROM k ORDER BY v",
    "SELECT INTO": "SELECT v, n INTO #u FROM t; SELECT a.i FROM t a JOIN #u u ON u.v = a.v ORDER BY a.i",
    "a table variable": "DECLARE @t TABLE (v varchar(20) {c}); INSERT @t SELECT v FROM t; SELECT COUNT(*) FROM @t WHERE v = 'A'; SELECT DISTINCT v FROM @t ORDER BY v",
    "a #table": "CREATE TABLE #t (v varchar(20) COLLATE {d}); INSERT #t SELECT n FROM t; SELECT COUNT(*) FROM #t x JOIN t ON t.v = x.v",
    "OPENJSON": "SELECT i FROM t JOIN OPENJSON(N'[\"a\",\"E\"]') WITH (x varchar(5) '$') j ON j.x = t.v {c} ORDER BY i",
    "CASE": "SELECT CASE v WHEN 'A' THEN 1 WHEN 'E' THEN 2 ELSE 3 END, IIF(n > N'B', 1, 0), NULLIF(v, 'a') FROM t ORDER BY i",
    "UPDATE": "UPDATE t SET v = n WHERE f = 'A'; SELECT v FROM t ORDER BY i",
    "MERGE": "MERGE t USING (SELECT 'a' {c} AS x) s ON t.v = s.x WHEN MATCHED THEN UPDATE SET f = 'm'; SELECT f FROM t ORDER BY i",
    "UNION": "SELECT v FROM t UNION SELECT 'A' {c} ORDER BY v",
    "a derived table": "SELECT x.v FROM (SELECT v {c} AS v FROM t WHERE v > 'B') x ORDER BY x.v",
    "XML": "SELECT v FROM t WHERE i < 3 ORDER BY v FOR XML PATH('r')",
}
OF_LITERALS = {
    "IF 'a' = 'A' SELECT 1 ELSE SELECT 0": "IF 'a' {c} = 'A' SELECT 1 ELSE SELECT 0",
    "DECLARE @a varchar(5) = 'x', @b nvarchar(5) = N'X'; SELECT CASE WHEN @a = @b THEN 1 ELSE 0 END": "DECLARE @a varchar(5) = 'x', @b nvarchar(5) = N'X'; SELECT CASE WHEN @a {c} = @b THEN 1 ELSE 0 END",
    "SELECT REPLACE('aAb', 'A', 'x'), CHARINDEX('B', 'ab'), PATINDEX('%B', 'ab')": "SELECT REPLACE('aAb' {c}, 'A', 'x'), CHARINDEX('B', 'ab' {c}), PATINDEX('%B', 'ab' {c})",
    "SELECT COUNT(*) FROM (VALUES ('a'), ('A'), ('b')) v (x) GROUP BY x ORDER BY x": "SELECT COUNT(*) FROM (VALUES ('a'), ('A'), ('b')) v (x) GROUP BY x {c} ORDER BY MAX(x {c})",
    "SELECT CASE 'A' WHEN 'a' THEN 1 ELSE 2 END": "SELECT CASE 'A' {c} WHEN 'a' THEN 1 ELSE 2 END",
    "SELECT CAST(N'Ж' AS varchar(4)), CAST(N'é' AS varchar(4))": "SELECT CAST(N'Ж' {c} AS varchar(4)), CAST(N'é' {c} AS varchar(4))",
}


@pytest.fixture(params=COLLATIONS)
def collation(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def instance() -> Iterator[Instance]:
    found = Instance.open(clock="virtual", seed=1)
    yield found
    found.close()


def sessions(instance: Instance, collation: str) -> tuple[Session, Session]:
    one, other = instance.connect(), instance.connect()
    for session, batch in ((one, f"CREATE DATABASE a COLLATE {collation}"), (other, "CREATE DATABASE b")):
        assert told(session, batch) == []
    assert told(one, "USE a") == told(other, "USE b") == []
    return one, other


def by_clause(text: str, collation: str | None) -> str:
    clause = "" if collation is None else f"COLLATE {collation}"
    return text.format(c=clause, d=collation or "DATABASE_DEFAULT")


@pytest.mark.spec("TEXT-18")
@pytest.mark.matrix
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_as_if_all_columns_had_named_it(instance: Instance, collation: str, program: str) -> None:
    one, other = sessions(instance, collation)
    for text in (SETUP, PROGRAMS[program]):
        assert told(one, by_clause(text, None)) == told(other, by_clause(text, collation)), text


@pytest.mark.matrix
@pytest.mark.parametrize("program", OF_LITERALS)
def test_literals_and_variables_have_it(instance: Instance, collation: str, program: str) -> None:
    one, other = sessions(instance, collation)
    expected = told(other, by_clause(OF_LITERALS[program], collation))
    assert told(one, program) == expected
    assert told(one, f"USE b; USE a; {program}") == expected  # one batch, which is compiled before its USE runs
    assert told(one, f"EXEC sp_executesql N'{program.replace(chr(39), chr(39) * 2)}'") == expected
    assert told(one, "CREATE PROCEDURE p AS " + program) == []
    assert told(one, "EXEC p") == told(other, "EXEC a.dbo.p") == expected


RUSSIAN = "CREATE DATABASE ru COLLATE Cyrillic_General_CI_AS"


@pytest.fixture
def russian(instance: Instance) -> Session:
    session = instance.connect()
    assert told(session, RUSSIAN) == told(session, "USE ru") == []
    return session


def test_texts_without_n_are_of_its_code_page(russian: Session) -> None:
    """What stands in the definitions of a table or module, too, whoever uses it first."""
    for batch in (
        "CREATE TABLE t (i int, v varchar(10) DEFAULT 'да', c AS v + 'ж', CHECK (v <> 'нет'))",
        "CREATE VIEW w AS SELECT i FROM t WHERE v = 'ДА'",
        "CREATE FUNCTION f (@x varchar(10)) RETURNS varchar(20) AS BEGIN RETURN @x + 'ы' END",
        "CREATE FUNCTION g (@x varchar(10)) RETURNS TABLE AS RETURN SELECT i FROM t WHERE v = @x AND c = 'даж'",
    ):
        assert told(russian, batch) == []
    stranger = russian.instance.connect()
    assert told(stranger, "INSERT ru.dbo.t (i) VALUES (1); INSERT ru.dbo.t (i) SELECT 2") == []
    assert told(stranger, "INSERT ru.dbo.t VALUES (3, N'нет')") == [547]
    assert told(stranger, "SELECT v, c FROM ru.dbo.t") == [("да", "даж")] * 2
    assert told(stranger, "SELECT i FROM ru.dbo.w; SELECT ru.dbo.f(N'м'); SELECT i FROM ru.dbo.g(N'да')") == [
        (1,), (2,), ("мы",), (1,), (2,),
    ]  # fmt: skip
    assert told(russian, "SELECT i FROM w; SELECT dbo.f('м'); SELECT i FROM g('да')") == [
        (1,), (2,), ("мы",), (1,), (2,),
    ]  # fmt: skip


def test_a_message_has_the_bytes_of_its_code_page(russian: Session) -> None:
    assert told(russian, "CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])") == []
    sent = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('Привет')"
    assert told(russian, sent) == []
    received = "RECEIVE message_body, CAST(message_body AS varchar(20)) FROM q WHERE message_type_id > 2"
    assert told(russian, received.replace(" WHERE message_type_id > 2", "")) == [("Привет".encode("cp1251"), "Привет")]


def test_declared_parameters_are_those_of_the_database(russian: Session) -> None:
    asked = "EXEC sp_executesql N'SELECT CAST(@x AS varbinary(4))', N'@x varchar(4)', N'ж'"
    stranger = russian.instance.connect()
    for _ in range(2):
        assert told(russian, asked) == [(b"\xe6",)]
        assert told(stranger, asked) == [(b"?",)]


def test_names_of_the_catalog_meet_its_columns(russian: Session) -> None:
    assert told(russian, "CREATE TABLE t (n sysname); INSERT t SELECT name FROM sys.tables") == []
    assert told(russian, "SELECT t.n FROM t JOIN sys.tables s ON s.name = t.n") == [("t",)]
    assert told(russian, "SELECT name FROM sys.databases d JOIN t ON d.name <> t.n WHERE name = 'RU'") == [("ru",)]


def test_tempdb_has_its_own(russian: Session) -> None:
    """Hence error 468, which is why scripts write COLLATE DATABASE_DEFAULT in #tables."""
    assert (
        told(
            russian,
            "CREATE TABLE t (v varchar(5)); CREATE TABLE #t (v varchar(5)); CREATE TABLE #d (v varchar(5) COLLATE DATABASE_DEFAULT)",
        )
        == []
    )
    assert told(russian, "SELECT 1 FROM t JOIN #t x ON x.v = t.v") == [468]
    assert told(russian, "SELECT 1 FROM t JOIN #t x ON x.v = t.v COLLATE DATABASE_DEFAULT") == []
    assert told(russian, "SELECT 1 FROM t JOIN #d x ON x.v = t.v") == []


def test_it_is_shown_and_changed(russian: Session) -> None:
    assert told(russian, "CREATE TABLE t (v varchar(5))") == []
    shown = "SELECT collation_name, CAST(DATABASEPROPERTYEX('ru', 'Collation') AS sysname) FROM sys.databases WHERE name = 'ru'; SELECT collation_name FROM sys.columns WHERE object_id = OBJECT_ID('t')"
    cyrillic, polish = "Cyrillic_General_CI_AS", "Polish_CS_AS"
    assert told(russian, shown) == [(cyrillic, cyrillic), (cyrillic,)]
    assert told(russian, "CREATE PROCEDURE p AS SELECT CASE WHEN 'a' = 'A' THEN 1 END") == []
    compared = "SELECT CASE WHEN 'a' = 'A' THEN 1 END; EXEC p; EXEC sp_executesql N'SELECT CASE WHEN @a = ''A'' THEN 1 END', N'@a varchar(5)', 'a'"
    assert told(russian, compared) == [(1,)] * 3
    assert told(russian, "ALTER DATABASE ru COLLATE polish_cs_as") == []
    assert told(russian, compared) == [(None,)] * 3
    assert told(russian, shown) == [(polish, polish), (cyrillic,)]  # columns stay
    assert told(
        russian, "CREATE TABLE u (v varchar(5)); INSERT u VALUES ('Łódź'); SELECT v FROM u WHERE v <> 'łódź'"
    ) == [("Łódź",)]
    asked = "SELECT CAST(DATABASEPROPERTYEX('{0}', 'LCID') AS int), CAST(DATABASEPROPERTYEX('{0}', 'ComparisonStyle') AS int), CAST(DATABASEPROPERTYEX('{0}', 'SQLSortOrder') AS int)"
    assert told(russian, asked.format("ru")) == [(1045, 196608, 0)]
    assert told(russian, asked.format("master")) == [(1033, 196609, 52)]
    assert told(russian, "ALTER DATABASE ru COLLATE Nowhere") == [448]
    assert told(russian, "CREATE DATABASE other COLLATE Nowhere; SELECT 1") == [448]


def test_it_outlives_the_instance(tmp_path: object) -> None:
    instance = Instance.open(f"{tmp_path}/s.duckdb")
    session = instance.connect()
    assert told(session, RUSSIAN) == told(session, "USE ru") == []
    assert told(session, "CREATE TABLE t (v varchar(5)); INSERT t VALUES ('да')") == []
    instance.close()
    instance = Instance.open(f"{tmp_path}/s.duckdb")
    session = instance.connect()
    assert told(session, "USE ru") == []
    assert last_rows(session, "SELECT v, CAST('да' AS varbinary(4)) FROM t WHERE v = 'ДА'") == [("да", b"\xe4\xe0")]
    instance.close()


MEETING = (
    "DECLARE @m sysname = N's'; IF @m = (SELECT name FROM sys.services WHERE name = 's') SELECT 1",
    "DECLARE @m sysname = N's'; IF LOWER(@m) = (SELECT LOWER(name) FROM sys.services WHERE name = 's') SELECT 1",
    "IF 's' IN (SELECT n FROM b) SELECT 1",
    "DECLARE @m varchar(5) = 's'; IF @m IN (SELECT v FROM b) SELECT 1",
    "DECLARE @m varchar(5) = 's'; SELECT 1 FROM b WHERE n = @m AND v = LOWER(@m) AND n LIKE @m + '%' AND CHARINDEX(@m, v) = 1",
    "DECLARE @m varchar(5) = 's'; SELECT CASE WHEN n = @m THEN 1 END FROM b WHERE ISNULL(@m, v) = n AND COALESCE(@m, n) = 's'",
    "DECLARE @m nvarchar(5) = N's'; SELECT 1 FROM b WHERE n + @m = 'ss' AND CONCAT(v, 's', @m) = N'sss'",
    "DECLARE @m nvarchar(5) = N's', @n nvarchar(5); SELECT @n = n FROM b; IF @n = @m AND @n + 's' = @m + N's' SELECT 1",
    "DECLARE @m nvarchar(5) = N's'; SELECT 1 FROM b WHERE n = CAST(@m AS varchar(10)) AND n = CONVERT(nchar(1), @m) AND v = CAST(n AS varchar(3)) COLLATE Polish_CI_AS",
    "DECLARE @m nvarchar(5) = N's'; SELECT 1 FROM b WHERE n = REPLACE(n, 's', @m) AND v = STUFF(v, 1, 1, @m) AND v = REPLACE(@m, 's', v)",
    "DECLARE @m nvarchar(5) = N's'; SELECT COUNT(*) FROM (SELECT n FROM b UNION SELECT @m UNION SELECT 's') x",
    "DECLARE @m nvarchar(5) = N's'; SELECT 1 FROM b WHERE n = (SELECT @m) AND n IN ('s', @m) AND n BETWEEN 'r' AND @m",
    "DECLARE @m nvarchar(5) = N's'; SELECT 1 FROM (SELECT @m AS c) x JOIN b ON b.n = x.c JOIN (VALUES (@m), ('t')) y (c) ON y.c = b.v",
    "CREATE TABLE #t (n varchar(10)); INSERT #t VALUES ('s'); DECLARE @m nvarchar(5) = N's'; IF @m = (SELECT n FROM #t) SELECT 1 FROM #t WHERE n = @m",
    "SELECT 1 FROM b WHERE n = dbo.f('s') AND v = dbo.f(v)",
    "UPDATE b SET v = 's' WHERE n = 's' AND v = 's'; SELECT @@ROWCOUNT",
    "DECLARE @m varchar(5) = 's'; UPDATE b SET v = CASE WHEN n = @m THEN 's' ELSE n END; SELECT @@ROWCOUNT",
    "MERGE b USING (SELECT 's' AS n, 'q' AS v) x ON b.n = x.n WHEN NOT MATCHED THEN INSERT VALUES (x.n, x.v); SELECT COUNT(*) FROM b",
    "DECLARE c CURSOR FOR SELECT 1 FROM b WHERE n = 's'; OPEN c; FETCH c",
    "SELECT 1 FROM b WHERE n = CAST(CAST('s' AS sql_variant) AS varchar(5)) AND v = CAST(0x73 AS varchar(1)) AND n <> CAST(5 AS varchar(2))",
    "SELECT 1 FROM b WHERE n = LEFT(DB_NAME(), 0) + 's' AND v <> ISNULL(ERROR_MESSAGE(), '') AND n = TRIM('s ')",
)  # fmt: skip


@pytest.mark.parametrize("text", MEETING)
def test_its_literals_and_variables_meet_columns_of_all_collations(russian: Session, text: str) -> None:
    """They are coercible (documentation: "Collation Precedence"): a column's counts before theirs."""
    for batch in (
        "CREATE QUEUE q; CREATE SERVICE s ON QUEUE q",
        "CREATE TABLE b (n nvarchar(100) COLLATE Latin1_General_BIN, v varchar(10) COLLATE Polish_CI_AS); INSERT b VALUES (N's', 's')",
        "CREATE FUNCTION f (@a varchar(10)) RETURNS varchar(10) AS BEGIN RETURN @a END",
    ):
        assert told(russian, batch) == []
    assert told(russian, text) == [(1,)]


def test_what_is_cast_keeps_its_collation(russian: Session) -> None:
    """Text has that of what is cast, other values are of the database."""
    assert told(russian, "CREATE TABLE t (v nvarchar(9) COLLATE Polish_CI_AS); INSERT t VALUES (N'Łж')") == []
    cast = "SELECT CAST(CAST(v AS varchar(9)) AS varbinary(9)), CAST(CONVERT(varchar(9), v) AS varbinary(9)), CAST(v COLLATE Cyrillic_General_CI_AS AS varchar(9)) FROM t"
    assert told(russian, cast) == [("Ł?".encode("cp1250"), "Ł?".encode("cp1250"), "Lж")]
    assert told(russian, "SELECT CAST(0xE6 AS varchar(1)), CONVERT(varchar(1), 0xE6)") == [("ж", "ж")]
    assert told(
        russian, "DECLARE @b varbinary(2) = 0xE6; SELECT CAST(@b AS varchar(1)), CAST(@b AS varchar(1)) + N'ж'"
    ) == [("ж", "жж")]


FROM_ELSEWHERE = (
    "CREATE TABLE {d}t (v varchar(20), n nvarchar(5) COLLATE DATABASE_DEFAULT, p varchar(9) COLLATE Polish_CI_AS)",
    "CREATE TABLE {d}t (v varchar(20), c AS 'x', e AS v + 'x', f AS CAST(v AS nvarchar(9)) PERSISTED, w char(3) DEFAULT 'a' CHECK (w <> 'B'))",
    "CREATE TABLE {d}t (v varchar(20), c AS 'x'); ALTER TABLE {d}t ADD w varchar(10), g AS 'y', h varchar(5) CHECK (h = 'h')",
    "CREATE TABLE {d}t (v varchar(20)); ALTER TABLE {d}t ALTER COLUMN v nvarchar(30)",
    "CREATE TABLE {d}t (v varchar(20) PRIMARY KEY); INSERT {d}t VALUES ('a'); INSERT {d}t VALUES ('A')",
    "CREATE TABLE {d}s (v varchar(20), n nvarchar(9)); SELECT v, n + N'x' AS n INTO {d}t FROM {d}s",
    "EXEC ('CREATE PROCEDURE p AS CREATE TABLE {d}t (v varchar(3))'); EXEC p",
)


@pytest.mark.parametrize("text", FROM_ELSEWHERE)
def test_a_table_of_another_database_has_the_collation_of_that(instance: Instance, collation: str, text: str) -> None:
    """As if it had been made there."""
    russian, other = sessions(instance, collation)
    assert told(russian, "CREATE DATABASE c COLLATE Cyrillic_General_CI_AS") == told(russian, "USE c") == []
    assert told(other, f"CREATE DATABASE e COLLATE {collation}") == told(other, "USE e") == []
    assert told(russian, text.format(d="a.dbo.")) == told(other, text.format(d="dbo."))
    columns = (
        "SELECT name, collation_name FROM {d}sys.columns WHERE object_id = OBJECT_ID('{d}dbo.t') ORDER BY column_id"
    )
    told_here = told(russian, columns.format(d="a."))
    assert told_here == told(other, columns.format(d="")) != []
