-- Broker errors that belong to no other topic: consistency checks, names with too many parts, values of routes and endpoints.
CREATE DATABASE Faults;
CREATE DATABASE Apart;
GO
USE Faults;
CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
CREATE BROKER PRIORITY P FOR CONVERSATION;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
GO
-- DBCC CHECKDB counts what it looked at.
DBCC CHECKDB ('Faults');
GO
--! print DBCC results for 'Faults'
--! print 9675, state 1: Message types analysed: 14.
--! print 9676, state 1: Service contracts analysed: 6.
--! print 9667, state 1: Services analysed: 4.
--! print 9668, state 1: Service queues analysed: 4.
--! print 9669, state 1: Conversation endpoints analysed: 2.
--! print 9674, state 1: Conversation groups analysed: 2.
--! print 9670, state 1: Remote service bindings analysed: 0.
--! print 9605, state 1: Conversation priorities analysed: 1.
--! print DBCC
--! spec ERROR-8997 ERROR-9605 ERROR-9667 ERROR-9668 ERROR-9669 ERROR-9670 ERROR-9674 ERROR-9675 ERROR-9676
USE Apart;
GO
DBCC CHECKDB WITH NO_INFOMSGS;
DBCC CHECKDB;
GO
--! print DBCC results for 'Apart'
--! print 14
--! print 6
--! print Services analysed: 3
--! print Service queues analysed: 3
--! print endpoints analysed: 0
--! print groups analysed: 0
--! print bindings analysed: 0
--! print priorities analysed: 0
--! print DBCC
DBCC CHECKDB (Nowhere);
GO
--! error 911
USE Faults;
DBCC CHECKTABLE ('dbo.Q');
GO
--! error 2524
--! spec ERROR-2524
-- Names.
CREATE QUEUE Apart.dbo.Q;
CREATE SERVICE Far ON QUEUE Apart.dbo.Q;
GO
--! error 9609
CREATE QUEUE #Q;
GO
--! error 1093
-- A text that is too long, an endpoint's word that is none.
DECLARE @sql nvarchar(1000) = N'CREATE ROUTE Long WITH ADDRESS = ''' + REPLICATE(N'x', 300) + N'''';
EXEC (@sql);
GO
--! error 9660
CREATE ENDPOINT E AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (MESSAGE_FORWARDING = MAYBE);
GO
--! error 5840
-- A doomed transaction takes no broker statement that writes; and cannot be kept.
SET XACT_ABORT ON;
BEGIN TRANSACTION;
BEGIN TRY
    SELECT 1 / 0;
END TRY
BEGIN CATCH
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
END CATCH;
GO
--! error 3930
IF @@TRANCOUNT > 0 ROLLBACK;
GO
SET XACT_ABORT ON;
BEGIN TRANSACTION;
SAVE TRANSACTION Here;
BEGIN TRY
    DECLARE @x int = 1 / 0;
END TRY
BEGIN CATCH
    ROLLBACK TRANSACTION Here;
END CATCH;
GO
--! error 3931
IF @@TRANCOUNT > 0 ROLLBACK;
SET XACT_ABORT OFF;
GO
-- A file and a user that are not there.
CREATE CERTIFICATE C FROM FILE = 'missing.cer';
GO
--! error 15208
EXECUTE AS USER = 'Nobody';
GO
--! error 15517
