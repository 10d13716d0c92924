-- sp_helptrigger: the DML triggers of a table or a view, or those for one event.
CREATE PROCEDURE sys.sp_helptrigger @tabname nvarchar(776), @triggertype char(6) = NULL
AS
DECLARE @id int = (SELECT object_id FROM sys.objects WHERE object_id = OBJECT_ID(@tabname) AND type IN ('U', 'V')), @database sysname = DB_NAME();
IF @id IS NULL
BEGIN
    RAISERROR (15009, -1, -1, @tabname, @database);
    RETURN (1);
END;
IF UPPER(@triggertype) NOT IN ('INSERT', 'UPDATE', 'DELETE') BEGIN RAISERROR (15305, -1, -1); RETURN (1); END;
SELECT trigger_name, trigger_owner, isupdate, isdelete, isinsert, isafter, isinsteadof, trigger_schema
FROM (SELECT t.name AS trigger_name, ISNULL(USER_NAME(o.principal_id), CAST(USER_NAME(s.principal_id) AS nvarchar(128))) AS trigger_owner,
        IIF(EXISTS (SELECT * FROM sys.trigger_events AS e WHERE e.object_id = t.object_id AND e.type_desc = 'UPDATE'), 1, 0) AS isupdate,
        IIF(EXISTS (SELECT * FROM sys.trigger_events AS e WHERE e.object_id = t.object_id AND e.type_desc = 'DELETE'), 1, 0) AS isdelete,
        IIF(EXISTS (SELECT * FROM sys.trigger_events AS e WHERE e.object_id = t.object_id AND e.type_desc = 'INSERT'), 1, 0) AS isinsert,
        IIF(t.is_instead_of_trigger = 1, 0, 1) AS isafter, CAST(t.is_instead_of_trigger AS int) AS isinsteadof, s.name AS trigger_schema
    FROM sys.triggers AS t JOIN sys.objects AS o ON o.object_id = t.object_id JOIN sys.schemas AS s ON s.schema_id = o.schema_id
    WHERE t.parent_id = @id) AS found
WHERE @triggertype IS NULL OR CASE UPPER(@triggertype) WHEN 'INSERT' THEN isinsert WHEN 'UPDATE' THEN isupdate ELSE isdelete END = 1
ORDER BY trigger_name
