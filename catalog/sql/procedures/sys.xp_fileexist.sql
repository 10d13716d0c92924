-- xp_fileexist: whether a file is there.
CREATE PROCEDURE sys.xp_fileexist @filename nvarchar(260), @found int = NULL OUTPUT
AS EXTERNAL NAME sbql.extended.xp_fileexist
