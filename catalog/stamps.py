"""Stamps: what the store notes the commits of, so that a reader knows whether his
snapshot is too old for what he reads.

A table is stamped by its storage name when its rows are written. Decides the names of what is stamped beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sbql.catalog.changes import CatalogChange, storage_name
from sbql.catalog.records.tables import Table

__all__ = ["ANY_TABLE", "BROKER_STAMP", "definition_stamp", "definition_stamps"]

ANY_TABLE: Final = "*"
"""Stamp of definitions that did not say which tables they change."""
BROKER_STAMP: Final = "sbql"
"""Stamp of the broker tables: moves on with every fold."""


def definition_stamp(table: str) -> str:
    """The stamp of what a table is, by its storage name."""
    return f"definition of {table}"


def definition_stamps(changes: Iterable[CatalogChange]) -> Iterator[str]:
    """Of the tables that a commit creates, alters and drops."""
    for change in changes:
        if isinstance(change.record, Table):
            yield definition_stamp(storage_name(change.record.storage_schema, change.record.storage_name))
