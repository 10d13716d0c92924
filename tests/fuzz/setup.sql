CREATE DATABASE Fuzz
GO
USE Fuzz
GO
CREATE TABLE t (a int NOT NULL PRIMARY KEY, b nvarchar(50), c decimal(9, 2), d datetime, e xml, f varbinary(max), g bit DEFAULT 1)
CREATE TABLE u (a int IDENTITY(1, 1) PRIMARY KEY, b nvarchar(max), t_id int REFERENCES t (a), h uniqueidentifier DEFAULT NEWID())
INSERT t VALUES (1, N'one', 1.50, '20260101', N'<r><x i="1">y</x></r>', 0x0102, 1), (2, NULL, NULL, NULL, NULL, NULL, NULL),
    (3, N'drei ß', -7, '19991231 23:59', N'<a/>', 0x, 0)
INSERT u (b, t_id) VALUES (N'x', 1), (N'y', 3), (NULL, NULL)
CREATE MESSAGE TYPE m VALIDATION = WELL_FORMED_XML
CREATE CONTRACT k (m SENT BY ANY)
CREATE QUEUE q
CREATE QUEUE q2
CREATE SERVICE s ON QUEUE q (k, [DEFAULT])
CREATE SERVICE s2 ON QUEUE q2 (k, [DEFAULT])
CREATE SEQUENCE n AS int START WITH 1
CREATE TYPE dbo.y FROM nvarchar(30)
GO
CREATE VIEW v AS SELECT a, b FROM t
GO
CREATE PROCEDURE p @x int = 1, @y nvarchar(50) = N'z' OUTPUT AS
SELECT @x AS x, b FROM t WHERE a = @x
RETURN @x
GO
CREATE FUNCTION fn (@x int) RETURNS int AS
BEGIN
    RETURN @x * 2
END
GO
CREATE FUNCTION ft (@x int) RETURNS TABLE AS RETURN (SELECT a, b FROM t WHERE a >= @x)
GO
CREATE TRIGGER tr ON u AFTER INSERT, UPDATE AS
IF EXISTS (SELECT * FROM inserted WHERE b = N'no') ROLLBACK
GO
CREATE PROCEDURE reader AS
DECLARE @h uniqueidentifier, @b varbinary(max), @m sysname
WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @b = message_body, @m = message_type_name FROM q2), TIMEOUT 100
IF @m = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog' END CONVERSATION @h
ELSE IF @h IS NOT NULL INSERT u (b) VALUES (CAST(@b AS nvarchar(max)))
GO
ALTER QUEUE q2 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER)
GO
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's2' ON CONTRACT k WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE m (N'<a/>')
GO
