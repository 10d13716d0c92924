"""Which expressions always give the same value for the same columns: what may be persisted and indexed; and which read
tables, by the functions that they call.

It decides by the functions that an expression calls: built-in ones say it themselves, a user function is deterministic
when it is bound to its schema, reads no table and calls only such functions. It must not know what a column is.
"""

from __future__ import annotations

from sbql.catalog.records import Module
from sbql.engine.ports import Session
from sbql.engine.scalars.function_registry import lookup
from sbql.engine.security.resolver import in_text_of, resolve
from sbql.grammar.ast import CreateFunctionStatement, FunctionCall, FunctionTable, GlobalVariable, NamedTable, Node
from sbql.grammar.tree import walk

__all__ = ["is_deterministic", "reads_tables"]

_CHANGING = frozenset({"NEWID", "NEWSEQUENTIALID", "CRYPT_GEN_RANDOM", "CURRENT_TIMESTAMP"})
MAX_DEPTH = 32


def is_deterministic(tree: Node, session: Session, depth: int = 0) -> bool:
    """True when the expression depends on nothing but the columns that it names."""
    return all(_is_stable(node, session, depth) for node in walk(tree))


def _is_stable(node: Node, session: Session, depth: int) -> bool:
    if isinstance(node, GlobalVariable | NamedTable):
        return False
    if not isinstance(node, FunctionCall):
        return True
    if len(node.name.parts) > 1:
        module = resolve(session, node.name, Module, missing_ok=True)
        return module is None or (depth < MAX_DEPTH and _is_stable_module(module, session, depth))
    name = node.name.name.upper()
    if name == "RAND":
        return bool(node.arguments)
    known = lookup(name)
    return name not in _CHANGING and (known is None or known.deterministic)


def _is_stable_module(module: Module, session: Session, depth: int) -> bool:
    statement = session.instance.modules.parse(module.definition).statements[0]
    if not isinstance(statement, CreateFunctionStatement):
        return False
    options = {str(option).upper() for option in statement.options}
    return "SCHEMABINDING" in options and is_deterministic(statement, session, depth + 1)


def reads_tables(tree: Node, session: Session, depth: int = 0) -> bool:
    """Whether a user function that is called reads a table, itself or by another one. One that is not there, or that
    is called too deep to say, is thought to."""
    for node in walk(tree):
        if isinstance(node, NamedTable):
            return True
        if not isinstance(node, FunctionCall | FunctionTable) or len(node.name.parts) == 1:
            continue
        module = resolve(session, node.name, Module, missing_ok=True)
        if module is None or depth >= MAX_DEPTH:
            return True
        text = session.instance.modules.parse(module.definition, quoted_identifiers=module.uses_quoted_identifier)
        with in_text_of(session, module):
            if reads_tables(text.statements[0], session, depth + 1):
                return True
    return False
