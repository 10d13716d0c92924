"""Application locks: sp_getapplock and sp_releaseapplock."""

from __future__ import annotations

from sbql.engine.execution.system_procedures.registry import ProcedureCall, procedure, whole_number
from sbql.engine.steps import Work
from sbql.grammar.errors import sql_error


@procedure("sp_getapplock")
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
    wait = -1 if timeout is None else whole_number(timeout)
    if wait == 0:
        return -1
    deadline = None if wait < 0 else instance.host.now() + wait / 1000
    granted = yield from instance.locks.acquire(holder, key, kind, deadline, "LCK_M_X")
    return 1 if granted else -1


@procedure("sp_releaseapplock")
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
