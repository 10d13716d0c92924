-- sys.sysxmitqueue: base table: the transmission queue. rsndtime is the next attempt; status has bit 2 for an error, bit 4 for an end of dialog, bit 8 for what has come for a queue that is OFF.
-- Differs: a message is one piece without headers of its own (unackmfn, hdrpartlen, hdrseclen, msgenc and dlgerr are 0).
-- only the administrator's connection
-- column: dlgid uniqueidentifier not null
-- column: finitiator bit not null
-- column: tosvc nvarchar(256) collate Latin1_General_BIN
-- column: tobrkrinst nvarchar(128)
-- column: fromsvc nvarchar(256) collate Latin1_General_BIN
-- column: frombrkrinst nvarchar(128)
-- column: svccontr nvarchar(256) collate Latin1_General_BIN
-- column: msgseqnum bigint not null
-- column: msgtype nvarchar(256) collate Latin1_General_BIN
-- column: unackmfn int not null
-- column: status int not null
-- column: enqtime datetime not null
-- column: rsndtime datetime not null
-- column: dlgerr int not null
-- column: msgid uniqueidentifier not null
-- column: hdrpartlen smallint not null
-- column: hdrseclen smallint not null
-- column: msgenc tinyint not null
-- column: msgbodylen int not null
-- column: msgbody varbinary(max)
SELECT e.conversation_id AS dlgid, e.is_initiator AS finitiator, t.to_service_name AS tosvc, t.to_broker_instance AS tobrkrinst,
    t.from_service_name AS fromsvc, upper(CASE WHEN (t.status & 8) <> 0 THEN e.far_broker_instance ELSE d.service_broker_guid END::VARCHAR) AS frombrkrinst, t.service_contract_name AS svccontr,
    CASE WHEN (t.status & 16) <> 0 THEN 0 ELSE t.message_sequence_number END AS msgseqnum, t.message_type_name AS msgtype, 0 AS unackmfn, t.status,
    sbql.at(t.enqueue_time) AS enqtime, sbql.at_or_1900(t.next_attempt) AS rsndtime, 0 AS dlgerr, t.message_id AS msgid,
    0 AS hdrpartlen, 0 AS hdrseclen, 0 AS msgenc, coalesce(octet_length(t.message_body), 0) AS msgbodylen, t.message_body AS msgbody
FROM broker_transmission_queue t
JOIN broker_conversation_endpoints e ON e.conversation_handle = t.conversation_handle AND e.database_id = t.database_id
JOIN catalog_databases d ON d.id = t.database_id
WHERE t.database_id = $database_id AND ((t.status & 16) = 0 OR e.state = 'ER') ORDER BY dlgid, finitiator, msgseqnum
