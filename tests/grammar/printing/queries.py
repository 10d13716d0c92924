"""Text of queries, their clauses and table sources."""

from __future__ import annotations

from collections.abc import Sequence

from printing.blocks import prints
from sbql.grammar.ast import (
    Apply,
    BinaryQuery,
    CommonTableExpression,
    DerivedTable,
    Exists,
    ForClause,
    FunctionTable,
    GroupBy,
    GroupingElement,
    Identifier,
    InlineValues,
    InSubquery,
    Join,
    MethodCall,
    MethodTable,
    NamedTable,
    OpenJsonTable,
    OpenXmlTable,
    OptimizedVariable,
    Pivot,
    QuantifiedComparison,
    Query,
    QueryExpression,
    QueryHint,
    QuerySpecification,
    RowsetColumn,
    ScalarSubquery,
    SelectAssign,
    SelectColumn,
    SelectStar,
    SelectStatement,
    TableHint,
    TableSource,
    Top,
    Unpivot,
    VariableTable,
    WindowDefinition,
    WithClause,
    XmlNamespace,
)
from sbql.grammar.builders.query_hints import FORMS
from sbql.grammar.printer.core import comma, name, quoted, text, words
from sbql.grammar.printer.expressions import ordering, window_text

__all__ = ["aliased", "columns", "option"]


def columns(names: Sequence[Identifier]) -> str:
    """A list of names in parentheses, or nothing when there is none."""
    return f" ({', '.join(name(n) for n in names)})" if names else ""


def option(hints: tuple[QueryHint, ...]) -> str | None:
    """The OPTION clause."""
    return f"OPTION ({comma(hints)})" if hints else None


@prints(QueryHint)
def _query_hint(node: QueryHint) -> str:
    arguments, form = comma(node.arguments), FORMS[node.name]
    if form.startswith("("):
        return f"{node.name} ({arguments})"
    return words(node.name, "=" if form.startswith("=") else None, arguments)


@prints(OptimizedVariable)
def _optimized_variable(node: OptimizedVariable) -> str:
    return f"{text(node.variable)} {'UNKNOWN' if node.value is None else '= ' + text(node.value)}"


def aliased(source: str, alias: Identifier | None, names: Sequence[Identifier] = ()) -> str:
    """A table source with its alias."""
    return source if alias is None else f"{source} AS {name(alias)}{columns(names)}"


@prints(SelectStatement)
def _select(node: SelectStatement) -> str:
    return words(text(node.with_) if node.with_ else None, text(node.query), option(node.hints))


@prints(WithClause)
def _with(node: WithClause) -> str:
    namespaces = [f"XMLNAMESPACES ({comma(node.namespaces)})"] if node.namespaces else []
    return "WITH " + ", ".join([*namespaces, *(text(table) for table in node.tables)])


@prints(XmlNamespace)
def _namespace(node: XmlNamespace) -> str:
    if node.prefix is None:
        return f"DEFAULT {quoted(node.uri)}"
    return f"{quoted(node.uri)} AS [{node.prefix.replace(']', ']]')}]"


@prints(CommonTableExpression)
def _cte(node: CommonTableExpression) -> str:
    return f"{name(node.name)}{columns(node.columns)} AS ({text(node.query)})"


@prints(QueryExpression)
def _query_expression(node: QueryExpression) -> str:
    offset = f"OFFSET {text(node.offset)} ROWS" if node.offset is not None else None
    fetch = f"FETCH NEXT {text(node.fetch)} ROWS ONLY" if node.fetch is not None else None
    order = ordering(node.order_by) if node.order_by else None
    return words(text(node.query), order, offset, fetch, text(node.for_) if node.for_ else None)


@prints(BinaryQuery)
def _binary_query(node: BinaryQuery) -> str:
    """Left-associative; INTERSECT binds stronger than the others."""
    parts: list[str] = []
    left: Query = node
    while isinstance(left, BinaryQuery) and (left.op == "INTERSECT") == (node.op == "INTERSECT"):
        parts += [_operand(left.right, left.op), left.op]
        left = left.left
    parts.append(_operand(left, node.op))
    return " ".join(reversed(parts))


def _operand(query: Query, op: str) -> str:
    if isinstance(query, BinaryQuery) and (op == "INTERSECT" or query.op != "INTERSECT"):
        return f"({text(query)})"
    if isinstance(query, QuerySpecification) and query.order_by:
        tail = QueryExpression(query, query.order_by, query.offset, query.fetch, span=query.span)
        return f"({text(tail)})"
    return text(query)


@prints(QuerySpecification)
def _specification(node: QuerySpecification) -> str:
    return words(
        "SELECT",
        "DISTINCT" if node.distinct else None,
        text(node.top) if node.top else None,
        comma(node.items),
        f"INTO {text(node.into)}" if node.into else None,
        f"ON {text(node.into_storage)}" if node.into_storage else None,
        f"FROM {text(node.from_)}" if node.from_ else None,
        f"WHERE {text(node.where)}" if node.where else None,
        text(node.group_by) if node.group_by else None,
        f"HAVING {text(node.having)}" if node.having else None,
        f"WINDOW {comma(node.windows)}" if node.windows else None,
    )


@prints(WindowDefinition)
def _window_definition(node: WindowDefinition) -> str:
    return f"{text(node.name)} AS ({window_text(node.window)})"


@prints(Top)
def _top(node: Top) -> str:
    return words(
        f"TOP ({text(node.count)})", "PERCENT" if node.percent else None, "WITH TIES" if node.with_ties else None
    )


@prints(SelectStar)
def _star(node: SelectStar) -> str:
    return "*" if node.qualifier is None else f"{text(node.qualifier)}.*"


@prints(SelectColumn)
def _column(node: SelectColumn) -> str:
    return aliased(text(node.expression), node.alias)


@prints(SelectAssign)
def _assign(node: SelectAssign) -> str:
    return f"{node.variable} {node.op} {text(node.expression)}"


@prints(GroupBy)
def _group_by(node: GroupBy) -> str:
    return f"GROUP BY {comma(node.elements)}"


@prints(GroupingElement)
def _grouping_element(node: GroupingElement) -> str:
    if not node.kind and len(node.parts) == 1:
        return text(node.parts[0])
    return f"{node.kind} ({comma(node.parts)})".lstrip()


@prints(ForClause)
def _for(node: ForClause) -> str:
    element = f"({quoted(node.element)})" if node.element is not None else ""
    return ", ".join([f"FOR {node.kind} {node.mode}{element}", *(_for_option(*o) for o in node.options)])


def _for_option(word: str, argument: str | None) -> str:
    if argument is None:
        return word
    return f"{word} {argument}" if word == "ELEMENTS" else f"{word} ({quoted(argument)})"


# --- table sources -----------------------------------------------------------------------------------------


@prints(NamedTable)
def _named(node: NamedTable) -> str:
    hints = f" WITH ({comma(node.hints)})" if node.hints else ""
    return aliased(text(node.name), node.alias) + hints


@prints(TableHint)
def _hint(node: TableHint) -> str:
    return f"{node.name}({', '.join(map(_hint_argument, node.arguments))})" if node.arguments else node.name


def _hint_argument(argument: str) -> str:
    return argument if argument.isdigit() else f"[{argument.replace(']', ']]')}]"


@prints(VariableTable)
def _variable_table(node: VariableTable) -> str:
    return aliased(node.name, node.alias)


@prints(DerivedTable)
def _derived(node: DerivedTable) -> str:
    return aliased(f"({text(node.query)})", node.alias, node.columns)


@prints(InlineValues)
def _inline_values(node: InlineValues) -> str:
    rows = ", ".join(f"({comma(row)})" for row in node.rows)
    return aliased(f"(VALUES {rows})", node.alias, node.columns)


@prints(FunctionTable)
def _function_table(node: FunctionTable) -> str:
    return aliased(f"{text(node.name)}({comma(node.arguments)})", node.alias, node.columns)


@prints(MethodTable)
def _method_table(node: MethodTable) -> str:
    call = MethodCall(node.target, "nodes", (node.argument,))
    return aliased(text(call), node.alias, (node.column,))


@prints(RowsetColumn)
def _rowset_column(node: RowsetColumn) -> str:
    path = text(node.path) if node.path is not None else None
    return words(name(node.name), text(node.type), path, "AS JSON" if node.as_json else None)


@prints(OpenXmlTable)
def _open_xml(node: OpenXmlTable) -> str:
    arguments = [text(node.document), text(node.row_pattern)] + ([text(node.flags)] if node.flags is not None else [])
    with_ = f"WITH {text(node.table)}" if node.table else f"WITH ({comma(node.columns)})" if node.columns else None
    return aliased(words(f"OPENXML({', '.join(arguments)})", with_), node.alias)


@prints(OpenJsonTable)
def _open_json(node: OpenJsonTable) -> str:
    arguments = [text(node.document)] + ([text(node.path)] if node.path is not None else [])
    with_ = f"WITH ({comma(node.columns)})" if node.columns else None
    return aliased(words(f"OPENJSON({', '.join(arguments)})", with_), node.alias)


@prints(Join)
def _join(node: Join) -> str:
    parts: list[str] = []
    left: TableSource = node
    while isinstance(left, Join):
        parts.append(_right_of(left))
        left = left.left
    return " ".join([text(left), *reversed(parts)])


def _right_of(node: Join) -> str:
    """The join's own words and its right side. CROSS JOIN takes no join there without parentheses."""
    nested = isinstance(node.right, (Join, Apply))
    right = f"({text(node.right)})" if nested else text(node.right)
    if node.on is None:
        return f"CROSS JOIN {right}"
    return words(node.kind, node.hint, "JOIN", right, "ON", text(node.on))


@prints(Apply)
def _apply(node: Apply) -> str:
    right = f"({text(node.right)})" if isinstance(node.right, (Join, Apply)) else text(node.right)
    return f"{text(node.left)} {node.kind} APPLY {right}"


@prints(Pivot)
def _pivot(node: Pivot) -> str:
    spelled = f"{text(node.aggregate)}({comma(node.value)}) FOR {text(node.column)} IN{columns(node.names)}"
    return f"{_pivoted(node.source)} PIVOT ({spelled}) AS {name(node.alias)}"


@prints(Unpivot)
def _unpivot(node: Unpivot) -> str:
    spelled = f"{name(node.value_column)} FOR {name(node.name_column)} IN{columns(node.names)}"
    return f"{_pivoted(node.source)} UNPIVOT ({spelled}) AS {name(node.alias)}"


def _pivoted(source: TableSource) -> str:
    return f"({text(source)})" if isinstance(source, (Join, Apply)) else text(source)


# --- subqueries ------------------------------------------------------------------------------------------


@prints(ScalarSubquery)
def _scalar_subquery(node: ScalarSubquery) -> str:
    return f"({text(node.query)})"


@prints(QuantifiedComparison)
def _quantified(node: QuantifiedComparison) -> str:
    return f"{text(node.left)} {node.op} {node.quantifier} ({text(node.query)})"


@prints(InSubquery)
def _in_subquery(node: InSubquery) -> str:
    return f"{text(node.operand)} {'NOT ' if node.negated else ''}IN ({text(node.query)})"


@prints(Exists)
def _exists(node: Exists) -> str:
    return f"EXISTS ({text(node.query)})"
