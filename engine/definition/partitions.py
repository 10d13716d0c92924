"""CREATE, ALTER and DROP of partition functions and partition schemes.

Decides which boundaries a function has and which filegroups a scheme names for them. What a value's partition is, is
`query/partition_numbers`; no rows move when either changes, for all of them lie in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from sbql.catalog.duck_types import to_store
from sbql.catalog.records import CatalogRecord, PartitionFunction, PartitionScheme, Table
from sbql.engine.definition.ddl import Drop, basics, check_right, ddl_step, refuse_existing
from sbql.engine.describe.partitions import boundary_key, boundary_keys
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import has_right
from sbql.engine.steps import Step, handles
from sbql.engine.tables.partitioned import partitioned_by
from sbql.grammar.ast import (
    AlterPartitionFunctionStatement,
    AlterPartitionSchemeStatement,
    CreatePartitionFunctionStatement,
    CreatePartitionSchemeStatement,
    Expression,
    Identifier,
    ObjectName,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import MAX, SQL_VARIANT, SqlType, Variant

__all__ = ["DROP_FUNCTION", "DROP_SCHEME"]

_MOST_PARTITIONS: Final = 15_000
_NO_KEYS: Final = frozenset({"text", "ntext", "image", "xml", "rowversion", "sql_variant"})
_RIGHT: Final = "ALTER ANY DATASPACE"


@handles(CreatePartitionFunctionStatement)
def compile_function(node: CreatePartitionFunctionStatement, compiler: Compiler) -> Step:
    """Boundaries in any order, each converted to the type of the function. Raises 7704, 7705, 7708, 7719."""
    parameter = compiler.scope.resolve_type(node.type)
    if parameter.name in _NO_KEYS or parameter.length == MAX:
        raise sql_error(7704, str(parameter), span=node.type.span)
    values = [_boundary(value, parameter, compiler, number) for number, value in enumerate(node.values, 1)]
    if len(values) >= _MOST_PARTITIONS:
        raise sql_error(7719, _MOST_PARTITIONS, span=node.span)

    def body(frame: Frame, session: Session, transaction: Transaction) -> None:
        check_right(session, _RIGHT)
        refuse_existing(session, PartitionFunction, node.name)
        found = [value.run(frame) for value in values]
        keys = [boundary_key(parameter)(value) for value in found]
        for second, key in enumerate(keys):
            first = keys.index(key)
            if first < second:
                raise sql_error(7708, first + 1, second + 1, span=node.values[second].span)
        ordered = sorted(range(len(keys)), key=keys.__getitem__)
        if ordered != list(range(len(keys))):
            _tell(session, 7709, node.name.value)
        boundaries = tuple(_stored(found[at], parameter) for at in ordered)
        fields = basics(session, node.name.value)
        transaction.change_catalog(
            None, PartitionFunction(**fields, type=parameter, is_right=node.is_right, boundaries=boundaries)
        )

    return _step(body)


@handles(AlterPartitionFunctionStatement)
def compile_alter_function(node: AlterPartitionFunctionStatement, compiler: Compiler) -> Step:
    """SPLIT adds a boundary, MERGE takes one away; the schemes of the function gain or lose a filegroup.
    Raises 7707, 7714, 7715, 7719, 7721."""
    if node.value is None:
        raise sql_error(7714, span=node.span)
    expression = node.value
    written = compiler.scalar(expression)

    def body(frame: Frame, session: Session, transaction: Transaction) -> None:
        check_right(session, _RIGHT)
        record = _existing(session, PartitionFunction, node.name)
        value = _converted(written, record.type, expression, 1).run(frame)
        keys, key = boundary_keys(record), boundary_key(record.type)(value)
        is_there = key in keys
        at = keys.index(key) if is_there else len([k for k in keys if k < key])
        changed = list(record.boundaries)
        if node.action == "MERGE":
            if not is_there:
                raise sql_error(7715, span=expression.span)
            del changed[at]
        else:
            if is_there:
                raise sql_error(7721, at + 1, span=expression.span)
            if len(changed) + 2 > _MOST_PARTITIONS:
                raise sql_error(7719, _MOST_PARTITIONS, span=node.span)
            changed.insert(at, _stored(value, record.type))
        for scheme in _schemes(session, record):
            transaction.change_catalog(scheme, _rearranged(scheme, record, at + record.is_right, node.action))
        now = session.instance.host.now()
        transaction.change_catalog(record, msgspec.structs.replace(record, boundaries=tuple(changed), modify_date=now))

    return _step(body)


def _rearranged(scheme: PartitionScheme, function: PartitionFunction, at: int, action: str) -> PartitionScheme:
    """The scheme with a filegroup more, which has to be the next used (7707), or one less."""
    filegroups = list(scheme.filegroups)
    if action == "MERGE":
        del filegroups[at]
        return msgspec.structs.replace(scheme, filegroups=tuple(filegroups))
    if scheme.next_used is None:
        raise sql_error(7707, function.name, scheme.name)
    filegroups.insert(at, scheme.next_used)
    return msgspec.structs.replace(scheme, filegroups=tuple(filegroups), next_used=None)


@handles(CreatePartitionSchemeStatement)
def compile_scheme(node: CreatePartitionSchemeStatement, compiler: Compiler) -> Step:
    """A filegroup for each partition, or one for ALL; one more is the next used. Raises 7707, 7723."""

    def body(frame: Frame, session: Session, transaction: Transaction) -> None:
        check_right(session, _RIGHT)
        refuse_existing(session, PartitionScheme, node.name)
        function = _existing(session, PartitionFunction, node.function)
        named = [space.name.value for space in node.filegroups]
        count = len(function.boundaries) + 1
        if node.is_all and len(named) > 1:
            raise sql_error(7723, span=node.span)
        if node.is_all:
            named *= count + 1
        if len(named) < count:
            raise sql_error(7707, function.name, node.name.value, span=node.span)
        if len(named) > count + 1:
            _tell(session, 7713, len(named) - count - 1)
        next_used = named[count] if len(named) > count else None
        record = PartitionScheme(
            **basics(session, node.name.value), function_id=function.id, filegroups=tuple(named[:count]), next_used=next_used
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return _step(body)


@handles(AlterPartitionSchemeStatement)
def compile_alter_scheme(node: AlterPartitionSchemeStatement, compiler: Compiler) -> Step:
    """NEXT USED; without a filegroup none is next."""

    def body(frame: Frame, session: Session, transaction: Transaction) -> None:
        check_right(session, _RIGHT)
        record = _existing(session, PartitionScheme, node.name)
        if node.filegroup is None and record.next_used is None:
            _tell(session, 7710, record.name)
        next_used = None if node.filegroup is None else node.filegroup.name.value
        now = session.instance.host.now()
        transaction.change_catalog(record, msgspec.structs.replace(record, next_used=next_used, modify_date=now))

    return _step(body)


# --- values and names ---------------------------------------------------------------------------------------


def _step(body: Callable[[Frame, Session, Transaction], None]) -> Step:
    """A definition that computes values: it sees the frame."""
    return Step(lambda frame: ddl_step(partial(body, frame)).run(frame), waits=True)


def _boundary(value: Expression, parameter: SqlType, compiler: Compiler, number: int) -> Scalar:
    return _converted(compiler.scalar(value), parameter, value, number)


def _converted(scalar: Scalar, parameter: SqlType, value: Expression, number: int) -> Scalar:
    """Raises 7705 where the types do not convert."""
    try:
        return convert_scalar(scalar, parameter)
    except SqlError:
        raise sql_error(7705, number, span=value.span) from None


def _stored(value: Any, parameter: SqlType) -> tuple[str, str, str] | None:
    if value is None:
        return None
    stored = to_store(Variant(parameter, value), SQL_VARIANT)
    return stored["sort"], stored["base"], stored["text"]


def _existing(session: Session, cls: type[Any], name: Identifier) -> Any:
    """The function or scheme of the current database. Raises 208."""
    found = session.catalog.find(cls, session.database_id, name.value)
    if found is None:
        raise sql_error(208, name.value, span=name.span)
    return found


def _schemes(session: Session, function: PartitionFunction) -> list[PartitionScheme]:
    return [s for s in session.catalog.all(PartitionScheme, function.database_id) if s.function_id == function.id]


def _tell(session: Session, number: int, *arguments: object) -> None:
    told = sql_error(number, *arguments)
    session.emit(InfoMessage(told.message, number, told.severity))


# --- DROP ---------------------------------------------------------------------------------------------------


def _may_drop(session: Session, record: CatalogRecord) -> bool:
    return has_right(session, _RIGHT)


def _refuse_function(session: Session, record: PartitionFunction, name: ObjectName) -> None:
    if _schemes(session, record):
        raise sql_error(7706, record.name, span=name.span)


def _refuse_scheme(session: Session, record: PartitionScheme, name: ObjectName) -> None:
    for table in session.catalog.all(Table, record.database_id):
        if any(used.scheme.lower() == record.name.lower() for used in partitioned_by(table)):
            raise sql_error(7717, record.name, span=name.span)


DROP_FUNCTION = Drop(missing=3701, may=_may_drop, refuse=_refuse_function)
DROP_SCHEME = Drop(missing=3701, may=_may_drop, refuse=_refuse_scheme)
