"""A small program of every kind of commit, with each call of the store failing in turn, in each way.

What was acknowledged is there afterwards, here and when the store is opened again; what failed is not there, is not
delivered later, and leaves no transaction open; after 9001, which says that nobody knows, either may be. Each step
writes down its own number, so that the contents say which steps were committed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from faulty_port import FAULTS, FaultyPort

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError

SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop",
    (
        "CREATE QUEUE sender_queue; CREATE QUEUE reader_queue; CREATE SERVICE sender ON QUEUE sender_queue; "
        "CREATE SERVICE reader ON QUEUE reader_queue ([DEFAULT]); CREATE TABLE done (n int PRIMARY KEY, p varchar(max)); "
        "CREATE TABLE got (n int PRIMARY KEY); CREATE TABLE dialog (handle uniqueidentifier)"
    ),
    (
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE sender TO SERVICE 'reader' WITH ENCRYPTION = OFF; "
        "INSERT dialog VALUES (@h)"
    ),
)
_SEND = (
    "DECLARE @h uniqueidentifier = (SELECT handle FROM dialog); SEND ON CONVERSATION @h (CAST('{n}' AS varchar(10)));"
)
_RECEIVE = (
    "DECLARE @b varchar(10); BEGIN TRAN; RECEIVE TOP (1) @b = CAST(message_body AS varchar(10)) FROM reader_queue; "
    "IF @b IS NOT NULL INSERT got VALUES (CAST(@b AS int)); COMMIT; SELECT CAST(@b AS int) WHERE @b IS NOT NULL"
)

STEPS = {
    1: ("sent", _SEND),
    2: ("sent", _SEND + "PRINT 'shown'"),
    3: ("both", "BEGIN TRAN; INSERT done (n) VALUES ({n});" + _SEND + "COMMIT"),
    4: ("done", "INSERT done (n) VALUES ({n})"),
    5: ("done", "BEGIN TRAN; INSERT done (n) VALUES ({n}), (-{n}); UPDATE done SET p = 'x' WHERE n = {n}; COMMIT"),
    6: ("made", "CREATE TABLE made{n} (i int)"),
    7: ("received", _RECEIVE),
    8: ("made", "BEGIN TRAN; CREATE TABLE made{n} (i int); INSERT done (n) VALUES ({n});" + _SEND + "COMMIT"),
    9: ("read", "SELECT COUNT(*) FROM reader_queue; SELECT COUNT(*) FROM done"),
    10: ("sent", "BEGIN TRY " + _SEND + "PRINT 'shown' END TRY BEGIN CATCH SELECT -1, @@TRANCOUNT, XACT_STATE() END CATCH"),
    11: ("backup", "BACKUP DATABASE Shop TO DISK = 'shop.bak' WITH INIT"),
    12: ("done", "INSERT done (n) VALUES ({n})"),
    13: ("sent", _SEND),
}  # fmt: skip
"""A number, what it leaves (see `Contents`), the text."""


@dataclass
class Contents:
    """What is in the store, by the numbers of the steps that left it."""

    sent: set[int] = field(default_factory=set)
    received: list[int] = field(default_factory=list)
    done: set[int] = field(default_factory=set)
    made: set[int] = field(default_factory=set)

    def has(self, kind: str, n: int) -> bool:
        there = {"sent": [n in self.sent], "done": [n in self.done], "both": [n in self.sent, n in self.done]}
        there["made"] = [n in self.made] if n == 6 else [n in self.made, n in self.done, n in self.sent]
        assert len(set(there[kind])) == 1, f"step {n} is there in part: {self}"
        return there[kind][0]


def run(session: Session, text: str) -> tuple[list[tuple[object, ...]], list[SqlError]]:
    outcomes = session.run(text)
    rows = [row for outcome in outcomes if isinstance(outcome, ResultSet) for row in outcome.rows]
    return rows, [outcome.error for outcome in outcomes if isinstance(outcome, ErrorOutcome)]


def ask(session: Session, text: str) -> list[tuple[object, ...]]:
    rows, errors = run(session, text)
    assert not errors, f"{text}: {errors[0]}"
    return rows


def contents(session: Session) -> Contents:
    session.use("Shop")
    waiting = [
        int(n)
        for (n,) in ask(
            session,
            "SELECT CAST(message_body AS varchar(10)) FROM reader_queue WHERE status = 1 ORDER BY queuing_order",
        )
    ]
    got = [n for (n,) in ask(session, "SELECT n FROM got ORDER BY n")]
    assert len(set(waiting)) == len(waiting), f"a message is there twice: {waiting}"
    assert waiting == sorted(waiting) and not set(waiting) & set(got), (waiting, got)
    names = [str(name) for (name,) in ask(session, "SELECT name FROM sys.tables WHERE name LIKE 'made%'")]
    done = {n for (n,) in ask(session, "SELECT n FROM done")}
    assert {-n for n in done if n < 0} <= done, "half of a transaction"
    return Contents(
        {*waiting, *got}, got, {n for n in done if n > 0}, {int(name.removeprefix("made")) for name in names}
    )


class Story:
    """One run of the steps. `facts`: what must be there (True) or must not be (False). `received`: the messages that
    were received, and with None among them one more may be, nobody knows."""

    def __init__(self, path: Path, port: FaultyPort) -> None:
        self.path, self.port = path, port
        self.facts: dict[int, bool] = {}
        self.received: set[object] = set()
        self.instance = self._open()

    def _open(self) -> Instance:
        self.port.heal()
        self.instance = Instance.open(str(self.path), clock="virtual", port=self.port)
        self.session = self.instance.connect()
        return self.instance

    def run(self, first: int, fault: str, length: int) -> None:
        for text in SETUP:
            ask(self.session, text)
        self.port.fail_at(first, fault, length)
        for n, (kind, text) in STEPS.items():
            self._step(n, kind, text.format(n=n))
            if n == 10:
                self._fold()
        self._close()
        self._check(self._open().connect())
        self.instance.close()

    def _step(self, n: int, kind: str, text: str) -> None:
        rows, errors = run(self.session, text)
        if any(error.number == 9001 for error in errors) or self.instance.store.failure is not None:
            self._reopen()
            if kind == "received":
                self.received.add(None)
        else:
            expected = {701, 823, 1105} | ({3201, 3202, 3203} if kind == "backup" else set())  # they name the device
            assert {error.number for error in errors} <= expected, [str(error) for error in errors]
            caught = next((row for row in rows if row[0] == -1), None)
            assert caught in (None, (-1, 0, 0)), "a commit that failed leaves no transaction"
            if kind in ("sent", "both", "done", "made"):
                self.facts[n] = not errors and caught is None
            elif kind == "received":
                self.received |= {row[0] for row in rows}
        fault, self.port._fault = self.port._fault, None  # these questions are the test's own
        if self.session.is_ended:  # 823 is of severity 24
            self.session.close()
            self.session = self.instance.connect()
            self.session.use("Shop")
        if not self.port._is_dead:
            assert ask(self.session, "SELECT @@TRANCOUNT, XACT_STATE()") == [(0, 0)]
            self._check(self.instance.connect())
        self.port._fault = fault

    def _fold(self) -> None:
        try:
            self.instance.store.fold_and_release()
        except SqlError as error:
            if error.number == 9001:
                self._reopen()

    def _close(self) -> None:
        try:
            self.instance.close()
        except SqlError as error:
            if error.number not in (701, 823, 1105, 9001):
                raise

    def _reopen(self) -> None:
        with pytest.raises(SqlError) as stopped:
            self.instance.connect()
        assert stopped.value.number == 9001
        self._close()
        self._open()
        self.session.use("Shop")

    def _check(self, session: Session) -> None:
        found = contents(session)
        for n, expected in self.facts.items():
            assert found.has(STEPS[n][0], n) == expected, (
                f"step {n} {'is gone' if expected else 'is there all the same'}: {found}"
            )
        known = self.received - {None}
        assert known == set(found.received) or None in self.received and known <= set(found.received), (known, found)
        session.close()


def test_the_steps_call_the_store_in_every_way(tmp_path: Path) -> None:
    port = FaultyPort()
    Story(tmp_path / "s.duckdb", port).run(10**9, "full", 1)
    assert {"open", "read", "write", "commit", "journal", "fold", "reload", "backup"} <= set(port.counts)


STRIDE = int(os.environ.get("FAULT_STRIDE", "11"))
"""Every test run tries each eleventh call, another one for each kind of fault; `make faults` all of them."""
MOST_CALLS = 300
"""More calls of one kind of fault than the steps make: a fault that never happens is a run without one."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("length", [1, 6], ids=["once", "for a while"])
@pytest.mark.parametrize("fault", FAULTS)
def test_each_call_may_fail(tmp_path: Path, fault: str, length: int) -> None:
    begin = 1 + (FAULTS.index(fault) + length) % STRIDE
    for first in range(begin, MOST_CALLS, STRIDE):
        port = FaultyPort()
        path = tmp_path / f"{first}.duckdb"
        try:
            Story(path, port).run(first, fault, length)
        except BaseException as error:
            error.add_note(f"the fault {fault!r} at call {first} (a {port.hit})")
            raise
        if port.hit is None:
            return
    raise AssertionError("the steps make more calls than that")
