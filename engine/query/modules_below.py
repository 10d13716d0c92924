"""What views and user functions name, through whatever views and functions they name themselves.

Decides which parts of a tree may be calls of user functions, and finds every table and module below one. It must not
know why anybody asks.
"""

from __future__ import annotations

from typing import Final, TypeGuard

from sbql.catalog.records import Module, Table
from sbql.engine.ports import Session
from sbql.engine.query.lock_hints import hint_names
from sbql.engine.security.resolver import in_text_of, resolve
from sbql.grammar.ast import FunctionCall, FunctionTable, NamedTable, Node
from sbql.grammar.tree import walk

__all__ = ["calls_itself", "calls_module", "hinted_below", "is_reader"]

_READERS: Final = frozenset({"V", "IF", "TF", "FN"})


def is_reader(record: object) -> TypeGuard[Module]:
    """Whether it is a view or a user function."""
    return isinstance(record, Module) and record.type in _READERS


def calls_module(part: Node) -> TypeGuard[FunctionTable | FunctionCall]:
    """What may be a user function: a scalar one is called with its schema."""
    return isinstance(part, FunctionTable) or (isinstance(part, FunctionCall) and bool(part.name.schema))


def _named_below(module: Module, session: Session) -> list[Table | Module]:
    """The tables, views and functions below a view or function, each once, however many ways lead to it; itself among
    them if it comes back to itself."""
    found: dict[tuple[int, int], Table | Module] = {}
    todo = [module]
    while todo:
        for record, _ in _named_in(todo.pop(), session):
            if (record.database_id, record.id) in found:
                continue
            found[record.database_id, record.id] = record
            if isinstance(record, Module) and record is not module:
                todo.append(record)
    return list(found.values())


def hinted_below(
    module: Module, session: Session, hints: frozenset[str] = frozenset()
) -> list[tuple[Table, frozenset[str]]]:
    """The tables below a view or function with their hints: `hints`, those of the names that lead there, and the
    table's own. A table comes once for each set of hints."""
    found: dict[tuple[int, int, frozenset[str]], tuple[Table, frozenset[str]]] = {}
    begun = {(module.database_id, module.id, hints)}
    todo = [(module, hints)]
    while todo:
        one, above = todo.pop()
        for record, own in _named_in(one, session):
            all_hints = above | own
            key = (record.database_id, record.id, all_hints)
            if isinstance(record, Table):
                found[key] = record, all_hints
            elif key not in begun:
                begun.add(key)
                todo.append((record, all_hints))
    return list(found.values())


def _named_in(module: Module, session: Session) -> list[tuple[Table | Module, frozenset[str]]]:
    """The tables, views and functions that its own text names, with the hints there."""
    found: list[tuple[Table | Module, frozenset[str]]] = []
    tree = session.instance.modules.parse(module.definition, quoted_identifiers=module.uses_quoted_identifier)
    with in_text_of(session, module):
        for part in walk(tree):
            if not (isinstance(part, NamedTable) or calls_module(part)):
                continue
            record = resolve(session, part.name, missing_ok=True)
            if isinstance(record, Table) or is_reader(record):
                found.append((record, hint_names(part) if isinstance(part, NamedTable) else frozenset()))
    return found


def calls_itself(module: Module, session: Session) -> bool:
    """Whether its body may come to a call of the module itself."""
    return any(
        (record.database_id, record.id) == (module.database_id, module.id)
        for record in _named_below(module, session)
        if isinstance(record, Module)
    )
