"""A CHECK whose function reads the table sees the rows of the statement, whichever way they are written; one that fails
undoes the statement alone, and nothing is left of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from told import last_rows, told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

TABLE = """CREATE TABLE o (id int IDENTITY PRIMARY KEY, c int NOT NULL, note varchar(10) NOT NULL DEFAULT '-')
CREATE TABLE log (what varchar(10))
CREATE TYPE customers AS TABLE (c int)
GO
CREATE FUNCTION dbo.CountFor(@c int) RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM dbo.o WHERE c = @c) END
GO
CREATE FUNCTION dbo.Fits(@c int) RETURNS bit AS
BEGIN DECLARE @n int = dbo.CountFor(@c); IF @c > 0 AND @n > 3 RETURN 0; RETURN 1 END
GO
CREATE VIEW v AS SELECT c, note FROM o
GO
CREATE VIEW w AS SELECT c, note FROM o
GO
CREATE TRIGGER w_insert ON w INSTEAD OF INSERT AS INSERT o (c) SELECT c FROM inserted
GO
CREATE PROCEDURE Rows @c int, @n int AS SELECT @c FROM GENERATE_SERIES(1, @n)
GO
CREATE PROCEDURE Given @rows customers READONLY AS INSERT o (c) SELECT c FROM @rows
GO
INSERT o (c) VALUES (0), (0), (0), (0), (1), (2), (2), (3), (3), (3)
ALTER TABLE o ADD CONSTRAINT few CHECK ({check})"""
CHECKS = ("dbo.CountFor(c) <= 3 OR c <= 0", "dbo.Fits(c) = 1", "c <= 0 OR 3 >= ABS(dbo.CountFor(c)) + 0")

# {k} has 3 rows behind the statement, or 4; {n} rows are new, 1 or 2.
ONE = {
    "values": "INSERT o (c) VALUES ({k})",
    "variable": "DECLARE @c int = {k}; INSERT o (c) VALUES (@c)",
    "update by key": "UPDATE o SET c = {k} WHERE id = 1",
    "update from": "UPDATE t SET c = s.k FROM o t JOIN (VALUES (1, {k})) s(id, k) ON s.id = t.id",
    "current of": "DECLARE x CURSOR LOCAL FOR SELECT c FROM o WHERE id = 1 FOR UPDATE; OPEN x; FETCH x; UPDATE o SET c = {k} WHERE CURRENT OF x",
}
MANY = {
    "values": "INSERT o (c) SELECT {k} FROM GENERATE_SERIES(1, {n})",
    "rows of a table": "INSERT o (c) SELECT TOP ({n}) {k} FROM o",
    "thousands": "INSERT o (c) SELECT {k} FROM GENERATE_SERIES(1, {n}) UNION ALL SELECT -value FROM GENERATE_SERIES(1, 3000)",
    "output": "INSERT o (c) OUTPUT inserted.c INTO log SELECT {k} FROM GENERATE_SERIES(1, {n})",
    "execute": "INSERT o (c) EXEC Rows {k}, {n}",
    "execute a text": "INSERT o (c) EXEC ('SELECT {k} FROM GENERATE_SERIES(1, {n})')",
    "table-valued": "DECLARE @r customers; INSERT @r SELECT {k} FROM GENERATE_SERIES(1, {n}); EXEC Given @r",
    "view": "INSERT v (c) SELECT {k} FROM GENERATE_SERIES(1, {n})",
    "instead of": "INSERT w (c) SELECT {k} FROM GENERATE_SERIES(1, {n})",
    "update": "UPDATE TOP ({n}) o SET c = {k} WHERE c = 0",
    "update of all": "UPDATE o SET c = CASE WHEN id <= {n} THEN {k} ELSE c END, note = 'x'",
    "view updated": "UPDATE TOP ({n}) v SET c = {k} WHERE c = 0",
    "merge, new": "MERGE o t USING (SELECT {k} k FROM GENERATE_SERIES(1, {n})) s ON 1 = 0 WHEN NOT MATCHED THEN INSERT (c) VALUES (k);",
    "merge, known": "MERGE o t USING (SELECT value FROM GENERATE_SERIES(1, {n})) s ON s.value = t.id WHEN MATCHED THEN UPDATE SET c = {k};",
    "merge of thousands": "MERGE o t USING (SELECT {k} k FROM GENERATE_SERIES(1, {n}) UNION ALL SELECT -value FROM GENERATE_SERIES(1, 3000)) s ON 1 = 0 WHEN NOT MATCHED THEN INSERT (c) VALUES (k);",
    "composed": "INSERT o (c) SELECT k FROM (MERGE o t USING (SELECT {k} k FROM GENERATE_SERIES(1, {n})) s ON 1 = 0 WHEN NOT MATCHED THEN INSERT (c) VALUES (-s.k) OUTPUT s.k) AS x(k)",
}  # fmt: skip
WAYS = [(f"one: {name}", text, 1) for name, text in ONE.items()]
WAYS += [(f"{n} rows: {name}", text, n) for name, text in MANY.items() for n in (1, 2)]
PLACES = [("alone", check) for check in CHECKS] + [("triggered", CHECKS[0]), ("in a transaction", CHECKS[0])]
_numbers = count(1)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual", seed=1)
    yield instance.connect()
    instance.close()


def made(session: Session, check: str, more: str = "") -> str:
    name = f"D{next(_numbers)}"
    for batch in (f"USE master; CREATE DATABASE {name}", f"USE {name}", *TABLE.format(check=check).split("GO\n"), more):
        assert told(session, batch) == [], batch
    return name


def rows(session: Session) -> Any:
    return last_rows(session, "SELECT id, c, note FROM o ORDER BY id"), last_rows(session, "SELECT what FROM log")


@pytest.mark.parametrize(("place", "check"), PLACES)
@pytest.mark.parametrize(("name", "text", "new"), WAYS, ids=[name for name, _, _ in WAYS])
def test_every_way_of_writing(session: Session, name: str, text: str, new: int, place: str, check: str) -> None:
    if (
        name.endswith("instead of")
        and place == "in a transaction"
        or name.endswith("composed")
        and place == "triggered"
    ):
        pytest.skip("an error in a trigger ends the transaction; such an INSERT takes no table with triggers")
    trigger = "CREATE TRIGGER told ON o FOR INSERT, UPDATE AS INSERT log VALUES ('trigger')"
    made(session, check, trigger if place == "triggered" else "")
    first, last = ("BEGIN TRAN; INSERT o (c) VALUES (-9);", "COMMIT") if place == "in a transaction" else ("", "")
    for key, wanted in ((4 - new, True), (3 - new, False), (4 - new, True)):
        told(session, first)
        before = rows(session)
        found = [item for item in told(session, text.format(k=key, n=new)) if isinstance(item, int)]
        now = rows(session)
        told(session, last)
        if place == "in a transaction":
            assert last_rows(session, "SELECT @@TRANCOUNT") == [(0,)]
        if wanted:
            assert (found, now) == ([547], before), (name, key)
        else:
            assert found == [], name
            assert sum(c == key for _, c, _ in now[0]) == 3, name
            assert ("trigger",) in now[1] or place != "triggered"


def test_from_another_database(session: Session) -> None:
    """The function is that of the table's database, for CHECK, DEFAULT and computed columns alike."""
    name = made(session, CHECKS[0])
    told(session, "CREATE SEQUENCE dbo.s START WITH 7")
    more = "ALTER TABLE o ADD d int NOT NULL DEFAULT dbo.CountFor(3), e int NOT NULL DEFAULT NEXT VALUE FOR dbo.s, f AS dbo.CountFor(c), g int NULL DEFAULT 10 * NEXT VALUE FOR s"
    assert told(session, more) == []
    told(session, "USE master")
    assert told(session, f"INSERT {name}.dbo.o (c) VALUES (2)") == []
    assert told(session, f"INSERT {name}.dbo.o (c) VALUES (2)") == [547]
    assert told(session, f"INSERT {name}.dbo.o (c) SELECT 2 FROM GENERATE_SERIES(1, 2)") == [547]
    ((*found, e, g),) = last_rows(session, f"SELECT TOP 1 c, d, f, e, g FROM {name}.dbo.o ORDER BY id DESC")
    assert found == [2, 3, 3]
    assert (e > 7, g >= 70, g % 10) == (True, True, 0)


def test_rows_of_a_file(session: Session, tmp_path: Path) -> None:
    """BULK INSERT asks constraints when it is told to."""
    made(session, CHECKS[0])
    (tmp_path / "rows").write_bytes(b"0\t2\tx\n0\t2\ty\n")
    load = f"BULK INSERT o FROM '{tmp_path}/rows'"
    assert told(session, f"{load} WITH (CHECK_CONSTRAINTS)") == [547]
    assert len(rows(session)[0]) == 10
    assert told(session, load) == []
    assert len(rows(session)[0]) == 12
