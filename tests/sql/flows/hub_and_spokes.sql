-- Master data is published from a hub to subscribers in a table: one dialog each, one SEND to all, reference data as xml, MERGE on arrival,
-- a subscriber that leaves, one that comes late and gets everything.
CREATE DATABASE Hub;
GO
USE Hub;
GO
CREATE TABLE Product (Id int PRIMARY KEY, Name nvarchar(30), Price money);
CREATE TABLE Subscriber (ServiceName nvarchar(256) PRIMARY KEY, Handle uniqueidentifier NOT NULL UNIQUE);
CREATE MESSAGE TYPE [hub/data] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [hub/contract] ([hub/data] SENT BY INITIATOR);
CREATE QUEUE HubQ; CREATE QUEUE SpokeQ;
CREATE SERVICE [hub] ON QUEUE HubQ;
CREATE SERVICE [spoke/a] ON QUEUE SpokeQ ([hub/contract]); CREATE SERVICE [spoke/b] ON QUEUE SpokeQ ([hub/contract]);
CREATE TABLE Copy_ (Spoke nvarchar(256), Id int, Name nvarchar(30), Price money, PRIMARY KEY (Spoke, Id));
GO
CREATE PROCEDURE Subscribe_ @service nvarchar(256) AS
    SET XACT_ABORT, NOCOUNT ON;
    DECLARE @h uniqueidentifier, @all xml;
    BEGIN TRAN;
    BEGIN DIALOG @h FROM SERVICE [hub] TO SERVICE @service ON CONTRACT [hub/contract] WITH ENCRYPTION = OFF;
    INSERT Subscriber VALUES (@service, @h);
    SELECT @all = (SELECT Id AS [@id], Name, Price FROM Product FOR XML PATH('product'), ROOT('products'), TYPE);
    IF @all IS NOT NULL SEND ON CONVERSATION @h MESSAGE TYPE [hub/data] (@all);
    COMMIT;
GO
CREATE TRIGGER Publish ON Product AFTER INSERT, UPDATE AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @x xml, @h uniqueidentifier;
    SET @x = (SELECT Id AS [@id], Name, Price FROM inserted FOR XML PATH('product'), ROOT('products'), TYPE);
    IF @x IS NULL RETURN;
    DECLARE s CURSOR LOCAL FAST_FORWARD FOR SELECT Handle FROM Subscriber;
    OPEN s; FETCH NEXT FROM s INTO @h;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        SEND ON CONVERSATION @h MESSAGE TYPE [hub/data] (@x);
        FETCH NEXT FROM s INTO @h;
    END;
    CLOSE s; DEALLOCATE s;
END;
GO
CREATE PROCEDURE OnSpoke AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @h uniqueidentifier, @spoke nvarchar(256), @t nvarchar(256), @x xml;
    WHILE 1 = 1
    BEGIN
        SET @h = NULL;
        RECEIVE TOP (1) @h = conversation_handle, @spoke = service_name, @t = message_type_name, @x = CAST(message_body AS xml) FROM SpokeQ;
        IF @h IS NULL BREAK;
        IF @t = N'hub/data'
            MERGE Copy_ AS c
            USING (SELECT p.value('@id', 'int') AS Id, p.value('(Name)[1]', 'nvarchar(30)') AS Name, p.value('(Price)[1]', 'money') AS Price FROM @x.nodes('/products/product') AS n(p)) AS s
            ON c.Spoke = @spoke AND c.Id = s.Id
            WHEN MATCHED THEN UPDATE SET Name = s.Name, Price = s.Price
            WHEN NOT MATCHED BY TARGET THEN INSERT (Spoke, Id, Name, Price) VALUES (@spoke, s.Id, s.Name, s.Price);
        ELSE END CONVERSATION @h;
    END;
END;
GO
ALTER QUEUE SpokeQ WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = OnSpoke, MAX_QUEUE_READERS = 1, EXECUTE AS SELF);
GO
EXEC Subscribe_ N'spoke/a';
INSERT Product VALUES (1, N'nail', 0.1), (2, N'hammer', 12);
EXEC Subscribe_ N'spoke/b';
UPDATE Product SET Price *= 2 WHERE Id = 1;
GO
--! settle
SELECT Spoke, Id, Name, Price FROM Copy_ ORDER BY Spoke, Id;
GO
--! rows
--! spoke/a | 1 | nail | .2000
--! spoke/a | 2 | hammer | 12.0000
--! spoke/b | 1 | nail | .2000
--! spoke/b | 2 | hammer | 12.0000
DECLARE @h uniqueidentifier;
DELETE Subscriber WHERE ServiceName = N'spoke/b';
SELECT @h = conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1 AND far_service = N'spoke/b';
END CONVERSATION @h;
UPDATE Product SET Name = N'tack' WHERE Id = 1;
GO
--! settle
SELECT Spoke, Name FROM Copy_ WHERE Id = 1 ORDER BY Spoke;
SELECT state_desc, far_service, is_initiator FROM sys.conversation_endpoints ORDER BY is_initiator, state_desc;
GO
--! rows
--! spoke/a | tack
--! spoke/b | nail
--! rows
--! CLOSED | hub | 0
--! CONVERSING | hub | 0
--! CONVERSING | spoke/a | 1
