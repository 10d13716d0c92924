-- xp_instance_regread: a value of the registry that setup has written, given in @value or shown.
CREATE PROCEDURE sys.xp_instance_regread @rootkey nvarchar(128), @key nvarchar(4000), @value_name nvarchar(4000), @value nvarchar(4000) = NULL OUTPUT, @no_output varchar(10) = NULL
AS EXTERNAL NAME sbql.windows_registry.xp_instance_regread
