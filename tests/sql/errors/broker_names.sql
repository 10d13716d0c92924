-- Errors about names of broker objects say what may have been meant, what to drop first, or where the names are listed.
CREATE DATABASE Asks; CREATE DATABASE Elsewhere;
GO
USE Asks;
GO
CREATE MESSAGE TYPE Ask; CREATE MESSAGE TYPE Answer; CREATE MESSAGE TYPE Other;
CREATE CONTRACT Asking (Ask SENT BY INITIATOR, Answer SENT BY TARGET);
CREATE QUEUE q; CREATE QUEUE BusyQueue;
CREATE SERVICE Asker ON QUEUE q (Asking); CREATE SERVICE Mute ON QUEUE q;
CREATE TABLE Handles (h uniqueidentifier);
GO
CREATE CONTRACT c2 (ask SENT BY INITIATOR);
GO
--! error 15151 text Did you mean Ask? These names are case sensitive.
CREATE CONTRACT c2 (Anwser SENT BY INITIATOR);
GO
--! error 15151 text Did you mean Answer?
CREATE SERVICE s2 ON QUEUE q (ASKING);
GO
--! error 15151 text Did you mean Asking? These names are case sensitive.
CREATE SERVICE s2 ON QUEUE BusyQeue (Asking);
GO
--! error 208 text Did you mean BusyQueue?
DROP SERVICE asker;
GO
--! error 15151 text Did you mean Asker? These names are case sensitive.
ALTER SERVICE Askr (ADD CONTRACT Asking);
GO
--! error 15151 text Did you mean Asker?
ALTER MESSAGE TYPE answer VALIDATION = NONE;
GO
--! error 15151 text Did you mean Answer? These names are case sensitive.
GRANT SEND ON SERVICE::asker TO public;
GO
--! error 15151 text Did you mean Asker? These names are case sensitive.
DROP CONTRACT Nothing;
GO
--! error 15151 text sys.service_contracts lists
DROP ROUTE Nothing;
GO
--! error 15151 text sys.routes lists
DROP CERTIFICATE Nothing;
GO
--! error 15151 text sys.certificates lists
OPEN MASTER KEY DECRYPTION BY PASSWORD = 'x';
GO
--! error 15151 text CREATE MASTER KEY ENCRYPTION BY PASSWORD
DROP QUEUE q;
GO
--! error 3716 text Drop or change first: Asker, Mute.
DROP MESSAGE TYPE Ask;
GO
--! error 3716 text Drop or change first: Asking.
DROP CONTRACT Asking;
GO
--! error 3716 text Drop or change first: Asker.
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE asker TO SERVICE 'Asker' ON CONTRACT Asking;
GO
--! error 8423 text Did you mean Asker? These names are case sensitive.
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Nobody TO SERVICE 'Asker' ON CONTRACT Asking;
GO
--! error 8423 text sys.services lists
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Asker TO SERVICE 'Asker' ON CONTRACT asking;
GO
--! error 8425 text Did you mean Asking? These names are case sensitive.
USE Elsewhere;
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Asker TO SERVICE 'Asker' ON CONTRACT Asking;
GO
--! error 8423 text The database Asks has one: USE Asks first.
USE Asks;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Mute TO SERVICE 'Asker' ON CONTRACT Asking WITH ENCRYPTION = OFF; INSERT Handles VALUES (@h);
GO
DECLARE @h uniqueidentifier = (SELECT h FROM Handles); SEND ON CONVERSATION @h MESSAGE TYPE ask ('x');
GO
--! error 8428 text Did you mean Ask? Names of message types are case sensitive.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles); SEND ON CONVERSATION @h MESSAGE TYPE Other ('x');
GO
--! error 8431 text The contract Asking lets this side send Ask.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles); SEND ON CONVERSATION @h ('x');
GO
--! error 8431 text SEND without MESSAGE TYPE sends DEFAULT. The contract Asking lets this side send Ask.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles); SEND ON CONVERSATION @h MESSAGE TYPE Answer ('x');
GO
--! error 8432 text The contract Asking lets this side send Ask.
-- Caught errors have the advice too.
DECLARE @h uniqueidentifier, @text nvarchar(max);
BEGIN TRY BEGIN DIALOG @h FROM SERVICE asker TO SERVICE 'Asker' ON CONTRACT Asking; END TRY
BEGIN CATCH SET @text = ERROR_MESSAGE(); END CATCH
SELECT IIF(@text LIKE N'%mean Asker?%' AND @text NOT LIKE N'%Asker?%Asker?%', 1, 0);
GO
--! rows
--! 1
-- In a procedure that another calls it is said once.
CREATE PROCEDURE inside AS DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE asker TO SERVICE 'x' ON CONTRACT Asking;
GO
CREATE PROCEDURE outside AS DECLARE @text nvarchar(max);
BEGIN TRY EXEC inside; END TRY BEGIN CATCH SET @text = ERROR_MESSAGE(); END CATCH
SELECT IIF(@text LIKE N'%mean Asker?%' AND @text NOT LIKE N'%Asker?%Asker?%', 1, 0);
GO
EXEC outside;
GO
--! rows
--! 1
-- Who has no rights is told no names.
CREATE USER Blind WITHOUT LOGIN; GRANT CREATE CONTRACT TO Blind; EXECUTE AS USER = 'Blind';
GO
CREATE CONTRACT c2 (ask SENT BY INITIATOR);
GO
--! error 15151 text sys.service_message_types lists those that you may see.
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE asker TO SERVICE 'Asker' ON CONTRACT Asking;
GO
--! error 8423 text FROM SERVICE takes no others.
REVERT;
GO
