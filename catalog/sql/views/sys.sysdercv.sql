-- sys.sysdercv: base table: the receiving half of dialog endpoints and all that changes seldom. dlgopened is the security timestamp.
-- Differs: there are no session keys, and what belongs to fragments and out-of-order arrival is -1 or 0. Bit 1 of status: an internal dialog.
-- only the administrator's connection
-- column: diagid uniqueidentifier not null
-- column: initiator tinyint not null
-- column: handle uniqueidentifier not null
-- column: rcvseq bigint not null
-- column: rcvfrag int not null
-- column: status int not null
-- column: state char(2) not null
-- column: lifetime datetime not null
-- column: contract int not null
-- column: svcid int not null
-- column: convgroup uniqueidentifier not null
-- column: sysseq bigint not null
-- column: enddlgseq bigint not null
-- column: firstoorder bigint not null
-- column: lastoorder bigint not null
-- column: lastoorderfr int not null
-- column: dlgtimer datetime not null
-- column: dlgopened datetime not null
-- column: princid int not null
-- column: outseskey varbinary(56)
-- column: outseskeyid uniqueidentifier not null
-- column: farprincid int not null
-- column: inseskey varbinary(56)
-- column: inseskeyid uniqueidentifier not null
-- column: farsvc nvarchar(256) collate Latin1_General_BIN not null
-- column: farbrkrinst nvarchar(128)
-- column: priority tinyint not null
SELECT conversation_id AS diagid, is_initiator AS initiator, conversation_handle AS handle, receive_sequence AS rcvseq, 0 AS rcvfrag,
    is_system::INTEGER AS status, state, sbql.at(lifetime) AS lifetime, contract_id AS contract, service_id AS svcid,
    conversation_group_id AS convgroup, CAST(0 AS BIGINT) AS sysseq, end_dialog_sequence AS enddlgseq, -1 AS firstoorder,
    -1 AS lastoorder, -1 AS lastoorderfr, sbql.at_or_1900(dialog_timer) AS dlgtimer,
    sbql.at_or_1900(security_timestamp) AS dlgopened, principal_id AS princid, NULL AS outseskey,
    '00000000-0000-0000-0000-000000000000'::UUID AS outseskeyid, far_principal_id AS farprincid, NULL AS inseskey,
    '00000000-0000-0000-0000-000000000000'::UUID AS inseskeyid, far_service AS farsvc,
    upper(far_broker_instance::VARCHAR) AS farbrkrinst, priority
FROM broker_conversation_endpoints WHERE database_id = $database_id ORDER BY diagid, initiator
