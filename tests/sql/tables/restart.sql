-- What a store that was closed and opened again goes on with.
CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, V varchar(10) DEFAULT 'd', CONSTRAINT CK CHECK (V <> 'no'));
CREATE SEQUENCE dbo.S START WITH 1;
INSERT dbo.T (V) VALUES ('a'), ('b');
SELECT NEXT VALUE FOR dbo.S;
GO
--! rows
--! 1
--! restart
INSERT dbo.T DEFAULT VALUES;
SELECT Id, V FROM dbo.T ORDER BY Id;
INSERT dbo.T (V) VALUES ('no');
DECLARE @next bigint = NEXT VALUE FOR dbo.S;
SELECT CASE WHEN @next > 1 THEN 'further' END;
GO
--! rows
--! 1 | a
--! 2 | b
--! 3 | d
--! error 547
--! rows
--! further
