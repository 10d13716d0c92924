-- sp_datatype_info_90: sp_datatype_info as drivers of SQL Server 2005 ask for it.
CREATE PROCEDURE sys.sp_datatype_info_90 @data_type int = 0, @ODBCVer tinyint = 2
AS
DECLARE @returned int;
EXEC @returned = sys.sp_datatype_info @data_type, @ODBCVer;
RETURN (@returned)
