-- sp_spaceused: rows of a table or a queue. Sizes are those of the one store, not of a table, so they are 0.
CREATE PROCEDURE sys.sp_spaceused
    @objname nvarchar(776) = NULL, @updateusage varchar(5) = 'false', @mode varchar(11) = 'ALL', @oneresultset bit = 0
AS
IF LOWER(@updateusage) NOT IN ('true', 'false') BEGIN RAISERROR (15143, -1, -1, @updateusage); RETURN (1); END;
IF UPPER(@mode) NOT IN ('ALL', 'LOCAL_ONLY', 'REMOTE_ONLY') BEGIN RAISERROR (15600, -1, -1, 'sp_spaceused'); RETURN (1); END;
IF @objname IS NULL AND @oneresultset = 1
    SELECT DB_NAME() AS database_name, '1.00 MB' AS database_size, '0.00 MB' AS [unallocated space], '0 KB' AS reserved, '0 KB' AS data,
        '0 KB' AS index_size, '0 KB' AS unused;
ELSE IF @objname IS NULL
BEGIN
    SELECT DB_NAME() AS database_name, '1.00 MB' AS database_size, '0.00 MB' AS [unallocated space];
    SELECT '0 KB' AS reserved, '0 KB' AS data, '0 KB' AS index_size, '0 KB' AS unused;
END
ELSE IF OBJECT_ID(@objname) IS NULL
BEGIN
    DECLARE @database sysname = DB_NAME();
    RAISERROR (15009, -1, -1, @objname, @database);
    RETURN (1);
END
ELSE
    SELECT CAST(OBJECT_NAME(OBJECT_ID(@objname)) AS nvarchar(128)) AS name, CAST(COALESCE(SUM(p.rows), 0) AS char(20)) AS rows,
        '0 KB' AS reserved, '0 KB' AS data, '0 KB' AS index_size, '0 KB' AS unused
    FROM sys.partitions AS p LEFT JOIN sys.internal_tables AS t ON t.object_id = p.object_id
    WHERE p.index_id IN (0, 1) AND (p.object_id = OBJECT_ID(@objname) OR t.parent_object_id = OBJECT_ID(@objname))
