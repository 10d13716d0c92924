-- sp_ms_marksystemobject: mark a procedure of master, so that it works in the database that it is called from.
CREATE PROCEDURE sys.sp_ms_marksystemobject @objname nvarchar(517), @namespace varchar(10) = NULL
AS EXTERNAL NAME sbql.command_loops.sp_ms_marksystemobject
