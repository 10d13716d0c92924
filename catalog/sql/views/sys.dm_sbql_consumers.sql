-- sys.dm_sbql_consumers: a row for every consumer of a queue: what it was delivered, and what it holds. sbql's own.
-- column: database_id int
-- column: queue_id int
-- column: consumer nvarchar(256)
-- column: log_id uniqueidentifier
-- column: epoch bigint
-- column: acknowledged bigint
-- column: delivered bigint
-- column: held bigint
-- column: held_groups int
-- column: failures int
-- column: attach_time datetime
-- column: held_since datetime
SELECT database_id, queue_id, consumer, log_id, epoch, acknowledged, delivered, held, held_groups, failures,
    sbql.at_or_1900(attach_time) AS attach_time, CASE WHEN held_since IS NOT NULL THEN sbql.at(held_since) END AS held_since
FROM live_consumers
