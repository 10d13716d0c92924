"""Temp tables and temp procedures as tempdb's own catalog views show them: a #table under its long name.

Decides that name, and who sees whose: everybody his own, with VIEW SERVER STATE
everybody's. It must not know the views.
"""

from __future__ import annotations

import msgspec

from sbql.catalog.records import CatalogRecord
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.ports import Session
from sbql.engine.security import has_right, visible_catalog

__all__ = ["catalog_with_temp", "stored_name"]

_PADDED, _DIGITS = 116, 12


def stored_name(record: CatalogRecord) -> str:
    """The name in tempdb: that of a #table is filled up with underscores and ends in a number of its own."""
    if not record.name.startswith("#") or record.name.startswith("##"):
        return record.name
    return f"{record.name[:_PADDED]:_<{_PADDED}}{abs(record.id):0{_DIGITS}X}"


def catalog_with_temp(session: Session) -> CatalogSnapshot:
    """The catalog that the session may see, with the temp objects that it may see. Kept while they are the same."""
    snapshot = visible_catalog(session)
    instance = session.instance
    sees_all = has_right(session, "VIEW SERVER STATE", "SERVER")
    found: dict[int, CatalogRecord] = {}
    for other in list(instance.sessions.values()) if sees_all else [session]:
        hidden = [entry[0] for entry in list(other.temp_creations)]
        for record in (*list(other.temp_tables.values()), *list(other.temp_modules.values()), *hidden):
            found[record.id] = record
    for record in (*list(instance.global_temp_tables.values()), *list(instance.global_temp_modules.values())):
        found[record.id] = record
    for record in list(session.temp_tables.values()):
        found[record.id] = record
    key = tuple(map(id, found.values()))
    kept = snapshot.derived.get("with temp")
    if kept is None or kept[0] != key:
        named = [msgspec.structs.replace(record, name=stored_name(record)) for record in found.values()]
        kept = snapshot.derived["with temp"] = (key, snapshot.with_records(named) if named else snapshot)
    with_temp: CatalogSnapshot = kept[1]
    return with_temp
