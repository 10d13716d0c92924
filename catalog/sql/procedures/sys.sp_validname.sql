-- sp_validname: whether a text can be a name: 0, or 1 with error 15004 or 15006.
CREATE PROCEDURE sys.sp_validname @name sysname, @raise_error bit = 1
AS
IF @name IS NULL OR DATALENGTH(@name) = 0
BEGIN
    IF ISNULL(@raise_error, 1) = 1 RAISERROR (15004, -1, -1);
    RETURN (1);
END;
IF CHARINDEX(NCHAR(0), @name COLLATE Latin1_General_BIN2) > 0
BEGIN
    IF ISNULL(@raise_error, 1) = 1 RAISERROR (15006, -1, -1, @name);
    RETURN (1);
END;
RETURN (0)
