-- sys.sysdesend: base table: the sending half of dialog endpoints. Differs: transaction ids are zero.
-- only the administrator's connection
-- column: handle uniqueidentifier not null
-- column: diagid uniqueidentifier not null
-- column: initiator tinyint not null
-- column: sendseq bigint not null
-- column: sendxact binary(6) not null
SELECT conversation_handle AS handle, conversation_id AS diagid, is_initiator AS initiator, send_sequence AS sendseq,
    '\x00\x00\x00\x00\x00\x00'::BLOB AS sendxact
FROM broker_conversation_endpoints WHERE database_id = $database_id ORDER BY handle
