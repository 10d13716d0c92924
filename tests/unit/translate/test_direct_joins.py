"""Joins that need no DuckDB give what DuckDB gives: random FROMs of few rows in memory, values, and tables by keys,
read and written, in and outside of transactions, and inserted and deleted in a trigger.

Each statement runs on two instances with the same rows, of which one never joins by itself.
"""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest
from direct_pair import Pair
from told import told

from sbql.engine.direct import join_rows
from sbql.engine.instance import Instance

SETUP = """CREATE TABLE o (id int NOT NULL PRIMARY KEY, cust varchar(10) COLLATE Latin1_General_CI_AS NULL, n int NULL, w bigint NULL)
CREATE TABLE l (oid int NOT NULL, no int NOT NULL, p varchar(10) COLLATE Latin1_General_CI_AS NULL, PRIMARY KEY (oid, no))
CREATE TABLE c (code varchar(10) COLLATE Latin1_General_CI_AS NOT NULL PRIMARY KEY, name nvarchar(20) NULL, d date NULL UNIQUE)
INSERT o SELECT value, NULLIF(CONCAT(IIF(value % 2 = 0, 'C', 'c'), value % 5), 'c3'), NULLIF(value % 7, 3), value * 10000000000 FROM GENERATE_SERIES(1, 30)
INSERT l SELECT id, x, NULLIF(CONCAT('p', (id + x) % 4), 'p2') FROM o CROSS JOIN (VALUES (1), (2)) v(x) WHERE id % 3 > 0
INSERT c SELECT CONCAT('c', value), CONCAT(N'näme ', value), DATEADD(day, value, '20240101') FROM GENERATE_SERIES(0, 3)
CREATE TABLE #t (k int NULL, s varchar(10) COLLATE Latin1_General_CI_AS NULL, q int NOT NULL)
INSERT #t VALUES (1, 'C1', 1), (4, 'c2', 2), (NULL, 'x', 1), (29, NULL, 2), (4, 'C0', 1)"""
VARIABLE = """DECLARE @a int = {a}, @s varchar(10) = '{s}'
DECLARE @t TABLE (k int NULL, s varchar(10) NULL, q int NOT NULL)
INSERT @t VALUES (2, 'C2', 2), (4, 'c9', 1), (NULL, 'c1', 1){more}
"""
SOURCES = (
    ("o {}", ("id", "n"), ("cust",)), ("l {}", ("oid", "no"), ("p",)), ("c {}", (), ("code",)), ("@t {}", ("k", "q"), ("s",)), ("#t {}", ("k", "q"), ("s",)),
    ("(SELECT @a AS k, @s AS s) {}", ("k",), ("s",)), ("(VALUES (@a, 4), (2, 1)) {} (k, q)", ("k", "q"), ()), ("(SELECT 1 AS one) {}", ("one",), ()),
)  # fmt: skip

OTHERS = (
    "EXISTS (SELECT * FROM l x WHERE x.oid = {number} AND x.no <= 2)", "NOT EXISTS (SELECT 1 FROM o x WHERE x.n = {number} AND x.id <> @a)", "{number} IN (SELECT oid FROM l WHERE p = @s)",
    "{number} IN (SELECT k FROM @t)", "{text} IN (SELECT code FROM c WHERE name LIKE N'%1')", "EXISTS (SELECT * FROM #t WHERE s = {text} AND q > 0)", "NOT EXISTS (SELECT * FROM @t x WHERE x.k = {number})",
    "EXISTS (SELECT id FROM o WHERE id = {number} AND n IS NOT NULL)", "NOT EXISTS (SELECT * FROM o WHERE cust = {text})", "{number} NOT IN (SELECT k FROM #t)", "{number} + 1 IN (SELECT id FROM o WHERE n = @a)",
    "EXISTS (SELECT COUNT(*) FROM o WHERE id = {number})", "NOT ({number} IN (SELECT q FROM #t))", "EXISTS (SELECT * FROM o WHERE n = 2)", "NOT EXISTS (SELECT * FROM l WHERE oid = 99)", "{text} IN (SELECT p FROM l WHERE oid = {number})",
    "EXISTS (SELECT TOP (0) * FROM l WHERE oid = {number})", "{number} IN (SELECT id FROM o WHERE id IN (SELECT oid FROM l))", "EXISTS (SELECT * FROM l JOIN c ON c.code = l.p WHERE l.oid = {number})",
)  # fmt: skip


class Chooser:
    """A random FROM, and conditions over it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.columns: list[str] = []
        self.numbers: list[str] = []
        self.texts: list[str] = []

    def source(self, number: int, only: int | None = None) -> str:
        spelling, numbers, texts = SOURCES[only] if only is not None else self.chance.choice(SOURCES)
        alias = f"s{number}"
        self.numbers += [f"{alias}.{name}" for name in numbers]
        self.texts += [f"{alias}.{name}" for name in texts]
        return spelling.format(alias)

    def condition(self, numbers: list[str], texts: list[str]) -> str:
        """Mostly equations of a new column with an old one: `numbers` and `texts` are the new ones."""
        parts = []
        for _ in range(self.chance.choice((1, 1, 2, 2, 3))):
            mine, all_of = (texts, self.texts) if texts and self.chance.random() < 0.4 else (numbers, self.numbers)
            if not mine:
                mine, all_of = texts or numbers, self.texts if texts else self.numbers
            left = self.chance.choice(mine)
            other = self.chance.choice([one for one in all_of if one != left] or [left])
            if self.chance.random() < 0.25:
                other = "@s" if all_of is self.texts else self.chance.choice(("@a", "4", "1"))
            sides = [left, other]
            self.chance.shuffle(sides)
            parts.append(f"{sides[0]} {self.chance.choice(('=', '=', '=', '=', '<=', '<>'))} {sides[1]}")
        return " AND ".join(parts)

    def from_(self, first: int | None = None) -> str:
        text = self.source(0, first)
        for number in range(1, self.chance.choice((2, 2, 3, 4))):
            numbers, texts = len(self.numbers), len(self.texts)
            source = self.source(number)
            kind = self.chance.choice(("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN", ",", "FULL JOIN"))
            new = self.numbers[numbers:], self.texts[texts:]
            if kind in ("CROSS JOIN", ","):
                text += f" {kind} {source}"
            elif kind == "RIGHT JOIN" and number > 1:
                text = f"{source} LEFT JOIN ({text}) ON {self.condition(*new)}"
            else:
                text += f" {kind} {source} ON {self.condition(*new)}"
        return text

    def where(self) -> str:
        parts = [self.condition(self.numbers, self.texts)] if self.chance.random() < 0.6 else []
        parts += [self.asking()] if self.chance.random() < 0.4 else []
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def asking(self) -> str:
        """Whether another table has such rows."""
        number, text = self.chance.choice(self.numbers or ["@a"]), self.chance.choice(self.texts or ["@s"])
        return self.chance.choice(OTHERS).format(number=number, text=text)


def beginning(chance: random.Random) -> str:
    more = "".join(f", ({n}, 'c{n}', {n})" for n in range(10, 10 + chance.choice((0, 0, 3, 12))))
    return VARIABLE.format(a=chance.randrange(6), s=chance.choice(("c1", "C2", "x")), more=more)


def query(chance: random.Random) -> str:
    chooser = Chooser(chance)
    source, where = chooser.from_(), chooser.where()
    items = chance.choice(("*", "COUNT(*)", "s0.*", ", ".join(chooser.numbers + chooser.texts), "computed"))
    if items == "computed":
        items = f"{chance.choice(chooser.numbers or ['@a'])} + 1, ISNULL({chance.choice(chooser.texts or ['@s'])}, 'none'), @a"
    if "*" in items and items != "COUNT(*)":  # each column of a result needs no name
        return f"SELECT {items} FROM {source}{where}"
    top = chance.choice(("", "", "TOP (3) "))
    order = f" ORDER BY {', '.join(chooser.numbers)}" if top and items != "COUNT(*)" else ""
    if top and (items == "COUNT(*)" or chooser.texts):
        top = order = ""
    return f"SELECT {top}{items} FROM {source}{where}{order}"


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(12))
def test_reads(pair: Pair, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        text = query(chance)
        if chance.random() < 0.3:
            changes = (
                "UPDATE o SET n = 5 WHERE id = 4",
                "DELETE l WHERE oid = 4 AND no = 1",
                "INSERT o VALUES (77, 'c1', 2, 2)",
                "DELETE #t WHERE k = 1",
            )
            text = f"BEGIN TRAN\n{chance.choice(changes)}\n{text}\nROLLBACK"
        one, other = pair.both(beginning(chance) + text)
        assert one == other, text
    assert pair.direct > 5, "some need no DuckDB"


def write(chance: random.Random) -> str:
    """A write that says the same whichever of several matches wins."""
    if chance.random() < 0.35:
        source = chance.choice(
            ("(SELECT @a AS k, @s AS s)", "(VALUES (@a, 'c7'), (2, 'c8'))", "(VALUES (40, @s))", "@t", "#t")
        )
        names = " (k, s)" if source.startswith("(VALUES") else ""
        whens = chance.sample((
            " WHEN MATCHED AND o.n > 2 THEN DELETE", " WHEN MATCHED THEN UPDATE SET n = o.n + 1, cust = s.s",
            " WHEN NOT MATCHED BY SOURCE AND o.id > 28 THEN UPDATE SET n = -1",
        ), chance.choice((1, 1, 2)))  # fmt: skip
        if chance.random() < 0.6:
            whens.append(" WHEN NOT MATCHED AND s.k IS NOT NULL THEN INSERT (id, cust) VALUES (s.k, s.s)")
        chance.shuffle(whens)
        shown = chance.choice(("", " OUTPUT $action, inserted.id, inserted.n, deleted.n, s.s"))
        return f"MERGE o USING {source} AS s{names} ON o.id = s.k{''.join(whens)}{shown};"
    chooser = Chooser(chance)
    target = chance.choice((0, 0, 1, 3, 4))
    source = chooser.from_(target)
    shown = chance.choice(("", "", " OUTPUT deleted.*"))
    if chance.random() < 0.3:
        return f"DELETE s0{shown} FROM {source}{chooser.where()}"
    change = {0: "n = ISNULL(s0.n, 0) + 1", 1: "p = CONCAT(s0.no, 'x')"}.get(target, "q = s0.q * 2 + ISNULL(s0.k, 1)")
    return f"UPDATE s0 SET {change}{shown} FROM {source}{chooser.where()}"


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(12))
def test_writes(pair: Pair, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        text = write(chance)
        looks = "".join(f"\nSELECT * FROM {name}" for name in ("o", "l", "#t", "@t"))
        again = f"\n{text}" if chance.random() < 0.3 else ""
        one, other = pair.both(f"{beginning(chance)}BEGIN TRAN\n{text}{again}{looks}\nROLLBACK")
        assert one == other, text
    assert pair.direct > 2, "some need no DuckDB"


BODIES = (
    "SELECT * FROM inserted", "SELECT COUNT(*) FROM deleted", "IF EXISTS (SELECT * FROM inserted) SELECT 'some' ELSE SELECT 'none'", "SELECT i.id, d.n FROM inserted i JOIN deleted d ON d.id = i.id",
    "SELECT i.id, c.name FROM inserted i LEFT JOIN c ON c.code = i.cust", "INSERT log_ SELECT id, CONCAT(cust, n) FROM inserted WHERE n > 1", "INSERT log_ SELECT d.id, c.name FROM deleted d JOIN c ON d.cust = c.code",
    "UPDATE o SET n = 100 FROM o JOIN inserted i ON i.id = o.id", "UPDATE x SET w = d.w + 1 FROM o x JOIN inserted i ON i.id = x.id JOIN deleted d ON d.id = i.id", "DELETE l FROM l JOIN deleted d ON d.id = l.oid AND l.no = 1",
    "SELECT TOP (2) id FROM inserted ORDER BY id DESC", "SELECT MAX(n), SUM(n) FROM inserted", "SELECT i.id FROM inserted i, deleted d WHERE i.id = d.id AND ISNULL(i.n, 0) <> ISNULL(d.n, 0)",
    "MERGE log_ USING inserted AS i ON log_.id = i.id WHEN MATCHED THEN UPDATE SET said = 'again' WHEN NOT MATCHED THEN INSERT VALUES (i.id, i.cust);", "IF (SELECT COUNT(*) FROM inserted) > 1 RAISERROR('one', 16, 1)",
    "DECLARE @id int; SELECT @id = id FROM inserted; SELECT @id",
)  # fmt: skip
FIRED = (
    "INSERT o VALUES (50, 'c1', 2, 5)", "INSERT o VALUES (50, 'c1', 2, 5), (51, NULL, NULL, 1)", "UPDATE o SET n = n + 1 WHERE id = 4", "UPDATE o SET cust = 'C0' WHERE id < 4", "DELETE o WHERE id IN (1, 2)",
    "DELETE o WHERE id = 999", "UPDATE o SET w = 1", "INSERT o SELECT id + 100, cust, n, w FROM o", "MERGE o USING (VALUES (4), (60)) s(k) ON o.id = s.k WHEN MATCHED THEN UPDATE SET n = 9 WHEN NOT MATCHED THEN INSERT (id) VALUES (k);",
)  # fmt: skip


@pytest.mark.matrix
@pytest.mark.parametrize("body", BODIES)
def test_rows_of_triggers(pair: Pair, body: str) -> None:
    pair.both("CREATE TABLE log_ (id int NOT NULL PRIMARY KEY, said nvarchar(40) NULL)")
    for timing in ("AFTER", "INSTEAD OF"):
        for session in pair.sessions:
            told(session, f"CREATE TRIGGER seen ON o {timing} INSERT, UPDATE, DELETE AS {body}")
        for fired in FIRED:
            looks = "".join(f"\nSELECT * FROM {name}" for name in ("o", "l", "log_"))
            one, other = pair.both(f"BEGIN TRAN\n{fired}\n{fired}{looks}\nIF @@TRANCOUNT > 0 ROLLBACK")
            assert one == other, fired
        pair.both("DROP TRIGGER seen")


KEYED = (
    "INSERT k (code, n) SELECT {k}, {n} WHERE NOT EXISTS (SELECT * FROM k WHERE code = {k})", "INSERT k (code, n) SELECT {k}, {n} WHERE NOT EXISTS (SELECT * FROM k WITH (UPDLOCK, HOLDLOCK) WHERE code = {k})",
    "INSERT k (code, n) SELECT code, n + 1 FROM k WHERE code = {k}", "DELETE k WHERE code = {k}", "UPDATE k SET code = {other} WHERE code = {k}", "UPDATE k WITH (UPDLOCK, SERIALIZABLE) SET n = {n} WHERE code = {k}",
    "MERGE k WITH (HOLDLOCK) AS t USING (SELECT {k} AS c, {n} AS n) s ON t.code = s.c WHEN MATCHED THEN UPDATE SET n = s.n WHEN NOT MATCHED THEN INSERT (code, n) VALUES (s.c, s.n);",
    "MERGE k USING (VALUES ({k}), ({other})) s(c) ON k.code = s.c WHEN MATCHED AND n > 5 THEN DELETE WHEN NOT MATCHED THEN INSERT (code, n) VALUES (s.c, 3);", "SELECT code, n FROM k WITH (UPDLOCK) WHERE code = {k}",
    "SELECT n FROM k WITH (XLOCK, ROWLOCK) WHERE code = {k}", "IF EXISTS (SELECT 1 FROM k WITH (UPDLOCK, HOLDLOCK) WHERE code = {k}) UPDATE k SET n = n + 1 WHERE code = {k} ELSE INSERT k (code, n) VALUES ({k}, {n})",
    "SELECT COUNT(*) FROM k WHERE n > {n}", "UPDATE TOP (1) k SET n = n * 2 OUTPUT inserted.code WHERE code = {k}", "DELETE TOP (2) k OUTPUT deleted.code WHERE n = {n} AND code = {k}", "ROLLBACK", "COMMIT", "BEGIN TRAN", "BEGIN TRAN",
    "SELECT {n} + 1, {k} WHERE {n} > 4", "INSERT k (code) SELECT {k}", "SELECT a.n, b.n FROM k a WITH (UPDLOCK) JOIN k b ON b.code = a.code WHERE a.code = {k}", "ALTER TABLE k ADD m{step} int NULL", "TRUNCATE TABLE k",
)  # fmt: skip
KEYS = {
    "int": ("4", "7", "-1", "@@TRANCOUNT"),
    "nvarchar(20)": ("N'a'", "'A '", "N'ä'", "'b'", "CAST(4 AS varchar(9))"),
    "date": ("CAST('20240101' AS date)", "CAST('20240102' AS date)"),
}


@pytest.mark.matrix
@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("seed", range(4))
def test_two_sessions_write_by_keys(pair: Pair, kind: str, seed: int) -> None:
    """Who waits, who is refused and what is there afterwards are the same, whoever finds the rows."""
    chance = random.Random(seed)
    pair.both(f"CREATE TABLE k (code {kind} NOT NULL PRIMARY KEY, n int NULL)")
    others = [instance.connect("shop") for instance in pair.instances]
    for session in (*pair.sessions, *others):
        told(session, "SET LOCK_TIMEOUT 0")
    for step in range(120):
        shape = chance.choice(KEYED)
        if "TABLE" in shape and chance.random() < 0.8:
            continue
        text = shape.format(
            k=chance.choice(KEYS[kind]), other=chance.choice(KEYS[kind]), n=chance.randrange(9), step=step
        )
        if text in ("ROLLBACK", "COMMIT"):
            text = f"IF @@TRANCOUNT > 0 {text}"
        one, other = (sorted(map(repr, told(session, text))) for session in chance.choice((pair.sessions, others)))
        assert one == other, (step, text)
    for session in (*pair.sessions, *others):
        told(session, "IF @@TRANCOUNT > 0 COMMIT")
    one, other = pair.both("SELECT * FROM k")
    assert one == other


def test_all_rows_are_of_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody moves ten from one row to the other while the first has been read and the second has not."""
    instance = Instance.open()
    reader, writer = instance.connect(), instance.connect()
    told(reader, "CREATE TABLE k (id int NOT NULL PRIMARY KEY, n int NOT NULL); INSERT k VALUES (1, 50), (2, 50)")
    query = "SELECT a.n, b.n FROM k a JOIN k b ON b.id = 2 WHERE a.id = 1"
    assert told(reader, query) == [(50, 50)]
    beside, turns = join_rows.Met.beside, []

    def moved(self: Any, frame: Any, found: Any) -> Any:
        rows = beside(self, frame, found)
        if frame.session is reader and not turns:
            turns.append(1)
            moves = "BEGIN TRAN; UPDATE k SET n = n - 10 WHERE id = 1; UPDATE k SET n = n + 10 WHERE id = 2; COMMIT"
            thread = threading.Thread(target=told, args=(writer, moves))
            thread.start()
            thread.join()
        return rows

    monkeypatch.setattr(join_rows.Met, "beside", moved)
    assert told(reader, query) == [(40, 60)]
    assert turns
    assert told(reader, query) == [(40, 60)]
    instance.close()


def test_a_join_that_finds_too_many_rows_is_tried_now_and_then(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three times, and again after some runs that leave it to DuckDB at once."""
    pair.both("CREATE TABLE #m (k int); INSERT #m SELECT value FROM GENERATE_SERIES(1, 30)")
    met, turns = join_rows.Met.met, []

    def counted(self: Any, frame: Any, found: Any) -> Any:
        if frame.session is pair.sessions[0] and self.place == 0:
            turns.append(1)
        return met(self, frame, found)

    monkeypatch.setattr(join_rows.Met, "met", counted)
    tried = []
    for _ in range(70):
        before = len(turns)
        assert told(pair.sessions[0], "SELECT COUNT(*) FROM #m a CROSS JOIN #m b") == [(900,)]
        tried.append(len(turns) > before)
    assert tried == [True] * 3 + [False] * 63 + [True] + [False] * 3
