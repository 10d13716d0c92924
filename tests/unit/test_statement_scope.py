"""What a failed statement undoes: itself, whatever kind of transaction it is in."""

from __future__ import annotations

from contextlib import suppress

import pytest

from sbql.catalog.changes import InsertRows, storage_name
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError, sql_error


@pytest.fixture
def session() -> Session:
    opened = Instance.open(clock="virtual").connect()
    opened.run("CREATE DATABASE Shop")
    opened.run("USE Shop")
    opened.run("CREATE TABLE T (a int)")
    return opened


def fail_after_a_row(session: Session) -> None:
    with suppress(SqlError), session.statement() as transaction:
        transaction.unit.apply(InsertRows(storage_name("Shop.dbo", "T"), ("$rid", "a"), [(1, 1)]))
        raise sql_error(8134)


def count(session: Session) -> int:
    (result,) = (o for o in session.run("SELECT COUNT(*) FROM T") if isinstance(o, ResultSet))
    found: int = result.rows[0][0]
    return found


@pytest.mark.parametrize("before", ["", "BEGIN TRAN", "SET IMPLICIT_TRANSACTIONS ON"])
def test_a_failed_statement_leaves_nothing(session: Session, before: str) -> None:
    session.run(before)
    fail_after_a_row(session)
    assert session.trancount == (1 if before else 0)
    session.run("IF @@TRANCOUNT > 0 COMMIT")
    assert count(session) == 0


def test_a_statement_that_began_another_transaction_leaves_it_alone(session: Session) -> None:
    session.run("BEGIN TRAN; INSERT T VALUES (1), (2)")
    with suppress(SqlError), session.statement():
        session.run("ROLLBACK; BEGIN TRAN; INSERT T VALUES (3); INSERT T VALUES (4)")
        raise sql_error(8134)
    session.run("COMMIT")
    assert count(session) == 2
