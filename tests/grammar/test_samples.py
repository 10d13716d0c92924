"""Every accepted sample parses, round-trips and has sane spans; every rejected one gives exactly its errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from printing import to_sql

from sbql.grammar.ast import (
    Batch,
    Condition,
    Exists,
    Expression,
    InSubquery,
    Node,
    QuantifiedComparison,
    ScalarSubquery,
)
from sbql.grammar.parser import check, parse_batch
from sbql.grammar.printer import BRANCHES
from sbql.grammar.printer.expressions import Parenthesized


def test_is_accepted(accepted_sample: str) -> None:
    assert check(accepted_sample) == []


def test_comes_back_from_its_text(accepted_sample: str) -> None:
    tree = parse_batch(accepted_sample)
    assert parse_batch(to_sql(tree)) == tree
    for statement in tree.statements:
        alone = Batch((statement,))
        assert parse_batch(to_sql(alone)) == alone


def test_printing_is_stable(accepted_sample: str) -> None:
    once = to_sql(parse_batch(accepted_sample))
    assert to_sql(parse_batch(once)) == once


def test_spans_lie_in_the_text_and_in_each_other(accepted_sample: str) -> None:
    def within(node: Node, start: int, end: int) -> None:
        span = node.span
        assert start <= span.start <= span.end <= end, node
        before = accepted_sample[: span.start]
        assert span.line == before.count("\n") + 1
        assert span.column == span.start - (before.rfind("\n") + 1) + 1
        for name in node.__dataclass_fields__:
            if name != "span":
                inside(getattr(node, name), span.start, span.end)

    def inside(value: object, start: int, end: int) -> None:
        if isinstance(value, Node):
            within(value, start, end)
        elif isinstance(value, tuple):
            for item in value:
                inside(item, start, end)

    inside(parse_batch(accepted_sample), 0, len(accepted_sample))


def test_every_node_class_has_a_sample_and_a_branch(
    all_accepted: list[str], concrete_nodes: set[type[Node]], nodes_of: Callable[[object], Iterator[Node]]
) -> None:
    seen = {type(node) for batch in all_accepted for node in nodes_of(parse_batch(batch))}
    assert {c.__name__ for c in concrete_nodes - seen} == set()
    assert {c.__name__ for c in concrete_nodes - BRANCHES.keys()} == set()
    assert BRANCHES.keys() - concrete_nodes == {Parenthesized}  # which no text becomes


def test_the_language_prints_what_the_catalog_keeps(concrete_nodes: set[type[Node]]) -> None:
    """Each expression and condition without a query in it; the rest of the printer belongs to these tests."""
    own = {cls for cls, branch in BRANCHES.items() if branch.__module__.startswith("sbql.")}
    with_query = {QuantifiedComparison, InSubquery, Exists, ScalarSubquery}
    kept = {cls for cls in concrete_nodes if issubclass(cls, (Expression, Condition))}
    assert kept - own == with_query
    assert {cls.__name__ for cls in own - kept - {Parenthesized}} == {
        "DataTypeReference", "Frame", "Identifier", "ObjectName", "OrderItem", "Over", "WhenClause",
    }  # fmt: skip


_EXPECTED = re.compile(
    r"error (?P<number>\d+)(?: line (?P<line>\d+))?(?: column (?P<column>\d+))?(?: text (?P<text>.+))?\Z"
)


def test_is_rejected(rejected_sample: tuple[str, list[str]]) -> None:
    text, expectations = rejected_sample
    errors = check(text)
    assert expectations
    assert len(errors) == len(expectations), errors
    for error, expectation in zip(errors, expectations, strict=True):
        wanted = _EXPECTED.match(expectation)
        assert wanted is not None, expectation
        assert error.number == int(wanted["number"])
        assert error.line == int(wanted["line"])
        assert wanted["column"] is None or error.column == int(wanted["column"])
        assert wanted["text"] is None or wanted["text"] in error.message
