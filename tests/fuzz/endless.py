"""Statements that take long, in which a batch is cancelled: DML over many rows, cursors, documents, sorts, functions.

`python tests/fuzz/endless.py` cancels each of them after some delays and prints how long they then went on, by the
clock and in processor seconds of the whole process; docs/performance.md has a table of it.
"""

from __future__ import annotations

import argparse
import threading
import time

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.session import Session

__all__ = ["STATEMENTS", "prepare", "seconds_to_stop"]

_SETUP = (
    "CREATE TABLE big (id int PRIMARY KEY, a varchar(100), n int, d datetime); CREATE TABLE other (id int, a varchar(100), n int)",
    "INSERT big SELECT value, CONCAT('row ', value), value % 1000, DATEADD(second, value, '20260101') FROM GENERATE_SERIES(1, 100000)",
    "CREATE FUNCTION dbo.f (@i int) RETURNS int AS BEGIN DECLARE @n int = 0; WHILE @n < 1000 SET @n += 1; RETURN @n END",
    "CREATE FUNCTION dbo.m (@i int) RETURNS @t TABLE (i int) AS BEGIN INSERT @t VALUES (@i), (@i + 1); RETURN END",
    "CREATE TABLE withtrigger (i int); INSERT withtrigger SELECT value FROM GENERATE_SERIES(1, 200000)",
    "CREATE TRIGGER t ON withtrigger AFTER UPDATE AS SELECT COUNT(*) FROM inserted AS a JOIN deleted AS b ON a.i = b.i + 1 WHERE 1 = 2",
    "CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])",
)
_XML = "DECLARE @x xml = (SELECT id, a, n FROM big FOR XML PATH('r'), ROOT('x'), TYPE); "
_JSON = "DECLARE @j nvarchar(max) = (SELECT id, a, n FROM big FOR JSON PATH); "

STATEMENTS = {
    "loop": "DECLARE @i bigint = 0; WHILE 1 = 1 SET @i += 1",
    "insert loop": "DECLARE @i int = 200000; WHILE 1 = 1 BEGIN INSERT big VALUES (@i, 'a', 1, NULL); SET @i += 1 END",
    "update loop": "WHILE 1 = 1 UPDATE big SET n = n + 1 WHERE id = 5",
    "insert select": "INSERT big SELECT value + 10000000, 'x', 1, NULL FROM GENERATE_SERIES(1, 3000000)",
    "update all": "UPDATE big SET n = n + 1, a = CONCAT(a, 'x')",
    "update by function": "UPDATE big SET a = FORMAT(d, 'yyyy-MM-dd dddd')",
    "delete all": "DELETE big WHERE FORMAT(n, 'N') <> ''",
    "merge": "MERGE big AS t USING (SELECT value AS id FROM GENERATE_SERIES(1, 400000)) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = 2 WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, 1);",
    "cursor static": "DECLARE c CURSOR STATIC FOR SELECT id, a FROM big ORDER BY a; OPEN c; DECLARE @i int, @a varchar(100); FETCH c INTO @i, @a; WHILE 1 = 1 FETCH FIRST FROM c INTO @i, @a",
    "cursor dynamic": "DECLARE c CURSOR DYNAMIC FOR SELECT id, a FROM big; OPEN c; DECLARE @i int, @a varchar(100); FETCH c INTO @i, @a; WHILE @@FETCH_STATUS = 0 BEGIN UPDATE big SET n = 1 WHERE CURRENT OF c; FETCH c INTO @i, @a END",
    "cursor keyset": "DECLARE c CURSOR KEYSET FOR SELECT a.id FROM big AS a CROSS JOIN big AS b; OPEN c",
    "table variable": "DECLARE @t TABLE (i int, a varchar(50)); INSERT @t SELECT id, a FROM big; WHILE 1 = 1 UPDATE @t SET i = i + 1",
    "format": "SELECT MAX(FORMAT(a.d, 'D', 'de-de')) FROM big AS a CROSS JOIN big AS b",
    "format number": "SELECT MAX(FORMAT(a.n, '#,##0.00')) FROM big AS a CROSS JOIN big AS b",
    "convert": "SELECT MAX(CONVERT(varchar(40), a.d, 113)) FROM big AS a CROSS JOIN big AS b",
    "for xml path": "SELECT a.*, b.n AS m FROM big AS a CROSS JOIN (SELECT TOP 20 * FROM big) AS b FOR XML PATH('r'), ROOT('x')",
    "for xml auto": "SELECT a.*, b.n AS m FROM big AS a CROSS JOIN (SELECT TOP 20 * FROM big) AS b FOR XML AUTO, TYPE, ELEMENTS",
    "for xml explicit": "SELECT 1 AS Tag, NULL AS Parent, a.id AS [r!1!id], a.a AS [r!1!a!element] FROM big AS a CROSS JOIN (SELECT TOP 20 * FROM big) AS b FOR XML EXPLICIT",
    "for xml raw schema": "SELECT a.* FROM big AS a CROSS JOIN (SELECT TOP 20 * FROM big) AS b FOR XML RAW, XMLSCHEMA",
    "for json path": "SELECT a.*, b.n AS [m.n] FROM big AS a CROSS JOIN (SELECT TOP 20 * FROM big) AS b FOR JSON PATH",
    "for json auto": "SELECT a.*, b.n AS m FROM big AS a CROSS JOIN (SELECT TOP 20 * FROM big) AS b FOR JSON AUTO, INCLUDE_NULL_VALUES",
    "openjson with": _JSON + "SELECT COUNT(*) FROM OPENJSON(@j) WITH (id int, a varchar(100), n int) AS a CROSS JOIN OPENJSON(@j) WITH (id int) AS b",
    "openjson": _JSON + "WHILE 1 = 1 SELECT COUNT(*) FROM OPENJSON(@j)",
    "json_value": _JSON + "WHILE 1 = 1 SELECT JSON_VALUE(@j, '$[99999].a')",
    "json_modify": _JSON + "WHILE 1 = 1 SET @j = JSON_MODIFY(@j, '$[99999].a', 'x')",
    "json_query of rows": 'SELECT MAX(JSON_VALUE(CONCAT(\'{"a":"\', a.a, \'"}\'), \'$.a\')) FROM big AS a CROSS JOIN big AS b',
    "xml parse": _XML + "DECLARE @t nvarchar(max) = CAST(@x AS nvarchar(max)); WHILE 1 = 1 SET @x = CAST(@t AS xml)",
    "xml value": _XML + "WHILE 1 = 1 SELECT @x.value('(/x/r/a)[50000]', 'varchar(100)')",
    "xml query": _XML + "WHILE 1 = 1 SELECT @x.query('for $r in /x/r where $r/n[1] > 3 order by $r/a[1] return <q>{$r/a}</q>')",
    "xml nodes": _XML + "SELECT COUNT(*), MAX(r.value('a[1]', 'varchar(100)')), MAX(r.value('count(../r)', 'int')) FROM @x.nodes('/x/r') AS t (r)",
    "xml exist": _XML + "SELECT @x.exist('/x/r[a = ../r/a][2]')",
    "xml modify": _XML + "WHILE 1 = 1 SET @x.modify('delete /x/r[n = 5]')",
    "openxml": _XML + "DECLARE @h int, @t nvarchar(max) = CAST(@x AS nvarchar(max)); EXEC sp_xml_preparedocument @h OUTPUT, @t; WHILE 1 = 1 SELECT COUNT(*) FROM OPENXML(@h, '/x/r', 2) WITH (id int, a varchar(100))",
    "sort": "SELECT a.a FROM big AS a CROSS JOIN (SELECT TOP 50 * FROM big) AS b ORDER BY b.a, a.a DESC",
    "sort collation": "SELECT a.a COLLATE Latin1_General_CI_AI AS x FROM big AS a CROSS JOIN (SELECT TOP 50 * FROM big) AS b ORDER BY x",
    "distinct": "SELECT DISTINCT REVERSE(a.a) + b.a FROM big AS a CROSS JOIN (SELECT TOP 50 * FROM big) AS b",
    "window": "SELECT SUM(n) OVER (ORDER BY UPPER(a) ROWS 1000 PRECEDING) FROM big",
    "string_agg": "SELECT LEN(STRING_AGG(CAST(a.a AS nvarchar(max)), ',') WITHIN GROUP (ORDER BY b.a)) FROM big AS a CROSS JOIN (SELECT TOP 50 * FROM big) AS b",
    "string_split": "SELECT COUNT(*) FROM STRING_SPLIT(REPLICATE(CAST('a,' AS varchar(max)), 2000000), ',')",
    "replicate": "DECLARE @s varchar(max); WHILE 1 = 1 SET @s = REPLICATE(CAST('abc' AS varchar(max)), 5000000)",
    "recursive": "WITH r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r) SELECT COUNT(*) FROM r OPTION (MAXRECURSION 0)",
    "user function": "SELECT SUM(dbo.f(n)) FROM big AS a",
    "table function": "SELECT COUNT(*) FROM big AS a CROSS APPLY dbo.m(a.n)",
    "foreign keys": "DELETE big WHERE id NOT IN (SELECT n FROM other)",
    "select into": "SELECT a.*, b.n AS m INTO made FROM big AS a CROSS JOIN (SELECT TOP 30 * FROM big) AS b",
    "create index": "CREATE UNIQUE INDEX ux ON big (a)",
    "rows": "SELECT a.*, b.* FROM big AS a CROSS JOIN big AS b",
    "hash": "DECLARE @s varchar(max) = REPLICATE(CAST('abc' AS varchar(max)), 3000000), @b varbinary(64); WHILE 1 = 1 SET @b = HASHBYTES('SHA2_256', @s)",
    "compress": "DECLARE @s varchar(max) = REPLICATE(CAST('abc' AS varchar(max)), 3000000), @b varbinary(max); WHILE 1 = 1 SET @b = COMPRESS(@s)",
    "encrypt": "DECLARE @s varchar(8000) = REPLICATE('abc', 2000), @b varbinary(8000); WHILE 1 = 1 SET @b = ENCRYPTBYPASSPHRASE('p', @s)",
    "soundex": "SELECT MAX(SOUNDEX(a.a)), MAX(DIFFERENCE(a.a, b.a)) FROM big AS a CROSS JOIN big AS b",
    "like": "SELECT COUNT(*) FROM big AS a JOIN big AS b ON a.a LIKE '%' + b.a + '%[x]'",
    "catch": "WHILE 1 = 1 BEGIN TRY DECLARE @i int = 1 / 0 END TRY BEGIN CATCH END CATCH",
    "send": "DECLARE @h uniqueidentifier; WHILE 1 = 1 BEGIN BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('x') END",
    "dynamic": "WHILE 1 = 1 EXEC ('SELECT 1 WHERE 1 = 2')",
    "print": "WHILE 1 = 1 PRINT 'a'",
    "trigger": "UPDATE withtrigger SET i = i + 1",
    "checksum": "SELECT CHECKSUM_AGG(CHECKSUM(a.a, b.a)) FROM big AS a CROSS JOIN big AS b",
}  # fmt: skip
"""By name; each runs in a transaction of its own."""


def prepare(session: Session) -> None:
    for batch in _SETUP:
        assert not any(isinstance(o, ErrorOutcome) for o in session.run(batch)), batch


def seconds_to_stop(session: Session, text: str, delay: float, limit: float) -> tuple[float, float] | None:
    """Run a statement and cancel it after `delay` seconds: processor seconds of the process, and seconds, until it had
    stopped. Zeros when it ended by itself; None when it goes on after `limit` seconds."""
    ended = threading.Event()

    def forget(outcome: Outcome) -> None:
        pass

    def body() -> None:
        try:
            session.run(f"BEGIN TRAN; {text}", sink=forget)
        finally:
            ended.set()

    threading.Thread(target=body, daemon=True).start()
    if ended.wait(delay):
        return 0.0, 0.0
    began, worked = time.perf_counter(), time.process_time()
    session.cancel()
    if not ended.wait(limit):
        return None
    found = time.process_time() - worked, time.perf_counter() - began
    session.run("IF @@TRANCOUNT > 0 ROLLBACK")
    return found


def main(delays: list[float]) -> None:
    instance = Instance.open(None)
    session = instance.connect()
    prepare(session)
    taken: list[tuple[float, float, str]] = []
    for name, text in STATEMENTS.items():
        for delay in delays:
            found = seconds_to_stop(session, text, delay, 60)
            if found is None:
                print(f"{name} after {delay} s: goes on")
                session = instance.connect()
            elif found[1]:
                taken.append((*found, f"{name} after {delay} s"))
            if session.is_ended:
                session = instance.connect()
    for place, what in enumerate(("processor seconds", "seconds")):
        ordered = sorted(one[place] for one in taken)
        shown = ", ".join(
            f"{share:.0%}: {ordered[int((len(ordered) - 1) * share)]:.3f}" for share in (0.5, 0.9, 0.99, 1)
        )
        print(f"{what} until {len(ordered)} cancelled statements had stopped: {shown}")
    for worked, passed, name in sorted(taken)[-8:]:
        print(f"{worked:8.3f} {passed:8.3f}  {name}")
    instance.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "seconds", type=float, nargs="*", default=[0.3, 1.0, 3.0], help="after which each is cancelled (0.3 1 3)"
    )
    main(parser.parse_args().seconds)
