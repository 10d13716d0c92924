-- sys.messages: the message catalogue: system messages (English only) and those of sp_addmessage.
-- column: message_id int not null
-- column: language_id smallint not null
-- column: severity tinyint not null
-- column: is_event_logged bit not null
-- column: text nvarchar(2048) not null
SELECT message_id, language_id, severity, is_event_logged, text FROM catalog_messages
UNION ALL
SELECT message_id, language_id, severity, is_event_logged, text FROM live_messages
