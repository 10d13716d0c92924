"""Did you mean …? For names that nothing has: the object, column, database, broker object
or principal that looks most like it.

Only what the session may see is told. It must not decide which error is raised; it makes
the sentence that follows the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sbql.catalog.kinds import SCHEMA_OBJECTS, Kind, kind_named, kind_of
from sbql.catalog.records import CatalogRecord, Database, Schema
from sbql.catalog.views import system_views
from sbql.engine.ports import Session
from sbql.engine.security import may, visible_catalog
from sbql.grammar.ast import ObjectName
from sbql.grammar.errors import SqlError
from sbql.grammar.messages import message
from sbql.grammar.names import parse_object_name
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.syntax_errors import LISTED_IN

__all__ = ["advise_name", "similar_database", "similar_object", "similar_procedure"]

_SYSTEM_DATABASES = 4


def similar_object(session: Session, name: ObjectName, wanted: str = "") -> str:
    """For a table, view, queue or other object: one of a like name, of another schema, or in another database; '' if
    there is none. `wanted`: the kind, where an error says it that comes without a right, too."""
    if name.name.startswith("#") or name.server:
        return did_you_mean(name.name, [table.name for table in session.temp_tables.values()])
    if (name.schema or "").lower() in ("sys", "information_schema"):
        return did_you_mean(str(name), [f"{view.schema}.{view.name}" for view in system_views()])
    snapshot = visible_catalog(session)
    database = snapshot.find(Database, 0, name.database) if name.database else session.database
    if database is None:
        return similar_database(session, name.database or "")
    folded = name.name.lower()
    records: list[Any] = [record for kind in SCHEMA_OBJECTS for record in snapshot.all(kind, database.id)]
    alike = [record for record in records if record.name.lower() == folded]
    schemas = {record.id: snapshot.get(Schema, database.id, record.schema_id) for record in alike}
    meant = (name.schema or session.user.default_schema or "dbo").lower()
    for record in alike:
        schema = schemas[record.id]
        if schema is not None and schema.name.lower() in (meant, "" if name.schema else "dbo"):
            kind = kind_of(record)
            if kind is not None and kind.noun == wanted:
                return _there(session, record)
            told = f"{schema.name}.{record.name} is a {kind.noun if kind else 'thing'}, which cannot stand here."
            if name.schema and kind is not None and kind.noun in ("table", "view"):
                told += f" [{schema.name}.{record.name}] is one name with a dot in it: write [{schema.name}].[{record.name}]."
            return told
    for record in alike:
        schema = schemas[record.id]
        if schema is not None:
            return f"Did you mean {schema.name}.{record.name}?"
    close = did_you_mean(name.name, [record.name for record in records])
    if close or name.database:
        return close
    for other in snapshot.all(Database):
        if other.id > _SYSTEM_DATABASES and other.id != database.id:
            there: list[Any] = [record for kind in SCHEMA_OBJECTS for record in snapshot.all(kind, other.id)]
            for record in there:
                schema = snapshot.get(Schema, other.id, record.schema_id)
                if record.name.lower() == folded and schema is not None:
                    return f"The database {other.name} has one: USE {other.name} first, or write {other.name}.{schema.name}.{record.name}."
    others = database.id <= _SYSTEM_DATABASES and any(other.id > _SYSTEM_DATABASES for other in snapshot.all(Database))
    return f"The session is in {database.name}: USE changes to another database." if others else ""


def _there(session: Session, *records: CatalogRecord) -> str:
    """About what has the name and is of the kind that the error says is not there."""
    if any(may(session, "CONTROL", record) for record in records):
        return "There is one of that name, but not one for this statement."
    return "It is there: what you lack is the permission."


def similar_procedure(session: Session, name: ObjectName, others: Iterable[str]) -> str:
    """For a procedure: one of a like name, of the system too (`others`), or a statement that is misspelled."""
    statement = did_you_mean(name.name, others) if not name.schema and not name.database else ""
    found = similar_object(session, name)
    return found if not statement or found.startswith("Did you mean") else statement


def similar_database(session: Session, name: str) -> str:
    return did_you_mean(name, [database.name for database in visible_catalog(session).all(Database)])


_NAMED = {8423: "service", 8425: "contract", 9611: "user"}
"""Errors whose one argument is the name of such a thing."""


_ELSEWHERE = "Look at its schema, and at the database that the session is in: USE changes it."
_ELSE = {
    208: _ELSEWHERE,
    2812: _ELSEWHERE,
}
"""What errors about a name say when nothing looks like it."""

_OBJECTS = (3701, 4902)
"""Errors whose last argument is the name of an object that is not there, and the second its kind."""


def _similar_in(session: Session, kind: str, name: str) -> str:
    if kind == "database":
        return similar_database(session, name)
    return similar_object(session, parse_object_name(name), kind) if kind not in ("index", "statistics") else ""


def _similar_written(session: Session, text: str) -> str:
    try:
        return similar_object(session, parse_object_name(text))
    except SqlError:
        return ""


def advise_name(session: Session, error: SqlError) -> None:
    """Say more in an error that names what is not there, or what the user has no right on: what may have been meant,
    else where those that are there are listed."""
    arguments, error.arguments = error.arguments, ()
    if error.number == 15151 and len(arguments) == 3:
        words, name = str(arguments[1]).lower(), str(arguments[2])
        if words == "master key":
            error.advise(f"Run USE [{name}]; CREATE MASTER KEY ENCRYPTION BY PASSWORD = '…' if there is none.")
    elif error.number in _OBJECTS and arguments:
        kind_word = str(arguments[1]) if len(arguments) > 1 else ""
        error.advise(_similar_in(session, kind_word, str(arguments[-1])) or _ELSEWHERE)
        return
    elif error.number in _ELSE and error.message == message(error.number).format(*arguments):
        error.advise(_similar_written(session, str(arguments[0])) or _ELSE[error.number])
        return
    elif error.number in _NAMED and arguments:
        words, name = _NAMED[error.number], str(arguments[0])
    else:
        return
    kind = kind_named(words.upper())
    if kind is not None:
        found = _similar_named(session, kind, name)
        if not found and error.number == 15151 and words.upper() in LISTED_IN:
            found = f"{LISTED_IN[words.upper()]} lists those that you may see."
        error.advise(found)


def _similar_named(session: Session, kind: Kind, name: str) -> str:
    """A sentence about the thing of this kind that may have been meant; '' when nothing looks like it."""
    snapshot = visible_catalog(session)
    database_id = 0 if kind.on_server else session.database_id
    records: list[Any] = list(snapshot.all(kind.record, database_id))
    names = [record.name for record in records]
    if name in names:
        return _there(session, *(record for record in records if record.name == name))
    same = next((one for one in names if one.lower() == name.lower()), None)
    if same is not None:
        return f"Did you mean {same}? These names are case sensitive." if kind.is_case_sensitive else ""
    close = did_you_mean(name, names)
    if close or database_id == 0:
        return close
    for other in snapshot.all(Database):
        if other.id > _SYSTEM_DATABASES and other.id != database_id:
            if any(record.name == name for record in snapshot.all(kind.record, other.id)):
                return f"The database {other.name} has one: USE {other.name} first."
    return ""
