"""System procedures, by name: sp_executesql and the others that Service Broker scripts call.

A procedure is a generator function `(call: ProcedureCall) -> return code`. Those in `_ACCEPTED` do nothing here and are listed in
docs/differences.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sbql.catalog.records import Module
from sbql.engine.execution.conversion import converter
from sbql.engine.execution.scope import Frame
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.steps import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.parser import parse_batch
from sbql.grammar.types import nvarchar

__all__ = ["SYSTEM_PROCEDURES", "ProcedureCall"]


@dataclass(frozen=True, slots=True)
class ProcedureCall:
    """A call: the procedure's lower-case name, its Arguments in order, the caller's frame."""

    name: str
    arguments: Sequence[Any]
    frame: Frame

    @property
    def session(self) -> Any:
        return self.frame.session

    def values(self, *names: str, required: int = 0) -> list[Any]:
        """The arguments as the parameters `names` (with at sign), None where not given. Raises 201, 8144, 8145."""
        found: list[Any] = [None] * len(names)
        if len(self.arguments) > len(names):
            raise sql_error(8144, self.name)
        for place, argument in enumerate(self.arguments):
            position = place
            if argument.name is not None:
                if argument.name.lower() not in names:
                    raise sql_error(8145, argument.name, self.name)
                position = names.index(argument.name.lower())
            found[position] = argument.value
        for name, value in list(zip(names, found, strict=True))[:required]:
            if value is None:
                raise sql_error(201, self.name, name)
        return found


SYSTEM_PROCEDURES: dict[str, Callable[[ProcedureCall], Work]] = {}


def _procedure(*names: str) -> Callable[[Callable[[ProcedureCall], Work]], Callable[[ProcedureCall], Work]]:
    def register(function: Callable[[ProcedureCall], Work]) -> Callable[[ProcedureCall], Work]:
        for name in names:
            SYSTEM_PROCEDURES[name] = function
        return function

    return register


@_procedure("sp_executesql")
def sp_executesql(call: ProcedureCall) -> Work:
    """sp_executesql @stmt [, @params, values…]: OUTPUT parameters come back. Raises 214 for a statement that is not Unicode."""
    from sbql.engine.execution.handlers.execute import run_text

    if not call.arguments:
        raise sql_error(201, "sp_executesql", "@stmt")
    statement = call.arguments[0]
    if statement.type.name not in ("nvarchar", "nchar", "ntext"):
        raise sql_error(214, "@statement", "ntext/nchar/nvarchar")
    if statement.value is None:
        return 0
    declared = _declared_parameters(call)
    values: dict[str, Any] = {}
    types = {name: sql_type for name, (sql_type, _) in declared.items()}
    given = _match(call, list(declared))
    for name, (sql_type, _) in declared.items():
        argument = given.get(name)
        if argument is None:
            raise sql_error(8178, statement.value, name)
        values[name] = converter(argument.type, sql_type)(argument.value)
    code, frame, scope = yield from run_text(call.session, statement.value, values, types)
    for name, argument in given.items():
        sql_type, is_output = declared[name]
        if argument.assign is not None:
            if not is_output:
                raise sql_error(8162, name)
            slot, _ = scope.lookup(name)
            argument.assign(frame.variables[slot], sql_type)
    return code


def _declared_parameters(call: ProcedureCall) -> dict[str, tuple[Any, bool]]:
    """The @params string: name → (type, is OUTPUT). Parsed as the parameter list of a procedure."""
    from sbql.engine.execution.scope import Scope

    if len(call.arguments) < 2 or not call.arguments[1].value:
        return {}
    text = str(call.arguments[1].value)
    tree = parse_batch(f"CREATE PROCEDURE p {text} AS RETURN")
    scope = Scope(call.session)
    procedure: Any = tree.statements[0]
    return {p.name.lower(): (scope.resolve_type(p.type), p.output) for p in procedure.parameters}


def _match(call: ProcedureCall, names: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for place, argument in enumerate(call.arguments[2:]):
        name = argument.name.lower() if argument.name is not None else names[place] if place < len(names) else None
        if name is None or name not in names:
            raise sql_error(8144, "sp_executesql") if name is None else sql_error(8145, argument.name, "sp_executesql")
        found[name] = argument
    return found


@_procedure("sp_addrolemember")
def sp_addrolemember(call: ProcedureCall) -> Work:
    role, member = call.values("@rolename", "@membername", required=2)
    yield from _role_member(call, role, member, add=True)
    return 0


@_procedure("sp_droprolemember")
def sp_droprolemember(call: ProcedureCall) -> Work:
    role, member = call.values("@rolename", "@membername", required=2)
    yield from _role_member(call, role, member, add=False)
    return 0


def _role_member(call: ProcedureCall, role: str, member: str, *, add: bool) -> Work:
    from sbql.engine.execution.handlers.principals import change_role_member

    session = call.session
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        change_role_member(session, transaction, role, member, session.database_id, add=add)


@_procedure("sp_getapplock")
def sp_getapplock(call: ProcedureCall) -> Work:
    """Returns 0 granted at once, 1 granted after waiting, -1 timed out, -3 deadlock victim."""
    names = ("@resource", "@lockmode", "@lockowner", "@locktimeout", "@dbprincipal")
    resource, mode, owner, timeout, _ = call.values(*names, required=2)
    session, instance = call.session, call.session.instance
    by_session = str(owner or "Transaction").lower() == "session"
    if not by_session and (session.transaction is None or session.trancount == 0):
        raise sql_error(3918, "sp_getapplock")
    holder = session.applocks if by_session else session.transaction.owner
    kind = "S" if str(mode).lower() in ("shared", "intentshared") else "X"
    key = ("applock", session.database_id, str(resource))
    if instance.locks.try_acquire(holder, key, kind):
        return 0
    wait = -1 if timeout is None else int(timeout)
    if wait == 0:
        return -1
    deadline = None if wait < 0 else instance.host.now() + wait / 1000
    granted = yield from instance.locks.acquire(holder, key, kind, deadline, "LCK_M_X")
    return 1 if granted else -1


@_procedure("sp_releaseapplock")
def sp_releaseapplock(call: ProcedureCall) -> Work:
    """Returns 0, or raises 1223 when the lock is not held."""
    resource, owner, _ = call.values("@resource", "@lockowner", "@dbprincipal", required=1)
    session = call.session
    by_session = str(owner or "Transaction").lower() == "session"
    holder = session.applocks if by_session else session.transaction.owner if session.transaction else None
    key = ("applock", session.database_id, str(resource))
    if holder is None or key not in holder.held:
        raise sql_error(1223, resource)
    session.instance.locks.release(holder, key)
    return 0
    yield


@_procedure("sp_helptext")
def sp_helptext(call: ProcedureCall) -> Work:
    """The text of a module, a line a row."""
    (name,) = call.values("@objname", required=1)
    session = call.session
    module = session.resolve(parse_object_name(name), Module, missing_ok=True)
    if module is None:
        raise sql_error(15009, name, session.database_name)
    lines = [(line,) for line in module.definition.splitlines(keepends=True)]
    session.emit(ResultSet([ResultColumn("Text", nvarchar(255))], lines))
    return 0
    yield


_ACCEPTED = (
    "sp_addextendedproperty", "sp_dropextendedproperty", "sp_updateextendedproperty", "sp_db_vardecimal_storage_format",
    "sp_delete_database_backuphistory", "sp_fulltext_database", "sp_dbcmptlevel", "sp_flush_log", "sp_recompile",
    "sp_updatestats",
)  # fmt: skip


@_procedure(*_ACCEPTED)
def accepted(call: ProcedureCall) -> Work:
    """Accepted without effect."""
    return 0
    yield


