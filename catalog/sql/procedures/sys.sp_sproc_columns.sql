-- sp_sproc_columns: the parameters of procedures and functions, by pattern.
CREATE PROCEDURE sys.sp_sproc_columns
    @procedure_name nvarchar(390) = N'%', @procedure_owner nvarchar(384) = NULL, @procedure_qualifier sysname = NULL,
    @column_name nvarchar(384) = NULL, @ODBCVer int = 2, @fUsePattern bit = 1
AS
IF @procedure_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
-- part: parameters
    CAST(IIF(p.is_nullable = 1, t.NULLABLE_SS_DATA_TYPE, t.SS_DATA_TYPE) AS tinyint) AS SS_DATA_TYPE
-- part: from_parameters
JOIN sys.types AS b ON b.user_type_id = p.system_type_id JOIN sys.spt_datatype_info AS t ON t.TYPE_NAME = b.name
LEFT JOIN sys.types AS u ON u.user_type_id = p.user_type_id AND u.user_type_id <> u.system_type_id
-- part: named_parameters
