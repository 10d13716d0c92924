-- TRUSTWORTHY and DB_CHAINING let the owner of a database act in others: they ask for CONTROL SERVER, and ALTER or CONTROL on the database are not enough.
CREATE DATABASE Own;
CREATE LOGIN owner_ WITH PASSWORD = 'x-1'; CREATE LOGIN alters WITH PASSWORD = 'x-1'; CREATE LOGIN any_ WITH PASSWORD = 'x-1'; CREATE LOGIN creates WITH PASSWORD = 'x-1';
CREATE LOGIN nobody WITH PASSWORD = 'x-1'; CREATE LOGIN server_ WITH PASSWORD = 'x-1'; CREATE LOGIN admin_ WITH PASSWORD = 'x-1';
GO
ALTER AUTHORIZATION ON DATABASE::Own TO owner_;
USE master; GRANT ALTER ANY DATABASE TO any_; GRANT CREATE ANY DATABASE TO creates; GRANT CONTROL SERVER TO server_; ALTER SERVER ROLE sysadmin ADD MEMBER admin_;
ALTER SERVER ROLE dbcreator ADD MEMBER creates;
GO
USE Own; CREATE USER alters FOR LOGIN alters; GRANT CONTROL ON DATABASE::Own TO alters; USE master;
GO
CREATE PROCEDURE Tries @who sysname AS
BEGIN
    DECLARE @answers TABLE (id int IDENTITY, words nvarchar(100), answer int);
    DECLARE @words nvarchar(200), @n int = 0;
    WHILE @n < 6
    BEGIN
        SET @words = CHOOSE(@n + 1, 'ALTER DATABASE Own SET TRUSTWORTHY ON', 'ALTER DATABASE Own SET TRUSTWORTHY OFF', 'ALTER DATABASE Own SET DB_CHAINING ON',
            'ALTER DATABASE Own SET RECOVERY SIMPLE', 'CREATE DATABASE New WITH TRUSTWORTHY ON', 'CREATE DATABASE New WITH DB_CHAINING ON');
        BEGIN TRY
            EXEC ('EXECUTE AS LOGIN = ''' + @who + '''; ' + @words);
            INSERT @answers (words, answer) VALUES (@words, 0);
            IF DB_ID('New') IS NOT NULL DROP DATABASE New;
        END TRY
        BEGIN CATCH
            INSERT @answers (words, answer) VALUES (@words, ERROR_NUMBER());
        END CATCH
        SET @n += 1;
    END
    SELECT @who, STRING_AGG(answer, ' ') WITHIN GROUP (ORDER BY id) FROM @answers;
END
GO
EXEC Tries 'owner_'; EXEC Tries 'alters'; EXEC Tries 'any_'; EXEC Tries 'creates'; EXEC Tries 'nobody'; EXEC Tries 'server_'; EXEC Tries 'admin_';
GO
--! rows
--! owner_ | 15247 15247 15247 0 262 262
--! rows
--! alters | 15247 15247 15247 0 262 262
--! rows
--! any_ | 15247 15247 15247 0 15247 15247
--! rows
--! creates | 15247 15247 15247 0 15247 15247
--! rows
--! nobody | 5011 5011 5011 5011 262 262
--! rows
--! server_ | 0 0 0 0 0 0
--! rows
--! admin_ | 0 0 0 0 0 0
--! spec TRUST-12
