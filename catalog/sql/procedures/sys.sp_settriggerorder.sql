-- sp_settriggerorder: which trigger of a table runs first, and which last.
CREATE PROCEDURE sys.sp_settriggerorder @triggername nvarchar(517), @order varchar(10), @stmttype varchar(50), @namespace varchar(10) = NULL
AS EXTERNAL NAME sbql.trigger_order.sp_settriggerorder
