-- Procedures that run asynchronously by activation: a generic invoker with a table of results, parameters in xml with their types,
-- errors kept, tokens returned to the caller, who polls.
CREATE DATABASE AsyncDb
GO
USE AsyncDb
GO
create table [AsyncExecResults] (
    [token] uniqueidentifier primary key
    , [submit_time] datetime not null
    , [start_time] datetime null
    , [finish_time] datetime null
    , [error_number]  int null
    , [error_message] nvarchar(2048) null);
go
create queue [AsyncExecQueue];
go
create service [AsyncExecService] on queue [AsyncExecQueue] ([DEFAULT]);
GO
-- Dynamic SQL helper: one <parameter> of the message as a DECLARE and an argument
create function [dbo].[fn_DescribeSqlVariant] (
    @p sql_variant
    , @n sysname)
returns xml
with schemabinding
as
begin
    return (
    select @n as [@Name]
        , sql_variant_property(@p, 'BaseType') as [@BaseType]
        , sql_variant_property(@p, 'Precision') as [@Precision]
        , sql_variant_property(@p, 'Scale') as [@Scale]
        , sql_variant_property(@p, 'MaxLength') as [@MaxLength]
        , @p
        for xml path('parameter'), type)
end
GO
create procedure [usp_procedureInvokeHelper] (@x xml)
as
begin
    set nocount on;

    declare @stmt nvarchar(max)
        , @stmtDeclarations nvarchar(max)
        , @stmtValues nvarchar(max)
        , @i int
        , @countParams int
        , @namedParams nvarchar(max)
        , @paramName sysname
        , @paramType sysname
        , @paramMaxLength int
        , @comma nchar(2)

    select @i = 0, @stmtDeclarations = N'', @stmtValues = N'', @namedParams = N'', @comma = N''

    declare crsParam cursor forward_only static read_only for
        select x.value(N'@Name', N'sysname')
            , x.value(N'@BaseType', N'sysname')
            , x.value(N'@MaxLength', N'int')
        from @x.nodes(N'//procedure/parameters/parameter') t(x);
    open crsParam;

    fetch next from crsParam into @paramName, @paramType, @paramMaxLength;
    while (@@fetch_status = 0)
    begin
        set @i += 1;
        set @stmtDeclarations += N'declare @pt' + cast(@i as varchar(3)) + N' ' + @paramType
            + case when @paramType in (N'varchar', N'char') then N'(' + cast(@paramMaxLength as varchar(10)) + N')'
                   when @paramType in (N'nvarchar', N'nchar') then N'(' + cast(@paramMaxLength / 2 as varchar(10)) + N')' else N'' end + N'; ';
        set @stmtValues += N'select @pt' + cast(@i as varchar(3)) + N' = @x.value(N''(//procedure/parameters/parameter)['
            + cast(@i as varchar(3)) + N']'', N''' + @paramType
            + case when @paramType in (N'varchar', N'char', N'nvarchar', N'nchar') then N'(4000)' else N'' end + N'''); ';
        set @namedParams += @comma + @paramName + N' = @pt' + cast(@i as varchar(3));
        set @comma = N', ';
        fetch next from crsParam into @paramName, @paramType, @paramMaxLength;
    end

    close crsParam;
    deallocate crsParam;

    set @stmt = @stmtDeclarations + @stmtValues + N'exec ' + quotename(@x.value(N'(//procedure/name)[1]', N'sysname')) + N' ' + @namedParams + N';';
    exec sp_executesql @stmt, N'@x xml', @x;
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
                save transaction usp_AsyncExec_procedure;
                select @startTime = GETUTCDATE();
                begin try
                    exec usp_procedureInvokeHelper @xmlBody;
                end try
                begin catch
                    -- This catch block tries to deal with failures of the procedure execution
                    select @execErrorNumber = ERROR_NUMBER(), @execErrorMessage = ERROR_MESSAGE(), @xactState = XACT_STATE();
                    if (@xactState = -1)
                    begin
                        rollback;
                        raiserror(N'Unrecoverable error in procedure: %i: %s', 16, 10, @execErrorNumber, @execErrorMessage);
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
                if (@token is null)
                begin
                    raiserror(N'Internal consistency error: conversation not found', 16, 20);
                end
                update [AsyncExecResults] set
                    [start_time] = @starttime
                    , [finish_time] = @finishTime
                    , [error_number] = @execErrorNumber
                    , [error_message] = @execErrorMessage
                    where [token] = @token;
                if (0 = @@ROWCOUNT)
                begin
                    raiserror(N'Internal consistency error: token not found', 16, 30);
                end
                end conversation @h;
            end
            else if (@messageTypeName = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog')
            begin
                end conversation @h;
            end
            else if (@messageTypeName = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
            begin
                declare @errorNumber int, @errorMessage nvarchar(4000);
                select @xmlBody = CAST(@messageBody as xml);
                with xmlnamespaces (DEFAULT N'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
                select @errorNumber = @xmlBody.value ('(/Error/Code)[1]', 'INT'),
                    @errorMessage = @xmlBody.value ('(/Error/Description)[1]', 'NVARCHAR(4000)');
                update [AsyncExecResults] set [error_number] = @errorNumber, [error_message] = @errorMessage where [token] = @token;
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
create procedure [usp_AsyncExecInvoke]
    @procedureName sysname
    , @p1 sql_variant = NULL, @n1 sysname = NULL
    , @p2 sql_variant = NULL, @n2 sysname = NULL
    , @token uniqueidentifier output
as
begin
    declare @h uniqueidentifier, @xmlBody xml, @trancount int;
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
        select @token = [conversation_id] from sys.conversation_endpoints where [conversation_handle] = @h;

        select @xmlBody = (
            select @procedureName as [name]
                , (select * from (
                    select [dbo].[fn_DescribeSqlVariant] (@p1, @n1) AS [*] WHERE @p1 IS NOT NULL
                    union all
                    select [dbo].[fn_DescribeSqlVariant] (@p2, @n2) AS [*] WHERE @p2 IS NOT NULL
                ) as p for xml path(''), type) as [parameters]
            for xml path('procedure'), type);
        send on conversation @h (@xmlBody);
        insert into [AsyncExecResults] ([token], [submit_time]) values (@token, getutcdate());
        if @trancount = 0 commit;
    end try
    begin catch
        declare @error int, @message nvarchar(2048), @xactState smallint;
        select @error = ERROR_NUMBER(), @message = ERROR_MESSAGE(), @xactState = XACT_STATE();
        if @xactState = -1 rollback;
        if @xactState = 1 and @trancount = 0 rollback
        if @xactState = 1 and @trancount > 0 rollback transaction usp_AsyncExecInvoke;
        raiserror(N'Error: %i, %s', 16, 1, @error, @message);
    end catch
end
go
create table Done (Id int identity primary key, Who varchar(20), Amount decimal(9, 2), At datetime)
go
create procedure usp_MyLongRunningProcedure as begin waitfor delay '00:00:05'; insert Done (Who) values ('long') end
go
create procedure usp_WithParam @id int, @text nvarchar(20) as insert Done (Who, Amount) values (@text, @id / 4.0)
go
create procedure usp_MyFaultyProcedure as
begin
    set nocount on;
    declare @t table (id int primary key);
    insert into @t (id) values (1);
    insert into @t (id) values (1);
end
go
declare @token uniqueidentifier;
exec usp_AsyncExecInvoke N'usp_MyLongRunningProcedure', @token = @token output;
select case when exists (select * from AsyncExecResults where token = @token and finish_time is null) then 'waiting' end;
exec usp_AsyncExecInvoke N'usp_WithParam', 10, N'@id', N'by message', N'@text', @token output;
exec usp_AsyncExecInvoke N'usp_MyFaultyProcedure', @token = @token output;
exec usp_AsyncExecInvoke N'usp_NoSuchProcedure', @token = @token output;
go
--! rows
--! waiting
--! advance 6s
select error_number, datediff(second, submit_time, finish_time) as took, left(error_message, 24) from AsyncExecResults order by submit_time, error_number
select Who, Amount from Done order by Id
select count(*) from AsyncExecQueue
go
--! rows unordered
--! NULL | 5 | NULL
--! NULL | 5 | NULL
--! 2627 | 5 | *
--! 2812 | 5 | *
--! rows
--! long | NULL
--! by message | 2.50
--! rows
--! 0
