"""Definitions of tables: looking up types and foreign keys, and the DuckDB text that makes a Table record real.

It decides where a table lives (a schema of its database, or the session's own temp space) and what a foreign key may
refer to. Statements that use it are in `definition/tables.py` and `definition/alter_table.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import msgspec

from sbql.catalog.bootstrap import SCHEMAS_WITHOUT_TABLES
from sbql.catalog.changes import ROW_ID, TEMP, Definition, creation_of, storage_name
from sbql.catalog.duck_types import duck_type, quote
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import Column, Database, KeyColumn, Module, Schema, Table, TableConstraint, UserType
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.determinism import is_deterministic
from sbql.engine.scalars.scope import Scope
from sbql.engine.security.resolver import database_of, in_schema, resolve_itself
from sbql.engine.tables.elements import (
    ColumnType,
    ForeignKeyDraft,
    ShapeBuilder,
    check_key_column,
    column_of,
    fold,
)
from sbql.engine.tables.row_expressions import RowColumn, RowScope, parse_condition, parse_expression, without_synonyms
from sbql.grammar.ast import (
    DataTypeReference,
    Expression,
    FunctionCall,
    MethodCall,
    Node,
    ObjectName,
    Span,
    TableElement,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import columns_in, walk
from sbql.grammar.types import DATABASE_DEFAULT_COLLATION
from sbql.grammar.values.collation_precedence import check_column
from sbql.grammar.values.type_names import is_system_type

__all__ = [
    "TEMPDB",
    "builder",
    "constraint_failures",
    "constraint_named",
    "create_definition",
    "default_column",
    "failures_followed_by",
    "find_schema",
    "find_user_type",
    "finish_columns",
    "free_storage_name",
    "make_home",
    "name_taken",
    "new_object_id",
    "refuse_taken_names",
    "replace_column",
    "shape_of",
    "storage_of",
    "with_foreign_keys",
]

TEMPDB = 2
"""database_id of tempdb."""


def storage_of(table: Table) -> str:
    """The quoted DuckDB name of a table."""
    return storage_name(table.storage_schema, table.storage_name)


def free_storage_name(session: Session, schema: str, name: str, table_id: int) -> str:
    """What a new table is called in DuckDB: its name, or that and its id while a table that was renamed still lives
    under it."""
    taken = {t.storage_name.lower() for t in session.catalog.all(Table) if t.storage_schema == schema}
    found = name
    while found.lower() in taken:
        found = f"{found}_{table_id}"
    return found


def create_definition(table: Table) -> Definition:
    """CREATE TABLE for DuckDB: the row id and plain columns; what they mean is checked here, not there."""
    columns = [f"{quote(ROW_ID)} BIGINT", *(f"{quote(c.name)} {duck_type(c.type)}" for c in table.columns)]
    name = storage_of(table)
    kind_and_name = f"TEMP {creation_of(name)}" if table.storage_schema == TEMP else creation_of(name)
    return Definition(f"CREATE OR REPLACE {mark(kind_and_name)} ({', '.join(columns)})", (name,))


def make_home(transaction: Transaction, schema: Schema, storage: str) -> None:
    """See that the schema of a new table is there in DuckDB: guest and those of the fixed
    roles come with their first one."""
    if schema.name in SCHEMAS_WITHOUT_TABLES:
        name = quote(storage)
        transaction.unit.apply(Definition(f"CREATE SCHEMA IF NOT EXISTS {name}", (name,)))


def new_object_id(catalog: Any) -> Callable[[], int]:
    """Several ids one behind the other, for a table and its constraints, which are no records."""
    last: int = catalog.last_id

    def next_id() -> int:
        nonlocal last
        last += 1
        return last

    return next_id


def builder(name: str, session: Session, new_id: Callable[[], int], scope: Scope | None = None) -> ShapeBuilder:
    """A ShapeBuilder that knows the types of the session's database. `scope`: whose collation texts have."""
    types = scope if scope is not None else Scope(session)

    def resolve(reference: DataTypeReference, position: int) -> ColumnType:
        plain = reference.name.name.lower()
        user_type = None
        if not is_system_type(plain):
            user_type = find_user_type(session, reference.name)
        sql_type = types.resolve_type(reference, position=position)
        if user_type is not None:
            return ColumnType(sql_type, user_type.name, user_type.is_nullable)
        is_not_null = plain == "sysname" or session.options.ansi_null_dflt_off
        return ColumnType(sql_type, None, False if is_not_null else None)

    return ShapeBuilder(name, resolve, new_id, types.named_collation, database=types.used_database)


def find_user_type(session: Session, name: ObjectName) -> UserType | None:
    """An alias or table type, in the named schema, the default schema or dbo."""
    return in_schema(session, UserType, name)


def shape_of(name: str, elements: Iterable[TableElement], session: Session, scope: Scope | None = None) -> Table:
    """The shape of a table variable or table type. Raises 40517 for foreign keys, which they cannot have."""
    last = 0

    def new_id() -> int:
        nonlocal last
        last += 1
        return last

    shape = builder(name, session, new_id, scope)
    shape.add(elements)
    if shape.foreign_keys:
        raise sql_error(1766, shape.foreign_keys[0].name, span=shape.foreign_keys[0].span)
    finish_columns(shape, session)
    return Table(
        id=0,
        database_id=TEMPDB,
        name=name,
        schema_id=1,
        columns=tuple(shape.columns),
        constraints=tuple(shape.constraints),
        indexes=tuple(shape.indexes),
        session_id=-1,
    )


def finish_columns(shape: ShapeBuilder, session: Session) -> None:
    """Give computed columns their types, and compile every expression once, so that mistakes show at the definition."""
    plain = [RowColumn("", c.name, c.type) for c in shape.columns if c.computed is None]
    rows = RowScope(plain, session)
    rows.scope.used_database = shape.database
    computed = {fold(c.name) for c in shape.columns if c.computed is not None}
    for column in list(shape.columns):
        if column.computed is not None:
            tree = without_synonyms(parse_expression(column.computed), session)
            for used in columns_in(tree):
                if fold(used.name) in computed:
                    raise sql_error(1759, used.name, shape.table_name, span=used.span)
            if _calls_xml_method(tree):
                number = 424 if shape.table_name.startswith("@") else 435
                raise sql_error(number, column.name, shape.table_name)
            _, sql_type = rows.scalar(tree)
            check_column(sql_type, "CREATE TABLE", column.column_id)
            changed = shape.replace(column, type=sql_type, is_deterministic=is_deterministic(tree, session))
            _check_computed(shape, changed)
        if column.default is not None:
            default = without_synonyms(parse_expression(column.default), session)
            for used in columns_in(default):
                raise sql_error(128, used.name, span=used.span)
            if not (_is_sequential_guid(default) and column.type.name == "uniqueidentifier"):
                RowScope([], session).scalar(default)
    everything = RowScope([RowColumn("", c.name, c.type) for c in shape.columns], session)
    everything.scope.used_database = shape.database
    for constraint in shape.constraints:
        if constraint.type == "C" and constraint.condition is not None:
            condition = without_synonyms(parse_condition(constraint.condition), session)
            if _calls_xml_method(condition):
                raise sql_error(423, shape.table_name)
            everything.condition(condition)


def _calls_xml_method(tree: Node) -> bool:
    """Methods of xml stand in CHECK and computed columns only inside of functions."""
    return any(isinstance(part, MethodCall) for part in walk(tree))


def _is_sequential_guid(default: Expression) -> bool:
    """Whether a default is NEWSEQUENTIALID() and nothing else; all other places of it are error 302."""
    return (
        isinstance(default, FunctionCall)
        and not default.arguments
        and default.name.schema is None
        and default.name.name.upper() == "NEWSEQUENTIALID"
    )


def _check_computed(shape: ShapeBuilder, column: Column) -> None:
    """What a computed column may be. Raises 4936, 8183, 1711, 2729."""
    if column.is_persisted and not column.is_deterministic:
        raise sql_error(4936, column.name, shape.table_name)
    if not column.is_nullable and not column.is_persisted:
        raise sql_error(8183)
    for constraint in shape.constraints:
        if column.name in {c.name for c in constraint.columns}:
            if constraint.type == "C" and not column.is_persisted:
                raise sql_error(8183)
            if constraint.type in ("PK", "UQ"):
                check_key_column(column, shape.table_name)
    for index in shape.indexes:
        if column.name in {c.name for c in index.columns}:
            check_key_column(column, shape.table_name)
    for draft in shape.foreign_keys:
        if column.name in draft.columns and not column.is_persisted:
            raise sql_error(1764, column.name, shape.table_name, draft.name, span=draft.span)


def find_schema(session: Session, database: Database, name: ObjectName) -> Schema:
    """The schema for a new object. Raises 2760."""
    written = name.schema or (session.user.default_schema if database.id == session.database_id else None) or "dbo"
    found = session.catalog.find(Schema, database.id, written)
    if found is None or found.name in ("sys", "INFORMATION_SCHEMA"):
        raise sql_error(2760, written, span=name.span)
    return found


# --- foreign keys ------------------------------------------------------------------------------------------


_CONSTRAINT_ERRORS = frozenset(
    {1505, 1904, 1753, 1757, 1761, 1762, 1763, 1767, 1768, 1769, 1770, 1773, 1776, 1778, 1785, 1787, 1909, 1911, 1919, 2714, 8111, 8141}
)  # fmt: skip


_BY_THE_USER = 16
"""The severity."""


@contextmanager
def failures_followed_by(number: int, causes: Container[int] | None = None) -> Iterator[None]:
    """Around what may fail for one of these causes (None: whatever the statement's text is to blame for): the cause is
    told, and then this number."""
    try:
        yield
    except SqlError as error:
        if error.severity != _BY_THE_USER if causes is None else error.number not in causes:
            raise
        failed = sql_error(number)
        failed.line, failed.column, failed.before = error.line, error.column, (*error.before, error)
        error.before = ()
        raise failed from None


def constraint_failures() -> AbstractContextManager[None]:
    """Around the making of constraints: what is wrong with one of them is told, and then 1750."""
    return failures_followed_by(1750, _CONSTRAINT_ERRORS)


def with_foreign_keys(session: Session, table: Table, drafts: Iterable[ForeignKeyDraft]) -> Table:
    """The table with these constraints too."""
    for draft in drafts:
        made = resolve_foreign_key(session, table, draft)
        table = msgspec.structs.replace(table, constraints=(*table.constraints, made))
    return table


def resolve_foreign_key(session: Session, child: Table, draft: ForeignKeyDraft) -> TableConstraint:
    """The constraint record of a FOREIGN KEY. Raises 1753, 1757, 1761, 1762, 1763, 1767,
    1768, 1770, 1773, 1776, 1778, 1787."""
    reference = draft.reference
    if reference.table.database and database_of(session, reference.table).id != child.database_id:
        raise sql_error(1763, draft.name, span=draft.span)
    is_self = reference.table.name.lower() == child.name.lower() and _same_schema(session, reference.table, child)
    parent = child if is_self else resolve_itself(session, reference.table)
    if not isinstance(parent, Table):
        raise sql_error(1767 if parent is None else 1768, draft.name, str(reference.table), span=draft.span)
    names = _referenced_names(parent, draft)
    _check_candidate_key(parent, names, draft)
    for own, other in zip(draft.columns, names, strict=True):
        _check_same_type(child, own, parent, other, draft)
    for action in ("on_delete", "on_update"):
        if getattr(reference, action) != "NO ACTION":
            _check_action(session, child, action, draft)
            _refuse_several_paths(session, child, parent, action, draft)
    return TableConstraint(
        id=draft.constraint_id,
        name=draft.name,
        type="F",
        columns=tuple(KeyColumn(c) for c in draft.columns),
        referenced_id=parent.id,
        referenced_columns=names,
        on_delete=reference.on_delete,
        on_update=reference.on_update,
        is_disabled=draft.is_disabled,
        is_system_named=draft.is_system_named,
    )


def _check_action(session: Session, child: Table, action: str, draft: ForeignKeyDraft) -> None:
    """What a cascade writes into the columns has to be possible there, and no trigger may stand in
    its place. Raises 1761, 1762, 1787."""
    does = getattr(draft.reference, action)
    strict = [c for name in draft.columns if (c := column_of(child, name)) is not None and not c.is_nullable]
    if does == "SET NULL" and strict:
        raise sql_error(1761, draft.name, span=draft.span)
    if does == "SET DEFAULT" and any(c.default is None for c in strict):
        raise sql_error(1762, draft.name, span=draft.span)
    event = action.removeprefix("on_").upper()
    for module in session.catalog.all(Module, child.database_id):
        if (
            module.type == "TR"
            and module.parent_id == child.id
            and module.timing == "INSTEAD OF"
            and event in module.events
        ):
            raise sql_error(1787, draft.name, child.name, span=draft.span)


def _refuse_several_paths(session: Session, child: Table, parent: Table, action: str, draft: ForeignKeyDraft) -> None:
    """What one DELETE or UPDATE brings about has to be a tree: no table twice. Raises 1785."""
    below: dict[int, set[int]] = {}
    above: dict[int, set[int]] = {}
    tables = [t for t in session.catalog.all(Table, child.database_id) if t.id != child.id]
    for table in (*tables, child):
        for key in table.constraints:
            if key.type == "F" and getattr(key, action) != "NO ACTION":
                below.setdefault(key.referenced_id, set()).add(table.id)
                above.setdefault(table.id, set()).add(key.referenced_id)
    sources, targets = _reached(above, parent.id), _reached(below, child.id)
    if sources & targets or any(_reached(below, source) & targets for source in sources):
        raise sql_error(1785, draft.name, child.name, span=draft.span)


def _reached(edges: dict[int, set[int]], start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in edges.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return found


def _same_schema(session: Session, name: ObjectName, table: Table) -> bool:
    if not name.schema:
        return True
    schema = session.catalog.get(Schema, table.database_id, table.schema_id)
    return schema is not None and schema.name.lower() == name.schema.lower()


def _referenced_names(parent: Table, draft: ForeignKeyDraft) -> tuple[str, ...]:
    if not draft.reference.columns:
        primary = next((c for c in parent.constraints if c.type == "PK"), None)
        if primary is None:
            raise sql_error(1773, draft.name, parent.name, span=draft.span)
        names = tuple(k.name for k in primary.columns)
    else:
        found = []
        for identifier in draft.reference.columns:
            column = column_of(parent, identifier.value)
            if column is None:
                raise sql_error(1770, draft.name, identifier.value, parent.name, span=draft.span)
            found.append(column.name)
        names = tuple(found)
    if len(names) != len(draft.columns):
        raise sql_error(8139, draft.name, parent.name, span=draft.span)
    return names


def _check_candidate_key(parent: Table, names: tuple[str, ...], draft: ForeignKeyDraft) -> None:
    wanted = {fold(n) for n in names}
    keys = [{fold(k.name) for k in c.columns} for c in parent.constraints if c.type in ("PK", "UQ")]
    keys += [{fold(k.name) for k in i.columns} for i in parent.indexes if i.is_unique and i.filter is None]
    if wanted not in keys:
        raise sql_error(1776, parent.name, draft.name, span=draft.span)


def _check_same_type(child: Table, own: str, parent: Table, other: str, draft: ForeignKeyDraft) -> None:
    mine, theirs = column_of(child, own), column_of(parent, other)
    assert mine is not None and theirs is not None
    names = (parent.name, theirs.name, child.name, mine.name, draft.name)
    if mine.type.name != theirs.type.name:
        raise sql_error(1778, *names, span=draft.span)
    if (mine.type.length, mine.type.precision, mine.type.scale) != (
        theirs.type.length,
        theirs.type.precision,
        theirs.type.scale,
    ):
        raise sql_error(1753, *names, span=draft.span)
    if len({fold(t.collation or DATABASE_DEFAULT_COLLATION) for t in (mine.type, theirs.type)}) == 2:
        raise sql_error(1757, *names, span=draft.span)


def default_column(table: Table, constraint_name: str) -> Column | None:
    """The column whose DEFAULT constraint has this name."""
    folded = fold(constraint_name)
    return next((c for c in table.columns if c.default_name is not None and fold(c.default_name) == folded), None)


def replace_column(table: Table, column: Column, **changes: Any) -> Table:
    """The table with one column changed."""
    changed = msgspec.structs.replace(column, **changes)
    return msgspec.structs.replace(table, columns=tuple(changed if c is column else c for c in table.columns))


def constraint_named(catalog: Any, database_id: int, schema_id: int, name: str) -> bool:
    """Constraints share the names of a schema with tables and procedures."""
    folded = fold(name)
    for table in catalog.all(Table, database_id):
        if table.schema_id == schema_id:
            if any(fold(c.name) == folded for c in table.constraints):
                return True
            if default_column(table, name) is not None:
                return True
    return False


def name_taken(catalog: Any, database_id: int, schema_id: int, name: str) -> bool:
    """Whether an object of the schema, or a constraint of a table in it, has this name."""
    taken = catalog.find_object(database_id, schema_id, name) is not None
    return taken or constraint_named(catalog, database_id, schema_id, name)


def refuse_taken_names(catalog: Any, table: Table, names: Iterable[str], span: Span) -> None:
    """New constraints of a table are called what nothing in its schema is called, the table included. Raises 2714."""
    for name in names:
        if fold(name) == fold(table.name) or name_taken(catalog, table.database_id, table.schema_id, name):
            raise sql_error(2714, name, state=5, span=span)
