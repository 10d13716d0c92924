-- Centralised activation: many queues, one notification queue, one activated dispatcher that runs the right procedure for the queue that
-- has work, by a table of queue and procedure names.
create database Central;
go
use Central;
go
create table dbo.QueueProcedures (QueueName sysname primary key, ProcedureName nvarchar(400) not null);
create table dbo.Journal (Id int identity primary key, Who sysname, What nvarchar(100));
create queue dbo.Events;
create service Events on queue dbo.Events ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
go
create procedure dbo.Register @queue sysname, @procedure nvarchar(400) as
begin
    set nocount on;
    declare @sql nvarchar(max) = N'create queue dbo.' + quotename(@queue) + N'; create service ' + quotename(@queue + N'Service') + N' on queue dbo.' + quotename(@queue)
        + N' ([DEFAULT]); create event notification ' + quotename(@queue + N'Event') + N' on queue dbo.' + quotename(@queue)
        + N' for queue_activation to service ''Events'', ''current database'';';
    exec (@sql);
    insert dbo.QueueProcedures values (@queue, @procedure);
end
go
create procedure dbo.ReadMail as
begin
    declare @h uniqueidentifier, @b nvarchar(100), @t sysname;
    while 1 = 1
    begin
        select @h = null;
        receive top (1) @h = conversation_handle, @t = message_type_name, @b = message_body from dbo.Mail;
        if @h is null return;
        if @t = N'DEFAULT' insert dbo.Journal (Who, What) values (object_name(@@procid), @b);
        else end conversation @h;
    end
end
go
create procedure dbo.ReadPrint as
begin
    declare @got table (h uniqueidentifier, t sysname, b varbinary(max));
    receive conversation_handle, message_type_name, message_body from dbo.[Print] into @got;
    insert dbo.Journal (Who, What) select 'print', cast(b as varchar(50)) from @got where t = N'DEFAULT';
end
go
create procedure dbo.Dispatch as
begin
    set nocount on;
    declare @x xml, @t sysname, @h uniqueidentifier, @proc nvarchar(400), @queue sysname;
    while 1 = 1
    begin
        begin transaction;
        waitfor (receive top (1) @h = conversation_handle, @t = message_type_name, @x = cast(message_body as xml) from dbo.Events), timeout 1000;
        if @@rowcount = 0 begin rollback; break; end
        if @t = N'http://schemas.microsoft.com/SQL/Notifications/EventNotification'
        begin
            set @queue = @x.value(N'(//ObjectName)[1]', N'sysname');
            select @proc = ProcedureName from dbo.QueueProcedures where QueueName = @queue;
            begin try
                exec @proc;
            end try
            begin catch
                insert dbo.Journal (Who, What) values (N'dispatcher', concat(error_number(), N' for ', @queue));
            end catch
        end
        else end conversation @h;
        if @@trancount > 0 commit;
    end
end
go
alter queue dbo.Events with activation (status = on, procedure_name = dbo.Dispatch, max_queue_readers = 1, execute as owner);
exec dbo.Register N'Mail', N'dbo.ReadMail';
exec dbo.Register N'Print', N'ReadPrint';
exec dbo.Register N'Lost', N'dbo.Nothing';
go
declare @h uniqueidentifier;
begin dialog @h from service MailService to service 'PrintService' with encryption = off; send on conversation @h ('page 1'); send on conversation @h ('page 2');
begin dialog @h from service PrintService to service 'MailService' with encryption = off; send on conversation @h (N'letter'); end conversation @h;
begin dialog @h from service PrintService to service 'LostService' with encryption = off; send on conversation @h (N'?');
go
--! advance 10s
select Who, What from dbo.Journal order by Who, What;
select count(*) from dbo.Mail; select count(*) from dbo.[Print];
go
--! rows
--! dispatcher | 2812 for Lost
--! \print | page 1
--! \print | page 2
--! ReadMail | letter
--! rows
--! 0
--! rows
--! 0
