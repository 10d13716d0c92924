"""However long or deep a text is, it ends in a tree that can be walked, or in a numbered error."""

from __future__ import annotations

import time

import pytest
from printing import to_sql

from sbql.grammar.errors import SqlError
from sbql.grammar.parser import MAX_DEPTH, check, parse_batch


@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + "(" * 100_000 + "1" + ")" * 100_000,
        "SELECT " + "-(" * 5_000 + "1" + ")" * 5_000,
        "SELECT " + "f(" * 1_000 + "1" + ")" * 1_000,
        "SELECT 1 WHERE " + "NOT " * 3_000 + "a = 1",
        "SELECT " + "1 + (" * 3_000 + "1" + ")" * 3_000,
        "BEGIN " * 5_000 + "SELECT 1" + " END" * 5_000,
        "IF 1 = 1 " * 3_000 + "SELECT 1",
        "SELECT 1 " + "ELSE " * 3 + "CASE WHEN 1 = 1 THEN " * 300,
        "SELECT * FROM " + "(SELECT * FROM " * 300 + "t" + ") x" * 300,
    ],
    ids=["brackets", "signs", "calls", "not", "sums", "blocks", "ifs", "cases", "subqueries"],
)
def test_deep_nesting_is_an_error(text: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse_batch(text)
    assert caught.value.number in (191, 156)
    assert check(text)


def test_depth_that_is_allowed_can_be_walked() -> None:
    depth = MAX_DEPTH - 10
    for text in (
        "SELECT " + "-(" * depth + "1" + ")" * depth,
        "BEGIN " * depth + "SELECT 1" + " END" * depth,
        "IF 1 = 1 SELECT 1 ELSE " * depth + "SELECT 2",
    ):
        tree = parse_batch(text)
        assert parse_batch(to_sql(tree)) == tree


@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + " + ".join(["1"] * 20_000),
        "SELECT 1 WHERE " + " AND ".join(["a = 1"] * 20_000),
        "SELECT 1 WHERE a IN (" + ", ".join(["1"] * 20_000) + ")",
        "INSERT t VALUES " + ", ".join(["(1, 'a')"] * 10_000),
        ";".join(["SELECT 1"] * 20_000),
    ],
    ids=["sum", "and", "in", "values", "statements"],
)
def test_long_runs_are_fine(text: str) -> None:
    tree = parse_batch(text)
    again = parse_batch(to_sql(tree))
    assert again == tree
    assert hash(again) == hash(tree)


def test_long_unions_and_joins_print() -> None:
    for text in ("SELECT 1" + " UNION ALL SELECT 1" * 3_000, "SELECT 1 FROM t" + " JOIN t ON 1 = 1" * 3_000):
        printed = to_sql(parse_batch(text))
        assert to_sql(parse_batch(printed)) == printed


def test_time_grows_as_the_text_does() -> None:
    """A thousand lines take ten times as long as a hundred, and a little (a parser that goes
    back would take a hundred times)."""
    text = (
        "WHILE (1 = 1)\nBEGIN\n    BEGIN TRANSACTION;\n"
        "    WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @b = CAST(message_body AS xml) FROM dbo.q), TIMEOUT 1000;\n"
        "    IF @@ROWCOUNT = 0\n        BREAK;\n    SEND ON CONVERSATION @h MESSAGE TYPE [//x/Answer] (@b);\n"
        "    INSERT INTO dbo.log (a, b) VALUES (@b.value('(/a/b)[1]', 'int'), GETDATE());\n    COMMIT;\nEND\n"
    )

    def best(times: int) -> float:
        found = []
        for _ in range(3):
            start = time.process_time()
            parse_batch(text * times)
            found.append(time.process_time() - start)
        return min(found)

    best(1)
    assert best(100) < 25 * best(10)
