-- sp_droptype: DROP TYPE, in the words of old scripts.
CREATE PROCEDURE sys.sp_droptype @typename sysname
AS
DECLARE @schema sysname = (SELECT SCHEMA_NAME(schema_id) FROM sys.types WHERE user_type_id = TYPE_ID(@typename) AND is_user_defined = 1);
IF @schema IS NULL
BEGIN
    RAISERROR (15036, -1, -1, @typename);
    RETURN (1);
END;
DECLARE @text nvarchar(max) = N'DROP TYPE ' + QUOTENAME(@schema) + N'.' + QUOTENAME(PARSENAME(@typename, 1));
EXEC (@text)
