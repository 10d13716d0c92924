-- NUMERIC_ROUNDABORT ON (page "SET NUMERIC_ROUNDABORT"): a number that loses digits in a narrower one is error 8115.
CREATE TABLE dbo.T (id int IDENTITY, wide decimal(6, 4) NULL, narrow decimal(5, 2) NULL, m money NULL);
INSERT dbo.T (wide) VALUES (1.1234), (2.5000);
DECLARE @r decimal(5, 2), @a decimal(5, 4) = 1.1234, @b decimal(5, 4) = 1.1234;
SET @r = @a + @b;
SELECT @r;
GO
--! rows
--! 2.25
SET NUMERIC_ROUNDABORT ON;
DECLARE @r decimal(5, 2), @a decimal(5, 4) = 1.1234, @b decimal(5, 4) = 1.1266;
SET @r = @a + @b;
SELECT @r;
SET @r = @a + @a;
SELECT @r = @a + @a;
SELECT @r;
GO
--! error 8115
--! error 8115
--! rows
--! 2.25
--! rows
--! 2.25
SELECT CAST(wide AS decimal(5, 2)) FROM dbo.T;
SELECT CAST(wide AS decimal(5, 2)) FROM dbo.T WHERE id = 2;
SELECT CAST(1.25 AS decimal(3, 1));
SELECT CAST(1.20 AS decimal(3, 1));
INSERT dbo.T (narrow) VALUES (1.005);
INSERT dbo.T (narrow) SELECT wide FROM dbo.T;
UPDATE dbo.T SET m = 1.23456 WHERE id = 1;
UPDATE dbo.T SET narrow = wide WHERE id = 2;
SELECT id, narrow FROM dbo.T ORDER BY id;
GO
--! rows
--! 2.50
--! rows
--! 1.2
--! rows
--! 1 | NULL
--! 2 | 2.50
--! error 8115
--! error 8115
--! error 8115
--! error 8115
--! error 8115
-- With ARITHABORT OFF a warning, and NULL.
SET ARITHABORT OFF;
DECLARE @r decimal(5, 2) = 9, @a decimal(5, 4) = 1.1234;
SET @r = @a + @a;
SELECT @r;
SELECT CAST(wide AS decimal(5, 2)) FROM dbo.T ORDER BY id;
GO
--! rows
--! NULL
--! rows
--! NULL
--! 2.50
--! print Arithmetic overflow occurred.
--! print Arithmetic overflow occurred.
SET ARITHABORT ON;
SET NUMERIC_ROUNDABORT OFF;
SELECT CAST(wide AS decimal(5, 2)) FROM dbo.T ORDER BY id;
GO
--! rows
--! 1.12
--! 2.50
