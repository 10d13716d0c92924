-- sys.syscolumns: columns, and parameters of procedures, as SQL Server 2000 told them.
-- column: name sysname
-- column: id int not null
-- column: xtype tinyint not null
-- column: typestat tinyint
-- column: xusertype int not null
-- column: length smallint not null
-- column: xprec tinyint not null
-- column: xscale tinyint not null
-- column: colid smallint not null
-- column: xoffset smallint
-- column: bitpos tinyint
-- column: reserved tinyint
-- column: colstat smallint
-- column: cdefault int
-- column: domain int
-- column: number smallint
-- column: colorder smallint
-- column: autoval varbinary(8000)
-- column: offset smallint
-- column: collationid int
-- column: status tinyint
-- column: type tinyint
-- column: usertype smallint
-- column: printfmt varchar(255)
-- column: prec smallint
-- column: scale int
-- column: iscomputed int
-- column: isoutparam int
-- column: isnullable int
-- column: collation sysname
WITH c AS (
    SELECT database_id, object_id, name, column_id, type_name, system_type_id, user_type_id, max_length, precision, scale, collation_name,
        is_nullable, is_identity, computed IS NOT NULL AS is_computed, default_id, false AS is_output, 0 AS number FROM catalog_columns
    UNION ALL
    SELECT database_id, object_id, name, column_id, type_name, system_type_id, user_type_id, max_length, precision, scale, collation_name,
        is_nullable, false, false, 0, false, 0 FROM live_view_columns
    UNION ALL
    SELECT database_id, object_id, name, parameter_id, type_name, system_type_id, user_type_id, max_length, precision, scale, NULL,
        is_nullable, false, false, 0, is_output, 1 FROM live_parameters)
SELECT name, object_id AS id, system_type_id AS xtype, CASE WHEN is_nullable THEN 0 ELSE 1 END AS typestat, user_type_id AS xusertype,
    max_length AS length, precision AS xprec, scale AS xscale, column_id AS colid, 0 AS xoffset, 0 AS bitpos, 0 AS reserved,
    is_identity::INTEGER + 4 * is_computed::INTEGER AS colstat, coalesce(default_id, 0) AS cdefault, 0 AS domain, number,
    column_id AS colorder, NULL AS autoval, 0 AS offset, CASE WHEN collation_name IS NULL THEN 0 ELSE 872468488 END AS collationid,
    8 * is_nullable::INTEGER + 128 * is_identity::INTEGER + 64 * is_output::INTEGER AS status,
    CASE WHEN type_name IN ('tinyint', 'smallint', 'int', 'bigint',
    'bit') AND is_nullable THEN CASE type_name WHEN 'bit' THEN 50 WHEN 'bigint' THEN 0 ELSE 38 END
    WHEN type_name = 'bigint' THEN 0 WHEN type_name IN ('float', 'real') AND is_nullable THEN 109 WHEN type_name IN ('money',
    'smallmoney') AND is_nullable THEN 110 WHEN type_name IN ('datetime',
    'smalldatetime') AND is_nullable THEN 111 WHEN type_name = 'decimal' THEN 106 WHEN type_name = 'numeric' THEN 108
    WHEN type_name IN ('char',
    'nchar') THEN CASE WHEN is_nullable OR type_name = 'nchar' THEN 39 ELSE 47 END WHEN type_name IN ('varchar',
    'nvarchar') THEN 39 WHEN type_name = 'varbinary' THEN 37 WHEN type_name IN ('binary', 'timestamp',
    'uniqueidentifier') THEN CASE WHEN is_nullable OR type_name = 'uniqueidentifier' THEN 37 ELSE 45 END
    WHEN type_name = 'ntext' THEN 35 WHEN system_type_id < 123 THEN system_type_id ELSE 0 END AS type,
    CASE type_name WHEN 'char' THEN 1 WHEN 'varchar' THEN 2 WHEN 'binary' THEN 3 WHEN 'varbinary' THEN 4
    WHEN 'tinyint' THEN 5 WHEN 'smallint' THEN 6 WHEN 'int' THEN 7 WHEN 'float' THEN 8 WHEN 'numeric' THEN 10
    WHEN 'money' THEN 11 WHEN 'datetime' THEN 12 WHEN 'bit' THEN 16 WHEN 'text' THEN 19 WHEN 'image' THEN 20
    WHEN 'smallmoney' THEN 21 WHEN 'smalldatetime' THEN 22 WHEN 'real' THEN 23 WHEN 'decimal' THEN 24
    WHEN 'timestamp' THEN 80 ELSE 0 END AS usertype, NULL AS printfmt,
    CASE WHEN type_name IN ('nchar', 'nvarchar') AND max_length > 0 THEN max_length // 2
        WHEN type_name IN ('char', 'varchar', 'binary', 'varbinary', 'nchar', 'nvarchar') THEN max_length
        WHEN type_name = 'text' OR type_name = 'image' THEN NULL ELSE precision END AS prec,
    CASE WHEN type_name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'datetime', 'time',
        'datetime2', 'datetimeoffset') THEN scale END AS scale,
    is_computed::INTEGER AS iscomputed, is_output::INTEGER AS isoutparam, is_nullable::INTEGER AS isnullable, collation_name AS collation
FROM c WHERE database_id = $database_id
