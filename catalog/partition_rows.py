"""Rows of the catalog relations about partition functions and schemes.

Decides how their records are told as rows; ids in views are above those of filegroups. It must not know the views.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sbql.catalog.records.tables import PartitionFunction, PartitionScheme
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.type_facets import facets

__all__ = ["partition_function_rows", "partition_place_rows", "partition_scheme_rows", "partition_value_rows"]

_Row = tuple[Any, ...]
_FIRST: Final = 65536
"""What the ids of functions and the data spaces of schemes begin above."""


def partition_function_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """One row a function, with its parameter."""
    for f in snapshot.all(PartitionFunction):
        known = facets(f.type)
        yield (
            f.database_id, _FIRST + f.id, f.name, f.is_right, len(f.boundaries) + 1, f.create_date, f.modify_date, known.system_type_id,
            known.user_type_id, known.max_length, known.precision, known.scale, known.collation,
        )  # fmt: skip


def partition_value_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """One row a boundary; the value as a sql_variant is stored."""
    for f in snapshot.all(PartitionFunction):
        for number, stored in enumerate(f.boundaries, 1):
            yield (f.database_id, _FIRST + f.id, number, *(stored or (None, None, None)))


def partition_scheme_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for s in snapshot.all(PartitionScheme):
        yield s.database_id, _FIRST + s.id, s.name, _FIRST + s.function_id


def partition_place_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """One row a partition with the name of its filegroup, and one for what is used next."""
    for s in snapshot.all(PartitionScheme):
        for number, name in enumerate((*s.filegroups, *([s.next_used] if s.next_used is not None else [])), 1):
            yield s.database_id, _FIRST + s.id, number, name
