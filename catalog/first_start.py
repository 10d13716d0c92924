"""The first start of a store: the system databases of `bootstrap` are written to it and committed."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from sbql.catalog.bootstrap import database_definitions, system_catalog
from sbql.catalog.changes import snapshot_changes
from sbql.catalog.records import Database
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.store import Store

__all__ = ["bootstrap"]


def bootstrap(store: Store, now: float, new_guid: Callable[[], UUID]) -> CatalogSnapshot:
    """Give a new store (`load().is_new`) its system databases. Returns their catalog."""
    snapshot = system_catalog(now, new_guid)
    session = store.connect()
    try:
        unit = session.begin()
        for database in snapshot.all(Database):
            for definition in database_definitions(database.name):
                unit.apply(definition)
        unit.commit(snapshot_changes(CatalogSnapshot(), snapshot), [])
    finally:
        session.close()
    return snapshot
