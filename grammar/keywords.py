"""Which words are reserved, which phrases are read as one, and which statements are named but not run.

Data only. The reserved words are those of the T-SQL reference; a word that is not here is a soft keyword, and names an
object wherever the grammar has no use for it.
"""

from __future__ import annotations

__all__ = ["CALL_WORDS", "CLEAR_STARTS", "PHRASES", "RESERVED", "STATEMENT_STARTS", "UNSUPPORTED", "word_set"]


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
    "DISABLE": ((("TRIGGER",), "DISABLE_TRIGGER"),),
    "ENABLE": ((("TRIGGER",), "ENABLE_TRIGGER"),),
    "END": ((("CONVERSATION",), "_END_CONVERSATION"), (("SUBSCRIPTION",), "_END_SUBSCRIPTION")),
    "FOR": ((("XML",), "FOR_XML"), (("JSON",), "FOR_JSON")),
    "GET": ((("CONVERSATION", "GROUP"), "_GET_CONVERSATION_GROUP"),),
    "GROUPING": ((("SETS",), "_GROUPING_SETS"),),
    "IGNORE": ((("NULLS",), "IGNORE_NULLS"),),
    "MOVE": ((("CONVERSATION",), "_MOVE_CONVERSATION"),),
    "NEXT": ((("VALUE", "FOR"), "_NEXT_VALUE_FOR"),),
    "NOT": ((("FOR", "REPLICATION"), "_NOT_FOR_REPLICATION"),),
    "NULL": ((("ON", "NULL"), "NULL_ON_NULL"),),
    "RESPECT": ((("NULLS",), "RESPECT_NULLS"),),
    "SEND": ((("ON", "CONVERSATION"), "_SEND_ON_CONVERSATION"),),
    "WITH": ((("CHECK", "OPTION"), "_WITH_CHECK_OPTION"),),
    "WITHIN": ((("GROUP",), "_WITHIN_GROUP"),),
}
"""Words that are one terminal when the others follow them, and the state accepts it."""

CALL_WORDS = frozenset({"CAST", "CUBE", "OPENJSON", "PARSE", "ROLLUP", "TRY_CAST", "TRY_PARSE"})
"""Keywords only in front of a parenthesis."""

UNSUPPORTED: dict[str, tuple[tuple[str, ...], ...]] = {
    "ALTER": (
        ("ASSEMBLY",),
        ("ASYMMETRIC", "KEY"),
        ("AVAILABILITY",),
        ("DATABASE", "AUDIT"),
        ("DATABASE", "ENCRYPTION"),
        ("DATABASE", "SCOPED"),
        ("EVENT",),
        ("FULLTEXT",),
        ("PARTITION",),
        ("RESOURCE",),
        ("SCHEMA",),
        ("SEARCH",),
        ("SERVER", "AUDIT"),
        ("SERVER", "CONFIGURATION"),
        ("WORKLOAD",),
    ),
    "BACKUP": (("SERVICE", "MASTER", "KEY"),),
    "BULK": (("INSERT",),),
    "CHECKPOINT": ((),),
    "CREATE": (
        ("ASSEMBLY",),
        ("AGGREGATE",),
        ("AVAILABILITY",),
        ("CREDENTIAL",),
        ("CRYPTOGRAPHIC",),
        ("DEFAULT",),
        ("EVENT", "SESSION"),
        ("EXTERNAL",),
        ("FULLTEXT",),
        ("PARTITION",),
        ("RESOURCE",),
        ("RULE",),
        ("SEARCH",),
        ("SECURITY",),
        ("SERVER", "AUDIT"),
        ("SPATIAL",),
        ("STATISTICS",),
        ("WORKLOAD",),
    ),
    "DROP": (
        ("ASSEMBLY",),
        ("AGGREGATE",),
        ("AVAILABILITY",),
        ("CREDENTIAL",),
        ("DEFAULT",),
        ("EVENT", "SESSION"),
        ("FULLTEXT",),
        ("PARTITION",),
        ("RULE",),
        ("SEARCH",),
        ("SERVER", "AUDIT"),
        ("STATISTICS",),
    ),
    "DUMP": ((),),
    "KILL": (("QUERY", "NOTIFICATION"), ("STATS", "JOB")),
    "LINENO": ((),),
    "LOAD": ((),),
    "READTEXT": ((),),
    "RECONFIGURE": ((),),
    "RESTORE": (("SERVICE", "MASTER", "KEY"),),
    "SETUSER": ((),),
    "SHUTDOWN": ((),),
    "UPDATE": (("STATISTICS",),),
    "UPDATETEXT": ((),),
    "WRITETEXT": ((),),
}
"""Statements that SQL Server runs and sbql names: their text is read up to where the next statement starts."""

CLEAR_STARTS = word_set("COMMIT DECLARE ELSE END GOTO PRINT RAISERROR RETURN ROLLBACK SELECT WAITFOR WHILE")
"""Words that stand at the start of a statement (or end a block) and in no option of an unsupported one."""

STATEMENT_STARTS = word_set(
    """
    ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE DELETE DENY DROP
    ELSE END EXEC EXECUTE FETCH GOTO GRANT IF INSERT KILL MERGE OPEN PRINT RAISERROR RECEIVE RESTORE RETURN REVERT
    REVOKE ROLLBACK SAVE SELECT SEND SET SHUTDOWN THROW TRUNCATE UPDATE USE WAITFOR WHILE
    """
)
"""Words that begin a statement: where error recovery and unsupported statements look for the next one."""
