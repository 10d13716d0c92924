"""Requests: what clients ask after the login: batches, procedure calls, transactions.

It decides how the bytes of a message are read. It must not know what a procedure does, nor who may call it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sbql.engine.tds.decoding import read_type
from sbql.engine.tds.login import TDS_71, TDS_72
from sbql.engine.tds.reading import EndsEarly, ProtocolError, Reader, UnknownType, WrongParameter, utf16
from sbql.engine.tds.table_values import read_table_value
from sbql.grammar.types import TABLE_TYPE, SqlType

__all__ = [
    "PROCEDURE_IDS",
    "Parameter",
    "RpcCall",
    "TransactionRequest",
    "read_batch",
    "read_calls",
    "read_notification",
    "read_transaction",
]

PROCEDURE_IDS = {
    1: "sp_cursor", 2: "sp_cursoropen", 3: "sp_cursorprepare", 4: "sp_cursorexecute", 5: "sp_cursorprepexec", 6: "sp_cursorunprepare",
    7: "sp_cursorfetch", 8: "sp_cursoroption", 9: "sp_cursorclose", 10: "sp_executesql", 11: "sp_prepare", 12: "sp_execute", 13: "sp_prepexec",
    14: "sp_prepexecrpc", 15: "sp_unprepare",
}  # fmt: skip
_OUTPUT, _DEFAULT, _ENCRYPTED = 1, 2, 8
_NO_METADATA = 2
_TABLE = 0xF3
_PARAMETERS_MOST = 2100
"""Of a call, those of sp_executesql itself included."""
_BETWEEN = (0xFF, 0x80, 0xFE)
"""What stands between two calls; types of parameters begin with other bytes, and names are shorter."""


class Parameter(Struct, frozen=True):
    """`type` is TABLE_TYPE when `value` is a TableValue."""

    name: str
    type: SqlType
    value: Any
    is_output: bool = False
    is_default: bool = False


class RpcCall(Struct, frozen=True):
    procedure: str
    parameters: tuple[Parameter, ...]
    wants_no_metadata: bool = False


class TransactionRequest(Struct, frozen=True):
    """`kind`: begin, commit, rollback, save. `begins_again`: a new transaction begins at once; `isolation`
    is of what begins, None as it is."""

    kind: str
    name: str = ""
    isolation: str | None = None
    begins_again: bool = False


class NotificationHeader(Struct, frozen=True):
    """A client wants to hear of changes of what it asks for: `options` say where it listens, `message` is given back as
    it is. `timeout` in seconds, as clients send it; None: the server's."""

    message: str
    options: str
    timeout: int | None = None


def has_headers(version: int) -> bool:
    return version >= TDS_72


def _after_headers(data: bytes, version: int) -> Reader:
    reader = Reader(data, has_collations=version >= TDS_71)
    if has_headers(version):
        total = reader.u32()
        if total < 4:
            raise ProtocolError("ALL_HEADERS is too short")
        reader.take(total - 4)
    return reader


_PLAIN_HEADERS = 22
"""Bytes of headers that hold the transaction and nothing else."""
_QUERY_NOTIFICATION = 1


def read_notification(data: bytes, version: int) -> NotificationHeader | None:
    """What a batch or a call has among its headers. Raises ProtocolError."""
    if not has_headers(version):
        return None
    reader = Reader(data)
    total = reader.u32()
    if total <= _PLAIN_HEADERS:
        return None
    headers = Reader(reader.take(total - 4))
    while not headers.is_over:
        length = headers.u32()
        if length < 6:
            raise ProtocolError("a header is too short")
        kind, body = headers.u16(), Reader(headers.take(length - 6))
        if kind == _QUERY_NOTIFICATION:
            message, options = utf16(body.take(body.u16())), utf16(body.take(body.u16()))
            return NotificationHeader(message, options, None if body.is_over else body.u32())
    return None


def read_batch(data: bytes, version: int) -> str:
    """The text of a SQL batch."""
    return utf16(_after_headers(data, version).rest())


def read_calls(data: bytes, version: int) -> list[RpcCall]:
    """The procedure calls of one message."""
    reader = _after_headers(data, version)
    calls = []
    while not reader.is_over:
        calls.append(_call(reader))
        if not reader.is_over:
            reader.byte()
    if not calls:
        raise ProtocolError("there is no procedure to call")
    return calls


def _call(reader: Reader) -> RpcCall:
    length = reader.u16()
    if length == 0xFFFF:
        number = reader.u16()
        if number not in PROCEDURE_IDS:
            raise ProtocolError(f"there is no procedure {number}")
        name = PROCEDURE_IDS[number]
    else:
        name = reader.text(length)
    flags = reader.u16()
    parameters: list[Parameter] = []
    while not reader.is_over and not _is_between(reader):
        if len(parameters) == _PARAMETERS_MOST:
            raise WrongParameter(8003, _PARAMETERS_MOST)
        parameters.append(_parameter(reader, len(parameters) + 1))
    return RpcCall(name, tuple(parameters), bool(flags & _NO_METADATA))


def _is_between(reader: Reader) -> bool:
    """A parameter's name has at most 128 characters, and 128 only stands between calls of old clients."""
    return reader.peek() in _BETWEEN


def _parameter(reader: Reader, ordinal: int) -> Parameter:
    name, status = reader.b_varchar(), reader.byte()
    if status & _ENCRYPTED:
        raise ProtocolError("encrypted parameters are not known here")
    is_output, is_default = bool(status & _OUTPUT), bool(status & _DEFAULT)
    if reader.peek() == _TABLE:
        reader.byte()
        return Parameter(name, TABLE_TYPE, read_table_value(reader), is_output, is_default)
    try:
        incoming = read_type(reader)
    except UnknownType as error:
        raise WrongParameter(8009, ordinal, f"{error.token:02X}") from None
    try:
        value = incoming.read(reader)
    except EndsEarly:
        raise
    except ProtocolError:
        raise WrongParameter(8023, ordinal, name, incoming.type) from None
    return Parameter(name, incoming.type, value, is_output, is_default)


_ISOLATION = (None, "READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT")
_KINDS = {5: "begin", 7: "commit", 8: "rollback", 9: "save"}


def read_transaction(data: bytes, version: int) -> TransactionRequest:
    """A transaction manager request. Raises ProtocolError, for distributed transactions too."""
    reader = _after_headers(data, version)
    number = reader.u16()
    kind = _KINDS.get(number)
    if kind is None:
        raise ProtocolError(f"distributed transactions (request {number}) are not known here")
    if kind == "begin":
        return TransactionRequest(kind, isolation=_isolation(reader), name=_name(reader))
    name = _name(reader)
    if kind == "save" or reader.is_over or not reader.byte() & 1:
        return TransactionRequest(kind, name)
    return TransactionRequest(kind, name, _isolation(reader), begins_again=True)


def _isolation(reader: Reader) -> str | None:
    number = reader.byte()
    if number >= len(_ISOLATION):
        raise ProtocolError(f"there is no isolation level {number}")
    return _ISOLATION[number]


def _name(reader: Reader) -> str:
    """Its length counts bytes."""
    return utf16(reader.take(reader.byte())) if not reader.is_over else ""
