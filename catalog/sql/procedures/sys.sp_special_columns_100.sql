-- sp_special_columns_100: sp_special_columns with the types of SQL Server 2008.
CREATE PROCEDURE sys.sp_special_columns_100
    @table_name sysname, @table_owner sysname = NULL, @qualifier sysname = NULL, @col_type char(1) = 'R',
    @scope char(1) = 'T', @nullable char(1) = 'U', @ODBCVer int = 2
AS
IF @qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(1 AS smallint) AS SCOPE, CAST(c.name AS nvarchar(128)) AS COLUMN_NAME,
    CAST(
-- part: type_of_2008
    AS smallint) AS DATA_TYPE,
    CAST(b.name + IIF(c.is_identity = 1, N' identity', N'') AS nvarchar(128)) AS TYPE_NAME,
    CASE WHEN t.unit IS NOT NULL THEN IIF(c.max_length = -1, 0, c.max_length / t.unit) ELSE ISNULL(t.fixed_precision, c.precision) END AS [PRECISION],
    CASE b.name WHEN 'date' THEN 6 WHEN 'time' THEN 12 WHEN 'datetime2' THEN 16 WHEN 'datetimeoffset' THEN 20
        ELSE COALESCE(t.fixed_length, t.length_a_digit * c.precision + t.length_more, IIF(c.max_length = -1, 0, c.max_length)) END AS [LENGTH],
    CAST(IIF(t.has_scale = 1, c.scale, NULL) AS smallint) AS SCALE, CAST(1 AS smallint) AS PSEUDO_COLUMN
-- part: from_special_columns
