"""Filegroups: which there are, and that a storage clause names one of them, or a partition scheme.

Decides what ON, TEXTIMAGE_ON, FILESTREAM_ON and MOVE TO may name: PRIMARY, the default, what ALTER or CREATE
DATABASE has made; schemes are made in `partitions`. Nothing lies in a filegroup: all of an instance is in one
file. It must not know what is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from sbql.catalog.records import Database, PartitionScheme
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step
from sbql.engine.work import Work
from sbql.grammar.ast import (
    AlterDatabaseStatement,
    AlterPartitionSchemeStatement,
    AlterQueueStatement,
    AlterTableStatement,
    BinaryQuery,
    CreateIndexStatement,
    CreatePartitionSchemeStatement,
    CreateQueueStatement,
    CreateSchemaStatement,
    CreateTableStatement,
    CreateTypeStatement,
    DataSpace,
    DropIndexStatement,
    Identifier,
    ObjectName,
    QuerySpecification,
    SelectStatement,
    Statement,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all

__all__ = ["change_filegroups", "checked", "new_filegroups"]

_BUILT_IN: Final = frozenset({"primary", "default"})
_HOLDERS: Final = (
    AlterPartitionSchemeStatement, AlterQueueStatement, AlterTableStatement, CreateIndexStatement, CreatePartitionSchemeStatement,
    CreateQueueStatement, CreateSchemaStatement, CreateTableStatement, CreateTypeStatement, DropIndexStatement,
)  # fmt: skip
"""The statements with storage clauses, besides SELECT INTO."""


def checked(node: Statement, step: Step) -> Step:
    """The step, refused with 1921 when it runs and a storage clause names what the database has not."""
    spaces = list(_spaces(node))
    if not spaces:
        return step
    target = _target(node)
    may_be_scheme = not isinstance(node, SelectStatement)
    run = step.run

    def plain(frame: Frame) -> Any:
        _check(frame.session, target, spaces, may_be_scheme)
        return run(frame)

    def waiting(frame: Frame) -> Work:
        _check(frame.session, target, spaces, may_be_scheme)
        return (yield from run(frame))

    return msgspec.structs.replace(step, run=waiting if step.waits else plain)


def _spaces(node: Statement) -> Iterator[DataSpace]:
    if isinstance(node, SelectStatement):
        query = _first_specification(node)
        if query is not None and query.into_storage is not None:
            yield query.into_storage
    elif isinstance(node, _HOLDERS):
        yield from find_all(node, DataSpace)


def _first_specification(node: SelectStatement) -> QuerySpecification | None:
    query = node.query.query
    while isinstance(query, BinaryQuery):
        query = query.left
    return query if isinstance(query, QuerySpecification) else None


def _target(node: Statement) -> ObjectName | None:
    """What will lie there: its database counts. None: the current one."""
    if isinstance(node, SelectStatement):
        query = _first_specification(node)
        return query.into if query is not None else None
    if isinstance(node, CreateIndexStatement):
        return node.table
    if isinstance(node, DropIndexStatement):
        return node.items[0][1]
    name = getattr(node, "name", None)
    return name if isinstance(name, ObjectName) else None


def _check(session: Session, target: ObjectName | None, spaces: list[DataSpace], may_be_scheme: bool) -> None:
    database: Database | None = session.database
    if target is not None and target.name.startswith("#"):
        database = None
    elif target is not None and target.database:
        database = session.catalog.find(Database, 0, target.database) or session.database
    for space in spaces:
        if space.is_scheme:
            if not may_be_scheme or not _has_scheme(session, database, space.name.value):
                raise sql_error(1921, "partition scheme", space.name.value, span=space.span)
        elif not _has(database, space.name.value):
            raise sql_error(1921, "filegroup", space.name.value, span=space.span)


def _has_scheme(session: Session, database: Database | None, name: str) -> bool:
    return database is not None and session.catalog.find(PartitionScheme, database.id, name) is not None


def _has(database: Database | None, name: str) -> bool:
    """`database` None: tempdb."""
    known = (each.lower() for each in database.filegroups) if database is not None else ()
    return name.lower() in _BUILT_IN or name.lower() in known


# --- making them --------------------------------------------------------------------------------------------


def new_filegroups(names: tuple[Identifier, ...]) -> tuple[str, ...]:
    """Those of CREATE DATABASE. Raises 5035 for one that is named twice."""
    made: list[str] = []
    for name in names:
        if name.value.lower() in _BUILT_IN or name.value.lower() in (each.lower() for each in made):
            raise sql_error(5035, name.value, span=name.span)
        made.append(name.value)
    return tuple(made)


def change_filegroups(transaction: Transaction, record: Database, node: AlterDatabaseStatement) -> None:
    """ALTER DATABASE … ADD, REMOVE, MODIFY FILEGROUP, and ADD FILE … TO FILEGROUP.
    Raises 1921, 5035, 5042 (PRIMARY)."""
    if not node.filegroups:
        return
    first, *rest = node.filegroups
    names = list(record.filegroups)
    if node.action == "ADD FILEGROUP":
        names = [*new_filegroups((*(Identifier(name, span=first.span) for name in names), first))]
    elif not _has(record, first.value):
        raise sql_error(1921, "filegroup", first.value, span=first.span)
    elif node.action == "REMOVE FILEGROUP" or rest:
        at = next((i for i, name in enumerate(names) if name.lower() == first.value.lower()), None)
        if at is None:
            raise sql_error(5042, first.value, span=first.span)
        before = names.pop(at)
        if rest and rest[0].value.lower() != before.lower():
            new_filegroups((*(Identifier(name, span=first.span) for name in names), rest[0]))
        if rest:
            names.insert(at, rest[0].value)
    transaction.change_catalog(record, msgspec.structs.replace(record, filegroups=tuple(names)))
