-- sp_helpstats: the statistics of a table, those of its indexes too with 'ALL'.
CREATE PROCEDURE sys.sp_helpstats @objname nvarchar(776), @results nvarchar(5) = N'STATS'
AS
IF OBJECT_ID(@objname) IS NULL
BEGIN
    DECLARE @database sysname = DB_NAME();
    RAISERROR (15009, -1, -1, @objname, @database);
    RETURN (1);
END;
IF NOT EXISTS (SELECT * FROM sys.stats WHERE object_id = OBJECT_ID(@objname) AND (@results = 'ALL' OR user_created = 1 OR auto_created = 1))
    PRINT 'This object does not have any statistics' + IIF(@results = 'ALL', ' or indexes.', '.');
ELSE SELECT s.name AS statistics_name, (SELECT STRING_AGG(COL_NAME(c.object_id, c.column_id), ', ') WITHIN GROUP (ORDER BY c.stats_column_id)
    FROM sys.stats_columns AS c WHERE c.object_id = s.object_id AND c.stats_id = s.stats_id) AS statistics_keys
FROM sys.stats AS s WHERE s.object_id = OBJECT_ID(@objname) AND (@results = 'ALL' OR s.user_created = 1 OR s.auto_created = 1) ORDER BY s.name
