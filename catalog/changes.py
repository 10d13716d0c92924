"""What passes through the store's door: row images, definitions, catalog changes, local tables, results.

Plain values without behaviour. Rows hold stored values (see duck_types.to_store); the hidden row id `"$rid"` is the
first column of every user table and the first value of every row. A `table` is the qualified, quoted DuckDB name that
`storage_name()` makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from operator import is_not
from typing import Any, Final

from msgspec import Struct, field

from sbql.catalog.duck_types import quote
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.records.broker import (
    ConversationEndpoint,
    ConversationGroup,
    MonologMember,
    MonologMessage,
    QueuedMessage,
    TransmissionMessage,
)
from sbql.catalog.records.deliveries import AnsweredRequest, Consumer, QuerySubscription, SentBatch, SinkDialog
from sbql.catalog.records.objects import CatalogRecord
from sbql.catalog.records.tables import Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.stored_messages import HeldNumbers, TransmissionNumbers
from sbql.catalog.unread_endpoints import UnreadEndpoints
from sbql.catalog.unread_messages import UnreadMessages

__all__ = [
    "ROW_ID",
    "TEMP",
    "CatalogChange",
    "Definition",
    "DeleteRows",
    "DropRecord",
    "InsertRows",
    "LocalTable",
    "Page",
    "PutRecord",
    "RowChange",
    "Rows",
    "StoredState",
    "UpdateRows",
    "creation_of",
    "snapshot_changes",
    "storage_name",
]

ROW_ID: Final = "$rid"
TEMP: Final = "temp.main"
"""`storage_schema` of a session's own temp tables."""


def storage_name(schema: str, name: str) -> str:
    """The DuckDB name of a table: `storage_name("D.dbo", "t")` is `"D.dbo"."t"`; schema TEMP gives `temp.main."t"`."""
    return f"{TEMP}.{quote(name)}" if schema == TEMP else f"{quote(schema)}.{quote(name)}"


class InsertRows(Struct, frozen=True):
    """`columns` names every value of a row, the row id first."""

    table: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


class UpdateRows(Struct, frozen=True):
    """`columns` is the row id and the columns that change; `old` the rows before, for whoever reads the redo list."""

    table: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    old: Sequence[Sequence[Any]] = ()


class DeleteRows(Struct, frozen=True):
    """Rows that go, by their row ids."""

    table: str
    row_ids: Sequence[int]


class Definition(Struct, frozen=True):
    """DDL for DuckDB, in which the names of tables are marked (marked_sql.py, `creation_of`): it is done to copies of
    them, too. `tables` are the storage names that it changes; empty means: may change any."""

    sql: str
    tables: tuple[str, ...] = ()

    @property
    def marked(self) -> MarkedSql:
        return MarkedSql.of(self.sql)


def creation_of(table: str) -> str:
    """What is marked in the text that creates a table: the kind belongs to it."""
    return f"TABLE {table}"


RowChange = InsertRows | UpdateRows | DeleteRows | Definition


class PutRecord(Struct, frozen=True):
    """A record as it is now. `is_new`: there is none to replace."""

    record: CatalogRecord
    is_new: bool = False


class DropRecord(Struct, frozen=True):
    """A record that goes."""

    record: CatalogRecord


CatalogChange = PutRecord | DropRecord


class LocalTable(Struct, frozen=True):
    """Rows that live in memory, readable in one query under `name` (a bare DuckDB identifier, unquoted).

    `columns` are (name, DuckDB type). The rows are loaded again only when `version` differs (by ==) from the version
    that this session loaded last; an object that stands for the contents is a good version.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    rows: Sequence[Sequence[Any]]
    version: object


class Rows(Struct):
    """A result, read to its end: tuples of stored values."""

    rows: list[tuple[Any, ...]]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


Page = tuple[list[tuple[Any, ...]], bool]
"""Some rows of a result, and whether more may follow."""


class StoredState(Struct):
    """Everything a store holds but user rows. `is_new`: nothing was ever committed here; bootstrap it."""

    snapshot: CatalogSnapshot
    endpoints: Sequence[ConversationEndpoint] = ()
    groups: Sequence[ConversationGroup] = ()
    messages: list[QueuedMessage] = field(default_factory=list)
    transmissions: list[TransmissionMessage] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
    is_new: bool = False
    members: list[MonologMember] = field(default_factory=list)
    retained: list[MonologMessage] = field(default_factory=list)
    consumers: list[Consumer] = field(default_factory=list)
    held: list[HeldNumbers] = field(default_factory=list)
    """What was delivered to consumers and is not acknowledged, in the order of their logs."""
    sent_batches: list[SentBatch] = field(default_factory=list)
    sink_dialogs: list[SinkDialog] = field(default_factory=list)
    requests: list[AnsweredRequest] = field(default_factory=list)
    subscriptions: list[QuerySubscription] = field(default_factory=list)
    waiting: Iterable[TransmissionNumbers] = ()
    """Those that are not in `transmissions`, because there are many. Read once, after `endpoints`."""
    places: Sequence[int] = ()
    """Where each of `endpoints` stands in its table."""
    unread: UnreadEndpoints | None = None
    """Endpoints that are not in `endpoints`, because there are many."""
    unread_messages: UnreadMessages | None = None
    """The same of `messages`."""


def snapshot_changes(old: CatalogSnapshot, new: CatalogSnapshot) -> list[CatalogChange]:
    """What leads from `old` to `new`. Temp tables of a session are left out: they are never stored."""
    before, after = old.by_id, new.by_id
    # Most records are the same objects: no Python for those.
    put = list(compress(after.items(), map(is_not, map(before.get, after), after.values())))
    added = sum(k not in before for k, _ in put)
    changes: list[CatalogChange] = []
    if len(before) + added > len(after):
        changes += [DropRecord(r) for k, r in before.items() if k not in after and _is_stored(r)]
    changes += [PutRecord(r, k not in before) for k, r in put if _is_stored(r)]
    return changes


def _is_stored(record: CatalogRecord) -> bool:
    return not (isinstance(record, Table) and record.session_id)
