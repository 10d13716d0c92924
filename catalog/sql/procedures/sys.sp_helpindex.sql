-- sp_helpindex: the indexes of a table.
CREATE PROCEDURE sys.sp_helpindex @objname nvarchar(776)
AS
DECLARE @id int = OBJECT_ID(@objname), @database sysname = DB_NAME();
IF @id IS NULL
BEGIN
    RAISERROR (15009, -1, -1, @objname, @database);
    RETURN (1);
END;
IF NOT EXISTS (SELECT * FROM sys.indexes WHERE object_id = @id AND index_id > 0)
BEGIN
    PRINT 'The object ''' + @objname + ''' does not have any indexes, or you do not have permissions.';
    RETURN (0);
END;
SELECT i.name AS index_name, LOWER(i.type_desc) + CASE i.is_unique WHEN 1 THEN ', unique' ELSE '' END
        + CASE i.is_primary_key WHEN 1 THEN ', primary key' ELSE '' END
        + CASE i.is_unique_constraint WHEN 1 THEN ', unique key' ELSE '' END + ' located on ' + (SELECT d.name FROM sys.data_spaces AS d WHERE d.data_space_id = i.data_space_id) AS index_description,
    (SELECT STRING_AGG(c.name + CASE k.is_descending_key WHEN 1 THEN '(-)' ELSE '' END, ', ') WITHIN GROUP (ORDER BY k.key_ordinal)
        FROM sys.index_columns AS k JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
        WHERE k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal > 0) AS index_keys
FROM sys.indexes AS i WHERE i.object_id = @id AND i.index_id > 0 ORDER BY i.name
