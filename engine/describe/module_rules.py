"""What may stand in functions, views and schema-bound modules.

Decides by the text of a module, when it is made. It must not know how modules are stored or run, nor what a
schema-bound module keeps from changing (`dependents`).
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Module, Queue, Synonym
from sbql.engine.ports import Session
from sbql.engine.security.resolver import resolve, resolve_itself
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.lexer import Source, scan
from sbql.grammar.tree import walk

__all__ = [
    "check_function",
    "check_schema_binding",
    "check_view_text",
]


# --- functions ---------------------------------------------------------------------------------------------

_IN_FUNCTIONS = (
    ast.BeginEndBlock, ast.BreakStatement, ast.CloseCursorStatement, ast.ContinueStatement, ast.DeallocateCursorStatement,
    ast.DeclareCursorStatement, ast.DeclareStatement, ast.DeclareTableStatement, ast.ExecuteStatement, ast.GotoStatement,
    ast.IfStatement, ast.LabelStatement, ast.OpenCursorStatement, ast.ReturnStatement, ast.SetCursorVariableStatement,
    ast.SetVariableStatement, ast.SetXmlStatement, ast.WhileStatement,
)  # fmt: skip
_WRITES = (ast.DeleteStatement, ast.InsertStatement, ast.MergeStatement, ast.UpdateStatement)
_OPERATORS = {
    ast.BeginConversationTimerStatement: "BEGIN CONVERSATION TIMER",
    ast.BeginTransactionStatement: "BEGIN TRANSACTION",
    ast.CommitTransactionStatement: "COMMIT TRANSACTION",
    ast.ExecuteStringStatement: "EXECUTE STRING",
    ast.GetConversationGroupStatement: "GET CONVERSATION GROUP",
    ast.PrintStatement: "PRINT",
    ast.RaiserrorStatement: "RAISERROR",
    ast.ReceiveStatement: "RECEIVE",
    ast.RollbackTransactionStatement: "ROLLBACK TRANSACTION",
    ast.SaveTransactionStatement: "SAVE TRANSACTION",
    ast.SendStatement: "SEND",
    ast.ThrowStatement: "THROW",
    ast.TryCatchStatement: "BEGIN TRY",
    ast.WaitForDelayStatement: "WAITFOR",
    ast.WaitForStatement: "WAITFOR",
}
_FUNCTIONS = frozenset({"newid", "newsequentialid", "rand"})


def check_function(node: ast.CreateFunctionStatement, text: str) -> None:
    """A function changes nothing but its own variables, and shows nothing. `text` is its own. Raises 443, 444, 181."""
    for parameter in node.parameters:
        if parameter.output:
            raise sql_error(181, span=parameter.span)
    inside = list(walk((node.body, node.query)))
    own_queries = {id(n.query) for n in inside if isinstance(n, ast.CursorDefinition)} | {id(node.query)}
    for inner in inside:
        if isinstance(inner, ast.Statement) and id(inner) not in own_queries:
            _check_statement(inner, text)
        elif isinstance(inner, ast.FunctionCall) and len(inner.name.parts) == 1:
            if inner.name.name.lower() in _FUNCTIONS:
                raise sql_error(443, inner.name.name.lower(), span=inner.span)


def _check_statement(node: ast.Statement, text: str) -> None:
    if isinstance(node, ast.UseStatement):
        return  # no module may hold it, and says so when it is compiled
    if isinstance(node, ast.SelectStatement):
        _check_select(node)
    elif isinstance(node, ast.FetchCursorStatement):
        if not node.into:
            raise sql_error(444, span=node.span)
    elif isinstance(node, _WRITES):
        if isinstance(node.target, ast.NamedTable) and not _is_alias_of_variable(node):
            raise sql_error(443, type(node).__name__.removesuffix("Statement").upper(), span=node.span)
        if node.output is not None and node.output.into is None:
            raise sql_error(444, span=node.span)
    elif isinstance(node, ast.SetOptionStatement):
        raise sql_error(443, f"SET OPTION {node.value}" if node.value in ("ON", "OFF") else "SET", span=node.span)
    elif not isinstance(node, _IN_FUNCTIONS):
        raise sql_error(443, _OPERATORS.get(type(node)) or _first_words(node, text), span=node.span)


def _first_words(node: ast.Statement, text: str) -> str:
    """CREATE TABLE, DROP QUEUE …"""
    return " ".join(
        t.text.upper() for t in scan(Source(text[node.span.start : node.span.end]), [])[:2] if t.kind == "word"
    )


def _is_alias_of_variable(node: Any) -> bool:
    """UPDATE a SET … FROM @t AS a."""
    name = node.target.name.name.lower()
    sources = (n for n in walk(getattr(node, "from_", None)) if isinstance(n, ast.VariableTable))
    return any(source.alias is not None and source.alias.value.lower() == name for source in sources)


def _check_select(node: ast.SelectStatement) -> None:
    query = node.query.query
    if not isinstance(query, ast.QuerySpecification):
        raise sql_error(444, span=node.span)
    if query.into is not None:
        raise sql_error(443, "SELECT INTO", span=node.span)
    if not all(isinstance(item, ast.SelectAssign) for item in query.items):
        raise sql_error(444, span=node.span)


# --- views -------------------------------------------------------------------------------------------------


def check_view_text(node: ast.SelectStatement) -> None:
    """A view and an inline function make no table, and have no order. Raises 156, 1033."""
    query = node.query
    specification = query.query
    top = isinstance(specification, ast.QuerySpecification) and specification.top is not None
    if query.order_by and not top and query.offset is None and query.for_ is None:
        raise sql_error(1033, span=query.order_by[0].span)
    for inner in walk(query):
        if isinstance(inner, ast.QuerySpecification) and inner.into is not None:
            raise sql_error(156, "INTO", span=inner.into.span)


# --- schema binding ----------------------------------------------------------------------------------------

_KIND_NAMES = {
    ast.CreateViewStatement: "view",
    ast.CreateFunctionStatement: "function",
    ast.CreateProcedureStatement: "procedure",
    ast.CreateTriggerStatement: "trigger",
}


def check_schema_binding(node: Any, session: Session) -> None:
    """A schema-bound module names objects by two parts, and columns by name; what it rests on is a table, or bound as
    it is. Raises 1054, 2788 for a synonym, 4512, 4513, 4517 for a queue."""
    own = {c.name.value.lower() for n in walk(node) if isinstance(n, ast.WithClause) for c in n.tables}
    for inner in walk(node):
        if isinstance(inner, ast.SelectStar) and not _counts_rows(inner, node):
            raise sql_error(1054, "*", span=inner.span)
        if isinstance(inner, ast.FunctionCall | ast.FunctionTable) and len(inner.name.parts) > 1:
            _check_bound(node, inner.name, session)
        if not isinstance(inner, ast.NamedTable):
            continue
        if isinstance(resolve(session, inner.name, missing_ok=True), Queue):
            raise sql_error(4517, str(inner.name), span=inner.span)
        if len(inner.name.parts) == 1 and inner.name.name.lower() in own:
            continue
        if len(inner.name.parts) != 2 or None in inner.name.parts:
            raise sql_error(4512, _KIND_NAMES[type(node)], node.name.name, str(inner.name), span=inner.span)
        _check_bound(node, inner.name, session)


def _check_bound(node: Any, name: ast.ObjectName, session: Session) -> None:
    """A view or function that is named is schema bound itself; the own name is that of a recursive function."""
    found = resolve_itself(session, name)
    if isinstance(found, Synonym):
        raise sql_error(2788, span=name.span)
    if not isinstance(found, Module) or found is resolve_itself(session, node.name):
        return
    text = session.instance.modules.parse(found.definition, quoted_identifiers=found.uses_quoted_identifier)
    if "SCHEMABINDING" not in getattr(text.statements[0], "options", ()):
        raise sql_error(4513, _KIND_NAMES[type(node)], node.name.name, str(name), span=name.span)


def _counts_rows(star: ast.SelectStar, node: Any) -> bool:
    """EXISTS (SELECT * …) selects nothing."""
    tests = (n for n in walk(node) if isinstance(n, ast.Exists))
    return any(star in query.items for t in tests for query in walk(t) if isinstance(query, ast.QuerySpecification))
