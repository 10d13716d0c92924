"""What views and user functions name, through whatever views and functions they name themselves.

Decides which parts of a tree may be calls of user functions, and finds every table and module below one. It must not
know why anybody asks.
"""

from __future__ import annotations

from typing import Final, TypeGuard

from sbql.catalog.records import Module, Table
from sbql.engine.ports import Session
from sbql.engine.security.resolver import in_text_of, resolve
from sbql.grammar.ast import FunctionCall, FunctionTable, NamedTable, Node
from sbql.grammar.tree import walk

__all__ = ["calls_itself", "calls_module", "is_reader", "named_below"]

_READERS: Final = frozenset({"V", "IF", "TF", "FN"})


def is_reader(record: object) -> TypeGuard[Module]:
    """Whether it is a view or a user function."""
    return isinstance(record, Module) and record.type in _READERS


def calls_module(part: Node) -> TypeGuard[FunctionTable | FunctionCall]:
    """What may be a user function: a scalar one is called with its schema."""
    return isinstance(part, FunctionTable) or (isinstance(part, FunctionCall) and bool(part.name.schema))


def named_below(module: Module, session: Session) -> list[Table | Module]:
    """The tables, views and functions below a view or function, each once, however many ways lead to it; itself among
    them if it comes back to itself."""
    found: dict[tuple[int, int], Table | Module] = {}
    todo = [module]
    while todo:
        one = todo.pop()
        tree = session.instance.modules.parse(one.definition, quoted_identifiers=one.uses_quoted_identifier)
        with in_text_of(session, one):
            for part in walk(tree):
                if not (isinstance(part, NamedTable) or calls_module(part)):
                    continue
                record = resolve(session, part.name, missing_ok=True)
                if not isinstance(record, Table | Module) or (record.database_id, record.id) in found:
                    continue
                if isinstance(record, Table):
                    found[record.database_id, record.id] = record
                elif is_reader(record):
                    found[record.database_id, record.id] = record
                    if record is not module:
                        todo.append(record)
    return list(found.values())


def calls_itself(module: Module, session: Session) -> bool:
    """Whether its body may come to a call of the module itself."""
    return any(
        (record.database_id, record.id) == (module.database_id, module.id)
        for record in named_below(module, session)
        if isinstance(record, Module)
    )
