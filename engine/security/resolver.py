"""Names to records: databases, default schemas, temp tables, the `sys` schema, synonyms.

Decides which record a one- to three-part name means to a session. It must not know what the record is used for.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Literal, TypeVar, overload

from sbql.catalog.kinds import Kind, kind_of
from sbql.catalog.records import CatalogRecord, Database, Module, Queue, Schema, SchemaObject, Synonym
from sbql.catalog.views import system_view
from sbql.engine.ports import Session
from sbql.engine.security.database_access import check_open
from sbql.engine.security.similar_names import similar_database, similar_object
from sbql.grammar.ast import ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name

__all__ = [
    "database_of",
    "find_named",
    "in_schema",
    "in_text_of",
    "is_system_view",
    "resolve",
    "resolve_itself",
    "schema_of",
    "schema_of_names",
]


R = TypeVar("R", bound=CatalogRecord)
_DBO = 1


def database_of(session: Session, name: ObjectName, *, back: int = 3) -> Database:
    """The database that a name points into: its third part from the end, else the current one. Raises 911."""
    written = name.database if back == 3 else None
    if name.server is not None and name.server.lower() != session.instance.name.lower():
        raise sql_error(7202, name.server, span=name.span)
    if not written:
        return session.database
    found = session.catalog.find(Database, 0, written)
    if found is None:
        raise sql_error(911, written, span=name.span).advise(similar_database(session, written))
    if found.id != session.database_id:
        check_open(session, found)
    return found


def schema_of(session: Session, database: Database, name: ObjectName) -> Schema:
    """The schema a name points into, for a name that is about to be created. Raises 2760."""
    written = name.schema or session.user.default_schema or "dbo"
    found = session.catalog.find(Schema, database.id, written)
    if found is None or found.name in ("sys", "INFORMATION_SCHEMA"):
        raise sql_error(2760, written, span=name.span)
    return found


def is_system_view(session: Session, name: ObjectName) -> bool:
    """Whether a name that `resolve` does not know is a view of sys or INFORMATION_SCHEMA, or sysobjects and its like:
    of the current database or another one."""
    view = system_view(name.schema or "dbo", name.name)
    if view is None or (view.is_base_table and not session.is_admin):
        return False
    return not name.database or session.catalog.find(Database, 0, name.database) is not None


def schema_of_names(session: Session, module: Module | None) -> str | None:
    """The schema in which names of one part are looked up first in a module's text: its own, whoever calls. None: that
    of the user, as in a batch, in dynamic SQL and in what is temporary. (CREATE PROCEDURE, "Best practices".)"""
    if module is None or module.name.startswith("#"):
        return None
    if module.schema_id == _DBO:
        return "dbo"
    schema = session.catalog.get(Schema, module.database_id, module.schema_id)
    return None if schema is None else schema.name


def in_text_of(session: Session, module: Module | None) -> AbstractContextManager[None]:
    """`with in_text_of(session, module):` while the text of a module is compiled or translated: names are
    those of its database and its schema."""
    is_elsewhere = module is not None and not module.name.startswith("#")
    database_id = module.database_id if module is not None and is_elsewhere else session.database_id
    return session.names_meant(database_id, schema_of_names(session, module))


@overload
def resolve(session: Session, name: ObjectName, kind: type[R], /) -> R: ...


@overload
def resolve(session: Session, name: ObjectName, kind: type[R], /, *, missing_ok: Literal[True]) -> R | None: ...


@overload
def resolve(session: Session, name: ObjectName, /, *kinds: type[SchemaObject]) -> SchemaObject: ...


@overload
def resolve(
    session: Session, name: ObjectName, /, *kinds: type[SchemaObject], missing_ok: Literal[True]
) -> SchemaObject | None: ...


def resolve(
    session: Session, name: ObjectName, /, *kinds: type[CatalogRecord], missing_ok: bool = False
) -> CatalogRecord | None:
    """The record that `name` means: temp tables first, then the schema of the running module (in a batch: the user's
    default schema), then dbo; synonyms are followed.

    `kinds` restricts the classes; a name of another class counts as missing. Raises 208 unless `missing_ok`, and 4135
    for a synonym of a queue.
    """
    found = _find(session, name)
    if isinstance(found, Synonym) and Synonym not in kinds:
        with session.names_of_user():
            base = _find(session, parse_object_name(found.base_object_name))
        if base is None and not missing_ok:
            target = parse_object_name(found.base_object_name)
            if system_view((target.schema or "dbo").lower(), target.name) is not None:
                raise sql_error(259, span=name.span)
            raise sql_error(5313, found.name, span=name.span)
        if isinstance(base, Queue):
            raise sql_error(4135, found.name, found.base_object_name, span=name.span)
        found = base
    if found is not None and (not kinds or isinstance(found, kinds)):
        return found
    if missing_ok:
        return None
    raise sql_error(208, str(name), span=name.span).advise(similar_object(session, name))


def resolve_itself(session: Session, name: ObjectName) -> SchemaObject | None:
    """What `name` is where a definition is made, changed or dropped: there a synonym is a synonym, whatever it stands
    for (CREATE SYNONYM: "You can reference a synonym in …", no statement of definitions is among them)."""
    return _find(session, name)


def find_named(session: Session, kind: Kind, name: ObjectName) -> CatalogRecord | None:
    """The record of this kind that `name` means, or None. A name has one to three parts for a schema object, one or two
    for a type or collection of a schema, and one for what stands in the current database or on the server."""
    found: CatalogRecord | None
    if kind.securable == "OBJECT":
        found = resolve(session, name, kind.record, missing_ok=True)
    elif kind.parent == "SCHEMA":
        found = in_schema(session, kind.record, name)
    else:
        found = session.catalog.find(kind.record, 0 if kind.on_server else session.database_id, name.name)
    return found if found is not None and kind_of(found) is kind else None


def in_schema(session: Session, cls: type[R], name: ObjectName) -> R | None:
    """The type or schema collection of a name, in the named schema, else in the default schema or dbo."""
    database = database_of(session, name)
    for schema_name in [name.schema] if name.schema else [session.user.default_schema or "dbo", "dbo"]:
        schema = session.catalog.find(Schema, database.id, schema_name)
        found = schema and session.catalog.find(cls, database.id, name.name, schema.id)
        if found:
            return found
    return None


def _find(session: Session, name: ObjectName) -> SchemaObject | None:
    if name.server is not None and name.server.lower() != session.instance.name.lower():
        raise sql_error(7202, name.server, span=name.span)
    if name.name.startswith("#"):
        return _find_temp(session, name.name)
    snapshot = session.catalog
    if name.database:
        database = snapshot.find(Database, 0, name.database)
        if database is None:
            return None
        if database.id != session.database_id:
            check_open(session, database)
        database_id = database.id
    else:
        database_id = session.database_id
    if name.schema:
        schemas = [name.schema]
    else:
        schemas = [session.names_in or session.user.default_schema or "dbo", "dbo"]
    for schema_name in dict.fromkeys(s.lower() for s in schemas):
        schema = snapshot.find(Schema, database_id, schema_name)
        found = schema and snapshot.find_object(database_id, schema.id, name.name)
        if found:
            return found
    return None


def _find_temp(session: Session, name: str) -> SchemaObject | None:
    folded = name.lower()
    found = session.temp_tables.get(folded) or session.temp_modules.get(folded)
    if found is None and name.startswith("##"):
        instance = session.instance
        found = instance.global_temp_tables.get(folded) or instance.global_temp_modules.get(folded)
    return found
