"""The column that SET changes may be qualified by what the statement calls its target, and by nothing else:
another source of FROM, a name that an alias hides, or one that is nowhere is 4104, and nothing is written.
What UPDATE takes, WHERE takes too."""

from __future__ import annotations

from itertools import product

import pytest
from told import told

from sbql.engine.instance import Instance

QUALIFIERS = (
    "", "a", "b", "s", "q", "t", "u", "v", "syn", "[#t]", "[@t]", "dbo.t", "dbo.u", "dbo.v", "dbo.a", "far.t", "here.dbo.t", "HERE.DBO.T", "here..t", "here.dbo.v", "here.far.t", "nodb.dbo.t",
    "dbo.syn", "dbo.[@t]", "dbo.[#t]", "there.dbo.t",
)  # fmt: skip
OF_T = {"t", "dbo.t", "here.dbo.t", "HERE.DBO.T", "here..t"}
STATEMENTS = {
    "table": ("UPDATE t SET {c} = 9 WHERE {q}id = 1", "t", OF_T),
    "schema": ("UPDATE dbo.t SET {c} = 9 WHERE {q}id = 1", "t", OF_T),
    "other schema": ("UPDATE far.t SET {c} = 9 WHERE {q}id = 1", "far.t", {"t", "far.t", "here.far.t", "here..t"}),
    "other database": ("UPDATE there.dbo.t SET {c} = 9 WHERE {q}id = 1", "there.dbo.t", {"t", "dbo.t", "there.dbo.t"}),
    "from": ("UPDATE t SET {c} = 9 FROM t JOIN u AS b ON b.id = t.id WHERE {q}id = 1", "t", OF_T),
    "alias": ("UPDATE a SET {c} = 9 FROM t AS a JOIN u AS b ON b.id = a.id WHERE {q}id = 1", "t", {"a"}),
    "name of an aliased table": ("UPDATE t SET {c} = 9 FROM t AS a WHERE {q}id = 1", "t", {"a"}),
    "alias of another's name": ("UPDATE u SET {c} = 9 FROM t AS u JOIN u AS b ON b.id = u.id WHERE {q}id = 1", "t", {"u"}),
    "synonym": ("UPDATE syn SET {c} = 9 WHERE {q}id = 1", "t", {"syn", "dbo.syn"}),
    "view": ("UPDATE v SET {c} = 9 WHERE {q}id = 1", "t", {"v", "dbo.v", "here.dbo.v"}),
    "view's alias": ("UPDATE a SET {c} = 9 FROM v AS a WHERE {q}id = 1", "t", {"a"}),
    "common table": ("WITH s AS (SELECT id, n FROM t) UPDATE s SET {c} = 9 WHERE {q}id = 1", "t", {"s"}),
    "derived table": ("UPDATE a SET {c} = 9 FROM (SELECT id, n FROM t) AS a WHERE {q}id = 1", "t", {"a"}),
    "#temp": ("UPDATE #t SET {c} = 9 WHERE {q}id = 1", "#t", {"[#t]", "dbo.[#t]"}),
    "@variable": ("UPDATE @t SET {c} = 9 WHERE {q}id = 1", "@t", {"[@t]"}),
    "@variable's alias": ("UPDATE a SET {c} = 9 FROM @t AS a WHERE {q}id = 1", "@t", {"a"}),
    "compound": ("UPDATE a SET {c} += 8 FROM t AS a JOIN u AS b ON b.id = a.id WHERE {q}id = 1", "t", {"a"}),
    "with a variable": ("DECLARE @n int; UPDATE a SET @n = {c} = 9 FROM t AS a JOIN u AS b ON b.id = a.id WHERE {q}id = 1", "t", {"a"}),
    "top": ("UPDATE TOP (5) a SET {c} = 9 FROM t AS a JOIN u AS b ON b.id = a.id WHERE {q}id = 1", "t", {"a"}),
    "merge": ("MERGE t USING u AS b ON b.id = t.id AND t.id = 1 WHEN MATCHED THEN UPDATE SET {c} = 9;", "t", OF_T),
    "merge alias": ("MERGE t AS a USING u AS b ON b.id = a.id AND a.id = 1 WHEN MATCHED THEN UPDATE SET {c} = 9;", "t", {"a"}),
    "merge view": ("MERGE v AS a USING u AS b ON b.id = a.id AND a.id = 1 WHEN MATCHED THEN UPDATE SET {c} = 9;", "t", {"a"}),
    "merge unmatched": ("MERGE t AS a USING u AS b ON b.id = a.id AND 1 = 0 WHEN NOT MATCHED BY SOURCE AND a.id = 1 THEN UPDATE SET {c} = 9;", "t", {"a"}),
    "cursor": ("DECLARE c CURSOR LOCAL FOR SELECT n FROM t WHERE id = 1 FOR UPDATE; OPEN c; DECLARE @n int; FETCH c INTO @n; UPDATE t SET {c} = 9 WHERE CURRENT OF c", "t", OF_T),
}  # fmt: skip
"""A statement, the table whose row 1 it changes, and the qualifiers that mean it. What may also stand in WHERE does."""


@pytest.fixture(scope="module")
def session():
    instance = Instance.open(clock="virtual", seed=1)
    found = instance.connect()
    made = "CREATE TABLE {t} (id int PRIMARY KEY, n int); INSERT {t} VALUES (1, 1), (2, 2)"
    for batch in (
        "CREATE DATABASE there; CREATE DATABASE here",
        "USE there",
        made.format(t="t"),
        "USE here",
        "CREATE SCHEMA far",
        *(made.format(t=name) for name in ("t", "u", "far.t", "#t")),
        "CREATE VIEW v AS SELECT id, n FROM t",
        "CREATE SYNONYM syn FOR dbo.t",
    ):
        assert told(found, batch) == []
    yield found
    instance.close()


@pytest.mark.matrix
@pytest.mark.parametrize("is_set", [False, True], ids=["rows", "set"])
@pytest.mark.parametrize("name", STATEMENTS)
def test_the_target_alone(session, name: str, is_set: bool) -> None:
    session.instance.locks.sets_from = 0 if is_set else 10_000
    statement, changed, qualifiers = STATEMENTS[name]
    tables = ["t", "u", "far.t", "there.dbo.t", "#t", *(["@t"] if changed == "@t" else [])]
    declare = "DECLARE @t TABLE (id int, n int); INSERT @t VALUES (1, 1), (2, 2);" if changed == "@t" else ""
    look = "; ".join(f"SELECT * FROM {table}" for table in tables)
    before = [(1, 1), (2, 2)] * len(tables)
    after = [row for table in tables for row in ([(1, 9), (2, 2)] if table == changed else [(1, 1), (2, 2)])]
    wrong = []
    for qualifier in QUALIFIERS:
        in_where = f"{qualifier}." if qualifier in qualifiers else f"{min(qualifiers)}."
        text = statement.format(c=f"{qualifier}.n" if qualifier else "n", q=in_where)
        found = told(session, f"BEGIN TRAN; {declare} {text}; {look}")
        if found[:1] == [4104]:
            found += told(session, look if not declare else f"{declare} {look}")
        told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
        wanted = after if not qualifier or qualifier in qualifiers else [4104, *before]
        if found != wanted:
            wrong.append(f"{text}: {found}")
    assert not wrong, "\n".join(wrong)


def test_methods(session) -> None:
    """WRITE and modify() of a column of another source."""
    told(session, "CREATE TABLE m (id int, w varchar(max), x xml); INSERT m VALUES (1, 'a', '<a/>')")
    calls = ("w.WRITE('b', 0, 1)", "x.modify('delete /a')")
    for call, (qualifier, error) in product(calls, (("a.", []), ("b.", [4104]), ("m.", [4104]), ("", []))):
        text = f"BEGIN TRAN; UPDATE a SET {qualifier}{call} FROM m AS a CROSS JOIN (SELECT 1 AS one) AS b"
        assert told(session, text) == error, text
        told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
