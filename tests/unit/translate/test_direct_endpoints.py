"""sys.conversation_endpoints from memory is what the view says: all columns of every endpoint, by its handle and among
the first, while two sessions begin, send, receive, end and roll back at random. So is whether a queue has rows.

`CAST(conversation_handle AS binary(16)) = …` is no handle to the translator, and `WHERE priority > 0` not all of a
queue: the same question goes to DuckDB.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from sessions_at_random import NONE, at_random
from told import told

from sbql.engine.direct import endpoints, form, queues
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.engine.session import Session

SEEDS = int(os.environ.get("ENDPOINT_SEEDS", "12"))
SETUP = """CREATE QUEUE a; CREATE QUEUE b; CREATE QUEUE c
CREATE CONTRACT k (m SENT BY ANY)
CREATE SERVICE [//A] ON QUEUE a; CREATE SERVICE [//B] ON QUEUE b (k); CREATE SERVICE [//C] ON QUEUE c ([DEFAULT])"""
DOINGS = (
    "DECLARE @n uniqueidentifier BEGIN DIALOG @n FROM SERVICE [//A] TO SERVICE '//B' ON CONTRACT k WITH ENCRYPTION = OFF, LIFETIME = 600",
    "DECLARE @n uniqueidentifier BEGIN DIALOG @n FROM SERVICE [//A] TO SERVICE '//C' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @n (0x01)",
    "SEND ON CONVERSATION '{handle}' MESSAGE TYPE m (0x02)",
    "SEND ON CONVERSATION '{handle}' (0x02)",
    "RECEIVE TOP (1) * FROM a", "RECEIVE TOP (1) * FROM b", "RECEIVE * FROM c",
    "END CONVERSATION '{handle}'", "END CONVERSATION '{handle}' WITH ERROR = 5 DESCRIPTION = N'x'", "END CONVERSATION '{handle}' WITH CLEANUP",
    "BEGIN CONVERSATION TIMER ('{handle}') TIMEOUT = 60",
    "BEGIN TRANSACTION", "BEGIN TRANSACTION", "IF @@TRANCOUNT > 0 COMMIT", "IF @@TRANCOUNT > 0 COMMIT", "IF @@TRANCOUNT > 0 ROLLBACK",
)  # fmt: skip
FORMS = (
    "SELECT * FROM sys.conversation_endpoints WHERE {is_it}",
    "SELECT state_desc, far_service + N'!', CAST(lifetime AS date) FROM sys.conversation_endpoints AS e WHERE {is_it} AND e.state <> 'CD'",
    "SELECT COUNT(*), MAX(send_sequence) FROM sys.conversation_endpoints WHERE {is_it} AND far_service = N'//B'",
    "IF EXISTS (SELECT * FROM sys.conversation_endpoints WHERE {is_it} AND state IN ('CO', 'SO')) SELECT 1 ELSE SELECT 0",
)
QUEUES = (
    "IF EXISTS (SELECT * FROM {queue}{where}) SELECT 1 ELSE SELECT 0",
    "IF NOT EXISTS (SELECT TOP (1) 1 FROM {queue}{where}) SELECT 1 ELSE SELECT 0",
    "SELECT CASE WHEN EXISTS (SELECT conversation_handle FROM {queue}{where}) THEN 1 ELSE 0 END",
    "SELECT COUNT(*) FROM {queue}{where}",
)
BY_HANDLE, BY_DUCKDB = "conversation_handle = @h", "CAST(conversation_handle AS binary(16)) = CAST(@h AS binary(16))"


@pytest.fixture
def instance() -> Iterator[Instance]:
    found = Instance.open(clock="virtual", seed=1)
    session = found.connect()
    assert told(session, "CREATE DATABASE shop") == []
    assert told(session, "USE shop; CREATE MESSAGE TYPE m VALIDATION = NONE") == []
    for statement in SETUP.replace("\n", "; ").split("; "):
        assert told(session, statement) == []
    yield found
    found.close()


def shown(session: Session, text: str) -> list[Any]:
    """Values with their types, and the types of the columns."""
    results = [outcome for outcome in session.run(text) if isinstance(outcome, ResultSet)]
    return [
        (
            [tuple((type(v), repr(v)) for v in row) for row in one.rows],
            [(c.name, c.type, c.nullable) for c in one.columns],
        )
        for one in results
    ]


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each look at endpoints needed no DuckDB."""
    found: list[bool] = []
    for kind in (form.Direct, form.DirectFirst):
        run = kind.__call__

        def counted(self: Any, frame: Any, run: Any = run, kind: Any = kind) -> Any:
            rows = run(self, frame)
            if type(self) is kind and isinstance(self.source, endpoints.EndpointRows):
                found.append(rows is not None)
            return rows

        monkeypatch.setattr(kind, "__call__", counted)
    return found


@pytest.mark.parametrize("seed", range(SEEDS))
def test_memory_says_what_the_view_says(instance: Instance, answered: list[bool], seed: int) -> None:
    chance = random.Random(seed)
    for step, sessions, handles in at_random(instance, chance, DOINGS, 60, rests=seed % 3 == 0):
        for session in sessions:
            for handle in {chance.choice(handles), chance.choice(handles), NONE}:
                form = chance.choice(FORMS)
                texts = [
                    f"DECLARE @h uniqueidentifier = '{handle}'; {form.format(is_it=is_it)}"
                    for is_it in (BY_HANDLE, BY_DUCKDB)
                ]
                assert shown(session, texts[0]) == shown(session, texts[1]), (step, texts[0])
            form, queue = chance.choice(QUEUES), chance.choice("abc")
            found = [shown(session, form.format(queue=queue, where=where)) for where in ("", " WHERE priority > 0")]
            assert found[0] == found[1] != [], (step, form)
    assert sum(answered) > 150, "most that name a handle need no DuckDB"


def test_whether_a_queue_has_rows_is_known(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    session = instance.connect("shop")
    asked: list[Any] = []
    run = queues._QueueRows.__call__
    monkeypatch.setattr(queues._QueueRows, "__call__", lambda self, frame: asked.append(run(self, frame)) or asked[-1])
    assert told(session, "IF EXISTS (SELECT * FROM c) SELECT 1 ELSE SELECT 0") == [(0,)]
    assert told(session, DOINGS[1]) == []
    assert told(session, "IF EXISTS (SELECT * FROM c) SELECT 1 ELSE SELECT 0") == [(1,)]
    assert asked == [[], [(1,)]]
    assert len(told(session, "SELECT 1 FROM c")) == 1 and asked[2:] == [None], "its rows are DuckDB's"


def test_the_first_of_many(instance: Instance, answered: list[bool]) -> None:
    """As many as TOP says, each of them one that there is and that the condition means; all others are DuckDB's."""
    session = instance.connect("shop")
    for _ in range(3):
        assert told(session, DOINGS[0]) == []
    session.run(
        "SEND ON CONVERSATION (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints) MESSAGE TYPE m (0x01)"
    )
    answered.clear()
    every = {row[0] for row in shown(session, "SELECT *, 1 FROM sys.conversation_endpoints ORDER BY lifetime")[0][0]}
    assert not answered and len(every) == 4
    asked = {
        "SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints": (1, True),
        "SELECT TOP (4) conversation_handle FROM sys.conversation_endpoints": (4, True),
        "SELECT TOP (5) conversation_handle FROM sys.conversation_endpoints": (4, False),
        "SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE state = 'SI' OR is_initiator = 0": (
            1,
            True,
        ),
        "SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE state = 'CD'": (0, False),
        "SELECT TOP (2) conversation_handle FROM sys.conversation_endpoints ORDER BY send_sequence": (2, None),
        "SELECT conversation_handle FROM sys.conversation_endpoints WHERE far_service = N'//B'": (3, False),
        "SELECT conversation_handle FROM sys.conversation_endpoints WHERE far_service = N'//b'": (0, False),
    }
    for text, (count, is_direct) in asked.items():
        answered.clear()
        ((rows, _),) = shown(session, text)
        assert len(set(rows)) == len(rows) == count, text
        assert {row[0] for row in rows} <= every, text
        assert answered == ([] if is_direct is None else [is_direct]), text


def test_a_loop_that_cleans_up_ends(instance: Instance, answered: list[bool]) -> None:
    session = instance.connect("shop")
    for _ in range(20):
        told(session, DOINGS[1])
    assert told(
        session,
        """DECLARE @h uniqueidentifier
        WHILE EXISTS (SELECT * FROM sys.conversation_endpoints WHERE state IN ('SO', 'CO')) BEGIN
            SELECT TOP (1) @h = conversation_handle FROM sys.conversation_endpoints WHERE state IN ('SO', 'CO')
            END CONVERSATION @h WITH CLEANUP
        END
        IF EXISTS (SELECT * FROM sys.conversation_endpoints) RAISERROR ('not all', 16, 1)""",
    ) == []  # fmt: skip
    assert sum(answered) >= 80


@pytest.mark.parametrize("level", ["SNAPSHOT", "SERIALIZABLE", "READ UNCOMMITTED"])
def test_other_isolation_levels_ask_duckdb(instance: Instance, answered: list[bool], level: str) -> None:
    session = instance.connect("shop")
    told(session, DOINGS[0])
    session.run("ALTER DATABASE shop SET ALLOW_SNAPSHOT_ISOLATION ON")
    session.run(f"SET TRANSACTION ISOLATION LEVEL {level}")
    (handle,) = (e.conversation_handle for e in instance.broker.records())
    answered.clear()
    ((rows, _),) = shown(
        session,
        f"DECLARE @h uniqueidentifier = '{handle}'; SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h",
    )
    assert len(rows) == 1 and answered == [False]
