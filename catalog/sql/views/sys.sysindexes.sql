-- sys.sysindexes: indexes as SQL Server 2000 told them; a heap has indid 0. Differs: page counts are zero.
-- column: id int not null
-- column: status int
-- column: first binary(6)
-- column: indid smallint
-- column: root binary(6)
-- column: minlen smallint
-- column: keycnt smallint
-- column: groupid smallint
-- column: dpages int
-- column: reserved int
-- column: used int
-- column: rowcnt bigint
-- column: rowmodctr int
-- column: reserved3 tinyint
-- column: reserved4 tinyint
-- column: xmaxlen smallint
-- column: maxirow smallint
-- column: OrigFillFactor tinyint
-- column: StatVersion tinyint
-- column: reserved2 int
-- column: FirstIAM binary(6)
-- column: impid smallint
-- column: lockflags smallint
-- column: pgmodctr int
-- column: keys varbinary(1088)
-- column: name sysname
-- column: statblob image
-- column: maxlen int
-- column: rows int
SELECT i.object_id AS id,
    2 * bool_or(i.is_unique)::INTEGER + 16 * max(i.type = 1)::INTEGER + 2048 * bool_or(i.is_primary_key)::INTEGER
        + 4096 * bool_or(i.is_unique_constraint)::INTEGER AS status,
    NULL AS first, i.index_id AS indid, NULL AS root, 0 AS minlen, count(i.column_name) FILTER (i.ordinal > 0) AS keycnt, 1 AS groupid,
    0 AS dpages, 0 AS reserved, 0 AS used, coalesce(max(r.rows), 0) AS rowcnt, 0 AS rowmodctr, 0 AS reserved3, 0 AS reserved4,
    8060 AS xmaxlen, 0 AS maxirow, 0 AS OrigFillFactor, 0 AS StatVersion, 0 AS reserved2, NULL AS FirstIAM, 0 AS impid, 0 AS lockflags,
    0 AS pgmodctr, NULL AS keys, i.name, NULL AS statblob, 8000 AS maxlen, coalesce(max(r.rows), 0) AS rows
FROM catalog_indexes i JOIN catalog_tables t ON t.database_id = i.database_id AND t.id = i.object_id
LEFT JOIN live_table_rows r ON r.database_id = t.database_id AND r.object_id = t.id
WHERE i.database_id = $database_id GROUP BY i.object_id, i.index_id, i.name
