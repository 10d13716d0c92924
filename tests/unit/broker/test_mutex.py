"""Waiting for the broker's mutex: nobody sleeps in it but after bad luck, and no interrupt leaves it taken."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType
from typing import Any

import pytest

from sbql.engine.broker.mutex import Mutex, approach, new_mutex
from sbql.engine.broker.state import BrokerState
from sbql.grammar.build import is_compiled


class Taken:
    """A mutex that others have for so many tries."""

    def __init__(self, tries: int) -> None:
        self.tries = tries
        self.calls: list[str] = []

    def acquire(self, blocking: bool = True) -> bool:
        assert not blocking, "nobody sleeps in it"
        self.calls.append("try")
        self.tries -= 1
        return self.tries < 0

    def release(self) -> None:
        self.calls.append("release")

    def __enter__(self) -> bool:
        raise AssertionError("that is for the caller")

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize("tries", [0, 1, 2, 5, 20, 21, 40])
def test_who_finds_it_taken_tries_again_and_not_for_ever(tries: int) -> None:
    mutex = Taken(tries)
    assert approach(mutex) is mutex
    assert mutex.calls == (["try"] * (tries + 1) + ["release"] if tries <= 20 else ["try"] * 21)


def is_free_for_another(mutex: Mutex) -> bool:
    found: list[bool] = []

    def look() -> None:
        found.append(mutex.acquire(False))
        if found[0]:
            mutex.release()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return found[0]


def test_whoever_has_it_has_it_once_more() -> None:
    state = BrokerState()
    with state.mutex:
        with state.mutex:
            assert not is_free_for_another(state._mutex)
        assert not is_free_for_another(state._mutex)
    assert is_free_for_another(state._mutex)


@pytest.mark.skipif(is_compiled(), reason="compiled functions tell no profiler of their calls")
@pytest.mark.parametrize("whose", ["nobody's", "mine", "another's"])
def test_an_interrupt_leaves_it_as_it_was(whose: str) -> None:
    """A SIGINT behind each call in turn."""
    came = 0
    for place in range(1, 30):
        mutex, done = new_mutex(), threading.Event()
        if whose == "another's":
            holder = threading.Thread(target=hold, args=(mutex, taken := threading.Event(), done))
            holder.start()
            taken.wait()
        elif whose == "mine":
            mutex.acquire()
        came += is_interrupted(mutex, place)
        assert is_free_for_another(mutex) is (whose == "nobody's")
        if whose == "another's":
            done.set()
            holder.join()
        elif whose == "mine":
            mutex.release()
        assert is_free_for_another(mutex)
    assert came > 3


def hold(mutex: Mutex, taken: threading.Event, done: threading.Event) -> None:
    with mutex:
        taken.set()
        done.wait()


def is_interrupted(mutex: Mutex, place: int) -> bool:
    calls = 0

    def interrupt(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        if event in ("return", "c_return"):
            calls += 1
            if calls == place:
                signal.raise_signal(signal.SIGINT)

    try:
        sys.setprofile(interrupt)
        approach(mutex)
        sys.setprofile(None)
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False
