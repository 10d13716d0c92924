"""Statements that are deep, wide or long: what nests in T-SQL, so many times."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["LARGE_STATEMENTS", "nested_calls"]

LARGE_STATEMENTS = {
    "UNION ALL": lambda n: " UNION ALL ".join(["SELECT 1 AS a"] * n),
    "UNION": lambda n: " UNION ".join(f"SELECT {i} AS a" for i in range(n)),
    "parentheses": lambda n: f"SELECT {'(' * n}1{')' * n}",
    "sum": lambda n: f"SELECT {' + '.join(['a'] * n)} FROM w",
    "sum of variables": lambda n: f"DECLARE @i int = 1; SELECT {' + '.join(['@i'] * n)}",
    "concatenation": lambda n: f"SELECT {' + '.join(['b'] * n)} FROM w",
    "OR": lambda n: f"SELECT 1 FROM w WHERE {' OR '.join(['a = 1'] * n)}",
    "AND": lambda n: f"SELECT 1 FROM w WHERE {' AND '.join(['b = v'] * n)}",
    "NOT": lambda n: f"SELECT 1 FROM w WHERE {'NOT ' * n}b LIKE N'[x]'",
    "CASE": lambda n: f"SELECT {'CASE WHEN a = 1 THEN ' * n}1{' END' * n} FROM w",
    "simple CASE": lambda n: f"SELECT {'CASE ' * n}a{' WHEN 1 THEN 1 ELSE 2 END' * n} FROM w",
    "IIF": lambda n: f"SELECT {'IIF(a = 1, ' * n}1{', 2)' * n} FROM w",
    "COALESCE": lambda n: f"SELECT {'COALESCE(' * n}a{', a)' * n} FROM w",
    "NULLIF": lambda n: f"SELECT {'NULLIF(' * n}a{', a)' * n} FROM w",
    "CAST": lambda n: f"SELECT {'CAST(' * n}a{' AS varchar(20))' * n} FROM w",
    "minus": lambda n: f"SELECT {'- ' * n}a FROM w",
    "product": lambda n: f"SELECT {' * '.join(['c'] * n)} FROM w",
    "subqueries": lambda n: f"SELECT {'(SELECT ' * n}1{')' * n}",
    "derived tables": lambda n: f"SELECT * FROM {'(SELECT * FROM ' * n}(SELECT 1 AS a) AS t{') AS t' * n}",
    "common tables": lambda n: f"WITH c0 AS (SELECT a FROM w){''.join(f', c{i + 1} AS (SELECT a FROM c{i})' for i in range(n))} SELECT a FROM c{n}",
    "joins": lambda n: f"SELECT 1 FROM {' CROSS JOIN '.join(f'(SELECT 1 AS a) AS t{i}' for i in range(n))}",
    "IN": lambda n: f"SELECT a FROM w WHERE a IN ({', '.join(map(str, range(n)))})",
    "columns": lambda n: f"SELECT {', '.join(f'a AS c{i}' for i in range(n))} FROM w",
    "blocks": lambda n: f"{'BEGIN ' * n}SELECT 1 {'END ' * n}",
    "IF": lambda n: f"{'IF 1 = 1 ' * n}SELECT 1",
    "TRY": lambda n: f"{'BEGIN TRY ' * n}SELECT 1{' END TRY BEGIN CATCH END CATCH' * n}",
    "VALUES": lambda n: f"SELECT COUNT(*) FROM (VALUES {', '.join(['(1)'] * n)}) AS t (a)",
    "ORDER BY": lambda n: f"SELECT a FROM w ORDER BY {', '.join(['a + 1'] * n)}",
    "GROUP BY": lambda n: f"SELECT 1 FROM w GROUP BY {', '.join(f'a + {i}' for i in range(n))}",
}  # fmt: skip
"""Texts of a size, by what is repeated in them."""


def nested_calls(working: list[str], depth: int) -> Iterator[str]:
    """Each call, `f(b, …)`, with itself as its first argument, so many times."""
    for call in working:
        name, mark, rest = call.partition("(")
        first, comma, others = rest.removesuffix(")").partition(",")
        if mark and first.strip() and call.endswith(")") and " OVER " not in call:
            yield f"SELECT {f'{name}(' * depth}{first}{f'{comma}{others})' * depth} FROM w"
