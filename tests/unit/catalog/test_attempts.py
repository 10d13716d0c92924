"""A mutex that is taken if it is free is nobody's behind a signal, wherever that comes."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType

import pytest

from sbql.catalog.interrupts import Heeding, attempt
from sbql.grammar.build import is_compiled


def test_it_says_whose_the_mutex_is() -> None:
    mutex = threading.Lock()
    with attempt(mutex) as is_mine:
        assert is_mine and mutex.locked()
        with attempt(mutex) as is_mine_too:
            assert not is_mine_too
        assert mutex.locked()
    assert not mutex.locked()
    with pytest.raises(ZeroDivisionError), attempt(mutex):
        _ = 1 / 0
    assert not mutex.locked()


@pytest.mark.skipif(is_compiled(), reason="compiled code has no places to profile")
def test_a_signal_leaves_it_to_nobody() -> None:
    mutex = threading.Lock()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    came = 0
    try:
        for place in range(1, 40):
            calls = 0

            def press(frame: FrameType, event: str, argument: object, place: int = place) -> None:
                nonlocal calls
                calls += event == "c_return"  # where Python looks for signals
                if calls == place and event == "c_return":
                    signal.raise_signal(signal.SIGINT)

            try:
                with Heeding():  # as in a batch
                    sys.setprofile(press)
                    with attempt(mutex) as is_mine:
                        str(is_mine)
                    sys.setprofile(None)
            except KeyboardInterrupt:
                came += 1
            finally:
                sys.setprofile(None)
            assert not mutex.locked(), place
    finally:
        signal.signal(signal.SIGINT, before)
    assert came > 3
