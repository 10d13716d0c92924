-- sys.systypes: sys.types as SQL Server 2000 told it. Differs: uid and xusertype are ints, because ids are larger here.
-- column: name sysname not null
-- column: xtype tinyint not null
-- column: status tinyint
-- column: xusertype int
-- column: length smallint not null
-- column: xprec tinyint not null
-- column: xscale tinyint not null
-- column: tdefault int not null
-- column: domain int not null
-- column: uid int
-- column: reserved smallint
-- column: collationid int
-- column: usertype smallint
-- column: variable bit
-- column: allownulls bit
-- column: type tinyint not null
-- column: printfmt varchar(255)
-- column: prec smallint
-- column: scale tinyint
-- column: collation sysname
SELECT name, system_type_id AS xtype, CASE WHEN is_nullable THEN 0 ELSE 1 END AS status, user_type_id AS xusertype, max_length AS length,
    precision AS xprec, scale AS xscale, 0 AS tdefault, 0 AS domain, schema_id AS uid, 0 AS reserved,
    CASE WHEN collation_name IS NULL THEN 0 ELSE 872468488 END AS collationid,
    CASE name WHEN 'sysname' THEN 18 ELSE CASE WHEN is_user_defined THEN 257 ELSE CASE type_name WHEN 'char' THEN 1
    WHEN 'varchar' THEN 2 WHEN 'binary' THEN 3 WHEN 'varbinary' THEN 4 WHEN 'tinyint' THEN 5 WHEN 'smallint' THEN 6
    WHEN 'int' THEN 7 WHEN 'float' THEN 8 WHEN 'numeric' THEN 10 WHEN 'money' THEN 11 WHEN 'datetime' THEN 12
    WHEN 'bit' THEN 16 WHEN 'text' THEN 19 WHEN 'image' THEN 20 WHEN 'smallmoney' THEN 21 WHEN 'smalldatetime' THEN 22
    WHEN 'real' THEN 23 WHEN 'decimal' THEN 24 WHEN 'timestamp' THEN 80 ELSE 0 END END END AS usertype,
    type_name IN ('varchar', 'varbinary', 'nvarchar', 'sql_variant') AS variable, is_nullable AS allownulls,
    CASE WHEN type_name IN ('tinyint', 'smallint', 'int', 'bigint',
    'bit') AND is_nullable THEN CASE type_name WHEN 'bit' THEN 50 WHEN 'bigint' THEN 0 ELSE 38 END
    WHEN type_name = 'bigint' THEN 0 WHEN type_name IN ('float', 'real') AND is_nullable THEN 109 WHEN type_name IN ('money',
    'smallmoney') AND is_nullable THEN 110 WHEN type_name IN ('datetime',
    'smalldatetime') AND is_nullable THEN 111 WHEN type_name = 'decimal' THEN 106 WHEN type_name = 'numeric' THEN 108
    WHEN type_name IN ('char',
    'nchar') THEN CASE WHEN is_nullable OR type_name = 'nchar' THEN 39 ELSE 47 END WHEN type_name IN ('varchar',
    'nvarchar') THEN 39 WHEN type_name = 'varbinary' THEN 37 WHEN type_name IN ('binary', 'timestamp',
    'uniqueidentifier') THEN CASE WHEN is_nullable OR type_name = 'uniqueidentifier' THEN 37 ELSE 45 END
    WHEN type_name = 'ntext' THEN 35 WHEN system_type_id < 123 THEN system_type_id ELSE 0 END AS type, NULL AS printfmt,
    CASE WHEN type_name IN ('nchar', 'nvarchar') AND max_length > 0 THEN max_length // 2
        WHEN type_name IN ('char', 'varchar', 'binary', 'varbinary', 'nchar', 'nvarchar') THEN max_length
        WHEN type_name = 'text' OR type_name = 'image' THEN NULL ELSE precision END AS prec,
    CASE WHEN type_name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'datetime', 'time',
        'datetime2', 'datetimeoffset') THEN scale END AS scale, collation_name AS collation
FROM (SELECT t.* EXCLUDE (is_nullable), b.name AS type_name, t.is_nullable FROM catalog_types t
    JOIN catalog_types b ON b.database_id = t.database_id AND b.user_type_id = t.system_type_id AND NOT b.is_user_defined
    WHERE t.database_id = $database_id AND NOT t.is_table_type)
