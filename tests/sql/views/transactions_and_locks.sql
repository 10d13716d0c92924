-- What sys.dm_tran_locks, the transaction views and sys.dm_exec_sql_text show of sessions that work and wait.
CREATE TABLE dbo.T (Id int PRIMARY KEY, A int);
INSERT dbo.T VALUES (1, 1);
GO
--! session a
BEGIN TRAN moves;
UPDATE dbo.T SET A = 2 WHERE Id = 1;
GO
--! session b
UPDATE dbo.T SET A = 3 WHERE Id = 1;
GO
--! blocked
--! session main
SELECT l.resource_type, l.request_mode, l.request_status FROM sys.dm_tran_locks AS l
WHERE l.resource_associated_entity_id = OBJECT_ID('dbo.T') AND l.request_session_id <> @@SPID
ORDER BY l.request_session_id, l.request_status, l.resource_type;
SELECT a.name, s.is_user_transaction FROM sys.dm_tran_active_transactions AS a
JOIN sys.dm_tran_session_transactions AS s ON s.transaction_id = a.transaction_id WHERE a.name = 'moves';
SELECT t.text, r.status FROM sys.dm_exec_requests AS r CROSS APPLY sys.dm_exec_sql_text(r.sql_handle) AS t
WHERE r.blocking_session_id <> 0;
SELECT b.event_type, b.event_info FROM sys.dm_exec_requests AS r CROSS APPLY sys.dm_exec_input_buffer(r.session_id, NULL) AS b
WHERE r.blocking_session_id <> 0;
SELECT text FROM sys.dm_exec_sql_text(0x0102);
GO
--! rows
--! KEY | X | GRANT
--! OBJECT | IX | GRANT
--! OBJECT | IX | GRANT
--! KEY | X | WAIT
--! rows
--! moves | 1
--! rows
--! UPDATE dbo.T SET A = 3 WHERE Id = 1; | suspended
--! rows
--! Language Event | UPDATE dbo.T SET A = 3 WHERE Id = 1;
--! rows
--! session a
COMMIT;
GO
--! finishes b
