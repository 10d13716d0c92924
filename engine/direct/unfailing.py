"""Which conditions raise nothing, whatever the rows hold.

Before a join DuckDB asks a condition of rows that the join leaves out, and fails there; over rows at hand it is asked
of those alone that are met. Whether a statement fails must not depend on what is in memory, so conditions of joins that
can fail are left to DuckDB. Decides by types: no conversion, overflow or argument here may be wrong. It must not know
where rows come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from sbql.engine.query.context import is_constant
from sbql.engine.scalars.expressions import compile_scalar, convert_scalar
from sbql.engine.tables.row_expressions import RowScope
from sbql.grammar import ast
from sbql.grammar.tree import walk
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.result_types import comparison_type

__all__ = ["cannot_fail", "converts_constant", "has_failing_literal", "is_unfailing"]

_NUMBERS: Final = frozenset({"int", "bit", "decimal"})
_DATES: Final = frozenset({"date", "datetime", "datetime2"})
_COMPARED: Final = frozenset(
    {"number", "money", "float", "string", "date", "time", "datetime", "datetime2", "datetimeoffset", "guid"}
)
_WIDER: Final = frozenset({
    ("date", "datetime2"), ("datetime", "datetime2"), ("date", "datetimeoffset"), ("datetime", "datetimeoffset"),
    ("datetime2", "datetimeoffset"), ("number", "float"), ("money", "float"), ("money", "number"),
})  # fmt: skip
"""From one family to another, which has a place for each value."""
_LITERALS: Final = (ast.StringLiteral, ast.IntegerLiteral, ast.NumericLiteral)
_WRITTEN: Final = (*_LITERALS, ast.VariableReference, ast.UnaryExpression)


def cannot_fail(node: ast.Condition, rows: RowScope, *, but_constants: bool = False) -> bool:
    """Whether a condition raises nothing for any row; `but_constants`: parts that are the same for all rows
    (`context.is_constant`) may. Raises SqlError for what does not compile."""
    return _Unfailing(rows, but_constants).holds(node)


def is_unfailing(node: ast.Expression, rows: RowScope) -> bool:
    """Whether an expression has a value for any row. Raises SqlError for what does not compile."""
    return _Unfailing(rows, False).type_of(node) is not None


def has_failing_literal(node: ast.Node, rows: RowScope) -> bool:
    """Whether it compares with a text that does not convert: DuckDB says so for any row, the scalar compiler for those
    that are not NULL. Raises SqlError for what does not compile."""
    return _has_unfit(node, rows, lambda side: isinstance(side, ast.StringLiteral))


def converts_constant(node: ast.Condition, rows: RowScope) -> bool:
    """Whether it compares with a constant that may have no value in the type of the comparison: DuckDB converts it
    once, and fails for any row. Raises SqlError for what does not compile."""
    return _has_unfit(node, rows, is_constant)


def _has_unfit(node: ast.Node, rows: RowScope, is_asked: Callable[[ast.Expression], bool]) -> bool:
    for pair in (pair for part in walk(node) for pair in _compared(part) if any(map(is_asked, pair))):
        types = [rows.scalar(side)[1] for side in pair]
        met = comparison_type("=", *types)
        if any(is_asked(side) and not _fits(side, t, met, rows) for side, t in zip(pair, types, strict=True)):
            return True
    return False


def _compared(node: ast.Node) -> Iterator[tuple[ast.Expression, ast.Expression]]:
    """What a condition compares with what."""
    match node:
        case ast.Comparison():
            yield node.left, node.right
        case ast.Between():
            yield node.operand, node.low
            yield node.operand, node.high
        case ast.InList():
            yield from ((node.operand, item) for item in node.items)


def _fits(side: ast.Expression, given: SqlType, met: SqlType, rows: RowScope) -> bool:
    if _family(given) == _family(met) or (_family(given), _family(met)) in _WIDER:
        return True
    return isinstance(side, _LITERALS) and convert_scalar(compile_scalar(side, rows.scope), met).is_constant


def _family(sql_type: SqlType) -> str:
    found = kind(sql_type)
    return "number" if found in _NUMBERS else found


class _Unfailing:
    """Of one layout of rows."""

    def __init__(self, rows: RowScope, but_constants: bool) -> None:
        self._rows, self._but_constants = rows, but_constants

    def holds(self, node: ast.Condition | ast.Expression) -> bool:
        """Whether a condition raises nothing."""
        match node:
            case ast.And() | ast.Or():
                return all(self.holds(part) for part in node.operands)
            case ast.Not():
                return self.holds(node.operand)
            case ast.IsNull():
                return self.type_of(node.operand) is not None
            case ast.Like():
                is_escaped = node.escape is not None and not isinstance(node.escape, ast.NullLiteral)
                if is_escaped and not (isinstance(node.escape, ast.StringLiteral) and len(node.escape.value) == 1):
                    return False
                return self.families([node.operand, node.pattern]) == {"string"}
            case ast.Comparison() | ast.Between() | ast.InList():
                return all(self._compares(*pair) for pair in _compared(node))
        return False

    def families(self, nodes: Sequence[Any]) -> set[str]:
        """Of their types; "" for one that may fail."""
        types = [self.type_of(node) for node in nodes]
        return {"" if found is None else _family(found) for found in types}

    def alike(self, nodes: Sequence[Any]) -> bool:
        """All of one family, or NULL, so that the common type has a place for each."""
        families = self.families([node for node in nodes if not isinstance(node, ast.NullLiteral)])
        return len(families) == 1 and families <= _COMPARED

    def replaces(self, first: Any, second: Any) -> bool:
        """ISNULL: the second value becomes one of the first's type."""
        types = self.type_of(first), self.type_of(second)
        if types[0] is None or types[1] is None or isinstance(first, ast.NullLiteral):
            return False
        if types[0] == types[1] or _family(types[0]) == _family(types[1]) == "string":
            return True
        given = compile_scalar(second, self._rows.scope) if isinstance(second, _LITERALS) else None
        return given is not None and convert_scalar(given, types[0]).is_constant

    def type_of(self, node: Any) -> SqlType | None:
        """The type of an expression that raises nothing; None for others."""
        if isinstance(node, ast.ColumnReference) or self._is_known(node):
            return self._rows.scalar(node)[1]
        match node:
            case ast.FunctionCall():
                takes = _CALLS.get(node.name.name.upper()) if len(node.name.parts) == 1 else None
                fits = takes is not None and takes(node.arguments, self)
            case ast.SearchedCase():
                results = [*(when.then for when in node.whens), node.otherwise or ast.NullLiteral()]
                fits = all(self.holds(when.when) for when in node.whens) and self.alike(results)
            case ast.BinaryExpression():
                fits = self._operates(node)
            case _:
                return None
        return self._rows.scalar(node)[1] if fits else None

    def _is_known(self, node: Any) -> bool:
        if all(isinstance(part, _WRITTEN) for part in walk(node)):
            return True
        return self._but_constants and isinstance(node, ast.Expression) and is_constant(node)

    def _compares(self, left: ast.Expression, right: ast.Expression) -> bool:
        types = self.type_of(left), self.type_of(right)
        if types[0] is None or types[1] is None:
            return False
        met = comparison_type("=", types[0], types[1])
        if _family(met) not in _COMPARED:
            return False
        return _fits(left, types[0], met, self._rows) and _fits(right, types[1], met, self._rows)

    def _operates(self, node: ast.BinaryExpression) -> bool:
        """Texts that are joined, and decimals whose result has all digits that it may need."""
        families = self.families([node.left, node.right])
        if families == {"string"}:
            return node.op == "+"
        if families != {"number"} or node.op not in ("+", "-", "*"):
            return False
        found = self._rows.scalar(node)[1]
        return kind(found) == "decimal" and (found.precision or 38) < 38


_Takes = Callable[[Sequence[Any], _Unfailing], bool]


def _are(*families: str) -> _Takes:
    """All arguments are of these."""
    return lambda nodes, asked: asked.families(nodes) <= {*families}


def _parts(nodes: Sequence[Any], asked: _Unfailing) -> bool:
    """A date part and dates."""
    return asked.families(nodes[1:]) <= _DATES


def _is_apart(nodes: Sequence[Any], asked: _Unfailing) -> bool:
    """DATEDIFF of a part that no two dates have too many of."""
    return isinstance(nodes[0], ast.Word) and nodes[0].name.value.lower() in _LONG_PARTS and _parts(nodes, asked)


def _is_cut(nodes: Sequence[Any], asked: _Unfailing) -> bool:
    """A text and whole numbers that stand there: LEFT, RIGHT, SUBSTRING."""
    return asked.families(nodes[:1]) == {"string"} and all(isinstance(node, ast.IntegerLiteral) for node in nodes[1:])


def _chooses(nodes: Sequence[Any], asked: _Unfailing) -> bool:
    """IIF."""
    return asked.holds(nodes[0]) and asked.alike(nodes[1:])


_LONG_PARTS: Final = frozenset({"day", "dd", "d", "month", "mm", "m", "year", "yy", "yyyy", "hour", "hh"})
_CALLS: Final[Mapping[str, _Takes]] = {
    **dict.fromkeys(
        ("UPPER", "LOWER", "LTRIM", "RTRIM", "TRIM", "REVERSE", "LEN", "ASCII", "UNICODE", "CHARINDEX"), _are("string")
    ),
    **dict.fromkeys(("LEFT", "RIGHT", "SUBSTRING"), _is_cut),
    **dict.fromkeys(("YEAR", "MONTH", "DAY"), _are(*_DATES)),
    **dict.fromkeys(("COALESCE", "NULLIF"), lambda nodes, asked: asked.alike(nodes)),
    "ISNULL": lambda nodes, asked: asked.replaces(*nodes),
    "DATALENGTH": _are(*_COMPARED),
    "DATEDIFF": _is_apart,
    "DATEPART": _parts,
    "IIF": _chooses,
}
"""Built-in functions, and for which arguments they raise nothing."""
