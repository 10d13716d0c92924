"""Which words are reserved, which phrases are read as one, and which statements are named but not run.

Data only. The reserved words are those of the T-SQL reference; a word that is not here is a soft keyword, and names an
object wherever the grammar has no use for it.
"""

from __future__ import annotations

__all__ = [
    "CALL_WORDS",
    "CLEAR_STARTS",
    "GLOBAL_VARIABLES",
    "PHRASES",
    "RESERVED",
    "SOFT_STARTS",
    "STATEMENT_STARTS",
    "UNSUPPORTED",
    "UNSUPPORTED_CALLS",
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


RESERVED = word_set(
    """
    ADD ALL ALTER AND ANY AS ASC AUTHORIZATION BACKUP BEGIN BETWEEN BREAK BROWSE BULK BY CASCADE CASE CHECK
    CHECKPOINT CLOSE CLUSTERED COALESCE COLLATE COLUMN COMMIT COMPUTE CONSTRAINT CONTAINS CONTAINSTABLE CONTINUE
    CONVERT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASE DBCC
    DEALLOCATE DECLARE DEFAULT DELETE DENY DESC DISK DISTINCT DISTRIBUTED DOUBLE DROP DUMP ELSE END ERRLVL ESCAPE
    EXCEPT EXEC EXECUTE EXISTS EXIT EXTERNAL FETCH FILE FILLFACTOR FOR FOREIGN FREETEXT FREETEXTTABLE FROM FULL
    FUNCTION GOTO GRANT GROUP HAVING HOLDLOCK IDENTITY IDENTITY_INSERT IDENTITYCOL IF IN INDEX INNER INSERT INTERSECT
    INTO IS JOIN KEY KILL LEFT LIKE LINENO LOAD MERGE NATIONAL NOCHECK NONCLUSTERED NOT NULL NULLIF OF OFF OFFSETS ON
    OPEN OPENDATASOURCE OPENQUERY OPENROWSET OPENXML OPTION OR ORDER OUTER OVER PERCENT PIVOT PLAN PRIMARY
    PRINT PROC PROCEDURE PUBLIC RAISERROR READ READTEXT RECONFIGURE REFERENCES REPLICATION RESTORE RESTRICT RETURN
    REVERT REVOKE RIGHT ROLLBACK ROWCOUNT ROWGUIDCOL RULE SAVE SCHEMA SECURITYAUDIT SELECT SEMANTICKEYPHRASETABLE
    SEMANTICSIMILARITYDETAILSTABLE SEMANTICSIMILARITYTABLE SESSION_USER SET SETUSER SHUTDOWN SOME STATISTICS
    SYSTEM_USER TABLE TABLESAMPLE TEXTSIZE THEN TO TOP TRAN TRANSACTION TRIGGER TRUNCATE TRY_CONVERT TSEQUAL UNION
    UNIQUE UNPIVOT UPDATE UPDATETEXT USE USER VALUES VARYING VIEW WAITFOR WHEN WHERE WHILE WITH WITHIN WRITETEXT
    """
)

PHRASES: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "ABSENT": ((("ON", "NULL"), "ABSENT_ON_NULL"),),
    "AT": ((("TIME", "ZONE"), "_AT_TIME_ZONE"),),
    "CREATE": ((("TABLE",), "CREATE_TABLE"), (("VIEW",), "CREATE_VIEW")),
    "DATABASE": (
        (("SCOPED", "CREDENTIAL"), "_DATABASE_SCOPED_CREDENTIAL"),
        (("SCOPED", "CONFIGURATION"), "_DATABASE_SCOPED_CONFIGURATION"),
    ),
    "DENY": (((), "DENY_INSIDE"),),
    "DISABLE": (
        (("TRIGGER",), "DISABLE_TRIGGER"),
        (("CHANGE_TRACKING",), "TABLE_FEATURE"),
        (("FILETABLE_NAMESPACE",), "TABLE_FEATURE"),
    ),
    "ENABLE": (
        (("TRIGGER",), "ENABLE_TRIGGER"),
        (("CHANGE_TRACKING",), "TABLE_FEATURE"),
        (("FILETABLE_NAMESPACE",), "TABLE_FEATURE"),
    ),
    "END": ((("CONVERSATION",), "_END_CONVERSATION"), (("SUBSCRIPTION",), "_END_SUBSCRIPTION")),
    "FOR": (
        (("XML",), "FOR_XML"),
        (("JSON",), "FOR_JSON"),
        (("PATH",), "_FOR_PATH"),
        (("SYSTEM_TIME",), "_FOR_SYSTEM_TIME"),
        (("BROWSE",), "FOR_BROWSE"),
    ),
    "GET": ((("CONVERSATION", "GROUP"), "_GET_CONVERSATION_GROUP"),),
    "GRANT": (((), "GRANT_INSIDE"),),
    "GROUPING": ((("SETS",), "_GROUPING_SETS"),),
    "IF": ((("EXISTS",), "_ADDED_IF_EXISTS"),),
    "IGNORE": ((("NULLS",), "IGNORE_NULLS"),),
    "MOVE": ((("CONVERSATION",), "_MOVE_CONVERSATION"),),
    "NEXT": ((("VALUE", "FOR"), "_NEXT_VALUE_FOR"),),
    "NOT": ((("FOR", "REPLICATION"), "_NOT_FOR_REPLICATION"),),
    "NULL": ((("ON", "NULL"), "NULL_ON_NULL"),),
    "PERIOD": ((("FOR", "SYSTEM_TIME"), "PERIOD_FOR_SYSTEM_TIME"),),
    "RESPECT": ((("NULLS",), "RESPECT_NULLS"),),
    "REVOKE": (((), "_REVOKE_INSIDE"),),
    "SEND": ((("ON", "CONVERSATION"), "_SEND_ON_CONVERSATION"),),
    "WITH": ((("CHECK", "OPTION"), "_WITH_CHECK_OPTION"),),
    "WITHIN": ((("GROUP",), "_WITHIN_GROUP"),),
}
"""Words that are one terminal when the others follow them, and the state accepts it. Without others: the first word of
an element of CREATE SCHEMA."""

GLOBAL_VARIABLES = frozenset(
    f"@@{name}"
    for name in word_set(
        """
        CONNECTIONS CPU_BUSY CURSOR_ROWS DATEFIRST DBTS ERROR FETCH_STATUS IDENTITY IDLE IO_BUSY LANGID LANGUAGE
        LOCK_TIMEOUT MAX_CONNECTIONS MAX_PRECISION MICROSOFTVERSION NESTLEVEL OPTIONS PACKET_ERRORS PACK_RECEIVED
        PACK_SENT PROCID REMSERVER ROWCOUNT SERVERNAME SERVICENAME SPID TEXTSIZE TIMETICKS TOTAL_ERRORS TOTAL_READ
        TOTAL_WRITE TRANCOUNT VERSION
        """
    )
)
"""Functions of the system that are spelled as variables. Any other name with two signs is that of a variable."""

CALL_WORDS = frozenset({"CAST", "CUBE", "OPENJSON", "PARSE", "ROLLUP", "TRY_CAST", "TRY_PARSE"})
"""Keywords only in front of a parenthesis."""

_MISSING_KINDS = {
    "AGGREGATE": "CREATE DROP",
    "ASSEMBLY": "CREATE ALTER DROP",
    "AVAILABILITY GROUP": "CREATE ALTER DROP",
    "COLUMN ENCRYPTION KEY": "CREATE ALTER DROP",
    "COLUMN MASTER KEY": "CREATE DROP",
    "CRYPTOGRAPHIC PROVIDER": "CREATE ALTER DROP",
    "DATABASE AUDIT SPECIFICATION": "CREATE ALTER DROP",
    "DATABASE ENCRYPTION KEY": "CREATE ALTER DROP",
    "DEFAULT": "CREATE DROP",
    "EVENT SESSION": "CREATE ALTER DROP",
    "EXTERNAL DATA SOURCE": "CREATE ALTER DROP",
    "EXTERNAL FILE FORMAT": "CREATE DROP",
    "EXTERNAL LANGUAGE": "CREATE ALTER DROP",
    "EXTERNAL LIBRARY": "CREATE ALTER DROP",
    "EXTERNAL MODEL": "CREATE ALTER DROP",
    "EXTERNAL RESOURCE POOL": "CREATE ALTER DROP",
    "EXTERNAL TABLE": "CREATE DROP",
    "FULLTEXT CATALOG": "CREATE ALTER DROP",
    "FULLTEXT INDEX": "CREATE ALTER DROP",
    "FULLTEXT STOPLIST": "CREATE ALTER DROP",
    "RESOURCE GOVERNOR": "ALTER",
    "RESOURCE POOL": "CREATE ALTER DROP",
    "RULE": "CREATE DROP",
    "SEARCH PROPERTY LIST": "CREATE ALTER DROP",
    "SECURITY POLICY": "CREATE ALTER DROP",
    "SELECTIVE XML INDEX": "CREATE",
    "SENSITIVITY CLASSIFICATION": "ADD DROP",
    "SERVER AUDIT SPECIFICATION": "CREATE ALTER DROP",
    "SERVER AUDIT": "CREATE ALTER DROP",
    "SPATIAL INDEX": "CREATE",
    "WORKLOAD GROUP": "CREATE ALTER DROP",
}
"""Kinds of objects that SQL Server has and sbql only names, with the verbs that their statements begin with. A kind
stands before one that its first words are."""


def _of_missing_kinds(verb: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(kind.split()) for kind, verbs in _MISSING_KINDS.items() if verb in verbs.split())


UNSUPPORTED: dict[str, tuple[tuple[str, ...], ...]] = {
    "ADD": _of_missing_kinds("ADD"),
    "ALTER": (
        *_of_missing_kinds("ALTER"),
        ("ASYMMETRIC", "KEY"),
        ("SERVER", "CONFIGURATION"),
    ),
    "BACKUP": (("SERVICE", "MASTER", "KEY"),),
    "CHECKPOINT": ((),),
    "CREATE": _of_missing_kinds("CREATE"),
    "DROP": _of_missing_kinds("DROP"),
    "DUMP": ((),),
    "KILL": (("STATS", "JOB"),),
    "LINENO": ((),),
    "LOAD": ((),),
    "READTEXT": ((),),
    "RESTORE": (("SERVICE", "MASTER", "KEY"),),
    "SETUSER": ((),),
    "SHUTDOWN": ((),),
    "UPDATETEXT": ((),),
    "WRITETEXT": ((),),
}
"""Statements that SQL Server runs and sbql names: their text is read up to where the next statement starts."""

UNSUPPORTED_CALLS: dict[str, dict[str, tuple[str, ...]]] = {
    "UNSUPPORTED_PREDICATE": {"CONTAINS": (), "FREETEXT": (), "MATCH": ()},
    "UNSUPPORTED_SOURCE": {
        "CHANGETABLE": ("CHANGES", "VERSION"),
        "CONTAINSTABLE": (),
        "FREETEXTTABLE": (),
        "OPENDATASOURCE": (),
        "OPENQUERY": (),
        "OPENROWSET": (),
        "PREDICT": ("MODEL",),
        "SEMANTICKEYPHRASETABLE": (),
        "SEMANTICSIMILARITYDETAILSTABLE": (),
        "SEMANTICSIMILARITYTABLE": (),
    },
}
"""Calls with a grammar of their own that sbql names: read up to the parenthesis that closes them. The words that are
not reserved name tables too, and are told by the word in the parenthesis."""

CLEAR_STARTS = word_set("COMMIT DECLARE ELSE END GOTO PRINT RAISERROR RETURN ROLLBACK SELECT WAITFOR WHILE")
"""Words that stand at the start of a statement (or end a block) and in no option of an unsupported one."""

STATEMENT_STARTS = word_set(
    """
    ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE DELETE DENY DROP
    ELSE END EXEC EXECUTE FETCH GOTO GRANT IF INSERT KILL MERGE OPEN PRINT RAISERROR RECEIVE RECONFIGURE RESTORE RETURN REVERT
    REVOKE ROLLBACK SAVE SELECT SEND SET SHUTDOWN THROW TRUNCATE UPDATE USE WAITFOR WHILE
    """
)
"""Words that begin a statement: where error recovery and unsupported statements look for the next one."""

SOFT_STARTS = word_set(
    "DISABLE_TRIGGER ENABLE_TRIGGER RECEIVE THROW _GET_CONVERSATION_GROUP _MOVE_CONVERSATION _SEND_ON_CONVERSATION"
)
"""Terminals that begin a statement with a word that is not reserved: behind something that takes a name, only a
semicolon makes them a statement."""
