-- sys.assembly_files: empty: there are no CLR assemblies here.
-- column: assembly_id int not null
-- column: name nvarchar(260)
-- column: file_id int not null
-- column: content varbinary(max)
SELECT NULL AS assembly_id, NULL AS name, NULL AS file_id, NULL AS content
WHERE false
