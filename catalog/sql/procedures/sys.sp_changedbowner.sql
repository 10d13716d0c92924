-- sp_changedbowner: ALTER AUTHORIZATION ON DATABASE, in the words of old scripts.
CREATE PROCEDURE sys.sp_changedbowner @loginame sysname, @map varchar(5) = NULL
AS
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @loginame;
IF @code <> 0
    RETURN (1);
SET @text = N'ALTER AUTHORIZATION ON DATABASE::' + QUOTENAME(DB_NAME()) + N' TO ' + QUOTENAME(@loginame);
EXEC (@text)
