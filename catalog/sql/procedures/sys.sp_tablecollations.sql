-- sp_tablecollations: the columns of a table and the collations of its texts, as SQL Server 2000 knew them; the bytes are those of the protocol.
CREATE PROCEDURE sys.sp_tablecollations @object nvarchar(4000)
AS
SELECT c.column_id AS colid, CAST(c.name AS nvarchar(128)) AS name,
    CAST(COLLATIONPROPERTY(c.collation_name, 'TDSCollation') AS varbinary(5)) AS tds_collation_28, CAST(c.collation_name AS nvarchar(128)) AS collation_28
FROM sys.all_columns AS c WHERE c.object_id = OBJECT_ID(@object) ORDER BY c.column_id
