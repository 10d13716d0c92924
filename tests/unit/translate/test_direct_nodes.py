"""The nodes of one document without DuckDB are those that DuckDB gives: values, columns and errors of statements at
random, and what the direct form must leave to DuckDB."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from answers import asked, with_and_without

from sbql.engine.direct import form
from sbql.engine.instance import Instance
from sbql.engine.session import Session

DOCUMENTS = (
    '<r id="7"><a k="1" d="2024-01-05"><b>x</b><n>1.50</n></a><a k="2"><b>y</b><b>z</b><n> 7 </n></a><a/><c><a k="3"><n>1e2</n></a></c></r>',
    '<a k="5"><b>top</b></a><a k="x"/>text',
    '<r xmlns="u"><a k="1"/></r>',
    "<r><a><!--c--><b>1<i>2</i>3</b></a></r>",
    "",
)
PATHS = ("/r/a", "/r", "//a", "/a", "/r/*", '//a[@k = "2"]', "/r/a[2]", "/r/a[n > 1]", "//a/@k", "//text()", ".", "/none", "/r/a/..")  # fmt: skip
VALUES = (
    "{}.value('@k', 'int')", "{}.value('@k', 'nvarchar(10)')", "{}.value('(b)[1]', 'varchar(2)')", "{}.value('(b/text())[1]', 'nvarchar(max)')", "{}.value('(n)[1]', 'decimal(10, 2)')",
    "{}.value('(n)[1]', 'float')", "{}.value('@d', 'date')", "{}.value('(../@id)[1]', 'int')", "{}.value('.', 'nvarchar(40)')", "{}.value('local-name(.)', 'sysname')", "{}.query('b')",
    "{}.query('.')", "{}.exist('b')", "ISNULL({}.value('@k', 'int'), -1)", "CAST({}.query('b') AS nvarchar(100))", "{}.value('count(b)', 'int') + @n", "CASE WHEN {}.exist('@k') = 1 THEN 'k' ELSE 'none' END",
    "@n", "1", "{}.value('@k', 'money')", "{}.value('@k', 'bit')", "GETDATE()", "UPPER({}.value('(b)[1]', 'nvarchar(5)'))", "{}.value('sql:variable(\"@n\")', 'int')",
)  # fmt: skip
CONDITIONS = ("{}.exist('b') = 1", "{}.value('@k', 'int') > 1", "{} IS NOT NULL", "{}.value('(b)[1]', 'nvarchar(9)') = N'Y'", "@n = 5", "{}.value('@k', 'nvarchar(9)') LIKE '[1-3]'")  # fmt: skip
SOURCES = ("@x.nodes('{}') AS t(c)", "@x.nodes('{}') t(c)")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()


def statement(chance: random.Random) -> str:
    if chance.random() < 0.15:
        items = [
            f"{chance.choice(('COUNT', 'MAX', 'MIN', 'SUM'))}({chance.choice(VALUES[:6]).format('c')})",
            "COUNT(*)",
        ]
    else:
        items = [
            f"{chance.choice(VALUES).format(chance.choice(('c', 't.c')))} AS v{i}"
            for i in range(chance.choice((1, 2, 4)))
        ]
    top = chance.choice(("", "", "", "TOP (2) ", "TOP (@n) "))
    where = f" WHERE {chance.choice(CONDITIONS).format('t.c')}" if chance.random() < 0.4 else ""
    source = chance.choice(SOURCES).format(chance.choice(PATHS))
    return f"SELECT {top if 'COUNT(*)' not in items else ''}{', '.join(items)} FROM {source}{where}"


@pytest.mark.parametrize("seed", range(12))
def test_statements_at_random(session: Session, seed: int) -> None:
    chance = random.Random(seed)
    answered: list[Any] = []
    for number in range(60):
        document = chance.choice((*DOCUMENTS, None))
        value = "NULL" if document is None else f"N'{document}'"
        text = f"DECLARE @x xml = {value}, @n int = {number % 7}; {statement(chance)}"
        here, there = with_and_without(session, text, form.DirectNodes, answered)
        assert here == there, text
    assert sum(rows is not None for rows in answered) > 15


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("SELECT t.c.value('@k', 'int') FROM @x.nodes('/r/a') AS t(c)", 1),
        ("SELECT t.c.value('@k', 'int') FROM @x.nodes('/r/a') AS t(c) WHERE t.c.exist('b') = 1", 1),
        ("INSERT @t SELECT t.c.value('@k', 'int') FROM @x.nodes('/r/a') AS t(c); SELECT * FROM @t", 1),
        ("SELECT t.c.value('@k', 'int') FROM @x.nodes('/r/a') AS t(c) CROSS APPLY t.c.nodes('b') AS u(d)", 0),
        ("SELECT t.c.value('@k', 'int') FROM (SELECT @x AS x) AS s CROSS APPLY s.x.nodes('/r/a') AS t(c)", 0),
        ("SELECT t.c.value('sql:variable(\"@n\")', 'int') FROM @x.nodes('/r/a') AS t(c)", 0),
        ("SELECT t.c.value('@k', 'int') FROM @x.nodes('/r/a[@k = sql:variable(\"@n\")]') AS t(c)", 0),
        ("WITH XMLNAMESPACES (DEFAULT 'u') SELECT t.c.value('@k', 'int') FROM @x.nodes('/r/a') AS t(c)", 0),
        ("SELECT DISTINCT t.c.value('@k', 'int') FROM @x.nodes('/r/a') AS t(c)", 0),
    ],
)
def test_which_are_direct(session: Session, text: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    answered: list[Any] = []
    run = form.DirectNodes.__call__
    monkeypatch.setattr(
        form.DirectNodes, "__call__", lambda self, frame: answered.append(run(self, frame)) or answered[-1]
    )
    found = asked(session, f"DECLARE @x xml = N'{DOCUMENTS[0]}', @n int = 1; DECLARE @t TABLE (k int); {text}")
    assert found
    assert not isinstance(found[0][0], int), found
    assert len([rows for rows in answered if rows is not None]) == count


@pytest.mark.parametrize(
    "text",
    [
        "DELETE FROM @v WHERE x.exist('/a') = 1; SELECT k FROM @v",
        "UPDATE @v SET k = 5 WHERE x.value('(/a/@k)[1]', 'int') = 1; SELECT k FROM @v",
        "SELECT k FROM @v WHERE x.exist('/a') = 1",
        "INSERT @v (k) SELECT t.c.value('@k', 'int') FROM @x.nodes('/a') AS t(c); SELECT k FROM @v",
    ],
)
@pytest.mark.parametrize("namespaces", ["", "WITH XMLNAMESPACES (DEFAULT 'u') "])
def test_namespaces_of_a_statement(
    session: Session, text: str, namespaces: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = 'DECLARE @v TABLE (k int, x xml); INSERT @v VALUES (1, \'<a xmlns="u" k="1"/>\'), (2, \'<a k="1"/>\'); '
    whole = f'{documents}DECLARE @x xml = \'<a xmlns="u" k="8"/><a k="9"/>\'; {namespaces}{text}'
    here = asked(session, whole)
    for kind in (form.Direct, form.DirectNodes):
        monkeypatch.setattr(kind, "__call__", lambda self, frame: None)
    monkeypatch.setattr(form.DirectMatches, "__call__", lambda self, frame, most: None)
    assert here == asked(session, whole)
