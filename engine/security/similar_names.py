"""Did you mean …? For names that nothing has: the object, column or database that looks most like it.

Only what the session may see is told. It must not decide which error is raised; it makes the sentence that follows the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sbql.catalog.records import Database, Module, Queue, Schema, Sequence, Synonym, Table
from sbql.catalog.views import system_views
from sbql.engine.ports import Session
from sbql.engine.security import visible_catalog
from sbql.grammar.ast import ObjectName
from sbql.grammar.suggestions import did_you_mean

__all__ = ["similar_database", "similar_object", "similar_procedure"]

_OBJECTS = (Table, Module, Queue, Synonym, Sequence)
_SYSTEM_DATABASES = 4


def similar_object(session: Session, name: ObjectName) -> str:
    """For a table, view, queue or other object: one of a like name, of another schema, or in another database; '' if there is none."""
    if name.name.startswith("#") or name.server:
        return did_you_mean(name.name, [table.name for table in session.temp_tables.values()])
    if (name.schema or "").lower() in ("sys", "information_schema"):
        return did_you_mean(str(name), [f"{view.schema}.{view.name}" for view in system_views()])
    snapshot = visible_catalog(session)
    database = snapshot.find(Database, 0, name.database) if name.database else session.database
    if database is None:
        return similar_database(session, name.database or "")
    folded = name.name.lower()
    records: list[Any] = [record for kind in _OBJECTS for record in snapshot.all(kind, database.id)]
    for record in records:
        schema = snapshot.get(Schema, database.id, record.schema_id)
        if record.name.lower() == folded and schema is not None:
            return f"Did you mean {schema.name}.{record.name}?"
    close = did_you_mean(name.name, [record.name for record in records])
    if close or name.database:
        return close
    for other in snapshot.all(Database):
        if other.id > _SYSTEM_DATABASES and other.id != database.id:
            if any(record.name.lower() == folded for kind in _OBJECTS for record in snapshot.all(kind, other.id)):
                return f"The database {other.name} has one: USE {other.name} first."
    return ""


def similar_procedure(session: Session, name: ObjectName, others: Iterable[str]) -> str:
    """For a procedure: one of a like name, of the system too (`others`), or a statement that is misspelled."""
    found = similar_object(session, name)
    return found or (did_you_mean(name.name, others) if not name.schema and not name.database else "")


def similar_database(session: Session, name: str) -> str:
    return did_you_mean(name, [database.name for database in visible_catalog(session).all(Database)])
