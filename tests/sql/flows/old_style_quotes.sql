-- A script of the year 2000's manners brought to the broker: double-quoted strings, old joins, *= is gone, sysobjects, sp_ procedures of
-- one's own, SELECT for assignment, PRINT with concatenation, RETURN codes, tables named by keywords in brackets, INSERT without INTO.
set quoted_identifier off
go
set nocount on
go
create database Veteran
go
use Veteran
go
if exists (select * from sysobjects where id = object_id("dbo.sp_tell") and sysstat & 0xf = 4)
	drop procedure dbo.sp_tell
go
create table dbo.[log] (logid int identity (1, 1) not null, [when] smalldatetime not null default (getdate()), [user] varchar (30) null default (user_name()), msg varchar (255) null)
create queue dbo.outbox
create service [outbox service] on queue dbo.outbox ([DEFAULT])
go
create proc dbo.sp_tell @msg varchar (255), @debug char (1) = "N" as
declare @h uniqueidentifier, @err int, @rows int
if @msg is null or @msg = ""
begin
	print "nothing to tell"
	return -1
end
begin tran
insert dbo.[log] (msg) values (@msg)
select @err = @@error, @rows = @@rowcount
if @err <> 0 or @rows <> 1 goto bad
begin dialog conversation @h from service [outbox service] to service "outbox service" with encryption = off
if @@error <> 0 goto bad
send on conversation @h (@msg)
if @@error <> 0 goto bad
if upper (@debug) = "Y" print "told: " + @msg
commit tran
return 0
bad:
rollback tran
raiserror ("could not tell %s", 16, 1, @msg) with seterror
return 1
go
declare @rc int
exec @rc = sp_tell ""
print "rc = " + convert (varchar (5), @rc)
exec @rc = Veteran..sp_tell "it's here", "y"
print "rc = " + ltrim (str (@rc))
select @rc = 0
while (select count (*) from dbo.outbox) > 0
begin
	receive top (1) cast (message_body as varchar (255)) as "body" from dbo.outbox
	if @@rowcount = 0 break
end
select o.name, l.msg from sysobjects o, dbo.[log] l where o.name = "log" and o.type = "U"
go
--! print nothing to tell
--! print rc = -1
--! print told: it's here
--! print rc = 0
--! rows
--! columns body
--! it's here
--! rows
--! log | it's here
exec ("select 'by text' as how")
go
--! rows
--! by text
set quoted_identifier on
go
