"""The tree module against the node classes themselves, and on every statement of the test scripts."""

from __future__ import annotations

import types
import typing
from pathlib import Path

import pytest

from sbql.grammar import ast
from sbql.grammar.batches import BatchText, split
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import child_fields, children, columns_in, find_all, map_children, rewrite, walk

NODES = [cls for cls in vars(ast).values() if isinstance(cls, type) and issubclass(cls, ast.Node)]
SCRIPTS = sorted((Path(__file__).parents[1] / "sql").rglob("*.sql"))


def names_of_types(hint: object) -> set[object]:
    """The classes that a type hint is made of."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) in (tuple, typing.Union):
        return {name for part in typing.get_args(hint) for name in names_of_types(part)}
    return {hint}


@pytest.mark.parametrize("cls", NODES, ids=lambda cls: cls.__name__)
def test_a_field_that_may_hold_a_node_is_a_child(cls: type[ast.Node]) -> None:
    """And no node holds anything but nodes, plain values and tuples of them."""
    hints = typing.get_type_hints(cls, vars(ast))
    hints.pop("span")
    expected = []
    for name, hint in hints.items():
        found = names_of_types(hint)
        holds = [t for t in found if isinstance(t, type) and issubclass(t, ast.Node)]
        assert found - set(holds) <= {int, str, bool, bytes, type(None), Ellipsis}, (name, hint)
        if holds:
            expected.append(name)
    assert sorted(child_fields(cls)) == sorted(expected)


def by_force(value: object) -> list[ast.Node]:
    if isinstance(value, tuple):
        return [node for item in value for node in by_force(item)]
    if not isinstance(value, ast.Node):
        return []
    return [value, *(n for name in value.__match_args__ for n in by_force(getattr(value, name)))]


def included(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def batches() -> list[ast.Batch]:
    found = []
    for script in SCRIPTS:
        parts = split(script.read_text(encoding="utf-8"), read_file=included, source=str(script))
        texts = (part.text for part in parts if isinstance(part, BatchText))
        for text in texts:
            try:
                found.append(parse_batch(text))
            except (SqlError, RecursionError):
                continue
    return found


def test_walk_and_rewrite_on_every_script() -> None:
    """walk gives each node once, in the order of the fields; rewriting everything by itself gives an equal tree."""
    trees = batches()
    assert len(trees) > 5000
    for tree in trees:
        assert list(map(id, walk(tree))) == list(map(id, by_force(tree)))
        assert rewrite(tree, lambda node: None) is tree
        copied = rewrite(tree, copy_of)
        assert copied == tree
        assert {id(n) for n in find_all(copied, ast.Identifier)}.isdisjoint({id(n) for n in walk(tree)})


def copy_of(node: ast.Node) -> ast.Node | None:
    return ast.Identifier(node.value, node.quoted, span=node.span) if isinstance(node, ast.Identifier) else None


def expression(text: str) -> typing.Any:
    return typing.cast(typing.Any, parse_batch(f"SELECT {text}").statements[0]).query.query.items[0].expression


def test_closed_nodes_are_given_and_not_entered() -> None:
    tree = expression("a + (SELECT b FROM t WHERE c = 1) + d")
    assert [c.name for c in columns_in(tree)] == ["a", "b", "c", "d"]
    outside = find_all(tree, ast.ColumnReference, closed=ast.QueryExpression)
    assert [c.name for c in outside] == ["a", "d"]
    assert [type(n) for n in walk(tree, closed=ast.BinaryExpression)] == [ast.BinaryExpression]


def test_what_is_in_a_replaced_node_is_not_looked_at() -> None:
    seen: list[str] = []

    def change(node: ast.Node) -> ast.Node | None:
        seen.append(type(node).__name__)
        return ast.NullLiteral() if isinstance(node, ast.FunctionCall) else None

    changed = rewrite(expression("1 + ABS(a) * 2"), change)
    assert changed == expression("1 + NULL * 2")
    assert "ColumnReference" not in seen


def test_a_sum_of_many_terms_is_no_deep_recursion() -> None:
    tree: ast.Expression = ast.IntegerLiteral(0)
    for _ in range(30_000):
        tree = ast.BinaryExpression("+", tree, ast.IntegerLiteral(1))
    two = ast.IntegerLiteral(2)
    changed = rewrite(tree, lambda n: two if n == ast.IntegerLiteral(1) else None)
    assert sum(n is two for n in walk(changed)) == 30_000


def test_map_children_changes_one_level() -> None:
    tree = expression("COALESCE(a, ABS(b), 1)")
    changed = map_children(tree, lambda n: ast.NullLiteral() if isinstance(n, ast.Expression) else n)
    assert changed == expression("COALESCE(NULL, NULL, NULL)")
    assert [type(n).__name__ for n in children(tree)] == [
        "ObjectName", "ColumnReference", "FunctionCall", "IntegerLiteral",
    ]  # fmt: skip


# --- words -------------------------------------------------------------------------------------------------

PARTED = {
    "DATEADD(day, a, b)", "DATEDIFF(day, a, b)", "DATEDIFF_BIG(day, a, b)", "DATENAME(day, a)", "DATEPART(day, a)",
    "DATETRUNC(day, a)", "DATE_BUCKET(day, a, b)", "{fn EXTRACT(day FROM a)}", "{fn DAYOFMONTH(a)}", "ISJSON(a, ARRAY)",
}  # fmt: skip


@pytest.mark.parametrize("text", sorted(PARTED))
def test_a_word_is_no_column(text: str) -> None:
    tree = expression(text)
    assert {c.name for c in columns_in(tree)} <= {"a", "b"}
    assert len(list(find_all(tree, ast.Word))) == 1


def test_the_type_of_identity_is_a_type() -> None:
    tree = expression("IDENTITY(decimal(10, 0), 1, 1)")
    assert columns_in(tree) == []
    assert [t.arguments for t in find_all(tree, ast.DataTypeReference)] == [(10, 0)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("DATEADD('day', 1, a)", 1023), ("DATEPART(@p, a)", 1023), ("DATENAME(t.day, a)", 1023), ("DATEDIFF(1, a, b)", 1023),
        ("ISJSON(a, LIST)", 102), ("ISJSON(a, 'ARRAY')", 102),
    ],
)  # fmt: skip
def test_what_is_no_word_is_refused_by_the_parser(text: str, number: int) -> None:
    with pytest.raises(SqlError) as caught:
        expression(text)
    assert caught.value.number == number
