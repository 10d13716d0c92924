"""Every slip of a Python program at the door of the driver is an error of PEP 249 that names it, before
anything runs; the connection goes on."""

from __future__ import annotations

import datetime as dt
import enum
import fractions
import threading
import uuid
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql.exceptions import DataError, InterfaceError, ProgrammingError


@pytest.fixture(scope="module")
def shared() -> Iterator[sbql.Connection]:
    with sbql.connect(clock="virtual") as connection:
        connection.execute("CREATE TABLE t (a int, b nvarchar(20))")
        connection.execute("CREATE PROCEDURE p @a int = 1, @b int = 2 AS SELECT @a + @b")
        connection.execute("CREATE PROCEDURE o @a int OUTPUT AS SET @a = 5")
        yield connection


Use = Callable[[sbql.Connection], object]

TEXTS: dict[str, Any] = {
    "None": None,
    "bytes": b"SELECT 1",
    "bytearray": bytearray(b"SELECT 1"),
    "int": 1,
    "list": ["SELECT 1"],
    "path": Path("x.sql"),
    "object": object(),
}
TAKERS: dict[str, Callable[[sbql.Connection, Any], object]] = {
    "execute": lambda c, x: c.execute(x),
    "execute with values": lambda c, x: c.execute(x, [1]),
    "execute with names": lambda c, x: c.execute(x, {"a": 1}),
    "cursor.execute": lambda c, x: c.cursor().execute(x),
    "executemany": lambda c, x: c.cursor().executemany(x, [(1,)]),
    "callproc": lambda c, x: c.cursor().callproc(x),
    "run": lambda c, x: c.run(x),
    "run_script": lambda c, x: sbql.run_script(c, x),
}


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("taker", TAKERS)
def test_what_is_no_text(shared: sbql.Connection, taker: str, kind: str) -> None:
    with pytest.raises(ProgrammingError, match="text"):
        TAKERS[taker](shared, TEXTS[kind])


def numbers() -> Iterator[int]:
    yield 1


SEQUENCES: dict[str, tuple[Any, str]] = {
    "one value": (5, r"not an int: a sequence of one is \[value\]"),
    "one float": (5.0, "sequence of one"),
    "one string": ("abc", "one string"),
    "one bytes": (b"abc", "bytes"),
    "a date": (dt.date(2026, 1, 1), "sequence of one"),
    "a generator": (numbers(), r"a generator: list\(…\)"),
    "an iterator": (iter([1]), r"list\(…\)"),
    "a map": (map(int, "1"), r"list\(…\)"),
    "a set": ({1}, "no order"),
    "a frozenset": (frozenset({1}), "no order"),
    "keys": ({1: 2}.keys(), "no order"),
    "values": ({1: 2}.values(), r"list\(…\)"),
    "an object": (object(), "sequence of one"),
}


@pytest.mark.parametrize("kind", SEQUENCES)
def test_what_is_no_sequence(shared: sbql.Connection, kind: str) -> None:
    value, text = SEQUENCES[kind]
    with pytest.raises(ProgrammingError, match=text):
        shared.execute("SELECT ?", value)
    with pytest.raises(ProgrammingError, match=text):
        shared.cursor().callproc("p", value)
    with pytest.raises(ProgrammingError, match=text):
        shared.cursor().executemany("INSERT t (a) VALUES (?)", [value])
    assert shared.execute("SELECT COUNT(*) FROM t").fetchall() == [(0,)]


class Missing(dict[str, Any]):
    def __missing__(self, key: str) -> int:
        return 1


MAPPINGS: dict[str, tuple[dict[Any, Any], str]] = {
    "a number": ({1: 2}, "the name of a parameter is text"),
    "None": ({None: 2}, "the name of a parameter is text"),
    "bytes": ({b"a": 2}, "the name of a parameter is text"),
    "nothing": ({"": 2}, "not the name of a variable"),
    "an at sign": ({"@": 2}, "not the name of a variable"),
    "a function": ({"@@version": 2}, "not the name of a variable"),
    "two words": ({"a b": 2}, "not the name of a variable"),
    "an injection": ({"a int; DROP TABLE t; --": 2}, "not the name of a variable"),
    "twice": ({"a": 1, "@a": 2}, "one variable"),
    "two cases": ({"a": 1, "A": 2}, "one variable"),
    "not the one": ({"b": 2}, "@a"),
    "a default": (Missing(), "@a"),
}


@pytest.mark.parametrize("kind", MAPPINGS)
def test_what_is_no_mapping_of_variables(shared: sbql.Connection, kind: str) -> None:
    value, text = MAPPINGS[kind]
    with pytest.raises(ProgrammingError, match=text):
        shared.execute("SELECT @a", value)


@pytest.mark.parametrize(
    ("statement", "values", "text"),
    [
        ("SELECT ?, ?", [1], "2 parameter markers"),
        ("SELECT ?", [1, 2], "1 parameter markers"),
        ("SELECT ?", [], "1 parameter markers"),
        ("SELECT '?'", [1], "0 parameter markers"),
        ("SELECT @a", [1], "come in a mapping"),
        ("SELECT %s", [1], "0 parameter markers"),
        ("SELECT :a", {"a": 1}, "Msg 102, line 1"),
        ("SELECT ?", {"a": 1}, "Msg 102, line 1"),
        ("SELECT ?", None, "Msg 102, line 1"),
        ("SELECT @a", None, "@a"),
    ],
)
def test_too_few_too_many_and_other_markers(shared: sbql.Connection, statement: str, values: Any, text: str) -> None:
    with pytest.raises(ProgrammingError, match=text):
        shared.execute(statement, values)


def test_too_many_for_a_procedure(shared: sbql.Connection) -> None:
    with pytest.raises(ProgrammingError) as raised:
        shared.cursor().callproc("p", [1, 2, 3])
    assert raised.value.number == 8144
    with pytest.raises(ProgrammingError, match="in order"):
        shared.cursor().callproc("p", {"a": 1})  # type: ignore[arg-type]
    for sets in (None, 5, "ab", b"ab", {"a": 1}, object()):
        with pytest.raises(ProgrammingError, match="executemany takes"):
            shared.cursor().executemany("SELECT ?", sets)  # type: ignore[arg-type]
    with pytest.raises(ProgrammingError, match="an int"):
        shared.cursor().executemany("SELECT ?, ?", (1, 2))  # type: ignore[arg-type]


NAN, INFINITE = float("nan"), float("inf")
EAST = dt.timezone(dt.timedelta(hours=23))

VALUES: dict[str, tuple[Any, type[Exception], str]] = {
    "nan": (NAN, DataError, "nan"),
    "infinity": (INFINITE, DataError, "inf"),
    "minus infinity": (-INFINITE, DataError, "-inf"),
    "Decimal nan": (Decimal("NaN"), DataError, "NaN"),
    "Decimal snan": (Decimal("sNaN"), DataError, "NaN"),
    "Decimal infinity": (Decimal("Infinity"), DataError, "Infinity"),
    "39 digits": (10**38, DataError, "38 digits"),
    "a small number": (Decimal("1E-39"), DataError, "38 digits"),
    "a large exponent": (Decimal("1E+999"), DataError, "38 digits"),
    "a far zone": (dt.datetime(2026, 1, 1, tzinfo=EAST), DataError, "14 hours"),
    "a zone of seconds": (
        dt.datetime(2026, 1, 1, tzinfo=dt.timezone(dt.timedelta(seconds=1))),
        DataError,
        "whole minutes",
    ),
    "before year 1": (dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))), DataError, "year 1"),
    "a time with a zone": (dt.time(1, tzinfo=dt.UTC), DataError, "time zone"),
    "complex": (1j, ProgrammingError, "complex"),
    "Fraction": (fractions.Fraction(1, 3), ProgrammingError, "Fraction"),
    "timedelta": (dt.timedelta(1), ProgrammingError, "timedelta"),
    "list": ([1], ProgrammingError, "list"),
    "tuple": ((1,), ProgrammingError, "tuple"),
    "dict": ({}, ProgrammingError, "dict"),
    "set": ({1}, ProgrammingError, "set"),
    "object": (object(), ProgrammingError, "object"),
    "class": (int, ProgrammingError, "type"),
    "function": (numbers, ProgrammingError, "function"),
    "Enum": (enum.Enum("E", "a").a, ProgrammingError, "E has no SQL type"),  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("kind", VALUES)
def test_what_is_no_value(shared: sbql.Connection, kind: str) -> None:
    value, error, text = VALUES[kind]
    with pytest.raises(error, match=f"(?s)parameter 2: .*{text}") as raised:
        shared.execute("INSERT t VALUES (?, ?)", [1, value])
    assert type(raised.value) is error
    with pytest.raises(error, match="parameter @a: "):
        shared.execute("SELECT @a", {"a": value})
    with pytest.raises(error, match=text):
        shared.cursor().callproc("p", [value])
    with pytest.raises(error, match=text):
        shared.cursor().callproc("o", [sbql.Output("int", value)])
    assert shared.execute("SELECT COUNT(*) FROM t").fetchall() == [(0,)]


def test_values_of_numpy(shared: sbql.Connection) -> None:
    numpy = pytest.importorskip("numpy")
    moment = numpy.datetime64("2026-01-02T03:04:05.123456700")
    good = [
        (numpy.int8(-1), -1),
        (numpy.uint64(2**63), 2**63),
        (numpy.int64(5), 5),
        (numpy.float32(0.5), 0.5),
        (numpy.float64(0.5), 0.5),
        (numpy.bool_(True), True),
        (numpy.str_("é"), "é"),
        (numpy.bytes_(b"a"), b"a"),
        (numpy.datetime64("2026-01-02"), dt.datetime(2026, 1, 2)),
        (numpy.datetime64("2026-01-02T03:04"), dt.datetime(2026, 1, 2, 3, 4)),
        (numpy.datetime64("NaT"), None),
        (numpy.array(7), 7),
    ]
    for given, wanted in good:
        ((found,),) = shared.execute("SELECT ?", [given]).fetchall()
        assert (type(found), found) == (type(wanted), wanted) or (found == wanted and isinstance(wanted, int))
    assert shared.execute("SELECT CONVERT(varchar(30), ?, 121)", [moment]).fetchall() == [
        ("2026-01-02 03:04:05.1234567",)
    ]
    assert shared.execute("SELECT ?, ?", numpy.array([1, 2])).fetchall() == [(1, 2)]
    bad = [
        (numpy.float64("nan"), DataError),
        (numpy.float32("inf"), DataError),
        (numpy.datetime64("12026-01-01"), DataError),
        (numpy.timedelta64(1, "s"), ProgrammingError),
        (numpy.complex64(1), ProgrammingError),
        (numpy.array([1]), ProgrammingError),
        (numpy.void(b"a"), ProgrammingError),
    ]
    for given, error in bad:
        with pytest.raises(error, match="parameter 1: "):
            shared.execute("SELECT ?", [given])
    with pytest.raises(ProgrammingError):
        shared.execute("SELECT ?", numpy.array([[1]]))
    with pytest.raises(ProgrammingError):
        shared.execute("SELECT ?", numpy.int64(1))


def test_subclasses_are_taken_as_what_they_are(shared: sbql.Connection) -> None:
    class Text(str):
        def __str__(self) -> str:
            return "other"

    class Number(enum.IntEnum):
        ONE = 1

    class Word(enum.StrEnum):
        A = "a"

    guid = uuid.uuid5(uuid.NAMESPACE_DNS, "a")
    found = shared.execute("SELECT ?, ?, ?, ?", [Text("x"), Number.ONE, Word.A, guid]).fetchall()
    assert found == [("x", 1, "a", guid)]


FETCHES: dict[str, tuple[Callable[[sbql.Cursor], object], str]] = {
    "negative": (lambda k: k.fetchmany(-1), "number of rows"),
    "text": (lambda k: k.fetchmany("2"), "number of rows"),  # type: ignore[arg-type]
    "a fraction": (lambda k: k.fetchmany(1.5), "number of rows"),  # type: ignore[arg-type]
    "arraysize": (lambda k: (setattr(k, "arraysize", -1), k.fetchmany()), "number of rows"),
    "arraysize None": (lambda k: (setattr(k, "arraysize", None), k.fetchmany()), "number of rows"),
}


@pytest.mark.parametrize("kind", FETCHES)
def test_what_is_no_number_of_rows(shared: sbql.Connection, kind: str) -> None:
    use, text = FETCHES[kind]
    cursor = shared.execute("SELECT 1 UNION ALL SELECT 2")
    with pytest.raises(ProgrammingError, match=text):
        use(cursor)
    assert cursor.fetchall() == [(1,), (2,)]


CURSOR_USES: dict[str, Callable[[sbql.Cursor], object]] = {
    "execute": lambda k: k.execute("SELECT 1"),
    "executemany": lambda k: k.executemany("SELECT ?", [(1,)]),
    "callproc": lambda k: k.callproc("p"),
    "fetchone": lambda k: k.fetchone(),
    "fetchmany": lambda k: k.fetchmany(1),
    "fetchall": lambda k: k.fetchall(),
    "nextset": lambda k: k.nextset(),
    "next": next,
    "list": list,
    "arrow": lambda k: k.arrow(),
    "df": lambda k: k.df(),
}
FETCHING = ("fetchone", "fetchmany", "fetchall", "next", "list", "arrow", "df")


@pytest.mark.parametrize("name", CURSOR_USES)
def test_closed_cursors_and_cursors_of_closed_connections(name: str, shared: sbql.Connection) -> None:
    cursor = shared.execute("SELECT 1")
    cursor.close()
    cursor.close()
    with pytest.raises(InterfaceError, match="the cursor is closed"):
        CURSOR_USES[name](cursor)
    connection = sbql.connect(instance=shared.instance)
    cursor = connection.execute("SELECT 1")
    connection.close()
    connection.close()
    with pytest.raises(InterfaceError, match="the connection is closed"):
        CURSOR_USES[name](cursor)
    if name in FETCHING:
        for without in (shared.cursor(), shared.execute("DECLARE @a int")):
            with pytest.raises(ProgrammingError, match="no result set"):
                CURSOR_USES[name](without)


CONNECTION_USES: dict[str, Use] = {
    "cursor": lambda c: c.cursor(),
    "execute": lambda c: c.execute("SELECT 1"),
    "commit": lambda c: c.commit(),
    "rollback": lambda c: c.rollback(),
    "autocommit": lambda c: setattr(c, "autocommit", False),
    "run": lambda c: c.run("SELECT 1"),
    "with": lambda c: c.__enter__(),
    "wait_idle": lambda c: c.wait_idle(1),
    "advance": lambda c: c.advance(1),
    "settle": lambda c: c.settle(),
    "trace": lambda c: c.trace(print),
    "run_script": lambda c: sbql.run_script(c, "SELECT 1"),
}


@pytest.mark.parametrize("name", CONNECTION_USES)
def test_closed_connections(name: str, shared: sbql.Connection) -> None:
    connection = sbql.connect(instance=shared.instance)
    connection.close()
    with pytest.raises(InterfaceError, match="the connection is closed"):
        CONNECTION_USES[name](connection)
    connection.cancel()  # there is nothing to stop, and nothing wrong


SETTINGS: dict[str, tuple[Use, type[Exception], str]] = {
    "autocommit": (lambda c: setattr(c, "autocommit", "off"), InterfaceError, "True or False"),
    "autocommit None": (lambda c: setattr(c, "autocommit", None), InterfaceError, "True or False"),
    "advance back": (lambda c: c.advance(-1), InterfaceError, "back"),
    "advance nan": (lambda c: c.advance(NAN), InterfaceError, "seconds"),
    "advance for ever": (lambda c: c.advance(INFINITE), InterfaceError, "seconds"),
    "advance text": (lambda c: c.advance("1"), InterfaceError, "seconds"),  # type: ignore[arg-type]
    "trace to nobody": (lambda c: c.trace(None), InterfaceError, "can be called"),  # type: ignore[arg-type]
    "trace of what": (lambda c: c.trace(print, "Nothing"), InterfaceError, "event class"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings(name: str, shared: sbql.Connection) -> None:
    use, error, text = SETTINGS[name]
    with pytest.raises(error, match=text):
        use(shared)
    assert shared.autocommit is True


CONNECTS: dict[str, tuple[dict[str, Any], str]] = {
    "store int": ({"store": 5}, "name of a file"),
    "store bytes": ({"store": b"x.duckdb"}, "name of a file"),
    "store empty": ({"store": ""}, "no name"),
    "store memory": ({"store": ":memory:"}, "no name"),
    "store NUL": ({"store": "a\0b"}, "NUL"),
    "database None": ({"database": None}, "database is a name"),
    "login 5": ({"login": 5}, "login is a name"),
    "clock": ({"clock": "fast"}, "clock is"),
    "seed": ({"seed": "x"}, "seed is"),
    "instance": ({"instance": "x"}, "instance is"),
    "both": ({"instance": "x", "store": "y"}, "not both"),
    "autocommit": ({"autocommit": "x"}, "True or False"),
}


@pytest.mark.parametrize("name", CONNECTS)
def test_connecting(name: str) -> None:
    given, text = CONNECTS[name]
    before = threading.active_count()
    with pytest.raises(InterfaceError, match=text):
        sbql.connect(**given)
    assert threading.active_count() <= before


def test_a_failed_connect_takes_nothing_from_the_others(shared: sbql.Connection) -> None:
    for given in ({"autocommit": "x"}, {"database": "nowhere"}, {"login": "nobody"}):
        with pytest.raises(sbql.Error):
            sbql.connect(instance=shared.instance, **given)  # type: ignore[arg-type]
    assert shared.execute("SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE is_user_process = 1").fetchall() == [(1,)]


@pytest.mark.parametrize("path", [None, 5, b"x.sql", object()])
def test_what_is_no_path_of_a_script(path: Any, shared: sbql.Connection) -> None:
    with pytest.raises(InterfaceError, match="name of a file"):
        sbql.run_file(shared, path)


def test_the_connection_goes_on(shared: sbql.Connection) -> None:
    assert shared.execute("SELECT ?", [1]).fetchall() == [(1,)]
