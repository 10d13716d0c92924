-- sys.sysxmitbody: base table: bodies that several rows of sys.sysxmitqueue share. Empty: each row has its own.
-- only the administrator's connection
-- column: msgref bigint not null
-- column: msgbody varbinary(max)
SELECT NULL AS msgref, NULL AS msgbody WHERE false
