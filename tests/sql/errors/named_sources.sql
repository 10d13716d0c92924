-- Rowsets and predicates with a grammar of their own that are not here: named by 40517, with their line.
SELECT 1 FROM OPENROWSET('MSOLEDBSQL', 'Server=x;Trusted_Connection=yes;', 'SELECT 1') AS a;
GO
--! error 40517 line 2 text OPENROWSET
SELECT * FROM
    OPENQUERY(srv, 'SELECT (1)') AS q (a) WHERE a = 1;
GO
--! error 40517 line 2 text OPENQUERY
SELECT * FROM OPENDATASOURCE('MSOLEDBSQL', 'x').db.dbo.t AS a JOIN sys.objects AS o ON 1 = 1;
GO
--! error 40517 text OPENDATASOURCE
SELECT 1
FROM sys.objects WHERE object_id = 1 AND CONTAINS((name, type), N'"a*" NEAR b', LANGUAGE 1033);
GO
--! error 40517 line 2 text CONTAINS
IF EXISTS (SELECT 1 FROM sys.objects WHERE CONTAINS(*, 'a') OR NOT FREETEXT(name, @x)) PRINT 1;
GO
--! error 40517 text CONTAINS
SELECT 1 FROM sys.objects WHERE FREETEXT(PROPERTY(name, 'Title'), 'x');
GO
--! error 40517 text FREETEXT
SELECT * FROM CONTAINSTABLE(dbo.t, *, 'ISABOUT (a WEIGHT (.8))', LANGUAGE N'English', 5) AS k INNER JOIN t ON 1 = 1;
GO
--! error 40517 text CONTAINSTABLE
SELECT * FROM FREETEXTTABLE(t, (a, b), 'x', 2) AS k;
GO
--! error 40517 text FREETEXTTABLE
SELECT * FROM SEMANTICSIMILARITYTABLE(t, *, 5);
GO
--! error 40517 text SEMANTICSIMILARITYTABLE
SELECT * FROM CHANGETABLE(CHANGES dbo.t, @last) AS c;
GO
--! error 40517 text CHANGETABLE
SELECT * FROM t CROSS APPLY CHANGETABLE(VERSION t, (id), (t.id)) AS c (a);
GO
--! error 40517 text CHANGETABLE
SELECT p.score FROM PREDICT(MODEL = @m, DATA = dbo.t AS d, RUNTIME = ONNX) WITH (score float) AS p;
GO
--! error 40517 text PREDICT
SELECT a.n FROM a, e, b WHERE MATCH(a-(e)->b AND b<-(e2)-c) AND a.n = 1;
GO
--! error 40517 text MATCH
SELECT a.n FROM a, e FOR PATH AS f, b FOR PATH WHERE MATCH(SHORTEST_PATH(a(-(e)->b)+));
GO
--! error 40517 text FOR PATH
SELECT * FROM t FOR SYSTEM_TIME AS OF '2020-01-01' AS x;
GO
--! error 40517 text FOR SYSTEM_TIME
SELECT * FROM t FOR SYSTEM_TIME BETWEEN @a AND @b x JOIN u FOR SYSTEM_TIME ALL ON 1 = 1;
GO
--! error 40517 text FOR SYSTEM_TIME
SELECT * FROM t FOR SYSTEM_TIME FROM '2020' TO '2021' WHERE 1 = 1;
GO
--! error 40517 text FOR SYSTEM_TIME
SELECT * FROM t FOR SYSTEM_TIME CONTAINED IN ('2020', '2021');
GO
--! error 40517 text FOR SYSTEM_TIME
SELECT * FROM OPENROWSET(BULK 'x.csv', FORMAT = 'CSV', FIRSTROW = 2) WITH (a int 1, b varchar(10) COLLATE Latin1_General_BIN2 2) AS r;
GO
--! error 40517 text OPENROWSET(BULK
