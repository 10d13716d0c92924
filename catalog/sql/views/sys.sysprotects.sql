-- sys.sysprotects: permissions on objects, and to make them, as SQL Server 2000 told them. Differs: ids of principals are ints, for they are larger here.
-- column: id int not null
-- column: uid int
-- column: action tinyint
-- column: protecttype tinyint
-- column: columns varbinary(4000)
-- column: grantor int
SELECT major_id AS id, grantee_principal_id AS uid,
    CASE permission_name WHEN 'REFERENCES' THEN 26 WHEN 'CREATE FUNCTION' THEN 178 WHEN 'SELECT' THEN 193 WHEN 'INSERT' THEN 195
        WHEN 'DELETE' THEN 196 WHEN 'UPDATE' THEN 197 WHEN 'CREATE TABLE' THEN 198 WHEN 'CREATE DATABASE' THEN 203
        WHEN 'CREATE VIEW' THEN 207 WHEN 'CREATE PROCEDURE' THEN 222 WHEN 'EXECUTE' THEN 224 WHEN 'BACKUP DATABASE' THEN 228
        WHEN 'CREATE DEFAULT' THEN 233 WHEN 'BACKUP LOG' THEN 235 WHEN 'CREATE RULE' THEN 236 END AS action,
    CASE state WHEN 'W' THEN 204 WHEN 'G' THEN 205 ELSE 206 END AS protecttype, NULL AS columns, grantor_principal_id AS grantor
FROM catalog_permissions WHERE database_id = $database_id AND class IN (0, 1) AND permission_name IN ('REFERENCES',
    'CREATE FUNCTION', 'SELECT',
    'INSERT', 'DELETE', 'UPDATE', 'CREATE TABLE', 'CREATE DATABASE', 'CREATE VIEW', 'CREATE PROCEDURE', 'EXECUTE', 'BACKUP DATABASE',
    'CREATE DEFAULT', 'BACKUP LOG', 'CREATE RULE')
