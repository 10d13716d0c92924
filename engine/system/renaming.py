"""sp_rename: another name for an object, a column, an index or an alias type.

It decides what may be renamed: what is built on a column (a CHECK, a computed column) keeps its name (15336). Texts of
modules stay as they are, as on SQL Server. What a kind of objects is called, and which right renaming asks for, the
table of kinds says. Rows stay where they are: a table's storage has a name of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from sbql.catalog.changes import Definition
from sbql.catalog.duck_types import quote
from sbql.catalog.kinds import SCHEMA_OBJECTS, kind_of
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import Index, KeyColumn, Module, Queue, Schema, Sequence, Synonym, Table, UserType
from sbql.engine.definition.alter_table import put_table
from sbql.engine.definition.ddl_events import tell_renamed
from sbql.engine.describe.dependents import bound_columns, dependents
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.modification.locking import lock_table
from sbql.engine.modification.target import check_permission
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session
from sbql.engine.security import require
from sbql.engine.security.resolver import resolve
from sbql.engine.system.databases import rename_when_alone
from sbql.engine.tables.definitions import storage_of
from sbql.engine.tables.elements import column_of, fold
from sbql.engine.tables.row_expressions import parse_condition, parse_expression
from sbql.engine.work import Work
from sbql.grammar.ast import NO_SPAN, ObjectName
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.messages import message
from sbql.grammar.names import parse_object_name
from sbql.grammar.tree import columns_in

_TYPES = ("COLUMN", "INDEX", "OBJECT", "USERDATATYPE")
_RENAMED = tuple(cls for cls in SCHEMA_OBJECTS if cls is not Queue)
"""What OBJECT means, but for constraints: a queue keeps its name."""


class Rename(Struct, frozen=True):
    """What a name means: the securable that it is, or is part of, what it is to events, its name
    as it stands, and what renames it."""

    record: Table | Module | Synonym | Sequence | UserType
    word: str
    name: str
    act: Callable[[str], None]

    @property
    def is_part(self) -> bool:
        return self.word in ("COLUMN", "INDEX", "CONSTRAINT")


@procedure("sp_rename")
def sp_rename(call: ProcedureCall) -> Work:
    """sp_rename 'name', 'new name' [, 'type']. Raises 229, 15223, 15225, 15248, 15335, 15336."""
    name, new, kind = call.values(required=1)
    if not new:
        raise sql_error(15223, "@newname")
    what = (kind or "").upper()
    if what and what not in _TYPES:
        if what == "STATISTICS":
            raise sql_error(40517, "sp_rename of statistics")
        if what == "DATABASE":
            yield from rename_when_alone(call.session, name, new)
            return 0
        raise sql_error(15249, kind)
    session = call.session
    with session.statement() as txn:
        yield from txn.lock_schema()
        try:
            written = parse_object_name(name)
        except SqlError:
            raise sql_error(15253, name) from None
        rename = _find(session, txn, written, what)
        if rename is None:
            raise sql_error(15225, name, session.database_name, kind or "(null)")
        record = rename.record
        if isinstance(record, Table):
            check_permission(session, record, "ALTER", NO_SPAN)
            if record.session_id == 0:
                yield from lock_table(txn, record.id, "X")
        else:
            of_kind = kind_of(record)
            assert of_kind is not None
            require(session, "ALTER" if "ALTER" in of_kind.permissions else "CONTROL", record)
        before = session.catalog
        if _is_enforced(session, rename):
            raise sql_error(15336, name)
        rename.act(new)
        yield from tell_renamed(
            session, txn, before, record, rename.word, rename.name, new,
            is_part=rename.is_part, parameters=[value for value in (name, new, kind) if value is not None],
        )  # fmt: skip
    caution = message(15477)
    session.emit(InfoMessage(caution.text, 15477, caution.severity))
    return 0


def _is_enforced(session: Session, rename: Rename) -> bool:
    """Whether something is bound to the name: to an object, or to a column of it."""
    if rename.word == "COLUMN":
        return bool(bound_columns(session, rename.record, rename.name))
    return not rename.is_part and rename.word != "TYPE" and any(True for _ in dependents(session, rename.record))


def _find(session: Session, txn: Any, name: ObjectName, what: str) -> Rename | None:
    """What the name means."""
    found: Rename | None = None
    if what in ("", "OBJECT"):
        found = _object(session, txn, name) or _constraint(session, txn, name)
    if found is None and what in ("", "COLUMN", "INDEX") and len(name.parts) > 1:
        table = resolve(session, ObjectName(name.parts[:-1]), Table, missing_ok=True)
        part = name.parts[-1]
        if table is not None and part is not None:
            column = column_of(table, part.value) if what != "INDEX" else None
            if column is not None:
                return Rename(
                    table, "COLUMN", column.name, lambda new: _rename_column(session, txn, table, column.name, new)
                )
            index = next((i for i in table.indexes if fold(i.name) == fold(part.value)), None)
            if what != "COLUMN" and index is not None:
                return Rename(table, "INDEX", index.name, lambda new: _rename_index(session, txn, table, index, new))
    if found is None and what == "USERDATATYPE":
        found = _type(session, txn, name)
    return found


def _taken(session: Session, database_id: int, schema_id: int, new: str) -> None:
    if session.catalog.find_object(database_id, schema_id, new) is not None:
        raise sql_error(15335, new, "object")


def _object(session: Session, txn: Any, name: ObjectName) -> Rename | None:
    record: Any = resolve(session, name, *_RENAMED, missing_ok=True)
    if record is None or record.name.startswith("#") or record.is_ms_shipped:
        return None
    of_kind = kind_of(record)
    assert of_kind is not None

    def act(new: str) -> None:
        _taken(session, record.database_id, record.schema_id, new)
        changed = msgspec.structs.replace(record, name=new, modify_date=session.instance.host.now())
        txn.change_catalog(record, changed)

    return Rename(record, of_kind.words, record.name, act)


def _constraint(session: Session, txn: Any, name: ObjectName) -> Rename | None:
    """A constraint, a default among them: its name is one of the schema's too."""
    schema = session.catalog.find(Schema, session.database_id, name.schema or "dbo")
    for table in session.catalog.all(Table, session.database_id):
        if schema is None or table.schema_id != schema.id:
            continue
        for constraint in table.constraints:
            if fold(constraint.name) == fold(name.name):
                act = _changer(session, txn, table, "constraints", constraint, "name")
                return Rename(table, "CONSTRAINT", constraint.name, act)
        for column in table.columns:
            if column.default_name is not None and fold(column.default_name) == fold(name.name):
                act = _changer(session, txn, table, "columns", column, "default_name")
                return Rename(table, "CONSTRAINT", column.default_name, act)
    return None


def _changer(session: Session, txn: Any, table: Table, field: str, part: Any, attribute: str) -> Callable[[str], None]:
    def act(new: str) -> None:
        _taken(session, table.database_id, table.schema_id, new)
        changed = tuple(
            msgspec.structs.replace(p, **{attribute: new}) if p is part else p for p in getattr(table, field)
        )
        put_table(session, txn, table, msgspec.structs.replace(table, **{field: changed}))

    return act


def _rename_index(session: Session, txn: Any, table: Table, index: Index, new: str) -> None:
    if any(fold(i.name) == fold(new) for i in table.indexes):
        raise sql_error(15335, new, "index")
    indexes = tuple(msgspec.structs.replace(i, name=new) if i is index else i for i in table.indexes)
    put_table(session, txn, table, msgspec.structs.replace(table, indexes=indexes))


def _rename_column(session: Session, txn: Any, table: Table, old: str, new: str) -> None:
    """The column, and its name in keys, indexes and foreign keys that refer to it."""
    if column_of(table, new) is not None and fold(new) != fold(old):
        raise sql_error(15335, new, "column")
    conditions = [parse_condition(c.condition) for c in table.constraints if c.condition is not None]
    conditions += [parse_condition(i.filter) for i in table.indexes if i.filter is not None]
    computed = [parse_expression(c.computed) for c in table.columns if c.computed is not None]
    if any(fold(c.name) == fold(old) for tree in (*conditions, *computed) for c in columns_in(tree)):
        raise sql_error(15336, f"{table.name}.{old}")

    def keys(columns: tuple[KeyColumn, ...]) -> tuple[KeyColumn, ...]:
        return tuple(KeyColumn(new, k.descending) if fold(k.name) == fold(old) else k for k in columns)

    def names(columns: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new if fold(n) == fold(old) else n for n in columns)

    storage = storage_of(table)
    txn.unit.apply(Definition(f"ALTER TABLE {mark(storage)} RENAME COLUMN {quote(old)} TO {quote(new)}", (storage,)))
    renew = msgspec.structs.replace
    put_table(session, txn, table, renew(
        table,
        columns=tuple(renew(c, name=new) if fold(c.name) == fold(old) else c for c in table.columns),
        constraints=tuple(
            renew(c, columns=keys(c.columns), referenced_columns=names(c.referenced_columns) if c.referenced_id == table.id else c.referenced_columns)
            for c in table.constraints
        ),
        indexes=tuple(renew(i, columns=keys(i.columns), included=names(i.included)) for i in table.indexes),
    ))  # fmt: skip
    for child in list(session.catalog.all(Table, table.database_id)):
        if child.id != table.id and any(c.referenced_id == table.id for c in child.constraints):
            constraints = tuple(
                renew(c, referenced_columns=names(c.referenced_columns)) if c.referenced_id == table.id else c
                for c in child.constraints
            )
            put_table(session, txn, child, renew(child, constraints=constraints))


def _type(session: Session, txn: Any, name: ObjectName) -> Rename | None:
    schema = session.catalog.find(Schema, session.database_id, name.schema or "dbo")
    record = schema and session.catalog.find(UserType, session.database_id, name.name, schema.id)
    if not record:
        return None

    def act(new: str) -> None:
        if session.catalog.find(UserType, session.database_id, new, record.schema_id) is not None:
            raise sql_error(15335, new, "type")
        txn.change_catalog(record, msgspec.structs.replace(record, name=new))
        for table in list(session.catalog.all(Table, session.database_id)):
            if any(fold(c.user_type or "") == fold(record.name) for c in table.columns):
                columns = tuple(
                    msgspec.structs.replace(c, user_type=new) if fold(c.user_type or "") == fold(record.name) else c
                    for c in table.columns
                )
                put_table(session, txn, table, msgspec.structs.replace(table, columns=columns))

    return Rename(record, "TYPE", record.name, act)
