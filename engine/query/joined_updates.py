"""An UPDATE from inner joins of stored tables, as DuckDB's own UPDATE … FROM, where each row of the target is met once.

It decides by the tree which joins are such: the target and the others are different tables, and each other table is
found by a column that is equal to a column of a table found before. That no value stands twice in this column is known
from the primary key, or from a test which is asked in the snapshot of the statement. It must not know which values fit
their columns, nor when such a statement is done.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from sbql.catalog.in_place import OnceTest
from sbql.engine.ports import Session
from sbql.engine.query.context import Context
from sbql.engine.query.names import Level, Relation, RelationColumn
from sbql.engine.query.statement import Statement
from sbql.engine.query.translation import Beginning, begin_translation, forget_unread
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast
from sbql.grammar.errors import CANCELLED, SqlError
from sbql.grammar.tree import conjuncts, find_all
from sbql.grammar.values.collation_precedence import check_assigned
from sbql.grammar.values.kinds import kind

__all__ = ["JoinedUpdate", "joined_tables", "translate_joined_update"]

_BY_KEY = frozenset({"int", "guid", "decimal", "date", "datetime", "datetime2"})
"""Families in which equal values of one type are equal in a key."""


class JoinedTables(Struct, frozen=True):
    """FROM and WHERE of an UPDATE without their nesting, which means nothing among inner joins."""

    target: ast.NamedTable
    others: tuple[ast.NamedTable, ...]
    conditions: tuple[ast.Condition, ...]


class JoinedUpdate(Struct, frozen=True):
    """`statement` changes each row once if all of `tests` hold. `is_filtered`: there are conditions beside equal
    columns, so that it may be about few rows."""

    statement: TranslatedQuery
    tests: tuple[OnceTest, ...]
    is_filtered: bool


def joined_tables(from_: ast.TableSource, target: ast.TableSource, where: ast.Condition | None) -> JoinedTables | None:
    """None where FROM has anything but inner joins of tables by name, without hints."""
    leaves: list[ast.NamedTable] = []
    conditions: list[ast.Condition] = []
    waiting = [from_]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Join) and part.kind in ("INNER", "CROSS"):
            waiting += [part.right, part.left]
            if part.on is not None:
                conditions.append(part.on)
        elif isinstance(part, ast.NamedTable) and not part.hints:
            leaves.append(part)
        else:
            return None
    if where is not None:
        conditions.append(where)
    others = tuple(leaf for leaf in leaves if leaf is not target)
    if not isinstance(target, ast.NamedTable) or target.hints or len(others) + 1 != len(leaves):
        return None
    if any(True for condition in conditions for _ in find_all(condition, ast.QueryExpression)):
        return None
    return JoinedTables(target, others, tuple(conditions)) if others else None


def translate_joined_update(
    tables: JoinedTables, extras: Sequence[ast.Expression], beginning: Beginning, scope: Scope, session: Session
) -> JoinedUpdate | None:
    """None where `beginning` has none, where DuckDB's statement would read anything but these tables or call a function
    of ours, and where a table may be met twice."""
    tests: list[OnceTest] | None = None
    is_filtered = False

    def translate(statement: Statement) -> TranslatedQuery:
        nonlocal tests, is_filtered
        cx = Context(statement, Level())
        target = cx.source(tables.target)
        others = [cx.source(other) for other in tables.others]
        conditions = [cx.within("WHERE").condition(condition) for condition in tables.conditions]
        values = [cx.within("SET").expression(extra) for extra in extras]
        for value in values:
            check_assigned(value.type)
        relations = cx.level.relations
        forget_unread(relations[0], statement)
        begins = beginning(target, values)
        where = " AND ".join(f"({condition})" for condition in conditions)
        found = statement.finish(f"{begins} FROM {', '.join(others)} WHERE {where or 'true'}", ())
        sources = [statement.finish(other, ()).sql for other in others]
        storages = [relation.storage for relation in relations]
        is_right = begins is not None and found.is_simple and not found.tell_lines and len(relations) == len(others) + 1
        if is_right and None not in storages and storages[0] not in storages[1:] and found.tables == {*storages}:
            parts = [part for condition in tables.conditions for part in conjuncts(condition)]
            equations = [pair for part in parts if (pair := _equation(cx.level, part)) is not None]
            tests, is_filtered = _tests(relations, equations, sources), len(equations) < len(parts)
        return found

    try:
        found = begin_translation(translate, scope, session, True)
    except SqlError as error:  # a name that ON knows need not be the only one of its kind in all of FROM
        if error.number == CANCELLED:
            raise
        return None
    return JoinedUpdate(found, tuple(tests), is_filtered) if tests is not None else None


_Side = tuple[Relation, RelationColumn]
_Equation = tuple[_Side, _Side]


def _equation(level: Level, condition: ast.Condition) -> _Equation | None:
    """The columns of two tables that a row must have equal, where equal means the same to a key."""
    if not isinstance(condition, ast.Comparison) or condition.op != "=":
        return None
    left, right = condition.left, condition.right
    if not (isinstance(left, ast.ColumnReference) and isinstance(right, ast.ColumnReference)):
        return None
    _, here, column = level.column(left)
    _, there, other = level.column(right)
    families = kind(column.type), kind(other.type)
    if families == ("int", "int") or (column.type == other.type and families[0] in _BY_KEY):
        return (here, column), (there, other)
    return None


def _tests(
    relations: Sequence[Relation], equations: Sequence[_Equation], sources: Sequence[str]
) -> list[OnceTest] | None:
    """What makes sure that a row of the first relation meets one of each other, which stand in FROM
    as `sources`. None: nothing does."""
    known, tests = [relations[0]], []
    waiting = list(zip(relations[1:], sources, strict=True))
    while waiting:
        given = [_given(relation, known, equations) for relation, _ in waiting]
        by_key = [place for place, columns in enumerate(given) if _has_key(waiting[place][0], columns)]
        numbers = [tuple(dict.fromkeys(one.sql for one in columns if kind(one.type) == "int")) for columns in given]
        by_number = [place for place, columns in enumerate(numbers) if columns]
        if not by_key and not by_number:
            return None
        place = (by_key or by_number)[0]
        relation, source = waiting.pop(place)
        if not by_key:
            tests.append(OnceTest(numbers[place], source))
        known.append(relation)
    return tests


def _given(relation: Relation, known: Sequence[Relation], equations: Sequence[_Equation]) -> list[RelationColumn]:
    """The columns of a relation that those of the known ones decide."""
    sides = [pair for one, other in equations for pair in ((one, other), (other, one))]
    return [column for (here, column), (there, _) in sides if here is relation and any(there is one for one in known)]


def _has_key(relation: Relation, columns: Sequence[RelationColumn]) -> bool:
    key = relation.address[1] if relation.address is not None else ()
    return bool(key) and {name.lower() for name in key} <= {column.name.lower() for column in columns}
