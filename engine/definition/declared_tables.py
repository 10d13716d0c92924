"""DECLARE @t TABLE, and variables of a table type.

They stand apart from CREATE TABLE: every batch that is compiled may declare one, and nothing of what makes tables is
needed for it. It must not know how their rows are kept.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sbql.catalog.records import Table, UserType
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step, handles
from sbql.engine.tables.definitions import shape_of
from sbql.engine.tables.table_variables import TableVariables
from sbql.grammar.ast import DeclareTableStatement, TableElement

__all__ = ["declare_table_type_variable", "declare_table_variable"]


@handles(DeclareTableStatement)
def compile_declare_table(node: DeclareTableStatement, compiler: Compiler) -> Step:
    return Step(declare_table_variable(node.name, node.elements, compiler))


def declare_table_variable(
    name: str, elements: tuple[TableElement, ...], compiler: Compiler
) -> Callable[[Frame], None]:
    """Declare `name` for the rest of the batch. The result is run where the DECLARE stands; reached again, as in a
    loop, it keeps the rows, as on SQL Server."""
    return _declare(name, shape_of(name, elements, compiler.session, compiler.scope), compiler)


def declare_table_type_variable(name: str, table_type: UserType, compiler: Compiler) -> Callable[[Frame], None]:
    """DECLARE @t dbo.TableType."""
    assert table_type.table is not None
    return _declare(name, msgspec.structs.replace(table_type.table, name=name), compiler)


def _declare(name: str, shape: Table, compiler: Compiler) -> Callable[[Frame], None]:
    slot = compiler.scope.declare_table(name, shape)
    variables = TableVariables(name, shape)

    def run(frame: Frame) -> None:
        if frame.variables[slot] is None:
            frame.variables[slot] = variables.new(frame.session)

    return run
