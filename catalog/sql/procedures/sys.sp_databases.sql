-- sp_databases: the databases, as ODBC lists catalogs. Sizes are those of the one store, not of a database: 1024 KB each.
CREATE PROCEDURE sys.sp_databases AS
SELECT CAST(name AS nvarchar(128)) AS DATABASE_NAME, 1024 AS DATABASE_SIZE, CAST(NULL AS varchar(254)) AS REMARKS
FROM sys.databases ORDER BY name
