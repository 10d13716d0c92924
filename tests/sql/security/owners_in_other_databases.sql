-- Who the owner of an initiating service is in the database of the target: SEND is asked of his user there.
CREATE LOGIN lo WITH PASSWORD = 'x-1'; CREATE LOGIN holder WITH PASSWORD = 'x-1';
CREATE DATABASE A; CREATE DATABASE B;
GO
USE B; CREATE QUEUE Q; CREATE SERVICE ST ON QUEUE Q ([DEFAULT]);
USE A; CREATE USER lo FOR LOGIN lo; CREATE USER nobody WITHOUT LOGIN;
CREATE QUEUE QI; CREATE SERVICE SI AUTHORIZATION lo ON QUEUE QI; CREATE SERVICE SN AUTHORIZATION nobody ON QUEUE QI; CREATE SERVICE SD ON QUEUE QI;
ALTER DATABASE A SET TRUSTWORTHY ON;
GO
CREATE PROCEDURE Say @from sysname AS
BEGIN
    DECLARE @h uniqueidentifier, @status nvarchar(4000), @code int;
    BEGIN DIALOG @h FROM SERVICE @from TO SERVICE 'ST' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@from);
    SET @status = GET_TRANSMISSION_STATUS(@h);
    WITH XMLNAMESPACES ('http://schemas.microsoft.com/SQL/ServiceBroker/Error' AS e)
    SELECT @code = CAST(message_body AS xml).value('(/e:Error/e:Code)[1]', 'int') FROM QI WHERE conversation_handle = @h;
    SELECT CASE WHEN EXISTS (SELECT * FROM B.dbo.Q WHERE conversation_handle <> @h AND CAST(message_body AS nvarchar(10)) = @from) THEN 'came'
        WHEN @code IS NOT NULL THEN CAST(@code AS varchar(10))
        WHEN @status LIKE '%"lo" cannot reach the database "B"%' THEN 'no way in for lo'
        WHEN @status LIKE '%"holder" cannot reach the database "B"%' THEN 'no way in for holder'
        WHEN @status LIKE '%no certificate is bound%' THEN 'no certificate' WHEN @status LIKE '%has no master key%' THEN 'no master key'
        WHEN @status LIKE '%cannot reach the database "B"%' THEN 'no way in' ELSE @status END;
    END CONVERSATION @h WITH CLEANUP;
    EXEC B.dbo.Clear;
END;
GO
USE B;
GO
CREATE PROCEDURE Clear AS
BEGIN
    DECLARE @gone TABLE (status tinyint);
    WHILE EXISTS (SELECT * FROM Q) RECEIVE status FROM Q INTO @gone;
END;
GO
USE A;
GO
-- dbo, whose login may do everything.
EXEC Say 'SD';
GO
--! rows
--! came
--! spec TRUST-7
-- The owner's login has no user there; then it has one, without SEND.
EXEC Say 'SI';
GO
--! rows
--! no way in for lo
--! spec TRUST-10
USE B; CREATE ROLE Unrelated; CREATE USER lo FOR LOGIN lo; USE A;
EXEC Say 'SI';
GO
--! rows
--! -8494
USE B; GRANT SEND ON SERVICE::ST TO lo; USE A;
EXEC Say 'SI';
GO
--! rows
--! came
-- DENY counts before what public has.
USE B; REVOKE SEND ON SERVICE::ST FROM lo; DENY SEND ON SERVICE::ST TO lo; USE A;
EXEC Say 'SI';
GO
--! rows
--! -8494
USE B; GRANT SEND ON SERVICE::ST TO public; USE A;
EXEC Say 'SI';
GO
--! rows
--! -8494
--! spec TRUST-11
-- Whom nobody trusts is public, and is not denied anything.
ALTER DATABASE A SET TRUSTWORTHY OFF;
EXEC Say 'SI';
GO
--! rows
--! came
-- A user without a login is nobody there.
EXEC Say 'SN';
GO
--! rows
--! came
USE B; REVOKE SEND ON SERVICE::ST FROM public; USE A;
ALTER DATABASE A SET TRUSTWORTHY ON;
EXEC Say 'SN';
GO
--! rows
--! no way in
-- The owner of the database has to have AUTHENTICATE there: a login without a user, a user without it, and with it.
USE B; REVOKE SEND ON SERVICE::ST FROM lo; GRANT SEND ON SERVICE::ST TO lo; USE A;
ALTER AUTHORIZATION ON DATABASE::A TO holder;
EXEC Say 'SI';
GO
--! rows
--! no way in for holder
USE B; CREATE USER holder FOR LOGIN holder; USE A;
EXEC Say 'SI';
GO
--! rows
--! no way in for holder
USE B; GRANT AUTHENTICATE TO holder; USE A;
EXEC Say 'SI';
-- Its own services are those of holder, who has no SEND there.
EXEC Say 'SD';
GO
--! rows
--! came
--! rows
--! -8494
--! spec TRUST-10 TRUST-11
-- What waits goes on when there is a way in.
USE B; REVOKE AUTHENTICATE FROM holder; USE A;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE SI TO SERVICE 'ST' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'waits');
SELECT COUNT(*) FROM B.dbo.Q;
USE B; GRANT AUTHENTICATE TO holder; USE A;
GO
--! rows
--! 0
--! advance 70s
SELECT CAST(message_body AS nvarchar(10)) FROM B.dbo.Q;
GO
--! rows
--! waits
-- A remote service binding alone proves nothing: it takes certificates, or a way in by TRUSTWORTHY as without it.
USE B; DENY SEND ON SERVICE::ST TO lo; EXEC Clear; USE A;
ALTER DATABASE A SET TRUSTWORTHY OFF;
CREATE REMOTE SERVICE BINDING Bound TO SERVICE 'ST' WITH USER = nobody;
EXEC Say 'SI';
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!';
ALTER DATABASE A SET TRUSTWORTHY ON;
EXEC Say 'SI';
EXEC Say 'SD';
ALTER AUTHORIZATION ON DATABASE::A TO sa;
EXEC Say 'SD';
GO
--! rows
--! no master key
--! rows
--! no certificate
--! rows
--! no certificate
--! rows
--! came
--! spec BINDING-12 BINDING-15
