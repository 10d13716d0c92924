-- sp_helpconstraint: the constraints of a table, and the foreign keys that refer to it.
CREATE PROCEDURE sys.sp_helpconstraint @objname nvarchar(776), @nomsg varchar(5) = 'msg'
AS
DECLARE @id int = (SELECT object_id FROM sys.tables WHERE object_id = OBJECT_ID(@objname)), @database sysname = DB_NAME();
IF @id IS NULL
BEGIN
    RAISERROR (15009, -1, -1, @objname, @database);
    RETURN (1);
END;
IF @nomsg <> 'nomsg' SELECT @objname AS [Object Name];
IF NOT EXISTS (SELECT * FROM sys.objects WHERE parent_object_id = @id AND type IN ('PK', 'UQ', 'C', 'D', 'F'))
    PRINT 'No constraints are defined on object ''' + @objname + ''', or you do not have permissions.';
ELSE SELECT c.constraint_type, c.constraint_name, c.delete_action, c.update_action, c.status_enabled, c.status_for_replication, c.constraint_keys
FROM (
    SELECT CASE k.type WHEN 'PK' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END + CASE i.type WHEN 1 THEN ' (clustered)' ELSE ' (non-clustered)' END,
        k.name, '(n/a)', '(n/a)', '(n/a)', '(n/a)',
        (SELECT STRING_AGG(c.name, ', ') WITHIN GROUP (ORDER BY x.key_ordinal) FROM sys.index_columns AS x
            JOIN sys.columns AS c ON c.object_id = x.object_id AND c.column_id = x.column_id
            WHERE x.object_id = i.object_id AND x.index_id = i.index_id)
    FROM sys.key_constraints AS k JOIN sys.indexes AS i ON i.object_id = k.parent_object_id AND i.name = k.name
    WHERE k.parent_object_id = @id
    UNION ALL
    SELECT 'DEFAULT on column ' + COL_NAME(d.parent_object_id, d.parent_column_id), d.name, '(n/a)', '(n/a)', '(n/a)', '(n/a)', d.definition
    FROM sys.default_constraints AS d WHERE d.parent_object_id = @id
    UNION ALL
    SELECT 'CHECK', k.name, '(n/a)', '(n/a)', CASE k.is_disabled WHEN 1 THEN 'Disabled' ELSE 'Enabled' END, 'Is_For_Replication', k.definition
    FROM sys.check_constraints AS k WHERE k.parent_object_id = @id
    UNION ALL
    SELECT 'FOREIGN KEY', f.name, REPLACE(f.delete_referential_action_desc, '_', ' '), REPLACE(f.update_referential_action_desc, '_', ' '),
        CASE f.is_disabled WHEN 1 THEN 'Disabled' ELSE 'Enabled' END, 'Is_For_Replication',
        (SELECT STRING_AGG(COL_NAME(x.parent_object_id, x.parent_column_id), ', ') WITHIN GROUP (ORDER BY x.constraint_column_id)
            FROM sys.foreign_key_columns AS x WHERE x.constraint_object_id = f.object_id)
        + ' REFERENCES ' + OBJECT_SCHEMA_NAME(f.referenced_object_id) + '.' + OBJECT_NAME(f.referenced_object_id)
    FROM sys.foreign_keys AS f WHERE f.parent_object_id = @id
) AS c (constraint_type, constraint_name, delete_action, update_action, status_enabled, status_for_replication, constraint_keys)
ORDER BY c.constraint_type, c.constraint_name;
IF NOT EXISTS (SELECT * FROM sys.foreign_keys WHERE referenced_object_id = @id)
    PRINT 'No foreign keys reference table ''' + @objname + ''', or you do not have permissions on referencing tables.';
ELSE SELECT OBJECT_SCHEMA_NAME(f.parent_object_id) + '.' + OBJECT_NAME(f.parent_object_id) + ': ' + f.name AS [Table is referenced by foreign key]
FROM sys.foreign_keys AS f WHERE f.referenced_object_id = @id ORDER BY 1
