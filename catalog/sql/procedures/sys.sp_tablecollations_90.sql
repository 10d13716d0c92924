-- sp_tablecollations_90: the columns of a table and the collations of its texts, as SQL Server 2005 knew them; the bytes are those of the protocol.
CREATE PROCEDURE sys.sp_tablecollations_90 @object nvarchar(4000)
AS
SELECT c.column_id AS colid, CAST(c.name AS nvarchar(128)) AS name,
    CAST(COLLATIONPROPERTY(c.collation_name, 'TDSCollation') AS varbinary(5)) AS tds_collation_90, CAST(c.collation_name AS nvarchar(128)) AS collation_90
FROM sys.all_columns AS c WHERE c.object_id = OBJECT_ID(@object) ORDER BY c.column_id
