-- sp_sbql_diagnose: why messages are stuck, with the evidence and the statements that repair it; own to sbql.
CREATE PROCEDURE sys.sp_sbql_diagnose @conversation nvarchar(60) = NULL, @queue nvarchar(517) = NULL, @from_service sysname = NULL,
    @to_service sysname = NULL, @level nvarchar(10) = N'WARNING', @configuration bit = 0, @from_database sysname = NULL, @to_database sysname = NULL,
    @contract sysname = NULL, @encryption nvarchar(10) = NULL, @broker_instance nvarchar(60) = NULL
AS EXTERNAL NAME sbql.diagnose.sp_sbql_diagnose
