"""Which queries can be watched: SQL Server's rules for a query for notification, and what of such a query matters.

Decides by the tree and the catalog alone: one base table or several in inner joins, each by a name of two
parts, named columns, nothing that a change of one row could not be judged by. It must not know what
becomes of a query that does not qualify.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from sbql.catalog.records import Column, Synonym, Table
from sbql.engine.ports import Session
from sbql.engine.scalars.determinism import is_deterministic
from sbql.engine.scalars.function_registry import SCALAR, lookup
from sbql.engine.security.resolver import resolve
from sbql.grammar import ast
from sbql.grammar.tree import columns_in, conjuncts, find_all, walk

__all__ = ["Part", "parts_of"]

_FOREIGN: Final = (
    ast.GlobalVariable, ast.QueryExpression, ast.Apply, ast.Pivot, ast.Unpivot, ast.MethodCall, ast.NextValueFor, ast.Over,
)  # fmt: skip
"""What stands nowhere in a query that qualifies: @@globals, subqueries, derived tables, windows and the rest."""
_OLD_LARGE: Final = frozenset({"text", "ntext", "image"})
_INEXACT: Final = frozenset({"float", "real"})
_REFUSED_HINTS: Final = frozenset({"NOLOCK", "READUNCOMMITTED", "READPAST"})
_GROUPED: Final = frozenset({"COUNT_BIG", "SUM"})
"""The aggregates that a query with GROUP BY may have."""


class Part(Struct, frozen=True):
    """One table of a query: the columns that the query reads of it, in lower case, and those of its
    conditions that ask for nothing else."""

    table: Table
    alias: str
    columns: frozenset[str]
    conditions: tuple[ast.Condition, ...]


def parts_of(node: ast.SelectStatement, session: Session) -> tuple[Part, ...] | None:
    """The tables of a query that qualifies; None for one that does not. Raises 208 and its like for names that mean
    nothing, as the query itself will."""
    whole = node.query
    query = whole.query
    if not isinstance(query, ast.QuerySpecification) or query.from_ is None:
        return None
    if whole.offset is not None or whole.fetch is not None or (node.with_ is not None and node.with_.tables):
        return None
    if query.distinct or query.top is not None or query.into is not None or query.having is not None or query.windows:
        return None
    if any(isinstance(part, _FOREIGN) for part in walk((query, whole.order_by))):
        return None
    conditions = [] if query.where is None else [query.where]
    sources = _sources(query.from_, conditions)
    if sources is None:
        return None
    tables = _base_tables(sources, session)
    if tables is None or not _has_named_columns(query.items):
        return None
    if not (_calls_qualify(query, tables, session) and _types_qualify(query, whole.order_by, tables)):
        return None
    wanted = [part for condition in conditions for part in conjuncts(condition)]
    if any(_is_constant(conjunct) for conjunct in wanted):
        return None
    return _divided(tables, columns_in((query, whole.order_by)), wanted)


# --- FROM --------------------------------------------------------------------------------------------------


def _sources(source: ast.TableSource, conditions: list[ast.Condition]) -> list[ast.NamedTable] | None:
    """The tables of inner joins, whose conditions go to the others; None for anything else."""
    if isinstance(source, ast.NamedTable):
        return [source]
    if not isinstance(source, ast.Join) or source.kind not in ("INNER", "CROSS"):
        return None
    left, right = _sources(source.left, conditions), _sources(source.right, conditions)
    if source.on is not None:
        conditions.append(source.on)
    return None if left is None or right is None else left + right


def _base_tables(sources: list[ast.NamedTable], session: Session) -> dict[str, Table] | None:
    """By alias. None when one is no base table of this database with a name of two parts, has a
    computed column, or stands there twice."""
    found: dict[str, Table] = {}
    for source in sources:
        if len(source.name.parts) != 2 or not source.name.schema or any(h.name in _REFUSED_HINTS for h in source.hints):
            return None
        if source.name.schema.lower() in ("sys", "information_schema"):
            return None
        table = resolve(session, source.name)
        if not isinstance(table, Table) or isinstance(resolve(session, source.name, Synonym, missing_ok=True), Synonym):
            return None
        if table.session_id or table.is_ms_shipped or table.name.startswith("#") or table in found.values():
            return None
        if any(column.computed is not None for column in table.columns):
            return None
        alias = source.name.name if source.alias is None else source.alias.value
        found[alias.lower()] = table
    return found


# --- the select list and the rest --------------------------------------------------------------------------


def _has_named_columns(items: Iterable[ast.SelectItem]) -> bool:
    """All have names, no two the same, and no column stands there twice as it is."""
    names: set[str] = set()
    plain: set[str] = set()
    for item in items:
        if not isinstance(item, ast.SelectColumn):
            return False
        column = item.expression if isinstance(item.expression, ast.ColumnReference) else None
        name = item.alias.value if item.alias is not None else column.name if column is not None else ""
        if not name or name.lower() in names:
            return False
        names.add(name.lower())
        if column is not None:
            written = ".".join(part.value.lower() if part is not None else "" for part in column.parts)
            if written in plain:
                return False
            plain.add(written)
    return True


def _calls_qualify(query: ast.QuerySpecification, tables: dict[str, Table], session: Session) -> bool:
    """Deterministic functions; COUNT_BIG and SUM of what cannot be NULL, with a plain GROUP BY."""
    group_by = query.group_by
    if group_by is not None and any(element.kind for element in group_by.elements):
        return False
    if not all(
        is_deterministic(tree, session) for tree in (*query.items, query.where, *_ons(query.from_)) if tree is not None
    ):
        return False
    for call in find_all(query, ast.FunctionCall):
        known = lookup(call.name.name.upper()) if len(call.name.parts) == 1 else None
        if known is None or known.kind == SCALAR:
            continue
        if group_by is None or known.name not in _GROUPED or call.distinct:
            return False
        if known.name == "SUM" and any(_may_be_null(column, tables) for column in columns_in(call)):
            return False
    return True


def _ons(source: ast.TableSource | None) -> Iterator[ast.Condition]:
    for join in find_all(source, ast.Join):
        if join.on is not None:
            yield join.on


def _types_qualify(
    query: ast.QuerySpecification, order_by: tuple[ast.OrderItem, ...], tables: dict[str, Table]
) -> bool:
    """No text, ntext and image at all; float and real only as they are."""
    as_they_are = {id(item.expression) for item in query.items if isinstance(item, ast.SelectColumn)}
    as_they_are |= {id(item.expression) for item in order_by}
    for reference in columns_in((query, order_by)):
        for column in _columns(reference, tables):
            if column.type.name in _OLD_LARGE or (column.type.name in _INEXACT and id(reference) not in as_they_are):
                return False
    return True


def _may_be_null(reference: ast.ColumnReference, tables: dict[str, Table]) -> bool:
    return any(column.is_nullable for column in _columns(reference, tables))


def _columns(reference: ast.ColumnReference, tables: dict[str, Table]) -> list[Column]:
    return [c for alias in _owners(reference, tables) for c in tables[alias].columns if _is(c.name, reference.name)]


def _is(name: str, other: str) -> bool:
    return name.lower() == other.lower()


def _owners(reference: ast.ColumnReference, tables: dict[str, Table]) -> list[str]:
    """The aliases of the tables that a reference may mean: one, where the query itself is right."""
    if len(reference.parts) > 1 and reference.parts[-2] is not None:
        alias = reference.parts[-2].value.lower()
        return [alias] if alias in tables else []
    return [alias for alias, table in tables.items() if any(_is(c.name, reference.name) for c in table.columns)]


# --- conditions --------------------------------------------------------------------------------------------


def _is_constant(condition: ast.Condition) -> bool:
    """A condition that no row and no parameter decides, such as 1 = 0."""
    return not any(isinstance(part, ast.ColumnReference | ast.VariableReference) for part in walk(condition))


def _divided(
    tables: dict[str, Table], references: Iterable[ast.ColumnReference], conjuncts: list[ast.Condition]
) -> tuple[Part, ...]:
    used: dict[str, set[str]] = {alias: set() for alias in tables}
    for reference in references:
        for alias in _owners(reference, tables):
            used[alias].add(reference.name.lower())
    own: dict[str, list[ast.Condition]] = {alias: [] for alias in tables}
    for conjunct in conjuncts:
        owners = {alias for reference in columns_in(conjunct) for alias in _owners(reference, tables)}
        if len(owners) == 1:
            own[owners.pop()].append(conjunct)
    return tuple(Part(table, alias, frozenset(used[alias]), tuple(own[alias])) for alias, table in tables.items())
