-- sys.sysmessages: sys.messages as SQL Server 2000 told it.
-- column: error int not null
-- column: severity tinyint
-- column: dlevel smallint
-- column: description nvarchar(255) not null
-- column: msglangid smallint not null
SELECT message_id AS error, severity, CASE WHEN is_event_logged THEN 128 ELSE 0 END AS dlevel, left(text, 255) AS description,
    language_id AS msglangid
FROM (SELECT * FROM catalog_messages UNION ALL SELECT * FROM live_messages)
