-- sys.extended_properties: empty: extended properties are not kept.
-- column: class tinyint not null
-- column: class_desc nvarchar(60)
-- column: major_id int not null
-- column: minor_id int not null
-- column: name sysname not null
-- column: value sql_variant
SELECT NULL AS class, NULL AS class_desc, NULL AS major_id, NULL AS minor_id, NULL AS name, NULL AS value
WHERE false
