"""SELECT and its parts: queries, table sources, clauses."""

from __future__ import annotations

from sbql.grammar.ast.base import DataSpace, DataTypeReference, Identifier, Node, ObjectName, Statement, node
from sbql.grammar.ast.expressions import Condition, Expression, OrderItem, Over, VariableReference

__all__ = [
    "Apply",
    "BinaryQuery",
    "CommonTableExpression",
    "DerivedTable",
    "Exists",
    "ForClause",
    "FunctionTable",
    "GroupBy",
    "GroupingElement",
    "InSubquery",
    "InlineValues",
    "Join",
    "MethodTable",
    "NamedTable",
    "OpenJsonTable",
    "OpenXmlTable",
    "OptimizedVariable",
    "Pivot",
    "QuantifiedComparison",
    "Query",
    "QueryExpression",
    "QueryHint",
    "QuerySpecification",
    "RowsetColumn",
    "ScalarSubquery",
    "SelectAssign",
    "SelectColumn",
    "SelectItem",
    "SelectStar",
    "SelectStatement",
    "TableHint",
    "TableSource",
    "Top",
    "Unpivot",
    "VariableTable",
    "WithClause",
    "XmlNamespace",
    "WindowDefinition",
]


# --- the select list ---------------------------------------------------------------------------------------


@node(kw_only=True)
class SelectItem(Node):
    pass


@node
class SelectStar(SelectItem):
    """`*` or `t.*`. `is_unread`: in EXISTS, which wants to know of rows alone."""

    qualifier: ObjectName | None = None
    is_unread: bool = False


@node
class SelectColumn(SelectItem):
    """`expr [AS] alias`, `alias = expr`, `expr AS 'alias'`: all four forms are this node."""

    expression: Expression
    alias: Identifier | None = None


@node
class SelectAssign(SelectItem):
    """`@v = expr`; `op` is '=' or a compound form such as '+='."""

    variable: str
    expression: Expression
    op: str = "="


@node
class Top(Node):
    count: Expression
    percent: bool = False
    with_ties: bool = False


# --- FROM --------------------------------------------------------------------------------------------------


@node(kw_only=True)
class TableSource(Node):
    pass


@node
class TableHint(Node):
    """`name` upper case; `arguments` as written (index names)."""

    name: str
    arguments: tuple[str, ...] = ()


@node
class NamedTable(TableSource):
    """A table, view, queue, temp table, CTE, or inserted/deleted."""

    name: ObjectName
    alias: Identifier | None = None
    hints: tuple[TableHint, ...] = ()


@node
class VariableTable(TableSource):
    """`@t`."""

    name: str
    alias: Identifier | None = None


@node
class DerivedTable(TableSource):
    query: QueryExpression
    alias: Identifier | None
    columns: tuple[Identifier, ...] = ()


@node
class InlineValues(TableSource):
    """`(VALUES (…), (…)) AS t (a, b)`."""

    rows: tuple[tuple[Expression, ...], ...]
    alias: Identifier
    columns: tuple[Identifier, ...] = ()


@node
class FunctionTable(TableSource):
    """A table-valued function, user-defined or built in (STRING_SPLIT, GENERATE_SERIES, sys.fn_…)."""

    name: ObjectName
    arguments: tuple[Expression, ...]
    alias: Identifier | None = None
    columns: tuple[Identifier, ...] = ()


@node
class MethodTable(TableSource):
    """`target.nodes('…') AS t (c)`."""

    target: Expression
    argument: Expression
    alias: Identifier
    column: Identifier


@node
class RowsetColumn(Node):
    """One line of the WITH list of OPENXML or OPENJSON."""

    name: Identifier
    type: DataTypeReference
    path: Expression | None = None
    as_json: bool = False


@node
class OpenXmlTable(TableSource):
    document: Expression
    row_pattern: Expression
    flags: Expression | None
    columns: tuple[RowsetColumn, ...]
    table: ObjectName | None = None
    alias: Identifier | None = None


@node
class OpenJsonTable(TableSource):
    document: Expression
    path: Expression | None
    columns: tuple[RowsetColumn, ...]
    alias: Identifier | None = None


@node
class Join(TableSource):
    """`kind` is INNER, LEFT, RIGHT, FULL or CROSS; a comma in FROM is CROSS. `hint` is LOOP, HASH, MERGE or REMOTE."""

    kind: str
    left: TableSource
    right: TableSource
    on: Condition | None = None
    hint: str | None = None


@node
class Apply(TableSource):
    """`kind` is CROSS or OUTER."""

    kind: str
    left: TableSource
    right: TableSource


@node
class Pivot(TableSource):
    source: TableSource
    aggregate: ObjectName
    value: tuple[Expression, ...]
    column: Expression
    names: tuple[Identifier, ...]
    alias: Identifier


@node
class Unpivot(TableSource):
    source: TableSource
    value_column: Identifier
    name_column: Identifier
    names: tuple[Identifier, ...]
    alias: Identifier


# --- queries -----------------------------------------------------------------------------------------------


@node
class GroupingElement(Node):
    """What stands between the commas of GROUP BY. `kind` is '' for columns (none: the grand total; several: `(a, b)`),
    which are the parts; the parts of ROLLUP, CUBE and GROUPING SETS are elements."""

    parts: tuple[Expression | GroupingElement, ...]
    kind: str = ""


@node
class GroupBy(Node):
    elements: tuple[GroupingElement, ...]


@node(kw_only=True)
class Query(Node):
    """A query without ORDER BY: a specification or a set operation."""


@node
class WindowDefinition(Node):
    """`name AS (…)` of a WINDOW clause."""

    name: Identifier
    window: Over


@node
class QuerySpecification(Query):
    """`order_by`, `offset` and `fetch` are those of an operand of a set operator, in its parentheses; elsewhere
    QueryExpression has them."""

    items: tuple[SelectItem, ...]
    from_: TableSource | None = None
    where: Condition | None = None
    group_by: GroupBy | None = None
    having: Condition | None = None
    distinct: bool = False
    top: Top | None = None
    into: ObjectName | None = None
    windows: tuple[WindowDefinition, ...] = ()
    into_storage: DataSpace | None = None
    order_by: tuple[OrderItem, ...] = ()
    offset: Expression | None = None
    fetch: Expression | None = None


@node
class BinaryQuery(Query):
    """`op` is UNION, UNION ALL, EXCEPT or INTERSECT."""

    op: str
    left: Query
    right: Query


@node
class ForClause(Node):
    """FOR XML or FOR JSON. `kind` is XML or JSON; `mode` RAW, AUTO, PATH or EXPLICIT.

    `options` maps upper-case option words to their argument or None: ROOT, TYPE, ELEMENTS ('XSINIL', 'ABSENT' or
    None), BINARY BASE64, XMLSCHEMA, XMLDATA, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER.
    """

    kind: str
    mode: str
    element: str | None = None
    options: tuple[tuple[str, str | None], ...] = ()


@node
class QueryExpression(Node):
    """A query with what may follow it."""

    query: Query
    order_by: tuple[OrderItem, ...] = ()
    offset: Expression | None = None
    fetch: Expression | None = None
    for_: ForClause | None = None


@node
class CommonTableExpression(Node):
    name: Identifier
    columns: tuple[Identifier, ...]
    query: QueryExpression


@node
class XmlNamespace(Node):
    """`prefix` None is DEFAULT."""

    uri: str
    prefix: str | None


@node
class WithClause(Node):
    """`max_recursion` is what OPTION at the end of the statement says; 0 means no limit."""

    namespaces: tuple[XmlNamespace, ...] = ()
    tables: tuple[CommonTableExpression, ...] = ()
    max_recursion: int = 100


@node
class OptimizedVariable(Node):
    """A variable of OPTIMIZE FOR; `value` is a constant, None for UNKNOWN."""

    variable: VariableReference
    value: Expression | None = None


@node
class QueryHint(Node):
    """A hint of OPTION (…). `name` is its words in upper case, `MAXRECURSION` or `HASH JOIN`; `arguments` are what
    its form in `builders/query_hints.py` says: a constant, the strings of USE HINT, the variables of OPTIMIZE FOR,
    or a table's name and its hints."""

    name: str
    arguments: tuple[Node, ...] = ()


@node
class SelectStatement(Statement):
    query: QueryExpression
    with_: WithClause | None = None
    hints: tuple[QueryHint, ...] = ()


# --- queries in expressions -----------------------------------------------------------------------------------


@node
class ScalarSubquery(Expression):
    query: QueryExpression


@node
class QuantifiedComparison(Condition):
    """`quantifier` is ALL or ANY (SOME is ANY)."""

    op: str
    left: Expression
    quantifier: str
    query: QueryExpression


@node
class InSubquery(Condition):
    operand: Expression
    query: QueryExpression
    negated: bool = False


@node
class Exists(Condition):
    query: QueryExpression
