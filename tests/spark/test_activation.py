"""`activate`: a streaming query that works on a queue as an activated procedure does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving_owner import Owner

from sbql.grammar.errors import SqlError
from sbql.spark_udfs import activate, release, use

pytestmark = [pytest.mark.spark, pytest.mark.timeout(400)]


@pytest.fixture
def used(owner: Owner) -> Iterator[Owner]:
    use(owner.connection, database="d")
    yield owner
    release()


def test_messages_and_replies_go_together_across_a_failure(spark: Any, used: Owner, tmp_path: Path) -> None:
    from pyspark.errors import StreamingQueryException

    used.sql("EXEC d.dbo.talk 3, 2")
    calls: list[list[str]] = []
    failing = [True]

    def reply(messages: Any, open: Any) -> None:
        rows = messages.collect()
        calls.append(sorted(bytes(row.message_body).decode("utf-16le") for row in rows))
        for row in rows:
            open.run("SEND ON CONVERSATION @h (@body)", {"h": row.conversation_handle, "body": bytes(row.message_body)})
        if len(calls) == 2 and failing.pop():
            raise RuntimeError("the job is out of order")

    def run() -> None:
        query = activate(
            spark, "work", reply, checkpoint=str(tmp_path / "c"), available_now=True, name="replies",
            maxMessagesPerTrigger=4,
        )  # fmt: skip
        query.awaitTermination(200)

    with pytest.raises(StreamingQueryException, match="out of order"):
        run()
    assert used.count("replies") == 4, "the first batch is done, the second is undone"
    run()
    assert len(calls) == 3 and calls[1] == calls[2], "the same messages come again"
    replied = used.sql("SELECT CAST(message_body AS nvarchar(9)) FROM d.dbo.replies")
    assert sorted(text for (text,) in replied) == sorted(f"{d}:{i}" for d in (1, 2, 3) for i in (0, 1))
    assert used.count("work") == 0


def test_without_a_way_for_others_it_says_what_to_do(tmp_path: Path) -> None:
    use()  # a store in memory, for this process alone
    try:
        with pytest.raises(SqlError, match=r"sbql\.serve") as caught:
            activate(None, "q", print, checkpoint=str(tmp_path))  # type: ignore[arg-type]
        assert caught.value.number == 87
    finally:
        release()


def test_spark_connect_is_told_how_to_do_it() -> None:
    session = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
    with pytest.raises(SqlError, match=r"write a function that calls use") as caught:
        activate(session, "q", print, checkpoint="c")
    assert caught.value.number == 87
