-- sp_updateextendedproperty: change a property of an object.
CREATE PROCEDURE sys.sp_updateextendedproperty @name sysname, @value sql_variant = NULL, @level0type varchar(128) = NULL, @level0name sysname = NULL, @level1type varchar(128) = NULL,
    @level1name sysname = NULL, @level2type varchar(128) = NULL, @level2name sysname = NULL
AS EXTERNAL NAME sbql.properties.sp_updateextendedproperty
