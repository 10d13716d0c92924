-- sp_help: all objects and alias types of the database, or one object with its columns, parameters, indexes and constraints, or
-- one type. A temp table is found from tempdb.
CREATE PROCEDURE sys.sp_help @objname nvarchar(776) = NULL
AS
SET NOCOUNT ON;
DECLARE @words TABLE (type char(2) PRIMARY KEY, word varchar(60));
INSERT @words VALUES ('P', 'stored procedure'), ('FN', 'scalar function'), ('IF', 'inline function'), ('TF', 'table function'), ('TR', 'trigger'),
    ('PK', 'primary key cns'), ('UQ', 'unique cns'), ('F', 'foreign key cns'), ('C', 'check cns'), ('D', 'default (maybe cns)'), ('SO', 'sequence'),
    ('SQ', 'queue'), ('X', 'extended stored proc');
SET NOCOUNT OFF;
IF @objname IS NULL
BEGIN
    SELECT o.name AS Name, SCHEMA_NAME(o.schema_id) AS Owner, ISNULL(w.word, LOWER(REPLACE(o.type_desc, '_', ' '))) AS Object_type
    FROM sys.objects AS o LEFT JOIN @words AS w ON w.type = o.type WHERE o.is_ms_shipped = 0 ORDER BY Owner, Object_type DESC, Name;
    SELECT t.name AS User_type, b.name AS Storage_type, t.max_length AS [Length], CAST(t.precision AS int) AS Prec, CAST(t.scale AS int) AS Scale,
        CASE t.is_nullable WHEN 1 THEN 'yes' ELSE 'no' END AS Nullable, 'none' AS Default_name, 'none' AS Rule_name, t.collation_name AS Collation
    FROM sys.types AS t JOIN sys.types AS b ON b.user_type_id = t.system_type_id
    WHERE t.is_user_defined = 1 AND t.is_table_type = 0 ORDER BY t.name;
    RETURN (0);
END;
DECLARE @id int = (SELECT object_id FROM sys.all_objects WHERE object_id = OBJECT_ID(@objname));
IF @id IS NULL AND TYPE_ID(@objname) IS NOT NULL
BEGIN
    SELECT t.name AS Type_name, b.name AS Storage_type, t.max_length AS [Length], CAST(t.precision AS int) AS Prec, CAST(t.scale AS int) AS Scale,
        CASE t.is_nullable WHEN 1 THEN 'yes' ELSE 'no' END AS Nullable, 'none' AS Default_name, 'none' AS Rule_name, t.collation_name AS Collation
    FROM sys.types AS t JOIN sys.types AS b ON b.user_type_id = t.system_type_id WHERE t.user_type_id = TYPE_ID(@objname) ORDER BY t.name;
    RETURN (0);
END;
IF @id IS NULL
BEGIN
    DECLARE @database sysname = DB_NAME();
    RAISERROR (15009, -1, -1, @objname, @database);
    RETURN (1);
END;
SELECT o.name AS Name, SCHEMA_NAME(o.schema_id) AS Owner, ISNULL(w.word, LOWER(REPLACE(o.type_desc, '_', ' '))) AS Type,
    o.create_date AS Created_datetime
FROM sys.all_objects AS o LEFT JOIN @words AS w ON w.type = o.type WHERE o.object_id = @id;
DECLARE @type char(2) = (SELECT type FROM sys.all_objects WHERE object_id = @id);
IF @type IN ('U', 'S', 'V', 'TF', 'IF')
BEGIN
    SELECT c.name AS Column_name, TYPE_NAME(c.user_type_id) AS Type, CASE c.is_computed WHEN 1 THEN 'yes' ELSE 'no' END AS Computed,
        CAST(c.max_length AS int) AS Length,
        CASE WHEN t.name IN ('tinyint', 'smallint', 'decimal', 'int', 'bigint', 'real', 'money', 'float', 'numeric', 'smallmoney', 'date', 'time',
            'datetime2', 'datetimeoffset') THEN CAST(c.precision AS char(5)) ELSE '     ' END AS Prec,
        CASE WHEN t.name IN ('real', 'float') THEN NULL WHEN t.name IN ('tinyint', 'smallint', 'decimal', 'int', 'bigint', 'money', 'numeric',
            'smallmoney', 'date', 'time', 'datetime2', 'datetimeoffset') THEN CAST(c.scale AS char(5)) ELSE '     ' END AS Scale,
        CASE c.is_nullable WHEN 1 THEN 'yes' ELSE 'no' END AS Nullable,
        CASE WHEN t.name IN ('char', 'varchar', 'binary', 'varbinary') THEN 'no' ELSE '(n/a)' END AS TrimTrailingBlanks,
        CASE WHEN t.name NOT IN ('char', 'varchar', 'binary', 'varbinary') THEN '(n/a)' WHEN c.is_nullable = 1 THEN 'yes' ELSE 'no' END
            AS FixedLenNullInSource,
        c.collation_name AS Collation
    FROM sys.all_columns AS c LEFT JOIN sys.types AS t ON t.user_type_id = c.system_type_id WHERE c.object_id = @id ORDER BY c.column_id;
    IF EXISTS (SELECT * FROM sys.identity_columns WHERE object_id = @id)
        SELECT c.name AS [Identity], c.seed_value AS Seed, c.increment_value AS Increment, 0 AS [Not For Replication]
        FROM sys.identity_columns AS c WHERE c.object_id = @id;
    ELSE
        SELECT 'No identity column defined.' AS [Identity], NULL AS Seed, NULL AS Increment, NULL AS [Not For Replication];
    SELECT ISNULL((SELECT c.name FROM sys.columns AS c WHERE c.object_id = @id AND c.is_rowguidcol = 1), 'No rowguidcol column defined.') AS [RowGuidCol];
END;
IF @type IN ('P', 'FN', 'TF', 'IF') AND EXISTS (SELECT * FROM sys.all_parameters WHERE object_id = @id)
    SELECT CASE p.parameter_id WHEN 0 THEN '' ELSE p.name END AS Parameter_name, TYPE_NAME(p.user_type_id) AS Type, CAST(p.max_length AS int) AS Length,
        CASE WHEN t.name IN ('nchar', 'nvarchar') AND p.max_length > 0 THEN p.max_length / 2
            WHEN t.name IN ('char', 'varchar', 'binary', 'varbinary', 'nchar', 'nvarchar') THEN CAST(p.max_length AS int)
            WHEN t.name = 'uniqueidentifier' THEN 16 ELSE CAST(p.precision AS int) END AS Prec,
        CASE WHEN t.name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'datetime', 'time', 'datetime2',
            'datetimeoffset') THEN CAST(p.scale AS int) END AS Scale, p.parameter_id AS Param_order,
        CASE WHEN t.name IN ('char', 'varchar', 'nchar', 'nvarchar', 'text', 'ntext')
            THEN CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS nvarchar(128)) END AS Collation
    FROM sys.all_parameters AS p LEFT JOIN sys.types AS t ON t.user_type_id = p.system_type_id WHERE p.object_id = @id ORDER BY p.parameter_id;
IF @type = 'U'
BEGIN
    SELECT 'PRIMARY' AS Data_located_on_filegroup;
    EXEC sys.sp_helpindex @objname;
    EXEC sys.sp_helpconstraint @objname, 'nomsg';
END
