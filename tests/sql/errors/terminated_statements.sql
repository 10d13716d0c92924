-- Message 3621 follows an error that ended a write with nothing done; not where a CATCH takes the error, nor where it ends the batch.
CREATE TABLE #t (a int PRIMARY KEY, b tinyint NOT NULL CHECK (b < 200), c varchar(3));
INSERT #t VALUES (1, 1, 'x');
INSERT #t VALUES (1, 1, 'x');
PRINT '1';
UPDATE #t SET b = NULL;
PRINT '2';
UPDATE #t SET b = b / 0;
PRINT '3';
INSERT #t VALUES (2, 250, 'x');
PRINT '4';
IF 1 = 1 INSERT #t VALUES (2, 3, 'long text');
PRINT '5';
MERGE #t AS t USING (VALUES (1), (1)) AS s(a) ON s.a = t.a + 5 WHEN NOT MATCHED THEN INSERT (a, b) VALUES (9, 9);
PRINT '6';
DELETE #t WHERE a = (SELECT a FROM (VALUES (1), (2)) AS x(a));
PRINT '7';
SELECT 1 / 0;
BEGIN TRY INSERT #t VALUES (1, 1, 'x') END TRY BEGIN CATCH PRINT 'caught' END CATCH;
INSERT #nothing VALUES (1);
GO
--! error 2627 line 4
--! print The statement has been
--! print 1
--! error 515
--! print The statement has been
--! print 2
--! error 8134
--! print The statement has been
--! print 3
--! error 547
--! print The statement has been
--! print 4
--! error 2628
--! print The statement has been
--! print 5
--! error 2627
--! print The statement has been
--! print 6
--! error 512
--! print The statement has been
--! print 7
--! error 8134
--! print caught
--! error 208
SET XACT_ABORT ON;
PRINT 'on';
INSERT #t VALUES (1, 1, 'x');
GO
--! print on
--! error 2627
