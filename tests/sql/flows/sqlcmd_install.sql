:on error exit
:setvar DatabaseName "SSBTools"
:setvar Prefix "//tools.example/"
:setvar Readers 2
:setvar __IsSqlCmdEnabled "True"
-- A deployment script as database projects publish it: the check for SQLCMD mode, NOEXEC, PRINT before each object, temporary error tables.
GO
IF N'$(__IsSqlCmdEnabled)' NOT LIKE N'True'
    BEGIN
        PRINT N'SQLCMD mode must be enabled to successfully execute this script.';
        SET NOEXEC ON;
    END
GO
USE [master];
GO
IF (DB_ID(N'$(DatabaseName)') IS NOT NULL) 
BEGIN
    ALTER DATABASE [$(DatabaseName)]
    SET SINGLE_USER WITH ROLLBACK IMMEDIATE;
    DROP DATABASE [$(DatabaseName)];
END
GO
PRINT N'Creating database $(DatabaseName)...'
GO
--! print Creating database SSBTools...
CREATE DATABASE [$(DatabaseName)] COLLATE SQL_Latin1_General_CP1_CI_AS
GO
IF EXISTS (SELECT 1 FROM [master].[dbo].[sysdatabases] WHERE [name] = N'$(DatabaseName)')
    BEGIN
        ALTER DATABASE [$(DatabaseName)]
            SET ANSI_NULLS ON, ANSI_PADDING ON, ANSI_WARNINGS ON, ARITHABORT ON, CONCAT_NULL_YIELDS_NULL ON, NUMERIC_ROUNDABORT OFF, QUOTED_IDENTIFIER ON,
                ANSI_NULL_DEFAULT ON, CURSOR_DEFAULT LOCAL, RECOVERY FULL, CURSOR_CLOSE_ON_COMMIT OFF, AUTO_CREATE_STATISTICS ON, AUTO_SHRINK OFF,
                AUTO_UPDATE_STATISTICS ON, RECURSIVE_TRIGGERS OFF 
            WITH ROLLBACK IMMEDIATE;
        ALTER DATABASE [$(DatabaseName)] SET AUTO_CLOSE OFF WITH ROLLBACK IMMEDIATE;
    END
GO
IF IS_SRVROLEMEMBER(N'sysadmin') = 1
    BEGIN
        IF EXISTS (SELECT 1 FROM [master].[dbo].[sysdatabases] WHERE [name] = N'$(DatabaseName)')
            BEGIN
                EXECUTE sp_executesql N'ALTER DATABASE [$(DatabaseName)]
    SET TRUSTWORTHY OFF,
        DB_CHAINING OFF 
    WITH ROLLBACK IMMEDIATE';
            END
    END
ELSE
    BEGIN
        PRINT N'The database settings cannot be modified. You must be a SysAdmin to apply these settings.';
    END
GO
USE [$(DatabaseName)];
GO
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
GO
IF (SELECT OBJECT_ID('tempdb..#tmpErrors')) IS NOT NULL DROP TABLE #tmpErrors
GO
CREATE TABLE #tmpErrors (Error int)
GO
SET XACT_ABORT ON
GO
SET TRANSACTION ISOLATION LEVEL READ COMMITTED
GO
BEGIN TRANSACTION
GO
PRINT N'Creating [$(Prefix)Job]...';
GO
--! print Creating [//tools.example/Job]...
CREATE MESSAGE TYPE [$(Prefix)Job]
    AUTHORIZATION [dbo]
    VALIDATION = NONE;
GO
IF @@ERROR <> 0 AND @@TRANCOUNT > 0 BEGIN ROLLBACK; END
IF @@TRANCOUNT = 0 BEGIN INSERT INTO #tmpErrors (Error) VALUES (1); BEGIN TRANSACTION; END
GO
CREATE CONTRACT [$(Prefix)JobContract]
    AUTHORIZATION [dbo]
    ([$(Prefix)Job] SENT BY INITIATOR);
GO
CREATE TABLE [dbo].[Jobs] (
    [Id]      INT            IDENTITY (1, 1) NOT NULL,
    [Body]    NVARCHAR (MAX) NULL,
    [Started] DATETIME       CONSTRAINT [DF_Jobs_Started] DEFAULT (getdate()) NOT NULL,
    CONSTRAINT [PK_Jobs] PRIMARY KEY CLUSTERED ([Id] ASC) WITH (ALLOW_PAGE_LOCKS = ON, ALLOW_ROW_LOCKS = ON, PAD_INDEX = OFF, IGNORE_DUP_KEY = OFF, STATISTICS_NORECOMPUTE = OFF)
);
GO
EXECUTE sp_executesql N'CREATE PROCEDURE [dbo].[ReadJobs] AS
DECLARE @h uniqueidentifier, @b nvarchar(max), @t sysname;
WHILE 1 = 1
BEGIN
    SET @h = NULL;
    RECEIVE TOP (1) @h = conversation_handle, @b = message_body, @t = message_type_name FROM [dbo].[JobQueue];
    IF @h IS NULL BREAK;
    IF @t = N''$(Prefix)Job'' INSERT dbo.Jobs (Body) VALUES (@b);
    ELSE END CONVERSATION @h;
END';
GO
CREATE QUEUE [dbo].[JobQueue]
    WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = [dbo].[ReadJobs], MAX_QUEUE_READERS = $(Readers), EXECUTE AS OWNER);
GO
CREATE SERVICE [$(Prefix)JobService]
    AUTHORIZATION [dbo]
    ON QUEUE [dbo].[JobQueue]
    ([$(Prefix)JobContract]);
GO
IF EXISTS (SELECT * FROM #tmpErrors) ROLLBACK TRANSACTION
GO
IF @@TRANCOUNT>0 BEGIN
PRINT N'The transacted portion of the database update succeeded.'
COMMIT TRANSACTION
END
ELSE PRINT N'The transacted portion of the database update failed.'
GO
--! print The transacted portion of the database update succeeded.
DROP TABLE #tmpErrors
GO
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE [$(Prefix)JobService] TO SERVICE N'$(Prefix)JobService' ON CONTRACT [$(Prefix)JobContract] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [$(Prefix)Job] (N'job of the day')
GO 3
--! settle
SELECT Body, COUNT(*) FROM Jobs GROUP BY Body
SELECT max_readers FROM sys.service_queues WHERE name = 'JobQueue'
GO
--! rows
--! job of the day | 3
--! rows
--! 2
DECLARE @VarDecimalSupported AS BIT;
SELECT @VarDecimalSupported = 0;
IF ((ServerProperty(N'EngineEdition') = 3)
    AND (((@@microsoftversion / power(2, 24) = 9)
          AND (@@microsoftversion & 0xffff >= 3024))
         OR ((@@microsoftversion / power(2, 24) = 10)
             AND (@@microsoftversion & 0xffff >= 1600))))
    SELECT @VarDecimalSupported = 1;
IF (@VarDecimalSupported > 0)
    BEGIN
        EXECUTE sp_db_vardecimal_storage_format N'$(DatabaseName)', 'ON';
    END
PRINT N'Update complete.';
GO
--! print Update complete.
SET NOEXEC ON
GO
PRINT 'not seen'
DROP DATABASE NoSuch
GO
SET NOEXEC OFF
GO
PRINT 'seen'
GO
--! print seen
