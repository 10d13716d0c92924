-- sp_droprole: DROP ROLE, in the words of old scripts.
CREATE PROCEDURE sys.sp_droprole @rolename sysname
AS
-- part: no_transaction
DECLARE @text nvarchar(max);
IF NOT EXISTS (SELECT * FROM sys.database_principals WHERE name = @rolename AND type = 'R')
BEGIN
    RAISERROR (15014, -1, -1, @rolename);
    RETURN (1);
END;
SET @text = N'DROP ROLE ' + QUOTENAME(@rolename);
EXEC (@text)
