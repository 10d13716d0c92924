-- sp_getapplock: an application lock for the transaction or the session: 0 granted, 1 granted after waiting, -1 timed out, -3 deadlock victim.
CREATE PROCEDURE sys.sp_getapplock @Resource nvarchar(255), @LockMode varchar(32), @LockOwner varchar(32) = 'Transaction', @LockTimeout int = NULL,
    @DbPrincipal sysname = N'public'
AS EXTERNAL NAME sbql.app_locks.sp_getapplock
