"""Rows of the catalog relations about schema objects: objects, columns, indexes, keys, checks, foreign keys.

Decides how tables and modules are told as rows (what sys.objects and its family show). It must not know the views.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from sbql.catalog.kinds import SCHEMA_OBJECTS, object_type
from sbql.catalog.records.objects import Database, Queue
from sbql.catalog.records.tables import Column, Index, Partitioning, Table, TableConstraint, UserType
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.type_facets import facets

__all__ = [
    "TYPE_NAMES",
    "check_rows",
    "column_rows",
    "foreign_key_rows",
    "index_rows",
    "key_rows",
    "numbered_indexes",
    "object_rows",
]

TYPE_NAMES: Final = {
    "C": "CHECK_CONSTRAINT", "D": "DEFAULT_CONSTRAINT", "F": "FOREIGN_KEY_CONSTRAINT", "FN": "SQL_SCALAR_FUNCTION",
    "IF": "SQL_INLINE_TABLE_VALUED_FUNCTION", "IT": "INTERNAL_TABLE", "P": "SQL_STORED_PROCEDURE",
    "PK": "PRIMARY_KEY_CONSTRAINT", "S": "SYSTEM_TABLE", "SN": "SYNONYM", "SO": "SEQUENCE_OBJECT", "SQ": "SERVICE_QUEUE",
    "TF": "SQL_TABLE_VALUED_FUNCTION", "TR": "SQL_TRIGGER", "TT": "TYPE_TABLE", "U": "USER_TABLE",
    "UQ": "UNIQUE_CONSTRAINT", "V": "VIEW",
}  # fmt: skip

INTERNAL_TABLE_OFFSET: Final = 1_000_000_000
"""object_id of a queue's internal table is the queue's plus this."""

_Row = tuple[Any, ...]


BASE_TABLES: Final = {68: "sysxmitqueue", 71: "sysconvgroup", 72: "sysdesend", 73: "sysdercv"}
"""Base tables of the broker that scripts look up in sys.objects and sys.partitions; they cannot be read themselves."""


def object_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """database_id, object_id, name, schema_id, principal_id, parent_object_id, type, type_desc, dates,
    is_ms_shipped."""
    for cls in SCHEMA_OBJECTS:
        for record in snapshot.all(cls):
            if getattr(record, "schema_id", 0):  # not a DDL trigger
                yield _object(record)
    for table in snapshot.all(Table):
        yield from _constraints(table)
    for queue in snapshot.all(Queue):
        yield (
            queue.database_id, INTERNAL_TABLE_OFFSET + queue.id, f"queue_messages_{queue.id}", 4, None, queue.id, "IT",
            TYPE_NAMES["IT"], queue.create_date, queue.modify_date, True,
        )  # fmt: skip
    for database in snapshot.all(Database):
        for object_id, name in BASE_TABLES.items():
            yield (
                database.id, object_id, name, 4, None, 0, "S", TYPE_NAMES["S"], database.create_date, database.create_date, True,
            )  # fmt: skip
    for user_type in snapshot.all(UserType):
        if user_type.table is not None:
            shape = user_type.table
            yield (
                user_type.database_id, shape.id, f"TT_{user_type.name}_{shape.id:08X}", 4, None, 0, "TT", TYPE_NAMES["TT"],
                user_type.create_date, user_type.modify_date, False,
            )  # fmt: skip


def column_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """One row a column of tables and table types, in the order of the relation's columns."""
    user_types = {(t.database_id, t.name.lower()): t.id for t in snapshot.all(UserType)}
    for table in _all_tables(snapshot):
        for column in table.columns:
            yield _column(table, column, user_types)


def index_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """One row a column of every index and key, the column that it is partitioned by among them; a heap is one row."""
    for table in _all_tables(snapshot):
        place = (table.database_id, table.id)
        numbers = _key_index_ids(table)
        if not any(c.is_clustered for c in table.constraints) and not any(i.is_clustered for i in table.indexes):
            shape: _Row = (None, 0, 0, False, False, False, None)
            scheme, by = _partitioning(table, None)
            yield (*place, *shape, by, 0, False, False, False, False, scheme, by)
        for key in _keys(table):
            number = numbers[key.id]
            shape = (key.name, number, 1 if key.is_clustered else 2, True, key.type == "PK", key.type == "UQ", None)
            state = (False, key.ignores_duplicates, *_partitioning(table, key.partitioning))
            for ordinal, part in enumerate(key.columns, 1):
                yield (*place, *shape, part.name, ordinal, part.descending, False, *state)
        for index in table.indexes:
            number = 1 if index.is_clustered else index.index_id
            shape = (index.name, number, _index_type(index), index.is_unique, False, False, index.filter)
            scheme, by = _partitioning(table, index.partitioning)
            state = (index.is_disabled, index.ignores_duplicates, scheme, by)
            for ordinal, part in enumerate(index.columns, 1):
                yield (*place, *shape, part.name, ordinal, part.descending, False, *state)
            has_all = index.kind == "COLUMNSTORE" and index.is_clustered
            included = [c.name for c in table.columns] if has_all else index.included
            for name in included:
                yield (*place, *shape, name, 0, False, index.kind != "XML", *state)
            if by is not None and by not in {part.name for part in index.columns} | {*included}:
                yield (*place, *shape, by, 0, False, False, *state)


def _index_type(index: Index) -> int:
    """sys.indexes.type."""
    if index.kind == "XML":
        return 3
    return (5 if index.is_clustered else 6) if index.kind == "COLUMNSTORE" else 1 if index.is_clustered else 2


def _partitioning(table: Table, own: Partitioning | None) -> tuple[str | None, str | None]:
    """The partition scheme and the column of a part of a table, or of the table itself."""
    found = own or table.partitioning
    if found is None or not found.scheme:
        return None, None
    return found.scheme, next((c.name for c in table.columns if c.column_id == found.column_id), None)


def key_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for table in snapshot.all(Table):
        numbers = _key_index_ids(table)
        for key in _keys(table):
            yield table.database_id, key.id, key.name, table.id, key.type, numbers[key.id], key.is_system_named


def check_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for table in snapshot.all(Table):
        for c in table.constraints:
            if c.type == "C":
                yield (
                    table.database_id, c.id, c.name, table.id, c.condition, c.is_disabled, c.is_not_trusted, c.is_system_named
                )  # fmt: skip


def foreign_key_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """One row a column of every foreign key."""
    for table in snapshot.all(Table):
        for c in table.constraints:
            if c.type == "F":
                key_index = _key_index_of(snapshot, c, table)
                for ordinal, (part, referenced) in enumerate(zip(c.columns, c.referenced_columns, strict=False), 1):
                    yield (
                        table.database_id, c.id, c.name, table.id, c.referenced_id, c.on_delete, c.on_update, c.is_disabled,
                        c.is_not_trusted, c.is_system_named, ordinal, part.name, referenced, key_index,
                    )  # fmt: skip


def _key_index_of(snapshot: CatalogSnapshot, foreign: TableConstraint, child: Table) -> int | None:
    """The index_id of the key or unique index that a foreign key refers to: the primary key when it is that."""
    parent = snapshot.get(Table, child.database_id, foreign.referenced_id)
    wanted = {name.lower() for name in foreign.referenced_columns}
    found = [
        (getattr(key, "type", "") != "PK", number)
        for number, key in (numbered_indexes(parent) if parent is not None else ())
        if {part.name.lower() for part in key.columns} == wanted and (isinstance(key, TableConstraint) or key.is_unique)
    ]
    return min(found)[1] if found else None


def _object(record: Any) -> _Row:
    kind = object_type(record)
    return (
        record.database_id, record.id, record.name, record.schema_id, getattr(record, "principal_id", None), getattr(record, "parent_id", 0),
        kind, TYPE_NAMES[kind], record.create_date, record.modify_date, record.is_ms_shipped,
    )  # fmt: skip


def _constraints(table: Table) -> Iterator[_Row]:
    named = [(c.id, c.name, c.type) for c in table.constraints]
    named += [(c.default_id, c.default_name or "", "D") for c in table.columns if c.default is not None]
    for constraint_id, name, kind in named:
        yield (
            table.database_id, constraint_id, name, table.schema_id, None, table.id, kind, TYPE_NAMES[kind],
            table.create_date, table.modify_date, False,
        )  # fmt: skip


def _column(table: Table, column: Column, user_types: dict[tuple[int, str], int]) -> _Row:
    f = facets(column.type)
    own = column.user_type.rsplit(".", 1)[-1].strip("[]").lower() if column.user_type else None
    user_type_id = f.user_type_id
    if own == "sysname":
        user_type_id = 256
    elif own is not None:
        user_type_id = user_types.get((table.database_id, own), f.user_type_id)
    return (
        table.database_id, table.id, column.name, column.column_id, f.type_name, f.system_type_id, user_type_id,
        f.max_length, f.precision, f.scale, f.collation, column.is_nullable, column.is_rowguidcol, column.is_identity,
        column.seed, column.increment, str(column.type), column.computed, column.is_persisted, column.default, column.default_name,
        column.default_id, column.type.collection, column.is_filestream,
    )  # fmt: skip


def _all_tables(snapshot: CatalogSnapshot) -> Iterator[Table]:
    yield from snapshot.all(Table)
    for user_type in snapshot.all(UserType):
        if user_type.table is not None:  # its shape is one of tempdb, as that of every table variable
            yield msgspec.structs.replace(user_type.table, database_id=user_type.database_id)


def _keys(table: Table) -> list[TableConstraint]:
    return [c for c in table.constraints if c.type in ("PK", "UQ")]


def numbered_indexes(table: Table) -> Iterator[tuple[int, TableConstraint | Index]]:
    """Every key and index of a table with its index_id."""
    numbers = _key_index_ids(table)
    for key in _keys(table):
        yield numbers[key.id], key
    for index in table.indexes:
        yield 1 if index.is_clustered else index.index_id, index


def _key_index_ids(table: Table) -> dict[int, int]:
    """index_id of every key: 1 when clustered, else the free numbers from 2 upwards."""
    taken = {index.index_id for index in table.indexes}
    free = (number for number in range(2, 1000) if number not in taken)
    return {key.id: 1 if key.is_clustered else next(free) for key in _keys(table)}
