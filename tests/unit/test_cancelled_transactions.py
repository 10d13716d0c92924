"""A batch that its client stops (an attention) keeps its transaction open, unless XACT_ABORT is ON where it is stopped:
then the transaction is rolled back."""

from __future__ import annotations

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet
from sbql.engine.session import Session

HERE = "PRINT 'here'; INSERT dbo.Done VALUES (2);"
"""Where the client stops it: nothing behind runs."""
BODIES = {
    "batch": ("", "{set}{here}"),
    "procedure": ("CREATE PROCEDURE dbo.P AS {set}{here}", "EXEC dbo.P"),
    "procedure in a procedure": ("CREATE PROCEDURE dbo.P AS {set}EXEC dbo.Q", "EXEC dbo.P"),
    "text": ("", "EXEC ('{set}PRINT ''here''; INSERT dbo.Done VALUES (2);')"),
    "sp_executesql": ("", "EXEC sp_executesql N'{set}PRINT ''here''; INSERT dbo.Done VALUES (2);'"),
    "TRY": ("", "{set}BEGIN TRY {here} END TRY BEGIN CATCH INSERT dbo.Done VALUES (3) END CATCH"),
    "TRY around a procedure": (
        "CREATE PROCEDURE dbo.P AS {set}{here}",
        "BEGIN TRY EXEC dbo.P END TRY BEGIN CATCH INSERT dbo.Done VALUES (3) END CATCH",
    ),
    "unlike its caller": ("CREATE PROCEDURE dbo.P AS {set}{here}", "SET XACT_ABORT {other}; EXEC dbo.P"),
}
OFF, ON = "SET XACT_ABORT OFF; ", "SET XACT_ABORT ON; "


@pytest.fixture
def session(instance: Instance) -> Session:
    found = instance.connect()
    run(found, "CREATE TABLE dbo.Done (n int)", "CREATE PROCEDURE dbo.Q AS " + HERE)
    return found


def run(session: Session, *batches: str) -> None:
    for batch in batches:
        assert not [one for one in session.run(batch) if isinstance(one, ErrorOutcome)], batch


def stopped(session: Session, text: str) -> list[int]:
    """Run it, and stop it where it says 'here'. Returns the numbers of its errors."""

    def sink(outcome: Outcome) -> None:
        if isinstance(outcome, InfoMessage) and outcome.text == "here":
            session.cancel()

    return [one.error.number for one in session.run(text, sink=sink) if isinstance(one, ErrorOutcome)]


def rows(session: Session) -> list[tuple[int, ...]]:
    (found,) = [one for one in session.run("SELECT n FROM dbo.Done") if isinstance(one, ResultSet)]
    return [tuple(row) for row in found.rows]


@pytest.mark.parametrize("setting", [OFF, ON])
@pytest.mark.parametrize("place", BODIES)
def test_what_becomes_of_the_transaction(session: Session, place: str, setting: str) -> None:
    made, called = (
        text.format(set=setting, here=HERE, other="ON" if setting == OFF else "OFF") for text in BODIES[place]
    )
    run(session, *filter(None, [made]))
    run(session, "BEGIN TRANSACTION; BEGIN TRANSACTION; INSERT dbo.Done VALUES (1)")
    assert stopped(session, called) == [3617]
    is_open = setting == OFF
    assert session.trancount == (2 if is_open else 0)
    assert rows(session) == ([(1,)] if is_open else [])
    run(session, "IF @@TRANCOUNT > 0 ROLLBACK")
    assert rows(session) == []


@pytest.mark.parametrize("setting", [OFF, ON])
def test_it_may_be_set_before(session: Session, setting: str) -> None:
    run(session, setting, "BEGIN TRANSACTION; INSERT dbo.Done VALUES (1)")
    assert stopped(session, HERE) == [3617]
    assert session.trancount == (setting == OFF)


@pytest.mark.parametrize("kind", ["AFTER", "INSTEAD OF"])
def test_in_a_trigger_it_is_on(session: Session, kind: str) -> None:
    run(session, "CREATE TABLE dbo.T (n int)", f"CREATE TRIGGER dbo.Told ON dbo.T {kind} INSERT AS {HERE}")
    run(session, "BEGIN TRANSACTION; INSERT dbo.Done VALUES (1)")
    assert stopped(session, "INSERT dbo.T VALUES (1)") == [3617]
    assert (session.trancount, rows(session)) == (0, [])


@pytest.mark.parametrize("setting", [OFF, ON])
def test_a_wait(session: Session, instance: Instance, setting: str) -> None:
    run(session, "CREATE QUEUE dbo.Quiet", "BEGIN TRANSACTION; INSERT dbo.Done VALUES (1)")
    assert stopped(session, f"{setting}PRINT 'here'; WAITFOR (RECEIVE * FROM dbo.Quiet)") == [3617]
    assert session.trancount == (setting == OFF)
