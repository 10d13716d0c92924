-- sp_sbql_drop_consumer: release a consumer, and forget it; own to sbql.
CREATE PROCEDURE sys.sp_sbql_drop_consumer @queue nvarchar(517), @consumer sysname = N'spark'
AS EXTERNAL NAME sbql.consumers.sp_sbql_drop_consumer
