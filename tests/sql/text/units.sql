-- nvarchar is UTF-16 units: in closures and in queries a string is cut between the halves of a pair, and made whole again.

CREATE TABLE t (id int IDENTITY, a nvarchar(10), b nvarchar(max));
INSERT t (a, b) VALUES (N'a😀b', N'x😀y😀');
GO

SELECT LEN(a), DATALENGTH(a), SUBSTRING(a, 1, 2) + SUBSTRING(a, 3, 2), LEFT(b, 2) + RIGHT(b, 4) FROM t;
SELECT CAST(SUBSTRING(a, 1, 2) AS varbinary(10)), CAST(SUBSTRING(a, 3, 2) AS varbinary(10)), UNICODE(SUBSTRING(a, 3, 1)) FROM t;
SELECT COUNT(*) FROM t WHERE SUBSTRING(a, 1, 2) + SUBSTRING(a, 3, 2) = a AND a LIKE N'a__b' AND STUFF(a, 2, 2, N'') = N'ab';
SELECT CAST(a AS varchar(2)), CAST(RIGHT(a, 3) AS char(1)), CAST(CAST(a AS nchar(2)) AS varbinary(10)), CONCAT(CAST(a AS nvarchar(2)), N'q') + N'' FROM t
  WHERE CONCAT(CAST(a AS nvarchar(2)), N'q') = N'a' + NCHAR(55357) + N'q';
GO
--! spec TEXT-6 TEXT-7
--! rows
--! 4 | 8 | a😀b | x😀y😀
--! rows
--! 0x61003DD8 | 0x00DE6200 | 56832
--! rows
--! 1
--! rows
--! a? | ? | 0x61003DD8 | *

SELECT CAST(NCHAR(55357) AS varbinary(4)), NCHAR(55357) + NCHAR(56832) FROM t;
SELECT CAST(REVERSE(a) AS varbinary(10)), REVERSE(REVERSE(a)), CHARINDEX(NCHAR(56832), a), REPLACE(a, NCHAR(55357), N'') + N'|' FROM t WHERE 1 = 0;
SELECT CHARINDEX(NCHAR(56832), a), CHARINDEX(N'b', a), PATINDEX(N'%b', a) FROM t;
GO
--! spec TEXT-8 TEXT-6
--! rows
--! 0x3DD8 | 😀
--! rows
--! rows
--! 3 | 4 | 4

-- A body that is sent in pieces is the same body.
CREATE DATABASE mail;
GO
USE mail;
CREATE QUEUE q;
CREATE SERVICE s ON QUEUE q ([DEFAULT]);
DECLARE @h uniqueidentifier, @body nvarchar(max) = N'a😀b';
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;
SET @body = LEFT(@body, 2) + SUBSTRING(@body, 3, 10);
SEND ON CONVERSATION @h (@body);
GO

RECEIVE CAST(message_body AS nvarchar(max)) AS body, message_body FROM q;
GO
--! spec TEXT-7
--! rows
--! a😀b | 0x61003DD800DE6200

-- Under _SC a supplementary character is one.
USE master;
CREATE TABLE sc (x nvarchar(20) COLLATE Latin1_General_100_CI_AS_SC);
INSERT sc VALUES (N'a😀bé');
SELECT LEN(x), SUBSTRING(x, 2, 1), LEFT(x, 2), RIGHT(x, 3), STUFF(x, 2, 1, N'-'), REVERSE(x), DATALENGTH(x) FROM sc;
SELECT CHARINDEX(N'B', x), CHARINDEX(N'B', x, 3), CHARINDEX(N'B', x, 4), PATINDEX(N'%b%', x), UNICODE(SUBSTRING(x, 2, 1)) FROM sc WHERE x LIKE N'a_b_';
DECLARE @x nvarchar(20) = N'a😀bé';
SELECT LEN(@x COLLATE Latin1_General_100_CI_AS_SC), SUBSTRING(@x COLLATE Latin1_General_100_CI_AS_SC, 2, 1), LEN(@x), CHARINDEX(N'b', @x);
GO
--! spec TEXT-11
--! rows
--! 4 | 😀 | a😀 | 😀bé | a-bé | éb😀a | 10
--! rows
--! 3 | 3 | 0 | 3 | 128512
--! rows
--! 4 | 😀 | 5 | 4
