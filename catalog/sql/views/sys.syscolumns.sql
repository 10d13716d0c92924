-- sys.syscolumns: sys.columns as SQL Server 2000 told it, the columns that scripts read.
-- column: name sysname
-- column: id int not null
-- column: xtype tinyint not null
-- column: xusertype int
-- column: length smallint not null
-- column: xprec tinyint not null
-- column: xscale tinyint not null
-- column: colid smallint
-- column: colorder smallint
-- column: isnullable int
-- column: iscomputed int
-- column: prec smallint
-- column: scale int
SELECT name, object_id AS id, system_type_id AS xtype, user_type_id AS xusertype, max_length AS length, precision AS xprec,
    scale AS xscale, column_id AS colid, column_id AS colorder, is_nullable::INTEGER AS isnullable,
    (computed IS NOT NULL)::INTEGER AS iscomputed, precision AS prec, scale
FROM catalog_columns WHERE database_id = $database_id
