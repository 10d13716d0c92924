-- TOP of a write takes what TOP of a query takes: an integer of any size, no NULL; a percentage with PERCENT, of which the rows are rounded up.
CREATE TABLE t (i int);
INSERT t VALUES (1), (2), (3), (4);
DECLARE @many bigint = 5000000000;
UPDATE TOP (@many) t SET i = i;
UPDATE TOP (SELECT 2) t SET i = i;
UPDATE TOP (30) PERCENT t SET i = i;
UPDATE TOP (25.1) PERCENT t SET i = i;
MERGE TOP (50) PERCENT t USING (SELECT i AS a FROM t) AS s ON a = i WHEN MATCHED THEN UPDATE SET i = a;
SET ROWCOUNT 1;
MERGE t USING (SELECT i AS a FROM t) AS s ON a = i WHEN MATCHED THEN UPDATE SET i = a;
UPDATE TOP (90) PERCENT t SET i = i;
SET ROWCOUNT 0;
DELETE TOP (0.5) PERCENT FROM t;
INSERT TOP (50) PERCENT t SELECT value FROM GENERATE_SERIES(5, 8);
GO
--! affected 4
--! affected 4
--! affected 2
--! affected 2
--! affected 2
--! affected 2
--! affected 1
--! affected 1
--! affected 1
--! affected 2
DECLARE @n int;
DELETE TOP (@n) FROM t;
GO
--! error 1060
UPDATE TOP (SELECT CAST(NULL AS int)) t SET i = 0;
GO
--! error 1060
DECLARE @n int;
INSERT TOP (@n) t SELECT 1;
GO
--! error 1060
DECLARE @n int;
MERGE TOP (@n) t USING (SELECT 1 AS a) AS s ON a = i WHEN MATCHED THEN DELETE;
GO
--! error 1060
DELETE TOP (NULL) FROM t;
GO
--! error 1060
DELETE TOP (1.5) FROM t;
GO
--! error 1060
DELETE TOP ('1') FROM t;
GO
--! error 1060
DECLARE @n int = -1;
DELETE TOP (@n) FROM t;
GO
--! error 127
UPDATE TOP (101) PERCENT t SET i = 0;
GO
--! error 1031
SELECT COUNT(*), MIN(i) FROM t;
GO
--! rows
--! 5 | 2
