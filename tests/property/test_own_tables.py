"""What a session writes to a #temp table, statement by statement and in transactions, is what the same program does to
a table of the database, which goes another way: same rows, same counts, same errors, same @@TRANCOUNT."""

from __future__ import annotations

import random

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet, RowsAffected
from sbql.engine.session import Session

SEEDS = 24
STEPS = 40
OWN, SHARED = "#t", "dbo.t"
CREATE = "CREATE TABLE {} (a int NOT NULL PRIMARY KEY, b varchar(5) NULL CHECK (b <> 'bad'), c decimal(5, 2) NOT NULL, n int IDENTITY)"
LOOK = "SELECT a, b, c, n FROM {} ORDER BY a; SELECT @@TRANCOUNT, @@ROWCOUNT, XACT_STATE(), @@IDENTITY"


def statement(chance: random.Random) -> str:
    """One write of {t}; some fail, in their first row or a later one."""
    key, other = chance.randrange(12), chance.randrange(12)
    text = chance.choice(["'x'", "'yy'", "NULL", "'bad'", "'too long'", f"'{key}'"])
    number = chance.choice(["1", "2.5", "NULL", "999", "1000", "c + 1", "c * 10", "c / (a - 3)"])
    value = chance.choice(["1", "2.5", "NULL", "1000", "7"])
    return chance.choice(
        [
            f"INSERT INTO {{t}} (a, b, c) VALUES ({key}, {text}, {value})",
            f"INSERT INTO {{t}} (a, b, c) VALUES ({key}, 'x', 1), ({other}, {text}, {value})",
            f"INSERT INTO {{t}} (a, b, c) SELECT a + {other}, b, c FROM {{t}} WHERE a < {key}",
            f"UPDATE {{t}} SET c = {number} WHERE a = {key}",
            f"UPDATE {{t}} SET b = {text}, c = {number} WHERE a >= {key}",
            f"UPDATE {{t}} SET a = a + {other} WHERE a = {key}",
            f"UPDATE TOP (2) {{t}} SET b = {text} OUTPUT deleted.a, inserted.b WHERE a > {key}",
            f"DELETE FROM {{t}} WHERE a = {key}",
            f"DELETE FROM {{t}} OUTPUT deleted.a WHERE a IN ({key}, {other})",
            f"MERGE {{t}} AS t USING (VALUES ({key}, {text})) AS s (a, b) ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = s.b WHEN NOT MATCHED THEN INSERT (a, b, c) VALUES (s.a, s.b, 3);",
            f"INSERT INTO {{t}} (a, b, c) EXEC ('SELECT {key}, {text}, {value}')",
            f"EXEC sp_executesql N'UPDATE {{t}} SET c = @c WHERE a = @a', N'@a int, @c decimal(5, 2)', {key}, {other}",
        ]
    )  # fmt: skip


def step(chance: random.Random) -> str:
    """A batch: mostly one write, often a few, sometimes what begins and ends transactions or changes options."""
    frame = chance.randrange(14)
    if frame == 0:
        return chance.choice(["BEGIN TRANSACTION", "IF @@TRANCOUNT > 0 COMMIT", "IF @@TRANCOUNT > 0 ROLLBACK"])
    if frame == 1:
        return f"BEGIN TRANSACTION; SAVE TRANSACTION s; {statement(chance)}; IF XACT_STATE() = 1 ROLLBACK TRANSACTION s; IF XACT_STATE() = 1 COMMIT"
    if frame == 2:
        return f"BEGIN TRY {statement(chance)}; {statement(chance)} END TRY BEGIN CATCH SELECT ERROR_NUMBER(); IF XACT_STATE() = -1 ROLLBACK END CATCH"
    if frame == 3:
        return f"SET XACT_ABORT {chance.choice(['ON', 'OFF'])}"
    if frame == 4:
        level = chance.choice(["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT"])
        return f"IF @@TRANCOUNT = 0 SET TRANSACTION ISOLATION LEVEL {level}"
    if frame == 5:
        return f"SET IMPLICIT_TRANSACTIONS {chance.choice(['ON', 'OFF', 'OFF'])}"
    if frame == 6:
        return f"SET ROWCOUNT {chance.choice(['1', '0', '0'])}"
    return "; ".join(statement(chance) for _ in range(chance.choice([1, 1, 2, 4])))


def said(session: Session, text: str) -> list[object]:
    found: list[object] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.state, outcome.error.line))
        elif isinstance(outcome, ResultSet):
            found.append([tuple(row) for row in outcome.rows])
        elif isinstance(outcome, RowsAffected):
            found.append(outcome.count)
    return found


@pytest.mark.parametrize("seed", range(SEEDS))
def test_own_and_shared_tables_are_written_alike(seed: int) -> None:
    chance = random.Random(seed)
    instance = Instance.open()
    instance.connect().run("ALTER DATABASE master SET ALLOW_SNAPSHOT_ISOLATION ON")
    sessions = {name: instance.connect() for name in (OWN, SHARED)}
    for name, session in sessions.items():
        assert not said(session, CREATE.format(name))
    done: list[str] = []
    for number in range(STEPS):
        text = step(chance)
        done.append(text)
        told = {}
        for name, session in sessions.items():
            told[name] = said(session, text.replace("{t}", name))
            if number % 3 == 0 or "TRAN" in text:
                told[name] += said(session, LOOK.format(name))
        assert told[OWN] == told[SHARED], done
    final = [said(session, LOOK.format(name)) for name, session in sessions.items()]
    assert final[0] == final[1], done
    instance.close()


def test_what_a_transaction_was_is_not_in_the_next() -> None:
    """Each statement by itself has a number of its own, and no locks or savepoints of the one before."""
    instance = Instance.open()
    session = instance.connect()
    session.run("CREATE TABLE #t (a int)")
    text = "DECLARE @seen TABLE (id bigint); DECLARE @i int = 0; WHILE @i < 5 BEGIN INSERT INTO #t (a) SELECT @i; "
    text += "INSERT INTO #t (a) VALUES (CURRENT_TRANSACTION_ID()); SET @i += 1 END; SELECT COUNT(DISTINCT a) FROM #t WHERE a > 4"
    assert said(session, f"SET NOCOUNT ON; {text}")[-1] == [(5,)]
    assert session.transaction is None
    instance.close()
