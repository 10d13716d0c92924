"""A text that is run once: whoever asks again under its name gets its answer, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from consumer_bench import Bench

from sbql.catalog.records import AnsweredRequest, DeleteRequest
from sbql.engine.broker.answered_requests import KEPT, KNOWN, Requests
from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.errors import SqlError

RECEIVE = "RECEIVE TOP (1) CAST(message_body AS nvarchar(100)) FROM work"


def refused(number: int, text: str | None = None) -> Any:
    return pytest.raises(SqlError, match=text, check=lambda error: error.number == number)


def tell(bench: Bench, text: str) -> list[Any]:
    """A batch in the reader's session; its last rows. Raises its first error."""
    rows: list[Any] = []
    for outcome in bench.reader.run(text):
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
        rows = getattr(outcome, "rows", rows)
    return rows


def ask(bench: Bench, name: str, text: str, *, commit: bool = True, issued: float | None = None) -> str:
    """As a client does. With `commit=False` it dies before its COMMIT."""
    bench.reader = bench.instance.connect("d", bench.reader.login_name)
    try:
        tell(bench, "BEGIN TRANSACTION")
        found = bench.call("request.begin", request=name, text=text, issued=issued)
        if not found["is_new"]:
            return str(found["answer"].decode())
        answer = repr(tell(bench, text))
        bench.call("request.end", request=name, text=text, answer=answer.encode())
        if commit:
            tell(bench, "COMMIT TRANSACTION")
        return answer
    finally:
        bench.reader.close()


@pytest.mark.spec("REQUEST-1")
def test_what_was_answered_is_not_done_again(stored: Bench) -> None:
    stored.talk(1, "a", "b", "c")
    assert ask(stored, "r1", RECEIVE) == "[('a',)]" == ask(stored, "r1", RECEIVE)
    assert ask(stored, "r2", RECEIVE, commit=False) == "[('b',)]", "a client that dies has done nothing"
    assert stored.peek() == ["b", "c"]
    assert ask(stored, "r2", RECEIVE) == "[('b',)]"
    stored.reopen()
    assert ask(stored, "r1", RECEIVE) == "[('a',)]"
    stored.instance.store.fold()
    stored.reopen()
    assert ask(stored, "r2", RECEIVE) == "[('b',)]" and stored.peek() == ["c"]
    assert ask(stored, "nothing is done", "SELECT 1") == "[(1,)]" == ask(stored, "nothing is done", "SELECT 1")
    with refused(49948):
        ask(stored, "r1", RECEIVE + " ")


@pytest.mark.spec("REQUEST-2")
def test_an_error_undoes_all_and_may_be_tried_again(bench: Bench) -> None:
    bench.sql("CREATE TABLE t (a int PRIMARY KEY)")
    for _ in range(2):
        with refused(2627):
            ask(bench, "r", "INSERT t VALUES (1); INSERT t VALUES (1)")
        assert bench.sql("SELECT count(*) FROM t") == [(0,)]
    bench.sql("CREATE TABLE u (a int)")
    ask(bench, "s", "INSERT t VALUES (1); INSERT u EXEC('SELECT a FROM t'); BEGIN TRAN; INSERT u VALUES (2); COMMIT")
    assert bench.sql("SELECT count(*) FROM u") == [(2,)]


@pytest.mark.spec("REQUEST-3")
@pytest.mark.parametrize("text", [
    "INSERT t VALUES (1); COMMIT; INSERT t VALUES (2)",
    "INSERT t VALUES (1); ROLLBACK; INSERT t VALUES (2)",
    "INSERT t VALUES (1); BEGIN TRY ROLLBACK END TRY BEGIN CATCH PRINT 'caught' END CATCH; BEGIN TRAN; INSERT t VALUES (2)",
    "INSERT t VALUES (1); EXEC('COMMIT'); BEGIN TRAN; INSERT t VALUES (2)",
    "INSERT t VALUES (1); EXEC ends; INSERT t VALUES (2)",
    "BEGIN TRAN; INSERT t VALUES (1)",
])  # fmt: skip
def test_a_text_cannot_end_its_transaction(bench: Bench, text: str) -> None:
    """Not by COMMIT, for what was committed would be done again; nothing stays of it,
    and nobody's transaction is open."""
    bench.sql("CREATE TABLE t (a int)")
    bench.sql("CREATE PROCEDURE ends AS ROLLBACK TRANSACTION")
    with pytest.raises(SqlError) as caught:
        ask(bench, "r", text)
    assert caught.value.number in (49949, 3930, 3998)
    assert bench.sql("SELECT count(*) FROM t") == [(0,)]
    assert ask(bench, "r", "SELECT 5") == "[(5,)]", "the name is free"


@pytest.mark.spec("REQUEST-5")
def test_answers_age_and_names_later(bench: Bench) -> None:
    bench.sql("CREATE TABLE t (a int)")
    ask(bench, "r", "INSERT t VALUES (1)")
    bench.instance.loop.advance(KEPT + 1)
    with refused(49947):
        ask(bench, "r", "INSERT t VALUES (1)")
    made = bench.call("request.describe", text="SELECT 1")["now"]
    bench.instance.loop.advance(KNOWN + 1)
    with refused(49947):
        ask(bench, "made long ago", "INSERT t VALUES (1)", issued=made)
    assert bench.sql("SELECT count(*) FROM t") == [(1,)]
    ask(bench, "r", "INSERT t VALUES (2)")
    assert bench.sql("SELECT a FROM t") == [(1,), (2,)], "after a week the name is free"


def test_an_answer_is_kept_for_an_hour_and_a_name_for_a_week() -> None:
    """docs/spark.md: 64 MB of answers in all."""
    hour, week, asked = 3600.0, 7 * 86400.0, 1e9
    kept = Requests()
    kept.note(AnsweredRequest(5, "r", b"", asked, b"x"))
    assert kept.forget_old(asked + hour) == []
    (change,) = kept.forget_old(asked + hour + 0.5)
    assert change == kept.find(5, "r") and change.answer is None
    assert kept.forget_old(asked + week) == []
    assert kept.forget_old(asked + week + 0.5) == [DeleteRequest(5, "r")]
    assert kept.find(5, "r") is None
    for name in ("first", "second"):
        kept.note(AnsweredRequest(5, name, b"", asked, bytes(32 << 20)))
    assert kept.forget_old(asked) == []
    kept.note(AnsweredRequest(5, "third", b"", asked, b"x"))
    assert [change.name for change in kept.forget_old(asked)] == ["first"]


@pytest.mark.spec("REQUEST-5")
def test_answers_have_a_room(bench: Bench) -> None:
    bench.instance.broker.requests = Requests(most_bytes=100)
    large = "SELECT REPLICATE('x', 60)"
    ask(bench, "first", large)
    ask(bench, "second", large)
    assert ask(bench, "second", large).count("x") == 60
    with refused(49947):
        ask(bench, "first", large)
    bench.reader = bench.instance.connect("d")
    tell(bench, "BEGIN TRANSACTION")
    bench.call("request.begin", request="third", text="t")
    with refused(49950, "Nothing of it was done"):
        bench.call("request.end", request="third", text="t", answer=bytes(17 << 20))


@pytest.mark.spec("REQUEST-4")
def test_two_that_ask_at_once_do_it_once(bench: Bench) -> None:
    bench.sql("CREATE TABLE t (a int)")
    text = "INSERT t VALUES (1)"
    bench.reader = bench.instance.connect("d")
    tell(bench, "BEGIN TRANSACTION")
    assert bench.call("request.begin", request="r", text=text)["is_new"]
    tell(bench, text)
    other, found = bench.instance.connect("d"), []
    other.run("BEGIN TRANSACTION")
    begin: Callable[..., Any] = bench.operation("request.begin", other, request="r", text=text)
    bench.instance.loop.spawn(begin(found.append), other, "other", lambda error: found.append(error) if error else None)
    bench.instance.loop.settle()
    assert found == [], "the first has not committed"
    bench.call("request.end", request="r", text=text, answer=b"one")
    tell(bench, "COMMIT TRANSACTION")
    bench.instance.loop.settle()
    assert found == [{"is_new": False, "answer": b"one"}]


def test_what_is_described_is_not_run(bench: Bench) -> None:
    bench.talk(1, "a")
    bench.reader = bench.instance.connect("d")
    columns = bench.call("request.describe", text="DECLARE @n int = 1; RECEIVE TOP (@n) message_body AS b FROM work")[
        "columns"
    ]
    assert [(name, parts[0]) for name, parts, _ in columns] == [("b", "varbinary")]
    assert bench.call("request.describe", text="DELETE dialogs")["columns"] is None
    assert bench.sql("SELECT count(*) FROM dialogs") == [(1,)] and bench.peek() == ["a"]
    with refused(11514):
        bench.call("request.describe", text="EXEC('SELECT 1')")
    with refused(3902):
        bench.call("request.begin", request="r", text="SELECT 1")
