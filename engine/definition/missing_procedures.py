"""What CREATE and ALTER of a module say of the procedures that it calls and that nobody has made yet: 2007.

It decides what counts as missing. The module is made all the same; tables and functions that are not there are not told
(deferred name resolution), and neither is what is found only when the module runs: a name in a variable, a linked
server's procedure, a temporary one.
"""

from __future__ import annotations

from sbql.catalog.records import Module, Synonym
from sbql.engine.describe.procedures import find_procedure
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session
from sbql.engine.security.resolver import in_text_of, resolve
from sbql.grammar.ast import ExecuteStatement, Node, ObjectName
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import find_all

__all__ = ["tell_missing_procedures"]


def tell_missing_procedures(session: Session, record: Module, node: Node) -> None:
    """Say 2007 once for each name, in the order in which they are called. `record` is not in the catalog yet: a new
    procedure that calls itself is missing, too."""
    told: set[str] = set()
    with in_text_of(session, record):
        for call in find_all(node, ExecuteStatement):
            name = call.procedure
            if isinstance(name, str) or str(name).lower() in told or not _is_missing(session, name):
                continue
            told.add(str(name).lower())
            error = sql_error(2007, record.name, str(name))
            session.emit(
                InfoMessage(error.message, error.number, error.severity, error.state, call.span.line, record.name)
            )


def _is_missing(session: Session, name: ObjectName) -> bool:
    if name.server is not None or name.name.startswith("#"):
        return False
    try:
        find_procedure(session, name)
    except SqlError as error:
        if error.number == 911:
            return True
        if error.number != 2812:
            return False
        return (
            resolve(session, name, Synonym, missing_ok=True) is None and resolve(session, name, missing_ok=True) is None
        )
    return False
