-- Names that nothing has: what may have been meant. Only what the user may see is told.
CREATE DATABASE Near;
GO
USE Near;
GO
CREATE SCHEMA sales;
GO
CREATE TABLE sales.Orders (OrderId int, Customer nvarchar(20)); CREATE TABLE dbo.Items (ItemId int); CREATE QUEUE InboxQueue;
GO
CREATE PROCEDURE HandleRequest AS PRINT 'x';
GO
SELECT * FROM Orders;
GO
--! error 208 text Did you mean sales.Orders?
SELECT * FROM Itms;
GO
--! error 208 text Did you mean Items?
INSERT Itms VALUES (1);
GO
--! error 208 text Did you mean Items?
SELECT ItemI FROM Items;
GO
--! error 207 text Did you mean ItemId?
INSERT Items (ItmId) VALUES (1);
GO
--! error 207 text Did you mean ItemId?
UPDATE Items SET ItmId = 1;
GO
--! error 207 text Did you mean ItemId?
DELETE Items WHERE IdemId = 2;
GO
--! error 207 text Did you mean ItemId?
RECEIVE * FROM InboxQueu;
GO
--! error 208 text Did you mean InboxQueue?
EXEC HandelRequest;
GO
--! error 2812 text Did you mean HandleRequest?
EXEC sp_helptex 'HandleRequest';
GO
--! error 2812 text Did you mean sp_helptext?
EXEC PRNT 'x';
EXECUTE nope;
EXEC ('EXEC OPN');
GO
--! error 2812 text Look at its schema
--! error 2812 text Look at its schema
--! error 2812 text Look at its schema
PRNT 'x';
GO
--! error 2812 text Did you mean PRINT?
SELECT * FROM sys.service_queus;
GO
--! error 208 text Did you mean sys.service_queues?
SELECT * FROM Neer.dbo.Items;
GO
--! error 208 text Did you mean Near?
USE Neer;
GO
--! error 911 text Did you mean Near?
SELECT * FROM Nothing;
GO
--! error 208 text There is no object named 'Nothing'.
USE tempdb;
GO
SELECT * FROM Items;
GO
--! error 208 text The database Near has one: USE Near first, or write Near.dbo.Items.
-- A user without rights is told nothing of the tables that are there.
USE Near; CREATE USER Blind WITHOUT LOGIN; EXECUTE AS USER = 'Blind';
SELECT * FROM sys.tables;
GO
--! rows
DECLARE @text nvarchar(200);
BEGIN TRY EXEC (N'SELECT * FROM Itms'); END TRY BEGIN CATCH SET @text = ERROR_MESSAGE(); END CATCH
SELECT CHARINDEX(N'Items', @text);
GO
--! rows
--! 0
REVERT;
GO
