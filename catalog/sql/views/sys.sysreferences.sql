-- sys.sysreferences: foreign keys as SQL Server 2000 told them.
-- column: constid int not null
-- column: fkeyid int not null
-- column: rkeyid int not null
-- column: rkeyindid smallint
-- column: keycnt smallint not null
-- column: forkeys varbinary(32)
-- column: refkeys varbinary(32)
-- column: fkeydbid smallint
-- column: rkeydbid smallint
-- column: fkey1 smallint
-- column: fkey2 smallint
-- column: fkey3 smallint
-- column: fkey4 smallint
-- column: fkey5 smallint
-- column: fkey6 smallint
-- column: fkey7 smallint
-- column: fkey8 smallint
-- column: fkey9 smallint
-- column: fkey10 smallint
-- column: fkey11 smallint
-- column: fkey12 smallint
-- column: fkey13 smallint
-- column: fkey14 smallint
-- column: fkey15 smallint
-- column: fkey16 smallint
-- column: rkey1 smallint
-- column: rkey2 smallint
-- column: rkey3 smallint
-- column: rkey4 smallint
-- column: rkey5 smallint
-- column: rkey6 smallint
-- column: rkey7 smallint
-- column: rkey8 smallint
-- column: rkey9 smallint
-- column: rkey10 smallint
-- column: rkey11 smallint
-- column: rkey12 smallint
-- column: rkey13 smallint
-- column: rkey14 smallint
-- column: rkey15 smallint
-- column: rkey16 smallint
WITH k AS (
    SELECT f.object_id, f.parent_object_id, f.referenced_object_id, f.key_index_id, count(*) AS keycnt,
        list(p.column_id ORDER BY f.ordinal) AS fk, list(r.column_id ORDER BY f.ordinal) AS rk
    FROM catalog_foreign_keys f
    JOIN catalog_columns p ON p.database_id = f.database_id AND p.object_id = f.parent_object_id AND lower(p.name) = lower(f.column_name)
    JOIN catalog_columns r ON r.database_id = f.database_id AND r.object_id = f.referenced_object_id
        AND lower(r.name) = lower(f.referenced_column_name)
    WHERE f.database_id = $database_id GROUP BY ALL)
SELECT object_id AS constid, parent_object_id AS fkeyid, referenced_object_id AS rkeyid, key_index_id AS rkeyindid, keycnt, NULL AS forkeys,
    NULL AS refkeys, 0 AS fkeydbid, 0 AS rkeydbid, fk[1] AS fkey1, fk[2] AS fkey2, fk[3] AS fkey3, fk[4] AS fkey4,
    fk[5] AS fkey5, fk[6] AS fkey6, fk[7] AS fkey7, fk[8] AS fkey8, fk[9] AS fkey9, fk[10] AS fkey10, fk[11] AS fkey11,
    fk[12] AS fkey12, fk[13] AS fkey13, fk[14] AS fkey14, fk[15] AS fkey15, fk[16] AS fkey16, rk[1] AS rkey1, rk[2] AS rkey2,
    rk[3] AS rkey3, rk[4] AS rkey4, rk[5] AS rkey5, rk[6] AS rkey6, rk[7] AS rkey7, rk[8] AS rkey8, rk[9] AS rkey9,
    rk[10] AS rkey10, rk[11] AS rkey11, rk[12] AS rkey12, rk[13] AS rkey13, rk[14] AS rkey14, rk[15] AS rkey15, rk[16] AS rkey16
FROM k
