"""ALTER ROLE and ALTER SERVER ROLE … ADD | DROP MEMBER: who may be in which role.

Everybody is in public, and nobody can change that (15081). dbo and what every database has beside it, sa and fixed
roles are members of nothing that a statement could change (15405), and no role is in itself, by way of others either
(15413).
"""

from __future__ import annotations

from sbql.catalog.records import Principal, RoleMember
from sbql.engine.definition.ddl import basics, ddl_step
from sbql.engine.definition.principals import find_principal
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import has_right, may, token
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import RoleMemberStatement
from sbql.grammar.errors import sql_error

_SPECIAL_USERS = frozenset({0, 1, 3, 4})
"""Principals of every database: public, dbo, INFORMATION_SCHEMA, sys."""
_SPECIAL_LOGINS = frozenset({1, 2})
"""sa and public."""


@handles(RoleMemberStatement)
def compile_role_member(node: RoleMemberStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        database_id = 0 if node.server else session.database_id
        _change(session, transaction, node, database_id)

    return ddl_step(body)


def _change(session: Session, transaction: Transaction, node: RoleMemberStatement, database_id: int) -> None:
    words = "server role" if node.server else "role"
    group = find_principal(session, node.role.value, database_id, "role", None)
    if group.type != "R" or not _may_change(session, group):
        raise sql_error(15151, "alter", words, group.name)
    if group.name == "public":
        raise sql_error(15081)
    member = find_principal(session, node.member.value, database_id, "principal", None)
    if member.is_fixed_role or member.id in (_SPECIAL_LOGINS if node.server else _SPECIAL_USERS):
        raise sql_error(15405, member.name)
    links = list(session.catalog.all(RoleMember, database_id))
    existing = next(
        (one for one in links if (one.role_principal_id, one.member_principal_id) == (group.id, member.id)), None
    )
    if not node.add:
        if existing is None:
            raise sql_error(15151, "drop", "role member", node.member.value)
        transaction.change_catalog(existing, None)
    elif existing is None:
        if group.id in _within(member.id, links):
            raise sql_error(15413)
        fields = basics(session, f"{group.id}:{member.id}", database_id)
        record = RoleMember(**fields, role_principal_id=group.id, member_principal_id=member.id)
        transaction.change_catalog(None, record)


def _within(principal_id: int, links: list[RoleMember]) -> set[int]:
    """The principal, its members and theirs."""
    found = {principal_id}
    waiting = [principal_id]
    while waiting:
        role_id = waiting.pop()
        below = {one.member_principal_id for one in links if one.role_principal_id == role_id} - found
        found |= below
        waiting.extend(below)
    return found


def _may_change(session: Session, group: Principal) -> bool:
    """ALTER on the role; for a fixed one membership in db_owner, or in the server role itself."""
    if group.database_id == 0:
        who = token(session, 0)
        if group.is_fixed_role:
            return who is not None and (who.is_sysadmin or group.id in who.server)
        return may(session, "ALTER", group)
    return has_right(session, "CONTROL") if group.is_fixed_role else may(session, "ALTER", group)
