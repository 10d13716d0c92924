"""OUTPUT INTO beside triggers: its rows are those of the statement as it was written, whatever triggers do; they are in
their table when the triggers run, and go with a statement that a trigger fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import prepared, told

from sbql.engine.session import Session

SETUP = (
    "CREATE DATABASE D",
    "CREATE TABLE D.dbo.t (id int IDENTITY PRIMARY KEY, n int NOT NULL DEFAULT 5); CREATE TABLE D.dbo.l (id int, old int, new int)",
    "INSERT D.dbo.t VALUES (10), (20), (30)",
)
# What is written, and id, old and new of each row of OUTPUT. An INSTEAD OF trigger sees 0 for an identity to come.
WRITES = {
    "INSERT {0} (n) OUTPUT inserted.id, NULL, inserted.n INTO {1} VALUES (40), (50)": [(4, None, 40), (5, None, 50)],
    "INSERT {0} (n) OUTPUT inserted.id, NULL, inserted.n INTO {1} VALUES (40)": [(4, None, 40)],
    "INSERT {0} (n) OUTPUT inserted.id, NULL, inserted.n INTO {1} SELECT n + 1 FROM t WHERE id < 3": [(4, None, 11), (5, None, 21)],
    "UPDATE {0} SET n = n + 1 OUTPUT inserted.id, deleted.n, inserted.n INTO {1} WHERE id > 1": [(2, 20, 21), (3, 30, 31)],
    "UPDATE x SET n = s.v OUTPUT inserted.id, deleted.n, s.v INTO {1} FROM {0} AS x JOIN (VALUES (2, 7)) AS s (id, v) ON x.id = s.id": [(2, 20, 7)],
    "DELETE {0} OUTPUT deleted.id, deleted.n, NULL INTO {1} WHERE id <> 2": [(1, 10, None), (3, 30, None)],
    "DELETE TOP (1) FROM {0} OUTPUT deleted.id, deleted.n, NULL INTO {1} WHERE id = 3": [(3, 30, None)],
    "MERGE {0} AS d USING (VALUES (1, 7), (9, 8)) AS s (id, v) ON d.id = s.id WHEN MATCHED THEN UPDATE SET n = s.v WHEN NOT MATCHED THEN INSERT (n) VALUES (s.v) WHEN NOT MATCHED BY SOURCE AND d.id = 3 THEN DELETE OUTPUT ISNULL(inserted.id, deleted.id), deleted.n, inserted.n INTO {1};":
        [(1, 10, 7), (3, 30, None), (4, None, 8)],
}  # fmt: skip
FAILS = {"THROW 50001, 'no', 1": 50001, "ROLLBACK": 3609}
INTO = {"@l": "DECLARE @l table (id int, old int, new int); ", "#l": "", "l": "", "l (id, old, new)": ""}


@pytest.fixture
def session() -> Iterator[Session]:
    with prepared(*SETUP) as session:
        session.run("USE D")
        assert told(session, "CREATE TABLE #l (id int, old int, new int)") == []
        yield session


def _name(into: str) -> str:
    return into.partition(" ")[0]


def _seen(rows: list[tuple[int | None, ...]], *, is_new: int) -> list[tuple[int | None, ...]]:
    """The rows with what stands in place of new identity values."""
    return sorted(((is_new if row[1] is None else row[0]), *row[1:]) for row in rows)  # type: ignore[type-var]


@pytest.mark.matrix
@pytest.mark.parametrize("into", INTO)
@pytest.mark.parametrize("write", WRITES)
def test_rows_of_output_are_there_before_the_triggers_run(session: Session, write: str, into: str) -> None:
    rows, name = WRITES[write], _name(into)
    seen = f"(SELECT COUNT(*) FROM {name})" if not into.startswith("@") else "-1"
    assert (
        told(session, f"CREATE TRIGGER tr ON t AFTER INSERT, UPDATE, DELETE AS SELECT {seen}; UPDATE t SET n = -1")
        == []
    )
    found = told(
        session,
        f"SET NOCOUNT ON; {INTO[into]}{write.format('t', into)}; SELECT id, old, new FROM {name} ORDER BY id, new",
    )
    fired = 3 if write.startswith("MERGE") else 1
    assert found[:fired] == [(len(rows) if not into.startswith("@") else -1,)] * fired
    assert found[fired:] == rows
    assert told(session, "SELECT DISTINCT n FROM t") == [(-1,)]


@pytest.mark.matrix
@pytest.mark.parametrize("into", INTO)
@pytest.mark.parametrize("write", WRITES)
def test_output_tells_of_what_an_instead_of_trigger_was_asked_for(session: Session, write: str, into: str) -> None:
    assert told(session, "CREATE TRIGGER tr ON t INSTEAD OF INSERT, UPDATE, DELETE AS RETURN") == []
    found = told(
        session, f"{INTO[into]}{write.format('t', into)}; SELECT @@ROWCOUNT; SELECT id, old, new FROM {_name(into)}"
    )
    assert found[0] == (len(WRITES[write]),)
    assert _seen(found[1:], is_new=0) == _seen(WRITES[write], is_new=0)  # type: ignore[arg-type]
    assert told(session, "SELECT id, n FROM t; SELECT IDENT_CURRENT('t')") == [(1, 10), (2, 20), (3, 30), (3,)]


@pytest.mark.matrix
@pytest.mark.parametrize("into", INTO)
@pytest.mark.parametrize("write", [write for write in WRITES if not write.startswith(("MERGE", "UPDATE x"))])
def test_output_of_a_view_that_a_trigger_carries_out(session: Session, write: str, into: str) -> None:
    assert told(session, "CREATE VIEW v AS SELECT id, n FROM t") == []
    assert told(session, "CREATE TRIGGER tr ON v INSTEAD OF INSERT, UPDATE, DELETE AS DELETE t WHERE id = 2") == []
    found = told(session, f"{INTO[into]}{write.format('v', into)}; SELECT id, old, new FROM {_name(into)}")
    assert [row[1:] for row in found] == [row[1:] for row in WRITES[write]]  # type: ignore[index]
    assert told(session, "SELECT id, n FROM t") == [(1, 10), (3, 30)]


@pytest.mark.matrix
@pytest.mark.parametrize("timing", ["AFTER", "INSTEAD OF"])
@pytest.mark.parametrize("fails", FAILS)
@pytest.mark.parametrize("into", INTO)
@pytest.mark.parametrize("write", WRITES)
def test_what_a_trigger_fails_leaves_no_rows(session: Session, write: str, into: str, fails: str, timing: str) -> None:
    assert told(session, f"CREATE TRIGGER tr ON t {timing} INSERT, UPDATE, DELETE AS {fails}") == []
    text = f"{INTO[into]}BEGIN TRY {write.format('t', into)}; END TRY BEGIN CATCH IF @@TRANCOUNT > 0 ROLLBACK; SELECT ERROR_NUMBER(); END CATCH; SELECT * FROM {_name(into)}"
    assert told(session, text) == [(FAILS[fails],)]
    assert told(session, "SELECT id, n FROM t") == [(1, 10), (2, 20), (3, 30)]


@pytest.mark.parametrize("kind", ["int", "tinyint", "bigint", "decimal(9, 0)"])
def test_an_identity_to_come_is_0(session: Session, kind: str) -> None:
    assert told(session, f"CREATE TABLE i (id {kind} IDENTITY (7, 1) NOT NULL, n int)") == []
    assert told(session, "CREATE TRIGGER tr ON i INSTEAD OF INSERT AS SELECT id, n FROM inserted") == []
    assert told(session, "INSERT i VALUES (1), (2); INSERT i DEFAULT VALUES; INSERT i SELECT 3") == [
        (0, 1),
        (0, 2),
        (0, None),
        (0, 3),
    ]
    assert told(
        session, "MERGE i USING (SELECT 8 AS n) AS s ON i.n = s.n WHEN NOT MATCHED THEN INSERT (n) VALUES (s.n);"
    ) == [(0, 8)]
    assert told(session, "SET IDENTITY_INSERT i ON; INSERT i (id, n) VALUES (9, 4); SET IDENTITY_INSERT i OFF") == [
        (9, 4)
    ]
    assert told(session, "DROP TRIGGER tr; INSERT i VALUES (5); SELECT id FROM i") == [(7,)]
