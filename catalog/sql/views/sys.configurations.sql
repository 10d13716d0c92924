-- sys.configurations: the options of sp_configure.
-- column: configuration_id int not null
-- column: name nvarchar(35) not null
-- column: value sql_variant
-- column: minimum sql_variant
-- column: maximum sql_variant
-- column: value_in_use sql_variant
-- column: description nvarchar(255) not null
-- column: is_dynamic bit not null
-- column: is_advanced bit not null
SELECT configuration_id, name, sbql.variant_of('int', value) AS value, sbql.variant_of('int', minimum) AS minimum,
    sbql.variant_of('int', maximum) AS maximum, sbql.variant_of('int', value_in_use) AS value_in_use, description, is_dynamic,
    is_advanced
FROM live_configuration
