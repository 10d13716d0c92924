-- A scheduler made of conversation timers: a table of jobs, each with a dialog to itself whose DialogTimer messages run the job; the
-- activated procedure sets the next timer. Jobs are stopped by END CONVERSATION; errors are kept and the job goes on.
CREATE DATABASE Planner
GO
USE Planner
GO
CREATE TABLE dbo.ScheduledJobs (
	Id INT IDENTITY(1,1) CONSTRAINT PK_ScheduledJobs PRIMARY KEY,
	ScheduledSql NVARCHAR(MAX) NOT NULL,
	FirstRunOn DATETIME NOT NULL,
	LastRunOn DATETIME,
	LastRunOK BIT NOT NULL CONSTRAINT DF_OK DEFAULT (0),
	IsRepeatable BIT NOT NULL DEFAULT (0),
	IsEnabled BIT NOT NULL DEFAULT (0),
	ConversationHandle UNIQUEIDENTIFIER NULL,
	CreatedOn DATETIME NOT NULL DEFAULT GETUTCDATE()
)
CREATE TABLE dbo.ScheduledJobsErrors (Id BIGINT IDENTITY(1, 1) PRIMARY KEY, JobId INT NULL, ErrorLine INT, ErrorNumber INT, ErrorMessage NVARCHAR(MAX), ErrorSeverity INT, ErrorState INT)
CREATE TABLE dbo.Ticks (n INT IDENTITY, what VARCHAR(10), at DATETIME)
GO
CREATE CONTRACT [//ScheduledJobContract] ([http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer] SENT BY INITIATOR)
CREATE QUEUE ScheduledJobQueue WITH STATUS = ON
CREATE SERVICE [//ScheduledJobService] ON QUEUE ScheduledJobQueue ([//ScheduledJobContract])
GO
IF OBJECT_ID('usp_RunScheduledJob') IS NOT NULL
	DROP PROC usp_RunScheduledJob
GO
CREATE PROC usp_RunScheduledJob
AS
	DECLARE @ConversationHandle UNIQUEIDENTIFIER, @JobId INT, @ScheduledSql NVARCHAR(MAX), @message_type_name NVARCHAR(256), @repeat BIT

	RECEIVE TOP(1) @ConversationHandle = conversation_handle, @message_type_name = message_type_name FROM ScheduledJobQueue

	IF @@ROWCOUNT = 0 RETURN
	IF @message_type_name <> 'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
	BEGIN
		END CONVERSATION @ConversationHandle
		RETURN
	END
	BEGIN TRY
		SELECT @JobId = Id, @ScheduledSql = ScheduledSql, @repeat = IsRepeatable
		FROM ScheduledJobs WHERE ConversationHandle = @ConversationHandle AND IsEnabled = 1

		IF @JobId IS NOT NULL
		BEGIN
			IF @repeat = 1 BEGIN CONVERSATION TIMER (@ConversationHandle) TIMEOUT = 60;
			EXEC (@ScheduledSql)
			UPDATE ScheduledJobs SET LastRunOn = GETUTCDATE(), LastRunOK = 1 WHERE Id = @JobId
		END
	END TRY
	BEGIN CATCH
		INSERT INTO ScheduledJobsErrors (JobId, ErrorLine, ErrorNumber, ErrorMessage, ErrorSeverity, ErrorState)
		SELECT @JobId, ERROR_LINE(), ERROR_NUMBER(), 'usp_RunScheduledJob: ' + ERROR_MESSAGE(), ERROR_SEVERITY(), ERROR_STATE()
		IF @JobId IS NOT NULL UPDATE ScheduledJobs SET LastRunOn = GETUTCDATE(), LastRunOK = 0 WHERE Id = @JobId
	END CATCH
	IF @repeat = 0 END CONVERSATION @ConversationHandle
GO
ALTER QUEUE ScheduledJobQueue WITH STATUS = ON, RETENTION = OFF,
	ACTIVATION (STATUS = ON, PROCEDURE_NAME = usp_RunScheduledJob, MAX_QUEUE_READERS = 20, EXECUTE AS 'dbo')
GO
CREATE PROC usp_AddScheduledJob (@ScheduledSql NVARCHAR(MAX), @FirstRunOn DATETIME, @IsRepeatable BIT = 0)
AS
	DECLARE @ConversationHandle UNIQUEIDENTIFIER, @JobId INT, @TimeoutInSeconds INT
	BEGIN TRANSACTION
	BEGIN TRY
		INSERT INTO ScheduledJobs (ScheduledSql, FirstRunOn, IsRepeatable, ConversationHandle) VALUES (@ScheduledSql, @FirstRunOn, @IsRepeatable, NULL)
		SELECT @JobId = SCOPE_IDENTITY()
		SELECT @TimeoutInSeconds = DATEDIFF(s, GETUTCDATE(), @FirstRunOn);
		BEGIN DIALOG CONVERSATION @ConversationHandle
			FROM SERVICE [//ScheduledJobService] TO SERVICE '//ScheduledJobService', 'CURRENT DATABASE'
			ON CONTRACT [//ScheduledJobContract] WITH ENCRYPTION = OFF;
		BEGIN CONVERSATION TIMER (@ConversationHandle) TIMEOUT = @TimeoutInSeconds;
		UPDATE ScheduledJobs SET ConversationHandle = @ConversationHandle, IsEnabled = 1 WHERE Id = @JobId
		COMMIT
	END TRY
	BEGIN CATCH
		IF @@TRANCOUNT > 0 ROLLBACK
		INSERT INTO ScheduledJobsErrors (ErrorNumber, ErrorMessage) SELECT ERROR_NUMBER(), ERROR_MESSAGE()
	END CATCH
GO
CREATE PROC usp_RemoveScheduledJob @JobId INT
AS
	DECLARE @h UNIQUEIDENTIFIER
	SELECT @h = ConversationHandle FROM ScheduledJobs WHERE Id = @JobId
	IF EXISTS (SELECT * FROM sys.conversation_endpoints WHERE conversation_handle = @h) END CONVERSATION @h
	DELETE ScheduledJobs WHERE Id = @JobId
GO
DECLARE @d DATETIME
SET @d = DATEADD(s, 30, GETUTCDATE())
EXEC usp_AddScheduledJob N'INSERT Ticks (what, at) VALUES (''once'', GETUTCDATE())', @d
SET @d = DATEADD(mi, 1, GETUTCDATE())
EXEC usp_AddScheduledJob 'INSERT Ticks (what, at) VALUES (''often'', GETUTCDATE())', @d, 1
EXEC usp_AddScheduledJob N'
SELECT 1 / 0', @FirstRunOn = @d
SELECT state, DATEDIFF(second, GETUTCDATE(), dialog_timer) AS due FROM sys.conversation_endpoints ORDER BY 2
GO
--! rows
--! SO | 30
--! SO | 60
--! SO | 60
--! advance 200s
SELECT what, CONVERT(char(8), at, 108) AS at FROM Ticks ORDER BY n
SELECT Id, LastRunOK, CONVERT(char(8), LastRunOn, 108) FROM ScheduledJobs ORDER BY Id
SELECT JobId, ErrorLine, ErrorNumber, ErrorSeverity FROM ScheduledJobsErrors
SELECT COUNT(*) FROM sys.conversation_endpoints
GO
--! rows
--! once | 00:00:30
--! often | 00:01:00
--! often | 00:02:00
--! often | 00:03:00
--! rows
--! 1 | 1 | 00:00:30
--! 2 | 1 | 00:03:00
--! 3 | 0 | 00:01:00
--! rows
--! 3 | 2 | 8134 | 16
--! rows
--! 1
EXEC usp_RemoveScheduledJob 2
SELECT COUNT(*) FROM sys.conversation_endpoints
GO
--! rows
--! 0
--! advance 120s
SELECT COUNT(*) FROM Ticks
GO
--! rows
--! 4
