"""Searches of UPDATE, DELETE and MERGE that need no DuckDB: of a table, of a join with others, through a query.

Decides which searches do, as `queries` does of what is read. It must not know what becomes of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sbql.engine.direct.flattening import TooMuch, flattened_source
from sbql.engine.direct.joins import conjuncts, joined_rows
from sbql.engine.direct.making import Asked, is_alone, of_join, of_table
from sbql.engine.direct.semijoins import asks_for_others, with_semi_joins
from sbql.engine.direct.sources import (
    alias_of,
    bound_source,
)
from sbql.engine.direct.through import OneTable, one_table
from sbql.engine.direct.unfailing import cannot_fail
from sbql.engine.ports import Session
from sbql.engine.query.translation import DIRECT
from sbql.engine.query.written_sources import WritableQuery
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import walk


def with_direct_target(
    target: ast.TableSource,
    from_: ast.TableSource | None,
    where: ast.Condition | None,
    extras: Sequence[ast.Expression],
    with_: ast.WithClause | None,
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
) -> TranslatedQuery:
    """The same for the search of a write: the row id and these values for each row. `from_` as it stands in it."""
    asked = Asked(where, list(extras), has_id=True)
    if isinstance(target, WritableQuery) and from_ is None:
        flat = one_table(target, where, extras, with_)
        if flat is None or _may_fail(flat, scope, session):
            return found
        target, asked = flat.table, Asked(flat.where, flat.items, flat.order, flat.top, has_id=True)
    elif with_ is not None:
        return _with_common_tables(target, from_, where, extras, with_, found, scope, session)
    if from_ is not None or asks_for_others(where):
        return _with_joined_target(target, from_ or target, where, extras, found, scope, session)
    if not isinstance(target, ast.NamedTable | ast.VariableTable) or not is_alone(found):
        return found
    direct = of_table(target, asked, found, scope, session)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _may_fail(flat: OneTable, scope: Scope, session: Session) -> bool:
    """Where a write goes through a query DuckDB asks its conditions of all rows, in any order."""
    try:
        bound, _ = bound_source(flat.table, scope, session, is_target=True, may_pass=True)
        if bound is None or flat.where is None:
            return False
        layout = [RowColumn(alias_of(flat.table), c.name, c.type) for c in bound.table.columns]
        rows = RowScope(layout, session, scope)
        return not all(cannot_fail(part, rows, but_constants=True) for part in conjuncts(flat.where))
    except SqlError:
        return True


def _with_common_tables(
    target: ast.TableSource, from_: ast.TableSource | None, where: ast.Condition | None, extras: Sequence[ast.Expression],
    with_: ast.WithClause, found: TranslatedQuery, scope: Scope, session: Session,
) -> TranslatedQuery:  # fmt: skip
    """`WITH x AS (…) UPDATE t … FROM t JOIN x …`."""
    asked = [*extras, *([] if where is None else [where])]
    if from_ is None or with_.namespaces or any(isinstance(p, ast.QueryExpression) for a in asked for p in walk(a)):
        return found
    try:
        flat = flattened_source(from_, with_.tables, scope, session)
        conditions = [*conjuncts(where and flat.inside(where)), *flat.conditions]
        values = [flat.inside(extra) for extra in extras]
    except (SqlError, TooMuch):
        return found
    if all(part is not target for part in walk(flat.source)):
        return found
    inside = ast.And(tuple(conditions)) if conditions else None
    return _with_joined_target(target, flat.source, inside, values, found, scope, session)


def _with_joined_target(
    target: ast.TableSource,
    from_: ast.TableSource,
    where: ast.Condition | None,
    extras: Sequence[ast.Expression],
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
) -> TranslatedQuery:
    if found.reads_broker:
        return found
    if all(part is not target for part in walk(from_)):
        from_ = ast.Join("CROSS", target, from_)
    try:
        joined = joined_rows(from_, where, target, scope, session)
        if joined is None:
            return found
        joined = with_semi_joins(joined, scope, session)
        rest = ast.And(tuple(joined.conditions)) if joined.conditions else None
        direct = of_join(joined, Asked(rest, list(extras), has_id=True), found, scope, session)
    except SqlError:
        return found
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


DIRECT.add("target", with_direct_target)
