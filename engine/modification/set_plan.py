"""What SET means, in UPDATE and in MERGE: a column gets a value, DEFAULT, a part (WRITE) or a changed document
(modify), a variable gets what the column gets.

Decides what may be set (207, 264, 271, 272, 8102) and what the query has to compute beside the rows. It must not know
which rows there are, nor who writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, field

from sbql.engine.modification.large_values import written
from sbql.engine.modification.search import value_of
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.grammar.ast import (
    Assignment,
    CastExpression,
    ColumnReference,
    DataTypeReference,
    DefaultValue,
    Expression,
    Identifier,
    MethodCall,
    ObjectName,
    VariableReference,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.tree import walk
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.conversions import converter

__all__ = ["Compute", "SetPlan", "is_sequential", "set_plan", "type_setters"]

Compute = Callable[[Frame, Sequence[Any]], Any]

_BIGINT = DataTypeReference(ObjectName((Identifier("bigint"),)))


class _Setter(Struct):
    """One item of SET. `extra` is the place of its value among the extra values of the query; `compute` works it out
    row by row; neither: `default` of the column. `ends` work out the offset and the length of `part`, which WRITE
    replaces. `modify` changes the old value of a column by XML DML; `columns` are those it names by sql:column(), with
    their places among the extra values."""

    position: int | None
    convert: Converter | None = None
    extra: int | None = None
    compute: Compute | None = None
    default: Callable[[Frame], Any] | None = None
    slot: int | None = None
    to_variable: Converter | None = None
    part: tuple[Expression, Expression] | None = None
    ends: tuple[Compute, Compute] | None = None
    modify: MethodCall | None = None
    columns: dict[str, int] = field(default_factory=dict)

    @property
    def is_special(self) -> bool:
        """It is not simply a new value of a column."""
        return not (self.slot is None and self.compute is None and self.ends is None and self.modify is None)


class SetPlan(Struct):
    """The SET list, bound. `extras` are the expressions that the query has to compute beside the rows."""

    setters: list[_Setter] = field(default_factory=list)
    extras: list[Expression] = field(default_factory=list)
    is_sequential: bool = False
    shares_values: bool = False

    @property
    def columns(self) -> frozenset[int]:
        return frozenset(s.position for s in self.setters if s.position is not None)

    def new_row(self, frame: Frame, old: Sequence[Any], extra: Sequence[Any]) -> list[Any]:
        """The row after SET; variables get their values on the way."""
        if self.shares_values:
            return frame.of_row(lambda: self._new_row(frame, old, extra))
        return self._new_row(frame, old, extra)

    def _new_row(self, frame: Frame, old: Sequence[Any], extra: Sequence[Any]) -> list[Any]:
        new = list(old)
        for setter in self.setters:
            if setter.extra is not None:
                value = extra[setter.extra]
            elif setter.compute is not None:
                value = setter.compute(frame, [*old, *extra])
            else:
                value = setter.default(frame) if setter.default is not None else None
            if value is not None and setter.convert is not None:
                value = setter.convert(value)
            if setter.ends is not None and setter.position is not None:
                offset, length = (end(frame, [*old, *extra]) for end in setter.ends)
                value = written(old[setter.position], value, offset, length)
            if setter.position is not None:
                new[setter.position] = value
            if setter.slot is not None:
                kept = value if value is None or setter.to_variable is None else setter.to_variable(value)
                frame.variables[setter.slot] = kept
        return new


def check_settable(bound: BoundTable, reference: ColumnReference | Any, seen: set[int]) -> int:
    """The position of a column in SET. Raises 207, 264, 271, 272, 8102."""
    name = reference.name
    position = bound.position(name)
    if position is None:
        close = did_you_mean(name, [column.name for column in bound.table.columns])
        raise sql_error(207, name, span=reference.span).advise(close)
    if position in seen:
        raise sql_error(264, name, span=reference.span)
    seen.add(position)
    column = bound.table.columns[position]
    if column.computed is not None:
        raise sql_error(271, column.name, span=reference.span)
    if position == bound.identity:
        raise sql_error(8102, column.name, span=reference.span)
    if position == bound.row_version:
        raise sql_error(272, span=reference.span)
    return position


def is_sequential(assignments: Sequence[Assignment]) -> bool:
    """A variable that SET assigns and reads: each row sees what the row before left in it."""
    assigned = {a.variable.lower() for a in assignments if a.variable is not None}
    if not assigned:
        return False
    compound = any(
        a.variable is not None and a.column is None and a.op not in ("=", "modify", "write") for a in assignments
    )
    read = {n.name.lower() for a in assignments for n in walk(a.expression) if isinstance(n, VariableReference)}
    return compound or bool(assigned & read)


def set_plan(
    assignments: Sequence[Assignment],
    bound: BoundTable,
    scope: Scope,
    qualifier: tuple[Identifier, ...],
    *,
    sequential: bool = False,
) -> SetPlan:
    """Bind a SET list; the types of the extra expressions are filled in by `type_setters` once the query is known."""
    plan = SetPlan(is_sequential=sequential, shares_values=bound.shares_values)
    seen: set[int] = set()
    for item in assignments:
        position = check_settable(bound, item.column, seen) if item.column is not None else None
        setter = _Setter(position)
        if item.variable is not None:
            setter.slot = scope.lookup(item.variable, item.span)[0]
        if isinstance(item.expression, DefaultValue):
            if position is None:
                raise sql_error(156, "DEFAULT", span=item.expression.span)
            setter.default = bound.defaults[position]
        elif item.op == "modify":
            _bind_modify(plan, setter, item, bound, scope)
        else:
            setter.extra = len(plan.extras)
            plan.extras.append(value_of(item, qualifier))
            if item.op == "write":
                _bind_write(setter, item, plan, bound)
        plan.setters.append(setter)
    return plan


def _bind_modify(plan: SetPlan, setter: _Setter, item: Assignment, bound: BoundTable, scope: Scope) -> None:
    """`column.modify('…')`: XML DML over the old value. The columns that it names are computed by the query."""
    from sbql.engine.documents.xml_methods import columns_named  # XML is imported when it is used

    assert isinstance(item.expression, MethodCall) and setter.position is not None
    if bound.types[setter.position].name != "xml":
        raise sql_error(258, str(bound.types[setter.position]), span=item.span)
    setter.modify = item.expression
    columns = columns_named(item.expression, scope, bound.types[setter.position])
    setter.columns = {name: len(plan.extras) + place for place, name in enumerate(columns)}
    plan.extras += [ColumnReference(parse_object_name(column).parts, span=item.span) for column in columns.values()]


def _modifies(setter: _Setter, bound: BoundTable, scope: Scope, types: Sequence[SqlType]) -> Compute:
    from sbql.engine.documents.xml_methods import compile_modify

    assert setter.modify is not None and setter.position is not None
    columns = {name: types[place] for name, place in setter.columns.items()}
    modify = compile_modify(setter.modify, scope, bound.types[setter.position], columns)
    position, width, places = setter.position, bound.width, tuple(setter.columns.values())
    return lambda frame, values: modify(frame, values[position], [values[width + place] for place in places])


def _bind_write(setter: _Setter, item: Assignment, plan: SetPlan, bound: BoundTable) -> None:
    """`column.WRITE(expression, offset, length)`: the ends are computed beside the new value. Raises 258."""
    assert isinstance(item.expression, MethodCall) and setter.position is not None
    sql_type = bound.types[setter.position]
    if sql_type.length != MAX or sql_type.name not in ("varchar", "nvarchar", "varbinary"):
        raise sql_error(258, str(sql_type), span=item.span)
    setter.part = item.expression.arguments[1], item.expression.arguments[2]
    first = bound.width + len(plan.extras)
    plan.extras += [CastExpression(end, _BIGINT) for end in setter.part]
    setter.ends = _at(first), _at(first + 1)


def _at(place: int) -> Compute:
    return lambda frame, values: values[place]


def type_setters(
    plan: SetPlan, assignments: Sequence[Assignment], bound: BoundTable, scope: Scope, types: Sequence[SqlType]
) -> None:
    """Converters, now that the types of the extra values are known."""
    assert scope.session is not None
    for setter, item in zip(plan.setters, assignments, strict=True):
        if setter.modify is not None:
            setter.compute = _modifies(setter, bound, scope, types)
        source = types[setter.extra] if setter.extra is not None else None
        if setter.position is not None and source is not None:
            column = bound.table.columns[setter.position]
            setter.convert = assignment(source, column.type, bound.full_name, column.name, scope.session.options)
            source = column.type
        elif setter.position is not None:
            source = bound.types[setter.position]
        if setter.slot is not None and item.variable is not None and source is not None:
            target = scope.lookup(item.variable, item.span)[1]
            setter.to_variable = None if target == source else converter(source, target)
