"""Which DROP statements have IF EXISTS: those whose pages document it. The others get SQL Server's
error, unless an option allows it."""

from __future__ import annotations

import re

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import check, parse_batch
from sbql.grammar.tables import grammar_text

DOCUMENTED = "DATABASE FUNCTION PROC PROCEDURE ROLE SCHEMA SEQUENCE SYNONYM TABLE TRIGGER TYPE USER VIEW".split()
"""Beside INDEX, COLUMN and CONSTRAINT, and beside AGGREGATE, ASSEMBLY, DEFAULT, RULE and
SECURITY POLICY, which are not here."""
UNDOCUMENTED = [
    "MESSAGE TYPE", "CONTRACT", "QUEUE", "SERVICE", "ROUTE", "REMOTE SERVICE BINDING", "BROKER PRIORITY", "ENDPOINT", "LOGIN", "APPLICATION ROLE",
    "SERVER ROLE", "CERTIFICATE", "SYMMETRIC KEY", "ASYMMETRIC KEY", "XML SCHEMA COLLECTION",
    "PARTITION FUNCTION", "PARTITION SCHEME", "CREDENTIAL",
]  # fmt: skip


@pytest.mark.parametrize("kind", DOCUMENTED)
def test_documented(kind: str) -> None:
    (statement,) = parse_batch(f"DROP {kind} IF EXISTS x").statements
    assert statement.if_exists is True  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text", ["DROP INDEX IF EXISTS i ON t", "ALTER TABLE t DROP COLUMN IF EXISTS a, CONSTRAINT IF EXISTS c"]
)
def test_documented_parts(text: str) -> None:
    assert check(text) == []


@pytest.mark.parametrize("kind", [*UNDOCUMENTED, "EVENT NOTIFICATION", "MASTER KEY"])
def test_undocumented(kind: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse_batch(f"DROP {kind}\n IF EXISTS x")
    assert (caught.value.number, caught.value.line, caught.value.column) == (
        156 if kind != "MASTER KEY" else 102,
        2,
        2 if kind != "MASTER KEY" else 12,
    )
    if kind != "MASTER KEY":
        assert f"WHERE name = N'…') DROP {kind} …" in caught.value.message


@pytest.mark.parametrize("kind", UNDOCUMENTED)
def test_undocumented_with_the_option(kind: str) -> None:
    (statement,) = parse_batch(f"DROP {kind} IF EXISTS x", drop_if_exists=True).statements
    assert statement.if_exists is True  # type: ignore[attr-defined]
    assert check(f"DROP {kind} IF EXISTS x", drop_if_exists=True) == []
    assert len(check(f"DROP {kind} IF EXISTS x")) == 1


def test_every_kind_is_here() -> None:
    """A DROP that is added to the grammar belongs into one of the lists."""
    kinds: set[str] = set()
    for rule in ("broker_kind_words", "drop_kind_words", "strict_kind_words", "module_kind_words"):
        text = re.search(rf"(?m)^!{rule}:((?:.|\n    )*)", grammar_text())
        assert text is not None
        kinds |= {" ".join(re.findall(r'"(\w+)"', choice)) for choice in text.group(1).split("|")}
    assert kinds == {*DOCUMENTED, *UNDOCUMENTED}


def test_an_instance_with_the_option() -> None:
    text = "DROP QUEUE IF EXISTS q; DROP SERVICE IF EXISTS s; DROP LOGIN IF EXISTS nobody; CREATE QUEUE q; DROP QUEUE IF EXISTS q;"
    for allowed in (True, False):
        instance = Instance.open(clock="virtual", drop_if_exists=allowed)
        try:
            outcomes = instance.connect("tempdb").run(text)
            found = [outcome.error.number for outcome in outcomes if isinstance(outcome, ErrorOutcome)]
            assert found == ([] if allowed else [156])
        finally:
            instance.close()
