-- Asynchronous execution: the message names a procedure or holds SQL, one service is both ends of the dialog, results go to a table.
CREATE DATABASE Async
GO
ALTER DATABASE Async SET ENABLE_BROKER, TRUSTWORTHY ON
GO
USE Async
GO
create table [AsyncExecResults] (
    [token] uniqueidentifier primary key
    , [submit_time] datetime not null
    , [start_time] datetime null
    , [finish_time] datetime null
    , [error_number]    int null
    , [error_message] nvarchar(2048) null);
go
create queue [AsyncExecQueue];
go
create service [AsyncExecService] on queue [AsyncExecQueue] ([DEFAULT]);
GO
create procedure usp_AsyncExecInvoke
    @procedureName sysname
    , @token uniqueidentifier output
as
begin
    declare @h uniqueidentifier
        , @xmlBody xml
        , @trancount int;
    set nocount on;

    set @trancount = @@trancount;
    if @trancount = 0
        begin transaction
    else
        save transaction usp_AsyncExecInvoke;
    begin try
        begin dialog conversation @h
            from service [AsyncExecService]
            to service N'AsyncExecService', 'current database'
            with encryption = off;
        select @token = [conversation_id]
            from sys.conversation_endpoints
            where [conversation_handle] = @h;
        select @xmlBody = (
            select @procedureName as [name]
            for xml path('procedure'), type);
        send on conversation @h (@xmlBody);
        insert into [AsyncExecResults]
            ([token], [submit_time])
            values
            (@token, getutcdate());
    if @trancount = 0
        commit;
    end try
    begin catch
        declare @error int
            , @message nvarchar(2048)
            , @xactState smallint;
        select @error = ERROR_NUMBER()
            , @message = ERROR_MESSAGE()
            , @xactState = XACT_STATE();
        if @xactState = -1
            rollback;
        if @xactState = 1 and @trancount = 0
            rollback
        if @xactState = 1 and @trancount > 0
            rollback transaction usp_AsyncExecInvoke;

        raiserror(N'Error: %i, %s', 16, 1, @error, @message) with nowait;
    end catch
end
go
create procedure usp_AsyncExecActivated
as
begin
    set nocount on;
    declare @h uniqueidentifier
        , @messageTypeName sysname
        , @messageBody varbinary(max)
        , @xmlBody xml
        , @procedureName sysname
        , @startTime datetime
        , @finishTime datetime
        , @execErrorNumber int
        , @execErrorMessage nvarchar(2048)
        , @xactState smallint
        , @token uniqueidentifier;

    begin transaction;
    begin try;
        receive top(1)
            @h = [conversation_handle]
            , @messageTypeName = [message_type_name]
            , @messageBody = [message_body]
            from [AsyncExecQueue];
        if (@h is not null)
        begin
            if (@messageTypeName = N'DEFAULT')
            begin
                select @xmlBody = CAST(@messageBody as xml);
                select @procedureName = @xmlBody.value(
                    '(//procedure/name)[1]'
                    , 'sysname');

                save transaction usp_AsyncExec_procedure;
                select @startTime = GETUTCDATE();
                begin try
                    exec @procedureName;
                end try
                begin catch
                select @execErrorNumber = ERROR_NUMBER(),
                    @execErrorMessage = ERROR_MESSAGE(),
                    @xactState = XACT_STATE();
                if (@xactState = -1)
                begin
                    rollback;
                    raiserror(N'Unrecoverable error in procedure %s: %i: %s', 16, 10,
                        @procedureName, @execErrorNumber, @execErrorMessage);
                end
                else if (@xactState = 1)
                begin
                    rollback transaction usp_AsyncExec_procedure;
                end
                end catch

                select @finishTime = GETUTCDATE();
                select @token = [conversation_id]
                    from sys.conversation_endpoints
                    where [conversation_handle] = @h;
                update [AsyncExecResults] set
                    [start_time] = @starttime
                    , [finish_time] = @finishTime
                    , [error_number] = @execErrorNumber
                    , [error_message] = @execErrorMessage
                    where [token] = @token;
                if (0 = @@ROWCOUNT)
                begin
                    raiserror(N'Internal consistency error: token not found', 16, 20);
                end
                end conversation @h;
            end
            else if (@messageTypeName = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog')
            begin
                end conversation @h;
            end
            else
            begin
                raiserror(N'Received unexpected message type: %s', 16, 50, @messageTypeName);
            end
        end
        commit;
    end try
    begin catch
        declare @error int, @message nvarchar(2048);
        select @error = ERROR_NUMBER(), @message = ERROR_MESSAGE(), @xactState = XACT_STATE();
        if (@xactState <> 0)
        begin
            rollback;
        end;
        raiserror(N'Error: %i, %s', 1, 60,  @error, @message) with log;
    end catch
end
go
alter queue [AsyncExecQueue]
    with activation (
    procedure_name = [usp_AsyncExecActivated]
    , max_queue_readers = 1
    , execute as owner
    , status = on);
go
create procedure [usp_MyLongRunningProcedure]
as
begin
    waitfor delay '00:00:05';
end
go
create procedure [usp_MyFaultyProcedure]
as
begin
    set nocount on;
    declare @t table (id int primary key);
    insert into @t (id) values (1);
    insert into @t (id) values (1);
end
go
declare @token uniqueidentifier;
exec usp_AsyncExecInvoke N'usp_MyLongRunningProcedure', @token output;
select [submit_time], [start_time], [error_number] from [AsyncExecResults] where [token] = @token;
go
--! rows
--! 2026-01-01 00:00:00.000 | NULL | NULL
--! advance 10s
select datediff(second, [start_time], [finish_time]), [error_number], [error_message] from [AsyncExecResults];
go
--! rows
--! 5 | NULL | NULL
declare @token uniqueidentifier;
exec usp_AsyncExecInvoke @procedureName = N'usp_MyFaultyProcedure', @token = @token output;
while (select finish_time from AsyncExecResults where token = @token) is null
    waitfor delay '00:00:00.500';
select [error_number] from [AsyncExecResults] where [token] = @token;
select count(*) from sys.conversation_endpoints where state <> 'CD';
go
--! rows
--! 2627
--! rows
--! 0
-- The body is SQL text, run by EXEC (string) and by sp_executesql; broker DDL is among it.
ALTER QUEUE AsyncExecQueue WITH ACTIVATION (DROP);
CREATE QUEUE SqlQueue; CREATE SERVICE SqlService ON QUEUE SqlQueue ([DEFAULT]);
CREATE TABLE #Results (n int, t nvarchar(100));
DECLARE @h uniqueidentifier, @sql nvarchar(max), @count int;
BEGIN DIALOG @h FROM SERVICE SqlService TO SERVICE 'SqlService' WITH ENCRYPTION = OFF;
SET @sql = N'INSERT #Results SELECT 1, N''it''''s '' + DB_NAME()';
SEND ON CONVERSATION @h (@sql);
SEND ON CONVERSATION @h (N'CREATE QUEUE dbo.[Made by message]; CREATE SERVICE [urn:made] ON QUEUE [Made by message] ([DEFAULT])');
SEND ON CONVERSATION @h (N'SELECT @n = COUNT(*) FROM sys.services WHERE name LIKE N''urn:%''');
RECEIVE TOP (1) @sql = message_body FROM SqlQueue;
EXEC (@sql);
RECEIVE TOP (1) @sql = message_body FROM SqlQueue;
EXECUTE (@sql + N'; ALTER QUEUE dbo.[Made by message] WITH STATUS = OFF');
RECEIVE TOP (1) @sql = message_body FROM SqlQueue;
EXEC sp_executesql @stmt = @sql, @params = N'@n int OUTPUT', @n = @count OUTPUT;
SELECT @count AS made, n, t FROM #Results;
INSERT INTO #Results EXEC ('SELECT 2, name FROM sys.service_queues WHERE is_receive_enabled = 0');
SELECT * FROM #Results ORDER BY n;
END CONVERSATION @h WITH CLEANUP;
GO
--! rows
--! 1 | 1 | it's Async
--! rows
--! 1 | it's Async
--! 2 | Made by message
-- Dialog statements inside dynamic SQL, with names that are only known there.
DECLARE @from sysname = N'SqlService', @to nvarchar(256) = N'urn:made', @h uniqueidentifier, @s nvarchar(max);
SET @s = N'BEGIN DIALOG CONVERSATION @handle FROM SERVICE ' + QUOTENAME(@from) + N' TO SERVICE ' + QUOTENAME(@to, '''') + N' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @handle (@body)';
EXEC sp_executesql @s, N'@handle uniqueidentifier OUTPUT, @body xml', @h OUTPUT, N'<a/>';
ALTER QUEUE [Made by message] WITH STATUS = ON;
EXEC (N'WAITFOR (RECEIVE TOP (1) CAST(message_body AS xml) AS body, service_name FROM ' + '[Made by message]), TIMEOUT 60000');
SELECT CASE WHEN @h IS NULL THEN 'no' ELSE 'yes' END;
GO
--! rows
--! <a/> | urn:made
--! rows
--! yes
