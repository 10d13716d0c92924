-- sp_dropextendedproperty: forget a property of an object.
CREATE PROCEDURE sys.sp_dropextendedproperty @name sysname, @level0type varchar(128) = NULL, @level0name sysname = NULL, @level1type varchar(128) = NULL,
    @level1name sysname = NULL, @level2type varchar(128) = NULL, @level2name sysname = NULL
AS EXTERNAL NAME sbql.properties.sp_dropextendedproperty
