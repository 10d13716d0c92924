"""The table functions of schema sys: their parameters, their columns, and the rows that they list.

Decides rows only; how a query reads them is `query.system_functions`. They look at the session, the catalog and
texts, never at stored rows, for they run while a query runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from sbql.catalog.permission_codes import permission_code
from sbql.catalog.records import Module, Schema, Table
from sbql.engine.describe.columns import ERROR_COLUMNS, RESULT_COLUMNS, column_facts, error_facts
from sbql.engine.describe.dependencies import dependency_rows
from sbql.engine.describe.extended_properties import listed_properties
from sbql.engine.describe.result_sets import DescribedColumn, describe_batch, describe_module
from sbql.engine.describe.system_objects import TABLE_FUNCTIONS
from sbql.engine.ports import Session
from sbql.engine.security import has_right, may, visible_catalog
from sbql.engine.security.permissions import PARENTS, PERMISSIONS, Securable, covering
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.definitions import find_user_type
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import BIT, INT, NVARCHAR_MAX, SQL_VARIANT, SYSNAME, SqlType, nvarchar, varbinary
from sbql.grammar.values.collation_names import all_collations

__all__ = ["SYSTEM_FUNCTIONS", "SystemFunction"]

Columns = Sequence[tuple[str, SqlType]]
Row = tuple[Any, ...]
_SMALLINT, _TINYINT = SqlType("smallint"), SqlType("tinyint")


class SystemFunction(Struct, frozen=True):
    """`rows(session, *arguments)`; `permission` is what reading it asks for."""

    parameters: tuple[SqlType, ...]
    columns: Columns
    rows: Callable[..., Iterable[Row]]
    permission: str = ""


# --- sessions ----------------------------------------------------------------------------------------------


def _sql_text(session: Session, handle: bytes | None) -> Iterator[Row]:
    """The batch that the session of the handle runs, or ran last."""
    other = _session_of(session, handle)
    if other is not None:
        yield other.database_id, None, None, False, other.current_statement


def _session_of(session: Session, handle: bytes | None) -> Any:
    """The session whose number a sql_handle holds: 0x02 and four bytes."""
    if handle is None or len(handle) != 5 or handle[0] != 2:
        return None
    return session.instance.sessions.get(int.from_bytes(handle[1:], "big"))


def _input_buffer(session: Session, number: int | None, request: int | None) -> Iterator[Row]:
    """What the session sent last."""
    other = session.instance.sessions.get(number) if number is not None else None
    if other is not None:
        yield "Language Event", 0, other.current_statement


# --- permissions -------------------------------------------------------------------------------------------


def _my_permissions(session: Session, securable: str | None, class_: str | None) -> Iterator[Row]:
    """What the session may do with a securable; of the server or the database when none is named."""
    word = (class_ or "").strip().upper().replace("_", " ")
    if word in ("", "SERVER", "DATABASE") and not securable:
        kind = word or "SERVER"
        entity = kind.lower()
        for permission in PERMISSIONS[kind]:
            if has_right(session, permission, kind):
                yield entity, "", permission
        return
    if word == "DATABASE":
        return
    if word != "OBJECT" or securable is None:
        if word not in PERMISSIONS:
            return
        raise sql_error(40517, f"sys.fn_my_permissions of {word.lower()}")
    record = resolve(session, parse_object_name(securable), missing_ok=True)
    if record is None:
        return
    for permission in _object_permissions(record):
        if may(session, permission, record):
            yield securable, "", permission
    if isinstance(record, Table) or (isinstance(record, Module) and record.type == "V"):
        for column in getattr(record, "columns", ()):
            for permission in ("SELECT", "REFERENCES", "UPDATE"):
                if may(session, permission, record):
                    yield securable, column.name, permission


def _object_permissions(record: Any) -> tuple[str, ...]:
    """Those of an object that mean something for its kind."""
    common = ("VIEW DEFINITION", "ALTER", "TAKE OWNERSHIP", "CONTROL")
    if isinstance(record, Table) or (isinstance(record, Module) and record.type in ("V", "IF", "TF")):
        return ("SELECT", "UPDATE", "REFERENCES", "INSERT", "DELETE", "VIEW CHANGE TRACKING", *common)
    return ("RECEIVE", "REFERENCES", *common) if not isinstance(record, Module) else ("EXECUTE", *common)


def _builtin_permissions(session: Session, class_: str | None) -> Iterator[Row]:
    """Every permission with what implies it; of one class when it is named."""
    wanted = (class_ or "").strip().upper().replace("_", " ")
    for kind, permissions in PERMISSIONS.items():
        if wanted and kind != wanted:
            continue
        parent = PARENTS[kind]
        for permission in permissions:
            above = covering(permission, Securable(kind, 1, 1, 1, 1))[1:]
            own = [p for k, _, p in above if k == kind]
            of_parent = [p for k, _, p in above if k == parent]
            yield (
                kind, permission, permission_code(permission), own[0] if own else "", parent, of_parent[0] if of_parent else "",
            )  # fmt: skip


# --- dependencies ------------------------------------------------------------------------------------------

_REFERENCED_CLASSES = {1: "OBJECT_OR_COLUMN", 6: "TYPE", 10: "XML_SCHEMA_COLLECTION"}


def _named(session: Session, name: str | None, class_: str | None, classes: tuple[str, ...]) -> Any:
    """What a name of a class means; None for a wrong class or name."""
    word = (class_ or "").strip().upper()
    if word not in classes or not name:
        return None
    try:
        parsed = parse_object_name(name)
    except SqlError:
        return None
    if word == "TYPE":
        return find_user_type(session, parsed)
    if word.endswith("_DDL_TRIGGER"):
        return next((m for m in session.catalog.all(Module) if m.scope and m.name.lower() == parsed.name.lower()), None)
    return resolve(session, parsed, missing_ok=True)


def _referenced_entities(session: Session, name: str | None, class_: str | None) -> Iterator[Row]:
    """What the text of an object names, with columns."""
    record = _named(session, name, class_, ("OBJECT", "DATABASE_DDL_TRIGGER", "SERVER_DDL_TRIGGER"))
    if record is None:
        return
    for row in dependency_rows(visible_catalog(session)):
        if row.database_id != record.database_id or row.referencing_id != record.id:
            continue
        is_found = row.referenced_id is not None
        yield (
            row.referencing_minor_id, row.server_name, row.database_name, row.schema_name, row.entity_name, row.minor_name,
            row.referenced_id, row.referenced_minor_id, row.referenced_class, _REFERENCED_CLASSES[row.referenced_class],
            row.is_caller_dependent, row.is_ambiguous, row.is_selected, row.is_updated, row.is_select_all,
            row.referenced_minor_id > 0 or is_found, False, not is_found and not row.is_caller_dependent,
        )  # fmt: skip


def _referencing_entities(session: Session, name: str | None, class_: str | None) -> Iterator[Row]:
    """Whose text names an object, type or XML schema collection."""
    catalog = visible_catalog(session)
    record = _named(session, name, class_, ("OBJECT", "TYPE", "XML_SCHEMA_COLLECTION"))
    if record is None:
        return
    seen: set[int] = set()
    for row in dependency_rows(catalog):
        referencing = row.referencing_id
        if (row.database_id, row.referenced_id) != (record.database_id, record.id) or referencing in {*seen, record.id}:
            continue
        seen.add(referencing)
        found = _object(catalog, row.database_id, referencing)
        if found is not None:
            schema = catalog.get(Schema, row.database_id, found.schema_id)
            name_of_schema = schema.name if schema else None
            yield (
                name_of_schema,
                found.name,
                referencing,
                row.referencing_class,
                "OBJECT_OR_COLUMN",
                row.is_caller_dependent,
            )


def _object(catalog: Any, database_id: int, object_id: int) -> Any:
    return catalog.get(Module, database_id, object_id) or catalog.get(Table, database_id, object_id)


# --- result sets -------------------------------------------------------------------------------------------


def _first_result_set(session: Session, text: str | None, parameters: str | None, mode: int | None) -> Iterator[Row]:
    return _described(session, lambda: describe_batch(session, text or "", parameters), mode)


def _result_set_for_object(session: Session, object_id: int | None, mode: int | None) -> Iterator[Row]:
    module = session.catalog.get(Module, session.database_id, object_id) if object_id is not None else None
    if module is None or module.type not in ("P", "TR"):
        return iter(
            [(*(None,) * len(RESULT_COLUMNS), *error_facts(sql_error(15009, object_id, session.database_name)))]
        )
    return _described(session, lambda: describe_module(session, module), mode)


def _described(
    session: Session, describe: Callable[[], Sequence[DescribedColumn] | None], mode: int | None
) -> Iterator[Row]:
    """The columns; an error is a row of its own."""
    try:
        columns = describe() or ()
    except SqlError as error:
        yield (*(None,) * len(RESULT_COLUMNS), *error_facts(error))
        return
    for number, column in enumerate(columns, 1):
        yield (*column_facts(session, column, number, mode or 0), *(None,) * len(ERROR_COLUMNS))


def _help_collations(session: Session) -> Iterator[Row]:
    return ((found.name, found.description) for found in all_collations().values())


SYSTEM_FUNCTIONS: dict[str, SystemFunction] = {
    "dm_exec_sql_text": SystemFunction(
        (varbinary(64),), (("dbid", _SMALLINT), ("objectid", INT), ("number", _SMALLINT), ("encrypted", BIT), ("text", NVARCHAR_MAX)), _sql_text
    ),
    "dm_exec_input_buffer": SystemFunction(
        (INT, INT), (("event_type", nvarchar(256)), ("parameters", _SMALLINT), ("event_info", NVARCHAR_MAX)), _input_buffer
    ),
    "fn_listextendedproperty": SystemFunction(
        (SYSNAME,) * 7, (("objtype", SYSNAME), ("objname", SYSNAME), ("name", SYSNAME), ("value", SQL_VARIANT)), listed_properties
    ),
    "fn_helpcollations": SystemFunction((), (("name", SYSNAME), ("description", nvarchar(1000))), _help_collations),
    "fn_my_permissions": SystemFunction(
        (SYSNAME, nvarchar(60)), (("entity_name", SYSNAME), ("subentity_name", SYSNAME), ("permission_name", nvarchar(60))), _my_permissions
    ),
    "fn_builtin_permissions": SystemFunction(
        (nvarchar(60),),
        (
            ("class_desc", nvarchar(60)), ("permission_name", nvarchar(60)), ("type", SqlType("varchar", length=4)),
            ("covering_permission_name", nvarchar(60)), ("parent_class_desc", nvarchar(60)), ("parent_covering_permission_name", nvarchar(60)),
        ),
        _builtin_permissions,
    ),
    "dm_sql_referenced_entities": SystemFunction(
        (nvarchar(517), nvarchar(60)),
        (
            ("referencing_minor_id", INT), ("referenced_server_name", SYSNAME), ("referenced_database_name", SYSNAME),
            ("referenced_schema_name", SYSNAME), ("referenced_entity_name", SYSNAME), ("referenced_minor_name", SYSNAME),
            ("referenced_id", INT), ("referenced_minor_id", INT), ("referenced_class", _TINYINT), ("referenced_class_desc", nvarchar(60)),
            ("is_caller_dependent", BIT), ("is_ambiguous", BIT), ("is_selected", BIT), ("is_updated", BIT), ("is_select_all", BIT),
            ("is_all_columns_found", BIT), ("is_insert_all", BIT), ("is_incomplete", BIT),
        ),
        _referenced_entities,
    ),
    "dm_sql_referencing_entities": SystemFunction(
        (nvarchar(517), nvarchar(60)),
        (
            ("referencing_schema_name", SYSNAME), ("referencing_entity_name", SYSNAME), ("referencing_id", INT), ("referencing_class", _TINYINT),
            ("referencing_class_desc", nvarchar(60)), ("is_caller_dependent", BIT),
        ),
        _referencing_entities,
    ),
    "dm_exec_describe_first_result_set": SystemFunction(
        (NVARCHAR_MAX, NVARCHAR_MAX, _TINYINT), (*RESULT_COLUMNS, *ERROR_COLUMNS), _first_result_set
    ),
    "dm_exec_describe_first_result_set_for_object": SystemFunction(
        (INT, _TINYINT), (*RESULT_COLUMNS, *ERROR_COLUMNS), _result_set_for_object
    ),
}  # fmt: skip

for _name, _function in SYSTEM_FUNCTIONS.items():
    TABLE_FUNCTIONS.add(_name, _function)
