"""Users and roles: the older ways to change who is in a role, and the lists of both."""

from __future__ import annotations

from sbql.engine.definition.principals import change_role_member
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.work import Work


@procedure("sp_addrolemember")
def sp_addrolemember(call: ProcedureCall) -> Work:
    role, member = call.values("@rolename", "@membername", required=2)
    yield from _role_member(call, role, member, add=True)
    return 0


@procedure("sp_droprolemember")
def sp_droprolemember(call: ProcedureCall) -> Work:
    role, member = call.values("@rolename", "@membername", required=2)
    yield from _role_member(call, role, member, add=False)
    return 0


def _role_member(call: ProcedureCall, role: str, member: str, *, add: bool) -> Work:
    session = call.session
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        change_role_member(session, transaction, role, member, session.database_id, add=add)
