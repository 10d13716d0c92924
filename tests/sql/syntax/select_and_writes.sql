-- SELECT, INSERT, UPDATE, DELETE, MERGE and TRUNCATE TABLE, every clause of their syntax.
CREATE DATABASE D
GO
USE D
GO
CREATE TABLE t (a int NOT NULL, b varchar(10), c int DEFAULT 9)
INSERT t VALUES (1, 'x', 3), (2, 'y', 4)
CREATE INDEX ix ON t (a)
CREATE TABLE u (a int, d int)
INSERT u VALUES (1, 10), (3, 30)
CREATE TABLE i (id int IDENTITY, v int, g uniqueidentifier ROWGUIDCOL DEFAULT NEWID());
GO
CREATE VIEW v AS SELECT a, b FROM t
GO
CREATE PROC p AS SELECT 7, 'p', 8
GO
CREATE FUNCTION fn (@a int) RETURNS TABLE AS RETURN SELECT @a + 1 AS n
GO
SELECT ALL a FROM t
GO
--! rows unordered
--! 1
--! 2
SELECT DISTINCT TOP (1) WITH TIES a FROM t ORDER BY a
GO
--! rows
--! 1
SELECT TOP 50 PERCENT a FROM t
GO
--! rows
--! 1
SELECT TOP (1) PERCENT WITH TIES a FROM t ORDER BY b
GO
--! rows
--! 1
SELECT t.*, IDENTITYCOL, ROWGUIDCOL FROM i AS t
GO
--! rows
SELECT $IDENTITY, $ROWGUID FROM i
GO
--! rows
SELECT i.$IDENTITY, i.IDENTITYCOL FROM i
GO
--! rows
SELECT a AS [x y], b 'z', "q" = c, 'w' = 1 FROM dbo.t
GO
--! rows unordered
--! 1 | x | 3 | 1
--! 2 | y | 4 | 1
SELECT a FROM t WITH (NOLOCK, INDEX(0)), u (NOLOCK)
GO
--! error 209
SELECT a FROM t WITH (INDEX = ix, FORCESEEK, FORCESCAN, NOEXPAND, READCOMMITTEDLOCK, SNAPSHOT)
GO
--! rows unordered
--! 1
--! 2
SELECT t.a FROM t WITH (FORCESEEK (ix (a))), u WITH (SPATIAL_WINDOW_MAX_CELLS = 512)
GO
--! rows unordered
--! 1
--! 1
--! 2
--! 2
SELECT * FROM t FOR SYSTEM_TIME AS OF '2020-01-01'
GO
--! error 40517 text FOR SYSTEM_TIME
SELECT * FROM t FOR SYSTEM_TIME ALL AS q
GO
--! error 40517 text FOR SYSTEM_TIME
SELECT * FROM t FOR SYSTEM_TIME BETWEEN '2020-01-01' AND '2021-01-01'
GO
--! error 40517 text FOR SYSTEM_TIME
SELECT * FROM t JOIN u ON t.a = u.a INNER LOOP JOIN u u2 ON u2.a = t.a LEFT OUTER HASH JOIN u u3 ON u3.a = t.a RIGHT
    MERGE JOIN u u4 ON u4.a = t.a FULL JOIN u u5 ON 1=1
GO
--! rows unordered
--! 1 | x | 3 | 1 | 10 | 1 | 10 | 1 | 10 | 1 | 10 | 1 | 10
--! 1 | x | 3 | 1 | 10 | 1 | 10 | 1 | 10 | 1 | 10 | 3 | 30
--! NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 3 | 30 | 1 | 10
--! NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 3 | 30 | 3 | 30
SELECT * FROM t LEFT JOIN (u JOIN u AS u2 ON u.a = u2.a) ON t.a = u.a
GO
--! rows unordered
--! 1 | x | 3 | 1 | 10 | 1 | 10
--! 2 | y | 4 | NULL | NULL | NULL | NULL
SELECT * FROM t LEFT JOIN u JOIN u AS u2 ON u.a = u2.a ON t.a = u.a
GO
--! rows unordered
--! 1 | x | 3 | 1 | 10 | 1 | 10
--! 2 | y | 4 | NULL | NULL | NULL | NULL
SELECT * FROM t CROSS APPLY fn(t.a) f OUTER APPLY (SELECT TOP 1 d FROM u WHERE u.a = t.a) q
GO
--! rows unordered
--! 1 | x | 3 | 2 | 10
--! 2 | y | 4 | 3 | NULL
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS q (x, y)
GO
--! rows unordered
--! 1 | a
--! 2 | b
SELECT * FROM (SELECT a, c FROM t) q PIVOT (SUM(c) FOR a IN ([1], [2])) AS pv
GO
--! rows
--! 3 | 4
SELECT * FROM (SELECT a, c FROM t) q UNPIVOT (val FOR col IN (a, c)) AS up
GO
--! rows unordered
--! 1 | a
--! 3 | c
--! 2 | a
--! 4 | c
SELECT a, COUNT(*) FROM t GROUP BY a HAVING COUNT(*) > 0 ORDER BY a DESC OFFSET 0 ROWS FETCH NEXT 1 ROWS ONLY
GO
--! rows
--! 2 | 1
SELECT a FROM t ORDER BY a OFFSET 1 ROW
GO
--! rows
--! 2
SELECT a, b, SUM(c) FROM t GROUP BY ROLLUP (a, b)
GO
--! rows unordered
--! NULL | NULL | 7
--! 1 | NULL | 3
--! 2 | NULL | 4
--! 1 | x | 3
--! 2 | y | 4
SELECT a, b, SUM(c) FROM t GROUP BY CUBE (a, b), GROUPING SETS ((a), ())
GO
--! rows unordered
--! 1 | NULL | 3
--! 2 | NULL | 4
--! NULL | NULL | 7
--! 1 | NULL | 3
--! 2 | NULL | 4
--! 1 | NULL | 3
--! 2 | NULL | 4
--! 1 | x | 3
--! 2 | y | 4
--! 1 | x | 3
--! 2 | y | 4
--! 1 | x | 3
--! 2 | y | 4
--! NULL | x | 3
--! NULL | y | 4
SELECT a, b, SUM(c) FROM t GROUP BY a, b WITH ROLLUP
GO
--! rows unordered
--! NULL | NULL | 7
--! 1 | NULL | 3
--! 2 | NULL | 4
--! 1 | x | 3
--! 2 | y | 4
SELECT a, b, SUM(c) FROM t GROUP BY ALL a, b
GO
--! error 40517 text GROUP BY ALL
SELECT a FROM t ORDER BY b COLLATE Latin1_General_CS_AS ASC, CASE WHEN a > 1 THEN 1 END DESC
GO
--! rows
--! 1
--! 2
SELECT a FROM t ORDER BY 1, a + 1
GO
--! rows
--! 1
--! 2
SELECT a FROM t FOR BROWSE
GO
--! error 40517 text FOR BROWSE
SELECT a FROM t FOR XML AUTO, ELEMENTS XSINIL, TYPE, ROOT('r'), BINARY BASE64, XMLSCHEMA
GO
--! rows
--! <r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><xsd:schema targetNamespace="urn:schemas-microsoft-com:sql:SqlRowSet1" xmlns:schema="urn:schemas-microsoft-com:sql:SqlRowSet1" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:sqltypes="http://schemas.microsoft.com/sqlserver/2004/sqltypes" elementFormDefault="qualified"><xsd:import namespace="http://schemas.microsoft.com/sqlserver/2004/sqltypes" schemaLocation="http://schemas.microsoft.com/sqlserver/2004/sqltypes/sqltypes.xsd"/><xsd:element name="t"><xsd:complexType><xsd:sequence><xsd:element name="a" type="sqltypes:int" nillable="1"/></xsd:sequence></xsd:complexType></xsd:element></xsd:schema><t xmlns="urn:schemas-microsoft-com:sql:SqlRowSet1"><a>1</a></t><t xmlns="urn:schemas-microsoft-com:sql:SqlRowSet1"><a>2</a></t></r>
SELECT a FROM t FOR XML RAW, XMLDATA
GO
--! error 40517 text FOR XML … XMLDATA
SELECT a FROM t FOR JSON PATH, ROOT('x'), INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER
GO
--! error 13620
SELECT a FROM t FOR JSON AUTO, INCLUDE_NULL_VALUES
GO
--! rows
--! [{"a":1},{"a":2}]
SELECT a FROM t OPTION (RECOMPILE, MAXDOP 1, FAST 10, HASH JOIN, LOOP JOIN, MERGE JOIN, FORCE ORDER, KEEP PLAN,
    KEEPFIXED PLAN, MAXRECURSION 0, OPTIMIZE FOR UNKNOWN, ROBUST PLAN, EXPAND VIEWS, CONCAT
    UNION, HASH GROUP, ORDER GROUP, QUERYTRACEON 9481, USE HINT ('FORCE_DEFAULT_CARDINALITY_ESTIMATION', N'disable_parameter_sniffing'), USE
    PLAN N'<x/>', TABLE HINT (t, FORCESEEK), LABEL = 'x', IGNORE_NONCLUSTERED_COLUMNSTORE_INDEX,
    NO_PERFORMANCE_SPOOL, MIN_GRANT_PERCENT = 10, MAX_GRANT_PERCENT = 20, DISABLE_OPTIMIZED_PLAN_FORCING, FORCE
    EXTERNALPUSHDOWN)
GO
--! rows unordered
--! 1
--! 2
DECLARE @x int = 1; SELECT a FROM t WHERE a = @x OPTION (OPTIMIZE FOR (@x = 5), RECOMPILE)
GO
--! rows
--! 1
SELECT a FROM t UNION SELECT a FROM u EXCEPT SELECT 1 INTERSECT SELECT 3 ORDER BY a
GO
--! rows
--! 1
--! 2
--! 3
(SELECT a FROM t) UNION ALL (SELECT a FROM u) ORDER BY 1
GO
--! rows
--! 1
--! 1
--! 2
--! 3
WITH q (x) AS (SELECT a FROM t), r AS (SELECT x FROM q) SELECT * FROM r
GO
--! rows unordered
--! 1
--! 2
WITH q AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM q WHERE n < 5) SELECT * FROM q OPTION (MAXRECURSION 10)
GO
--! rows unordered
--! 1
--! 2
--! 3
--! 4
--! 5
SELECT a, MAX(a) OVER (PARTITION BY b ORDER BY a ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) FROM t
GO
--! rows
--! 2 | 2
--! 1 | 1
SELECT a, SUM(c) OVER (ORDER BY a ROWS UNBOUNDED PRECEDING), LAST_VALUE(c) IGNORE NULLS OVER (ORDER BY a RANGE
    BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM t
GO
--! rows
--! 1 | 3 | 4
--! 2 | 7 | 4
SELECT a INTO n1 ON [PRIMARY] FROM t;
SELECT IDENTITY(int, 1, 1) AS id, a INTO n2 FROM t;
SELECT a INTO #n FROM t;
GO
SELECT CASE a WHEN 1 THEN 'x' ELSE 'y' END, IIF(a > 1, 1, 2), (SELECT MAX(a) FROM t), t.b COLLATE
    Latin1_General_BIN2 FROM t WHERE a > ALL (SELECT a FROM u WHERE 1=0) AND a = ANY (SELECT a FROM t) AND a <> SOME
    (SELECT 9) AND EXISTS (SELECT 1) AND a IN (1, 2) AND b LIKE 'x%' ESCAPE '!' AND a BETWEEN 1 AND 2 AND a IS NOT
    DISTINCT FROM 1 AND NOT (a !> 0 OR a !< 9)
GO
--! rows
--! x | 2 | 2 | x
SELECT * FROM t WHERE CONTAINS(b, 'x')
GO
--! error 40517 text CONTAINS
SELECT * FROM t WHERE CONTAINS((a, b), 'x', LANGUAGE 1033) AND FREETEXT(*, 'x')
GO
--! error 40517 text CONTAINS
SELECT * FROM CONTAINSTABLE(t, b, 'x') AS k
GO
--! error 40517 text CONTAINSTABLE
SELECT * FROM OPENROWSET(BULK 'x.txt', SINGLE_CLOB) AS q
GO
--! error 4860
SELECT * FROM OPENROWSET('SQLNCLI', 'Server=x;', 'SELECT 1') AS q
GO
--! error 40517 text OPENROWSET
SELECT * FROM OPENDATASOURCE('x', 'y').db.dbo.t
GO
--! error 40517 text OPENDATASOURCE
SELECT * FROM OPENQUERY(srv, 'SELECT 1')
GO
--! error 40517 text OPENQUERY
SELECT * FROM srv.D.dbo.t
GO
--! error 7202
SELECT * FROM CHANGETABLE(CHANGES t, 0) AS ct
GO
--! error 40517 text CHANGETABLE
SELECT {fn NOW()}, {d '2020-01-01'}, {ts '2020-01-01 00:00:00'}, {t '10:00:00'}, {guid
    '6F9619FF-8B86-D011-B42D-00C04FC964FF'}
GO
--! rows
--! 2026-01-01 00:00:00.000 | 2020-01-01 00:00:00.000 | 2020-01-01 00:00:00.000 | 2026-01-01 10:00:00.000 | 6F9619FF-8B86-D011-B42D-00C04FC964FF
SELECT a FROM {oj t LEFT OUTER JOIN u ON 1 = 1}
GO
--! error 209
SELECT a.b.c FROM t
GO
--! error 4104
SELECT t.a, dbo.t.a, D.dbo.t.a FROM D.dbo.t
GO
--! rows unordered
--! 1 | 1 | 1
--! 2 | 2 | 2
INSERT INTO t VALUES (3, DEFAULT, DEFAULT);
INSERT t (a) VALUES (4), (5);
INSERT i DEFAULT VALUES;
GO
INSERT TOP (1) INTO t (a, b) OUTPUT inserted.a, inserted.c SELECT a + 10, 'q' FROM t
GO
--! rows
--! 11 | 9
INSERT TOP (1) PERCENT t (a) SELECT a FROM t WHERE 1 = 0
GO
--! affected 0
INSERT INTO t WITH (TABLOCK) (a) SELECT a FROM u;
INSERT t EXEC p;
INSERT t (a, b, c) EXEC ('SELECT 70, ''e'', 1');
INSERT t EXECUTE sp_executesql N'SELECT 71, ''e'', 1';
WITH q AS (SELECT 80 AS a) INSERT t (a) SELECT a FROM q;
INSERT v (a, b) VALUES (90, 'v');
GO
DECLARE @t TABLE (x int, y int); INSERT @t VALUES (1, 2); INSERT @t OUTPUT inserted.* INTO @t (x, y) SELECT 3, 4;
    SELECT * FROM @t
GO
--! rows unordered
--! 1 | 2
--! 3 | 4
--! 3 | 4
INSERT INTO t (a) OUTPUT inserted.a AS q, 'lit' INTO #n2 VALUES (1)
GO
--! error 208
INSERT q (a) OUTPUT inserted.a INTO u (a) OUTPUT inserted.* FROM t AS q
GO
--! error 156
INSERT INTO t (a, b) SELECT a, b FROM (DELETE FROM u OUTPUT deleted.a, 'd' AS b) AS x;
GO
INSERT INTO OPENQUERY(srv, 'SELECT a FROM t') VALUES (1)
GO
--! error 40517 text OPENQUERY
INSERT INTO t (a) VALUES ((SELECT MAX(a) FROM t)), (1 + 1);
UPDATE t SET a = 5, b = DEFAULT, c += 1 WHERE a = 1;
UPDATE TOP (1) t SET c = 0;
GO
UPDATE TOP (10) PERCENT t WITH (ROWLOCK) SET c = 1 OUTPUT deleted.c, inserted.c, deleted.* FROM t WHERE a = 5
GO
--! rows
--! 0 | 1 | 5 | NULL | 0
DECLARE @x int; UPDATE t SET @x = c = c + 1, c -= 0 WHERE a = 5; SELECT @x
GO
--! error 264
DECLARE @x int; UPDATE t SET @x = c = c + 1 WHERE a = 5; SELECT @x
GO
--! rows
--! 11
DECLARE @x int = 0; UPDATE t SET @x += 1; SELECT @x
GO
--! rows
--! 17
UPDATE q SET q.c = u.d FROM t AS q JOIN u ON u.a = q.a;
UPDATE t SET c = u.d FROM u WHERE u.a = t.a;
WITH q AS (SELECT TOP 1 * FROM t ORDER BY a) UPDATE q SET c = 77;
UPDATE v SET b = 'vv' WHERE a = 5;
GO
UPDATE (SELECT a FROM t) SET a = 1
GO
--! error 102
UPDATE t SET c = 1 OPTION (MAXDOP 1);
GO
DECLARE c CURSOR FOR SELECT a FROM t FOR UPDATE OF c; OPEN c; FETCH NEXT FROM c; UPDATE t SET c = 99 WHERE CURRENT
    OF c; DELETE t WHERE CURRENT OF GLOBAL c; CLOSE c; DEALLOCATE c
GO
--! rows
--! 5
DECLARE @m varchar(max) = 'abcdef'; CREATE TABLE lob (x varchar(max)); INSERT lob VALUES (@m); UPDATE lob SET
    x.WRITE('ZZ', 1, 2); SELECT x FROM lob
GO
--! rows
--! aZZdef
DELETE t WHERE a = 1;
GO
DELETE TOP (1) FROM t OUTPUT deleted.a WHERE a > 0
GO
--! rows
--! 2
DELETE TOP (50) PERCENT t;
DELETE FROM q FROM t AS q JOIN u ON u.a = q.a;
DELETE q FROM t q LEFT JOIN u ON u.a = q.a WHERE u.a IS NULL AND q.a > 1000;
DELETE FROM t FROM u WHERE u.a = t.a OPTION (LOOP JOIN);
WITH q AS (SELECT * FROM t WHERE a = 2) DELETE FROM q;
DELETE u WITH (TABLOCKX) WHERE 1 = 0;
MERGE t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET c = u.d WHEN NOT MATCHED THEN INSERT (a, c) VALUES (u.a,
    u.d);
GO
MERGE TOP (10) INTO dbo.t WITH (HOLDLOCK) AS tgt USING (SELECT a, d FROM u) AS src (a, d) ON tgt.a = src.a WHEN
    MATCHED AND src.d > 0 THEN UPDATE SET tgt.c = src.d, b = DEFAULT WHEN MATCHED THEN DELETE WHEN NOT MATCHED BY
    TARGET AND src.a > 0 THEN INSERT VALUES (src.a, 'm', DEFAULT) WHEN NOT MATCHED BY SOURCE AND tgt.a = 1 THEN
    UPDATE SET c = 0 WHEN NOT MATCHED BY SOURCE THEN DELETE OUTPUT $action, inserted.a, deleted.a, src.d OPTION
    (RECOMPILE);
GO
--! rows unordered
--! DELETE | NULL | 71 | NULL
--! DELETE | NULL | 80 | NULL
--! DELETE | NULL | 90 | NULL
--! DELETE | NULL | 5 | NULL
--! DELETE | NULL | 3 | NULL
--! DELETE | NULL | 90 | NULL
WITH s AS (SELECT 1 AS a) MERGE t USING s ON s.a = t.a WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a) OUTPUT $action
    INTO #n3;
GO
--! error 208
MERGE i USING (VALUES (1)) AS s(v) ON 1 = 0 WHEN NOT MATCHED THEN INSERT DEFAULT VALUES;
GO
MERGE t USING u ON t.a = u.a WHEN NOT MATCHED THEN INSERT (a) VALUES (1)
GO
--! error 10713
MERGE t USING u ON t.a = u.a WHEN NOT MATCHED THEN INSERT (a) VALUES (1) SELECT 1
GO
--! error 10713
MERGE t USING u ON t.a = u.a WHEN NOT MATCHED INSERT (a) VALUES (1);
GO
--! error 156
TRUNCATE TABLE t;
GO
TRUNCATE TABLE dbo.u WITH (PARTITIONS (1, 2 TO 4))
GO
--! error 40517 text TRUNCATE TABLE … WITH (PARTITIONS)
BULK INSERT t FROM 'x' WITH (FIELDTERMINATOR = ',')
GO
--! error 4860
SELECT TEXTPTR(b) FROM t
GO
--! error 40517 text TEXTPTR
