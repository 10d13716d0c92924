"""INSERT, UPDATE, DELETE and MERGE with OUTPUT and TOP; CASE in them."""

from __future__ import annotations

_OUTPUT = "t-sql/queries/output-clause"
_MERGE = "t-sql/statements/merge"
_FOUR = "CREATE TABLE #t (id int, employee varchar(32)); INSERT #t VALUES (1, 'Fred'), (2, 'Tom'), (3, 'Sally'), (4, 'Alice'); "

EXAMPLES = [
    (_OUTPUT, _FOUR + "DECLARE @d TABLE (id int, employee varchar(32)); DELETE #t OUTPUT deleted.* INTO @d WHERE id = 4 OR id = 2; SELECT * FROM #t ORDER BY id; SELECT * FROM @d ORDER BY id", "1 | Fred", "3 | Sally", "2 | Tom", "4 | Alice"),
    (_OUTPUT, _FOUR + "DELETE TOP (1) #t OUTPUT deleted.* WHERE id = 3; SELECT COUNT(*) FROM #t", "3 | Sally", "3"),
    (_OUTPUT, "CREATE TABLE #s (id smallint IDENTITY, name varchar(50)); DECLARE @n TABLE (id smallint, name varchar(50)); INSERT #s OUTPUT inserted.id, inserted.name INTO @n VALUES (N'Operator error'); SELECT * FROM @n", "1 | Operator error"),
    (_OUTPUT, ("CREATE TABLE #e (id int, hours int); INSERT #e VALUES (1, 40); DECLARE @v TABLE (id int, old int, new int, diff int); UPDATE TOP (10) #e SET hours = hours * 1.25 OUTPUT inserted.id, deleted.hours, inserted.hours, "
     "inserted.hours - deleted.hours INTO @v; SELECT * FROM @v"), "1 | 40 | 50 | 10"),
    (_OUTPUT, ("CREATE TABLE #w (id int, reason int, p int); CREATE TABLE #p (p int, name varchar(20)); INSERT #w VALUES (1, 16, 733), (2, 16, 734); INSERT #p VALUES (733, 'Nut'), (734, 'Bolt'); DECLARE @v TABLE (o int, n int, id int, name varchar(20)); "
     "UPDATE #w SET reason = 4 OUTPUT deleted.reason, inserted.reason, inserted.id, p.name INTO @v FROM #w AS w JOIN #p AS p ON w.p = p.p AND w.reason = 16 AND p.p = 733; SELECT * FROM @v"), "16 | 4 | 1 | Nut"),
    (_OUTPUT, ("CREATE TABLE #h (p int, photo int); CREATE TABLE #p (p int, name varchar(20), model int); INSERT #h VALUES (1, 70), (2, 71); INSERT #p VALUES (1, 'A', 120), (2, 'B', 9); "
     "DELETE #h OUTPUT deleted.p, p.name, p.model, deleted.photo FROM #h AS h JOIN #p AS p ON h.p = p.p WHERE p.model BETWEEN 120 AND 130"), "1 | A | 120 | 70"),
    (_OUTPUT, "CREATE TABLE #s (id int IDENTITY(1, 5), name varchar(20), sales money, projected AS sales * 1.10); INSERT #s (name, sales) OUTPUT inserted.id, inserted.projected VALUES ('a', 100), ('b', 200)", "1 | 110.000000", "6 | 220.000000"),
    (_OUTPUT, ("CREATE TABLE oracle_reason (id int IDENTITY(17, 1), name varchar(30));\nGO\nCREATE VIEW oracle_view AS SELECT id, name FROM oracle_reason;\nGO\n"
     "CREATE TRIGGER oracle_instead ON oracle_view INSTEAD OF INSERT AS INSERT oracle_reason (name) OUTPUT inserted.id, inserted.name SELECT name FROM inserted;\nGO\nINSERT oracle_view (id, name) VALUES (99, N'My scrap reason');\nGO\n"
     "DROP VIEW oracle_view; DROP TABLE oracle_reason"), "17 | My scrap reason"),
    (_MERGE, ("CREATE TABLE #u (code nchar(3), name nvarchar(25)); CREATE TABLE #log (n int IDENTITY, oldname nvarchar(25), did nvarchar(10), newname nvarchar(25));\nGO\n"
     "CREATE PROCEDURE oracle_put @c nchar(3), @n nvarchar(25) AS MERGE #u AS t USING (SELECT @c, @n) AS s (c, n) ON t.code = s.c WHEN MATCHED THEN UPDATE SET name = s.n WHEN NOT MATCHED THEN INSERT (code, name) VALUES (s.c, s.n) "
     "OUTPUT deleted.name, $action, inserted.name INTO #log;\nGO\nINSERT #u VALUES ('ABC', 'Test Value'); EXEC oracle_put 'ABC', 'New Test Value'; EXEC oracle_put 'XYZ', 'Test Value'; EXEC oracle_put 'ABC', 'Another Test Value'; "
     "SELECT oldname, did, newname FROM #log ORDER BY n; DROP PROCEDURE oracle_put"), "Test Value | UPDATE | New Test Value", "NULL | INSERT | Test Value", "New Test Value | UPDATE | Another Test Value"),
    (_MERGE, ("CREATE TABLE #i (p int, q int); INSERT #i VALUES (1, 10), (2, 5); MERGE #i AS t USING (VALUES (1, 4), (2, 5)) AS s (p, q) ON t.p = s.p WHEN MATCHED AND t.q - s.q <= 0 THEN DELETE WHEN MATCHED THEN UPDATE SET t.q = t.q - s.q "
     "OUTPUT $action, inserted.p, inserted.q, deleted.p, deleted.q; SELECT * FROM #i"), "UPDATE | 1 | 6 | 1 | 10", "DELETE | NULL | NULL | 2 | 5", "1 | 6"),
    (_MERGE, ("CREATE TABLE #r (name varchar(20), type varchar(20)); INSERT #r VALUES ('Review', 'Other'), ('Price', 'Other'); DECLARE @c TABLE (change varchar(20)); MERGE #r AS t USING (VALUES ('Recommendation', 'Other'), ('Review', 'Marketing'), "
     "('Internet', 'Promotion')) AS s (name, type) ON t.name = s.name WHEN MATCHED THEN UPDATE SET type = s.type WHEN NOT MATCHED BY TARGET THEN INSERT (name, type) VALUES (s.name, s.type) OUTPUT $action INTO @c; "
     "SELECT change, COUNT(*) FROM @c GROUP BY change ORDER BY change"), "INSERT | 2", "UPDATE | 1"),
    ("t-sql/language-elements/case", "CREATE TABLE #e (id int, hours int); INSERT #e VALUES (1, 4), (2, 30); UPDATE #e SET hours = CASE WHEN hours - 10.00 < 0 THEN hours + 40 ELSE hours + 20.00 END OUTPUT deleted.id, deleted.hours, inserted.hours", "1 | 4 | 44", "2 | 30 | 50"),
    ("t-sql/language-elements/case", "SELECT id FROM (VALUES (1, 1), (2, 0), (3, 1), (4, 0)) AS e(id, flag) ORDER BY CASE flag WHEN 1 THEN id END DESC, CASE WHEN flag = 0 THEN id END", "3", "1", "2", "4"),
]  # fmt: skip
