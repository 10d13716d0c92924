-- sp_stored_procedures: procedures and functions, by pattern.
CREATE PROCEDURE sys.sp_stored_procedures
    @sp_name nvarchar(390) = NULL, @sp_owner nvarchar(384) = NULL, @sp_qualifier sysname = NULL, @fUsePattern bit = 1
AS
IF @sp_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PROCEDURE_QUALIFIER, SCHEMA_NAME(o.schema_id) AS PROCEDURE_OWNER,
    CAST(o.name + CASE WHEN o.type IN ('P', 'X') THEN ';1' ELSE ';0' END AS nvarchar(134)) AS PROCEDURE_NAME, -1 AS NUM_INPUT_PARAMS,
    -1 AS NUM_OUTPUT_PARAMS, -1 AS NUM_RESULT_SETS, CAST(NULL AS varchar(254)) AS REMARKS, CAST(2 AS smallint) AS PROCEDURE_TYPE
FROM sys.all_objects AS o
WHERE o.type IN ('P', 'X', 'FN', 'TF', 'IF') AND (@sp_name IS NULL OR @fUsePattern = 1 AND o.name LIKE @sp_name OR o.name = @sp_name)
    AND (@sp_owner IS NULL OR @fUsePattern = 1 AND SCHEMA_NAME(o.schema_id) LIKE @sp_owner OR SCHEMA_NAME(o.schema_id) = @sp_owner)
ORDER BY PROCEDURE_OWNER, PROCEDURE_NAME
