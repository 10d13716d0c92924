-- sp_defaultlanguage: ALTER LOGIN … WITH DEFAULT_LANGUAGE, in the words of old scripts.
CREATE PROCEDURE sys.sp_defaultlanguage @loginame sysname, @language sysname = NULL
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @loginame;
IF @code <> 0
    RETURN (1);
SET @text = N'ALTER LOGIN ' + QUOTENAME(@loginame) + N' WITH DEFAULT_LANGUAGE = ' + QUOTENAME(ISNULL(@language, N'us_english'));
EXEC (@text)
