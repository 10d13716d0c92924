-- sp_addtype: CREATE TYPE … FROM, in the words of old scripts.
CREATE PROCEDURE sys.sp_addtype @typename sysname, @phystype sysname, @nulltype varchar(8) = NULL, @owner sysname = NULL
AS
DECLARE @null varchar(8) = UPPER(REPLACE(REPLACE(LTRIM(RTRIM(ISNULL(@nulltype, 'NULL'))), '''', ''), '"', ''));
IF @null NOT IN ('NULL', 'NOT NULL', 'NONULL')
BEGIN
    RAISERROR (15600, -1, -1, 'sp_addtype');
    RETURN (1);
END;
DECLARE @text nvarchar(max) = N'CREATE TYPE ' + ISNULL(QUOTENAME(@owner) + N'.', N'') + QUOTENAME(@typename) + N' FROM ' + @phystype
    + IIF(@null = 'NULL', N' NULL', N' NOT NULL');
EXEC (@text)
