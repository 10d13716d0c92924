-- sp_password: ALTER LOGIN … WITH PASSWORD, in the words of old scripts.
CREATE PROCEDURE sys.sp_password @old sysname = NULL, @new sysname, @loginame sysname = NULL
AS
-- part: no_transaction
DECLARE @text nvarchar(max) = N'ALTER LOGIN ' + QUOTENAME(ISNULL(@loginame, SUSER_SNAME())) + N' WITH PASSWORD = N''' + REPLACE(ISNULL(@new, N''), N'''', N'''''') + N''''
    + ISNULL(N' OLD_PASSWORD = N''' + REPLACE(@old, N'''', N'''''') + N'''', N'');
EXEC (@text)
