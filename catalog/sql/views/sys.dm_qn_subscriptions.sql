-- sys.dm_qn_subscriptions: queries whose changes somebody waits for: one's own, and with VIEW SERVER STATE all. object_id is NULL: subscriptions
-- stand in no internal table. status is 0: one that has fired is gone.
-- column: id int
-- column: database_id int
-- column: sid varbinary(85)
-- column: object_id int
-- column: created datetime
-- column: timeout int
-- column: status int
SELECT id, database_id, sid, CAST(NULL AS INTEGER) AS object_id, sbql.at_or_1900(created) AS created, timeout, 0 AS status
FROM live_query_subscriptions
