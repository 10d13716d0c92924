-- sp_releaseapplock: give an application lock back.
CREATE PROCEDURE sys.sp_releaseapplock @Resource nvarchar(255), @LockOwner varchar(32) = 'Transaction', @DbPrincipal sysname = N'public'
AS EXTERNAL NAME sbql.app_locks.sp_releaseapplock
