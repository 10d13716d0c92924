"""CREATE INDEX, ALTER INDEX and DROP INDEX. A unique index is a key that every write checks; any other is kept for
sys.indexes only, because the store finds rows without it."""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import Index, Module, Queue, Table, TableConstraint
from sbql.engine.definition.alter_table import put_table
from sbql.engine.definition.existing_rows import check_unique
from sbql.engine.modification.locking import lock_definition
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import check_alter, may
from sbql.engine.security.database_access import check_writable
from sbql.engine.security.resolver import resolve_itself
from sbql.engine.steps import Step, handles
from sbql.engine.tables.bound_table import bind
from sbql.engine.tables.definitions import builder
from sbql.engine.tables.elements import check_key_column, column_of, fold, ignores_duplicates
from sbql.engine.tables.partitioned import partitioning
from sbql.engine.tables.row_expressions import RowColumn, RowScope, stored_text
from sbql.engine.work import Work
from sbql.grammar.ast import AlterIndexStatement, CreateIndexStatement, DropIndexStatement, ObjectName, Span
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import columns_in


@handles(CreateIndexStatement)
def compile_create_index(node: CreateIndexStatement, compiler: Compiler) -> Step:
    if node.kind and node.kind.upper() not in ("COLUMNSTORE", "XML", "PRIMARY XML"):
        raise sql_error(40517, f"{node.kind} index", span=node.span)

    def run(frame: Frame) -> Work:
        session = frame.session
        with session.statement() as txn:
            if not node.table.name.startswith("#"):
                yield from txn.lock_schema()
            table = _table(session, node.table)
            if table.session_id == 0:
                check_alter(session, table, node.table)
                yield from lock_definition(session, txn, table)
            kept = _without_dropped(table, node)
            index = _index(session, kept, node)
            put_table(session, txn, table, msgspec.structs.replace(kept, indexes=(*kept.indexes, index)))
            if index.is_unique:
                _check_rows(frame, txn, kept, index, node.span)
        return 0

    return Step(run, waits=True)


def _table(session: Session, name: ObjectName) -> Table:
    """Raises 1088, 40517 for a view, and 1914 for a queue: its index is the broker's."""
    found = resolve_itself(session, name)
    if isinstance(found, Module) and found.type == "V":
        raise sql_error(40517, "an index of a view", span=name.span)
    if isinstance(found, Queue):
        raise sql_error(1914, str(name), span=name.span)
    if not isinstance(found, Table):
        raise sql_error(1088, str(name), span=name.span)
    return found


def _without_dropped(table: Table, node: CreateIndexStatement) -> Table:
    """DROP_EXISTING = ON makes the index that has the name anew. Raises 7999."""
    if "DROP_EXISTING = ON" not in node.options:
        return table
    folded = fold(node.name.value)
    others = tuple(i for i in table.indexes if fold(i.name) != folded)
    if len(others) < len(table.indexes):
        return msgspec.structs.replace(table, indexes=others)
    if any(fold(c.name) == folded for c in table.constraints if c.type in ("PK", "UQ")):
        raise sql_error(40517, "DROP_EXISTING of the index of a key", span=node.span)
    raise sql_error(7999, node.name.value, table.name, span=node.span)


def _index(session: Session, table: Table, node: CreateIndexStatement) -> Index:
    """The record. Raises 1913, 1911, 1919, 1902, 1904, 1916, 10609, 10618."""
    ignores = ignores_duplicates(node.options, node.unique, node.span, is_filtered=node.where is not None)
    name = node.name.value
    taken = {fold(i.name) for i in table.indexes} | {fold(c.name) for c in table.constraints if c.type in ("PK", "UQ")}
    if fold(name) in taken:
        raise sql_error(1913, name, "table", table.name, span=node.name.span)
    shape = builder(table.name, session, lambda: 0)
    shape.columns = list(table.columns)
    keys = shape.key_columns(node.columns, None, node.span, name) if not node.kind else ()
    included = []
    for column in (c.name for c in node.columns) if node.kind else node.include:
        found = column_of(table, column.value)
        if found is None:
            raise sql_error(1911, column.value, span=column.span)
        if not node.kind:
            check_key_column(found, table.name, column.span)
        included.append(found.name)
    if node.clustered:
        clustered = [i.name for i in table.indexes if i.is_clustered] + [
            c.name for c in table.constraints if c.is_clustered
        ]
        if clustered:
            raise sql_error(1902, table.name, clustered[0], span=node.span)
    if node.where is not None:
        for used in columns_in(node.where):
            if (found := column_of(table, used.name)) is not None and found.computed is not None:
                raise sql_error(10609, "index", name, table.name, found.name, span=used.span)
        RowScope([RowColumn("", c.name, c.type) for c in table.columns], session).condition(node.where)
    return Index(
        index_id=max((i.index_id for i in table.indexes), default=1) + 1,
        name=name,
        columns=keys,
        is_unique=node.unique,
        is_clustered=bool(node.clustered),
        included=tuple(included),
        filter=stored_text(node.where, is_filter=True) if node.where is not None else None,
        ignores_duplicates=ignores,
        partitioning=partitioning(table.columns, node.storage[0] if node.storage else None),
        kind=node.kind or "",
    )


def _check_rows(frame: Frame, txn: Any, old: Table, index: Index, span: Span) -> None:
    session = frame.session
    table = msgspec.structs.replace(old, indexes=(*old.indexes, index))
    bound = bind(table, session)
    rows = StoredRows(bound, txn).everything()
    key = next(k for k in bound.keys if k.name == index.name)
    check_unique(bound, index.name, list(key.columns), [r for r in rows if key.covers(frame, r[1])], span)


@handles(AlterIndexStatement)
def compile_alter_index(node: AlterIndexStatement, compiler: Compiler) -> Step:
    """DISABLE switches a unique index off until REBUILD, which checks the rows; REORGANIZE and SET find nothing to do.
    Raises 1088, 2727, 1973."""
    if node.action not in ("DISABLE", "REBUILD", "REORGANIZE", "SET"):
        raise sql_error(40517, f"ALTER INDEX … {node.action}", span=node.span)

    def run(frame: Frame) -> Work:
        session = frame.session
        with session.statement() as txn:
            if not node.table.name.startswith("#"):
                yield from txn.lock_schema()
            table = _table(session, node.table)
            check_writable(session, table.database_id)
            check_alter(session, table, node.table)
            if table.session_id == 0:
                yield from lock_definition(session, txn, table)
            for index in _indexes(table, node):
                _alter(frame, txn, node, index)
            _alter_keys(session, txn, node)
        return 0

    return Step(run, waits=True)


def _indexes(table: Table, node: AlterIndexStatement) -> list[Index]:
    """Those that the statement names. The indexes of keys have nothing to rebuild; one of them cannot be disabled
    here."""
    keys = [c for c in table.constraints if c.type in ("PK", "UQ")]
    if node.index is None:
        if node.action == "DISABLE" and keys:
            raise sql_error(40517, "DISABLE of the index of a key", span=node.span)
        return list(table.indexes)
    name = fold(node.index.value)
    found = [i for i in table.indexes if fold(i.name) == name]
    if not found and not any(fold(c.name) == name for c in keys):
        raise sql_error(2727, node.index.value, span=node.index.span)
    if node.action == "DISABLE" and (not found or found[0].is_clustered):
        raise sql_error(40517, "DISABLE of a clustered index or the index of a key", span=node.span)
    if node.action == "REORGANIZE" and found and found[0].is_disabled:
        raise sql_error(1973, "index", found[0].name, table.name, span=node.span)
    return found


def _alter(frame: Frame, txn: Any, node: AlterIndexStatement, index: Index) -> None:
    is_disabled = {"DISABLE": True, "REBUILD": False}.get(node.action, index.is_disabled)
    ignores = _ignores(node, index)
    if is_disabled == index.is_disabled and ignores == index.ignores_duplicates:
        return
    session = frame.session
    table = _table(session, node.table)
    others = tuple(i for i in table.indexes if i is not index)
    changed = msgspec.structs.replace(index, is_disabled=is_disabled, ignores_duplicates=ignores)
    if index.is_disabled and not is_disabled and index.is_unique:
        _check_rows(frame, txn, msgspec.structs.replace(table, indexes=others), changed, node.span)
    put_table(
        session,
        txn,
        table,
        msgspec.structs.replace(table, indexes=tuple(changed if i is index else i for i in table.indexes)),
    )


def _ignores(node: AlterIndexStatement, index: Index | TableConstraint) -> bool:
    """Whether the index ignores duplicates from now on. Raises 1916, 10618."""
    if node.ignores_duplicates is None:
        return index.ignores_duplicates
    if not node.ignores_duplicates or not isinstance(index, Index):
        return node.ignores_duplicates
    filtered = index.filter is not None
    return ignores_duplicates(("IGNORE_DUP_KEY = ON",), index.is_unique, node.span, is_filtered=filtered)


def _alter_keys(session: Session, txn: Any, node: AlterIndexStatement) -> None:
    """The indexes of keys: IGNORE_DUP_KEY is all that can change in them."""
    table = _table(session, node.table)
    name = None if node.index is None else fold(node.index.value)

    def changed(key: TableConstraint) -> TableConstraint:
        if key.type not in ("PK", "UQ") or name not in (None, fold(key.name)):
            return key
        return msgspec.structs.replace(key, ignores_duplicates=_ignores(node, key))

    constraints = tuple(map(changed, table.constraints))
    if constraints != table.constraints:
        put_table(session, txn, table, msgspec.structs.replace(table, constraints=constraints))


def _keeps_children(session: Session, table: Table, index: Index) -> bool:
    """Whether a FOREIGN KEY refers to the columns of a unique index, and nothing else is unique in them."""
    columns = {fold(c.name) for c in index.columns}
    if not index.is_unique or index.filter is not None:
        return False
    others = [c.columns for c in table.constraints if c.type in ("PK", "UQ")]
    others += [i.columns for i in table.indexes if i is not index and i.is_unique and i.filter is None]
    if any({fold(c.name) for c in key} == columns for key in others):
        return False
    return any(
        constraint.type == "F"
        and constraint.referenced_id == table.id
        and {fold(name) for name in constraint.referenced_columns} == columns
        for child in session.catalog.all(Table, table.database_id)
        for constraint in child.constraints
    )


@handles(DropIndexStatement)
def compile_drop_index(node: DropIndexStatement, compiler: Compiler) -> Step:
    def run(frame: Frame) -> Work:
        session = frame.session
        with session.statement() as txn:
            for name, table_name in node.items:
                if not table_name.name.startswith("#"):
                    yield from txn.lock_schema()
                found = resolve_itself(session, table_name)
                table = found if isinstance(found, Table) else None
                shown = f"{table_name}.{name.value}"
                if table is not None and not table.session_id and not may(session, "ALTER", table):
                    table = None
                if table is None:
                    if node.if_exists:
                        continue
                    raise sql_error(3701, "drop", "index", shown, state=7, span=name.span)
                index = next((i for i in table.indexes if fold(i.name) == fold(name.value)), None)
                if index is None:
                    if any(fold(c.name) == fold(name.value) and c.type in ("PK", "UQ") for c in table.constraints):
                        raise sql_error(3723, shown, "PRIMARY KEY or UNIQUE", span=name.span)
                    if node.if_exists:
                        continue
                    raise sql_error(3701, "drop", "index", shown, state=7, span=name.span)
                if _keeps_children(session, table, index):
                    raise sql_error(3723, shown, "FOREIGN KEY", span=name.span)
                if table.session_id == 0:
                    yield from lock_definition(session, txn, table)
                new = msgspec.structs.replace(table, indexes=tuple(i for i in table.indexes if i is not index))
                if node.storage and index.is_clustered:
                    new = msgspec.structs.replace(new, partitioning=partitioning(table.columns, node.storage[0]))
                put_table(session, txn, table, new)
        return 0

    return Step(run, waits=True)
