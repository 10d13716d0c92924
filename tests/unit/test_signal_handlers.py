"""What the handler of a signal raises comes out of the batch as it is, of whatever class and wherever it comes: it is
no error of T-SQL, which CATCH could take, and no bug. The transaction stays open, as it does behind Ctrl+C.

A signal behind each call that Python makes in a batch, and one in the middle of what takes long.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest

import sbql
from sbql.catalog import interrupts
from sbql.grammar.build import is_compiled

pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="Windows has no such signals"),
]
"""Where a signal comes while the collector runs, Python reports what is raised, and goes on. It comes out later."""


class SoftLimit(Exception):
    """What a task queue raises for a time limit."""


class Stop(BaseException):
    """No Exception at all."""


CLASSES: list[type[BaseException]] = [
    SoftLimit, TimeoutError, ValueError, KeyError, AttributeError, RuntimeError, RecursionError, MemoryError, OverflowError, sbql.DataError, Stop,
    KeyboardInterrupt, SystemExit,
]  # fmt: skip
LONG = {
    "a loop": "DECLARE @i int = 0; WHILE @i < 30000000 SET @i += 1",
    "rows": "DECLARE @i int = 0; WHILE @i < 3000000 BEGIN INSERT t VALUES (@i); SET @i += 1 END",
    "in TRY": "DECLARE @i int = 0; WHILE @i < 3000000 BEGIN BEGIN TRY SET @i += CAST('1' AS int) END TRY BEGIN CATCH PRINT 'caught' END CATCH END",
    "a wait": "WAITFOR DELAY '0:05'",
    "a query": "INSERT t SELECT a.value FROM GENERATE_SERIES(1, 300000) a CROSS JOIN GENERATE_SERIES(1, 300000) b WHERE a.value * b.value % 7 = 3",
    "a query in TRY": """BEGIN TRY INSERT t SELECT a.value FROM GENERATE_SERIES(1, 300000) a CROSS JOIN GENERATE_SERIES(1, 300000) b
        WHERE a.value * b.value % 7 = 3 END TRY BEGIN CATCH PRINT 'caught' END CATCH""",
    "a function of Python's": "SELECT COUNT(*) FROM GENERATE_SERIES(1, 3000000) a WHERE TRY_CAST(CAST(value AS varchar(20)) AS money) = 0.5 OR FORMAT(value, 'N1') = 'x'",
    "such a one in TRY": """BEGIN TRY DECLARE @n int = (SELECT COUNT(*) FROM GENERATE_SERIES(1, 3000000) WHERE FORMAT(value, 'N1') = 'x') END TRY
        BEGIN CATCH PRINT 'caught' END CATCH""",
}  # fmt: skip
SHORT = """BEGIN TRY INSERT t VALUES (CAST('7' AS int)); SELECT @n = COUNT(*) FROM t WHERE SOUNDEX(CAST(n AS varchar(9))) <> 'x' END TRY
BEGIN CATCH PRINT ERROR_MESSAGE() END CATCH; EXEC ('UPDATE t SET n = n + 1'); PRINT CONVERT(varchar(30), GETDATE(), 126)"""


@pytest.fixture(scope="module", params=["system", "virtual"])
def connection(request: pytest.FixtureRequest) -> Iterator[sbql.Connection]:
    with sbql.connect(clock=request.param) as found:
        found.execute("CREATE TABLE t (n int)")
        yield found


@pytest.fixture
def raising() -> Iterator[Callable[[int, type[BaseException]], None]]:
    """Has the handler of a signal raise."""
    before: dict[int, Any] = {}

    def handle(number: int, kind: type[BaseException]) -> None:
        def handler(_: int, frame: FrameType | None) -> None:
            assert frame is not None, "some look at it"
            raise kind("the program's")

        before.setdefault(number, signal.signal(number, handler))

    yield handle
    for number, handler in before.items():
        signal.signal(number, handler)


def goes_on(connection: sbql.Connection) -> None:
    """The transaction is open, and the connection of use."""
    connection.execute("INSERT t VALUES (5)")
    assert connection.execute("SELECT @@TRANCOUNT, MAX(n) FROM t WHERE n = 5").fetchall() == [(1, 5)]
    connection.execute("ROLLBACK")
    assert interrupts._kept is None and not interrupts._come and not interrupts._depth


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: str(kind.__name__))
@pytest.mark.parametrize("text", LONG)
def test_in_the_middle(
    connection: sbql.Connection,
    raising: Callable[[int, type[BaseException]], None],
    text: str,
    kind: type[BaseException],
) -> None:
    if text == "a wait" and connection.instance.loop is not None:
        pytest.skip("a virtual clock does not wait")
    raising(signal.SIGALRM, kind)
    handler = signal.getsignal(signal.SIGALRM)
    connection.execute("BEGIN TRANSACTION")
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    with pytest.raises(kind, match="the program's"):
        connection.execute(LONG[text])
    assert signal.getsignal(signal.SIGALRM) is handler
    goes_on(connection)


@pytest.fixture
def activating() -> Iterator[sbql.Connection]:
    """A queue whose procedure does what stands in the message."""
    with sbql.connect(clock="virtual") as found:
        found.execute("CREATE DATABASE Later")
        found.execute(ACTIVATED)
        yield found


ACTIVATED = """USE Later; CREATE TABLE t (n int); CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]);
EXEC ('CREATE PROCEDURE work AS DECLARE @text nvarchar(max); RECEIVE TOP (1) @text = CAST(message_body AS nvarchar(max)) FROM q; EXEC (@text)');
ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = work, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"""
MOVES: dict[str, Callable[[sbql.Connection], object]] = {
    "settle": lambda connection: connection.settle(),
    "advance": lambda connection: connection.advance(60),
    "wait_idle": lambda connection: connection.wait_idle(),
    "another batch": lambda connection: connection.execute("WAITFOR DELAY '0:01'"),
}


@pytest.mark.parametrize(
    "kind", [SoftLimit, RuntimeError, Stop, KeyboardInterrupt], ids=lambda kind: str(kind.__name__)
)
@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("text", [text for text in LONG if text != "a wait"])
def test_in_the_middle_of_an_activated_procedure(
    activating: sbql.Connection,
    raising: Callable[[int, type[BaseException]], None],
    text: str,
    move: str,
    kind: type[BaseException],
) -> None:
    """It comes out of what lets a virtual clock's tasks run."""
    raising(signal.SIGALRM, kind)
    handler = signal.getsignal(signal.SIGALRM)
    begin = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (@text)"
    activating.execute(begin, {"text": LONG[text]})
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(kind, match="the program's"):
            MOVES[move](activating)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert interrupts._kept is None and not interrupts._come and not interrupts._depth
    activating.execute("ALTER QUEUE q WITH STATUS = OFF")


@pytest.mark.skipif(is_compiled(), reason="machine code has few calls to stop at")
@pytest.mark.parametrize("name", ["SIGUSR1", "SIGTERM", "SIGINT"])
def test_behind_each_call(
    connection: sbql.Connection, raising: Callable[[int, type[BaseException]], None], name: str
) -> None:
    """One in seven, with classes in turn."""
    number = int(getattr(signal, name))
    place, were = 1, 0
    reached = True
    while reached:
        kind = CLASSES[place // 7 % len(CLASSES)]
        handled = signal.getsignal(number)
        raising(number, kind)
        connection.execute("BEGIN TRANSACTION; PRINT @n", {"n": 0})
        calls = 0

        def behind(frame: FrameType, event: str, argument: Any, place: int = place) -> None:
            nonlocal calls
            if event in ("return", "c_return") and connection.session.is_running:
                calls += 1
                if calls == place:
                    signal.raise_signal(number)

        try:
            sys.setprofile(behind)
            connection.run(SHORT, {"n": 0})
        except kind as error:
            were += "the program's" in str(error)
        finally:
            sys.setprofile(None)
            reached = calls >= place
            signal.signal(number, handled)
        connection.execute("IF @@TRANCOUNT = 0 BEGIN TRANSACTION")
        goes_on(connection)
        place += 7
    assert were > 20


def test_what_a_callback_has_caught_itself_is_over(
    connection: sbql.Connection, raising: Callable[[int, type[BaseException]], None]
) -> None:
    raising(signal.SIGALRM, SoftLimit)
    caught: list[BaseException] = []

    def take(_: object) -> None:
        try:
            signal.raise_signal(signal.SIGALRM)
        except SoftLimit as error:
            caught.append(error)

    connection.run("PRINT 'a'; BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH PRINT 'b' END CATCH", sink=take)
    assert len(caught) >= 2


def test_a_handler_that_a_callback_has_set(
    connection: sbql.Connection, raising: Callable[[int, type[BaseException]], None]
) -> None:
    """A batch within a batch, with a time limit of its own: afterwards the outer one counts again."""
    raising(signal.SIGALRM, SoftLimit)

    def take(_: object) -> None:
        def inner(*_: object) -> None:
            raise Stop

        outer = signal.signal(signal.SIGALRM, inner)
        try:
            with sbql.connect() as second, pytest.raises(Stop):
                second.run("PRINT 'b'", sink=lambda _: signal.raise_signal(signal.SIGALRM))
        finally:
            signal.signal(signal.SIGALRM, outer)
        with pytest.raises(SoftLimit):
            signal.raise_signal(signal.SIGALRM)

    connection.run("PRINT 'a'", sink=take)
    with pytest.raises(SoftLimit):
        signal.raise_signal(signal.SIGALRM)


def test_several_signals_that_were_held_back_come_all(
    raising: Callable[[int, type[BaseException]], None],
) -> None:
    raising(signal.SIGALRM, SoftLimit)
    raising(signal.SIGUSR1, Stop)
    heeded: interrupts.Taken = []
    interrupts.heed(heeded)
    try:
        with pytest.raises(SoftLimit):  # noqa: PT012, SIM117
            with interrupts.held:
                signal.raise_signal(signal.SIGALRM)
                signal.raise_signal(signal.SIGALRM)
                signal.raise_signal(signal.SIGUSR1)
        with pytest.raises(Stop), interrupts.held:
            pass
        with interrupts.held:
            pass
    finally:
        interrupts.stop_heeding(heeded)
