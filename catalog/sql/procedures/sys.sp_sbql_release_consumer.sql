-- sp_sbql_release_consumer: put back what a consumer was delivered and has not acknowledged; own to sbql.
CREATE PROCEDURE sys.sp_sbql_release_consumer @queue nvarchar(517), @consumer sysname = N'spark'
AS EXTERNAL NAME sbql.consumers.sp_sbql_release_consumer
