"""SET IDENTITY_INSERT: which table of the session takes identity values from an INSERT."""

from __future__ import annotations

from sbql.catalog.records import Table
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.resolver import resolve_itself
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import SetIdentityInsertStatement
from sbql.grammar.errors import sql_error


@handles(SetIdentityInsertStatement)
def compile_identity_insert(node: SetIdentityInsertStatement, compiler: Compiler) -> Step:
    """ON for one table of the session at a time. Raises 1088, 8106, 8107."""

    def run(frame: Frame) -> int:
        session = frame.session
        table = resolve_itself(session, node.table)
        if not isinstance(table, Table):
            raise sql_error(1088, str(node.table), span=node.table.span)
        if not any(c.is_identity for c in table.columns):
            raise sql_error(8106, table.name, span=node.table.span)
        settings = session.options.identity_insert
        other = next((i for i, is_on in settings.items() if is_on and i != table.id), None)
        if node.on and other is not None:
            found = next(
                (t for t in (*session.catalog.all(Table), *session.temp_tables.values()) if t.id == other), None
            )
            if found is not None:
                raise sql_error(8107, found.name, table.name, span=node.table.span)
            del settings[other]
        settings[table.id] = node.on
        return 0

    return Step(run)
