"""Early binding: the errors of names and types for which a whole batch or module is refused before anything of it runs.

SQL Server binds a statement whose tables exist when it compiles the batch, and puts off the others until
they run (deferred name resolution). So does this: `refuse` binds every statement once, after compilation.
It decides which errors count then. It must not know what statements do. What is bound here is kept, so
that running it costs nothing more.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final

from sbql.engine.batch.pointing import point
from sbql.engine.ports import Session
from sbql.engine.query.registered import running
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import is_system_view, resolve
from sbql.engine.steps import LateBound, collecting
from sbql.grammar.ast import (
    CommonTableExpression,
    DeleteStatement,
    NamedTable,
    Statement,
    TableSource,
    UpdateStatement,
    UseStatement,
    VariableReference,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.messages import all_messages
from sbql.grammar.tree import find_all

__all__ = ["Bindings", "refuse"]

_DEFERRED: Final = frozenset({208, 307, 308, 1088, 4121, 40517})
"""What a statement is told when it runs, if it does: an object, index or function that is missing may be made by then.
That something is not supported here (40517) is no fault of the text. All else that the catalogue counts among binding
(`Message.is_binding`) is certain now."""


_CALLED: Final = 8144
"""Too many arguments: only calls of functions are bound here. A CATCH has it from the call of a procedure, so that the
catalogue does not count it among binding."""


_ALWAYS: Final = frozenset({137, 243, 291, 1087})
"""Variables and system types, which no table has a part in."""


_IN_A_VIEW: Final = 4413
"""It says in which view or function the error before it was met."""


class Bindings:
    """What a compiler has found to be bound later, statement by statement, in the order of the text."""

    def __init__(self) -> None:
        self.entries: list[tuple[Statement, list[LateBound[Any]]]] = []

    @contextmanager
    def of(self, node: Statement) -> Iterator[None]:
        """What is made inside belongs to `node`, but for what belongs to a statement inside it."""
        with collecting() as found:
            yield
        if found or isinstance(node, UseStatement):
            self.entries.append((node, found))


_binding = threading.local()


def refuse(bindings: Bindings, session: Session, scope: Scope, *, sample: Frame | None = None) -> None:
    """Raise the first error that is certain now. After USE nothing is: names may mean something else then. `sample` is
    a frame of a trigger as it will run, which knows what inserted and deleted are.

    A function that is compiled because a statement is bound here is not looked at: it may call itself, and
    it was looked at when it was created.
    """
    if getattr(_binding, "is_busy", False):
        return
    _binding.is_busy = True
    try:
        for node, found in bindings.entries:
            if isinstance(node, UseStatement):
                return
            with running(sample) if sample is not None and found else nullcontext():
                for late in found:
                    _bind(late, node, session, scope, in_trigger=sample is not None)
    finally:
        _binding.is_busy = False


def _bind(late: LateBound[Any], node: Statement, session: Session, scope: Scope, *, in_trigger: bool) -> None:
    """Bind it, and what is found in doing so to be bound later still: the functions that a query calls."""
    waiting = [late]
    try:
        while waiting:
            with collecting() as found:
                waiting.pop(0).get(session)
            waiting += found
    except SqlError as error:
        number = error.before[0].number if error.number == _IN_A_VIEW else error.number
        if number in _ALWAYS or (_is_certain(number) and _tables_exist(node, session, in_trigger)):
            error.is_binding = False
            point(error, node, or_statement=True)
            raise error from None
        for variable in find_all(node, VariableReference):  # which what is missing has kept from being looked at
            if scope.find(variable.name) is None:
                raise sql_error(137, variable.name, span=variable.span) from None


def _is_certain(number: int) -> bool:
    entry = all_messages().get(number)
    return number == _CALLED or (entry is not None and entry.is_binding and number not in _DEFERRED)


def _tables_exist(node: Statement, session: Session, in_trigger: bool) -> bool:
    """Whether all tables of a statement are there. What a temporary table is, is open until the statement runs."""
    own = {table.name.value.lower() for table in find_all(node, CommonTableExpression)}
    own |= {"inserted", "deleted"} if in_trigger else set()
    target = node.target if isinstance(node, UpdateStatement | DeleteStatement) and node.from_ is not None else None
    aliases = {
        alias.value.lower() for source in find_all(node, TableSource) if (alias := getattr(source, "alias", None))
    }
    for table in find_all(node, NamedTable):
        name = table.name.name
        if name.startswith("#"):
            return False
        if table.name.schema is None and (name.lower() in own or (table is target and name.lower() in aliases)):
            continue
        if resolve(session, table.name, missing_ok=True) is None and not is_system_view(session, table.name):
            return False
    return True
