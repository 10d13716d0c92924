"""User tables, their columns and constraints, what they are partitioned by, user types and sequences."""

from __future__ import annotations

import msgspec

from sbql.catalog.records.objects import CatalogRecord, Module, Queue, Synonym
from sbql.grammar.types import SqlType

__all__ = [
    "Column",
    "Index",
    "KeyColumn",
    "PartitionFunction",
    "PartitionScheme",
    "Partitioning",
    "SchemaObject",
    "Sequence",
    "Table",
    "TableConstraint",
    "UserType",
]


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """`default` and `computed` are expression texts, compiled on use. `column_id` is never reused. A computed column
    that is not deterministic is worked out when it is read."""

    name: str
    column_id: int
    type: SqlType
    is_nullable: bool = True
    is_identity: bool = False
    seed: int = 1
    increment: int = 1
    default: str | None = None
    default_name: str | None = None
    default_id: int = 0
    computed: str | None = None
    is_persisted: bool = False
    is_deterministic: bool = True
    is_rowguidcol: bool = False
    is_filestream: bool = False
    user_type: str | None = None


class KeyColumn(msgspec.Struct, frozen=True, array_like=True):
    name: str
    descending: bool = False


class Partitioning(msgspec.Struct, frozen=True, array_like=True):
    """What ON says of a table, key or index: a partition scheme and the column that it
    goes by; '' and 0 for a filegroup."""

    scheme: str = ""
    column_id: int = 0


class TableConstraint(msgspec.Struct, frozen=True, kw_only=True):
    """`type` as in sys.objects: PK, UQ, C, F (defaults live on their column). For F: `columns` refer to
    `referenced_columns` of `referenced_id`; actions NO ACTION, CASCADE, SET NULL, SET DEFAULT. For C: `condition` text.
    `is_not_trusted`: rows were not checked when it was added or enabled. `ignores_duplicates`: of a key,
    IGNORE_DUP_KEY. `partitioning` of a key or index: None where no ON was written, then it lies as the table does."""

    id: int
    name: str
    type: str
    columns: tuple[KeyColumn, ...] = ()
    is_clustered: bool = False
    condition: str | None = None
    referenced_id: int = 0
    referenced_columns: tuple[str, ...] = ()
    on_delete: str = "NO ACTION"
    on_update: str = "NO ACTION"
    is_disabled: bool = False
    is_not_trusted: bool = False
    is_system_named: bool = False
    ignores_duplicates: bool = False
    partitioning: Partitioning | None = None


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """CREATE INDEX. Only `is_unique` and `ignores_duplicates` have an effect, unless `is_disabled`; the rest is kept
    for sys.indexes. `kind` is COLUMNSTORE, XML or '': only '' has `columns`, the others' columns are `included`, and a
    clustered columnstore index has all of the table and names none."""

    index_id: int
    name: str
    columns: tuple[KeyColumn, ...]
    is_unique: bool = False
    is_clustered: bool = False
    included: tuple[str, ...] = ()
    filter: str | None = None
    is_disabled: bool = False
    ignores_duplicates: bool = False
    partitioning: Partitioning | None = None
    kind: str = ""


class Table(CatalogRecord, frozen=True, kw_only=True, tag="table"):
    """A user table, temp table (`database_id` 2, `session_id` its owner; 0 for ##global) or the shape of a table type.

    `storage_schema`.`storage_name` is the DuckDB table. Its first column is the hidden row id, `"$rid"` BIGINT,
    allocated by the engine and never shown.
    """

    schema_id: int
    columns: tuple[Column, ...]
    constraints: tuple[TableConstraint, ...] = ()
    indexes: tuple[Index, ...] = ()
    storage_schema: str = ""
    storage_name: str = ""
    session_id: int = 0
    principal_id: int | None = None
    partitioning: Partitioning | None = None


class PartitionFunction(CatalogRecord, frozen=True, kw_only=True, tag="partition_function"):
    """`boundaries` in order, each in the stored form of a sql_variant (what it is sorted by, its type, its text), None
    for NULL. `is_right`: a boundary belongs to the partition on its right."""

    type: SqlType
    is_right: bool = False
    boundaries: tuple[tuple[str, str, str] | None, ...] = ()


class PartitionScheme(CatalogRecord, frozen=True, kw_only=True, tag="partition_scheme"):
    """`filegroups`: one for each partition of the function, by name. `next_used`: that of the next SPLIT."""

    function_id: int
    filegroups: tuple[str, ...]
    next_used: str | None = None


class UserType(CatalogRecord, frozen=True, kw_only=True, tag="type"):
    """CREATE TYPE. Alias type: `base`. Table type: `table`."""

    schema_id: int
    base: SqlType | None = None
    is_nullable: bool = True
    table: Table | None = None


class Sequence(CatalogRecord, frozen=True, kw_only=True, tag="sequence"):
    schema_id: int
    type: SqlType
    start: int = 1
    increment: int = 1
    minimum: int = 1
    maximum: int = 2**63 - 1
    is_cycling: bool = False
    cache: int | None = None
    """The size of CACHE, 0 for NO CACHE, None where no size was given."""


SchemaObject = Table | Module | Queue | Synonym | Sequence
"""What owns a name in a schema, as a type; `catalog.kinds.SCHEMA_OBJECTS` are the same classes."""
