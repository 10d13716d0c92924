-- APPLOCK_MODE and APPLOCK_TEST beside sp_getapplock, as their pages show them.
--! session one
CREATE DATABASE db
GO
USE db
BEGIN TRAN
DECLARE @result int
EXEC @result = sp_getapplock @DbPrincipal = 'public', @Resource = 'Form1', @LockMode = 'Shared', @LockOwner = 'Transaction'
SELECT APPLOCK_MODE('public', 'Form1', 'Transaction'), APPLOCK_MODE('public', 'Form2', 'Transaction'), APPLOCK_MODE('public', 'Form1', 'Session')
GO
--! rows
--! Shared | NoLock | NoLock
--! session two
USE db
BEGIN TRAN
SELECT APPLOCK_MODE('public', 'Form1', 'Transaction'), APPLOCK_TEST('public', 'Form1', 'Shared', 'Transaction'), APPLOCK_TEST('public', 'Form1', 'Exclusive', 'Transaction')
GO
--! rows
--! NoLock | 1 | 0
--! session one
EXEC sp_releaseapplock @DbPrincipal = 'public', @Resource = 'Form1'
COMMIT
GO
--! session two
SELECT APPLOCK_TEST('public', 'Form1', 'Exclusive', 'Transaction')
COMMIT
GO
--! rows
--! 1
SELECT APPLOCK_MODE('public', 'Form1', 'Transaction')
GO
--! error 3918
EXEC sp_getapplock 'Form1', 'Whatever', 'Session'
GO
--! error 15600
