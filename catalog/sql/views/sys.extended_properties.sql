-- sys.extended_properties: what sp_addextendedproperty has stored in the current database.
-- column: class tinyint not null
-- column: class_desc nvarchar(60)
-- column: major_id int not null
-- column: minor_id int not null
-- column: name sysname not null
-- column: value sql_variant
SELECT class, class_desc, major_id, minor_id, name,
    CASE WHEN base IS NOT NULL THEN struct_pack(sort := sort, base := base, "text" := value_text) END AS value
FROM catalog_extended_properties WHERE database_id = $database_id
