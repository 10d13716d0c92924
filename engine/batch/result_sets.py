"""EXECUTE … WITH RESULT SETS: how many result sets may come, and what their columns are called and typed.

It stands between the called module and the client, and changes each result set on its way. It must not know what sent
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from sbql.catalog.records import Module, Table
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.ports import Session
from sbql.engine.query.translation import check_view
from sbql.engine.scalars.conversion import converter
from sbql.engine.scalars.scope import Scope
from sbql.engine.security.resolver import in_text_of, resolve
from sbql.engine.tables.definitions import find_user_type
from sbql.grammar.ast import CreateViewStatement, ObjectName, ResultSetDefinition
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import XML, SqlType
from sbql.grammar.values.kinds import spelled

__all__ = ["described", "wanted_sets"]

Wanted = Callable[[Any], Sequence[ResultColumn]]


class _Watch(Struct):
    """The result sets that have come so far."""

    wanted: Sequence[Wanted]
    session: Session
    count: int = 0

    def change(self, result: ResultSet) -> ResultSet:
        """The next result set as it was asked for. Raises 11535, 11537, 11538, 11553."""
        self.count += 1
        if self.count > len(self.wanted):
            raise sql_error(11535, len(self.wanted))
        columns = self.wanted[self.count - 1](self.session)
        if len(columns) != len(result.columns):
            raise sql_error(11537, len(columns), self.count, len(result.columns))
        changes = [
            _change(old.type, new.type, place, self.count)
            for place, (old, new) in enumerate(zip(result.columns, columns, strict=True), 1)
        ]
        rows = []
        for row in result.rows:
            values = tuple(change(value) for change, value in zip(changes, row, strict=True))
            for place, (column, value) in enumerate(zip(columns, values, strict=True), 1):
                if value is None and not column.nullable:
                    raise sql_error(11553, place, self.count)
            rows.append(values)
        return ResultSet(columns, rows)


def _change(old: SqlType, new: SqlType, place: int, count: int) -> Callable[[Any], Any]:
    """The implicit conversion. Raises 11538 when there is none."""
    try:
        return converter(old, new)
    except SqlError as error:
        if error.number not in (206, 257):
            raise
        raise sql_error(11538, spelled(new), place, count, spelled(old)) from None


@contextmanager
def described(session: Session, wanted: Sequence[Wanted] | None) -> Iterator[None]:
    """Around a call: its result sets are those asked for, when any are. Raises 11536 for too few."""
    if wanted is None:
        yield
        return
    watch, outer = _Watch(wanted, session), session.sink

    def pass_on(outcome: Any) -> None:
        changed = watch.change(outcome) if isinstance(outcome, ResultSet) else outcome
        if outer is not None:
            outer(changed)

    with session.told_to(pass_on):
        yield
    if watch.count < len(wanted):
        raise sql_error(11536, len(wanted), watch.count)


def wanted_sets(definitions: tuple[ResultSetDefinition, ...] | None, scope: Scope) -> list[Wanted] | None:
    """What the clause asks for; None without it. An object is looked up when its rows come."""
    if definitions is None:
        return None
    return [_wanted(definition, scope) for definition in definitions]


def _wanted(definition: ResultSetDefinition, scope: Scope) -> Wanted:
    name = definition.object
    if name is not None:
        return lambda session: _columns_of(name, session)
    if not definition.columns:
        xml = [ResultColumn("XML_F52E2B61-18A1-11d1-B105-00805F49916B", XML)]
        return lambda session: xml
    columns = []
    for position, column in enumerate(definition.columns, 1):
        assert column.type is not None
        sql_type = scope.resolve_type(column.type, position=position)
        if column.collation is not None:
            sql_type = sql_type.with_collation(scope.named_collation(column.collation))
        columns.append(ResultColumn(column.name.value, sql_type, column.nullable is not False))
    return lambda session: columns


def _columns_of(name: ObjectName, session: Session) -> Sequence[ResultColumn]:
    """The columns of a table, view or table type. Raises 208, 40517."""
    found = resolve(session, name, Table, Module, missing_ok=True)
    user_type = find_user_type(session, name) if found is None else None
    table = user_type.table if user_type is not None else found
    if isinstance(table, Table):
        return [ResultColumn(c.name, c.type, c.is_nullable) for c in table.columns]
    if not isinstance(table, Module):
        raise sql_error(208, str(name), span=name.span)
    if table.type != "V":
        raise sql_error(40517, "WITH RESULT SETS (AS OBJECT function)", span=name.span)
    node = session.instance.modules.parse(table.definition).statements[0]
    assert isinstance(node, CreateViewStatement)
    with in_text_of(session, table):
        return check_view(session, node)
