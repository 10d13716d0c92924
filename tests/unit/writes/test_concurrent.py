"""Real threads on one instance: no update is lost, no key comes twice, and a deadlock ends."""

from __future__ import annotations

import threading

import pytest

from sbql.engine.instance import Instance
from sbql.engine.modification import search
from sbql.engine.outcomes import ErrorOutcome, ResultSet

ROUNDS = 40
THREADS = 3


def run(session, text):
    """The rows of the last result set, and the numbers of all errors."""
    rows, errors = [], []
    for outcome in session.run(text):
        if isinstance(outcome, ResultSet):
            rows = outcome.rows
        elif isinstance(outcome, ErrorOutcome):
            errors.append(outcome.error.number)
    return rows, errors


@pytest.fixture
def instance():
    opened = Instance.open()
    yield opened
    opened.close()


def in_threads(instance, work):
    """Run `work(session, number)` in several threads, each with its own session; any exception is raised here."""
    failures = []

    def body(number):
        session = instance.connect()
        try:
            work(session, number)
        except BaseException as error:
            failures.append(error)
        finally:
            session.close()

    threads = [threading.Thread(target=body, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if failures:
        raise failures[0]


def test_no_update_is_lost(instance):
    run(instance.connect(), "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT t VALUES (1, 0)")

    def add(session, number):
        for i in range(ROUNDS):
            begin, commit = ("BEGIN TRAN;", "COMMIT") if i % 2 else ("", "")
            _, errors = run(session, f"{begin} UPDATE t SET n = n + 1 WHERE id = 1; {commit}")
            assert errors == []

    in_threads(instance, add)
    assert run(instance.connect(), "SELECT n FROM t")[0] == [(ROUNDS * THREADS,)]


def test_a_key_is_taken_once(instance):
    run(instance.connect(), "CREATE TABLE t (k int PRIMARY KEY, who int)")
    won = [0] * THREADS

    def insert(session, number):
        for i in range(ROUNDS):
            _, errors = run(session, f"INSERT t VALUES ({i}, {number})")
            assert errors in ([], [2627])
            won[number] += not errors

    in_threads(instance, insert)
    assert sum(won) == ROUNDS
    assert run(instance.connect(), "SELECT COUNT(*), COUNT(DISTINCT k) FROM t")[0] == [(ROUNDS, ROUNDS)]


def test_identities_are_all_different(instance):
    run(instance.connect(), "CREATE TABLE t (id int IDENTITY PRIMARY KEY, who int)")

    def insert(session, number):
        for _ in range(ROUNDS):
            assert run(session, f"INSERT t (who) VALUES ({number}), ({number})")[1] == []

    in_threads(instance, insert)
    total = 2 * ROUNDS * THREADS
    assert run(instance.connect(), "SELECT COUNT(*), COUNT(DISTINCT id), MAX(id) FROM t")[0] == [(total, total, total)]


def test_deadlocks_end(instance):
    run(instance.connect(), "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT t VALUES (1, 0), (2, 0)")
    done = [0] * THREADS

    def cross(session, number):
        first, second = (1, 2) if number % 2 else (2, 1)
        for _ in range(ROUNDS // 4):
            _, errors = run(
                session,
                f"BEGIN TRAN; UPDATE t SET n = n + 1 WHERE id = {first}; UPDATE t SET n = n + 1 WHERE id = {second}; COMMIT",
            )
            assert errors in ([], [1205])
            done[number] += not errors

    in_threads(instance, cross)
    assert run(instance.connect(), "SELECT MIN(n), MAX(n) FROM t")[0] == [(sum(done), sum(done))]


def test_a_row_that_is_remembered_is_not_written_over_by_who_read_it_while_a_commit_was_told(monkeypatch):
    """The stamps of the first commit have moved and what is remembered has not heard of it, when the second reads the
    row, for which what the first has written is nothing to wait for. It locks the row when the first has ended."""
    instance = Instance.open()
    one, other = instance.connect(), instance.connect()
    one.run("CREATE TABLE t (a int NOT NULL PRIMARY KEY, c int); INSERT INTO t VALUES (1, 10)")
    one.run("DECLARE @k int = 1; SELECT c FROM t WHERE a = @k; SELECT c FROM t WHERE a = @k")
    rows, lock_all = instance.store.feed.rows, search.lock_all
    note = rows.note
    has_read, threads = threading.Event(), {}

    def note_late(changes):
        monkeypatch.setattr(rows, "note", note)
        threads["other"] = threading.Thread(
            target=other.run, args=("DECLARE @k int = 1; UPDATE t SET c = 20 WHERE a = @k AND c = 10",)
        )
        threads["other"].start()
        assert has_read.wait(20)
        note(changes)

    def lock_late(*given, **how):
        if threading.current_thread() is threads.get("other") and not has_read.is_set():
            has_read.set()
            threads["one"].join(20)
        return (yield from lock_all(*given, **how))

    monkeypatch.setattr(rows, "note", note_late)
    monkeypatch.setattr(search, "lock_all", lock_late)
    threads["one"] = threading.Thread(target=one.run, args=("UPDATE t SET c = 11 WHERE a = 1",))
    threads["one"].start()
    threads["one"].join(20)
    threads["other"].join(20)
    assert [tuple(row) for row in one.run("SELECT c FROM t")[0].rows] == [(11,)]
    instance.close()
