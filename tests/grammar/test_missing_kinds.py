"""Kinds of objects that SQL Server has and sbql has not: every statement that its
documents list for them is named whole."""

from __future__ import annotations

import pytest

from sbql.grammar.ast import SelectStatement, UnsupportedStatement
from sbql.grammar.parser import parse_batch

DOCUMENTED = """
CREATE ALTER DROP | SECURITY POLICY dbo.p; FULLTEXT CATALOG c; FULLTEXT INDEX ON t; FULLTEXT STOPLIST l; SEARCH PROPERTY LIST l; EVENT SESSION e ON SERVER
CREATE ALTER DROP | AVAILABILITY GROUP g; RESOURCE POOL r; WORKLOAD GROUP w; EXTERNAL DATA SOURCE s; EXTERNAL LIBRARY l; EXTERNAL RESOURCE POOL r
CREATE ALTER DROP | COLUMN ENCRYPTION KEY k; DATABASE ENCRYPTION KEY; CRYPTOGRAPHIC PROVIDER p; SERVER AUDIT a; SERVER AUDIT SPECIFICATION s
CREATE ALTER DROP | DATABASE AUDIT SPECIFICATION s; ASSEMBLY a
CREATE DROP | COLUMN MASTER KEY k; EXTERNAL TABLE t; EXTERNAL FILE FORMAT f; AGGREGATE a; RULE r; DEFAULT d
CREATE | SPATIAL INDEX i ON t (g); SELECTIVE XML INDEX i ON t (x)
ALTER | RESOURCE GOVERNOR RECONFIGURE
ADD DROP | SENSITIVITY CLASSIFICATION TO t.c
"""

STATEMENTS = [
    (verb, words.strip())
    for line in DOCUMENTED.strip().splitlines()
    for verb in line.partition("|")[0].split()
    for words in line.partition("|")[2].split(";")
]


def name_of(verb: str, words: str) -> str:
    """The verb and the kind: what stands before the name, ON or TO."""
    kind = [word for word in words.split() if word.isupper() and word not in ("ON", "TO", "RECONFIGURE")]
    return " ".join([verb, *(word for word in kind if word != "SERVER" or kind[0] == "SERVER")])


@pytest.mark.parametrize(("verb", "words"), STATEMENTS, ids=[f"{verb} {words}" for verb, words in STATEMENTS])
def test_named_whole(verb: str, words: str) -> None:
    first, statement = parse_batch(f"SELECT 1\n{verb} {words}").statements
    assert isinstance(first, SelectStatement) and isinstance(statement, UnsupportedStatement)
    assert statement.feature == name_of(verb, words)


@pytest.mark.parametrize(
    "text", ["ALTER TABLE t DROP COLUMN master", "ALTER TABLE t DROP COLUMN encryption, rule_", "DROP TABLE security"]
)
def test_their_words_are_names_elsewhere(text: str) -> None:
    assert parse_batch(text).statements
