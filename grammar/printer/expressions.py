"""Text of expressions and conditions, with parentheses by precedence, in the layout that SQL Server's catalog has: no
blanks around operators and behind commas. Runs of one operator are walked in a loop."""

from __future__ import annotations

from sbql.grammar.ast import (
    And,
    AtTimeZone,
    Between,
    BinaryExpression,
    BinaryLiteral,
    CastExpression,
    Collate,
    ColumnReference,
    Comparison,
    Condition,
    ConvertExpression,
    DefaultValue,
    Expression,
    Frame,
    FunctionCall,
    GlobalVariable,
    InList,
    IntegerLiteral,
    IsNull,
    Like,
    MethodCall,
    MoneyLiteral,
    NextValueFor,
    Not,
    NullLiteral,
    NumericLiteral,
    Or,
    OrderItem,
    Over,
    ParseExpression,
    RealLiteral,
    ScalarSubquery,
    SearchedCase,
    SimpleCase,
    StringLiteral,
    UnaryExpression,
    UpdatePredicate,
    VariableReference,
    WhenClause,
    Word,
)
from sbql.grammar.ast.base import node
from sbql.grammar.printer.core import comma, name, prints, quoted, text, words

__all__ = ["Parenthesized", "ordering", "window_text"]

_SUM, _PRODUCT, _UNARY, _POSTFIX, _PRIMARY = range(5)
_OR, _AND, _NOT, _PREDICATE = range(4)
_PRODUCTS = frozenset("*/%")
_NILADIC = frozenset({"CURRENT_DATE", "CURRENT_TIMESTAMP", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "USER"})
_METHOD_TARGETS = (
    CastExpression,
    ColumnReference,
    ConvertExpression,
    FunctionCall,
    MethodCall,
    ParseExpression,
    ScalarSubquery,
    SearchedCase,
    SimpleCase,
    VariableReference,
)


def _level(node: Expression) -> int:
    if isinstance(node, BinaryExpression):
        return _PRODUCT if node.op in _PRODUCTS else _SUM
    if isinstance(node, UnaryExpression):
        return _UNARY
    return _POSTFIX if isinstance(node, (AtTimeZone, Collate)) else _PRIMARY


def expression(node: Expression, level: int = _SUM) -> str:
    """The expression, in parentheses if it binds weaker than `level`."""
    return text(node) if _level(node) >= level else f"({text(node)})"


def _condition(node: Condition, level: int) -> str:
    own = {Or: _OR, And: _AND, Not: _NOT}.get(type(node), _PREDICATE)
    return text(node) if own >= level else f"({text(node)})"


@node
class Parenthesized(Expression):
    """What stands in parentheses that nothing asks for, as numbers do in the catalog's texts. No text becomes one."""

    operand: Expression


@prints(Parenthesized)
def _parenthesized(node: Parenthesized) -> str:
    return f"({text(node.operand)})"


# --- literals and references -------------------------------------------------------------------------------


@prints(IntegerLiteral)
def _integer(node: IntegerLiteral) -> str:
    return str(node.value)


@prints(NumericLiteral, RealLiteral)
def _number(node: NumericLiteral | RealLiteral) -> str:
    return node.text


@prints(MoneyLiteral)
def _money(node: MoneyLiteral) -> str:
    return f"${node.text}"


@prints(StringLiteral)
def _string(node: StringLiteral) -> str:
    return quoted(node.value, node.national)


@prints(BinaryLiteral)
def _binary_literal(node: BinaryLiteral) -> str:
    return "0x" + node.value.hex().upper()


@prints(NullLiteral)
def _null(node: NullLiteral) -> str:
    return "NULL"


@prints(DefaultValue)
def _default(node: DefaultValue) -> str:
    return "DEFAULT"


@prints(VariableReference, GlobalVariable)
def _variable(node: VariableReference | GlobalVariable) -> str:
    return node.name


@prints(ColumnReference)
def _column(node: ColumnReference) -> str:
    return ".".join("" if part is None else name(part) for part in node.parts)


@prints(Word)
def _word(node: Word) -> str:
    return name(node.name)


# --- operators ---------------------------------------------------------------------------------------------


@prints(UnaryExpression)
def _unary(node: UnaryExpression) -> str:
    operand = expression(node.operand, _UNARY)
    # Two minus signs side by side would begin a comment.
    return f"{node.op} {operand}" if operand[0] in "+-~" else f"{node.op}{operand}"


@prints(BinaryExpression)
def _binary(node: BinaryExpression) -> str:
    level = _level(node)
    parts: list[str] = []
    left: Expression = node
    while isinstance(left, BinaryExpression) and _level(left) == level:
        right = expression(left.right, level + 1)
        # Two minus signs side by side would begin a comment, and a slash with a star, too.
        parts += [f" {right}" if right[0] in "+-~*" else right, left.op]
        left = left.left
    parts.append(expression(left, level))
    return "".join(reversed(parts))


@prints(Collate)
def _collate(node: Collate) -> str:
    return f"{expression(node.operand, _POSTFIX)} COLLATE {node.collation}"


@prints(AtTimeZone)
def _at_time_zone(node: AtTimeZone) -> str:
    return f"{expression(node.operand, _POSTFIX)} AT TIME ZONE {expression(node.zone, _PRIMARY)}"


@prints(WhenClause)
def _when(node: WhenClause) -> str:
    return f"when {text(node.when)} then {text(node.then)}"


@prints(SimpleCase)
def _simple_case(node: SimpleCase) -> str:
    return words("case", text(node.operand), *(text(w) for w in node.whens), _else(node.otherwise), "end")


@prints(SearchedCase)
def _searched_case(node: SearchedCase) -> str:
    return words("case", *(text(w) for w in node.whens), _else(node.otherwise), "end")


def _else(otherwise: Expression | None) -> str | None:
    return f"else {text(otherwise)}" if otherwise is not None else None


@prints(CastExpression)
def _cast(node: CastExpression) -> str:
    return f"{'TRY_CAST' if node.is_try else 'CAST'}({text(node.operand)} AS {text(node.type)})"


@prints(ConvertExpression)
def _convert(node: ConvertExpression) -> str:
    style = f",{text(node.style)}" if node.style is not None else ""
    return f"{'TRY_CONVERT' if node.is_try else 'CONVERT'}({text(node.type)},{text(node.operand)}{style})"


@prints(ParseExpression)
def _parse(node: ParseExpression) -> str:
    culture = f" USING {text(node.culture)}" if node.culture is not None else ""
    return f"{'TRY_PARSE' if node.is_try else 'PARSE'}({text(node.operand)} AS {text(node.type)}{culture})"


# --- functions ---------------------------------------------------------------------------------------------


@prints(FunctionCall)
def _function(node: FunctionCall) -> str:
    only = node.name.parts[0]
    if len(node.name.parts) == 1 and only is not None and not only.quoted and only.value in _NILADIC:
        return only.value
    arguments = "*" if node.star else _arguments(node)
    within = f" WITHIN GROUP ({ordering(node.within_group)})" if node.within_group else ""
    over = f" {text(node.over)}" if node.over is not None else ""
    inside = f" {ordering(node.order_by)}" if node.order_by else ""
    treatment = f" {node.nulls}" if node.nulls else ""
    if node.nulls.endswith("ON NULL"):
        inside, treatment = f"{inside}{treatment}", ""
    return f"{text(node.name)}({'DISTINCT ' if node.distinct else ''}{arguments}{inside}){within}{treatment}{over}"


def _arguments(node: FunctionCall) -> str:
    if node.name.name.upper() in ("JSON_OBJECT", "JSON_OBJECTAGG"):
        pairs = zip(node.arguments[::2], node.arguments[1::2], strict=True)
        return ", ".join(f"{text(key)}: {text(value)}" for key, value in pairs)
    if node.name.name.upper() == "TRIM" and len(node.arguments) == 2:
        operand, characters = node.arguments
        return f"{text(characters)} FROM {text(operand)}"
    if node.name.name.upper() == "TRIM" and len(node.arguments) == 3:
        operand, characters, side = node.arguments
        if isinstance(side, StringLiteral):
            return f"{side.value} {text(characters)} FROM {text(operand)}"
    return ",".join(text(argument) for argument in node.arguments)


@prints(MethodCall)
def _method(node: MethodCall) -> str:
    target = text(node.target)
    is_niladic = isinstance(node.target, FunctionCall) and target in _NILADIC
    if not isinstance(node.target, _METHOD_TARGETS) or is_niladic:
        target = f"({target})"
    return f"{target}.{node.method}({comma(node.arguments)})"


@prints(NextValueFor)
def _next_value_for(node: NextValueFor) -> str:
    over = f"OVER ({window_text(node.over)})" if node.over is not None else None
    return words("NEXT VALUE FOR", text(node.sequence), over)


@prints(Over)
def _over(node: Over) -> str:
    return f"OVER ({window_text(node)})"


def window_text(node: Over) -> str:
    """What stands between the parentheses of a window."""
    partition = f"PARTITION BY {comma(node.partition_by)}" if node.partition_by else None
    order = ordering(node.order_by) if node.order_by else None
    return words(text(node.window) if node.window else None, partition, order, text(node.frame) if node.frame else None)


@prints(Frame)
def _frame(node: Frame) -> str:
    if node.end is None:
        return f"{node.unit} {_bound(node.start)}"
    return f"{node.unit} BETWEEN {_bound(node.start)} AND {_bound(node.end)}"


def _bound(bound: tuple[str, int | None]) -> str:
    kind, count = bound
    return kind if count is None else f"{count} {kind}"


@prints(OrderItem)
def _order_item(node: OrderItem) -> str:
    return f"{text(node.expression)} DESC" if node.descending else text(node.expression)


def ordering(items: tuple[OrderItem, ...]) -> str:
    """ORDER BY and its list."""
    return f"ORDER BY {comma(items)}"


# --- conditions --------------------------------------------------------------------------------------------


@prints(Comparison)
def _comparison(node: Comparison) -> str:
    left, right = text(node.left), text(node.right)
    return f"{left}{node.op}{' ' if right[0] in '+-~' else ''}{right}"


@prints(And)
def _and(node: And) -> str:
    return " AND ".join(_condition(operand, _NOT) for operand in node.operands)


@prints(Or)
def _or(node: Or) -> str:
    return " OR ".join(_condition(operand, _AND) for operand in node.operands)


@prints(Not)
def _not(node: Not) -> str:
    return f"NOT {_condition(node.operand, _NOT)}"


@prints(IsNull)
def _is_null(node: IsNull) -> str:
    return f"{text(node.operand)} IS {'NOT ' if node.negated else ''}NULL"


@prints(Like)
def _like(node: Like) -> str:
    escape = f" escape {text(node.escape)}" if node.escape is not None else ""
    return f"{text(node.operand)} {_not_word(node.negated)}like {text(node.pattern)}{escape}"


def _not_word(negated: bool) -> str:
    return "NOT " if negated else ""


@prints(Between)
def _between(node: Between) -> str:
    return f"{text(node.operand)} {_not_word(node.negated)}BETWEEN {text(node.low)} AND {text(node.high)}"


@prints(InList)
def _in_list(node: InList) -> str:
    return f"{text(node.operand)} {_not_word(node.negated)}IN ({comma(node.items)})"


@prints(UpdatePredicate)
def _update_predicate(node: UpdatePredicate) -> str:
    return f"UPDATE({name(node.column)})"
