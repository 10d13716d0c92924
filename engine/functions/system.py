"""System functions: the session, the connection, GUIDs, chance, identity values, the transaction state.

Each reads the frame's session (see ports); what a virtual host hands out repeats exactly.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.type_rules import as_text
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import (
    BIGINT,
    FLOAT,
    INT,
    MONEY,
    SQL_VARIANT,
    SYSNAME,
    UNIQUEIDENTIFIER,
    SqlType,
    Variant,
    numeric,
    nvarchar,
    varbinary,
)  # fmt: skip
from sbql.grammar.values.conversions import convert
from sbql.grammar.values.kinds import kind, spelled

__all__ = ["PRODUCT_VERSION", "SECOND_OF_SEED", "VERSION_TEXT"]

PRODUCT_VERSION = "16.0.1000.6"
"""The version whose behaviour is followed: SQL Server 2022."""

VERSION_TEXT = (
    f"Microsoft SQL Server 2022 (RTM) - {PRODUCT_VERSION} (X64) \n"
    "\tOct  8 2022 05:58:25 \n"
    "\tas sbql speaks it, which is no product of Microsoft\n"
    "\tDeveloper Edition (64-bit) on DuckDB\n"
)
"""Four lines, as scripts take them apart: product and version, the day of that version, whose it is, edition and host.
The first word is Microsoft: SQLAlchemy and other tools read the version only behind it."""


@function("NEWID", UNIQUEIDENTIFIER, needs_frame=True)
def _newid(frame: Frame) -> Any:
    return frame.session.instance.host.new_guid()


@function("NEWSEQUENTIALID", UNIQUEIDENTIFIER, needs_frame=True)
def _newsequentialid(frame: Frame) -> Any:
    """Greater than any before it from this instance, in the order of uniqueidentifier."""
    instance = frame.session.instance
    ticks = int(instance.host.now() * 10_000_000)
    number = max(ticks, instance.sequential_guid + 1)
    instance.sequential_guid = number
    data = number.to_bytes(8, "big")
    # The node part sorts first and stays the same; the counter fills the fields that sort next.
    return uuid.UUID(bytes_le=bytes(reversed(data[4:8])) + bytes(reversed(data[2:4])) + bytes(reversed(data[0:2]))
                     + b"\x80\x00" + b"sbqlid")  # fmt: skip


SECOND_OF_SEED = 40692 * 67890 % 2147483399
"""The second state of RAND behind a seed is that of the first step from 67890, whatever the seed."""
_ADDRESS = SqlType("varchar", length=48)


def _next_random(state: tuple[int, int]) -> tuple[float, tuple[int, int]]:
    """One step of L'Ecuyer's combined generator, which gives the very numbers of SQL Server: RAND(1) is
    0.713591993212924."""
    first = 40014 * state[0] % 2147483563
    second = 40692 * state[1] % 2147483399
    number = first - second
    return (number if number >= 1 else number + 2147483562) * 4.656613e-10, (first, second)


@function("RAND", FLOAT, [BIGINT], optional=1, needs_frame=True, null_on_null=False, typed=True)
def _rand(types: tuple[SqlType, ...]) -> Callable[..., float]:
    return _seeded if types else _random


def _seeded(frame: Frame, seed: int | None) -> float:
    """With a seed always the same number for it; the next RAND() goes on from there."""
    first = 40014 * abs(seed or 0) % 2147483563
    frame.session.note_random((first, SECOND_OF_SEED))
    number = first - SECOND_OF_SEED
    return (number if number >= 1 else number + 2147483562) * 4.656613e-10


def _random(frame: Frame) -> float:
    session = frame.session
    state = session.random_state
    if state is None:
        found: float = session.instance.host.random()
        return found
    number, later = _next_random(state)
    session.note_random(later)
    return number


@function("XACT_STATE", SqlType("smallint"), needs_frame=True)
def _xact_state(frame: Frame) -> int:
    session = frame.session
    transaction = session.transaction
    if transaction is not None and transaction.is_doomed:
        return -1
    return 1 if session.trancount > 0 else 0


@function("SCOPE_IDENTITY", numeric(38, 0), needs_frame=True)
def _scope_identity(frame: Frame) -> Decimal | None:
    return None if frame.scope_identity is None else Decimal(frame.scope_identity)


@function("ROWCOUNT_BIG", BIGINT, needs_frame=True)
def _rowcount_big(frame: Frame) -> int:
    found: int = frame.session.rowcount
    return found


@function("APP_NAME", nvarchar(128), needs_frame=True)
def _app_name(frame: Frame) -> Any:
    return frame.session.client.program_name


@function("HOST_NAME", nvarchar(128), needs_frame=True)
def _host_name(frame: Frame) -> Any:
    """What the client said; a program in this process has this instance's name."""
    return frame.session.client.host_name or frame.session.instance.name


@function("HOST_ID", SqlType("char", length=10), needs_frame=True)
def _host_id(frame: Frame) -> str:
    """The number of the client's process."""
    return str(frame.session.client.process_id or 0).ljust(10)


@function("CONTEXT_INFO", varbinary(128), needs_frame=True)
def _context_info(frame: Frame) -> Any:
    """What SET CONTEXT_INFO set, always 128 bytes."""
    value = frame.session.context_info
    return None if value is None else value.ljust(128, b"\0")


def _key(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Unicode text. Raises 8116: SESSION_CONTEXT('key') is the usual mistake."""
    if sql_type.name not in ("nvarchar", "nchar", "sysname", "null"):
        raise sql_error(8116, spelled(sql_type), position, name)
    return SYSNAME


@function("SESSION_CONTEXT", SQL_VARIANT, [_key], needs_frame=True)
def _session_context(frame: Frame, key: str) -> Variant | None:
    """Values set by sp_set_session_context, each in the type that it was given in; keys compare without case."""
    found: Variant | None = frame.session.context_values.get(key.lower())
    return found


@function("CURRENT_TRANSACTION_ID", BIGINT, needs_frame=True)
def _current_transaction_id(frame: Frame) -> int:
    """Of the open transaction, 0 outside any."""
    transaction = frame.session.transaction
    return int(transaction.id) if transaction is not None else 0


@function("CONNECTIONPROPERTY", SQL_VARIANT, [as_text], needs_frame=True)
def _connection_property(frame: Frame, name: str) -> Any:
    client = frame.session.client
    values = {
        "net_transport": client.transport, "physical_net_transport": client.transport, "protocol_type": "TSQL", "auth_scheme": "SQL",
        "local_net_address": client.local_address, "client_net_address": client.address,
    }  # fmt: skip
    asked = name.lower().strip()
    if asked == "local_tcp_port":
        return None if client.local_port is None else Variant(INT, client.local_port)
    found = values.get(asked)
    return None if found is None else Variant(_ADDRESS if asked.endswith("address") else nvarchar(40), found)


@function("GETANSINULL", SqlType("smallint"), [SYSNAME], optional=1, null_on_null=False)
def _getansinull(*database: str | None) -> int:
    return 1


@function("MIN_ACTIVE_ROWVERSION", varbinary(8), needs_frame=True)
def _min_active_rowversion(frame: Frame) -> bytes:
    least: int = frame.session.instance.tables.least_active_row_version
    return least.to_bytes(8, "big")


@function("GET_TRANSMISSION_STATUS", nvarchar(4000), [UNIQUEIDENTIFIER], needs_frame=True)
def _get_transmission_status(frame: Frame, handle: uuid.UUID) -> Any:
    """The last transmission error of one side of a conversation; empty when there is none or the handle is unknown."""
    broker = frame.session.instance.broker
    with broker.mutex:
        return broker.transmission_status(frame.session.database_id, handle)


@function("CURSOR_STATUS", SqlType("smallint"), [as_text, SYSNAME], needs_frame=True)
def _cursor_status(frame: Frame, source: str, name: str) -> int:
    """1 open with rows, 0 open and empty, -1 closed, -2 no cursor in the variable, -3 no such cursor."""
    if source.lower() not in ("local", "global", "variable"):
        return -3
    if source.lower() == "variable":
        variable = frame.scope.find(name) if frame.scope is not None else None
        if variable is None or not variable.is_cursor:
            return -3
        held = frame.variables[variable.slot]
        return -2 if held is None else int(held.status)
    cursors = frame.cursors if source.lower() == "local" else frame.session.cursors
    cursor = cursors.get(name.lower())
    return -3 if cursor is None else int(cursor.status)


@function("ISNUMERIC", INT, [None], null_on_null=False, typed=True)
def _isnumeric(types: tuple[SqlType, ...]) -> Any:
    family = kind(types[0])
    if family in ("int", "bit", "decimal", "money", "float"):
        return lambda value: int(value is not None)
    if family != "string":
        return lambda value: 0
    return _numeric_text


_BLANKS = "\t\n\v\f\r\xa0"


def _numeric_text(value: str | None) -> int:
    """1 for what converts to float or money: lone signs, points and currency signs too. A blank is no number, a tab
    is."""
    if value is None or not value.strip(" "):
        return 0
    plain = value.strip(" ").strip(_BLANKS)
    if plain != plain.strip():
        return 0  # control characters, which Python takes for blanks
    for target in (FLOAT, MONEY):
        try:
            convert(plain, SqlType("varchar", length=8000), target)
            return 1
        except SqlError:
            continue
    return 0


@function("TRIGGER_NESTLEVEL", INT, [INT, as_text, as_text], optional=3, needs_frame=True, null_on_null=False)
def _trigger_nestlevel(frame: Frame, *which: Any) -> int:
    """How many triggers are running, this one included; with an object id how often that one is."""
    running = frame.session.running_triggers
    return sum(1 for t in running if not which or which[0] in (None, 0, t))


@function("CURRENT_REQUEST_ID", SqlType("smallint"))
def _current_request_id() -> int:
    return 0


@function("SESSIONPROPERTY", SQL_VARIANT, [SYSNAME], needs_frame=True)
def _sessionproperty(frame: Frame, name: str) -> Any:
    """1 or 0 for the SET options that decide how indexes on views and computed columns may be used; NULL for other
    names."""
    options = frame.session.options
    values = {
        "ANSI_NULLS": options.ansi_nulls, "ANSI_PADDING": options.ansi_padding, "ANSI_WARNINGS": options.ansi_warnings,
        "ARITHABORT": options.arithabort, "CONCAT_NULL_YIELDS_NULL": options.concat_null_yields_null,
        "NUMERIC_ROUNDABORT": options.numeric_roundabort, "QUOTED_IDENTIFIER": options.quoted_identifier,
    }  # fmt: skip
    found = values.get(name.strip().upper())
    return None if found is None else Variant(INT, int(found))
