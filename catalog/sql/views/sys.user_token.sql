-- sys.user_token: who the session's user is in the current database: itself and its roles.
-- column: principal_id int
-- column: sid varbinary(85)
-- column: name nvarchar(128)
-- column: type nvarchar(128)
-- column: usage nvarchar(128)
SELECT p.id AS principal_id, p.sid, p.name, CASE p.type WHEN 'R' THEN 'ROLE' ELSE 'SQL USER' END AS type,
    'GRANT OR DENY' AS usage
FROM live_tokens t JOIN catalog_principals p ON p.database_id = t.database_id AND p.id = t.principal_id
WHERE t.database_id = $database_id
