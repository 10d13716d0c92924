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
from sbql.grammar.ast import CommonTableExpression, NamedTable, Statement, UseStatement, VariableReference
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import find_all

__all__ = ["Bindings", "refuse"]

EARLY: Final = frozenset({
    107, 109, 110, 116, 120, 121, 130, 144, 145, 147, 157, 158, 164, 205, 206, 207, 209, 213, 240, 257, 259, 264, 271, 311, 402, 403,
    1011, 1013, 1015, 1033, 1062, 4104, 4108, 4109, 4112, 4113, 4115, 8116, 8117, 8118, 8120, 8121, 8123, 8124, 8125, 8126, 8127, 8155,
    8156, 8158, 8159, 10709, 10752, 10753, 10759,
})  # fmt: skip
"""Names of columns, numbers of columns and values, grouping, windows, types that do not go together. An object that is
missing is none of them: it may be made by then. Neither is a permission."""


ALWAYS: Final = frozenset({137, 243, 291, 1087})
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
    try:
        late.get(session)
    except SqlError as error:
        number = error.before[0].number if error.number == _IN_A_VIEW else error.number
        if number in ALWAYS or (number in EARLY and _tables_exist(node, session, in_trigger)):
            error.is_binding = False
            point(error, node, or_statement=True)
            raise error from None
        for variable in find_all(node, VariableReference):  # which what is missing has kept from being looked at
            if scope.find(variable.name) is None:
                raise sql_error(137, variable.name, span=variable.span) from None


def _tables_exist(node: Statement, session: Session, in_trigger: bool) -> bool:
    """Whether all tables of a statement are there. What a temporary table is, is open until the statement runs."""
    own = {table.name.value.lower() for table in find_all(node, CommonTableExpression)}
    own |= {"inserted", "deleted"} if in_trigger else set()
    for table in find_all(node, NamedTable):
        name = table.name.name
        if name.startswith("#"):
            return False
        if table.name.schema is None and name.lower() in own:
            continue
        if resolve(session, table.name, missing_ok=True) is None and not is_system_view(session, table.name):
            return False
    return True
