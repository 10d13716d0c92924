-- GRANT, DENY, REVOKE: who may grant what, and what it is good for.
CREATE DATABASE Grants;
GO
USE Grants;
CREATE USER Ann WITHOUT LOGIN; CREATE USER Ben WITHOUT LOGIN; CREATE USER Cid WITHOUT LOGIN;
CREATE ROLE Readers; ALTER ROLE Readers ADD MEMBER Ann;
CREATE APPLICATION ROLE Tool WITH PASSWORD = 'x';
CREATE MESSAGE TYPE M; CREATE CONTRACT C (M SENT BY ANY);
CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q (C);
CREATE ROUTE R WITH ADDRESS = 'LOCAL';
CREATE REMOTE SERVICE BINDING B TO SERVICE 'far' WITH USER = Ann;
CREATE TABLE T (a int, b int, c int);
INSERT T VALUES (1, 2, 3);
GO
-- Classes with their word, queues as objects; several permissions and principals at once.
GRANT REFERENCES, VIEW DEFINITION ON CONTRACT::C TO Ann, Ben;
GRANT REFERENCES ON MESSAGE TYPE::M TO Ann; GRANT SEND ON SERVICE::S TO public; GRANT ALTER ON ROUTE::R TO Readers;
GRANT CONTROL ON REMOTE SERVICE BINDING::B TO Tool;
GRANT RECEIVE ON Q TO Ann; GRANT RECEIVE ON OBJECT::dbo.Q TO Ben;
SELECT p.class_desc, p.permission_name, p.type, p.state_desc, u.name FROM sys.database_permissions p
JOIN sys.database_principals u ON u.principal_id = p.grantee_principal_id WHERE p.class IN (1, 15, 16, 17, 18, 19) ORDER BY 1, 2, 5;
GO
--! rows
--! MESSAGE_TYPE | REFERENCES | RF   | GRANT | Ann
--! OBJECT_OR_COLUMN | RECEIVE | RC   | GRANT | Ann
--! OBJECT_OR_COLUMN | RECEIVE | RC   | GRANT | Ben
--! REMOTE_SERVICE_BINDING | CONTROL | CL   | GRANT | Tool
--! ROUTE | ALTER | AL   | GRANT | Readers
--! SERVICE | SEND | SN   | GRANT | public
--! SERVICE_CONTRACT | REFERENCES | RF   | GRANT | Ann
--! SERVICE_CONTRACT | REFERENCES | RF   | GRANT | Ben
--! SERVICE_CONTRACT | VIEW DEFINITION | VW   | GRANT | Ann
--! SERVICE_CONTRACT | VIEW DEFINITION | VW   | GRANT | Ben
--! spec GRANT-1 GRANT-2 GRANT-3 GRANT-4 GRANT-5
EXECUTE AS USER = 'Ann';
SELECT HAS_PERMS_BY_NAME('R', 'ROUTE', 'ALTER'), HAS_PERMS_BY_NAME('S', 'SERVICE', 'SEND'), HAS_PERMS_BY_NAME('C', 'CONTRACT', 'ALTER');
REVERT;
EXECUTE AS USER = 'Cid';
SELECT HAS_PERMS_BY_NAME('R', 'ROUTE', 'ALTER'), HAS_PERMS_BY_NAME('S', 'SERVICE', 'SEND');
REVERT;
GO
--! rows
--! 1 | 1 | 0
--! rows
--! 0 | 1
--! spec GRANT-6
-- RECEIVE implies SELECT; a DENY of a role, or of CONTROL, wins.
EXECUTE AS USER = 'Ann'; SELECT COUNT(*) FROM Q; REVERT;
DENY RECEIVE ON Q TO Readers;
EXECUTE AS USER = 'Ann'; RECEIVE status FROM Q;
GO
--! rows
--! 0
--! error 229 severity 14
--! spec GRANT-20 GRANT-26 GRANT-28
REVERT; REVOKE RECEIVE ON Q FROM Readers; REVOKE RECEIVE ON Q FROM Readers;
EXECUTE AS USER = 'Ann'; RECEIVE status FROM Q; REVERT;
DENY CONTROL ON Q TO Ann;
EXECUTE AS USER = 'Ann'; RECEIVE status FROM Q;
GO
--! rows
--! error 229
--! spec GRANT-7 GRANT-8 GRANT-9
REVERT; REVOKE CONTROL ON Q FROM Ann; DENY SELECT TO Ben;
EXECUTE AS USER = 'Ben'; SELECT COUNT(*) FROM Q;
GO
--! error 229
--! spec GRANT-8
REVERT; REVOKE SELECT FROM Ben;
-- The grant option: Ann grants on, Ben may not; taking it back needs CASCADE and takes along what was granted on.
GRANT RECEIVE ON Q TO Ann WITH GRANT OPTION; REVOKE RECEIVE ON Q FROM Ben;
EXECUTE AS USER = 'Ann'; GRANT RECEIVE ON Q TO Ben; REVERT;
EXECUTE AS USER = 'Ben'; RECEIVE status FROM Q; GRANT RECEIVE ON Q TO Cid;
GO
--! rows
--! error 4613
--! spec GRANT-10
REVERT;
REVOKE RECEIVE ON Q FROM Ann;
GO
--! error 4611
DENY RECEIVE ON Q TO Ann;
GO
--! error 4611
REVOKE GRANT OPTION FOR RECEIVE ON Q FROM Ann;
GO
--! error 4611
REVOKE GRANT OPTION FOR RECEIVE ON Q FROM Ann CASCADE;
SELECT u.name, p.state_desc FROM sys.database_permissions p JOIN sys.database_principals u ON u.principal_id = p.grantee_principal_id
WHERE p.permission_name = 'RECEIVE';
GO
--! rows
--! Ann | GRANT
--! spec GRANT-12
GRANT RECEIVE ON Q TO Ann WITH GRANT OPTION;
EXECUTE AS USER = 'Ann'; GRANT RECEIVE ON Q TO Ben WITH GRANT OPTION; REVERT;
EXECUTE AS USER = 'Ben'; GRANT RECEIVE ON Q TO Cid; REVERT;
REVOKE RECEIVE ON Q FROM Ann CASCADE;
SELECT COUNT(*) FROM sys.database_permissions WHERE permission_name = 'RECEIVE';
GO
--! rows
--! 0
--! spec GRANT-11
-- AS: in the name of a role that one is in; not in that of another.
GRANT RECEIVE ON Q TO Readers WITH GRANT OPTION;
EXECUTE AS USER = 'Ann'; GRANT RECEIVE ON Q TO Cid AS Readers;
SELECT USER_NAME(grantor_principal_id) FROM sys.database_permissions WHERE permission_name = 'RECEIVE' AND state = 'G';
REVERT;
SELECT USER_NAME(grantor_principal_id) FROM sys.database_permissions WHERE permission_name = 'RECEIVE' AND state = 'G';
EXECUTE AS USER = 'Ben'; GRANT RECEIVE ON Q TO Cid AS Readers;
GO
--! rows
--! rows
--! Readers
--! error 15151
--! spec GRANT-13
REVERT;
-- What does not fit, and who cannot be granted to.
GRANT SEND ON CONTRACT::C TO Ann;
GO
--! error 4606
GRANT RECEIVE ON T TO Ann;
GO
--! error 4606
--! spec GRANT-14
GRANT SELECT ON T TO dbo;
GO
--! error 4624
GRANT SELECT ON T TO db_owner;
GO
--! error 4617
ALTER AUTHORIZATION ON SERVICE::S TO Ann;
GRANT SEND ON SERVICE::S TO Ann;
GO
--! error 4624
EXECUTE AS USER = 'Ann'; GRANT SELECT ON T TO Ann;
GO
--! error 15151
--! spec GRANT-15 GRANT-16
REVERT;
GRANT SELECT ON NoSuch TO Ann;
GO
--! error 15151
GRANT VIEW SERVER STATE TO Ann;
GO
--! error 4621
GRANT ALTER ON LOGIN::sa TO public;
GO
--! error 4621
DENY CONNECT ON ENDPOINT::NoSuch TO public;
GO
--! error 4621
REVOKE CONTROL ON SERVER ROLE::sysadmin FROM public;
GO
--! error 4621
USE master;
GRANT VIEW SERVER STATE TO Nobody;
GO
--! error 15151
GRANT VIEW SERVER STATE, CREATE TABLE TO sa;
GO
--! error 4620
CREATE LOGIN Eve WITH PASSWORD = 'x';
GRANT VIEW SERVER STATE TO Eve;
SELECT class_desc, permission_name, type FROM sys.server_permissions WHERE permission_name = 'VIEW SERVER STATE';
GO
--! rows
--! SERVER | VIEW SERVER STATE | VWSS
--! spec GRANT-17 GRANT-18
USE Grants;
-- CREATE QUEUE comes with ALTER on the database; there is no ALTER ANY QUEUE.
GRANT ALTER TO Cid; EXECUTE AS USER = 'Cid'; CREATE QUEUE dbo.Q9; REVERT; DROP QUEUE Q9; REVOKE ALTER FROM Cid;
GRANT ALTER ANY QUEUE TO Ann;
GO
--! error 102
--! spec GRANT-19
-- Columns.
GRANT SELECT (a), SELECT (b) ON T TO Cid; GRANT UPDATE (c) ON T TO Cid;
EXECUTE AS USER = 'Cid'; SELECT a, b FROM T; UPDATE T SET c = 9; SELECT c, a FROM T;
GO
--! rows
--! 1 | 2
--! error 230 severity 14
UPDATE T SET a = 9;
GO
--! error 230
REVERT;
GRANT SELECT ON T TO Cid; DENY SELECT ON T (b) TO Cid;
EXECUTE AS USER = 'Cid'; SELECT a, c FROM T; SELECT * FROM T;
GO
--! rows
--! 1 | 9
--! error 230
--! spec GRANT-28 GRANT-29
REVERT;
SELECT COL_NAME(major_id, minor_id), permission_name, state_desc FROM sys.database_permissions WHERE minor_id > 0 ORDER BY 1, 2;
DROP TABLE T;
SELECT COUNT(*) FROM sys.database_permissions WHERE minor_id > 0;
GO
--! rows
--! a | SELECT | GRANT
--! b | SELECT | DENY
--! c | UPDATE | GRANT
--! rows
--! 0
--! spec GRANT-30
