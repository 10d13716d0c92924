"""An exception that another thread sets into the one that runs a batch comes out of the batch as it is, and leaves the
session as Ctrl+C does: the statement is undone, the transaction is what it was, and the next batch runs."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable

import pytest

import sbql

ROWS = 20


class Limit(Exception):
    """A program's own time limit."""


class Gone(BaseException):
    """One that no `except Exception` catches."""


BUSY = {
    "a loop": "WHILE 1 = 1 SET @n += 1",
    "a loop of writes": "WHILE 1 = 1 UPDATE t SET v += 1",
    "a loop of messages": "WHILE 1 = 1 BEGIN SEND ON CONVERSATION @h ('x'); DELETE noted END",
    "in TRY": "BEGIN TRY WHILE 1 = 1 UPDATE t SET v += 1 END TRY BEGIN CATCH INSERT noted VALUES (1) END CATCH",
    "in a procedure": "EXEC Work",
    "in dynamic text": "EXEC ('DECLARE @m int = 0; WHILE 1 = 1 SET @m += 1')",
    "a function of each row": "WHILE 1 = 1 UPDATE t SET v = dbo.Slow(v)",
}
ALONE = ("a loop", "in dynamic text")
"""They commit nothing."""
SETUP = f"""CREATE TABLE t (id int PRIMARY KEY, v int); INSERT t SELECT value, 0 FROM GENERATE_SERIES(1, {ROWS}); CREATE TABLE noted (n int)
CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])"""
WORK = "CREATE PROCEDURE Work AS BEGIN DECLARE @m int = 0; WHILE 1 = 1 BEGIN SET @m += 1; UPDATE t SET v += 1 END END"
SLOW = (
    "CREATE FUNCTION Slow(@v int) RETURNS int AS BEGIN DECLARE @i int = 0; WHILE @i < 50 SET @i += 1; RETURN @v + 1 END"
)
BEGIN = """DECLARE @n int = 0, @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF
INSERT noted VALUES (7); """


def set_into(thread: int, kind: type[BaseException]) -> None:
    assert ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind)) == 1


def met(run: Callable[[], object], kind: type[BaseException], after: float) -> BaseException | None:
    """What comes out of `run`, in a thread of its own, into which `kind` is set after a while, and again, for Python
    lets it fall in callbacks of weak references, and DuckDB where it imports something."""
    found: list[BaseException] = []

    def body() -> None:
        try:
            run()
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    time.sleep(after)
    assert thread.ident is not None
    for _ in range(20):
        if thread.is_alive():
            set_into(thread.ident, kind)
            thread.join(2)
    assert not thread.is_alive()
    return found[0] if found else None


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", [Limit, TimeoutError, Exception, Gone, KeyboardInterrupt])
@pytest.mark.parametrize("busy", BUSY)
def test_it_passes_through(busy: str, kind: type[BaseException]) -> None:
    with sbql.connect() as connection:
        for text in ("CREATE DATABASE shop", "USE shop", SETUP, WORK, SLOW, "UPDATE t SET v = dbo.Slow(0) - 1"):
            connection.execute(text)
        for turn, is_open in enumerate((False, True)):
            if not is_open and busy not in ALONE:
                continue  # between two lines of a commit nobody can hold it back
            text = ("BEGIN TRANSACTION; " if is_open else "") + BEGIN + BUSY[busy]
            error = met(lambda text=text: connection.execute(text), kind, 0.05 + turn * 0.037)
            assert type(error) is kind
            assert connection.execute("SELECT @@TRANCOUNT").fetchone() == (int(is_open),)
            assert connection.execute("SELECT COUNT(*), COUNT(DISTINCT v) FROM t").fetchone() == (ROWS, 1)
            if is_open:
                connection.execute("ROLLBACK")
            connection.execute("UPDATE t SET v = 0; DELETE noted; SELECT COUNT(*) FROM q")
        assert not any(" at " in record.text and ".py:" in record.text for record in connection.instance.error_log)
