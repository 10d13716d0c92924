"""SessionView: what expressions and built-in functions ask of a session, and nothing more.

A Protocol, so that this room does not import the session and unit tests can pass something small. The session's own
interface (docs/session-interface.md) has all of it.
"""

from __future__ import annotations

from typing import Any, Protocol
from uuid import UUID

from sbql.catalog.snapshot import CatalogSnapshot
from sbql.grammar.errors import SqlError
from sbql.grammar.values.languages import DateFormat

__all__ = ["HostView", "InstanceView", "OptionsView", "SessionView"]


class HostView(Protocol):
    """The clock, chance and GUIDs. Times are seconds since 1970-01-01 UTC."""

    def now(self) -> float: ...

    def utc_offset_minutes(self) -> int: ...

    def new_guid(self) -> UUID: ...

    def random(self) -> float: ...


class InstanceView(Protocol):
    @property
    def host(self) -> HostView: ...


class OptionsView(Protocol):
    """SET options that values depend on."""

    ansi_nulls: bool
    ansi_padding: bool
    ansi_warnings: bool
    arithabort: bool
    arithignore: bool
    deviations: int
    concat_null_yields_null: bool
    numeric_roundabort: bool
    quoted_identifier: bool
    dates: DateFormat
    datefirst: int
    lock_timeout: int
    textsize: int
    context_info: bytes | None

    def bits(self) -> int: ...


class SessionView(Protocol):
    """A session as an expression sees it. `user` and `login` are Principal records of the current execution context;
    `errors` is the stack of caught errors, innermost last."""

    spid: int
    database_id: int
    trancount: int
    rowcount: int
    error_number: int
    fetch_status: int
    identity: Any
    nest_level: int
    errors: list[SqlError]
    options: Any
    transaction: Any
    cursors: dict[str, Any]
    context_values: dict[str, Any]
    program_name: str

    @property
    def instance(self) -> Any: ...

    @property
    def catalog(self) -> CatalogSnapshot: ...

    @property
    def database_name(self) -> str: ...

    @property
    def user(self) -> Any: ...

    @property
    def login(self) -> Any: ...

    def resolve(self, name: Any, *kinds: Any, missing_ok: bool = False) -> Any: ...
