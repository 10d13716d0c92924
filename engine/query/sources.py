"""FROM: tables, derived tables, VALUES, joins and APPLY.

Decides what FROM text a table source becomes and which relations it adds to its level. Where stored, virtual and
in-memory tables come from is `tables.py`; functions and XML or JSON rowsets are `rowsets.py`; PIVOT is `pivots.py`.
"""

from __future__ import annotations

import msgspec

from sbql.engine.query.context import LIST_FUNCTIONS, Context, source
from sbql.engine.query.conversions import convert, unify
from sbql.engine.query.kept_keys import note_found_by_key
from sbql.engine.query.names import CommonTable, Level, Relation, RelationColumn
from sbql.engine.query.queries import refuse_useless_order, translate_inner, translate_query
from sbql.engine.query.query_text import QueryText, derived_relation
from sbql.engine.query.recursive_members import mentions
from sbql.engine.query.statement import unsupported
from sbql.engine.query.tables import common_table, named_table, variable_table
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.checkpoints import checkpoint

HINTS = frozenset(
    {
        "FORCESCAN", "FORCESEEK", "HOLDLOCK", "INDEX", "KEEPDEFAULTS", "KEEPIDENTITY", "IGNORE_CONSTRAINTS", "IGNORE_TRIGGERS",
        "NOEXPAND", "NOLOCK", "NOWAIT", "PAGLOCK", "READCOMMITTED", "READCOMMITTEDLOCK", "READPAST", "READUNCOMMITTED",
        "REPEATABLEREAD", "ROWLOCK", "SERIALIZABLE", "SNAPSHOT", "SPATIAL_WINDOW_MAX_CELLS", "TABLOCK", "TABLOCKX", "UPDLOCK",
        "XLOCK", "FASTFIRSTROW",
    }
)  # fmt: skip


def check_hints(hints: tuple[ast.TableHint, ...]) -> None:
    """There is one plan: hints of locks do something (`reading_locks.py`), the others nothing. Raises 321 for an
    unknown one."""
    for hint in hints:
        if hint.name.upper() not in HINTS:
            raise sql_error(321, hint.name, span=hint.span)


@source(ast.NamedTable)
def named(node: ast.NamedTable, cx: Context) -> str:
    check_hints(node.hints)
    if len(node.name.parts) == 1:
        common = cx.statement.find_common_table(node.name.name)
        if common is not None:
            return common_table(common, node, cx)
    text = named_table(node, cx)
    if node.alias is None:
        cx.level.relations[-1].element_name = str(node.name)
    return text


@source(ast.VariableTable)
def variable(node: ast.VariableTable, cx: Context) -> str:
    return variable_table(node, cx)


@source(ast.DerivedTable)
def derived(node: ast.DerivedTable, cx: Context) -> str:
    if node.alias is None:
        raise sql_error(102, ")", span=node.span)
    recursive = cx.statement.recursive
    alias = cx.statement.alias()
    if recursive is not None and mentions(node.query, recursive.name):
        query = _with_depth(node, recursive, cx)
        recursive.references[-1] = alias
    else:
        query = translate_inner(node.query, cx.derived())
    cx.level.add(derived_relation(query, node.alias.value, node.columns, alias, node.span), node.span)
    return f"({query.sql}) AS {alias}"


def _with_depth(node: ast.DerivedTable, table: CommonTable, cx: Context) -> QueryText:
    """A derived table that reads the common table of the recursive member around it hands out how deep its rows are."""
    if node.query.for_ is not None or not isinstance(node.query.query, ast.QuerySpecification):
        raise unsupported("a recursive reference below a set operator or FOR clause", node.span)
    refuse_useless_order(node.query)
    return translate_query(node.query, cx.derived(), extra=lambda: f"{table.references[-1]}.d AS d")


@source(ast.InlineValues)
def inline_values(node: ast.InlineValues, cx: Context) -> str:
    """VALUES as a table: each column has the type that UNION ALL would give it."""
    inner = cx.derived().within("FROM")
    width = len(node.rows[0])
    if any(len(row) != width for row in node.rows):
        raise sql_error(10709, span=node.span)
    if node.columns and len(node.columns) != width:
        raise sql_error(8158 if len(node.columns) < width else 8159, node.alias.value, span=node.span)
    table = [[inner.expression(cell) for cell in row] for row in node.rows]
    alias = cx.statement.alias()
    columns = []
    for position in range(width):
        cells = [row[position] for row in table]
        kind = unify(cells, node.span, "UNION ALL")
        for row in table:
            row[position] = convert(row[position], kind.type, inner)
        if not node.columns:
            raise sql_error(8155, position + 1, node.alias.value, span=node.span)
        name = node.columns[position].value
        columns.append(
            RelationColumn(name, kind.type, f"{alias}.c{position + 1}", any(c.nullable for c in cells), rank=kind.rank)
        )
    cx.level.add(Relation(node.alias.value, tuple(columns)), node.span)
    rows = ", ".join("(" + ", ".join(cell.sql for cell in row) + ")" for row in table)
    names = ", ".join(f"c{position + 1}" for position in range(width))
    return f"(VALUES {rows}) AS {alias}({names})"


# --- joins -------------------------------------------------------------------------------------------------


_GROUP = 32
"""Relations whose order DuckDB looks for together. The time that takes grows faster than the square of their number: a
star of 200 tables took minutes."""


@source(ast.Join, ast.Apply)
def joined(node: ast.Join | ast.Apply, cx: Context) -> str:
    """A chain of joins of any length, followed in a loop."""
    chain = [node]
    while isinstance(chain[-1].left, ast.Join | ast.Apply):
        chain.append(chain[-1].left)
    first = len(cx.level.relations)
    text = cx.source(chain[-1].left)
    for step in reversed(chain):
        text = _grouped(text, len(cx.level.relations) - first, cx)
        try:
            text = _join(step, text, first, cx) if isinstance(step, ast.Join) else _apply(step, text, cx)
        except SqlError as error:
            raise error.at(step.span) from None
        checkpoint()
    return text


def _grouped(text: str, relations: int, cx: Context) -> str:
    """After each so many relations one row that DuckDB may not move: a LEFT JOIN with it keeps the order of what stands
    on both sides."""
    if relations % _GROUP:
        return text
    return f"{text} LEFT JOIN (SELECT 1) AS {cx.statement.alias()} ON true"


def _join(node: ast.Join, left: str, first: int, cx: Context) -> str:
    middle = len(cx.level.relations)
    right = cx.source(node.right)
    if isinstance(node.right, ast.Join | ast.Apply):
        right = f"({_grouped(right, len(cx.level.relations) - middle, cx)})"
    if node.kind == "CROSS" or node.on is None:
        return f"{left} CROSS JOIN {right}"
    # ON sees the relations of its own join and outer queries, not what the comma list named before.
    hidden, cx.level.relations = cx.level.relations[:first], cx.level.relations[first:]
    try:
        on = cx.within("ON").condition(node.on)
        if node.kind in ("INNER", "LEFT"):
            note_found_by_key(node.on, cx.level, middle - first if node.kind == "LEFT" else 0)
    finally:
        cx.level.relations = hidden + cx.level.relations
    if node.kind in ("LEFT", "FULL"):
        _make_nullable(cx.level, middle, len(cx.level.relations))
    if node.kind in ("RIGHT", "FULL"):
        _make_nullable(cx.level, first, middle)
    return f"{left} {node.kind} JOIN {right} ON {on}"


def _make_nullable(level: Level, start: int, end: int) -> None:
    """What an outer join may leave out can be NULL."""
    for position in range(start, end):
        relation = level.relations[position]
        columns = tuple(msgspec.structs.replace(column, nullable=True) for column in relation.columns)
        level.relations[position] = msgspec.structs.replace(relation, columns=columns)


def _makes_rows(node: ast.TableSource) -> bool:
    """Whether a source is a list of values as rows, which can keep the left rows of OUTER APPLY in their order."""
    if isinstance(node, ast.FunctionTable):
        return node.name.schema is None and node.name.name.upper() in LIST_FUNCTIONS
    return isinstance(node, ast.MethodTable | ast.OpenJsonTable | ast.OpenXmlTable)


def _apply(node: ast.Apply, left: str, cx: Context) -> str:
    """CROSS and OUTER APPLY: the right side may refer to the left one, which is what LATERAL means."""
    middle = len(cx.level.relations)
    keeps_left = node.kind == "OUTER" and _makes_rows(node.right)
    right = cx.lateral(keeps_left=keeps_left).source(node.right)
    if right.startswith("("):
        right = f"LATERAL {right}"
    if node.kind == "OUTER":
        _make_nullable(cx.level, middle, len(cx.level.relations))
    if node.kind == "OUTER" and not keeps_left:
        return f"{left} LEFT JOIN {right} ON true"
    return f"{left} CROSS JOIN {right}"
