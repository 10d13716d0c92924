-- sp_dropuser: DROP USER with an empty schema of its name, in the words of old scripts.
CREATE PROCEDURE sys.sp_dropuser @name_in_db sysname
AS
-- part: no_transaction
DECLARE @text nvarchar(max);
IF NOT EXISTS (SELECT * FROM sys.database_principals WHERE name = @name_in_db AND type <> 'R')
BEGIN
    RAISERROR (15008, -1, -1, @name_in_db);
    RETURN (1);
END;
IF EXISTS (SELECT * FROM sys.schemas AS s WHERE s.name = @name_in_db AND s.principal_id = USER_ID(@name_in_db)
    AND NOT EXISTS (SELECT * FROM sys.objects AS o WHERE o.schema_id = s.schema_id))
BEGIN
    SET @text = N'DROP SCHEMA ' + QUOTENAME(@name_in_db);
    EXEC (@text);
END;
SET @text = N'DROP USER ' + QUOTENAME(@name_in_db);
EXEC (@text)
