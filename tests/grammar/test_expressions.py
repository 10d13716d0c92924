"""Expressions that nobody wrote by hand: whatever tree there is, its text reads back as that tree."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st
from printing import to_sql

from sbql.grammar.ast import (
    And,
    AtTimeZone,
    Batch,
    Between,
    BinaryExpression,
    BinaryLiteral,
    CastExpression,
    Collate,
    ColumnReference,
    Comparison,
    Condition,
    DataTypeReference,
    Expression,
    FunctionCall,
    GlobalVariable,
    Identifier,
    InList,
    IntegerLiteral,
    IsNull,
    Like,
    Not,
    NullLiteral,
    NumericLiteral,
    ObjectName,
    Or,
    QueryExpression,
    QuerySpecification,
    ScalarSubquery,
    SearchedCase,
    SelectColumn,
    SelectStatement,
    StringLiteral,
    UnaryExpression,
    VariableReference,
    WhenClause,
)
from sbql.grammar.parser import parse_batch

names = st.one_of(
    st.sampled_from(["a", "b1", "Status", "priority", "type"]).map(Identifier),
    st.text(min_size=1, max_size=8).filter(lambda t: "\x00" not in t).map(lambda t: Identifier(t, True)),
)
types = st.sampled_from(["int", "xml", "sysname"]).map(lambda t: DataTypeReference(ObjectName((Identifier(t),))))
leaves: st.SearchStrategy[Expression] = st.one_of(
    st.integers(0, 10**40).map(IntegerLiteral),
    st.sampled_from(["1.5", ".25", "10."]).map(NumericLiteral),
    st.builds(StringLiteral, st.text(max_size=12), st.booleans()),
    st.binary(max_size=6).map(BinaryLiteral),
    st.just(NullLiteral()),
    st.sampled_from(["@a", "@B_1"]).map(VariableReference),
    st.just(GlobalVariable("@@ROWCOUNT")),
    st.lists(names, min_size=1, max_size=4).map(lambda parts: ColumnReference(tuple(parts))),
)


FUNCTIONS = [ObjectName((Identifier(name),)) for name in ("f", "LEFT", "COALESCE")]


def _is_list(items: list[Expression]) -> bool:
    """A query alone, in whatever parentheses, is no list of one: IN (SELECT …)."""
    return not (len(items) == 1 and isinstance(items[0], ScalarSubquery))


@st.composite
def conditions(draw: st.DrawFn, depth: int) -> Condition:
    kind = draw(st.integers(0, 7 if depth else 4))
    value = expressions(depth - 1) if depth else leaves
    if kind == 0:
        return Comparison(draw(st.sampled_from(["=", "<>", "<", "<=", ">", ">="])), draw(value), draw(value))
    if kind == 1:
        return IsNull(draw(value), draw(st.booleans()))
    if kind == 2:
        return Like(draw(value), draw(value), draw(st.none() | value), draw(st.booleans()))
    if kind == 3:
        return Between(draw(value), draw(value), draw(value), draw(st.booleans()))
    if kind == 4:
        items = draw(st.lists(value, min_size=1, max_size=3).filter(_is_list))
        return InList(draw(value), tuple(items), draw(st.booleans()))
    if kind == 5:
        return Not(draw(conditions(depth - 1)))
    operands = tuple(draw(st.lists(conditions(depth - 1), min_size=2, max_size=3)))
    return And(operands) if kind == 6 else Or(operands)


@st.composite
def expressions(draw: st.DrawFn, depth: int) -> Expression:
    kind = draw(st.integers(0, 9)) if depth else 9
    inner = expressions(depth - 1) if depth else leaves
    if kind <= 1:
        return BinaryExpression(draw(st.sampled_from("+-*/%&|^")), draw(inner), draw(inner))
    if kind == 2:
        return UnaryExpression(draw(st.sampled_from("+-~")), draw(inner))
    if kind == 3:
        return Collate(draw(inner), "Latin1_General_BIN")
    if kind == 4:
        return AtTimeZone(draw(inner), draw(inner))
    if kind == 5:
        return CastExpression(draw(inner), draw(types), draw(st.booleans()))
    if kind == 6:
        arguments = draw(st.lists(st.one_of(inner, conditions(depth - 1)), max_size=3))
        return FunctionCall(draw(st.sampled_from(FUNCTIONS)), tuple(arguments))
    if kind == 7:
        return SearchedCase((WhenClause(draw(conditions(depth - 1)), draw(inner)),), draw(st.none() | inner))
    if kind == 8:
        return ScalarSubquery(QueryExpression(QuerySpecification((SelectColumn(draw(inner)),))))
    return draw(leaves)


def _select(expression: Expression, where: Condition | None = None) -> Batch:
    item = SelectColumn(expression)
    return Batch((SelectStatement(QueryExpression(QuerySpecification((item,), where=where))),))


@settings(max_examples=300, deadline=None)
@given(expressions(3))
def test_expression_comes_back(expression: Expression) -> None:
    tree = _select(expression)
    assert parse_batch(to_sql(tree)) == tree


@settings(max_examples=200, deadline=None)
@given(conditions(2))
def test_condition_comes_back(condition: Condition) -> None:
    tree = _select(NullLiteral(), condition)
    assert parse_batch(to_sql(tree)) == tree


def test_precedence() -> None:
    def shape(text: str) -> object:
        (statement,) = parse_batch(f"SELECT {text}").statements
        assert isinstance(statement, SelectStatement)
        assert isinstance(statement.query.query, QuerySpecification)
        (item,) = statement.query.query.items
        assert isinstance(item, SelectColumn)
        return item.expression

    one, two, three = (IntegerLiteral(n) for n in (1, 2, 3))
    assert shape("1 + 2 * 3") == BinaryExpression("+", one, BinaryExpression("*", two, three))
    assert shape("1 - 2 - 3") == BinaryExpression("-", BinaryExpression("-", one, two), three)
    assert shape("1 + 2 & 3") == BinaryExpression("&", BinaryExpression("+", one, two), three)
    assert shape("1 & 2 + 3") == BinaryExpression("+", BinaryExpression("&", one, two), three)
    assert shape("-1 * 2") == BinaryExpression("*", UnaryExpression("-", one), two)
    assert shape("((1))") == one
