"""Every statement that changes what an instance keeps, with a database on which all of them can run.

It decides which statements there are, and what one may look at behind them: the views (`seen`) and statements that use
what was changed (`USES` in a transaction that is rolled back, `LASTING` for good). What is to come out is the tests'.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

__all__ = ["ALONE", "CHANGES", "LASTING", "USES", "lasting", "opened", "prepare", "seen", "settle", "used"]

_SCHEMA = '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="{}"/></xsd:schema>'
_SERVER = """
CREATE DATABASE D; CREATE LOGIN l1 WITH PASSWORD = 'x-1'; CREATE LOGIN l2 WITH PASSWORD = 'x-1'; CREATE LOGIN l3 WITH PASSWORD = 'x-1'; CREATE LOGIN l4 WITH PASSWORD = 'x-1'
EXEC sp_addmessage 60001, 16, 'kept'; EXEC sp_addmessage 60002, 16, 'kept'; CREATE SERVER ROLE sr; CREATE SERVER ROLE sr2; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Master-0'; CREATE CERTIFICATE cm WITH SUBJECT = 'm', START_DATE = '20200101', EXPIRY_DATE = '20990101'; ALTER SERVER ROLE sr ADD MEMBER l2; CREATE CREDENTIAL cd WITH IDENTITY = 'x'; CREATE CREDENTIAL cd2 WITH IDENTITY = 'x'; GRANT VIEW SERVER STATE TO l2
GO
CREATE TRIGGER ts ON ALL SERVER FOR CREATE_LOGIN AS RETURN
GO
CREATE TRIGGER ts2 ON ALL SERVER FOR CREATE_LOGIN AS PRINT 'x'
GO
CREATE TRIGGER tl ON ALL SERVER FOR LOGON AS RETURN
"""
_DATABASE = f"""
CREATE TABLE p (id int NOT NULL CONSTRAINT pkp PRIMARY KEY, a int); INSERT p VALUES (1, 1), (2, 2), (3, 3)
CREATE TABLE t (id int NOT NULL CONSTRAINT pk PRIMARY KEY, a int CONSTRAINT ck CHECK (a < 100), b varchar(20) CONSTRAINT df DEFAULT 'x', c int CONSTRAINT fk REFERENCES p (id), d AS a * 2, e int, f int CONSTRAINT uq UNIQUE, g int SPARSE)
CREATE INDEX ix ON t (a); CREATE UNIQUE INDEX ux ON t (b, a); CREATE STATISTICS st ON t (a); INSERT t (id, a, c, e, f) VALUES (1, 10, 1, 5, 1), (2, 20, 2, 5, 2)
CREATE TABLE w (a int, b int, CONSTRAINT cw CHECK (a > 0)); INSERT w VALUES (1, 1); CREATE TABLE log (a int, b varchar(100)); CREATE TABLE gone (a int); INSERT gone VALUES (1)
CREATE TABLE child (a int, pid int CONSTRAINT fc REFERENCES p (id) ON DELETE CASCADE); INSERT child VALUES (1, 3); ALTER TABLE child NOCHECK CONSTRAINT fc
CREATE TABLE x1 (a int PRIMARY KEY, x xml); CREATE PRIMARY XML INDEX xi ON x1 (x); CREATE TABLE rg (a uniqueidentifier ROWGUIDCOL, b int)
CREATE TABLE h (name varchar(20), handle uniqueidentifier)
CREATE SEQUENCE sq START WITH 1 NO CACHE; CREATE SEQUENCE sq2; CREATE SYNONYM sy FOR t; CREATE SYNONYM sy2 FOR w; CREATE TYPE ty FROM int; CREATE TYPE tt AS TABLE (a int PRIMARY KEY); CREATE TYPE ty2 FROM varchar(10) NOT NULL
CREATE XML SCHEMA COLLECTION xs AS '{_SCHEMA.format("a")}'; CREATE XML SCHEMA COLLECTION xs2 AS '{_SCHEMA.format("a")}'
CREATE PARTITION FUNCTION pf (int) AS RANGE LEFT FOR VALUES (1, 5); CREATE PARTITION SCHEME ps AS PARTITION pf ALL TO ([PRIMARY])
CREATE PARTITION FUNCTION pf2 (int) AS RANGE LEFT FOR VALUES (1); CREATE PARTITION SCHEME ps2 AS PARTITION pf2 ALL TO ([PRIMARY]); CREATE PARTITION FUNCTION pf3 (int) AS RANGE LEFT FOR VALUES (1)
GO
CREATE SCHEMA s
GO
CREATE SCHEMA s2
GO
CREATE SCHEMA s3
GO
CREATE VIEW v AS SELECT id, a FROM t
GO
CREATE VIEW v2 AS SELECT a FROM w
GO
CREATE PROCEDURE pr @x int = 1 AS SELECT @x, COUNT(*) FROM t
GO
CREATE PROCEDURE pr2 AS SELECT 2
GO
CREATE PROCEDURE pr3 AS SELECT 3
GO
CREATE PROCEDURE reads AS DECLARE @b nvarchar(100); RECEIVE TOP (1) @b = message_type_name FROM dbo.qa; INSERT log VALUES (@@ROWCOUNT, @b)
GO
CREATE FUNCTION f() RETURNS int AS BEGIN RETURN 1 END
GO
CREATE FUNCTION f2(@a int) RETURNS int AS BEGIN RETURN @a + 1 END
GO
CREATE FUNCTION tf() RETURNS TABLE AS RETURN SELECT 1 AS a
GO
CREATE FUNCTION mf() RETURNS @r TABLE (a int) AS BEGIN INSERT @r VALUES (1); RETURN END
GO
CREATE TRIGGER tr ON w AFTER INSERT AS INSERT log SELECT a, 'tr' FROM inserted
GO
CREATE TRIGGER tr2 ON w AFTER INSERT AS INSERT log SELECT a, 'tr2' FROM inserted
GO
CREATE TRIGGER tr3 ON w AFTER UPDATE AS INSERT log SELECT a, 'tr3' FROM inserted
GO
DISABLE TRIGGER tr3 ON w
GO
CREATE TRIGGER td ON DATABASE FOR CREATE_SYNONYM AS INSERT dbo.log VALUES (0, 'td')
GO
CREATE TRIGGER td2 ON DATABASE FOR CREATE_SYNONYM AS INSERT dbo.log VALUES (0, 'td2')
GO
CREATE USER u1 FOR LOGIN l1; CREATE USER u2 WITHOUT LOGIN; CREATE USER u3 WITHOUT LOGIN; CREATE USER u4 WITHOUT LOGIN WITH DEFAULT_SCHEMA = s; CREATE ROLE r; CREATE ROLE r2; CREATE ROLE r3 AUTHORIZATION u3; ALTER ROLE r ADD MEMBER u1; ALTER ROLE db_datareader ADD MEMBER u3
CREATE APPLICATION ROLE ar WITH PASSWORD = 'x-1'; GRANT SELECT ON t TO r; GRANT EXECUTE TO u1; DENY SELECT ON w TO u1; GRANT INSERT ON w TO u1 WITH GRANT OPTION; GRANT SELECT ON SCHEMA::s TO u2; GRANT SELECT ON p (id) TO u2
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Master-1'; CREATE CERTIFICATE ce WITH SUBJECT = 'c', START_DATE = '20200101', EXPIRY_DATE = '20990101'; CREATE CERTIFICATE ce2 WITH SUBJECT = 'd', START_DATE = '20200101', EXPIRY_DATE = '20990101'
CREATE CERTIFICATE ce3 ENCRYPTION BY PASSWORD = 'Cert-1' WITH SUBJECT = 'e', START_DATE = '20200101', EXPIRY_DATE = '20990101'
CREATE SYMMETRIC KEY sk WITH ALGORITHM = AES_256, KEY_SOURCE = 'source', IDENTITY_VALUE = 'who' ENCRYPTION BY CERTIFICATE ce; CREATE SYMMETRIC KEY sk2 WITH ALGORITHM = AES_256 ENCRYPTION BY PASSWORD = 'x-1'; CREATE ASYMMETRIC KEY ak WITH ALGORITHM = RSA_2048
ADD SIGNATURE TO pr2 BY CERTIFICATE ce; CREATE DATABASE SCOPED CREDENTIAL dc WITH IDENTITY = 'x'; CREATE DATABASE SCOPED CREDENTIAL dc2 WITH IDENTITY = 'x'
GO
CREATE TABLE secret (v varbinary(8000)); OPEN SYMMETRIC KEY sk DECRYPTION BY CERTIFICATE ce; INSERT secret VALUES (ENCRYPTBYKEY(KEY_GUID('sk'), 'hidden')); CLOSE ALL SYMMETRIC KEYS
CREATE MESSAGE TYPE mt; CREATE MESSAGE TYPE mt2 VALIDATION = EMPTY; CREATE MESSAGE TYPE mt3; CREATE CONTRACT ct (mt SENT BY ANY, mt2 SENT BY INITIATOR); CREATE CONTRACT ct2 (mt SENT BY ANY); CREATE CONTRACT ct3 (mt SENT BY ANY)
CREATE QUEUE q WITH POISON_MESSAGE_HANDLING (STATUS = OFF); CREATE QUEUE q2; CREATE QUEUE q3; CREATE QUEUE q4; CREATE QUEUE qr WITH RETENTION = ON, POISON_MESSAGE_HANDLING (STATUS = OFF); CREATE QUEUE qo WITH STATUS = OFF
CREATE QUEUE qa WITH ACTIVATION (STATUS = OFF, PROCEDURE_NAME = dbo.reads, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
CREATE SERVICE sv ON QUEUE q (ct, [DEFAULT]); CREATE SERVICE sr1 ON QUEUE qr (ct); CREATE SERVICE so ON QUEUE qo (ct); CREATE SERVICE sa ON QUEUE qa (ct); CREATE SERVICE si ON QUEUE q2; CREATE SERVICE gone ON QUEUE q2; CREATE SERVICE away ON QUEUE q2
CREATE SERVICE busy ON QUEUE q2 (ct); CREATE SERVICE tells ON QUEUE q2; CREATE SERVICE hears ON QUEUE q2 (ct)
CREATE ROUTE rt WITH ADDRESS = 'LOCAL'; CREATE ROUTE rt2 WITH SERVICE_NAME = 'far', ADDRESS = 'TCP://far:4022'
CREATE REMOTE SERVICE BINDING rb TO SERVICE 'x' WITH USER = u2; CREATE REMOTE SERVICE BINDING rb2 TO SERVICE 'x2' WITH USER = u2
CREATE BROKER PRIORITY bp FOR CONVERSATION SET (CONTRACT_NAME = ct, PRIORITY_LEVEL = 7); CREATE BROKER PRIORITY bp2 FOR CONVERSATION SET (LOCAL_SERVICE_NAME = si)
CREATE EVENT NOTIFICATION en ON QUEUE q3 FOR QUEUE_ACTIVATION TO SERVICE 'sv', 'current database'; CREATE EVENT NOTIFICATION ed ON DATABASE FOR CREATE_SEQUENCE TO SERVICE 'sv', 'current database'
CREATE EVENT NOTIFICATION es ON SERVER FOR CREATE_CREDENTIAL TO SERVICE 'sv', 'current database'
EXEC sp_addextendedproperty 'note', 'one', 'SCHEMA', 'dbo', 'TABLE', 't'; EXEC sp_addextendedproperty 'note2', 'one', 'SCHEMA', 'dbo', 'TABLE', 't', 'COLUMN', 'a'; EXEC sp_addextendedproperty 'all', 1
GO
DECLARE @n int = 1, @h uniqueidentifier
WHILE @n <= 4 BEGIN
  BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'sv', 'CURRENT DATABASE' ON CONTRACT ct WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE mt ('one'); SEND ON CONVERSATION @h MESSAGE TYPE mt ('two'); INSERT h VALUES (CONCAT('open', @n), @h); SET @n += 1
END
BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'sr1' ON CONTRACT ct WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE mt ('kept'); INSERT h VALUES ('retained', @h)
BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'so' ON CONTRACT ct WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE mt ('off'); INSERT h VALUES ('held', @h)
BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'sa' ON CONTRACT ct WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE mt ('act'); INSERT h VALUES ('active', @h)
BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'far' ON CONTRACT ct WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE mt ('far'); INSERT h VALUES ('far', @h)
BEGIN DIALOG @h FROM SERVICE busy TO SERVICE 'sv', 'CURRENT DATABASE' ON CONTRACT ct WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE mt ('busy'); INSERT h VALUES ('busy', @h)
BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'sv', 'CURRENT DATABASE' ON CONTRACT ct WITH ENCRYPTION = OFF; BEGIN CONVERSATION TIMER (@h) TIMEOUT = 3600; INSERT h VALUES ('timed', @h)
BEGIN SUBSCRIPTION @h FOR SERVICE hears TO SERVICE 'tells' ON CONTRACT ct; INSERT h VALUES ('subscription', @h)
BEGIN MONOLOG @h FROM SERVICE tells ON CONTRACT ct WITH ENCRYPTION = OFF, RETENTION = ON; SEND ON CONVERSATION @h MESSAGE TYPE mt ('news'); INSERT h VALUES ('monolog', @h)
"""
_HANDLE = "DECLARE @h uniqueidentifier = (SELECT handle FROM h WHERE name = '{}'); "

CHANGES: dict[str, tuple[str, ...]] = {
    "rows, types and messages": (
        "INSERT w VALUES (5, 5)",
        "UPDATE t SET e = 6",
        "DELETE t WHERE id = 2",
        "MERGE w AS t USING (VALUES (1, 9), (7, 7)) AS s (a, b) ON s.a = t.a WHEN MATCHED THEN UPDATE SET b = s.b WHEN NOT MATCHED THEN INSERT VALUES (s.a, s.b);",
        "INSERT t (id, a, b, c, f) SELECT value, value, CONCAT('n', value), 1, value FROM GENERATE_SERIES(50, 60)",
        "TRUNCATE TABLE log",
        "TRUNCATE TABLE gone",
        "SELECT * INTO n_into FROM t",
        "CREATE TYPE n_ty FROM varchar(5) NOT NULL",
        "CREATE TYPE n_tt AS TABLE (a int, b int)",
        "CREATE SYNONYM n_sy FOR t",
        f"CREATE XML SCHEMA COLLECTION n_xs AS '{_SCHEMA.format('b')}'",
        f"ALTER XML SCHEMA COLLECTION xs ADD '{_SCHEMA.format('b')}'",
        "CREATE PARTITION FUNCTION n_pf (int) AS RANGE RIGHT FOR VALUES (3)",
        "CREATE PARTITION SCHEME n_ps AS PARTITION pf ALL TO ([PRIMARY])",
        "ALTER PARTITION SCHEME ps NEXT USED [PRIMARY]; ALTER PARTITION FUNCTION pf () SPLIT RANGE (9)",
        "ALTER PARTITION FUNCTION pf () MERGE RANGE (1)",
        "ALTER PARTITION SCHEME ps NEXT USED [PRIMARY]",
        "EXEC sp_addtype 'n_ty3', 'varchar(3)'",
        "CREATE SEQUENCE n_sq AS int START WITH 5 INCREMENT BY 2 MAXVALUE 99 CYCLE NO CACHE",
        "ALTER SEQUENCE sq INCREMENT BY 7 MAXVALUE 1000",
        "DROP SEQUENCE sq2",
        "DROP TYPE ty",
        "DROP TYPE tt",
        "EXEC sp_droptype 'ty2'",
        "DROP SYNONYM sy",
        "DROP XML SCHEMA COLLECTION xs2",
        "DROP PARTITION SCHEME ps2",
        "DROP PARTITION FUNCTION pf3",
        "EXEC sp_addmessage 50001, 16, 'one'",
        "EXEC sp_addmessage 50002, 16, 'two'",
        "EXEC sp_altermessage 60001, 'WITH_LOG', 'true'",
        "EXEC sp_dropmessage 60002",
        "EXEC sp_configure 'nested triggers', 0",
        "ALTER DATABASE SCOPED CONFIGURATION SET MAXDOP = 4",
    ),
    "tables": (
        "CREATE TABLE n_t (a int PRIMARY KEY, b int CHECK (b > 0), c int REFERENCES p (id), INDEX n_i (b)); INSERT n_t VALUES (1, 1, 1)",
        "ALTER TABLE t ADD n1 int",
        "ALTER TABLE t ADD n2 int NOT NULL CONSTRAINT n_d2 DEFAULT 3 WITH VALUES",
        "ALTER TABLE t ADD n3 AS a + 1 PERSISTED",
        "ALTER TABLE t ALTER COLUMN e bigint NOT NULL",
        "ALTER TABLE t ALTER COLUMN g DROP SPARSE",
        "ALTER TABLE rg ALTER COLUMN a DROP ROWGUIDCOL",
        "ALTER TABLE t ADD CONSTRAINT n_ck CHECK (e < 50)",
        "ALTER TABLE t ADD CONSTRAINT n_df DEFAULT 4 FOR e",
        "ALTER TABLE w ADD CONSTRAINT n_pk UNIQUE (a)",
        "ALTER TABLE w ADD CONSTRAINT n_fk FOREIGN KEY (a) REFERENCES p (id)",
        "ALTER TABLE t NOCHECK CONSTRAINT ck",
        "ALTER TABLE t NOCHECK CONSTRAINT ALL",
        "ALTER TABLE child WITH CHECK CHECK CONSTRAINT fc",
        "ALTER TABLE child NOCHECK CONSTRAINT ALL",
        "ALTER TABLE t DROP CONSTRAINT ck",
        "ALTER TABLE t DROP CONSTRAINT df",
        "ALTER TABLE t DROP CONSTRAINT fk",
        "ALTER TABLE t DROP CONSTRAINT uq",
        "ALTER TABLE t DROP COLUMN d",
        "ALTER TABLE w DISABLE TRIGGER tr",
        "ALTER TABLE w ENABLE TRIGGER ALL",
        "ALTER TABLE t REBUILD",
        "ALTER TABLE t SET (LOCK_ESCALATION = DISABLE)",
        "DROP TABLE child",
        "DROP TABLE gone",
    ),
    "indexes and modules": (
        "CREATE INDEX n_i ON t (e)",
        "CREATE UNIQUE INDEX n_u ON t (id, a)",
        "CREATE CLUSTERED COLUMNSTORE INDEX n_cs ON w",
        "CREATE TABLE n_x (a int PRIMARY KEY, x xml); CREATE PRIMARY XML INDEX n_xi ON n_x (x)",
        "ALTER INDEX ix ON t DISABLE",
        "ALTER INDEX ux ON t DISABLE",
        "ALTER INDEX ux ON t REBUILD",
        "ALTER INDEX ALL ON t REORGANIZE",
        "ALTER INDEX ix ON t SET (IGNORE_DUP_KEY = OFF)",
        "CREATE UNIQUE INDEX ux ON t (b, a) WITH (DROP_EXISTING = ON, IGNORE_DUP_KEY = ON)",
        "EXEC sp_rename 't.ix', 'ix_n', 'INDEX'",
        "DROP INDEX ux ON t",
        "DROP INDEX x1.xi",
        "CREATE STATISTICS n_st ON t (e)",
        "UPDATE STATISTICS t",
        "DROP STATISTICS t.st",
        "CREATE VIEW n_v AS SELECT 1 AS a",
        "CREATE PROCEDURE n_p AS SELECT 1",
        "CREATE FUNCTION n_f() RETURNS int AS BEGIN RETURN 5 END",
        "CREATE FUNCTION n_tf() RETURNS TABLE AS RETURN SELECT 5 AS a",
        "CREATE TRIGGER n_tr ON w AFTER INSERT, DELETE AS INSERT log VALUES (1, 'n_tr')",
        "CREATE TRIGGER n_ti ON v INSTEAD OF INSERT AS INSERT log VALUES (1, 'n_ti')",
        "CREATE TRIGGER n_td ON DATABASE FOR CREATE_SYNONYM AS INSERT dbo.log VALUES (1, 'n_td')",
        "CREATE TRIGGER n_ts ON ALL SERVER FOR CREATE_LOGIN AS PRINT 'n'",
        "ALTER VIEW v AS SELECT id, a + 1 AS a FROM t",
        "ALTER PROCEDURE pr @x int = 7 AS SELECT 'changed', @x",
        "CREATE OR ALTER PROCEDURE pr3 AS SELECT 33",
        "ALTER FUNCTION f() RETURNS int AS BEGIN RETURN 100 END",
        "ALTER FUNCTION tf() RETURNS TABLE AS RETURN SELECT 2 AS a",
        "ALTER FUNCTION mf() RETURNS @r TABLE (a int) AS BEGIN INSERT @r VALUES (2); RETURN END",
        "ALTER TRIGGER tr ON w AFTER INSERT AS INSERT log SELECT a, 'changed' FROM inserted",
        "ALTER TRIGGER td ON DATABASE FOR CREATE_SYNONYM AS INSERT dbo.log VALUES (0, 'changed')",
        "ALTER TRIGGER ts ON ALL SERVER FOR CREATE_LOGIN AS PRINT 'changed'",
        "DISABLE TRIGGER tr ON w",
        "DISABLE TRIGGER ALL ON w",
        "ENABLE TRIGGER tr3 ON w",
        "DISABLE TRIGGER td ON DATABASE",
        "DISABLE TRIGGER ts ON ALL SERVER",
        "EXEC sp_settriggerorder 'tr2', 'First', 'INSERT'",
        "EXEC sp_settriggerorder 'td2', 'First', 'CREATE_SYNONYM', 'DATABASE'",
        "EXEC sp_ms_marksystemobject 'v2'",
        "EXEC sp_recompile 'pr'",
        "EXEC sp_refreshview 'v'",
        "EXEC sp_refreshsqlmodule 'pr'",
        "DROP TRIGGER tr2",
        "DROP TRIGGER td ON DATABASE",
        "DROP TRIGGER ts2 ON ALL SERVER",
        "DROP VIEW v2",
        "DROP PROCEDURE pr2",
        "DROP FUNCTION f2, tf",
    ),
    "permissions and names": (
        "GRANT SELECT, UPDATE (a) ON t TO u2",
        "GRANT ALTER ON SCHEMA::s TO u2 WITH GRANT OPTION",
        "GRANT SEND ON SERVICE::sv TO u2",
        "GRANT RECEIVE ON q TO u2",
        "EXEC master.sys.sp_executesql N'GRANT VIEW ANY DATABASE TO l3'",
        "GRANT CREATE TABLE TO u4",
        "GRANT IMPERSONATE ON USER::u2 TO u4",
        "DENY INSERT ON w TO r",
        "DENY CONNECT TO u1",
        "REVOKE SELECT ON t FROM r",
        "REVOKE INSERT ON w FROM u1 CASCADE",
        "REVOKE EXECUTE FROM u1",
        "EXEC master.sys.sp_executesql N'REVOKE VIEW SERVER STATE FROM l2'",
        "ALTER AUTHORIZATION ON SCHEMA::s TO u2",
        "ALTER AUTHORIZATION ON OBJECT::t TO u2",
        "ALTER AUTHORIZATION ON SERVICE::sv TO u2",
        "ALTER AUTHORIZATION ON ROLE::r TO u2",
        "ALTER AUTHORIZATION ON DATABASE::D TO l3",
        "ALTER AUTHORIZATION ON CONTRACT::ct TO u2",
        "EXEC sp_changedbowner 'l4'",
        "CREATE SCHEMA n_s AUTHORIZATION u2",
        "CREATE SCHEMA n_s2 CREATE TABLE n_a (a int) CREATE VIEW n_b AS SELECT a FROM n_a GRANT SELECT ON n_a TO u2",
        "CREATE SCHEMA AUTHORIZATION u3",
        "ALTER SCHEMA s TRANSFER p",
        "ALTER SCHEMA s TRANSFER TYPE::tt",
        "ALTER SCHEMA s TRANSFER XML SCHEMA COLLECTION::xs",
        "ALTER SCHEMA s TRANSFER pr2",
        "DROP SCHEMA s3",
        "EXEC sp_dropextendedproperty 'note2', 'SCHEMA', 'dbo', 'TABLE', 't', 'COLUMN', 'a'",
        "EXEC sp_rename 't', 'n_t'",
        "EXEC sp_rename 'w.b', 'n_b', 'COLUMN'",
        "EXEC sp_rename 'cw', 'n_cw', 'OBJECT'",
        "EXEC sp_rename 'pr3', 'n_pr'",
        "EXEC sp_rename 'ty', 'n_ty', 'USERDATATYPE'",
        "EXEC sp_addextendedproperty 'n', 'two', 'SCHEMA', 'dbo', 'TABLE', 'w'",
        "EXEC sp_updateextendedproperty 'all', 2",
    ),
    "principals": (
        "CREATE LOGIN n_l WITH PASSWORD = 'y-1'",
        "CREATE LOGIN n_lc FROM CERTIFICATE cm",
        "CREATE LOGIN [SHOP\\ann] FROM WINDOWS",
        "ALTER LOGIN l2 DISABLE",
        "ALTER LOGIN l2 WITH DEFAULT_DATABASE = D",
        "ALTER LOGIN l3 WITH PASSWORD = 'z-1'",
        "ALTER LOGIN l4 WITH NAME = n_l4",
        "CREATE USER n_u WITHOUT LOGIN",
        "CREATE USER n_u2 FOR LOGIN l2",
        "CREATE USER n_u3 FOR CERTIFICATE ce",
        "ALTER USER u4 WITH DEFAULT_SCHEMA = dbo",
        "ALTER USER u2 WITH NAME = n_u4",
        "ALTER USER u1 WITH LOGIN = l1",
        "CREATE ROLE n_r AUTHORIZATION u3",
        "ALTER ROLE r WITH NAME = n_r2",
        "ALTER ROLE r2 ADD MEMBER u4",
        "ALTER ROLE db_datareader DROP MEMBER u3",
        "CREATE APPLICATION ROLE n_ar WITH PASSWORD = 'y-1'",
        "ALTER APPLICATION ROLE ar WITH PASSWORD = 'z-1', DEFAULT_SCHEMA = s",
        "CREATE SERVER ROLE n_sr",
        "ALTER SERVER ROLE sr DROP MEMBER l2",
        "ALTER SERVER ROLE sysadmin ADD MEMBER l3",
        "ALTER SERVER ROLE sr WITH NAME = n_sr2",
        "CREATE CREDENTIAL n_cd WITH IDENTITY = 'x'",
        "ALTER CREDENTIAL cd WITH IDENTITY = 'y'",
        "CREATE DATABASE SCOPED CREDENTIAL n_dc WITH IDENTITY = 'x'",
        "ALTER DATABASE SCOPED CREDENTIAL dc WITH IDENTITY = 'y'",
        "DROP USER u1",
        "DROP ROLE r3",
        "DROP APPLICATION ROLE ar",
        "DROP LOGIN l1",
        "DROP SERVER ROLE sr2",
        "DROP CREDENTIAL cd2",
        "DROP DATABASE SCOPED CREDENTIAL dc2",
    ),
    "keys": (
        "CREATE CERTIFICATE n_c WITH SUBJECT = 'n', START_DATE = '20200101', EXPIRY_DATE = '20990101'",
        "ALTER CERTIFICATE ce2 WITH ACTIVE FOR BEGIN_DIALOG = OFF",
        "ALTER CERTIFICATE ce3 WITH PRIVATE KEY (DECRYPTION BY PASSWORD = 'Cert-1', ENCRYPTION BY PASSWORD = 'Cert-2')",
        "ALTER CERTIFICATE ce2 REMOVE PRIVATE KEY",
        "CREATE SYMMETRIC KEY n_sk WITH ALGORITHM = AES_128 ENCRYPTION BY PASSWORD = 'x-1'",
        "OPEN SYMMETRIC KEY sk DECRYPTION BY CERTIFICATE ce; ALTER SYMMETRIC KEY sk ADD ENCRYPTION BY PASSWORD = 'y-1'; CLOSE SYMMETRIC KEY sk",
        "CREATE ASYMMETRIC KEY n_ak WITH ALGORITHM = RSA_2048",
        "ADD SIGNATURE TO pr BY CERTIFICATE ce",
        "ADD COUNTER SIGNATURE TO pr3 BY CERTIFICATE ce",
        "DROP SIGNATURE FROM pr2 BY CERTIFICATE ce",
        "ALTER MASTER KEY ADD ENCRYPTION BY PASSWORD = 'Master-2'",
        "ALTER MASTER KEY ADD ENCRYPTION BY PASSWORD = 'Master-4'; ALTER MASTER KEY DROP ENCRYPTION BY PASSWORD = 'Master-1'",
        "ALTER MASTER KEY REGENERATE WITH ENCRYPTION BY PASSWORD = 'Master-3'",
        "ALTER MASTER KEY ADD ENCRYPTION BY PASSWORD = 'Master-5'; ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY; OPEN MASTER KEY DECRYPTION BY PASSWORD = 'Master-5'; ALTER MASTER KEY ADD ENCRYPTION BY SERVICE MASTER KEY; CLOSE MASTER KEY",
        "ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY",
        "DROP SYMMETRIC KEY sk2",
        "DROP ASYMMETRIC KEY ak",
        "DROP CERTIFICATE ce2",
    ),
    "master key": (
        "DROP SYMMETRIC KEY sk; DROP SIGNATURE FROM pr2 BY CERTIFICATE ce; DROP CERTIFICATE ce; DROP CERTIFICATE ce2; DROP ASYMMETRIC KEY ak; DROP MASTER KEY",
        "IF EXISTS (SELECT * FROM sys.symmetric_keys WHERE name = 'sk') BEGIN DROP SYMMETRIC KEY sk; DROP SIGNATURE FROM pr2 BY CERTIFICATE ce; DROP CERTIFICATE ce; DROP CERTIFICATE ce2; DROP ASYMMETRIC KEY ak; DROP MASTER KEY END; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'New-1'",
    ),
    "broker definitions": (
        "CREATE MESSAGE TYPE n_m VALIDATION = WELL_FORMED_XML",
        "CREATE MESSAGE TYPE n_m2 VALIDATION = VALID_XML WITH SCHEMA COLLECTION xs",
        "ALTER MESSAGE TYPE mt VALIDATION = EMPTY",
        "CREATE CONTRACT n_c (mt SENT BY TARGET, [DEFAULT] SENT BY ANY)",
        "CREATE QUEUE n_q WITH STATUS = OFF, RETENTION = ON",
        "CREATE SERVICE n_s AUTHORIZATION u2 ON QUEUE q3 (ct, ct2)",
        "ALTER SERVICE sa (ADD CONTRACT ct2)",
        "ALTER SERVICE sa (DROP CONTRACT ct)",
        "ALTER SERVICE sv ON QUEUE q3",
        "ALTER SERVICE away ON QUEUE q3 (ADD CONTRACT ct)",
        "CREATE ROUTE n_r WITH SERVICE_NAME = 'n', BROKER_INSTANCE = '00000000-0000-0000-0000-000000000001', LIFETIME = 600, ADDRESS = 'TCP://n:4022', MIRROR_ADDRESS = 'TCP://m:4022'",
        "ALTER ROUTE rt2 WITH ADDRESS = 'TCP://other:4022', LIFETIME = 50",
        "CREATE REMOTE SERVICE BINDING n_rb TO SERVICE 'y' WITH USER = u2, ANONYMOUS = ON",
        "ALTER REMOTE SERVICE BINDING rb WITH USER = u3, ANONYMOUS = ON",
        "CREATE BROKER PRIORITY n_bp FOR CONVERSATION SET (CONTRACT_NAME = ct2, LOCAL_SERVICE_NAME = si, REMOTE_SERVICE_NAME = 'sv', PRIORITY_LEVEL = 9)",
        "ALTER BROKER PRIORITY bp FOR CONVERSATION SET (PRIORITY_LEVEL = 2)",
        "CREATE EVENT NOTIFICATION n_en ON DATABASE FOR CREATE_SYNONYM TO SERVICE 'sv', 'current database'",
        "CREATE EVENT NOTIFICATION n_es ON SERVER FOR CREATE_LOGIN TO SERVICE 'sv', 'current database'",
        "CREATE EVENT NOTIFICATION n_eq ON QUEUE q FOR QUEUE_ACTIVATION TO SERVICE 'gone', 'current database'",
        "DROP EVENT NOTIFICATION en ON QUEUE q3",
        "DROP EVENT NOTIFICATION ed ON DATABASE",
        "DROP EVENT NOTIFICATION es ON SERVER",
        "DROP SERVICE gone",
        "DROP SERVICE busy",
        "DROP QUEUE q4",
        "DROP CONTRACT ct3",
        "DROP MESSAGE TYPE mt3",
        "DROP ROUTE rt2",
        "DROP REMOTE SERVICE BINDING rb2",
        "DROP BROKER PRIORITY bp2",
    ),
    "queues": (
        "ALTER QUEUE q WITH STATUS = OFF",
        "ALTER QUEUE qo WITH STATUS = ON",
        "ALTER QUEUE q2 WITH RETENTION = ON",
        "ALTER QUEUE qr WITH RETENTION = OFF",
        "ALTER QUEUE q WITH POISON_MESSAGE_HANDLING (STATUS = ON)",
        "ALTER QUEUE q2 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.pr3, MAX_QUEUE_READERS = 2, EXECUTE AS SELF)",
        "ALTER QUEUE qa WITH ACTIVATION (STATUS = ON)",
        "ALTER QUEUE qa WITH ACTIVATION (MAX_QUEUE_READERS = 3)",
        "ALTER QUEUE qa WITH ACTIVATION (DROP)",
        "ALTER QUEUE q REBUILD",
        "ALTER QUEUE q REORGANIZE",
        "ALTER QUEUE q2 WITH STATUS = OFF, RETENTION = ON",
    ),
    "conversations": (
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'sv', 'CURRENT DATABASE' ON CONTRACT ct WITH ENCRYPTION = OFF, LIFETIME = 7200; SEND ON CONVERSATION @h MESSAGE TYPE mt ('new')",
        _HANDLE.format("open1") + "SEND ON CONVERSATION @h MESSAGE TYPE mt ('three')",
        _HANDLE.format("open2") + "BEGIN CONVERSATION TIMER (@h) TIMEOUT = 60",
        _HANDLE.format("timed") + "BEGIN CONVERSATION TIMER (@h) TIMEOUT = 7000",
        _HANDLE.format("open3") + "DECLARE @g uniqueidentifier = (SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = (SELECT handle FROM h WHERE name = 'open4')); MOVE CONVERSATION @h TO @g",
        "DECLARE @g uniqueidentifier; GET CONVERSATION GROUP @g FROM q",
        "DECLARE @n int; RECEIVE TOP (1) @n = status FROM q",
        "DECLARE @n int; RECEIVE TOP (1) @n = status FROM qr",
        _HANDLE.format("open3") + "END CONVERSATION @h",
        _HANDLE.format("open4") + "END CONVERSATION @h WITH ERROR = 5 DESCRIPTION = 'no'",
        _HANDLE.format("retained") + "END CONVERSATION @h",
        _HANDLE.format("held") + "END CONVERSATION @h WITH CLEANUP",
        _HANDLE.format("far") + "END CONVERSATION @h",
        _HANDLE.format("timed") + "END CONVERSATION @h",
        "DECLARE @h uniqueidentifier; BEGIN MONOLOG @h FROM SERVICE sa ON CONTRACT ct WITH ENCRYPTION = OFF, RETENTION = ON; SEND ON CONVERSATION @h MESSAGE TYPE mt ('news')",
        "DECLARE @s uniqueidentifier; BEGIN SUBSCRIPTION @s FOR SERVICE sr1 TO SERVICE 'tells' ON CONTRACT ct",
        _HANDLE.format("subscription") + "END SUBSCRIPTION @h",
        _HANDLE.format("monolog") + "SEND ON CONVERSATION @h MESSAGE TYPE mt ('more')",
        _HANDLE.format("monolog") + "END CONVERSATION @h",
    ),
}  # fmt: skip
"""By their topic, in an order in which they can be committed one behind the other."""

ALONE: dict[str, int] = {
    "CREATE DATABASE n_d": 226,
    "ALTER DATABASE D SET RECOVERY SIMPLE": 226,
    "ALTER DATABASE D SET DISABLE_BROKER": 226,
    "ALTER DATABASE D MODIFY NAME = n_d": 226,
    "DROP DATABASE D2": 226,
    "BACKUP DATABASE D TO DISK = 'n.bak'": 3021,
    "RESTORE DATABASE D2 FROM DISK = 'n.bak'": 3021,
    "CREATE ENDPOINT n_ep STATE = STOPPED AS TCP (LISTENER_PORT = 4044) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)": 574,
    "ALTER ENDPOINT n_ep STATE = STOPPED": 574,
    "DROP ENDPOINT n_ep": 574,
    "RECONFIGURE": 574,
    "ALTER DATABASE D ADD FILEGROUP n_fg": 226,
    "ALTER DATABASE D COLLATE Latin1_General_CI_AS": 226,
    "EXEC sp_attach_db 'D4', 'n.mdf'": 226,
    "EXEC sp_detach_db 'D2'": 226,
    "EXEC sp_renamedb 'D2', 'D3'": 226,
    "EXEC sp_addlogin 'n_l5', 'x-1'": 15002,
    "EXEC sp_droplogin 'l4'": 15002,
    "EXEC sp_revokelogin 'l4'": 15002,
    "EXEC sp_password NULL, 'y-1', 'l4'": 15002,
    "EXEC sp_defaultdb 'l4', 'D'": 15002,
    "EXEC sp_defaultlanguage 'l4', 'us_english'": 15002,
    "EXEC sp_adduser 'l4'": 15002,
    "EXEC sp_dropuser 'u4'": 15002,
    "EXEC sp_grantdbaccess 'l4'": 15002,
    "EXEC sp_revokedbaccess 'u4'": 15002,
    "EXEC sp_addrole 'n_r3'": 15002,
    "EXEC sp_droprole 'r2'": 15002,
    "EXEC sp_addrolemember 'db_owner', 'u4'": 15002,
    "EXEC sp_droprolemember 'r', 'u1'": 15002,
    "EXEC sp_addsrvrolemember 'l4', 'sysadmin'": 15002,
    "EXEC sp_dropsrvrolemember 'l2', 'sr'": 15002,
    "EXEC sp_dbcmptlevel 'D', 140": 15002,
}
"""Statements that SQL Server refuses in a transaction, with their errors."""

USES = (
    "SELECT * FROM t ORDER BY id; SELECT * FROM w ORDER BY a, b; SELECT * FROM p ORDER BY id",
    "INSERT t (id, a, c) VALUES (9, 150, 1)",
    "INSERT t (id, a, b, c, e, f) VALUES (9, 5, 'y', 77, 60, 9)",
    "INSERT t (id, a, c, e, f) VALUES (9, 5, 1, 60, 1)",
    "INSERT t (id, a, c, e, f) VALUES (9, 5, 1, 60, 9); SELECT * FROM t WHERE id = 9",
    "INSERT t (id, a, b, c, e, f) VALUES (9, 10, 'x', 1, 60, 9)",
    "INSERT t (id, a, c, e, f) VALUES (10, 5, 1, NULL, 10)",
    "UPDATE t SET e = 3000000000 WHERE id = 1",
    "DELETE p WHERE id = 1",
    "DELETE p WHERE id = 3; SELECT COUNT(*) FROM child; INSERT child VALUES (1, 99)",
    "INSERT w VALUES (8, 8), (1, 1); UPDATE w SET b = 9 WHERE a = 8; SELECT * FROM w ORDER BY a, b; SELECT * FROM log ORDER BY a, b",
    "INSERT w VALUES (-1, 8)",
    "CREATE SYNONYM z FOR t; SELECT * FROM log ORDER BY a, b",
    "SELECT COUNT(*) FROM gone; TRUNCATE TABLE gone",
    "SELECT * FROM v ORDER BY id; SELECT * FROM v2 ORDER BY a; EXEC pr; EXEC pr2; EXEC pr3; SELECT dbo.f(), dbo.f2(1); SELECT * FROM tf(); SELECT * FROM mf()",
    "SELECT TOP (1) id FROM sy ORDER BY id; SELECT COUNT(*) FROM sy2; SELECT $PARTITION.pf(7), $PARTITION.pf2(7)",
    "DECLARE @a ty = 1, @b tt; INSERT @b VALUES (1); SELECT @a, COUNT(*) FROM @b",
    "DECLARE @a ty2 = 'a'; DECLARE @x xml (xs) = '<a/>'; SELECT @a, @x",
    "SELECT COUNT(*) FROM t WITH (INDEX (ix)); SELECT COUNT(*) FROM t WITH (INDEX (ux))",
    "SELECT COUNT(*) FROM s.p; SELECT COUNT(*) FROM n_into; SELECT COUNT(*) FROM n_t; SELECT * FROM n_v; EXEC n_p; SELECT dbo.n_f()",
    "EXECUTE AS USER = 'u1'; SELECT COUNT(*) FROM t; SELECT COUNT(*) FROM w; INSERT w VALUES (3, 3); EXEC pr; SELECT IS_MEMBER('r'), USER_NAME(); REVERT",
    "EXECUTE AS USER = 'u2'; SELECT COUNT(*) FROM t; SELECT id FROM p; CREATE TABLE s.n (a int); RECEIVE TOP (0) * FROM dbo.q; SELECT USER_NAME(); REVERT",
    "EXECUTE AS USER = 'u3'; SELECT COUNT(*) FROM t; SELECT IS_MEMBER('db_datareader'); REVERT",
    "EXECUTE AS USER = 'u4'; SELECT SCHEMA_NAME(), IS_MEMBER('db_owner'), IS_MEMBER('r2'); EXECUTE AS USER = 'u2'; REVERT; REVERT",
    "USE master; EXECUTE AS LOGIN = 'l2'; SELECT IS_SRVROLEMEMBER('sr'), HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE'); REVERT",
    "USE master; EXECUTE AS LOGIN = 'l3'; SELECT IS_SRVROLEMEMBER('sysadmin'), USER_NAME(); REVERT",
    "SELECT PWDCOMPARE('x-1', password_hash), is_disabled, name FROM sys.sql_logins ORDER BY name",
    "OPEN SYMMETRIC KEY sk DECRYPTION BY CERTIFICATE ce; SELECT CAST(DECRYPTBYKEY(v) AS varchar(20)) FROM secret; CLOSE ALL SYMMETRIC KEYS",
    "OPEN SYMMETRIC KEY sk2 DECRYPTION BY PASSWORD = 'x-1'; CLOSE ALL SYMMETRIC KEYS; OPEN SYMMETRIC KEY sk DECRYPTION BY PASSWORD = 'y-1'; CLOSE ALL SYMMETRIC KEYS",
    "OPEN MASTER KEY DECRYPTION BY PASSWORD = 'Master-1'; CLOSE MASTER KEY; OPEN MASTER KEY DECRYPTION BY PASSWORD = 'Master-2'; CLOSE MASTER KEY",
    "SELECT CAST(DECRYPTBYCERT(CERT_ID('ce3'), ENCRYPTBYCERT(CERT_ID('ce3'), 'a'), N'Cert-1') AS varchar(9)), CAST(DECRYPTBYCERT(CERT_ID('ce2'), ENCRYPTBYCERT(CERT_ID('ce2'), 'a')) AS varchar(9)), CAST(DECRYPTBYASYMKEY(ASYMKEY_ID('ak'), ENCRYPTBYASYMKEY(ASYMKEY_ID('ak'), 'a')) AS varchar(9))",
    "SELECT message_id, severity, is_event_logged, text FROM sys.messages WHERE message_id > 50000 ORDER BY 1; RAISERROR (50001, 16, 1)",
    _HANDLE.format("open1")
    + "SEND ON CONVERSATION @h MESSAGE TYPE mt ('more'); SEND ON CONVERSATION @h MESSAGE TYPE mt2",
    _HANDLE.format("busy") + "SEND ON CONVERSATION @h MESSAGE TYPE mt ('more')",
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'sv', 'CURRENT DATABASE' ON CONTRACT ct; SELECT priority FROM sys.conversation_endpoints WHERE conversation_handle = @h; BEGIN DIALOG @h FROM SERVICE gone TO SERVICE 'sa' ON CONTRACT ct2; SEND ON CONVERSATION @h MESSAGE TYPE mt3",
    "SELECT CAST(message_body AS varchar(20)), status, priority, queuing_order FROM q ORDER BY queuing_order; SELECT CAST(message_body AS varchar(20)), status FROM qr ORDER BY queuing_order; SELECT CAST(message_body AS varchar(20)), status FROM qa ORDER BY queuing_order; SELECT COUNT(*) FROM q2; SELECT COUNT(*) FROM q3",
    "RECEIVE TOP (1) CAST(message_body AS varchar(20)), status FROM q; RECEIVE CAST(message_body AS varchar(20)) FROM qr",
)
"""Each in a transaction that is rolled back."""

LASTING = (
    "CREATE SYNONYM dbo.probe FOR t",
    _HANDLE.format("open1") + "SEND ON CONVERSATION @h MESSAGE TYPE mt ('last')",
    _HANDLE.format("held") + "SEND ON CONVERSATION @h MESSAGE TYPE mt ('last')",
    _HANDLE.format("retained") + "SEND ON CONVERSATION @h MESSAGE TYPE mt ('last')",
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'sv', 'CURRENT DATABASE' ON CONTRACT ct WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE mt ('probe')",
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE si TO SERVICE 'sa' ON CONTRACT ct WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE mt ('probe')",
    "RECEIVE CAST(message_body AS varchar(20)), message_type_name, priority FROM q",
    "RECEIVE CAST(message_body AS varchar(20)), message_type_name, priority FROM qr",
    "RECEIVE CAST(message_body AS varchar(20)), message_type_name, priority FROM q2",
    "SELECT * FROM log ORDER BY a, b",
)
"""Each is committed. Behind them one looks at conversations, queues and what was activated, and once more when two
hours have gone by."""

_PASSING = re.compile(r"sys\.(dm_exec|dm_os|dm_tran|dm_hadr|dm_server|sys(?!conv|des|der|xmit)|traces|openkeys|login_token|user_token|all_|system_|messages|spt_|time_zone|trace_|securable_|trigger_event_types|event_notification_event_types)|INFORMATION_SCHEMA")  # fmt: skip
_GUID = re.compile(r"[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}", re.IGNORECASE)


def prepare(instance: Instance) -> None:
    """Make the database D. Raises AssertionError for a statement that fails."""
    session = instance.connect()
    for batch in _SERVER.split("\nGO\n"):
        assert told(session, batch) == [], batch
    session = instance.connect(database="D")
    for batch in _DATABASE.split("\nGO\n"):
        assert told(session, batch) == [], batch
    settle(instance)


def settle(instance: Instance) -> None:
    assert instance.loop is not None
    instance.loop.settle()


def opened(path: str | None = None) -> Instance:
    return Instance.open(path, clock="virtual", seed=1)


def seen(instance: Instance) -> dict[str, list[str]]:
    """What the catalog's views show in D and on the server."""
    session = instance.connect(database="D")
    names = told(session, "SELECT CONCAT(SCHEMA_NAME(schema_id), '.', name) FROM sys.system_views ORDER BY 1")
    found = {}
    for (name,) in names:  # type: ignore[misc]
        if not _PASSING.match(name):
            found[name] = sorted(map(repr, told(session, f"SELECT * FROM {name}")))
    session.close()
    return found


def used(session: Session, uses: Sequence[str] = USES) -> dict[str, list[object]]:
    """What these statements say, each taken back; inside an open transaction to a savepoint."""
    inner = told(session, "SELECT @@TRANCOUNT") != [(0,)]
    begin, end = ("SAVE TRANSACTION u", "ROLLBACK TRANSACTION u") if inner else ("BEGIN TRANSACTION", "ROLLBACK")
    found = {}
    for use in uses:
        told(session, begin)
        found[use] = told(session, "EXEC (N'" + use.replace("'", "''") + "')")
        assert told(session, end) == [], use
    return found


def lasting(instance: Instance) -> dict[str, list[object]]:
    """What the statements of LASTING say, and what is there behind them."""
    session, found = instance.connect(database="D"), {}
    for text in LASTING:
        found[text] = told(session, text)
        settle(instance)
    for when in ("at once", "later"):
        for text in (
            "SELECT name, is_receive_enabled, is_retention_enabled, is_activation_enabled, max_readers FROM sys.service_queues ORDER BY name",
            "SELECT state, is_initiator, far_service, lifetime, dialog_timer, priority FROM sys.conversation_endpoints ORDER BY 1, 2, 3, 4, 5, 6",
            "SELECT to_service_name, CAST(message_body AS varchar(20)), transmission_status FROM sys.transmission_queue ORDER BY 1, 2",
            "SELECT CAST(message_body AS varchar(20)), message_type_name, status FROM q ORDER BY 1, 2, 3",
            "SELECT CAST(message_body AS varchar(20)), message_type_name, status FROM q2 ORDER BY 1, 2, 3",
            "SELECT CAST(message_body AS varchar(20)), message_type_name, status FROM qr ORDER BY 1, 2, 3",
            "SELECT CAST(message_body AS varchar(20)), message_type_name, status FROM qa ORDER BY 1, 2, 3",
            "SELECT * FROM log ORDER BY a, b",
        ):
            found[f"{when}: {text}"] = [_GUID.sub("guid", repr(row)) for row in told(session, text)]
        assert instance.loop is not None
        instance.loop.advance(7200)
        settle(instance)
    session.close()
    return found
