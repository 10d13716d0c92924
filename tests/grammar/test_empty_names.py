"""A name of no characters, [] or "", is error 1038 at its place, wherever any statement has a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from sbql.grammar.ast import Identifier, Node
from sbql.grammar.errors import SqlError
from sbql.grammar.lexer import Source, scan
from sbql.grammar.parser import check, parse_batch


def test_wherever_a_name_stands(accepted_sample: str, nodes_of: Callable[[object], Iterator[Node]]) -> None:
    names = {n.span.start: n.span.end for n in nodes_of(parse_batch(accepted_sample)) if isinstance(n, Identifier)}
    for token in scan(Source(accepted_sample)):
        if token.kind not in ("word", "quoted") or names.get(token.start) != token.end:
            continue
        for empty in ("[]", '""'):
            text = accepted_sample[: token.start] + empty + accepted_sample[token.end :]
            with pytest.raises(SqlError) as caught:
                parse_batch(text)
            place = Source(text).place(token.start)
            found = caught.value
            assert (found.number, found.severity, found.line, found.column) == (1038, 15, *place), text


@pytest.mark.parametrize(
    "text",
    [
        *(f"CREATE {kind} {rest}" for kind, rest in {
            "DATABASE": "[]", "SCHEMA": "[]", "USER": "[] WITHOUT LOGIN", "ROLE": "[]", "LOGIN": "[] WITH PASSWORD = 'x'", "QUEUE": "[]",
            "SERVICE": "[] ON QUEUE q", "MESSAGE TYPE": "[]", "CONTRACT": "[] (m SENT BY ANY)", "ROUTE": "[] WITH ADDRESS = 'LOCAL'",
            "BROKER PRIORITY": "[] FOR CONVERSATION", "REMOTE SERVICE BINDING": "[] TO SERVICE 's' WITH USER = u", "TABLE": "t ([] int)",
            "PROCEDURE": "[] AS SELECT 1", "VIEW": "v ([]) AS SELECT 1", "SEQUENCE": "dbo.[]", "SYNONYM": "[] FOR t", "TYPE": "[] FROM int",
            "INDEX": "[] ON t (a)", "EVENT NOTIFICATION": "[] ON DATABASE FOR CREATE_TABLE TO SERVICE 's', 'current database'",
        }.items()),
        "USE []", "BEGIN DIALOG @h FROM SERVICE [] TO SERVICE 's'", "SELECT 1 AS []", 'SELECT "" FROM t', "SELECT * FROM db.[].t", "EXEC []", "SAVE TRANSACTION []",
        "SELECT * FROM t AS []", "WITH [] AS (SELECT 1 AS a) SELECT * FROM t", "GOTO []", "DECLARE [] CURSOR FOR SELECT 1",
    ],
)  # fmt: skip
def test_in_what_is_named(text: str) -> None:
    assert [error.number for error in check(text)][:1] == [1038]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1 AS [ ]",
        "SELECT 1 AS []]]",
        'SELECT 1 AS """"',
        'SET QUOTED_IDENTIFIER OFF; SELECT ""',
        "SELECT '', N''",
    ],
)
def test_what_is_no_empty_name(text: str) -> None:
    assert check(text) == []
