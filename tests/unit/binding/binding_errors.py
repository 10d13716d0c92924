"""What may be wrong with expressions whose objects are all there, and what SQL Server tells of it: the numbers of its
documentation; and the objects. No table has a row, so that nothing comes from values."""

from __future__ import annotations

__all__ = ["ANYWHERE", "IN_LISTS", "KINDS", "OBJECTS", "QUERIES", "VALUES", "Wrong", "listed"]

Wrong = tuple[int, str]


def listed(text: str) -> list[Wrong]:
    rows = (line.split(" | ", 1) for line in text.strip().splitlines())
    return [(int(number), rest) for number, rest in rows]


OBJECTS = """
CREATE DATABASE Bound COLLATE Latin1_General_CI_AS
GO
USE Bound
GO
CREATE TABLE dbo.L (n int)
CREATE TABLE dbo.T (i int, x xml, t text, d datetime, v varchar(10), o varchar(10) COLLATE Latin1_General_BIN, b varbinary(8), g uniqueidentifier, s sql_variant)
CREATE TABLE dbo.U (i int PRIMARY KEY, v varchar(10))
CREATE TABLE dbo.I (k int IDENTITY, v int, r rowversion, c AS v + 1)
CREATE TABLE dbo.TR (k int, v int)
CREATE TABLE dbo.W (v varchar(50))
CREATE TABLE dbo.CK (k int PRIMARY KEY)
CREATE TABLE dbo.FK (k int REFERENCES dbo.CK (k))
CREATE TABLE dbo.CH (k int CHECK (k > 0))
CREATE TABLE dbo.BK (k binary(4) PRIMARY KEY, b binary(8))
CREATE SEQUENCE dbo.S START WITH 1
CREATE TABLE dbo.SD (a int, b int DEFAULT NEXT VALUE FOR dbo.S)
CREATE QUEUE dbo.Q
CREATE TYPE dbo.TT AS TABLE (a int)
GO
CREATE TRIGGER dbo.TRT ON dbo.TR AFTER INSERT, UPDATE, DELETE AS RETURN
GO
CREATE VIEW dbo.VQ AS
SELECT status FROM dbo.Q
GO
CREATE VIEW dbo.VQQ AS


SELECT status FROM dbo.VQ
GO
CREATE VIEW dbo.VG AS SELECT COUNT(*) AS c FROM dbo.U
GO
CREATE VIEW dbo.VGG AS
SELECT c FROM dbo.VG
GO
CREATE VIEW dbo.VD AS SELECT DISTINCT v FROM dbo.U
GO
CREATE VIEW dbo.VJ AS SELECT U.i, U.v, T.v AS w FROM dbo.U JOIN dbo.T ON U.i = T.i
GO
CREATE VIEW dbo.VC AS SELECT i, i + 1 AS k, v FROM dbo.U
GO
CREATE VIEW dbo.VN AS SELECT i, v FROM dbo.U
GO
CREATE TRIGGER dbo.VNT ON dbo.VN INSTEAD OF UPDATE, DELETE AS RETURN
GO
CREATE VIEW dbo.VU AS SELECT i FROM dbo.U UNION ALL SELECT i FROM dbo.T
GO
CREATE VIEW dbo.VI AS SELECT i, v FROM dbo.U
GO
CREATE VIEW dbo.VT AS SELECT TOP (1) i FROM dbo.U WITH CHECK OPTION
GO
CREATE FUNCTION dbo.f (@a int) RETURNS int AS BEGIN RETURN @a END
GO
CREATE FUNCTION dbo.tf (@a int) RETURNS TABLE AS RETURN SELECT @a AS a
GO
CREATE FUNCTION dbo.mf (@a int) RETURNS @r TABLE (a int) AS BEGIN RETURN END
GO
CREATE PROCEDURE dbo.pr AS RETURN
GO
CREATE PROCEDURE dbo.pr1 @a int AS RETURN
"""

ANYWHERE = listed("""
155 | DATEPART(foo, T.d)
174 | LEFT(T.v)
189 | ROUND(T.i)
195 | nosuch(T.i)
206 | CASE WHEN T.g = T.i THEN 1 END
206 | dbo.f(T.x)
207 | T.nosuch
243 | CAST(T.v AS nosuch)
258 | T.i.value('1', 'int')
305 | CASE WHEN T.x = T.x THEN 1 END
313 | dbo.f()
402 | CASE WHEN T.t = 'a' THEN 1 END
403 | T.i + T.s
448 | T.v COLLATE nosuch
468 | CASE WHEN T.v = T.o THEN 1 END
529 | CAST(T.i AS xml)
529 | CAST(T.g AS int)
2209 | T.x.exist('a[')
2389 | T.x.value('a', 'int')
2395 | T.x.exist('nosuch()')
4104 | nosuch.i
4151 | NULLIF(NULL, T.i)
8116 | LEN(T.x)
8133 | CASE WHEN T.i = 1 THEN NULL END
8137 | T.x.modify('delete /a')
8144 | dbo.f(T.i, 2, 3)
8172 | T.x.exist(T.v)
9344 | T.x.exist('sql:column("T.t")')
9500 | T.x.value('1', 'nosuch')
9501 | T.x.exist('sql:variable("@nosuch")')
9810 | DATEPART(hour, CAST(T.d AS date))
10761 | PARSE(T.v AS xml)
""")
"""Expressions over T."""

QUERIES = listed("""
108 | (SELECT TOP (1) i FROM U ORDER BY 9)
116 | (SELECT i, i FROM U)
127 | (SELECT TOP (-1) i FROM U)
421 | (SELECT DISTINCT x FROM T)
1033 | (SELECT i FROM U ORDER BY i)
1060 | (SELECT TOP ('a') i FROM U)
5335 | (SELECT TOP (1) x FROM T UNION SELECT x FROM T)
6809 | (SELECT 1 + 1 FOR XML RAW)
6825 | (SELECT i FROM U FOR XML EXPLICIT, ELEMENTS)
6846 | (SELECT i AS [p:b] FROM U FOR XML PATH)
6850 | (SELECT i AS [a b] FROM U FOR XML PATH)
10742 | (SELECT i FROM U ORDER BY i OFFSET -1 ROWS)
13601 | (SELECT i AS a, i AS [a.b] FROM U FOR JSON PATH)
13605 | (SELECT 1 FOR JSON PATH)
""")
"""Not in GROUP BY and in aggregates, which have errors of their own for any query."""

IN_LISTS = listed("""
4112 | ROW_NUMBER() OVER ()
4116 | NTILE('a') OVER (ORDER BY T.i)
4194 | SUM(T.i) OVER (ORDER BY T.i RANGE 1 PRECEDING)
10753 | ROW_NUMBER()
10756 | SUM(T.i) OVER (ROWS 1 PRECEDING)
""")
"""Where windows may stand."""

VALUES = listed("""
241 | CAST('a' AS datetime)
245 | CAST('a' AS int)
281 | CONVERT(varchar(10), T.d, 999)
536 | SUBSTRING(T.v, 1, -1)
4121 | dbo.nosuch(T.i)
8114 | CAST('a' AS decimal(5, 2))
8134 | 1 / 0
9818 | PARSE(T.v AS date USING 'nosuch')
9820 | T.d AT TIME ZONE 'nosuch'
""")
"""What no statement is refused for before it runs: values, and a function that may be made by then."""

KINDS = {
    "list": "SELECT {} FROM T",
    "assignment": "DECLARE @v varchar(50); SELECT @v = {} FROM T",
    "into": "SELECT {} AS c INTO dbo.N FROM T",
    "into #": "SELECT {} AS c INTO #n FROM T",
    "insert": "INSERT dbo.W SELECT {} FROM T",
    "insert variable": "DECLARE @t TABLE (v varchar(50)); INSERT @t SELECT {} FROM T",
    "values": "INSERT dbo.W VALUES ((SELECT {} FROM T))",
    "set": "DECLARE @v varchar(50); SET @v = (SELECT {} FROM T)",
    "declare": "DECLARE @v varchar(50) = (SELECT {} FROM T)",
    "cursor": "DECLARE c CURSOR LOCAL FOR SELECT {} AS k FROM T",
    "set cursor": "DECLARE @c CURSOR; SET @c = CURSOR FOR SELECT {} AS k FROM T",
    "common table": "WITH w AS (SELECT {} AS k FROM T) SELECT * FROM w",
    "derived": "SELECT * FROM (SELECT {} AS k FROM T) AS w",
    "union": "SELECT NULL AS k UNION ALL SELECT {} FROM T",
    "xml": "SELECT {} AS k FROM T FOR XML PATH",
    "apply": "SELECT * FROM T CROSS APPLY (SELECT {} AS k) AS w",
    "where": "SELECT i FROM T WHERE {} IS NULL",
    "on": "SELECT 1 FROM T JOIN U ON {} IS NULL",
    "update": "UPDATE T SET v = {}",
    "update where": "UPDATE T SET i = 1 WHERE {} IS NULL",
    "update alias": "UPDATE k SET v = 'a' FROM T JOIN U AS k ON k.i = T.i WHERE {} IS NULL",
    "delete": "DELETE T WHERE {} IS NULL",
    "output": "UPDATE U SET v = 'a' OUTPUT inserted.i FROM T WHERE {} IS NULL",
    "merge": "MERGE U USING T ON U.i = T.i WHEN MATCHED AND {} IS NULL THEN DELETE;",
    "if": "IF EXISTS (SELECT 1 FROM T WHERE {} IS NULL) SET NOCOUNT OFF",
    "if of a value": "IF (SELECT MAX(i) FROM T WHERE {} IS NULL) = 1 SET NOCOUNT OFF",
    "while": "WHILE EXISTS (SELECT 1 FROM T WHERE {} IS NULL) BREAK",
    "group by": "SELECT COUNT(*) FROM T GROUP BY {}",
    "having": "SELECT COUNT(*) FROM T HAVING MAX({}) IS NULL",
}
"""Statements with a place for an expression over T."""
