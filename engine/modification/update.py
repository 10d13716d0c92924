"""UPDATE: SET of columns and variables, FROM, TOP, OUTPUT, WHERE CURRENT OF.

New values are computed by the query that finds the rows, so that they see the rows before the change. Only when a
variable that SET assigns is read in SET too are the values computed row by row here. Rows are locked, and if that took
a wait or somebody was quicker, the query is run again: READ COMMITTED.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct, field

from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.large_values import written
from sbql.engine.modification.output import (
    OutputPlan,
    expand_stars,
    extra_columns,
    output_plan,
    shared_tables,
    write_found,
)
from sbql.engine.modification.row_changes import is_plain_update, update_one
from sbql.engine.modification.search import Search, assigned, make_search, value_of
from sbql.engine.modification.set_changes import SetChange, SetValue, takes_set_update
from sbql.engine.modification.set_joins import SetJoin
from sbql.engine.modification.sources import TargetRows
from sbql.engine.modification.statement import Writing, writes
from sbql.engine.modification.target import called, check_permission, check_target_hints, rows_of
from sbql.engine.modification.triggers import fire_instead_of, is_instead
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Session
from sbql.engine.query.joined_updates import joined_tables, translate_joined_update
from sbql.engine.query.statement import unsupported
from sbql.engine.query.translation import Beginning
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import LateBound
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.row_images import RowImages, Updated
from sbql.engine.work import Suspend
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
    QueryExpression,
    UpdateStatement,
    VariableReference,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.tree import columns_in, find_all, walk
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.checkpoints import checked_rows
from sbql.grammar.values.conversions import converter

__all__ = ["SetPlan", "check_settable", "set_plan"]

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

    @property
    def columns(self) -> frozenset[int]:
        return frozenset(s.position for s in self.setters if s.position is not None)

    def new_row(self, frame: Frame, old: Sequence[Any], extra: Sequence[Any]) -> list[Any]:
        """The row after SET; variables get their values on the way."""
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


def _is_sequential(assignments: Sequence[Assignment]) -> bool:
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
    plan = SetPlan(is_sequential=sequential)
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


# --- the statement -----------------------------------------------------------------------------------------


class _Plan(Struct):
    search: Search
    set: SetPlan
    output: OutputPlan | None
    shared: tuple[BoundTable, ...]
    as_set: SetChange | None = None
    as_join: SetJoin | None = None
    is_plain: bool = False
    """One row that is found is all the work."""


@writes(UpdateStatement)
def update(node: UpdateStatement, compiler: Compiler) -> Writing:
    compiler.scope.check_writable(node.target)
    check_target_hints(node.target)
    scope = compiler.scope
    for item in node.assignments:
        if item.variable is not None:
            scope.lookup(item.variable, item.span)
    expectation = Expectation()
    late = LateBound(lambda session: scope.within(node.with_, lambda: _plan(node, session, scope, expectation)))
    return Writing(late, _update)


def _plan(node: UpdateStatement, session: Session, scope: Scope, expectation: Expectation) -> _Plan:
    node = replace(node, output=expand_stars(node.output, node.from_, node.with_, scope, session))
    wanted = extra_columns(node.output)
    search = make_search(node, session, scope)
    bound = search.bound
    assignments = [assigned(search.target, a, session) for a in node.assignments]
    written = [a.column.name.lower() for a in assignments if a.column is not None]
    search.target.check_permission(session, "UPDATE", node.target.span, written)
    if node.from_ is None and search.target.columns is None:
        read = {c.name.lower() for a in assignments if a.expression is not None for c in columns_in(a.expression)}
        if read:
            check_permission(session, bound.table, "SELECT", node.target.span, read)
    sequential = _is_sequential(assignments) or node.current_of is not None
    plan = set_plan(assignments, bound, scope, search.target.parts)
    if sequential:
        references = list(dict.fromkeys(c for e in plan.extras for c in columns_in(e)))
        if node.current_of is not None:
            references = []
        types = search.finish([*references, *wanted], session, scope)
        _row_by_row(plan, assignments, search, scope, session, references, types)
        shown_from = len(references)
    else:
        types = search.finish([*plan.extras, *wanted], session, scope)
        type_setters(plan, assignments, bound, scope, types)
        shown_from = len(plan.extras)
    search.shown_from = shown_from
    output = None
    if node.output is not None:
        output = output_plan(
            node.output,
            bound,
            session,
            scope,
            list(zip(wanted, types[shown_from:], strict=True)),
            search.target,
            verb="UPDATE",
            called=called(node.target),
        )
    as_set = None if sequential else _as_set(node, search, plan, scope, session, expectation)
    is_plain = (
        output is None and not search.is_triggered and bool(plan.columns) and is_plain_update(bound, plan.columns)
    )
    as_join = None if as_set is None else _as_join(node, search, plan, session, scope, expectation)
    return _Plan(search, plan, output, shared_tables(search.shared, output), as_set, as_join, is_plain)


def _as_set(
    node: UpdateStatement, search: Search, plan: SetPlan, scope: Scope, session: Session, expectation: Expectation
) -> SetChange | None:
    """The way of a set, where SET and the table have nothing against it."""
    bound = search.bound
    if not search.may_be_set or any(setter.is_special for setter in plan.setters):
        return None
    values = [SetValue(s.position, s.extra, s.default) for s in plan.setters if s.position is not None]
    if not takes_set_update(bound, session, values):
        return None
    read = {name.lower() for check in bound.checks for name in check.columns}
    kept = [i for i, column in enumerate(bound.table.columns) if column.name.lower() in read - {""}]
    images = search.target.images()
    extras = [*plan.extras, *(images[position] for position in kept)]

    def translate(session: Session, beginning: Beginning) -> TargetRows:
        found: TargetRows = scope.within(node.with_, lambda: search.translated(extras, scope, session, beginning))
        return found

    may_repeat = search.from_ is not None or search.target.columns is not None
    return SetChange(bound, expectation, translate, may_repeat, values, len(plan.extras), kept)


def _as_join(
    node: UpdateStatement, search: Search, plan: SetPlan, session: Session, scope: Scope, expectation: Expectation
) -> SetJoin | None:
    """The way of one step, for what has the way of a set and is a join of tables."""
    bound = search.bound
    values = [setter for setter in plan.setters if setter.position is not None]
    if search.from_ is None or search.target.columns is not None or node.with_ is not None or bound.checks:
        return None
    tables = joined_tables(search.from_, search.target.source, node.where)
    if tables is None or any(setter.extra is None for setter in values):
        return None
    if any(True for extra in plan.extras for _ in find_all(extra, QueryExpression)):
        return None
    positions = [setter.position for setter in values if setter.position is not None]
    return SetJoin(
        bound,
        expectation,
        positions,
        session.binding_key,
        lambda session, beginning: translate_joined_update(tables, plan.extras, beginning, scope, session),
    )


def _row_by_row(
    plan: SetPlan,
    assignments: Sequence[Assignment],
    search: Search,
    scope: Scope,
    session: Session,
    references: Sequence[ColumnReference],
    types: Sequence[SqlType],
) -> None:
    """SET in order, each row after the other, as `SET @n = c = @n + 1` wants it."""
    for setter in plan.setters:
        if setter.modify is not None and setter.columns:
            raise unsupported("sql:column() in modify() where SET reads a variable that it assigns", setter.modify.span)
    bound = search.bound
    own = zip(search.target.image_names(), bound.types, strict=True)
    layout = [RowColumn(search.alias.lower(), name, sql_type) for name, sql_type in own]
    for reference, sql_type in zip(references, types, strict=False):
        qualifier = reference.parts[-2] if len(reference.parts) > 1 else None
        layout.append(RowColumn(qualifier.value.lower() if qualifier is not None else "", reference.name, sql_type))
    rows = RowScope(layout, session, scope)
    found: list[SqlType] = []
    for setter in plan.setters:
        if setter.extra is not None:
            run, sql_type = rows.scalar(plan.extras[setter.extra])
            setter.compute = _first(run, len(layout))
            if setter.part is not None:
                runs = [rows.scalar(end)[0] for end in setter.part]
                setter.ends = _first(runs[0], len(layout)), _first(runs[1], len(layout))
            found.append(sql_type)
    kept, plan.extras = plan.extras, []
    for setter in plan.setters:
        if setter.extra is not None:
            setter.extra = len(plan.extras)
            plan.extras.append(kept[setter.extra])
    type_setters(plan, assignments, bound, scope, found)
    for setter in plan.setters:
        setter.extra = None


def _first(run: Compute, width: int) -> Compute:
    """Behind the values that SET reads come those that only OUTPUT wants."""
    return lambda frame, values: run(frame, values[:width])


def _update(frame: Frame, txn: Any, plan: _Plan) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
    search = plan.search
    bound = search.bound
    store: Any = rows_of(bound, search.slot, frame, txn) if not search.is_triggered else None
    if plan.as_set is not None and plan.as_set.expectation.wants_set(frame, txn):
        count = (yield from plan.as_join.perform(frame, txn)) if plan.as_join is not None else None
        if count is None:
            count = yield from plan.as_set.perform(frame, txn)
        if count is not None:
            return count, None
    matches = yield from search.locked_rows(frame, txn, store)
    if plan.is_plain and len(matches) == 1:
        row_id, old, extra = matches[0]
        update_one(frame, store, Updated(row_id, old, plan.set.new_row(frame, old, extra)))
        search.written(frame)
        if plan.as_set is not None:
            plan.as_set.expectation.note(frame, 1)
        return 1, None
    images = RowImages("UPDATE", columns=plan.set.columns)
    for row_id, old, extra in checked_rows(matches):
        new = plan.set.new_row(frame, old, extra)
        images.updated.append(Updated(row_id, old, new, tuple(extra[search.shown_from :])))
    if plan.as_set is not None:
        plan.as_set.expectation.note(frame, len(images.updated))
    if not plan.set.columns:
        return len(images.updated), None
    if is_instead(frame.session, bound, "UPDATE"):
        yield from fire_instead_of(frame, bound, images, "UPDATE")
        return images.count, None
    return len(images.updated), (yield from write_found(frame, txn, search, store, images, plan.output))
