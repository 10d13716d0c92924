"""OUTPUT of writes of many rows: what a set shows, and what it puts into the table of INTO, is what the rows one by one
would, in their order, with the same errors, counts, identity values and tables behind it."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from told import told_whole as told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SOURCE = """CREATE TABLE s (id int NOT NULL PRIMARY KEY, n int, w nvarchar(20), c varchar(12), p decimal(12,4), d datetime2(7), g uniqueidentifier, k int NOT NULL);
INSERT s SELECT value, NULLIF(value % 11, 5) - 3, CHOOSE(value % 4 + 1, N'Müller', N'a😀', NULL, N'x  '), CONCAT('c', value), value / 7.0,
    DATEADD(ns, value * 100, DATEADD(minute, value, CAST('20240101' AS datetime2(7)))), CAST(CAST(value AS binary(16)) AS uniqueidentifier), value % 5 + 1 FROM GENERATE_SERIES(1, 60);
CREATE TABLE parents (k int PRIMARY KEY); INSERT parents VALUES (1), (2), (3), (4), (5);
CREATE TABLE others (n int); INSERT others VALUES (0)"""
TARGET = """CREATE TABLE t (id int IDENTITY(10, 5) CONSTRAINT pk_t PRIMARY KEY, n int CONSTRAINT ck_t CHECK (n < 40), w nvarchar(20), c char(12), p decimal(9,2), d datetime,
    g uniqueidentifier, k int NOT NULL CONSTRAINT fk_t REFERENCES parents (k), x AS n * 2 PERSISTED, y varchar(9) DEFAULT 'dflt', z datetime DEFAULT GETDATE());
CREATE TABLE children (id int{foreign_key})"""
FOREIGN_KEY = " CONSTRAINT fk_children REFERENCES t (id)"
FILL = "INSERT t (n, w, c, p, d, g, k) SELECT n, w, c, p, d, g, k FROM s ORDER BY id"
VALUES = "(n, w, c, p, d, g, k){output} SELECT {n}, w, c, p, d, g, {k} FROM s"

INSERTS = {
    "all": (f"INSERT t {VALUES}", True),
    "in order": (f"INSERT t {VALUES} ORDER BY id DESC", True),
    "TOP": (f"INSERT TOP (7) t {VALUES}", True),
    "TOP of a variable": (f"INSERT TOP (@three) t {VALUES}", True),
    "TOP PERCENT": (f"INSERT TOP (31) PERCENT t {VALUES}", True),
    "identities given": (
        "SET IDENTITY_INSERT t ON; INSERT t (id, n, k){output} SELECT id + 1000, n, k FROM s; SET IDENTITY_INSERT t OFF",
        True,
    ),
    "CHECK": ("INSERT t (n, k){output} SELECT id, k FROM s", False),
    "NULL": ("INSERT t (n, k){output} SELECT 1, NULLIF(k, 4) FROM s", False),
    "foreign key": ("INSERT t (n, k){output} SELECT 1, id FROM s", False),
    "key": (
        "SET IDENTITY_INSERT t ON; INSERT t (id, n, k){output} SELECT id / 2, n, k FROM s; SET IDENTITY_INSERT t OFF",
        False,
    ),
    "conversion": ("INSERT t (n, k){output} SELECT c, k FROM s", False),
    "too long": ("INSERT t (c, k){output} SELECT CONCAT(c, REPLICATE('x', id)), k FROM s", False),
    "division": ("INSERT t (n, k){output} SELECT 10 / n, k FROM s", False),
}
DELETES = {
    "all": ("DELETE t{output}", True),
    "some": ("DELETE FROM t{output} WHERE n > 0 AND p > @three", True),
    "TOP": ("DELETE TOP (7) FROM t{output} WHERE n > 0", True),
    "TOP of a variable": ("DELETE TOP (@three) t{output}", True),
    "TOP PERCENT": ("DELETE TOP (31) PERCENT t{output} WHERE n > 0", True),
    "oldest": ("WITH q AS (SELECT TOP (9) * FROM t WHERE n > 0 ORDER BY p DESC) DELETE q{output}", True),
    "joined": ("DELETE t{output} FROM t JOIN (SELECT id FROM s UNION ALL SELECT id FROM s WHERE id < 30) AS j ON j.id * 2 = t.id", True),
    "TOP of a join": ("DELETE TOP (5) t{output} FROM t JOIN (SELECT id FROM s UNION ALL SELECT id FROM s WHERE id < 30) AS j ON j.id * 2 = t.id", True),
    "with children": ("DELETE t{output}", False),
    "children of others": ("DELETE t{output} WHERE id > 50", True),
    "division": ("DELETE t{output} WHERE 10 / n > 1", False),
    "none": ("DELETE t{output} WHERE n > 100", False),
}  # fmt: skip
UPDATES = {
    "all": ("UPDATE t SET n = n + 1, w = c, c = w{output}", True),
    "some": ("UPDATE t SET p = p * 2, d = DATEADD(day, 1, d), y = DEFAULT{output} WHERE n > 0", True),
    "nothing that is computed": ("UPDATE t SET w = NULL, k = k % 5 + 1{output}", True),
    "TOP": ("UPDATE TOP (7) t SET n = 9{output} WHERE n > 0", True),
    "TOP of a variable": ("UPDATE TOP (@three) t SET w = N'w'{output}", True),
    "TOP PERCENT": ("UPDATE TOP (31) PERCENT t SET n = -n{output} WHERE n > 0", True),
    "newest": ("WITH q AS (SELECT TOP (9) * FROM t WHERE n > 0 ORDER BY p DESC) UPDATE q SET n = 0, y = 'seen'{output}", True),
    "joined": ("UPDATE t SET n = j.id, p = j.p{output} FROM t JOIN (SELECT id, p FROM s WHERE id < 40 UNION ALL SELECT id, 0 FROM s WHERE id < 30) AS j ON j.id * 2 = t.id", True),
    "all in variables": ("UPDATE t SET n = @three, w = CAST(@three AS nvarchar(9)){output}", True),
    "CHECK": ("UPDATE t SET n = id{output}", False),
    "NULL": ("UPDATE t SET k = NULLIF(k, 4){output}", False),
    "foreign key": ("UPDATE t SET k = id{output}", False),
    "conversion": ("UPDATE t SET n = c{output}", False),
    "too long": ("UPDATE t SET y = CONCAT(c, w){output}", False),
    "overflow": ("UPDATE t SET p = p * 1000000{output}", False),
}  # fmt: skip

MERGE = "MERGE t USING (SELECT id * 2 AS j, * FROM s{more}) AS s ON s.j = t.id {clauses}{{output}};"
INSERT = "WHEN NOT MATCHED THEN INSERT (n, w, c, p, d, g, k) VALUES (s.n, s.w, s.c, s.p, s.d, s.g, s.k)"
MERGES = {
    "update and insert": (MERGE.format(more="", clauses=f"WHEN MATCHED THEN UPDATE SET n = s.n, w = s.c {INSERT}"), True),
    "delete and insert": (MERGE.format(more="", clauses=f"WHEN MATCHED AND s.n > 0 THEN DELETE {INSERT}"), True),
    "all": (
        MERGE.format(
            more="",
            clauses=f"WHEN MATCHED AND s.id % 6 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET n = s.n, p = s.p {INSERT}"
            " WHEN NOT MATCHED BY SOURCE AND t.id > 200 THEN UPDATE SET y = 'gone'",
        ),
        True,
    ),
    "one of two matches": (
        MERGE.format(more=" UNION ALL SELECT id * 2, id + 100, n, w, c, p, d, g, k FROM s WHERE id < 20", clauses="WHEN MATCHED AND s.id < 100 THEN UPDATE SET n = s.id % 30"),
        True,
    ),
    "nothing": (MERGE.format(more="", clauses="WHEN MATCHED AND s.id < 0 THEN DELETE"), False),
    "twice": (MERGE.format(more=" UNION ALL SELECT id * 2, * FROM s WHERE id < 30", clauses="WHEN MATCHED THEN UPDATE SET n = s.n"), False),
    "CHECK": (MERGE.format(more="", clauses=f"WHEN MATCHED THEN UPDATE SET n = s.j {INSERT}"), False),
    "conversion": (MERGE.format(more="", clauses="WHEN NOT MATCHED THEN INSERT (n, k) VALUES (s.c, s.k)"), False),
}  # fmt: skip

Lists = dict[str, tuple[tuple[str, str], ...]]
"""The items of a list with the types of the columns that they go to."""


def columns(side: str) -> tuple[tuple[str, str], ...]:
    types = (
        "id int", "n int", "w nvarchar(20)", "c char(12)", "p decimal(9,2)", "d datetime", "g uniqueidentifier", "k int", "x int", "y varchar(9)",
        "z datetime",
    )  # fmt: skip
    return tuple((f"{side}.{item.split()[0]}", item.split()[1]) for item in types)


def lists(*sides: str) -> Lists:
    one, two = sides[0], sides[-1]
    return {
        "columns": tuple(column for side in sides for column in columns(side)),
        "one": ((f"{two}.id", "int"),),
        "other types": ((f"{one}.c", "nvarchar(12)"), (f"{two}.p", "varchar(20)"), (f"{two}.d", "datetime2(3)"), (f"{one}.n", "decimal(5,1)")),
        "constants": (("'it'", "varchar(5)"), (f"{two}.n", "int"), ("@three + 1", "int"), ("GETDATE()", "datetime2(7)"), ("NULL", "int"), ("N'😀'", "nvarchar(9)")),
        "no column": (("1", "int"), ("DB_NAME()", "nvarchar(20)")),
        "expressions": ((f"{one}.n + ISNULL({two}.n, 7)", "int"), (f"UPPER({two}.w)", "nvarchar(20)"), (f"{one}.id", "int"), ("@three", "int")),
        "expression that fails": ((f"100 / {two}.n", "int"), (f"{one}.id", "int")),
        "too long for it": ((f"{two}.c", "varchar(2)"),),
        "NULL for it": ((f"{two}.n", "int NOT NULL"),),
        "no number": ((f"{one}.w", "int"),),
        "twice in a key": ((f"{one}.k", "int UNIQUE"),),
        "a key": ((f"{one}.id", "int PRIMARY KEY"), (f"{two}.n", "int")),
    }  # fmt: skip


STATEMENTS = {"INSERT": INSERTS, "DELETE": DELETES, "UPDATE": UPDATES, "MERGE": MERGES}
LISTS = {"INSERT": lists("inserted"), "DELETE": lists("deleted"), "UPDATE": lists("deleted", "inserted")}
LISTS["MERGE"] = {
    **LISTS["UPDATE"],
    "actions": (("$action", "nvarchar(10)"), ("inserted.id", "int"), ("deleted.id", "int"), ("s.id", "int"), ("s.c", "varchar(12)"), ("inserted.n", "int")),
    "actions in expressions": (("LEFT($action, 1)", "char(1)"), ("ISNULL(inserted.n, deleted.n) + s.id", "int")),
}  # fmt: skip
WRONG = {"expression that fails", "too long for it", "NULL for it", "no number", "twice in a key"}
SINKS = {"client": "", "variable": "@v", "temporary": "#v", "table": "v", "table and client": "v"}
NUMBERS = itertools.count()
"""A text that is new expects nothing of how many rows it is about."""
STATE = (
    "SELECT id, n, w, c, p, d, g, k, x, y, z FROM t ORDER BY id; SELECT * FROM children; SELECT n FROM others;"
    " SELECT IDENT_CURRENT('t'), SCOPE_IDENTITY(), @@IDENTITY"
)
MORE = "line int IDENTITY(5, 2), {columns}, more varchar(9) DEFAULT 'more', twice AS line * 2, version rowversion"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None, clock="virtual", seed=1)
    opened = instance.connect()
    told(opened, "CREATE DATABASE d")
    told(opened, "USE d")
    assert [x for x in told(opened, SOURCE) if isinstance(x, tuple)] == []
    yield opened
    instance.close()


def written(session: Session, statement: str, items: tuple[tuple[str, str], ...], sink: str) -> str:
    """The statement with its OUTPUT clause, and what the table of INTO has then."""
    name = SINKS[sink]
    shown = ", ".join(item for item, _ in items)
    if not name:
        return statement.replace("{output}", f" OUTPUT {shown}")
    declared = MORE.format(columns=", ".join(f"i{n} {sql_type}" for n, (_, sql_type) in enumerate(items)))
    into = f" OUTPUT {shown} INTO {name} ({', '.join(f'i{n}' for n in range(len(items)))})"
    if sink == "table and client":
        into += f" OUTPUT {shown}, {items[0][0]}"
    asked = ", ".join(["line", *(f"i{n}" for n in range(len(items))), "more", "twice", "IIF(version > 0x00, 1, 0)"])
    text = f"{statement.replace('{output}', into)}; SELECT {asked} FROM {name} ORDER BY line"
    if name == "@v":
        return f"DECLARE @v TABLE ({declared}); {text}"
    declared = declared.replace(" UNIQUE", " CONSTRAINT uq_v UNIQUE").replace(" PRIMARY", " CONSTRAINT pk_v PRIMARY")
    assert told(session, f"DROP TABLE IF EXISTS {name}; CREATE TABLE {name} ({declared})") == []
    return text


def prepare(session: Session, verb: str, name: str) -> None:
    session.instance.locks.sets_from = 1
    told(session, "DROP TABLE IF EXISTS children, t; UPDATE others SET n = 0")
    assert told(session, TARGET.replace("{foreign_key}", FOREIGN_KEY if verb != "MERGE" else "")) == []
    if verb != "INSERT":
        assert told(session, FILL) == [60]
    if "children" in name:
        assert told(session, "INSERT children VALUES (50)") == [1]


def in_both_ways(
    session: Session, by_sets: list[bool], verb: str, name: str, items: tuple[tuple[str, str], ...], sink: str, around: str
) -> tuple[list[Any], bool]:  # fmt: skip
    """What is told, the same in both ways, and whether all changes of tables were sets."""
    found = []
    for sets_from in (1, sys.maxsize):
        prepare(session, verb, name)
        text = written(session, STATEMENTS[verb][name][0], items, sink)
        session.instance.locks.sets_from = sets_from
        by_sets.clear()
        text = around.format(text.replace("{n}", "n").replace("{k}", "k"))
        done = told(session, f"DECLARE @three int = 3; {text}; SELECT @@ROWCOUNT -- {next(NUMBERS)}")
        is_set = by_sets != [] and all(by_sets)
        told(session, "SET IDENTITY_INSERT t OFF; IF @@TRANCOUNT > 0 ROLLBACK")
        found.append((done, told(session, STATE), is_set))
        assert by_sets == [] or sets_from == 1 or not any(by_sets)
    assert found[0][0] == found[1][0], text
    assert found[0][1] == found[1][1], text
    return found[0][0], found[0][2]


AROUND = {
    "alone": "{}",
    "in a transaction": "BEGIN TRANSACTION; UPDATE others SET n = 1; SELECT COUNT(*) FROM others; SELECT COUNT(*) FROM t; {}; SELECT COUNT(*), SUM(n) FROM t; COMMIT",
    "rolled back": "BEGIN TRANSACTION; UPDATE t SET y = 'y'; {}; SELECT COUNT(*), SUM(n) FROM t; ROLLBACK",
    "to a savepoint": "BEGIN TRANSACTION; UPDATE t SET y = 'y'; SAVE TRANSACTION p; {}; IF @@TRANCOUNT > 0 AND XACT_STATE() = 1 ROLLBACK TRANSACTION p; SELECT COUNT(*), SUM(n) FROM t; IF @@TRANCOUNT > 0 COMMIT",
}


@pytest.mark.matrix
@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize(("verb", "name"), [(verb, name) for verb, some in STATEMENTS.items() for name in some])
def test_lists(session: Session, by_sets: list[bool], verb: str, name: str, sink: str) -> None:
    """A third of the lists with each, in one of the ways around it."""
    first = list(STATEMENTS[verb]).index(name) + list(SINKS).index(sink)
    for number, (title, items) in list(enumerate(LISTS[verb].items()))[first % 3 :: 3]:
        around = list(AROUND)[(first + number // 3) % len(AROUND)]
        found, is_set = in_both_ways(session, by_sets, verb, name, items, sink, AROUND[around])
        is_wrong = title in WRONG or (verb == "MERGE" and title == "a key")  # what is deleted has no new id
        is_expected = STATEMENTS[verb][name][1] and not is_wrong and around in ("alone", "rolled back")
        if is_expected and (sink in ("client", "variable") or "expressions" not in title):
            assert is_set, (title, around, found)


def test_nothing_is_left_in_memory(session: Session) -> None:
    """What was found, completed and shown is dropped with the statement, one that fails in the middle, too."""
    for verb, some in STATEMENTS.items():
        for name in list(some)[::3]:
            for title in ("columns", "expression that fails", "NULL for it"):
                for sink in ("client", "table"):
                    prepare(session, verb, name)
                    text = written(session, some[name][0], LISTS[verb][title], sink)
                    told(session, f"DECLARE @three int = 3; {text.replace('{n}', 'n').replace('{k}', 'k')}")
                    told(session, "SET IDENTITY_INSERT t OFF")
                    with session.instance.store.scratch() as connection:
                        asked = "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE '%found%' OR database_name LIKE '%found%'"
                        assert connection.execute(asked).fetchall() == [], text
