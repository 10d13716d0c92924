"""A WAITFOR that looks into its queue: whatever becomes ready between any two of its looks is found, in this look or
the next, and never slept over. One run for each moment in which the statement has just let go of the broker's mutex."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SETUP = """CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]); CREATE TABLE h (h uniqueidentifier, g uniqueidentifier)
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (0x01)
DECLARE @t uniqueidentifier, @g uniqueidentifier; RECEIVE @t = conversation_handle, @g = conversation_group_id FROM q
INSERT h VALUES (@t, @g); INSERT h SELECT @h, NULL"""
TARGET = "DECLARE @h uniqueidentifier, @g uniqueidentifier; SELECT @h = h, @g = g FROM h WHERE g IS NOT NULL; "
SEND = "DECLARE @h uniqueidentifier = (SELECT h FROM h WHERE g IS NULL); SEND ON CONVERSATION @h (0x02)"
END = "DECLARE @h uniqueidentifier = (SELECT h FROM h WHERE g IS NULL); END CONVERSATION @h"
STATEMENTS = {
    "any": "RECEIVE TOP (1) message_type_name FROM q",
    "of a conversation": "RECEIVE message_type_name FROM q WHERE conversation_handle = @h",
    "of a group": "RECEIVE message_type_name FROM q WHERE conversation_group_id = @g",
    "a group": "GET CONVERSATION GROUP @g FROM q",
}


class Meanwhile:
    """`lock`: `happens` is called when the thread `mine` has let go of it for the `at`th time."""

    def __init__(self, lock: Any, at: int, happens: Callable[[], object]) -> None:
        self._lock, self._left, self._happens = lock, at, happens
        self.mine: int | None = None
        self._depth = 0
        self.acquire, self.release = lock.acquire, lock.release

    @property
    def has_happened(self) -> bool:
        return self._left <= 0

    def ends(self) -> None:
        """It happens no more."""
        self._left = 0

    def __enter__(self) -> bool:
        self._lock.acquire()
        self._depth += 1
        return True

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        is_over = not self._depth and threading.get_ident() == self.mine
        self._lock.release()
        if is_over:
            self._left -= 1
            if not self._left:
                self._happens()


@contextlib.contextmanager
def sessions() -> Iterator[tuple[Instance, Session, Session]]:
    with contextlib.closing(Instance.open()) as instance:
        told(instance.connect(), "CREATE DATABASE shop")
        first, second = instance.connect("shop"), instance.connect("shop")
        assert not told(first, SETUP)
        yield instance, first, second


def held_back(session: Session) -> None:
    """A message that is there, received in a transaction that is open."""
    assert not told(session, SEND)
    assert told(session, "BEGIN TRANSACTION; RECEIVE message_type_name FROM q") == [("DEFAULT",)]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize(
    ("before", "happens"),
    [(None, SEND), (None, END), (held_back, "ROLLBACK")],
    ids=["a message is sent", "the dialog is ended", "a message is given back"],
)
def test_what_becomes_ready_between_two_looks_is_found(
    statement: str, before: Callable[[Session], None] | None, happens: str
) -> None:
    places, reached = 0, True
    while reached:
        places += 1
        with sessions() as (instance, reader, other):
            if before is not None:
                before(other)
            said: list[object] = []

            def happen(other: Session = other, said: list[object] = said) -> None:
                thread = threading.Thread(target=lambda: said.extend(told(other, happens)))
                thread.start()
                thread.join()

            meanwhile = instance.broker.mutex = Meanwhile(instance.broker.mutex, places, happen)
            found: list[object] = []

            def wait(reader: Session = reader, found: list[object] = found, meanwhile: Meanwhile = meanwhile) -> None:
                meanwhile.mine = threading.get_ident()
                found.extend(told(reader, f"{TARGET} WAITFOR ({STATEMENTS[statement]}); SELECT 'over'"))

            waiting = threading.Thread(target=wait)
            waiting.start()
            while waiting.is_alive() and reader.waiting_for is None:
                waiting.join(0.001)
            reached = meanwhile.has_happened
            if not reached:  # it waits now
                meanwhile.ends()
                happen()
            waiting.join(20)
            assert not waiting.is_alive(), f"slept over it at place {places}"
            assert found[-1] == ("over",) and not said
    assert places > 1
