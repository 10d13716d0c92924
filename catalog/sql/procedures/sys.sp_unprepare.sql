-- sp_unprepare: forget a statement of sp_prepare.
CREATE PROCEDURE sys.sp_unprepare @handle int
AS EXTERNAL NAME sbql.prepared.sp_unprepare
