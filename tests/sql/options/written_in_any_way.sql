-- What a SET says is what its tree says, however it is written: comments, line ends, lists, letter case, in procedures too.
CREATE TABLE dbo.T (a int NULL);
INSERT dbo.T VALUES (NULL), (1);
GO
SET ANSI_NULLS /* as in old scripts */ OFF;
SELECT COUNT(*) AS nulls FROM dbo.T WHERE a = NULL;
GO
--! rows
--! 1
SET ANSI_NULLS ON;
GO
SET
    ANSI_NULLS
    -- off
    OFF
IF NULL = NULL PRINT 'equal';
GO
--! print equal
SET ANSI_NULLS ON;
GO
set Concat_Null_Yields_Null /* off? */ Off; SELECT 'a' + NULL AS joined, 'b' + CAST(MAX(a) AS varchar(5)) + NULL FROM dbo.T;
GO
--! rows
--! a | b1
SET CONCAT_NULL_YIELDS_NULL ON;
GO
SET NUMERIC_ROUNDABORT /* c */
ON;
DECLARE @d decimal(5, 1) = 1.0;
SET @d = CAST(1.25 AS decimal(5, 2)) * 1;
GO
--! error 8115
SET NUMERIC_ROUNDABORT OFF;
GO
SET ARITHABORT,/* both */ANSI_WARNINGS/**/OFF;
SELECT 1 / (a - 1) AS divided FROM dbo.T WHERE a = 1;
GO
--! rows
--! NULL
SET ARITHABORT, ANSI_WARNINGS ON;
GO
CREATE PROCEDURE dbo.P AS
BEGIN
    SET CONCAT_NULL_YIELDS_NULL
        /* in a procedure */ OFF;
    SELECT 'p' + NULL AS joined;
    SET ANSI_WARNINGS -- first
        , ARITHABORT OFF;
    SELECT 1 / (a - 1) AS divided FROM dbo.T WHERE a = 1;
END;
GO
EXEC dbo.P;
SELECT 'q' + NULL AS joined;
GO
--! rows
--! p
--! rows
--! NULL
--! rows
--! NULL
-- The words alone say nothing: in comments, literals and names.
SELECT 'SET ANSI_NULLS OFF' AS [ARITHABORT OFF], COUNT(*) AS n FROM dbo.T WHERE a = NULL; -- SET ANSI_NULLS OFF
GO
--! rows
--! SET ANSI_NULLS OFF | 0
SELECT 'NOEXEC' AS a;
SET /* now */ NOEXEC ON;
SELECT 1 AS never;
SET NOEXEC -- again
OFF;
SELECT 2 AS again;
GO
--! rows
--! NOEXEC
--! rows
--! 2
