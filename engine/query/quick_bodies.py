"""The body of a function as closures alone, for functions that are called for each row.

Decides which bodies say nothing that the session around would notice: DECLARE, SET, IF, WHILE, RETURN, and INSERT of
one row into the function's own table, all of expressions over variables. They run without what stands around the
statements of other bodies (options, contexts, @@ROWCOUNT, places of errors). What fails is left to the body as it
stands, which is then run from its beginning: nothing has come of the attempt. It must not know who calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from sbql.engine.ports import Session
from sbql.engine.query.one_row import plain_values
from sbql.engine.query.only_expression import is_special
from sbql.engine.query.plain_expressions import is_plain
from sbql.engine.running_lines import are_heard
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.expressions import compile_condition, compile_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.resolver import in_text_of
from sbql.engine.steps import BREAK, CONTINUE, LateBound, Return, Signal
from sbql.engine.tables.bound_table import BoundTable, bind_shape
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.engine.tables.identity_types import identity_range
from sbql.engine.tables.row_expressions import parse_expression
from sbql.grammar import ast
from sbql.grammar.errors import SqlError

__all__ = ["LeftToBody", "QuickBody", "quick_body"]

Run = Callable[[Frame], Signal | None]
Cell = tuple[int, Callable[[Frame], Any], Converter | None]


class LeftToBody(Exception):
    """A row that the table refuses: the body says which, and why."""


class QuickBody(Struct, frozen=True):
    """`run` is for a frame of `size` slots, in which those of the parameters are filled in and `begin` has put an empty
    table. `rows` are those of the table behind it, and `identity` is what the last one has in its identity column."""

    run: Run
    size: int
    table: int
    keys: tuple[int, ...]
    identity: int | None

    def begin(self, variables: list[Any]) -> list[tuple[Any, ...]]:
        """Returns where the rows will be."""
        rows: list[tuple[Any, ...]] = []
        variables[self.table] = rows
        for slot in self.keys:
            variables[slot] = set()
        return rows


def quick_body(session: Session, compiled: Any) -> QuickBody | None:
    """That of a compiled function. None where its body has to run as it stands."""
    if are_heard():
        return None  # somebody wants to know which of its lines run
    late = compiled.extra.get(_KEPT)
    if late is None:
        late = compiled.extra[_KEPT] = LateBound(lambda session: [_made(session, compiled)])
    found: QuickBody | None = late.get(session)[0]
    return found


_KEPT: Final = "quick body"


def _made(session: Session, compiled: Any) -> QuickBody | None:
    record, node = compiled.record, compiled.node
    if (
        is_special(node)
        or session.options.deviations
        or not record.uses_ansi_nulls
        or {record.database_id} != {session.database_id, session.contexts[-1].database_id}
    ):
        return None
    try:
        with in_text_of(session, record):
            return _Maker(session, compiled).body()
    except (_NotQuickError, SqlError):  # what does not compile fails when it is reached
        return None


class _NotQuickError(Exception):
    """Something that these closures do not say."""


_RETURN: Final = Return()


class _Maker:
    def __init__(self, session: Session, compiled: Any) -> None:
        self.session, self.scope, self.node = session, compiled.scope.of(session), compiled.node
        self.table_name = (compiled.node.table_name or "").lower()
        self.returns, self.size = compiled.returns, compiled.scope.size
        self.bound: BoundTable | None = None
        self.slot = 0
        if self.table_name:
            self.slot, shape = self.scope.lookup_table(self.table_name)
            self.bound = bind_shape(shape, session, display=compiled.node.table_name)
        self.keys = tuple(range(self.size, self.size + (0 if self.bound is None else len(self.bound.keys))))

    def body(self) -> QuickBody:
        run = self.block(self.node.body)
        identity = None if self.bound is None else self.bound.identity
        return QuickBody(run, self.size + len(self.keys), self.slot, self.keys, identity)

    # --- statements ----------------------------------------------------------------------------------------

    def block(self, statements: Iterable[ast.Statement]) -> Run:
        parts = [part for statement in statements for part in self.statement(statement)]
        if len(parts) == 1:
            return parts[0]

        def run(frame: Frame) -> Signal | None:
            for part in parts:
                signal = part(frame)
                if signal is not None:
                    return signal
            return None

        return run

    def statement(self, node: ast.Statement) -> list[Run]:
        match node:
            case ast.BeginEndBlock():
                return [self.block(node.statements)]
            case ast.DeclareStatement():
                return [part for one in node.declarations for part in self.declaration(one)]
            case ast.SetVariableStatement():
                return [self.assign(node.name, node.value, node.op)]
            case ast.SelectStatement():
                return self.assignments(node)
            case ast.IfStatement():
                return [self.branch(node)]
            case ast.WhileStatement():
                return [_loop(self.condition(node.condition), self.block([node.body]))]
            case ast.BreakStatement():
                return [lambda frame: BREAK]
            case ast.ContinueStatement():
                return [lambda frame: CONTINUE]
            case ast.ReturnStatement():
                return [self.end(node)]
            case ast.InsertStatement() if self.bound is not None:
                return [self.insert(node, self.bound)]
        raise _NotQuickError

    def declaration(self, node: ast.VariableDeclaration) -> list[Run]:
        self.variable(node.name)
        return [] if node.value is None else [self.assign(node.name, node.value, "=")]

    def variable(self, name: str) -> tuple[int, Any]:
        found = self.scope.find(name)
        if found is None or found.type is None:
            raise _NotQuickError
        return found.slot, found.type

    def assign(self, name: str, value: ast.Expression, op: str) -> Run:
        slot, target = self.variable(name)
        if op != "=":
            value = ast.BinaryExpression(op[:-1], ast.VariableReference(name), value)
        run = convert_scalar(self.scalar(value), target).run

        def assign(frame: Frame) -> None:
            frame.variables[slot] = run(frame)

        return assign

    def assignments(self, node: ast.SelectStatement) -> list[Run]:
        """SELECT @a = …, @b = … without FROM."""
        query = node.query.query
        if not isinstance(query, ast.QuerySpecification):
            raise _NotQuickError
        whole = ast.QueryExpression(ast.QuerySpecification(query.items))
        if node.with_ is not None or node.hints or node.query != whole:
            raise _NotQuickError
        items = [item for item in query.items if isinstance(item, ast.SelectAssign)]
        if len(items) != len(query.items):
            raise _NotQuickError
        return [self.assign(item.variable, item.expression, item.op) for item in items]

    def branch(self, node: ast.IfStatement) -> Run:
        condition, then = self.condition(node.condition), self.block([node.then])
        if node.otherwise is None:
            return lambda frame: then(frame) if condition(frame) else None
        otherwise = self.block([node.otherwise])
        return lambda frame: then(frame) if condition(frame) else otherwise(frame)

    def end(self, node: ast.ReturnStatement) -> Run:
        if node.value is None or self.bound is not None:
            return lambda frame: _RETURN
        value = convert_scalar(self.scalar(node.value), self.returns).run
        return lambda frame: Return(value=value(frame))

    # --- rows ----------------------------------------------------------------------------------------------

    def insert(self, node: ast.InsertStatement, bound: BoundTable) -> Run:
        target, source = node.target, node.source
        if (
            not isinstance(target, ast.VariableTable)
            or target.name.lower() != self.table_name
            or node.with_ is not None
            or node.top is not None
            or node.output is not None
            or bound.checks
            or bound.late_checks
            or bound.computed
            or bound.row_version is not None
            or any(key.filter is not None or key.record.ignores_duplicates for key in bound.keys)
        ):
            raise _NotQuickError
        values = source.rows[0] if isinstance(source, ast.ValuesSource) and len(source.rows) == 1 else None
        if isinstance(source, ast.QuerySource):
            values = plain_values(source.query, node.with_)
        if values is None:
            raise _NotQuickError
        cells = self.cells(node.columns, values, bound)
        if bound.identity is None and not bound.keys and len(cells) == bound.width == 1:
            return self.only_value(cells[0], bound)
        return self.row(cells, bound)

    def cells(
        self, names: Sequence[ast.Identifier], values: Sequence[ast.Expression | ast.DefaultValue], bound: BoundTable
    ) -> list[Cell]:
        places = [bound.index_of.get(name.value.lower()) for name in names]
        if not names:
            places = [i for i in range(bound.width) if i in bound.insert_columns]
        given = {place for place in places if place is not None}
        if len(given) != len(values) or len(places) != len(values) or bound.identity in given:
            raise _NotQuickError
        cells: list[Cell] = []
        for place, value in zip(places, values, strict=True):
            assert place is not None
            scalar, column = self.scalar(value), bound.table.columns[place]
            convert = assignment(scalar.type, bound.types[place], bound.full_name, column.name, self.session.options)
            cells.append((place, scalar.run, convert))
        for place, default in enumerate(bound.defaults):
            text = bound.table.columns[place].default
            if default is not None and place not in given:
                if text is None or not is_plain(parse_expression(text), self.scope, self.session):
                    raise _NotQuickError
                cells.append((place, default, None))
        return cells

    def only_value(self, cell: Cell, bound: BoundTable) -> Run:
        _, run, convert = cell
        slot, takes_null = self.slot, not bound.not_null

        def insert(frame: Frame) -> None:
            value = run(frame)
            if value is None:
                if not takes_null:
                    raise LeftToBody
            elif convert is not None:
                value = convert(value)
            frame.variables[slot].append((value,))

        return insert

    def row(self, cells: list[Cell], bound: BoundTable) -> Run:
        slot, width, not_null, place = self.slot, bound.width, bound.not_null, bound.identity
        keys = [*zip(bound.keys, self.keys, strict=True)]
        first = step = low = high = 0
        if place is not None:
            column = bound.table.columns[place]
            if column.type.name == "decimal":
                raise _NotQuickError
            first, step, (low, high) = column.seed, column.increment, identity_range(column.type)

        def insert(frame: Frame) -> None:
            made: list[Any] = [None] * width
            for position, run, convert in cells:
                value = run(frame)
                made[position] = value if value is None or convert is None else convert(value)
            variables = frame.variables
            rows = variables[slot]
            if place is not None:
                made[place] = number = first + step * len(rows)
                if not low <= number <= high:
                    raise LeftToBody
            for position in not_null:
                if made[position] is None:
                    raise LeftToBody
            for key, seen_at in keys:
                value, seen = key.value(made), variables[seen_at]
                if value in seen:
                    raise LeftToBody
                seen.add(value)
            rows.append(made)

        return insert

    # --- expressions ---------------------------------------------------------------------------------------

    def scalar(self, node: Any) -> Any:
        self.check(node)
        return compile_scalar(node, self.scope)

    def condition(self, node: ast.Condition) -> Callable[[Frame], bool | None]:
        self.check(node)
        return compile_condition(node, self.scope)

    def check(self, node: Any) -> None:
        if not is_plain(node, self.scope, self.session):
            raise _NotQuickError


def _loop(condition: Callable[[Frame], bool | None], once: Run) -> Run:
    def run(frame: Frame) -> Signal | None:
        session = frame.session
        while condition(frame):
            signal = once(frame)
            if session.cancel_requested:
                session.check_cancelled()
            if signal is not None and signal is not CONTINUE:
                return None if signal is BREAK else signal
        return None

    return run
