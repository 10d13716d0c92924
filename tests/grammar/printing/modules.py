"""Text of procedures, functions, views and triggers."""

from __future__ import annotations

from collections.abc import Sequence

from printing.blocks import block, prints, statement_lines
from printing.queries import columns
from sbql.grammar.ast import (
    CreateFunctionStatement,
    CreateProcedureStatement,
    CreateTriggerStatement,
    CreateViewStatement,
    DropModuleStatement,
    EnableTriggerStatement,
    ExecuteAsClause,
    ObjectName,
    Parameter,
)
from sbql.grammar.printer.core import comma, quoted, text, words

__all__: list[str] = []


@prints(Parameter)
def _parameter(node: Parameter) -> str:
    return words(
        node.name,
        text(node.type),
        "VARYING" if node.varying else None,
        f"= {text(node.default)}" if node.default is not None else None,
        "OUTPUT" if node.output else None,
        "READONLY" if node.readonly else None,
    )


@prints(ExecuteAsClause)
def _execute_as(node: ExecuteAsClause) -> str:
    return f"EXECUTE AS {quoted(node.name) if node.name is not None else node.kind}"


def _with(options: Sequence[str], execute_as: ExecuteAsClause | None = None) -> str | None:
    listed = [*options, *([text(execute_as)] if execute_as else [])]
    return f"WITH {', '.join(listed)}" if listed else None


@prints(CreateProcedureStatement)
def _procedure(node: CreateProcedureStatement) -> list[str]:
    head = words(
        node.verb, "PROCEDURE", text(node.name), comma(node.parameters), _with(node.options, node.execute_as), "AS"
    )
    if node.external_name is not None:
        return [f"{head} EXTERNAL NAME {node.external_name}"]
    return [head, *statement_lines(node.body)] if node.body else [head]


@prints(CreateFunctionStatement)
def _function(node: CreateFunctionStatement) -> list[str]:
    head = f"{node.verb} FUNCTION {text(node.name)} ({comma(node.parameters)}) RETURNS"
    options = _with(node.options, node.execute_as)
    if node.query is not None:
        return [words(head, "TABLE", options, "AS"), f"RETURN {text(node.query)}"]
    if node.table_name is not None:
        returns = f"{node.table_name} TABLE ({comma(node.table_elements)})"
    elif node.table_elements:
        returns = f"TABLE ({comma(node.table_elements)})"
    else:
        assert node.returns is not None
        returns = text(node.returns)
    if node.external_name is not None:
        return [words(head, returns, options, "AS EXTERNAL NAME", node.external_name)]
    return [words(head, returns, options, "AS"), "BEGIN", *block(node.body), "END"]


@prints(CreateViewStatement)
def _view(node: CreateViewStatement) -> list[str]:
    head = words(f"{node.verb} VIEW {text(node.name)}{columns(node.columns)}", _with(node.options), "AS")
    return [head, words(text(node.query), "WITH CHECK OPTION" if node.check_option else None)]


def _target(table: ObjectName | None, scope: str | None) -> str:
    return f"ON {text(table) if table is not None else scope}"


@prints(CreateTriggerStatement)
def _trigger(node: CreateTriggerStatement) -> list[str]:
    head = words(
        node.verb,
        "TRIGGER",
        text(node.name),
        _target(node.table, node.scope),
        _with(node.options, node.execute_as),
        node.timing,
        ", ".join(node.events),
        "AS",
    )
    return [head, *statement_lines(node.body)]


@prints(DropModuleStatement)
def _drop(node: DropModuleStatement) -> str:
    scope = f"ON {node.scope}" if node.scope else None
    return words("DROP", node.kind, "IF EXISTS" if node.if_exists else None, comma(node.names), scope)


@prints(EnableTriggerStatement)
def _enable(node: EnableTriggerStatement) -> str:
    verb = "ENABLE" if node.enable else "DISABLE"
    return words(verb, "TRIGGER", comma(node.names) or "ALL", _target(node.on, node.scope))
