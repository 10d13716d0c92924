"""Global variables: @@ROWCOUNT and the others, read from the session or the frame (documentation: "System
functions")."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from msgspec import Struct

from sbql.engine.functions.system import PRODUCT_VERSION, VERSION_TEXT
from sbql.engine.scalars.expressions import compiles
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.grammar import ast
from sbql.grammar.types import INT, SqlType, numeric, nvarchar

__all__ = ["GLOBALS"]


class GlobalValue(Struct, frozen=True):
    """A @@ name: its type and how to read it."""

    type: SqlType
    read: Callable[[Frame], Any]


_TINYINT, _SMALLINT = SqlType("tinyint"), SqlType("smallint")
_ROWVERSION = SqlType("varbinary", length=8)


def _row_version(frame: Frame) -> bytes:
    found: bytes = frame.session.instance.tables.last_row_version
    return found


def _identity(frame: Frame) -> Any:
    value = frame.session.identity
    return None if value is None else Decimal(value)


def _cursor_rows(frame: Frame) -> int:
    cursor = frame.session.opened_last()
    return 0 if cursor is None else int(cursor.size)


GLOBALS: dict[str, GlobalValue] = {
    "@@ROWCOUNT": GlobalValue(INT, lambda frame: frame.session.rowcount),
    "@@ERROR": GlobalValue(INT, lambda frame: frame.session.error_number),
    "@@TRANCOUNT": GlobalValue(INT, lambda frame: frame.session.trancount),
    "@@FETCH_STATUS": GlobalValue(INT, lambda frame: frame.session.fetch_status),
    "@@CURSOR_ROWS": GlobalValue(INT, _cursor_rows),
    "@@SPID": GlobalValue(_SMALLINT, lambda frame: frame.session.spid),
    "@@NESTLEVEL": GlobalValue(INT, lambda frame: frame.session.nest_level),
    "@@PROCID": GlobalValue(INT, lambda frame: frame.module.id if frame.module is not None else 0),
    "@@IDENTITY": GlobalValue(numeric(38, 0), _identity),
    "@@OPTIONS": GlobalValue(INT, lambda frame: frame.session.options.bits()),
    "@@LOCK_TIMEOUT": GlobalValue(INT, lambda frame: frame.session.options.lock_timeout),
    "@@DATEFIRST": GlobalValue(_TINYINT, lambda frame: frame.session.options.datefirst),
    "@@LANGUAGE": GlobalValue(nvarchar(128), lambda frame: frame.session.options.dates.language.name),
    "@@LANGID": GlobalValue(_SMALLINT, lambda frame: frame.session.options.dates.language.langid),
    "@@TEXTSIZE": GlobalValue(INT, lambda frame: frame.session.options.textsize),
    "@@SERVERNAME": GlobalValue(nvarchar(128), lambda frame: frame.session.instance.name),
    "@@SERVICENAME": GlobalValue(nvarchar(128), lambda frame: "MSSQLSERVER"),
    "@@VERSION": GlobalValue(nvarchar(300), lambda frame: VERSION_TEXT),
    "@@MICROSOFTVERSION": GlobalValue(INT, lambda frame: int(PRODUCT_VERSION.split(".")[0]) << 24),
    "@@DBTS": GlobalValue(_ROWVERSION, _row_version),
    "@@MAX_CONNECTIONS": GlobalValue(INT, lambda frame: 32767),
    "@@MAX_PRECISION": GlobalValue(_TINYINT, lambda frame: 38),
    "@@REMSERVER": GlobalValue(nvarchar(128), lambda frame: None),
    "@@CONNECTIONS": GlobalValue(INT, lambda frame: frame.session.spid),
    "@@CPU_BUSY": GlobalValue(INT, lambda frame: 0),
    "@@IDLE": GlobalValue(INT, lambda frame: 0),
    "@@IO_BUSY": GlobalValue(INT, lambda frame: 0),
    "@@PACKET_ERRORS": GlobalValue(INT, lambda frame: 0),
    "@@PACK_RECEIVED": GlobalValue(INT, lambda frame: 0),
    "@@PACK_SENT": GlobalValue(INT, lambda frame: 0),
    "@@TIMETICKS": GlobalValue(INT, lambda frame: 31250),
    "@@TOTAL_ERRORS": GlobalValue(INT, lambda frame: 0),
    "@@TOTAL_READ": GlobalValue(INT, lambda frame: 0),
    "@@TOTAL_WRITE": GlobalValue(INT, lambda frame: 0),
}
"""Every one of `keywords.GLOBAL_VARIABLES`. The counters of the machine are 0 here."""


@compiles(ast.GlobalVariable)
def compile_global(node: ast.GlobalVariable, scope: Scope) -> Scalar:
    found = GLOBALS[node.name]
    return Scalar(found.type, found.read)
