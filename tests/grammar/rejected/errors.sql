SELECT FROM t
GO
--! error 156 line 1 column 8 text 'FROM'
SELECT 'abc
GO
--! error 105 line 1 column 8
SELECT [abc
GO
--! error 105 line 1 column 8
SELECT 1 /* a /* b */
GO
--! error 113 line 1 column 10
SELECT 1
CREATE PROCEDURE p AS SELECT 1
GO
--! error 111 line 2 column 8 text 'CREATE PROCEDURE'
SELECT 1
ALTER VIEW v AS SELECT 1 AS a
GO
--! error 111 line 2 text 'ALTER VIEW'
SELECT 1 CREATE OR ALTER FUNCTION f () RETURNS int AS BEGIN RETURN 1 END
GO
--! error 111 line 1 text FUNCTION
SELECT 1 CREATE SCHEMA s
GO
--! error 111 line 1 text CREATE SCHEMA
IF 1 = 1 CREATE PROCEDURE p AS SELECT 1
GO
--! error 156 line 1 text 'PROCEDURE'
SELECT 1 AS a
WITH c AS (SELECT 1 AS x) SELECT x FROM c
GO
--! error 319 line 2
SELECT a FROM t
WITH c AS (SELECT 1 AS x) SELECT x FROM c
GO
--! error 319 line 2
SELECT a FROM t WITH XMLNAMESPACES ('u' AS p) SELECT 1
GO
--! error 319 line 1
CREATE QUEUE q WITH STATUS = MAYBE
GO
--! error 102 line 1 column 30 text 'MAYBE'. Expected OFF or ON.
CREATE QUEUE q WITH STATUS = ON, STATUS = OFF
GO
--! error 102 line 1 text STATUS
CREATE QUEUE q WITH ACTIVATION (DROP)
GO
--! error 156 line 1 text ALTER QUEUE
CREATE QUEUE q WITH ACTIVATION (EXECUTE AS CALLER)
GO
--! error 102 line 1 text SELF, OWNER or 'user'
RECEIVE TOP (1) * FROM q WHERE status = 'x'
GO
--! error 102 line 1 column 32 text conversation_group_id
RECEIVE TOP (1) * FROM q WHERE conversation_handle = @h AND 1 = 1
GO
--! error 156 line 1 text 'AND'
RECEIVE TOP (50) PERCENT * FROM q
GO
--! error 156 line 1 text 'PERCENT'
WAITFOR (SELECT 1), TIMEOUT 5
GO
--! error 156 line 1 text 'SELECT'
WAITFOR (RECEIVE * FROM q), TIMEOUT = 5
GO
--! error 102 line 1 text '='
BEGIN DIALOG @h FROM SERVICE a TO SERVICE b
GO
--! error 102 line 1 text 'b'
BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'b' WITH RELATED_CONVERSATION = @x, RELATED_CONVERSATION_GROUP = @y
GO
--! error 102 line 1 text RELATED_CONVERSATION
SEND ON @h (1)
GO
--! error 156 line 1 text 'ON'
END CONVERSATION @h WITH ERROR = 1
GO
--! error 102 line 1 text DESCRIPTION
DROP MESSAGE TYPE a, b
GO
--! error 102 line 1 column 20 text DROP MESSAGE TYPE takes one name
DROP CONTRACT a, b
GO
--! error 102 line 1 text DROP CONTRACT takes one name
CREATE REMOTE SERVICE BINDING b TO SERVICE 's' ON CONTRACT c WITH USER = u
GO
--! error 156 line 1 text no contract
ALTER MESSAGE TYPE m AUTHORIZATION dbo
GO
--! error 156 line 1 text ALTER AUTHORIZATION ON MESSAGE TYPE
CREATE MESSAGE TYPE m VALIDATION = VALID_XML
GO
--! error 102 line 1 text WITH SCHEMA COLLECTION
CREATE CERTIFICATE c FROM FILE = 'f' WITH PRIVATE_KEY (FILE = 'k', DECRYPTION_PASSWORD = 'p')
GO
--! error 102 line 1 text PRIVATE KEY (FILE
CREATE CERTIFICATE c FROM FILE = 'f' WITH PRIVATE KEY (FILE = 'k', DECRYPTION_PASSWORD = 'p')
GO
--! error 102 line 1 text DECRYPTION BY PASSWORD
CREATE REMOTE SERVICE BINDING b TO SERVICE 's' WITH ANONYMOUS = ON
GO
--! error 102 line 1 text USER
CREATE TABLE t (a)
GO
--! error 102 line 1 text needs a type
CREATE TABLE t (a int NULL NULL)
GO
--! error 102 line 1
CREATE TABLE t (a int,,)
GO
--! error 102 line 1 text ','
BEGIN END
GO
--! error 156 line 1 text 'END'
BEGIN SELECT 1
GO
--! error 102 line 1 text The batch ends too soon
BEGIN TRY SELECT 1 END TRY
GO
--! error 102 line 1 text BEGIN
IF 1 SELECT 2
GO
--! error 4145 line 1 text 'SELECT'
SELECT a b c FROM t
GO
--! error 102 line 1 column 12 text 'c'
SELECT 1 FROM a.b.c.d.e
GO
--! error 117 line 1
SELECT @x.foo('a')
GO
--! error 227 line 1 text foo
SELECT * FROM (SELECT 1 AS a)
GO
--! error 102 line 1 text ')'
SELECT 1 UNION (SELECT 2 UNION SELECT 3 ORDER BY 1)
GO
--! error 156 line 1 text ORDER
UPDATE t SET a.foo('x')
GO
--! error 102 line 1 text modify
RAISERROR ('a', 16, 1) WITH LOUD
GO
--! error 102 line 1 text NOWAIT
DECLARE c CURSOR FASTER FOR SELECT 1
GO
--! error 102 line 1 text FASTER
CREATE FUNCTION f () RETURNS int AS BEGIN SELECT 1 END
GO
--! error 455 line 1
SELECT a FROM t FOR XML SIDEWAYS
GO
--! error 102 line 1 text RAW or AUTO
SELECT a FROM t WITH (QUICK)
GO
--! error 102 line 1 text table hint
FOO BAR BAZ
GO
--! error 102 line 1
SELECT `a`
GO
--! error 102 line 1 column 8
SELECT 1 FROM t LEFT t2 ON 1 = 1
GO
--! error 102 line 1 text 't2'
EXEC p;2
GO
--! error 40517 line 1
SELECT aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
GO
--! error 103 line 1
CREATE TABLE t (a int) SELECT FROM t
PRINT 'fine'
CREATE QUEUE q WITH COLOR = RED
GO
--! error 156 line 1 text 'FROM'
--! error 102 line 3 text 'COLOR'
BEGIN
    SELECT FROM t
    PRINT 'x'
    EXEC p @a =
    PRINT 'y'
END
DECLARE @x
GO
--! error 156 line 2
--! error 156 line 5
--! error 102 line 7
IF 1 = 1 BEGIN RETURN 5 END
GO
--! error 178 line 1 column 16
CREATE TRIGGER tr ON t AFTER INSERT AS RETURN 1
GO
--! error 178 line 1
CREATE FUNCTION f () RETURNS @t TABLE (a int) AS BEGIN IF 1 = 1 RETURN 1 RETURN END
GO
--! error 178 line 1
SELECT LEFT('x' FROM y)
GO
--! error 156 line 1 text 'FROM'
SELECT 1 FROM t WHERE CONTAINS(a, 'x') AND FREETEXT(*, 'y')
GO
--! error 40517 line 1 text CONTAINS
BEGIN CONVERSATION DIALOG @h FROM SERVICE a TO SERVICE 'b'
GO
--! error 102 line 1 text Expected TIMER.
CREATE CONTRACT c (DEFAULT SENT BY ANY)
GO
--! error 156 line 1 column 20 text 'DEFAULT'
SELECT a FROM t, OPENQUERY(srv, 'SELECT 1') AS q
GO
--! error 40517 line 1 text 'OPENQUERY'
