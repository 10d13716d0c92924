-- sp_depends: what an object refers to, and what refers to it.
CREATE PROCEDURE sys.sp_depends @objname nvarchar(776)
AS
SET NOCOUNT ON;
IF OBJECT_ID(@objname) IS NULL
BEGIN
    DECLARE @database sysname = DB_NAME();
    RAISERROR (15009, -1, -1, @objname, @database);
    RETURN (1);
END;
DECLARE @words TABLE (type char(2) PRIMARY KEY, word nvarchar(60));
INSERT @words VALUES ('U', N'user table'), ('V', N'view'), ('P', N'stored procedure'), ('TR', N'trigger'), ('FN', N'scalar function'),
    ('IF', N'inline function'), ('TF', N'table function'), ('C', N'check cns'), ('D', N'default (maybe cns)');
SELECT DISTINCT SCHEMA_NAME(o.schema_id) + N'.' + o.name AS name, CAST(ISNULL(w.word, LOWER(REPLACE(o.type_desc, '_', ' '))) AS nvarchar(16)) AS type,
    CAST(IIF(d.is_updated = 1, 'yes', 'no') AS varchar(7)) AS updated, CAST(IIF(d.is_select_all = 1 OR d.is_selected = 1, 'yes', 'no') AS varchar(8)) AS selected,
    COL_NAME(d.referenced_major_id, d.referenced_minor_id) AS [column]
INTO #uses FROM sys.sql_dependencies AS d JOIN sys.objects AS o ON o.object_id = d.referenced_major_id LEFT JOIN @words AS w ON w.type = o.type
WHERE d.object_id = OBJECT_ID(@objname) AND d.class < 2
    AND (d.referenced_minor_id > 0 OR NOT EXISTS (SELECT * FROM sys.sql_dependencies AS c WHERE c.object_id = d.object_id
        AND c.referenced_major_id = d.referenced_major_id AND c.referenced_minor_id > 0));
SELECT DISTINCT SCHEMA_NAME(o.schema_id) + N'.' + o.name AS name, CAST(ISNULL(w.word, LOWER(REPLACE(o.type_desc, '_', ' '))) AS nvarchar(16)) AS type
INTO #used FROM sys.sql_dependencies AS d JOIN sys.objects AS o ON o.object_id = d.object_id LEFT JOIN @words AS w ON w.type = o.type
WHERE d.referenced_major_id = OBJECT_ID(@objname) AND d.object_id <> OBJECT_ID(@objname) AND d.class < 2;
IF EXISTS (SELECT * FROM #uses) BEGIN
    PRINT 'In the current database, the specified object references the following:';
    SELECT name, type, updated, selected, [column] FROM #uses ORDER BY name, [column] END
IF EXISTS (SELECT * FROM #used) BEGIN
    PRINT 'In the current database, the specified object is referenced by the following:';
    SELECT name, type FROM #used ORDER BY name END
IF NOT EXISTS (SELECT * FROM #uses) AND NOT EXISTS (SELECT * FROM #used)
    PRINT 'Object does not reference any object, and no objects reference it.'
