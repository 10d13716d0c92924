"""DECLARE and SET of scalar variables, and SET @x.modify(…)."""

from __future__ import annotations

from collections.abc import Callable

from sbql.engine.batch.cursors import compile_cursor_assignment
from sbql.engine.definition.declared_tables import declare_table_type_variable
from sbql.engine.scalars.compiling import Compiler, assignment
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import (
    DeclareStatement,
    SetVariableStatement,
    SetXmlStatement,
    VariableDeclaration,
    VariableReference,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType

__all__: list[str] = []


@handles(DeclareStatement)
def compile_declare(node: DeclareStatement, compiler: Compiler) -> Step:
    """Declares at compile time, for the rest of the batch; only initial values run, each time the statement is
    reached."""
    steps = [part for i, d in enumerate(node.declarations, 1) if (part := _declare(d, i, compiler)) is not None]

    def run(frame: Frame) -> None:
        for part in steps:
            part(frame)

    return Step(run)


def _declare(node: VariableDeclaration, position: int, compiler: Compiler) -> Callable[[Frame], None] | None:
    if node.type.name.name.lower() == "cursor":
        compiler.scope.declare_cursor(node.name, node.span)
        return None
    table_type = compiler.scope.table_type(node.type)
    if table_type is not None:
        return declare_table_type_variable(node.name, table_type, compiler)
    sql_type = compiler.scope.resolve_type(node.type, position=position)
    slot = compiler.scope.declare(node.name, sql_type, node.span)
    if node.value is None:
        return None
    value = convert_scalar(compiler.scalar(node.value), sql_type).run

    def assign(frame: Frame) -> None:
        frame.variables[slot] = value(frame)

    return assign


@handles(SetVariableStatement)
def compile_set(node: SetVariableStatement, compiler: Compiler) -> Step:
    if compiler.scope.is_cursor(node.name):
        return compile_cursor_assignment(node, compiler)
    slot, scalar = assignment(compiler, node.name, node.value, node.op, node)
    value = scalar.run

    def run(frame: Frame) -> int:
        frame.variables[slot] = value(frame)
        return 1

    return Step(run)


@handles(SetXmlStatement)
def compile_set_xml(node: SetXmlStatement, compiler: Compiler) -> Step:
    target = node.call.target
    if not isinstance(target, VariableReference):
        raise sql_error(102, "modify")
    slot, sql_type = compiler.scope.lookup(target.name, node.span)
    _check_xml(sql_type)
    from sbql.engine.documents.xml_methods import compile_modify  # XML is imported when it is used

    modify = compile_modify(node.call, compiler.scope, sql_type)

    def run(frame: Frame) -> int:
        frame.variables[slot] = modify(frame, frame.variables[slot], ())
        return 1

    return Step(run)


def _check_xml(sql_type: SqlType) -> None:
    if sql_type.name != "xml":
        raise sql_error(258, str(sql_type))
