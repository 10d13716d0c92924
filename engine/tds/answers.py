"""Answers: what a server says, as a client reads it.

It decides how the bytes of an answer become events, as soon as each has come whole. Answers of SQL Server itself are
read, too, so there are tokens that our own server never says. It must not know what an event means for whoever asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from sbql.engine.tds.decoding import Incoming, behind_pointer, read_type
from sbql.engine.tds.reading import EndsEarly, ProtocolError, Reader
from sbql.engine.tds.tokens import DONE, DONEINPROC, DONEPROC
from sbql.grammar.types import SqlType

__all__ = [
    "DATABASE",
    "PACKET_SIZE",
    "AnswerReader",
    "Changed",
    "Columns",
    "Done",
    "Event",
    "LoggedIn",
    "ReturnValue",
    "Rows",
    "Said",
]

DATABASE, LANGUAGE, PACKET_SIZE = 1, 2, 4
"""Kinds of `Changed` whose values are texts."""
BEGUN, COMMITTED, ROLLED_BACK, DEFECTED, RESET = 8, 9, 10, 17, 18
_NULLABLE = 0x01
_LONG: Final = frozenset({0x22, 0x23, 0x63})
_XML: Final = 0xF1
_AGAIN_AT: Final = 65536
"""Bytes from which a token that has not come whole is tried again only when half as much more is there."""


class Column(Struct, frozen=True):
    name: str
    type: SqlType
    nullable: bool


class Columns(Struct, frozen=True):
    """A result set begins; no columns: one without names, as when a description is not repeated."""

    columns: tuple[Column, ...]


class Rows(Struct, frozen=True):
    """Rows of the result set that has begun; more may follow."""

    rows: list[tuple[Any, ...]]


class Said(Struct, frozen=True):
    """An error, or (`is_error` False) a message. `severity` is as it was sent: 0 for what T-SQL calls 10."""

    is_error: bool
    number: int
    state: int
    severity: int
    text: str
    procedure: str
    line: int


class Changed(Struct, frozen=True):
    """ENVCHANGE; `value` is a text for the database, the language and the packets' size, else bytes."""

    kind: int
    value: str | bytes


class ReturnValue(Struct, frozen=True):
    """An OUTPUT parameter, or (without a name) the return code of a procedure."""

    name: str
    type: SqlType
    value: Any


class LoggedIn(Struct, frozen=True):
    """LOGINACK: the version that is spoken, and what the server calls itself."""

    version: int
    program: str


class Done(Struct, frozen=True):
    """The end of a statement or procedure; `status` holds the marks of `tokens`."""

    token: int
    status: int
    command: int
    count: int


Event = Columns | Rows | Said | Changed | ReturnValue | LoggedIn | Done


class AnswerReader:
    """Bytes of an answer in, events out. The bytes may come cut anywhere. One for each answer; TDS 7.2 and later."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._again_at = 0
        self._columns: tuple[Incoming, ...] = ()

    def feed(self, data: bytes, *, is_end: bool) -> list[Event]:
        """What has come whole by now. Raises ProtocolError for what is no answer, and at the end for half of one."""
        self._data += data
        if len(self._data) < self._again_at and not is_end:
            return []
        reader, events, at = Reader(bytes(self._data)), list[Event](), 0
        try:
            while not reader.is_over:
                self._token(reader, events)
                at = reader.at
        except EndsEarly:
            if is_end:
                raise
        del self._data[:at]
        left = len(self._data)
        self._again_at = left + left // 2 if left > _AGAIN_AT else 0
        return events

    def _token(self, reader: Reader, events: list[Event]) -> None:
        token = reader.byte()
        if token == 0xD1 or token == 0xD2:
            row = self._row(reader) if token == 0xD1 else self._row_with_nulls(reader)
            if events and isinstance(events[-1], Rows):
                events[-1].rows.append(row)
            else:
                events.append(Rows([row]))
            return
        if token in (DONE, DONEPROC, DONEINPROC):
            events.append(Done(token, reader.u16(), reader.u16(), reader.u64()))
            return
        if token == 0x81:
            events.append(self._begin(reader))
            return
        found = _OTHERS[token](reader) if token in _OTHERS else None
        if found is not None:
            events.append(found)
        elif token not in _OTHERS:
            raise ProtocolError(f"a token {token:02X} is not known here")

    def _begin(self, reader: Reader) -> Columns:
        count = reader.u16()
        described, incoming = list[Column](), list[Incoming]()
        for _ in range(0 if count == 0xFFFF else count):
            reader.take(4)
            flags = reader.u16()
            kind = reader.peek()
            found = _read_type(reader)
            if kind in _LONG:
                for _ in range(reader.byte()):
                    reader.us_varchar()
                found = behind_pointer(found)
            described.append(Column(reader.b_varchar(), found.type, bool(flags & _NULLABLE)))
            incoming.append(found)
        self._columns = tuple(incoming)
        return Columns(tuple(described))

    def _row(self, reader: Reader) -> tuple[Any, ...]:
        return tuple([column.read(reader) for column in self._columns])

    def _row_with_nulls(self, reader: Reader) -> tuple[Any, ...]:
        """A row whose NULLs are a bitmap in front."""
        nulls = reader.take((len(self._columns) + 7) // 8)
        return tuple([
            None if nulls[index // 8] >> index % 8 & 1 else column.read(reader) for index, column in enumerate(self._columns)
        ])  # fmt: skip


def _read_type(reader: Reader) -> Incoming:
    """As of a parameter, but that a column may be xml."""
    is_xml = reader.peek() == _XML
    found = read_type(reader)
    return Incoming(SqlType("xml"), found.read) if is_xml else found


# --- tokens with a length ----------------------------------------------------------------------------------


def _counted(reader: Reader) -> Reader:
    return Reader(reader.take(reader.u16()))


def _said(is_error: bool) -> Callable[[Reader], Event]:
    def read(reader: Reader) -> Event:
        body = _counted(reader)
        number, state, severity, text = body.i32(), body.byte(), body.byte(), body.us_varchar()
        body.b_varchar()
        return Said(is_error, number, state, severity, text, body.b_varchar(), body.u32())

    return read


def _changed(reader: Reader) -> Event:
    body = _counted(reader)
    kind = body.byte()
    return Changed(kind, body.b_varchar() if kind in (DATABASE, LANGUAGE, PACKET_SIZE) else body.take(body.byte()))


def _logged_in(reader: Reader) -> Event:
    body = _counted(reader)
    body.byte()
    return LoggedIn(int.from_bytes(body.take(4), "big"), body.b_varchar())


def _return_code(reader: Reader) -> Event:
    return ReturnValue("", SqlType("int"), reader.i32())


def _return_value(reader: Reader) -> Event:
    reader.u16()
    name = reader.b_varchar()
    reader.take(7)
    found = _read_type(reader)
    return ReturnValue(name, found.type, found.read(reader))


def _features(reader: Reader) -> None:
    while reader.byte() != 0xFF:
        reader.take(reader.u32())


def _passed_over(reader: Reader) -> None:
    """ORDER, TABNAME, COLINFO: what they tell is for cursors of clients."""
    reader.take(reader.u16())


def _session_state(reader: Reader) -> None:
    reader.take(reader.u32())


_OTHERS: Final[dict[int, Callable[[Reader], Event | None]]] = {
    0xAA: _said(True), 0xAB: _said(False), 0xE3: _changed, 0xAD: _logged_in, 0x79: _return_code, 0xAC: _return_value,
    0xAE: _features, 0xA9: _passed_over, 0xA4: _passed_over, 0xA5: _passed_over, 0xE4: _session_state,
}  # fmt: skip
