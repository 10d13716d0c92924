"""UNION, EXCEPT, INTERSECT and common table expressions, recursive ones too.

Decides the types that the branches of a set operation meet in, and how rows that T-SQL calls equal are found when
DuckDB would keep them apart (other letter case, trailing blanks). It must not know what a single SELECT means.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from sbql.engine.documents.for_xml_checks import check_namespaces
from sbql.engine.query.context import QUERY_FORMS, Context, registers
from sbql.engine.query.conversions import convert, unify
from sbql.engine.query.limits import limit_of
from sbql.engine.query.names import CommonTable, RelationColumn
from sbql.engine.query.queries import by_position_or_alias, finish, specification, translate_inner, uncollated
from sbql.engine.query.query_text import OrderTerm, OutputColumn, QueryText, Tail, output_columns, settled
from sbql.engine.query.recursive_members import check_recursive_member, mentions
from sbql.engine.tables.comparison_keys import comparable, equality_key, has_key
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all
from sbql.grammar.types import INT, SqlType

__all__ = ["with_clause"]


@registers(QUERY_FORMS, ast.BinaryQuery)
def combination(node: ast.BinaryQuery, cx: Context, tail: Tail) -> QueryText:
    """A set operation with its ORDER BY, which can name output columns only, also by
    what they are in the first branch."""
    query = _branch(node, cx)
    if not tail.order_by and tail.offset is None:
        return query
    outside = output_columns(query, "u")
    columns = [OutputColumn(c.name, value) for c, value in zip(query.columns, outside, strict=True)]
    terms = []
    for item in tail.order_by:
        expression, collation = uncollated(item.expression, cx.statement.scope)
        value = by_position_or_alias(expression, columns)
        if value is None and isinstance(expression, ast.ColumnReference):
            value = _of_first_branch(node, expression, columns)
        if value is None:
            if isinstance(expression, ast.ColumnReference):
                raise sql_error(207, expression.name, span=item.span)
            raise sql_error(104, span=item.span)
        comparable(value, item.span)
        if collation is not None:
            value = msgspec.structs.replace(value, type=value.type.with_collation(collation))
        terms.append(OrderTerm(value, item.descending))
    limit = limit_of(None, tail.offset, tail.fetch, bool(tail.order_by), cx)
    items = ", ".join(f"u.c{i}" for i in range(1, len(columns) + 1))
    return finish(items, f" FROM ({query.sql}) AS u", query.columns, terms, limit, tail)


def _of_first_branch(
    node: ast.BinaryQuery, wanted: ast.ColumnReference, columns: list[OutputColumn]
) -> Typed | None:  # fmt: skip
    """The output column that the first branch selects in the words of ORDER BY: `SELECT t.a … UNION … ORDER BY t.a`."""
    first: ast.Query = node
    while isinstance(first, ast.BinaryQuery):
        first = first.left
    items = first.items if isinstance(first, ast.QuerySpecification) else ()
    if len(items) != len(columns):
        return None  # a star stands for several
    words = _words(wanted)
    for item, column in zip(items, columns, strict=True):
        if isinstance(item, ast.SelectColumn) and isinstance(item.expression, ast.ColumnReference):
            if _words(item.expression) == words:
                return column.value
    return None


def _words(reference: ast.ColumnReference) -> list[str]:
    return ["" if part is None else part.value.lower() for part in reference.parts]


def _branch(node: ast.Query, cx: Context) -> QueryText:
    """A branch, which sees what is around the whole operation but not the other branches."""
    operations = []
    while isinstance(node, ast.BinaryQuery):  # not by recursion: a long chain leans to the left
        operations.append(node)
        node = node.left
    found = _single_branch(node, cx)
    for operation in reversed(operations):
        found = combine(operation.op, found, _branch(operation.right, cx), cx, operation.span)
    return found


def _single_branch(node: ast.Query, cx: Context) -> QueryText:
    assert isinstance(node, ast.QuerySpecification)
    own = Context(cx.statement, type(cx.level)(cx.level.parent))
    if node.order_by and node.top is None and node.offset is None:
        raise sql_error(1033, span=node.order_by[0].span)
    found = specification(node, own, Tail(node.order_by, node.offset, node.fetch))
    if own.level.uses_outer:
        cx.level.uses_outer = True
    is_cut = node.top is not None or node.offset is not None
    return QueryText(f"({found.sql})", found.columns) if is_cut else found


def combine(op: str, left: QueryText, right: QueryText, cx: Context, span: ast.Span) -> QueryText:
    """One set operation over two translated branches. Raises 205 and the errors of types that do not meet."""
    if len(left.columns) != len(right.columns):
        raise sql_error(205, span=span)
    columns = []
    for one, other in zip(left.columns, right.columns, strict=True):
        met = unify([one.value, other.value], span, op, compares=op != "UNION ALL")
        columns.append(
            OutputColumn(one.name, msgspec.structs.replace(met, sql="", constant=None, origin=None, is_literal=False))
        )
    types = tuple(columns)
    first, second = recast(left, types, cx), recast(right, types, cx)
    if op == "UNION ALL":
        return QueryText(f"{first} UNION ALL {second}", types)
    for column in types:
        comparable(column.value, span, op)
    if not any(has_key(column.value) for column in types):
        return QueryText(f"({first}) {op} ({second})", types)
    if op == "UNION":
        keys = ", ".join(equality_key(value) for value in output_columns(QueryText("", types), "u"))
        return QueryText(f"SELECT DISTINCT ON ({keys}) u.* FROM ({first} UNION ALL {second}) AS u", types)
    ours, theirs = output_columns(QueryText("", types), "l"), output_columns(QueryText("", types), "r")
    same = " AND ".join(
        f"{equality_key(a)} IS NOT DISTINCT FROM {equality_key(b)}" for a, b in zip(ours, theirs, strict=True)
    )
    keys = ", ".join(equality_key(value) for value in ours)
    kind = "ANTI" if op == "EXCEPT" else "SEMI"
    return QueryText(
        f"SELECT DISTINCT ON ({keys}) l.* FROM ({first}) AS l {kind} JOIN ({second}) AS r ON {same}", types
    )


def recast(query: QueryText, columns: tuple[OutputColumn, ...], cx: Context) -> str:
    """The text of `query` with its columns converted to the types of `columns`."""
    if all(_same(a.value, b.value) for a, b in zip(query.columns, columns, strict=True)):
        return query.sql
    alias = cx.statement.alias("u")
    items = []
    for position, (value, column) in enumerate(zip(output_columns(query, alias), columns, strict=True), 1):
        items.append(f"{convert(value, column.type, cx).sql} AS c{position}")
    return f"SELECT {', '.join(items)} FROM ({query.sql}) AS {alias}"


def _same(a: Typed, b: Typed) -> bool:
    return replace(a.type, collation=None) == replace(b.type, collation=None)


# --- common table expressions ------------------------------------------------------------------------------


def with_clause(node: ast.WithClause | None, cx: Context) -> str:
    """The WITH prefix of a statement. The names stay known until the caller pops `statement.common_tables`."""
    known: dict[str, CommonTable] = {}
    cx.statement.common_tables.append(known)
    if node is None:
        return ""
    if node.namespaces:
        cx.statement.namespaces = tuple((n.prefix, n.uri) for n in node.namespaces)
        check_namespaces(cx.statement.namespaces)
        cx.statement.scope.namespaces = {n.prefix or "": n.uri for n in node.namespaces}
    texts = []
    for table in node.tables:
        if table.name.value.lower() in known:
            raise sql_error(239, table.name.value, span=table.span)
        texts.append(_common_table(table, cx, known, node.max_recursion))
    return f"WITH RECURSIVE {', '.join(texts)} " if texts else ""


def _common_table(
    node: ast.CommonTableExpression, cx: Context, known: dict[str, CommonTable], max_recursion: int
) -> str:
    name = node.name.value
    sql_name = cx.statement.alias("cte")
    if mentions(node.query, name):
        return _recursive(node, sql_name, cx, known, max_recursion)
    query = translate_inner(node.query, cx.alone())
    known[name.lower()] = CommonTable(name, sql_name, _columns(node, query.columns))
    names = ", ".join(f"c{i}" for i in range(1, len(query.columns) + 1))
    return f"{sql_name}({names}) AS ({query.sql})"


def _columns(node: ast.CommonTableExpression, columns: tuple[OutputColumn, ...]) -> tuple[RelationColumn, ...]:
    """Names from the list or from the query. Raises 8155, 8156, 8158, 8159."""
    name = node.name.value
    if node.columns and len(node.columns) != len(columns):
        raise sql_error(8158 if len(columns) > len(node.columns) else 8159, name, span=node.span)
    found: list[RelationColumn] = []
    for position, column in enumerate(columns, 1):
        own = node.columns[position - 1].value if node.columns else column.name
        if not own:
            raise sql_error(8155, position, name, span=node.span)
        if any(own.lower() == other.name.lower() for other in found):
            raise sql_error(8156, own, name, span=node.span)
        kept = settled(column.type)
        found.append(RelationColumn(own, kept, f"c{position}", column.nullable, rank=column.value.rank))
    return tuple(found)


def _recursive(
    node: ast.CommonTableExpression, sql_name: str, cx: Context, known: dict[str, CommonTable], max_recursion: int
) -> str:
    """Anchor members, then recursive ones; a column d counts the levels, for error 530."""
    name = node.name.value
    members = _members(node.query.query)
    recursive = [member for member in members if mentions(member, name)]
    anchors = [member for member in members if member not in recursive]
    if len(members) == 1 or any(not isinstance(member, ast.QuerySpecification) for member in recursive):
        raise sql_error(252, name, span=node.span)
    if not anchors:
        raise sql_error(246, name, span=node.span)
    if any(member in anchors for member in members[members.index(recursive[0]) :]):
        raise sql_error(247, name, span=node.span)
    for member in recursive:
        assert isinstance(member, ast.QuerySpecification)
        check_recursive_member(member, name)
    anchor = _branch(anchors[0], cx.alone())
    for member in anchors[1:]:
        anchor = combine("UNION ALL", anchor, _branch(member, cx.alone()), cx, node.span)
    columns = tuple(OutputColumn(c.name, _settled(c.value)) for c in anchor.columns)
    columns = tuple(
        msgspec.structs.replace(c, value=msgspec.structs.replace(c.value, type=INT)) if c.type.name == "null" else c
        for c in columns
    )
    table = CommonTable(name, sql_name, _columns(node, columns))
    known[name.lower()] = table
    names = [f"c{i}" for i in range(1, len(columns) + 1)]
    alias = cx.statement.alias("u")
    texts = [f"SELECT {', '.join(f'{alias}.{n}' for n in names)}, 0 FROM ({recast(anchor, columns, cx)}) AS {alias}"]
    for member in recursive:
        assert isinstance(member, ast.QuerySpecification)
        texts.append(_recursive_member(member, table, columns, cx, max_recursion))
    body = " UNION ALL ".join([texts[0], texts[1] if len(texts) == 2 else f"({' UNION ALL '.join(texts[1:])})"])
    return f"{sql_name}({', '.join(names)}, d) AS ({body})"


def _settled(value: Typed) -> Typed:
    return msgspec.structs.replace(value, sql="", constant=None, is_literal=False, nullable=True)


def _members(node: ast.Query) -> list[ast.Query]:
    if isinstance(node, ast.BinaryQuery) and node.op == "UNION ALL":
        return [*_members(node.left), *_members(node.right)]
    return [node]


def _same_type(one: SqlType, other: SqlType) -> bool:
    """The types of a column in the anchor and in a recursive member must be the same, with length and precision."""
    return (one.name, one.length, one.precision, one.scale) == (other.name, other.length, other.precision, other.scale)


def _recursive_member(
    node: ast.QuerySpecification, table: CommonTable, columns: tuple[OutputColumn, ...], cx: Context, max_recursion: int
) -> str:
    first = len(table.references)

    def level() -> str:
        if len(table.references) - first != 1:
            raise sql_error(253, table.name, span=node.span)
        depth = f"{table.references[-1]}.d"
        if max_recursion == 0:
            return f"{depth} + 1 AS d"
        return f"CASE WHEN {depth} >= {max_recursion} THEN CAST(error('SQL|530|{max_recursion}') AS INTEGER) ELSE {depth} + 1 END AS d"

    table.numbers_rows = any(find_all(node.items, ast.Over, closed=ast.QueryExpression))
    around, cx.statement.recursive = cx.statement.recursive, table
    query = specification(node, cx.alone(), Tail(extra=level))
    table.numbers_rows, cx.statement.recursive = False, around
    if len(query.columns) != len(columns):
        raise sql_error(205, span=node.span)
    for one, other, named in zip(query.columns, columns, table.columns, strict=True):
        if not _same_type(one.type, other.type) and not one.value.is_bare_null:
            raise sql_error(240, named.name, table.name, span=node.span)
    alias = cx.statement.alias("u")
    values = output_columns(query, alias)
    items = [convert(value, column.type, cx).sql for value, column in zip(values, columns, strict=True)]
    return f"SELECT {', '.join(items)}, {alias}.d FROM ({query.sql}) AS {alias}"
