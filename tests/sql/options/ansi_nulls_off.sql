-- ANSI_NULLS OFF (page "SET ANSI_NULLS"): = and <> with NULL, or with a variable that is NULL, compare as IS NULL would.
CREATE TABLE dbo.T (a int NULL, b int NULL, s varchar(5) NULL);
INSERT dbo.T VALUES (NULL, NULL, NULL), (0, NULL, 'x'), (1, 1, 'y');
GO
DECLARE @v int = NULL;
SELECT a FROM dbo.T WHERE a = @v;
SELECT a FROM dbo.T WHERE a <> @v;
SELECT a FROM dbo.T WHERE a = NULL;
GO
--! rows
--! rows
--! rows
SET ANSI_NULLS OFF;
DECLARE @v int = NULL, @w int = 1, @t varchar(5);
SELECT a FROM dbo.T WHERE a = @v;
SELECT a FROM dbo.T WHERE a <> @v ORDER BY a;
SELECT a FROM dbo.T WHERE a = NULL;
SELECT a FROM dbo.T WHERE NULL <> a ORDER BY a;
SELECT a FROM dbo.T WHERE s = @t;
SELECT a FROM dbo.T WHERE a <> @w;
SELECT a FROM dbo.T WHERE a = b;
SELECT a FROM dbo.T WHERE a IN (NULL, 1) ORDER BY a;
SELECT a FROM dbo.T WHERE a NOT IN (NULL, 1);
SELECT CASE WHEN s = NULL THEN 'none' ELSE s END, IIF(a <> NULL, 1, 0) FROM dbo.T ORDER BY a;
SELECT a FROM dbo.T WHERE a > @v;
IF @v = NULL PRINT 'is null';
IF @v <> NULL PRINT 'wrong' ELSE PRINT 'is not unequal';
IF @w <> @v PRINT 'unequal';
IF NOT @w = @v PRINT 'not equal';
IF @t IN ('x', NULL) PRINT 'in';
IF @v + 1 = @w + NULL PRINT 'wrong: compound expressions';
IF NULL = NULL PRINT 'equal';
UPDATE dbo.T SET b = 5 WHERE b = NULL AND a <> NULL;
DELETE dbo.T WHERE a = @v;
SELECT a, b FROM dbo.T ORDER BY a;
GO
--! rows
--! NULL
--! rows
--! 0
--! 1
--! rows
--! NULL
--! rows
--! 0
--! 1
--! rows
--! NULL
--! rows
--! 0
--! rows
--! 1
--! rows
--! NULL
--! 1
--! rows
--! 0
--! rows
--! none | 0
--! x | 1
--! y | 1
--! rows
--! rows
--! 0 | 5
--! 1 | 1
--! print is null
--! print is not unequal
--! print unequal
--! print not equal
--! print in
--! print equal
-- Within one batch, from the SET on, whatever branch it stands in.
DECLARE @n int;
SET ANSI_NULLS ON;
IF @n = NULL PRINT 'wrong';
IF 1 = 0 SET ANSI_NULLS OFF;
IF @n = NULL PRINT 'wrong';
IF 1 = 1 SET ANSI_NULLS OFF;
IF @n = NULL PRINT 'off';
SET ANSI_NULLS ON;
PRINT 'done';
GO
--! print off
--! print done
-- A module keeps the setting of its CREATE; SET inside does nothing.
SET ANSI_NULLS OFF;
GO
CREATE PROCEDURE dbo.Off_ @v int AS
IF @v = NULL PRINT 'off';
SET ANSI_NULLS ON;
IF @v = NULL PRINT 'still off';
SELECT COUNT(*) FROM dbo.T WHERE a = @v OR a <> @v;
GO
CREATE FUNCTION dbo.OffFunction (@v int) RETURNS int AS BEGIN IF @v = NULL RETURN 1; RETURN 0; END;
GO
CREATE VIEW dbo.OffView AS SELECT a FROM dbo.T WHERE a <> NULL;
GO
CREATE FUNCTION dbo.OffRows (@v int) RETURNS TABLE AS RETURN SELECT a FROM dbo.T WHERE a <> @v;
GO
SET ANSI_NULLS ON;
GO
CREATE PROCEDURE dbo.On_ @v int AS
IF @v = NULL PRINT 'wrong';
SET ANSI_NULLS OFF;
IF @v = NULL PRINT 'wrong';
PRINT 'on';
GO
EXEC dbo.Off_ NULL;
GO
--! rows
--! 2
--! print off
--! print still off
EXEC dbo.On_ NULL;
DECLARE @v int;
IF @v = NULL PRINT 'wrong';
GO
--! print on
SELECT dbo.OffFunction(NULL);
SELECT a FROM dbo.OffView ORDER BY a;
SELECT a FROM dbo.OffRows(NULL) ORDER BY a;
SELECT OBJECT_NAME(object_id), uses_ansi_nulls FROM sys.sql_modules ORDER BY 1;
SELECT OBJECTPROPERTY(OBJECT_ID('dbo.Off_'), 'ExecIsAnsiNullsOn'), OBJECTPROPERTY(OBJECT_ID('dbo.On_'), 'ExecIsAnsiNullsOn');
GO
--! rows
--! 1
--! rows
--! 0
--! 1
--! rows
--! 0
--! 1
--! rows
--! Off_ | 0
--! OffFunction | 0
--! OffRows | 0
--! OffView | 0
--! On_ | 1
--! rows
--! 0 | 1
SET ANSI_NULLS OFF;
GO
EXEC dbo.On_ NULL;
GO
--! print on
-- A CHECK constraint is the table's.
CREATE TABLE dbo.C (x int NULL CHECK (x <> NULL));
INSERT dbo.C VALUES (NULL);
SELECT COUNT(*) FROM dbo.C WHERE x = NULL;
GO
--! rows
--! 1
-- ANSI_DEFAULTS OFF switches it off too, and others with it.
SET ANSI_NULLS ON;
GO
SET ANSI_DEFAULTS OFF;
DECLARE @v int;
IF @v = NULL PRINT 'off';
SELECT @@OPTIONS & (8 | 16 | 32 | 256 | 1024);
GO
--! rows
--! 0
--! print off
CREATE PROCEDURE dbo.Defaults @v int AS
SET ANSI_DEFAULTS ON;
IF @v = NULL PRINT 'kept';
GO
EXEC dbo.Defaults NULL;
GO
--! print kept
