"""What a table, a key and an index are partitioned by: a scheme and one column.

Decides what ON scheme(column) means for a table and everything on it, and refuses what cannot be. Rows lie in one place
all the same; who reads and writes them must not know of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from sbql.catalog.records import Column, Index, PartitionFunction, Partitioning, PartitionScheme, Table, TableConstraint
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.grammar.ast import DataSpace
from sbql.grammar.errors import sql_error

__all__ = ["partitioned_by", "partitioning", "settled"]


def partitioning(columns: Sequence[Column], storage: DataSpace | None) -> Partitioning | None:
    """What a storage clause says. Raises 2726 for several columns, 1911."""
    if storage is None:
        return None
    if not storage.is_scheme:
        return Partitioning()
    if len(storage.columns) > 1:
        raise sql_error(2726, storage.name.value, span=storage.span)
    name = storage.columns[0].value
    found = next((c for c in columns if c.name.lower() == name.lower()), None)
    if found is None:
        raise sql_error(1911, name, span=storage.columns[0].span)
    return Partitioning(storage.name.value, found.column_id)


def settled(catalog: CatalogSnapshot, table: Table) -> Table:
    """The table after its clustered index, which is the table. Raises 7724, 7726, 1908."""
    clustered = next((part for part in _parts(table) if part.is_clustered), None)
    if clustered is not None and clustered.partitioning not in (None, table.partitioning):
        table = msgspec.structs.replace(table, partitioning=clustered.partitioning)
    if table.partitioning is not None:
        _check_type(catalog, table, table.partitioning)
    for part in _parts(table):
        found = part.partitioning or table.partitioning
        if found is not None and found.scheme:
            column = _check_type(catalog, table, found)
            is_unique = part.is_unique if isinstance(part, Index) else True
            if column is not None and is_unique and column.name not in {key.name for key in part.columns}:
                raise sql_error(1908, column.name, part.name)
    return table


def partitioned_by(table: Table) -> Iterator[Partitioning]:
    """Every scheme and column that the table or something on it is partitioned by."""
    for found in (table.partitioning, *(part.partitioning for part in _parts(table))):
        if found is not None and found.scheme:
            yield found


def _parts(table: Table) -> list[TableConstraint | Index]:
    return [*(c for c in table.constraints if c.type in ("PK", "UQ")), *table.indexes]


def _check_type(catalog: CatalogSnapshot, table: Table, found: Partitioning) -> Column | None:
    scheme = catalog.find(PartitionScheme, table.database_id, found.scheme)
    function = scheme and catalog.get(PartitionFunction, table.database_id, scheme.function_id)
    column = next((c for c in table.columns if c.column_id == found.column_id), None)
    if not function or column is None:
        return None
    if column.computed is not None and not column.is_persisted:
        raise sql_error(7724, column.name)
    own, wanted = column.type, function.type
    if own.with_collation(None) != wanted.with_collation(None):
        raise sql_error(7726, column.name, str(own), function.name, str(wanted))
    return column
