"""Values with a seventh fractional digit: they compare, hash, print and move as Python's own, and with their digit."""

from __future__ import annotations

import copy
import datetime as dt
import pickle
from typing import Any

import pytest

from sbql.grammar.values.ticks import (
    TickDatetime,
    TickTime,
    add_ticks,
    datetime_from_ticks,
    datetime_ticks,
    tick_of,
    time_from_ticks,
    time_ticks,
    with_tick,
)

PLAIN = dt.datetime(2020, 2, 29, 3, 4, 5, 123456)
FINE = with_tick(PLAIN, 7)
EAST = dt.timezone(dt.timedelta(hours=2))
VALUES = [FINE, FINE.time(), FINE.replace(tzinfo=EAST)]


def test_a_value_without_a_digit_stays_plain() -> None:
    assert type(with_tick(PLAIN, 0)) is dt.datetime
    assert type(FINE) is TickDatetime and type(FINE.time()) is TickTime
    assert (tick_of(FINE), tick_of(FINE.time()), tick_of(PLAIN)) == (7, 7, 0)
    assert (FINE.microsecond, FINE.nanosecond) == (123456, 700)  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", VALUES)
def test_the_digit_counts_in_comparisons(value: Any) -> None:
    plain, next_tick, microsecond = value.plain(), with_tick(value.plain(), 8), value.replace(microsecond=123457)
    assert plain != value and value != plain and (plain == value) is (value == plain) is False
    assert plain < value < next_tick < microsecond and plain <= value <= next_tick <= microsecond
    assert microsecond > next_tick > value > plain and microsecond >= next_tick >= value >= plain
    assert sorted([microsecond, value, plain, next_tick]) == [plain, value, next_tick, microsecond]
    assert {value: 1}[with_tick(value.plain(), 7)] == 1
    assert len({plain, value, next_tick, with_tick(plain, 7)}) == 3
    assert value != "text" and (value == "text") is False
    with pytest.raises(TypeError):
        assert value < 1


def test_instants_are_equal_at_any_offset() -> None:
    here, there = FINE.replace(tzinfo=EAST), FINE.replace(tzinfo=EAST).astimezone(dt.UTC)
    assert here == there and hash(here) == hash(there)
    assert str(there) == "2020-02-29 01:04:05.1234567+00:00"


def test_it_prints_all_digits() -> None:
    assert str(FINE) == "2020-02-29 03:04:05.1234567"
    assert FINE.isoformat() == "2020-02-29T03:04:05.1234567"
    assert FINE.isoformat(timespec="milliseconds") == "2020-02-29T03:04:05.123"
    assert str(FINE.time()) == FINE.time().isoformat() == "03:04:05.1234567"
    assert repr(FINE) == "TickDatetime(2020, 2, 29, 3, 4, 5, 123456, tick=7)"
    assert str(with_tick(dt.datetime(1, 1, 1), 1)) == "0001-01-01 00:00:00.0000001"


def test_the_digit_goes_along() -> None:
    assert str(FINE + dt.timedelta(days=1)) == str(dt.timedelta(days=1) + FINE) == "2020-03-01 03:04:05.1234567"
    assert str(FINE - dt.timedelta(microseconds=1)) == "2020-02-29 03:04:05.1234557"
    assert FINE - PLAIN == PLAIN - FINE == dt.timedelta(0)
    assert str(FINE.replace(year=2024)) == "2024-02-29 03:04:05.1234567"
    assert FINE.replace(microsecond=5) == PLAIN.replace(microsecond=5)
    assert str(FINE.time().replace(hour=1)) == "01:04:05.1234567"
    assert FINE.date() == PLAIN.date()


@pytest.mark.parametrize("value", VALUES)
def test_copies_are_equal(value: Any) -> None:
    for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert twin == value and repr(twin) == repr(value)


@pytest.mark.parametrize(
    ("value", "ticks"),
    [
        (dt.datetime(1, 1, 1), 0), (with_tick(dt.datetime(1, 1, 1), 1), 1), (dt.datetime(1970, 1, 1), 621355968000000000),
        (with_tick(dt.datetime.max, 9), 3155378975999999999),
    ],
)  # fmt: skip
def test_moments_are_counted(value: dt.datetime, ticks: int) -> None:
    assert datetime_ticks(value) == ticks
    assert datetime_from_ticks(ticks) == value


def test_times_are_counted() -> None:
    assert time_ticks(with_tick(dt.time.max, 9)) == 863_999_999_999
    assert time_from_ticks(863_999_999_999) == with_tick(dt.time.max, 9)
    with pytest.raises(ValueError, match="hour"):
        time_from_ticks(864_000_000_000)
    with pytest.raises(OverflowError):
        datetime_from_ticks(3155378976000000000)


def test_ticks_are_added() -> None:
    assert add_ticks(FINE, 3) == dt.datetime(2020, 2, 29, 3, 4, 5, 123457)
    assert type(add_ticks(FINE, 3)) is dt.datetime
    assert str(add_ticks(FINE, -8)) == "2020-02-29 03:04:05.1234559"
    assert str(add_ticks(dt.datetime(2020, 1, 1), -1)) == "2019-12-31 23:59:59.9999999"
    with pytest.raises(OverflowError):
        add_ticks(with_tick(dt.datetime.max, 9), 1)
