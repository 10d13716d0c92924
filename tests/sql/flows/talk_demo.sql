-- demo 1: the smallest thing that works. Built-in contract and message type, one database, everything by hand.
use tempdb
go
create queue helloq; create service hello on queue helloq ([DEFAULT])
create queue worldq; create service world on queue worldq
go
declare @h uniqueidentifier
begin dialog @h from service world to service 'hello' with encryption = off
;send on conversation @h (N'hello, world')
select is_initiator, state_desc from sys.conversation_endpoints order by is_initiator
go
--! rows
--! 0 | CONVERSING
--! 1 | CONVERSING
-- peek: nothing is taken
select cast(message_body as nvarchar(max)) as what, message_type_name, validation, status, queuing_order from helloq
select cast(message_body as nvarchar(max)) as what from helloq
go
--! rows
--! hello, world | DEFAULT | N | 1 | *
--! rows
--! hello, world
-- take it, but change your mind
begin tran;
receive cast(message_body as nvarchar(max)) as what from helloq
select count(*) as left_ from helloq
rollback
select count(*) as back from helloq
go
--! rows
--! hello, world
--! rows
--! 0
--! rows
--! 1
-- demo 2: the same with a variable for everything, and an answer
declare @conv uniqueidentifier, @body nvarchar(max), @type sysname, @svc nvarchar(256), @ctr nvarchar(256), @seq bigint, @grp uniqueidentifier, @prio tinyint
receive top (1) @conv = conversation_handle, @body = message_body, @type = message_type_name, @svc = service_name, @ctr = service_contract_name,
    @seq = message_sequence_number, @grp = conversation_group_id, @prio = priority from helloq
print @svc + ' got ' + quotename(@body, '"') + ' of type ' + @type + ' on ' + @ctr + ' with priority ' + cast(@prio as varchar(3))
send on conversation @conv (N'hello yourself')
end conversation @conv
go
--! print hello got "hello, world" of type DEFAULT on DEFAULT with priority 5
waitfor (receive top (2) message_type_name, cast(message_body as nvarchar(100)) as what from worldq), timeout 3000
go
--! rows
--! DEFAULT | hello yourself
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL
-- demo 3: what happens when nobody listens
declare @h uniqueidentifier
begin dialog @h from service world to service 'nobody' with encryption = off, lifetime = 30;
send on conversation @h ('anyone?');
waitfor delay '00:00:01';
select case when transmission_status like N'%nobody%' or transmission_status <> N'' then 'there is a reason' end, is_end_of_dialog, message_body from sys.transmission_queue;
select case when get_transmission_status(@h) <> N'' then 'and a function' end;
end conversation @h with cleanup;
select count(*) from sys.transmission_queue;
go
--! rows
--! there is a reason | 0 | 0x616E796F6E653F
--! rows
--! and a function
--! rows
--! 0
-- demo 4: a queue that is off
alter queue helloq with status = off
go
receive * from helloq
go
--! error 9617
declare @h uniqueidentifier
begin dialog @h from service world to service 'hello' with encryption = off
;send on conversation @h (N'patience')
select count(*) from sys.transmission_queue
alter queue helloq with status = on
go
--! rows
--! 1
--! advance 60s
select cast(message_body as nvarchar(20)) from helloq
select count(*) from sys.transmission_queue
go
--! rows
--! patience
--! rows
--! 0
-- clean up: services first, they end their conversations
drop service hello; drop service world; drop queue helloq; drop queue worldq
select count(*) from sys.conversation_endpoints
go
--! rows
--! 0
