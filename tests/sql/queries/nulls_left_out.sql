-- Warning 8153: once a statement, when an aggregate met a NULL (page "SET ANSI_WARNINGS").
CREATE TABLE readings (a int, b int NOT NULL);
INSERT readings VALUES (1, 1), (NULL, 2);
SELECT SUM(a), COUNT(a), AVG(b) FROM readings;
GO
--! rows
--! 1 | 1 | 1
--! print NULL was left out
SELECT SUM(b), COUNT(*) FROM readings;
SELECT MAX(a) FROM readings WHERE a IS NOT NULL;
PRINT 'no warning';
GO
--! print no warning
DECLARE @s int;
SELECT @s = SUM(a) FROM readings;
SET @s = (SELECT MIN(a) FROM readings);
IF (SELECT COUNT(a) FROM readings) = 1 PRINT 'one';
GO
--! print NULL was left out
--! print NULL was left out
--! print NULL was left out
--! print one
SELECT b, SUM(a) INTO kept FROM readings GROUP BY b HAVING COUNT(a) >= 0;
GO
--! error 1038
SELECT b, SUM(a) AS a INTO kept FROM readings GROUP BY b;
INSERT readings SELECT MAX(a), 3 FROM readings;
UPDATE readings SET a = (SELECT AVG(a) FROM readings) WHERE b = 1;
GO
--! print NULL was left out
--! print NULL was left out
--! print NULL was left out
SET ANSI_WARNINGS OFF;
SELECT SUM(a) FROM readings;
PRINT 'silent';
GO
--! print silent
-- Aggregates in windows over groups.
SET ANSI_WARNINGS ON;
SELECT b, SUM(SUM(a)) OVER (ORDER BY SUM(a), b), RANK() OVER (PARTITION BY COUNT(a) ORDER BY MAX(a)) FROM (VALUES (1, 1), (NULL, 2), (NULL, 1)) AS v (a, b) GROUP BY b ORDER BY b;
GO
--! rows
--! 1 | 1 | 1
--! 2 | NULL | 1
--! print NULL was left out
