-- sp_sbql_listen: trace events and lines of the error log as they arise, each a message in JSON, until it is cancelled; own to sbql.
CREATE PROCEDURE sys.sp_sbql_listen @to nvarchar(1000) = N'broker', @seconds int = NULL, @ends int = NULL
AS EXTERNAL NAME sbql.listening.sp_sbql_listen
