-- sp_special_columns_90: sp_special_columns as drivers of SQL Server 2005 ask for it.
CREATE PROCEDURE sys.sp_special_columns_90
    @table_name sysname, @table_owner sysname = NULL, @qualifier sysname = NULL, @col_type char(1) = 'R',
    @scope char(1) = 'T', @nullable char(1) = 'U', @ODBCVer int = 2
AS
DECLARE @returned int;
EXEC @returned = sys.sp_special_columns @table_name, @table_owner, @qualifier, @col_type, @scope, @nullable, @ODBCVer;
RETURN (@returned)
