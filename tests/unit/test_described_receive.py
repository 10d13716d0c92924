"""sp_describe_first_result_set tells of a RECEIVE what it then gives, and takes nothing from the queue."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet

TEXTS = [
    "RECEIVE * FROM q",
    "DECLARE @g uniqueidentifier; SELECT @g = conversation_group_id FROM q; RECEIVE message_body AS b FROM dbo.q WHERE conversation_group_id = @g",
    "RECEIVE CAST(message_body AS nvarchar(50)) AS text, message_sequence_number + 1, N'x' AS x, service_name FROM q",
    "WAITFOR (RECEIVE queuing_order, validation, status FROM q), TIMEOUT 10",
    "DECLARE @n int = 2; RECEIVE TOP (@n) @n AS n, message_type_name FROM q",
    "BEGIN TRANSACTION; IF 1 = 1 BEGIN RECEIVE priority FROM q; END; ROLLBACK",
]


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    found = Instance.open(clock="virtual")
    found.connect("msdb").run("CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])")
    yield found
    found.close()


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_told_is_what_comes(instance: Instance, text: str) -> None:
    session = instance.connect("msdb")
    session.run(
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'a')"
    )
    before = session.run("SELECT COUNT(*) FROM q")[0].rows  # type: ignore[union-attr]
    quoted = text.replace("'", "''")
    (told,) = [o for o in session.run(f"EXEC sp_describe_first_result_set N'{quoted}'") if isinstance(o, ResultSet)]
    assert session.run("SELECT COUNT(*) FROM q")[0].rows == before != [(0,)]  # type: ignore[union-attr]
    came = next(o for o in session.run(text) if isinstance(o, ResultSet))
    assert [(row[2] or "", row[5]) for row in told.rows] == [(c.name, str(c.type)) for c in came.columns]


@pytest.mark.parametrize("text", ["RECEIVE @h = conversation_handle FROM q", "RECEIVE message_body FROM q INTO @t"])
def test_without_rows_for_the_client_there_is_nothing_to_tell(instance: Instance, text: str) -> None:
    declared = "DECLARE @h uniqueidentifier; DECLARE @t table (b varbinary(max)); "
    (told,) = [
        o
        for o in instance.connect("msdb").run(f"EXEC sp_describe_first_result_set N'{declared}{text}'")
        if isinstance(o, ResultSet)
    ]
    assert told.rows == []


def test_a_queue_that_there_is_not(instance: Instance) -> None:
    outcomes = instance.connect("msdb").run("EXEC sp_describe_first_result_set N'RECEIVE * FROM nowhere'")
    assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)] == [208]
