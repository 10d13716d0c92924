-- sys.data_spaces: the one filegroup that every database has.
-- column: name sysname not null
-- column: data_space_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: is_default bit
-- column: is_system bit
SELECT 'PRIMARY' AS name, 1 AS data_space_id, 'FG' AS type, 'ROWS_FILEGROUP' AS type_desc, true AS is_default, false AS is_system
