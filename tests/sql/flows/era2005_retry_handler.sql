-- In the manner of 2005: sysname, return codes, @@ERROR after each statement, GOTO handlers, RAISERROR of messages of one's own, no TRY.
use master
go
if exists (select 1 from master.dbo.sysdatabases where name = 'OldShop')
	drop database OldShop
go
create database OldShop
go
if (select is_broker_enabled from sys.databases where name = 'OldShop') = 0
	alter database OldShop set enable_broker
go
use OldShop
go
exec sp_addmessage 60001, 16, N'%s: dialog could not be started for customer %d.', @replace = 'replace'
exec sp_addmessage 60002, 16, N'%s failed with error %d.', @replace = 'replace'
go
create table dbo.Customer (CustomerId int not null primary key, CustomerName varchar(40) not null)
create table dbo.ErrorLog (ErrorLogId int identity(1, 1) primary key, ProcName sysname, ErrorNo int, At datetime default getdate())
insert dbo.Customer values (1, 'Adam')
insert dbo.Customer values (2, 'Berta')
go
create message type [OldShop/Welcome] validation = none
create contract [OldShop/WelcomeContract] ([OldShop/Welcome] sent by initiator)
create queue dbo.WelcomeQueue
create service [OldShop/Sender] on queue dbo.WelcomeQueue
create service [OldShop/Welcomer] on queue dbo.WelcomeQueue ([OldShop/WelcomeContract])
go
create procedure dbo.usp_LogError
	@procid int,
	@err int
as
	declare @name sysname
	select @name = object_name(@procid)
	insert into dbo.ErrorLog (ProcName, ErrorNo) values (isnull(@name, '?'), @err)
	return 0
go
create procedure dbo.usp_SendWelcome
	@CustomerId int,
	@ConversationHandle uniqueidentifier = null output
as
set nocount on
declare @err int, @rc int, @name varchar(40), @me sysname, @tran bit
select @me = object_name(@@procid), @tran = 0

select @name = CustomerName from dbo.Customer where CustomerId = @CustomerId
select @err = @@error, @rc = @@rowcount
if @err <> 0 goto ErrorHandler
if @rc = 0
begin
	raiserror (60001, 16, 1, @me, @CustomerId)
	return 1
end

if @@trancount = 0
begin
	begin transaction
	select @tran = 1
end

begin dialog conversation @ConversationHandle
	from service [OldShop/Sender]
	to service 'OldShop/Welcomer'
	on contract [OldShop/WelcomeContract]
	with encryption = off
set @err = @@error
if @err != 0 goto ErrorHandler

;send on conversation @ConversationHandle message type [OldShop/Welcome] (@name)
set @err = @@error
if @err != 0 goto ErrorHandler

if @tran = 1 commit transaction
return 0

ErrorHandler:
	if @tran = 1 rollback transaction
	exec dbo.usp_LogError @@procid, @err
	raiserror (60002, 16, 1, @me, @err)
	return @err
go
declare @rc int, @h uniqueidentifier
exec @rc = dbo.usp_SendWelcome 1, @h output
select @rc as rc, case when @h is null then 'no' else 'yes' end as started
exec @rc = usp_SendWelcome @CustomerId = 99
select @rc as rc
go
--! rows
--! columns rc | started
--! 0 | yes
--! rows
--! 1
--! error 60001 text usp_SendWelcome: dialog could not be started for customer 99.
-- The body is single-byte text, for the variable was varchar.
declare @b varbinary(100), @t sysname
receive top (1) @b = message_body, @t = message_type_name from dbo.WelcomeQueue
if @@rowcount <> 1
	print 'nothing'
select @b, cast(@b as varchar(40)), @t
go
--! rows
--! 0x4164616D | Adam | OldShop/Welcome
-- A statement error without TRY: the procedure goes on, finds @@ERROR and jumps.
create procedure dbo.usp_Bad as
declare @err int
insert dbo.Customer values (2, 'again')
set @err = @@error
if @err <> 0 goto Fail
return 0
Fail:
	exec usp_LogError @@procid, @err
	return @err
go
declare @rc int
exec @rc = usp_Bad
select @rc
select ProcName, ErrorNo from ErrorLog
print 'still running'
go
--! error 2627 line 4
--! rows
--! 2627
--! rows
--! usp_Bad | 2627
--! print has been ended
--! print still running
-- BEGIN DIALOG from a service that is not there ends the statement, not the batch.
declare @h uniqueidentifier, @e int
begin dialog @h from service [OldShop/Nobody] to service 'OldShop/Welcomer' on contract [OldShop/WelcomeContract]
set @e = @@error
print 'error was ' + convert(varchar(10), @e)
begin dialog @h from service [OldShop/Sender] to service 'OldShop/Welcomer' on contract [OldShop/Missing]
print 'error was ' + str(@@error, 5)
go
--! error 8423 line 3
--! error 8425 line 6
--! print error was 8423
--! print error was  8425
exec sp_dropmessage 60001
exec sp_dropmessage @msgnum = 60002, @lang = 'all'
use master
drop database OldShop
go
