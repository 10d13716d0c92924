-- sys.dm_broker_activated_tasks: procedures that activation is running now.
-- column: spid int
-- column: database_id smallint
-- column: queue_id int
-- column: procedure_name nvarchar(650)
-- column: execute_as int
SELECT spid, database_id, queue_id, procedure_name, execute_as FROM live_activated_tasks
