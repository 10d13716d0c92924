-- sp_describe_undeclared_parameters: the variables that a batch does not declare, with the types that fit.
CREATE PROCEDURE sys.sp_describe_undeclared_parameters @tsql nvarchar(max), @params nvarchar(max) = NULL
AS EXTERNAL NAME sbql.prepared.sp_describe_undeclared_parameters
