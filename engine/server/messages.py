"""Requests and outcomes as bytes: MessagePack, in which every T-SQL value comes back as it was.

It decides how a value travels. What MessagePack has stands for itself. Everything else is an extension with a number of
our own, so that a decimal keeps its scale, a datetime2 its seventh digit, a datetimeoffset its offset and a sql_variant
its type. Rows travel by column, in pieces. Bulk data does not come this way: it travels as Arrow. It must not know who
sends to whom.
"""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from itertools import chain, islice, repeat
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec.msgpack import Ext

from sbql.engine.outcomes import (
    ErrorOutcome,
    InfoMessage,
    MoreRows,
    Outcome,
    ResultColumn,
    ResultSet,
    ReturnStatus,
    RowsAffected,
)
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType, Variant
from sbql.grammar.values.ticks import TickDatetime, TickTime, tick_of, with_tick

__all__ = ["ALIVE", "LEAVE", "PROTOCOL", "OutcomeReader", "error_from", "error_to", "messages_of", "pack", "unpack"]

PROTOCOL: Final = 3
"""Both sides must speak the same; the first answer tells which."""

_PIECE = 2048
"""Rows in one message: what comes at once when a query gives its rows as they arise."""
_PLAIN = frozenset({type(None), bool, int, float, str, bytes})
_EPOCH = dt.datetime(1, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)
_MINUTE = dt.timedelta(minutes=1)
_MOMENT = struct.Struct("<qBh")
"""Microseconds since the year 1 without the offset, tick, offset in minutes."""
_NO_OFFSET = -32768

_TEXT_CODE, _DECIMAL_CODE, _UUID_CODE, _DATE_CODE, _TIME_CODE, _MOMENT_CODE, _VARIANT_CODE = range(1, 8)


# --- values ------------------------------------------------------------------------------------------------


def _moment(value: dt.datetime, tick: int = 0) -> bytes:
    offset = value.utcoffset()
    local = value.replace(tzinfo=None, fold=0)
    plain = local.plain() if isinstance(local, TickDatetime) else local
    minutes = _NO_OFFSET if offset is None else offset // _MINUTE
    return _MOMENT.pack((plain - _EPOCH) // _MICROSECOND, tick or tick_of(value), minutes)


def _moment_of(data: bytes) -> dt.datetime:
    micros, tick, minutes = _MOMENT.unpack(data)
    moment = _EPOCH + dt.timedelta(microseconds=micros)
    if minutes != _NO_OFFSET:
        moment = moment.replace(tzinfo=dt.timezone(dt.timedelta(minutes=minutes)))
    return with_tick(moment, tick)


def _time(value: dt.time) -> bytes:
    plain = dt.time(value.hour, value.minute, value.second, value.microsecond)
    return _moment(dt.datetime.combine(_EPOCH, plain), tick_of(value))


def _time_of(data: bytes) -> dt.time:
    micros, tick, _ = _MOMENT.unpack(data)
    return with_tick((_EPOCH + dt.timedelta(microseconds=micros)).time(), tick)


_EXTENSIONS: dict[type, tuple[int, Callable[[Any], bytes]]] = {
    Decimal: (_DECIMAL_CODE, lambda value: str(value).encode()),
    UUID: (_UUID_CODE, lambda value: value.bytes),
    dt.date: (_DATE_CODE, lambda value: value.toordinal().to_bytes(4, "little")),
    dt.time: (_TIME_CODE, _time),
    TickTime: (_TIME_CODE, _time),
    dt.datetime: (_MOMENT_CODE, _moment),
    TickDatetime: (_MOMENT_CODE, _moment),
    Variant: (_VARIANT_CODE, lambda value: pack([_type_to(value.type), value.value])),
}

_READERS: dict[int, Callable[[bytes], Any]] = {
    _TEXT_CODE: lambda data: data.decode("utf-8", "surrogatepass"),
    _DECIMAL_CODE: lambda data: Decimal(data.decode()),
    _UUID_CODE: lambda data: UUID(bytes=data),
    _DATE_CODE: lambda data: dt.date.fromordinal(int.from_bytes(data, "little")),
    _TIME_CODE: _time_of,
    _MOMENT_CODE: _moment_of,
    _VARIANT_CODE: lambda data: (lambda found: Variant(_type_from(found[0]), found[1]))(unpack(data)),
}


def _value(value: Any) -> Any:
    """As MessagePack takes it. Raises TypeError for what has no way to travel."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in (list, tuple):
        return [_value(item) for item in value]
    if kind is dict:
        return {_value(key): _value(item) for key, item in value.items()}
    code, write = _EXTENSIONS[kind] if kind in _EXTENSIONS else _near(value)
    return Ext(code, write(value))


def _near(value: Any) -> tuple[int, Callable[[Any], bytes]]:
    """For a subclass of what travels, a string's or a number's too."""
    for kind in (bool, int, float, str, bytes, *_EXTENSIONS):
        if isinstance(value, kind):
            if kind is str:
                return _TEXT_CODE, lambda text: str(text).encode("utf-8", "surrogatepass")
            if kind in _EXTENSIONS:
                return _EXTENSIONS[kind]
    raise TypeError(f"a value of the Python type {type(value).__name__} does not travel")


def _whole(value: Any) -> Any:
    """The same with texts that are no UTF-8, half a surrogate pair in them, as extensions."""
    if isinstance(value, str):
        return value if value.isascii() else Ext(_TEXT_CODE, value.encode("utf-8", "surrogatepass"))
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return value


def pack(value: Any) -> bytes:
    """Plain values, T-SQL values, lists and dicts of them as bytes. Raises TypeError for anything else."""
    message = _value(value)
    try:
        return msgspec.msgpack.encode(message)
    except UnicodeEncodeError:
        return msgspec.msgpack.encode(_whole(message))


_decoder = msgspec.msgpack.Decoder(ext_hook=lambda code, data: _READERS[code](bytes(data)))


ALIVE: Final = pack(["alive"])
"""A sign of life of the server, which is no answer: whoever listens passes it over."""
LEAVE: Final = pack(["leave"])
"""The last word of a client, which is no request: its session ends."""


def unpack(data: bytes) -> Any:
    """What was packed; tuples are lists. Raises msgspec.DecodeError."""
    return _decoder.decode(data)


def _type_to(sql_type: SqlType) -> list[Any]:
    return [
        sql_type.name, sql_type.length, sql_type.precision, sql_type.scale, sql_type.collation, sql_type.collection, sql_type.spelling
    ]  # fmt: skip


def _type_from(parts: list[Any]) -> SqlType:
    return SqlType(*parts)


# --- errors ------------------------------------------------------------------------------------------------


def error_to(error: SqlError) -> dict[str, Any]:
    """An error, as far as a client may know it."""
    return {
        "number": error.number, "message": error.message, "severity": error.severity, "state": error.state, "line": error.line,
        "column": error.column, "column_line": error.column_line, "procedure": error.procedure, "call_line": error.call_line,
    }  # fmt: skip


def error_from(parts: Mapping[str, Any]) -> SqlError:
    found = dict(parts)
    return SqlError(found.pop("number"), found.pop("message"), **found)


# --- outcomes ----------------------------------------------------------------------------------------------


def messages_of(outcome: Outcome) -> Iterator[bytes]:
    """An outcome as one message, or a result set as one for its columns and more for its rows."""
    match outcome:
        case ResultSet(columns, rows, goes_on):
            described = [[column.name, _type_to(column.type), column.nullable] for column in columns]
            first = rows[:_PIECE]
            yield pack(["rows", described, len(first), _by_column(first), len(rows) <= _PIECE and not goes_on])
            if len(rows) > _PIECE:
                yield from messages_of(MoreRows(rows[_PIECE:], goes_on))
        case MoreRows(rows, goes_on):
            for start in range(0, len(rows) or 1, _PIECE):
                piece = rows[start : start + _PIECE]
                yield pack(["more", len(piece), _by_column(piece), start + _PIECE >= len(rows) and not goes_on])
        case RowsAffected(count):
            yield pack(["count", count])
        case InfoMessage(text, number, severity, state, line, procedure):
            yield pack(["info", text, number, severity, state, line, procedure])
        case ErrorOutcome(error):
            yield pack(["error", error_to(error)])
        case ReturnStatus(value, outputs):
            yield pack(["return", value, outputs])


def _by_column(rows: list[tuple[Any, ...]]) -> list[Any]:
    return [list(column) for column in zip(*rows, strict=True)]


class OutcomeReader:
    """Makes outcomes of messages: a result set is one when its last piece has come, and none when an error has
    come instead, as in the process."""

    def __init__(self) -> None:
        self._open: ResultSet | None = None

    def read(self, message: list[Any]) -> Outcome | None:
        """The outcome that the message completes; None when more of it is to come."""
        begun, self._open = self._open, None
        match message:
            case ["rows", described, count, columns, is_last]:
                kinds = [ResultColumn(name, _type_from(kind), nullable) for name, kind, nullable in described]
                return self._add(ResultSet(kinds, []), _rows(columns, count), is_last)
            case ["more", count, columns, is_last]:
                assert begun is not None, "rows without columns"
                return self._add(begun, _rows(columns, count), is_last)
            case ["count", count]:
                return RowsAffected(count)
            case ["info", *parts]:
                return InfoMessage(*parts)
            case ["error", error]:
                return ErrorOutcome(error_from(error))
            case ["return", value, outputs]:
                return ReturnStatus(value, outputs)
        raise ValueError(f"a message of an unknown kind: {message[:1]}")

    def _add(self, result: ResultSet, rows: list[tuple[Any, ...]], is_last: bool) -> ResultSet | None:
        result.rows.extend(rows)
        self._open = None if is_last else result
        return result if is_last else None


def _rows(columns: list[Any], count: int) -> list[tuple[Any, ...]]:
    return list(zip(*columns, strict=True)) if columns else list(islice(chain(repeat(())), count))
