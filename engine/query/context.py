"""Context: what a piece of a query is translated in: its statement, the names it sees, and the clause it stands in.

Decides which parts of an expression are constant for one execution (they are computed by scalar closures and become
parameters) and which are already grouped. What a node means is decided by the function registered for its class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from sbql.engine.lazy_registry import Registry
from sbql.engine.query.names import Level
from sbql.engine.query.query_text import QueryText, Tail
from sbql.engine.query.statement import Statement, unsupported
from sbql.engine.scalars.arithmetic_errors import forgives
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.session_options import SessionOptions
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import find_all, walk

__all__ = [
    "AGGREGATES",
    "CONDITIONS",
    "EXPRESSIONS",
    "FOR_CLAUSES",
    "LIST_FUNCTIONS",
    "QUERY_FORMS",
    "ROW_FUNCTIONS",
    "Context",
    "has_aggregate",
    "is_aggregate",
    "is_constant",
    "is_one_for_all",
    "registers",
    "source",
]

EXPRESSIONS: dict[type, Callable[[Any, Context], Typed]] = {}
CONDITIONS: dict[type, Callable[[Any, Context], str]] = {}
SOURCES: Registry[Callable[[Any, Context], str]] = Registry("sources")
"""What stands in FROM, by the name of its class: OPENXML, PIVOT and the like are imported when a query has one."""
QUERY_FORMS: dict[type, Callable[[Any, Context, Tail], QueryText]] = {}
"""A SELECT and what combines two, with what stands after it."""
FOR_CLAUSES: Registry[Callable[[ast.QueryExpression, Context], QueryText]] = Registry("for clauses")
"""One word, `ForClause`: a query with FOR XML or FOR JSON as one column."""

AGGREGATES = frozenset(
    {
        "COUNT", "COUNT_BIG", "SUM", "AVG", "MIN", "MAX", "STDEV", "STDEVP", "VAR", "VARP", "STRING_AGG", "CHECKSUM_AGG",
        "GROUPING", "GROUPING_ID", "APPROX_COUNT_DISTINCT", "APPROX_PERCENTILE_CONT", "APPROX_PERCENTILE_DISC", "JSON_ARRAYAGG",
        "JSON_OBJECTAGG",
    }
)  # fmt: skip
ROW_FUNCTIONS = frozenset({"NEWID", "NEWSEQUENTIALID", "CRYPT_GEN_RANDOM"})
"""Functions with a new value for every row."""

F = TypeVar("F", bound=Callable[..., Any])


def registers(table: dict[type, Any], *classes: type) -> Callable[[F], F]:
    def register(function: F) -> F:
        for node_class in classes:
            assert node_class not in table, node_class
            table[node_class] = function
        return function

    return register


def source(*classes: type) -> Callable[[F], F]:
    """For functions that translate what stands in FROM."""

    def register(function: F) -> F:
        for node_class in classes:
            SOURCES.add(node_class.__name__, function)
        return function

    return register


def is_aggregate(node: ast.Node) -> bool:
    return (
        isinstance(node, ast.FunctionCall)
        and node.over is None
        and len(node.name.parts) == 1
        and node.name.name.upper() in AGGREGATES
    )


def has_aggregate(node: Any) -> bool:
    return any(is_aggregate(n) for n in walk(node, closed=ast.QueryExpression))


LIST_FUNCTIONS = frozenset({"STRING_SPLIT", "GENERATE_SERIES"})
"""Table functions of the language, whose rows are made from a list."""


class Context:
    """Cheap to copy (`inner`, `within`): it only points at the statement and the level. `keeps_left`: a relation made
    from values has at least one row, of NULLs, as OUTER APPLY wants it. `takes_nodes`: what is translated may be a row
    of nodes()."""

    __slots__ = ("clause", "is_lateral", "keeps_left", "level", "statement", "takes_nodes")

    def __init__(
        self,
        statement: Statement,
        level: Level,
        clause: str = "SELECT",
        *,
        is_lateral: bool = False,
        keeps_left: bool = False,
        takes_nodes: bool = False,
    ) -> None:
        self.statement = statement
        self.level = level
        self.clause = clause
        self.is_lateral = is_lateral
        self.keeps_left = keeps_left
        self.takes_nodes = takes_nodes

    @property
    def session(self) -> Any:
        return self.statement.session

    def within(self, clause: str) -> Context:
        return Context(self.statement, self.level, clause)

    def of_method(self) -> Context:
        """For what an XML method is called on, and IS NULL asks about."""
        return Context(self.statement, self.level, self.clause, takes_nodes=True)

    def lateral(self, *, keeps_left: bool = False) -> Context:
        """For the right side of APPLY."""
        return Context(self.statement, self.level, self.clause, is_lateral=True, keeps_left=keeps_left)

    def inner(self) -> Context:
        """For a subquery in an expression: it sees the relations of this query."""
        return Context(self.statement, Level(self.level, clause=self.clause))

    def derived(self) -> Context:
        """For a query in FROM: it sees its neighbours only under APPLY."""
        if self.is_lateral:
            return Context(self.statement, Level(self.level, is_applied=True))
        return Context(self.statement, Level(self.level.parent, clause=self.level.clause))

    def alone(self) -> Context:
        """For the query of a view, function or common table expression, which sees nothing around it."""
        return Context(self.statement, Level(None))

    def around(self) -> Context:
        """For TOP, OFFSET and FETCH, which see what is around the query."""
        return Context(self.statement, Level(self.level.parent), "TOP")

    # --- translation ---------------------------------------------------------------------------------------

    def expression(self, node: ast.Expression) -> Typed:
        """The typed text of a scalar expression. Raises SqlError with the line of the node at fault."""
        grouped = self.grouped(node)
        if grouped is not None:
            return grouped
        arguments = self.statement.arguments
        if arguments and isinstance(node, ast.VariableReference) and node.name.lower() in arguments:
            return arguments[node.name.lower()]
        if self._is_parameter(node):
            scalar = compile_scalar(node, self.statement.scope)
            return self.statement.constant(scalar.run, scalar.type, node)
        handler = EXPRESSIONS.get(type(node))
        if self.session.options.deviations:
            handler = in_other_meaning(node, self.session.options) or handler
        if handler is None:
            raise unsupported(f"{type(node).__name__} in a query", node.span)
        try:
            found = handler(node, self)
            self.statement.spend(found.sql)
        except SqlError as error:
            raise error.at(node.span) from None
        return msgspec.structs.replace(found, stands_once=True) if self._may_fail_ahead(node, found) else found

    def condition(self, node: ast.Condition) -> str:
        """The DuckDB text of a search condition."""
        handler = CONDITIONS.get(type(node))
        if handler is None:
            raise unsupported(f"{type(node).__name__} in a query", node.span)
        try:
            found = handler(node, self)
            self.statement.spend(found)
        except SqlError as error:
            raise error.at(node.span) from None
        return found

    def source(self, node: ast.TableSource) -> str:
        """The FROM text of a table source; its relations are added to the level."""
        handler = SOURCES.find(type(node).__name__)
        if handler is None:
            raise unsupported(f"{type(node).__name__} in FROM", node.span)
        try:
            text = handler(node, self)
        except SqlError as error:
            raise error.at(node.span) from None
        if node is self.level.target:
            self.level.target_relation = self.level.relations[-1]
        return text

    # --- constants -----------------------------------------------------------------------------------------

    def _is_parameter(self, node: ast.Expression) -> bool:
        if isinstance(node, ast.VariableReference | ast.GlobalVariable):
            return True
        whole = node
        while isinstance(whole, ast.UnaryExpression):
            whole = whole.operand  # a number with a sign is still a literal
        if isinstance(whole, _NEVER_PARAMETERS):
            return False
        if self.statement.arguments and any(find_all(node, ast.VariableReference, closed=ast.QueryExpression)):
            return False
        if not self.statement.hoists or (self.session.options.deviations and forgives(self.session.options)):
            # What may fail is computed only where a row needs it.
            return isinstance(node, ast.FunctionCall) and not node.arguments and is_constant(node)
        return is_constant(node)

    def _may_fail_ahead(self, node: ast.Expression, found: Typed) -> bool:
        """Whether this is a constant that is computed in the query, because a row may not need it."""
        statement = self.statement
        given = statement.arguments
        if found.constant is not None or found.stands_once:
            return False
        if statement.hoists and not given and not self.session.options.deviations:
            return False
        if not is_constant(node):
            return False
        used = [given.get(n.name.lower()) for n in find_all(node, ast.VariableReference)] if given else []
        return all(value is None or value.constant is not None or value.stands_once for value in used)

    # --- grouping ------------------------------------------------------------------------------------------

    def grouped(self, node: ast.Expression) -> Typed | None:
        """What stands for `node` after grouping, if it is one of the GROUP BY expressions."""
        grouping = self.level.grouping
        if grouping is None or not grouping.is_active or not grouping.values or isinstance(node, _NEVER_GROUPED):
            return None
        grouping.is_active = False
        try:
            raw = self.within("GROUP BY").expression(node)
        except SqlError:
            return None
        finally:
            grouping.is_active = True
        return grouping.values.get(raw.sql)

    @contextmanager
    def ungrouped(self) -> Iterator[None]:
        """For the arguments of an aggregate."""
        grouping = self.level.grouping
        if grouping is None:
            yield
            return
        before, grouping.is_active = grouping.is_active, False
        try:
            yield
        finally:
            grouping.is_active = before


def in_other_meaning(node: ast.Expression, options: SessionOptions) -> Callable[[Any, Context], Typed] | None:
    """What translates a node that DuckDB computes as the usual SET options want it: under others it is computed row by
    row, as the scalar compiler compiles it."""
    if isinstance(node, ast.BinaryExpression):
        named = True
    elif isinstance(node, ast.FunctionCall):
        named = len(node.name.parts) == 1 and node.name.name.upper() in _FAILING_FUNCTIONS
    else:
        named = isinstance(node, ast.UnaryExpression | ast.CastExpression | ast.ConvertExpression)
    if not named or not (forgives(options) or not options.concat_null_yields_null):
        return None
    return EXPRESSIONS[ast.ParseExpression]


_FAILING_FUNCTIONS = frozenset({"ACOS", "ASIN", "COT", "EXP", "LOG", "LOG10", "POWER", "SQRT", "SQUARE", "ABS"})
_LITERALS = (
    ast.IntegerLiteral, ast.NumericLiteral, ast.RealLiteral, ast.MoneyLiteral, ast.StringLiteral, ast.BinaryLiteral,
    ast.NullLiteral,
)  # fmt: skip
_NEVER_PARAMETERS = (*_LITERALS, ast.ColumnReference, ast.ScalarSubquery, ast.Collate)
_NEVER_GROUPED = (*_LITERALS, ast.VariableReference, ast.GlobalVariable, ast.ScalarSubquery)
_NOT_CONSTANT = (
    ast.QueryExpression, ast.ScalarSubquery, ast.NextValueFor, ast.Exists, ast.InSubquery, ast.QuantifiedComparison,
    ast.UpdatePredicate, ast.DefaultValue, ast.Collate,
)  # fmt: skip


def is_constant(node: ast.Node) -> bool:
    """True when the value is the same for every row of one execution."""
    for item in walk(node):
        if isinstance(item, ast.ColumnReference) or isinstance(item, _NOT_CONSTANT):
            return False
        if isinstance(item, ast.MethodCall) and any(
            isinstance(a, ast.StringLiteral) and "sql:column" in a.value for a in item.arguments
        ):
            return False
        if isinstance(item, ast.FunctionCall):
            name = item.name.name.upper()
            if (
                item.over is not None
                or item.star
                or (len(item.name.parts) == 1 and (name in AGGREGATES or name in ROW_FUNCTIONS))
            ):
                return False
    return True


def is_one_for_all(node: ast.Expression) -> bool:
    """Whether the value is the same for all rows of a statement, and no function of a user has to be asked for each."""
    return is_constant(node) and not any(len(call.name.parts) > 1 for call in find_all(node, ast.FunctionCall))
