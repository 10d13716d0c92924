"""CatalogSnapshot: all catalog records at one moment, immutable.

A transaction that runs DDL works on its own snapshot and publishes it at commit; ROLLBACK, also to a savepoint, is
putting an older snapshot back. Only one transaction at a time holds the DDL lock, so publishing never merges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, TypeVar, cast

from sbql.catalog.kinds import KINDS, SCHEMA_OBJECTS
from sbql.catalog.records.objects import CatalogRecord, Queue
from sbql.catalog.records.tables import SchemaObject, Table, UserType

__all__ = ["CatalogSnapshot"]

R = TypeVar("R", bound=CatalogRecord)

_VERSIONS = count(1)

CASE_SENSITIVE = frozenset(kind.record for kind in KINDS if kind.is_case_sensitive)
"""Classes whose names compare byte by byte (reference: names that travel)."""


def _key(record: CatalogRecord) -> tuple[Any, ...]:
    """The unique key of a record within its namespace. Tables, queues, modules, synonyms and sequences share one."""
    name = record.name if type(record) in CASE_SENSITIVE else record.name.lower()
    schema = getattr(record, "schema_id", 0)
    if isinstance(record, SCHEMA_OBJECTS):
        session = record.session_id if isinstance(record, Table) else 0
        return ("object", record.database_id, schema, name, session)
    return (type(record).__name__, record.database_id, schema, name)


def _last_of(record: CatalogRecord) -> int:
    """The highest id in a record: constraints and defaults of a table are objects, too."""
    table = record.table if isinstance(record, UserType) else record
    if not isinstance(table, Table):
        return record.id
    parts = [*(c.id for c in table.constraints), *(c.default_id for c in table.columns)]
    return max([record.id, table.id, *parts])


class Ids:
    """The highest id that anything has had, one for all snapshots that came of each other: what a ROLLBACK throws away
    leaves its id behind, for sessions may still know it (SET IDENTITY_INSERT, EXECUTE AS)."""

    __slots__ = ("last",)

    def __init__(self, last: int) -> None:
        self.last = last


class CatalogSnapshot:
    """Immutable: `with_record` and `without` return a new snapshot. `version` is no other's in this process,
    also of one that a ROLLBACK has thrown away, and keys what is bound to names. `derived` keeps what was
    computed from this snapshot, by name."""

    __slots__ = ("_by_id", "_by_key", "_ids", "_listed", "derived", "version")

    def __init__(
        self,
        by_key: dict[tuple[Any, ...], CatalogRecord] | None = None,
        by_id: dict[tuple[type, int, int], CatalogRecord] | None = None,
        ids: Ids | None = None,
        listed: dict[type, list[Any]] | None = None,
    ) -> None:
        self._by_key = by_key or {}
        self._by_id = by_id or {}
        self._listed = listed or {}  # what `all` has given, by class; a change of one class leaves the others
        self.version = next(_VERSIONS)
        self._ids = ids if ids is not None else Ids(65535)
        self.derived: dict[str, Any] = {}

    @classmethod
    def of(cls, records: Iterable[CatalogRecord]) -> CatalogSnapshot:
        """A snapshot of these records, made at once."""
        by_id = {(type(r), r.database_id, r.id): r for r in records}
        by_key = {_key(r): r for r in by_id.values()}
        return cls(by_key, by_id, Ids(max([65535, *map(_last_of, by_id.values())])))

    def with_record(self, record: CatalogRecord, *, old: CatalogRecord | None = None) -> CatalogSnapshot:
        """Add `record`, or replace the one with its class, database and id (`old` may be passed to save a look-up)."""
        by_key, by_id = dict(self._by_key), dict(self._by_id)
        ident = (type(record), record.database_id, record.id)
        previous = old or by_id.get(ident)
        if previous is not None:
            by_key.pop(_key(previous), None)
        by_key[_key(record)] = record
        by_id[ident] = record
        self._ids.last = max(self._ids.last, _last_of(record))
        return CatalogSnapshot(by_key, by_id, self._ids, self._listed_but({type(record)}))

    def with_records(self, records: Iterable[CatalogRecord]) -> CatalogSnapshot:
        """Add or replace many records at once."""
        by_key, by_id, last = dict(self._by_key), dict(self._by_id), self._ids.last
        records = list(records)
        for record in records:
            ident = (type(record), record.database_id, record.id)
            if ident in by_id:
                by_key.pop(_key(by_id[ident]), None)
            by_key[_key(record)] = by_id[ident] = record
            last = max(last, _last_of(record))
        self._ids.last = last
        return CatalogSnapshot(by_key, by_id, self._ids, self._listed_but({type(record) for record in records}))

    def without(self, record: CatalogRecord) -> CatalogSnapshot:
        return self.without_records([record])

    def without_records(self, records: Iterable[CatalogRecord]) -> CatalogSnapshot:
        """Remove many records at once."""
        by_key, by_id = dict(self._by_key), dict(self._by_id)
        records = list(records)
        for record in records:
            del by_key[_key(record)]
            del by_id[(type(record), record.database_id, record.id)]
        return CatalogSnapshot(by_key, by_id, self._ids, self._listed_but({type(record) for record in records}))

    def _listed_but(self, changed: set[type]) -> dict[type, list[Any]]:
        return {cls: found for cls, found in list(self._listed.items()) if cls not in changed}

    @property
    def by_id(self) -> Mapping[tuple[type, int, int], CatalogRecord]:
        """Every record by its class, database_id and id."""
        return self._by_id

    @property
    def last_id(self) -> int:
        """The highest id that an object has or, in this process, has had."""
        return self._ids.last

    def next_id(self) -> int:
        """An id for a new record: unique in the instance, from 65536 upwards. What was dropped or rolled back keeps its
        own for this process."""
        return self.last_id + 1

    def get(self, cls: type[R], database_id: int, record_id: int) -> R | None:
        known: Mapping[tuple[type, int, int], Any] = self._by_id
        found: R | None = known.get((cls, database_id, record_id))
        return found

    def queue_of_id(self, queue_id: int) -> Queue | None:
        """The queue of this id, whatever database it is in: ids of objects are unique in the instance."""
        known: dict[int, Queue] | None = self.derived.get("queues by id")
        if known is None:
            known = self.derived["queues by id"] = {queue.id: queue for queue in self.all(Queue)}
        return known.get(queue_id)

    def find(self, cls: type[R], database_id: int, name: str, schema_id: int = 0, session_id: int = 0) -> R | None:
        """The record of this class by name. For schema objects give `schema_id`; for a temp table its session too."""
        folded = name if cls in CASE_SENSITIVE else name.lower()
        if issubclass(cls, SCHEMA_OBJECTS):
            found = self._by_key.get(("object", database_id, schema_id, folded, session_id))
        else:
            found = self._by_key.get((cls.__name__, database_id, schema_id, folded))
        return found if isinstance(found, cls) else None

    def find_object(self, database_id: int, schema_id: int, name: str) -> SchemaObject | None:
        """Whatever owns this name among tables, queues, procedures, views, functions, triggers, synonyms, sequences."""
        return cast("SchemaObject | None", self._by_key.get(("object", database_id, schema_id, name.lower(), 0)))

    def all(self, cls: type[R], database_id: int | None = None) -> Iterator[R]:
        """All records of a class (of one database), in order of id."""
        found = self._listed.get(cls)
        if found is None:
            found = [r for (c, _, _), r in self._by_id.items() if c is cls]
            found.sort(key=lambda r: (r.database_id, r.id))
            self._listed[cls] = found
        if database_id is not None:
            return iter([r for r in found if r.database_id == database_id])
        return iter(found)

    def records(self) -> Iterator[CatalogRecord]:
        return iter(self._by_id.values())
