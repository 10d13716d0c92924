-- Snippet and table 15-1 after listing 15-8: what a queue looks like from outside.
-- Corrected: status 1 is "ready to be received" in the released product (the table says 0), priority is in use, and
-- the list of columns differs between releases after message_body.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql

USE DMBrokerage;
GO
-- the queues of a database; a queue is an object of type SQ
SELECT name, RTRIM(type) AS type, type_desc FROM sys.service_queues WHERE is_ms_shipped = 0;
GO
--! rows
--! tradeEntryQueue | SQ | SERVICE_QUEUE

-- empty, but it has its columns
SELECT * FROM tradeEntryQueue;
GO
SELECT COUNT(*) AS messages FROM tradeEntryQueue;
GO
--! rows
--! 0

:r common/send-trade-entry.sql

USE DMBrokerage;
GO
SELECT status, priority, queuing_order, conversation_group_id, conversation_handle, message_sequence_number,
       service_name, service_id, service_contract_name, service_contract_id, message_type_name, message_type_id,
       RTRIM(validation) AS validation, CAST(message_body AS xml) AS message_body
FROM tradeEntryQueue;
GO
--! rows
--! columns status | priority | queuing_order | conversation_group_id | conversation_handle | message_sequence_number | service_name | service_id | service_contract_name | service_contract_id | message_type_name | message_type_id | validation | message_body
--! 1 | 5 | * | {group} | {handle} | 0 | //www.develop.com/DMBrokerage/TradeEntryService | * | //www.develop.com/DMBrokerage/EnterTrade | * | //www.develop.com/DMBrokerage/TradeEntry | * | X | <id>Order1</id>

-- The ids are those of the catalog, the handle and the group those of the endpoint.
SELECT COUNT(*) AS matches
FROM tradeEntryQueue AS q
JOIN sys.services AS s ON s.service_id = q.service_id AND s.name = q.service_name
JOIN sys.service_contracts AS c ON c.service_contract_id = q.service_contract_id
                               AND c.name = q.service_contract_name
JOIN sys.service_message_types AS t ON t.message_type_id = q.message_type_id AND t.name = q.message_type_name
JOIN sys.conversation_endpoints AS e ON e.conversation_handle = q.conversation_handle
                                    AND e.conversation_group_id = q.conversation_group_id;
GO
--! rows
--! 1

-- A queue looks like a table, but only RECEIVE takes messages out and only the broker puts them in.
DELETE FROM tradeEntryQueue;
GO
--! error 416
UPDATE tradeEntryQueue SET priority = 10;
GO
--! error 416
SELECT COUNT(*) AS messages FROM tradeEntryQueue;
GO
--! rows
--! 1
