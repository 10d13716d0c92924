"""Metadata functions that turn names into ids and back: OBJECT_ID, DB_NAME, SCHEMA_ID, TYPE_NAME … NULL for what is not
there.

They read the catalog as the session sees it. Names compare without case.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sbql.catalog.kinds import SCHEMA_OBJECTS, object_type
from sbql.catalog.records import Database, Module, Schema, Table, UserType
from sbql.engine.describe.system_modules import system_module
from sbql.engine.describe.system_objects import SystemObject, find_system_object, system_object
from sbql.engine.describe.temp_objects import stored_name
from sbql.engine.functions.strings import name_parts
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import may, token
from sbql.engine.security.permissions import is_visible
from sbql.engine.security.resolver import resolve
from sbql.grammar.ast import Identifier, ObjectName
from sbql.grammar.errors import SqlError
from sbql.grammar.types import INT, NVARCHAR_MAX, SYSNAME, SqlType

__all__ = ["SYSTEM_TYPE_NAMES", "find_by_id", "find_object", "object_kind", "parsed_name"]

_SMALLINT = SqlType("smallint")
_SYSTEM_IDS = 1_000_000_000
"""Ids of system objects are below this, negated; those of temp tables between."""

SYSTEM_TYPE_IDS = {
    "image": 34, "text": 35, "uniqueidentifier": 36, "date": 40, "time": 41, "datetime2": 42, "datetimeoffset": 43, "tinyint": 48,
    "smallint": 52, "int": 56, "smalldatetime": 58, "real": 59, "money": 60, "datetime": 61, "float": 62, "sql_variant": 98,
    "ntext": 99, "bit": 104, "decimal": 106, "numeric": 108, "smallmoney": 122, "bigint": 127, "varbinary": 165, "varchar": 167,
    "binary": 173, "char": 175, "timestamp": 189, "nvarchar": 231, "nchar": 239, "xml": 241, "sysname": 256,
}  # fmt: skip
"""user_type_id of the system types."""


def parsed_name(name: str) -> ObjectName | None:
    """A name given as a value; blanks around it do not count."""
    parts = name_parts(name.strip())
    if not parts[-1] or len(parts) > 4:
        return None
    return ObjectName(tuple(Identifier(p) if p else None for p in parts))


def _table_constraints(table: Table) -> Any:
    yield from ((c.id, c.name, c.type) for c in table.constraints)
    yield from ((c.default_id, c.default_name, "D") for c in table.columns if c.default_name)


def _constraint(frame: Frame, name: str) -> tuple[int, str] | None:
    """Id and type of a constraint of this name in the current database."""
    for table in frame.session.catalog.all(Table, frame.session.database_id):
        for constraint_id, constraint_name, kind in _table_constraints(table):
            if constraint_name and constraint_name.lower() == name.lower():
                return constraint_id, kind
    return None


def object_kind(record: Any) -> str:
    """The type column of sys.objects."""
    if isinstance(record, SystemObject):
        return record.type
    return object_type(record)


def find_object(frame: Frame, name: str) -> Any:
    """The record of a one- to three-part name; temp tables too (`tempdb..#t`). None when there is none."""
    parsed = parsed_name(name)
    if parsed is None:
        return None
    try:
        with frame.session.names_of_user():
            return resolve(frame.session, parsed, *SCHEMA_OBJECTS, missing_ok=True)
    except SqlError:
        return None


def find_by_id(frame: Frame, object_id: int, database_id: int | None = None) -> Any:
    """The table, queue, module, synonym, sequence or system object with this id."""
    catalog = frame.session.catalog
    if object_id < -_SYSTEM_IDS:
        return system_object(object_id)
    for record in frame.session.temp_tables.values() if object_id < 0 else ():
        if record.id == object_id:
            return record
    for kind in SCHEMA_OBJECTS:
        found = catalog.get(kind, frame.session.database_id if database_id is None else database_id, object_id)
        if found is not None:
            return _seen(frame, found)
    return None


def _seen(frame: Frame, record: Any) -> Any:
    """The record, if the user may see that it exists."""
    if record is None or frame.session.contexts[-1].is_sa or record in frame.session.temp_tables.values():
        return record
    return record if is_visible(frame.session.catalog, token(frame.session, record.database_id), record) else None


@function("OBJECT_ID", INT, [NVARCHAR_MAX, SYSNAME], optional=1, null_on_null=False, needs_frame=True)
def _object_id(frame: Frame, name: str | None, kind: str | None = None) -> int | None:
    if name is None:
        return None
    wanted = kind.strip().upper() if kind else None
    found = _seen(frame, find_object(frame, name))
    if found is not None and (
        wanted is None or object_kind(found) == wanted or (wanted == "P" and object_kind(found) == "PC")
    ):
        return int(found.id)
    parsed = parsed_name(name)
    if parsed is None:
        return None
    constraint = _constraint(frame, parsed.name)
    if constraint is not None and wanted in (None, constraint[1]):
        return constraint[0]
    system = find_system_object(parsed) if found is None else None
    return system.object_id if system is not None and wanted in (None, system.type) else None


@function("OBJECT_NAME", SYSNAME, [INT, INT], optional=1, needs_frame=True)
def _object_name(frame: Frame, object_id: int, database_id: int | None = None) -> str | None:
    found = find_by_id(frame, object_id, database_id)
    if found is not None:
        return str(found.name if isinstance(found, SystemObject) else stored_name(found))
    return next((name for _, name in _constraint_by_id(frame, object_id, database_id)), None)


def _constraint_by_id(frame: Frame, object_id: int, database_id: int | None) -> Iterator[tuple[Table, str]]:
    """The constraint with this id and its table, whose schema it is in."""
    for table in frame.session.catalog.all(Table, database_id or frame.session.database_id):
        for constraint_id, name, _ in _table_constraints(table):
            if constraint_id == object_id:
                yield table, str(name)


@function("OBJECT_SCHEMA_NAME", SYSNAME, [INT, INT], optional=1, needs_frame=True)
def _object_schema_name(frame: Frame, object_id: int, database_id: int | None = None) -> str | None:
    found = find_by_id(frame, object_id, database_id)
    if found is None:
        found = next((table for table, _ in _constraint_by_id(frame, object_id, database_id)), None)
    if found is None:
        return None
    home = frame.session.database_id if isinstance(found, SystemObject) else found.database_id
    schema = frame.session.catalog.get(Schema, home, found.schema_id)
    return schema.name if schema is not None else None


@function("OBJECT_DEFINITION", NVARCHAR_MAX, [INT], needs_frame=True)
def _object_definition(frame: Frame, object_id: int) -> str | None:
    found = find_by_id(frame, object_id)
    if isinstance(found, Module):
        return found.definition if may(frame.session, "VIEW DEFINITION", found) and not found.is_encrypted else None
    if isinstance(found, SystemObject):
        module = system_module(found.name.lower(), frame.session.database_id)
        return None if module is None else module.definition
    for table in frame.session.catalog.all(Table, frame.session.database_id):
        for constraint in table.constraints:
            if constraint.id == object_id and constraint.condition is not None:
                return str(constraint.condition)
        for column in table.columns:
            if column.default_id == object_id:
                return str(column.default)
    return None


@function("DB_ID", _SMALLINT, [SYSNAME], optional=1, needs_frame=True)
def _db_id(frame: Frame, name: str | None = None) -> int | None:
    session = frame.session
    if name is None:
        return int(session.database_id)
    found = session.catalog.find(Database, 0, name.strip().strip("[]"))
    return found.id if found is not None else None


@function("DB_NAME", SYSNAME, [INT], optional=1, needs_frame=True)
def _db_name(frame: Frame, database_id: int | None = None) -> str | None:
    session = frame.session
    if database_id is None or database_id == 0:
        return str(session.database_name)
    found = session.catalog.get(Database, 0, database_id)
    return found.name if found is not None else None


@function("ORIGINAL_DB_NAME", SYSNAME, needs_frame=True)
def _original_db_name(frame: Frame) -> str | None:
    """Where the session began."""
    session = frame.session
    found = session.catalog.get(Database, 0, session.original_database_id)
    return found.name if found is not None else None


@function("SCHEMA_ID", INT, [SYSNAME], optional=1, needs_frame=True)
def _schema_id(frame: Frame, name: str | None = None) -> int | None:
    session = frame.session
    wanted = name.rstrip(" ") if name else session.user.default_schema or "dbo"
    found = session.catalog.find(Schema, session.database_id, wanted)
    return found.id if found is not None else None


@function("SCHEMA_NAME", SYSNAME, [INT], optional=1, needs_frame=True)
def _schema_name(frame: Frame, schema_id: int | None = None) -> str | None:
    session = frame.session
    if schema_id is None:
        return session.user.default_schema or "dbo"
    found = session.catalog.get(Schema, session.database_id, schema_id)
    return found.name if found is not None else None


@function("TYPE_ID", INT, [SYSNAME], needs_frame=True)
def _type_id(frame: Frame, name: str) -> int | None:
    parsed = parsed_name(name)
    if parsed is None:
        return None
    plain = SYSTEM_TYPE_IDS.get(
        {"integer": "int", "rowversion": "timestamp", "dec": "decimal"}.get(parsed.name.lower(), parsed.name.lower())
    )
    if plain is not None and (parsed.schema or "sys").lower() == "sys":
        return plain
    session = frame.session
    for schema_name in [parsed.schema] if parsed.schema else [session.user.default_schema or "dbo", "dbo"]:
        schema = session.catalog.find(Schema, session.database_id, schema_name)
        found = schema and session.catalog.find(UserType, session.database_id, parsed.name, schema.id)
        if found:
            return int(found.id)
    return None


SYSTEM_TYPE_NAMES = {number: name for name, number in reversed(SYSTEM_TYPE_IDS.items())}


@function("TYPE_NAME", SYSNAME, [INT], needs_frame=True)
def _type_name(frame: Frame, type_id: int) -> str | None:
    plain = SYSTEM_TYPE_NAMES.get(type_id)
    if plain is not None:
        return plain
    found = frame.session.catalog.get(UserType, frame.session.database_id, type_id)
    return found.name if found is not None else None
