-- NEXT VALUE FOR: one value for a row, in the order of OVER; ranges; and where it may not stand.
CREATE SEQUENCE dbo.N AS int START WITH 1;
CREATE TABLE dbo.T (A int, B varchar(10));
INSERT dbo.T VALUES (1, 'c'), (2, 'b'), (3, 'a');
SELECT NEXT VALUE FOR dbo.N OVER (ORDER BY B) AS v, B, NEXT VALUE FOR dbo.N OVER (ORDER BY B) * 10 FROM dbo.T ORDER BY B;
SELECT NEXT VALUE FOR dbo.N, NEXT VALUE FOR dbo.N;
GO
--! rows
--! 1 | a | 10
--! 2 | b | 20
--! 3 | c | 30
--! rows
--! 4 | 4
INSERT dbo.T (A, B) OUTPUT inserted.A, inserted.B VALUES (NEXT VALUE FOR dbo.N, NEXT VALUE FOR dbo.N), (NEXT VALUE FOR dbo.N, 'x');
UPDATE dbo.T SET A = NEXT VALUE FOR dbo.N, B = NEXT VALUE FOR dbo.N WHERE A < 3;
SELECT COUNT(*) FROM dbo.T WHERE CAST(A AS varchar(10)) = B AND A BETWEEN 5 AND 8;
INSERT dbo.T (A, B) SELECT NEXT VALUE FOR dbo.N OVER (ORDER BY A DESC), A FROM dbo.T WHERE A IN (3, 5);
SELECT A, B FROM dbo.T WHERE A > 8 ORDER BY A;
GO
--! rows
--! 5 | 5
--! 6 | x
--! rows
--! 3
--! rows
--! 9 | 5
--! 10 | 3
-- as a default
CREATE TABLE dbo.D (Id int DEFAULT (NEXT VALUE FOR dbo.N), A int, Id2 int);
INSERT dbo.D (A) VALUES (1), (2);
INSERT dbo.D (Id, A, Id2) VALUES (DEFAULT, 3, NEXT VALUE FOR dbo.N);
SELECT Id, A, Id2 FROM dbo.D;
GO
--! rows
--! 11 | 1 | NULL
--! 12 | 2 | NULL
--! 13 | 3 | 13
INSERT dbo.D (A, Id2) VALUES (4, NEXT VALUE FOR dbo.N);
GO
--! error 11731
-- sp_sequence_get_range
CREATE SEQUENCE dbo.Small AS tinyint START WITH 250 MINVALUE 246 MAXVALUE 255 CYCLE;
DECLARE @first sql_variant, @last sql_variant, @cycles int, @by sql_variant, @low sql_variant, @high sql_variant;
EXEC sys.sp_sequence_get_range @sequence_name = N'dbo.Small', @range_size = 4, @range_first_value = @first OUTPUT, @range_last_value = @last OUTPUT,
    @range_cycle_count = @cycles OUTPUT, @sequence_increment = @by OUTPUT, @sequence_min_value = @low OUTPUT, @sequence_max_value = @high OUTPUT;
SELECT @first, @last, @cycles, @by, @low, @high, SQL_VARIANT_PROPERTY(@first, 'BaseType');
EXEC sp_sequence_get_range N'dbo.Small', 3, @first OUTPUT, @last OUTPUT, @cycles OUTPUT;
SELECT @first, @last, @cycles, NEXT VALUE FOR dbo.Small;
GO
--! rows
--! 250 | 253 | 0 | 1 | 246 | 255 | tinyint
--! rows
--! 254 | 246 | 1 | 247
CREATE SEQUENCE dbo.Ends AS tinyint START WITH 254;
DECLARE @first sql_variant;
EXEC sp_sequence_get_range N'dbo.Ends', 3, @first OUTPUT;
EXEC sp_sequence_get_range N'dbo.Ends', 2, @first OUTPUT;
SELECT @first;
SELECT NEXT VALUE FOR dbo.Ends;
GO
--! error 11732
--! rows
--! 254
--! error 11728
EXEC sp_sequence_get_range N'dbo.T', 1;
GO
--! error 201
DECLARE @first sql_variant;
EXEC sp_sequence_get_range N'dbo.T', 1, @first OUTPUT;
GO
--! error 11726
-- where it may not stand
SELECT NEXT VALUE FOR dbo.N OVER (PARTITION BY A ORDER BY A) FROM dbo.T;
GO
--! error 11716
UPDATE dbo.T SET A = NEXT VALUE FOR dbo.N OVER (ORDER BY A);
GO
--! error 11717
CREATE TABLE dbo.No (A int DEFAULT (NEXT VALUE FOR dbo.N OVER (ORDER BY A)));
GO
--! error 11717
SELECT NEXT VALUE FOR dbo.N OVER () FROM dbo.T;
GO
--! error 11718
SELECT (SELECT NEXT VALUE FOR dbo.N);
GO
--! error 11719
SELECT * FROM (SELECT NEXT VALUE FOR dbo.N AS n) AS d;
GO
--! error 11719
WITH c AS (SELECT NEXT VALUE FOR dbo.N AS n) SELECT n FROM c;
GO
--! error 11719
CREATE VIEW dbo.V AS SELECT NEXT VALUE FOR dbo.N AS n;
GO
--! error 11719
CREATE TABLE dbo.No (A int, CHECK (A < NEXT VALUE FOR dbo.N));
GO
--! error 11719
CREATE TABLE dbo.No (A int, B AS NEXT VALUE FOR dbo.N);
GO
--! error 11719
CREATE FUNCTION dbo.F() RETURNS int AS BEGIN RETURN NEXT VALUE FOR dbo.N END;
GO
--! error 11719
SELECT A FROM dbo.T WHERE A > NEXT VALUE FOR dbo.N;
GO
--! error 11720
SELECT A FROM dbo.T ORDER BY NEXT VALUE FOR dbo.N;
GO
--! error 11720
SELECT ROW_NUMBER() OVER (ORDER BY NEXT VALUE FOR dbo.N) FROM dbo.T;
GO
--! error 11720
DELETE dbo.T OUTPUT NEXT VALUE FOR dbo.N;
GO
--! error 11720
SELECT DISTINCT NEXT VALUE FOR dbo.N FROM dbo.T;
GO
--! error 11721
SELECT NEXT VALUE FOR dbo.N UNION ALL SELECT 1;
GO
--! error 11721
SELECT NEXT VALUE FOR dbo.N FROM dbo.T ORDER BY A;
GO
--! error 11723
SELECT value FROM GENERATE_SERIES(1, NEXT VALUE FOR dbo.N);
GO
--! error 11724
SELECT MAX(NEXT VALUE FOR dbo.N) FROM dbo.T;
GO
--! error 11725
SELECT NEXT VALUE FOR dbo.T;
GO
--! error 11726
SELECT NEXT VALUE FOR dbo.N OVER (ORDER BY A), NEXT VALUE FOR dbo.N OVER (ORDER BY B) FROM dbo.T;
GO
--! error 11727
CREATE TABLE dbo.No (A int DEFAULT (NEXT VALUE FOR master.dbo.N));
GO
--! error 11730
DECLARE @a int, @b int;
SELECT @a = NEXT VALUE FOR dbo.N, @b = NEXT VALUE FOR dbo.N;
GO
--! error 11736
SELECT TOP (1) NEXT VALUE FOR dbo.N FROM dbo.T;
GO
--! error 11739
SET ROWCOUNT 1;
SELECT NEXT VALUE FOR dbo.N FROM dbo.T;
SET ROWCOUNT 0;
GO
--! error 11739
SELECT CASE WHEN A = 1 THEN NEXT VALUE FOR dbo.N END FROM dbo.T;
GO
--! error 11741
SELECT ISNULL(A, NEXT VALUE FOR dbo.N) FROM dbo.T;
GO
--! error 11741
MERGE dbo.T USING (VALUES (1)) AS s(x) ON A = x WHEN NOT MATCHED THEN INSERT VALUES (NEXT VALUE FOR dbo.N, 'm');
GO
--! error 11742
