-- sp_cycle_errorlog: begin a new error log.
CREATE PROCEDURE sys.sp_cycle_errorlog
AS EXTERNAL NAME sbql.operations.sp_cycle_errorlog
