-- What each fixed role of a database may do there, and nothing else of this: a member of each tries everything.
CREATE LOGIN m WITH PASSWORD = 'x-1'; CREATE LOGIN other WITH PASSWORD = 'x-1'; CREATE DATABASE D;
GO
USE D; CREATE TABLE t (a int); INSERT t VALUES (1); CREATE USER m FOR LOGIN m; CREATE USER u WITHOUT LOGIN; CREATE ROLE r;
BACKUP DATABASE D TO DISK = 'D.bak';
GO
CREATE PROCEDURE Runs AS SELECT 1 AS one;
GO
CREATE TABLE acts (id int IDENTITY, what varchar(20), words nvarchar(400));
INSERT acts VALUES ('select', 'DECLARE @n int = (SELECT COUNT(*) FROM D.dbo.t)'), ('insert', 'INSERT t VALUES (2)'), ('update', 'UPDATE t SET a = 1'), ('delete', 'DELETE t'),
    ('execute', 'DECLARE @x TABLE (a int); INSERT @x EXEC Runs'), ('table', 'CREATE TABLE n (a int)'), ('alter', 'ALTER TABLE t ADD b int'), ('truncate', 'TRUNCATE TABLE t'), ('drop', 'DROP TABLE t'),
    ('queue', 'CREATE QUEUE q'), ('schema', 'CREATE SCHEMA s'), ('user', 'CREATE USER n WITHOUT LOGIN'), ('role', 'CREATE ROLE n'), ('member', 'ALTER ROLE r ADD MEMBER u'),
    ('owner', 'ALTER ROLE db_owner ADD MEMBER u'), ('grant', 'GRANT SELECT ON t TO u'), ('key', 'CREATE MASTER KEY ENCRYPTION BY PASSWORD = ''Master-Key-1''');
GO
CREATE PROCEDURE Tries @role sysname AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @done TABLE (id int IDENTITY, what varchar(20));
    DECLARE @i int = 1, @what varchar(20), @words nvarchar(400);
    IF @role <> 'none' EXEC ('ALTER ROLE ' + @role + ' ADD MEMBER m');
    WHILE @i <= (SELECT COUNT(*) FROM acts)
    BEGIN
        SELECT @what = what, @words = CONCAT('EXECUTE AS LOGIN = ''m''; EXEC (''', REPLACE(words, '''', ''''''), ''')') FROM acts WHERE id = @i;
        BEGIN TRANSACTION;
        BEGIN TRY
            EXEC (@words);
            INSERT @done VALUES (@what);
        END TRY
        BEGIN CATCH
            IF ERROR_NUMBER() NOT IN (229, 262, 1088, 3701, 15151, 15247, 4613, 2760) INSERT @done VALUES (CONCAT(@what, ' ', ERROR_NUMBER()));
        END CATCH
        IF @@TRANCOUNT > 0 ROLLBACK;
        SET @i += 1;
    END
    IF @role <> 'none' EXEC ('ALTER ROLE ' + @role + ' DROP MEMBER m');
    SELECT @role, STRING_AGG(what, ' ') WITHIN GROUP (ORDER BY id) FROM @done;
END
GO
EXEC Tries 'none'; EXEC Tries 'db_owner'; EXEC Tries 'db_ddladmin'; EXEC Tries 'db_backupoperator'; EXEC Tries 'db_datareader'; EXEC Tries 'db_datawriter';
EXEC Tries 'db_denydatareader'; EXEC Tries 'db_denydatawriter'; EXEC Tries 'db_accessadmin'; EXEC Tries 'db_securityadmin';
GO
--! rows
--! none | NULL
--! rows
--! db_owner | select insert update delete execute table alter truncate drop queue schema user role member owner grant key
--! rows
--! db_ddladmin | table alter truncate drop queue schema
--! rows
--! db_backupoperator | NULL
--! rows
--! db_datareader | select
--! rows
--! db_datawriter | insert update delete
--! rows
--! db_denydatareader | NULL
--! rows
--! db_denydatawriter | NULL
--! rows
--! db_accessadmin | schema user
--! rows
--! db_securityadmin | schema role member grant
--! spec GRANT-32
-- The deny roles take what others give.
ALTER ROLE db_datareader ADD MEMBER m; ALTER ROLE db_datawriter ADD MEMBER m;
EXEC Tries 'db_denydatareader'; EXEC Tries 'db_denydatawriter';
GO
--! rows
--! db_denydatareader | insert update delete
--! rows
--! db_denydatawriter | select
-- BACKUP, which no transaction may hold: db_backupoperator, and who owns the database. RESTORE over it: no role of the database.
ALTER ROLE db_datareader DROP MEMBER m; ALTER ROLE db_datawriter DROP MEMBER m; ALTER ROLE db_ddladmin ADD MEMBER m;
GO
EXECUTE AS LOGIN = 'm'; BACKUP DATABASE D TO DISK = 'D.bak';
GO
--! error 262
REVERT; EXECUTE AS LOGIN = 'm'; BACKUP LOG D TO DISK = 'D.trn';
GO
--! error 262
REVERT; ALTER ROLE db_ddladmin DROP MEMBER m; ALTER ROLE db_backupoperator ADD MEMBER m;
GO
EXECUTE AS LOGIN = 'm'; BACKUP DATABASE D TO DISK = 'D.bak'; BACKUP LOG D TO DISK = 'D.trn'; REVERT;
GO
ALTER ROLE db_owner ADD MEMBER m; USE master;
GO
EXECUTE AS LOGIN = 'm'; RESTORE DATABASE D FROM DISK = 'D.bak' WITH REPLACE;
GO
--! error 3110
REVERT; ALTER SERVER ROLE dbcreator ADD MEMBER m; EXECUTE AS LOGIN = 'm'; RESTORE DATABASE D FROM DISK = 'D.bak' WITH REPLACE; REVERT;
GO
