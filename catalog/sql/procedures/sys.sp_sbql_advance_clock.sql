-- sp_sbql_advance_clock: move a virtual clock on, and wait until all that came due is done; own to sbql.
CREATE PROCEDURE sys.sp_sbql_advance_clock @time nvarchar(60)
AS EXTERNAL NAME sbql.operations.sp_sbql_advance_clock
