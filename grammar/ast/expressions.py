"""Scalar expressions and search conditions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from sbql.grammar.ast.base import DataTypeReference, Identifier, Node, ObjectName, node

__all__ = [
    "And",
    "AtTimeZone",
    "Between",
    "BinaryExpression",
    "BinaryLiteral",
    "CastExpression",
    "Collate",
    "ColumnReference",
    "Comparison",
    "Condition",
    "ConvertExpression",
    "DefaultValue",
    "Expression",
    "Frame",
    "FunctionCall",
    "GlobalVariable",
    "InList",
    "IntegerLiteral",
    "IsNull",
    "Like",
    "MethodCall",
    "MoneyLiteral",
    "NextValueFor",
    "Not",
    "NullLiteral",
    "NumericLiteral",
    "Or",
    "OrderItem",
    "Over",
    "ParseExpression",
    "RealLiteral",
    "SearchedCase",
    "SimpleCase",
    "StringLiteral",
    "UnaryExpression",
    "UpdatePredicate",
    "VariableReference",
    "WhenClause",
    "Word",
]


@node(kw_only=True)
class Expression(Node):
    """Anything with a scalar value."""


@node(kw_only=True)
class Condition(Node):
    """Anything that is true, false or unknown."""


# --- literals and references -------------------------------------------------------------------------------


@node
class IntegerLiteral(Expression):
    """Digits only. A value beyond int is numeric, as on SQL Server (never bigint)."""

    value: int


@node
class NumericLiteral(Expression):
    """`12.50`: precision and scale come from the spelling, so the text is kept."""

    text: str


@node
class RealLiteral(Expression):
    """`1.5E3`, a float."""

    text: str


@node
class MoneyLiteral(Expression):
    """`$12.5`; `text` is without the currency sign."""

    text: str


@node
class StringLiteral(Expression):
    """'…' or N'…'; `value` has doubled quotes already undone."""

    value: str
    national: bool = False


@node
class BinaryLiteral(Expression):
    """0x…"""

    value: bytes


@node
class NullLiteral(Expression):
    pass


@node
class DefaultValue(Expression):
    """The word DEFAULT where a value may stand (VALUES list, EXEC argument, SET of UPDATE), or for
    the argument of a user function."""


@node
class VariableReference(Expression):
    """`@name`; `name` has the at sign."""

    name: str


@node
class GlobalVariable(Expression):
    """`@@name`; `name` is upper case with both at signs."""

    name: str


@node
class ColumnReference(Expression):
    """`c`, `t.c`, `s.t.c`, `d.s.t.c`; also the pseudo columns $action, $identity and $rowguid."""

    parts: tuple[Identifier | None, ...]

    @property
    def name(self) -> str:
        last = self.parts[-1]
        assert last is not None
        return last.value


@node
class Word(Expression):
    """A bare word that is an argument and names no column: the date part of DATEADD, the type of ISJSON(x, ARRAY)."""

    name: Identifier


# --- operators ---------------------------------------------------------------------------------------------


@node
class UnaryExpression(Expression):
    """`op` is one of + - ~."""

    op: str
    operand: Expression


@node
class BinaryExpression(Expression):
    """`op` is one of + - * / % & | ^."""

    op: str
    left: Expression
    right: Expression

    def _run(self) -> Iterator[Expression | str]:
        """The operands and operators from right to left, ending with the first operand."""
        left: Expression = self
        while isinstance(left, BinaryExpression):
            yield left.right
            yield left.op
            left = left.left
        yield left

    def __eq__(self, other: object) -> bool:
        # A sum may have 20,000 terms: compared by recursion, its left side would exhaust the stack.
        if not isinstance(other, BinaryExpression):
            return NotImplemented
        return all(mine == theirs for mine, theirs in zip_longest(self._run(), other._run()))

    def __hash__(self) -> int:
        return hash(tuple(self._run()))


@node
class Collate(Expression):
    operand: Expression
    collation: str


@node
class AtTimeZone(Expression):
    operand: Expression
    zone: Expression


@node
class WhenClause(Node):
    """`when` is an Expression in a simple CASE and a Condition in a searched one."""

    when: Expression | Condition
    then: Expression


@node
class SimpleCase(Expression):
    operand: Expression
    whens: tuple[WhenClause, ...]
    otherwise: Expression | None


@node
class SearchedCase(Expression):
    whens: tuple[WhenClause, ...]
    otherwise: Expression | None


@node
class CastExpression(Expression):
    """CAST and TRY_CAST."""

    operand: Expression
    type: DataTypeReference
    is_try: bool = False


@node
class ConvertExpression(Expression):
    """CONVERT and TRY_CONVERT."""

    type: DataTypeReference
    operand: Expression
    style: Expression | None = None
    is_try: bool = False


@node
class ParseExpression(Expression):
    """PARSE and TRY_PARSE."""

    operand: Expression
    type: DataTypeReference
    culture: Expression | None = None
    is_try: bool = False


@node
class OrderItem(Node):
    expression: Expression
    descending: bool = False


@node
class Frame(Node):
    """ROWS or RANGE of a window. A bound is ('UNBOUNDED PRECEDING'|'CURRENT ROW'|'UNBOUNDED FOLLOWING', None) or
    ('PRECEDING'|'FOLLOWING', n)."""

    unit: str
    start: tuple[str, int | None]
    end: tuple[str, int | None] | None


@node
class Over(Node):
    """A window: what stands after OVER, or after AS in a WINDOW clause. `window` is the named one that it begins
    with."""

    partition_by: tuple[Expression, ...] = ()
    order_by: tuple[OrderItem, ...] = ()
    frame: Frame | None = None
    window: Identifier | None = None


@node
class FunctionCall(Expression):
    """Built-in or user function, aggregates and window functions too. COUNT(*) has `star`.

    A dotted name whose last part is an XML method is a MethodCall instead. CASE-like functions (IIF, COALESCE,
    NULLIF, ISNULL, CHOOSE) are calls; a condition argument (IIF) stands in `arguments` as a Condition. The date part
    of DATEADD, DATEDIFF, DATEPART, DATENAME, DATETRUNC … and the type of ISJSON are Words, the type of IDENTITY() is a
    DataTypeReference. JSON_OBJECT('k': v) has
    the arguments 'k', v. `order_by` stands inside the parentheses of JSON_ARRAYAGG. `nulls` is '', IGNORE NULLS,
    RESPECT NULLS (after the parenthesis), NULL ON NULL or ABSENT ON NULL (inside). `json_arguments` is not of the text:
    compilers note there which arguments are JSON already.
    """

    name: ObjectName
    arguments: tuple[Expression | Condition | DataTypeReference, ...] = ()
    distinct: bool = False
    star: bool = False
    over: Over | None = None
    within_group: tuple[OrderItem, ...] = ()
    order_by: tuple[OrderItem, ...] = ()
    nulls: str = ""
    json_arguments: tuple[int, ...] = ()


@node
class MethodCall(Expression):
    """An XML method: `target.value('…', 'int')`; `method` is lower case (value, query, exist, nodes, modify)."""

    target: Expression
    method: str
    arguments: tuple[Expression, ...]


@node
class NextValueFor(Expression):
    sequence: ObjectName
    over: Over | None = None


# --- conditions --------------------------------------------------------------------------------------------


@node
class Comparison(Condition):
    """`op` is one of = <> < <= > >= (!=, !<, !> are spelled back to these)."""

    op: str
    left: Expression
    right: Expression


@node
class And(Condition):
    operands: tuple[Condition, ...]


@node
class Or(Condition):
    operands: tuple[Condition, ...]


@node
class Not(Condition):
    operand: Condition


@node
class IsNull(Condition):
    operand: Expression
    negated: bool = False


@node
class Like(Condition):
    operand: Expression
    pattern: Expression
    escape: Expression | None = None
    negated: bool = False


@node
class Between(Condition):
    operand: Expression
    low: Expression
    high: Expression
    negated: bool = False


@node
class InList(Condition):
    operand: Expression
    items: tuple[Expression, ...]
    negated: bool = False


@node
class UpdatePredicate(Condition):
    """`UPDATE(column)` inside a trigger."""

    column: Identifier
