-- sp_special_columns: the columns that tell a row of a table (@col_type 'R'), or that change by themselves ('V').
CREATE PROCEDURE sys.sp_special_columns
    @table_name sysname, @table_owner sysname = NULL, @qualifier sysname = NULL, @col_type char(1) = 'R',
    @scope char(1) = 'T', @nullable char(1) = 'U', @ODBCVer int = 2
AS
IF @qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(1 AS smallint) AS SCOPE, CAST(c.name AS nvarchar(128)) AS COLUMN_NAME, CAST(t.DATA_TYPE AS smallint) AS DATA_TYPE,
    CAST(b.name + IIF(c.is_identity = 1, N' identity', N'') AS nvarchar(128)) AS TYPE_NAME,
    CASE WHEN t.unit IS NOT NULL THEN IIF(c.max_length = -1, 0, c.max_length / t.unit) ELSE ISNULL(t.fixed_precision, c.precision) END AS [PRECISION],
    COALESCE(t.fixed_length, t.length_a_digit * c.precision + t.length_more, IIF(c.max_length = -1, 0, c.max_length)) AS [LENGTH],
    CAST(IIF(t.has_scale = 1, c.scale, NULL) AS smallint) AS SCALE, CAST(1 AS smallint) AS PSEUDO_COLUMN
-- part: from_special_columns
