-- sp_describe_first_result_set: the columns of the first result set that a batch gives.
CREATE PROCEDURE sys.sp_describe_first_result_set @tsql nvarchar(max), @params nvarchar(max) = NULL, @browse_information_mode tinyint = 0
AS EXTERNAL NAME sbql.prepared.sp_describe_first_result_set
