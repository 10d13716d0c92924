-- sys.assemblies: empty: there are no CLR assemblies here.
-- column: name sysname not null
-- column: principal_id int
-- column: assembly_id int not null
-- column: clr_name nvarchar(4000)
-- column: permission_set tinyint
-- column: permission_set_desc nvarchar(60)
-- column: is_visible bit not null
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: is_user_defined bit
SELECT NULL AS name, NULL AS principal_id, NULL AS assembly_id, NULL AS clr_name, NULL AS permission_set, NULL AS
    permission_set_desc, NULL AS is_visible, NULL AS create_date, NULL AS modify_date, NULL AS is_user_defined
WHERE false
