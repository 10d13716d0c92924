"""Application locks: sp_getapplock and sp_releaseapplock."""

from __future__ import annotations

from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.functions.app_locks import applock_holder, applock_key, applock_mode
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error


@procedure("sp_getapplock")
def sp_getapplock(call: ProcedureCall) -> Work:
    """Returns 0 granted at once, 1 granted after waiting, -1 timed out, -3 deadlock victim."""
    resource, mode, owner, timeout, _ = call.values(required=2)
    session, instance = call.session, call.session.instance
    holder = applock_holder(session, owner or "Transaction", "sp_getapplock")
    kind, key = applock_mode(mode, "sp_getapplock"), applock_key(session, resource)
    if instance.locks.try_acquire(holder, key, kind):
        return 0
    wait = -1 if timeout is None else timeout
    if wait == 0:
        return -1
    deadline = None if wait < 0 else instance.host.now() + wait / 1000
    try:
        granted = yield from instance.locks.acquire(holder, key, kind, deadline, "LCK_M_X")
    except SqlError as error:
        if error.number != 1205:
            raise
        return -3  # and no transaction is rolled back ("sp_getapplock (Transact-SQL)", Remarks)
    return 1 if granted else -1


@procedure("sp_releaseapplock")
def sp_releaseapplock(call: ProcedureCall) -> Work:
    """Returns 0, or raises 1223 when the lock is not held."""
    resource, owner, _ = call.values(required=1)
    session = call.session
    holder = applock_holder(session, owner or "Transaction", "sp_releaseapplock")
    key = applock_key(session, resource)
    if key not in holder.held:
        raise sql_error(1223, resource)
    session.instance.locks.release(holder, key)
    return 0
    yield
