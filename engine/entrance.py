"""Who gets a session, and what his coming sets off.

Decides which database and login a new session may have, who may use the dedicated administrator connection, and that
LOGON triggers look at everybody else. It must not know by which door somebody came, nor how a password is checked.
"""

from __future__ import annotations

from sbql.catalog.records import Database, Principal
from sbql.engine import security
from sbql.engine.client import Client
from sbql.engine.definition.logon_triggers import fire_logon
from sbql.engine.ports import Instance, Session
from sbql.engine.security.database_access import check_open
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["let_in", "log_on"]


def let_in(instance: Instance, database: str, login: str, *, admin: bool, client: Client) -> Session:
    """A session that nobody has looked at yet: `log_on` is next. Raises 911, 18456, 4060,
    17810 (docs of `Instance.connect`)."""
    snapshot = instance.catalog
    found = snapshot.find(Database, 0, database)
    if found is None:
        raise sql_error(911, database)
    principal = snapshot.find(Principal, 0, login)
    if principal is None or principal.is_disabled or (admin and not security.is_sysadmin(snapshot, principal)):
        refused = sql_error(18456, login)
        instance.notified.login_failed(login, f"{refused.message} [CLIENT: {client.address}]", refused)
        raise refused
    if admin:
        if any(other.is_admin for other in list(instance.sessions.values())):
            raise sql_error(17810)
        return instance.new_session(principal, found.id, is_admin=True, client=client)
    session = instance.new_session(principal, found.id, client=client)
    try:
        check_open(session, found)
    except SqlError:
        session.close()
        raise sql_error(4060, found.name) from None
    return session


def log_on(session: Session, *, is_pooled: bool = False) -> None:
    """The LOGON triggers, which the dedicated administrator connection does not fire: it is the
    way in when one shuts out everybody.

    `is_pooled`: the connection is reset and used again. Not in the thread that drives a loop for others: a trigger may
    wait. Raises 17892; the session is still to be closed.
    """
    if not session.is_admin:
        fire_logon(session, is_pooled=is_pooled)
    session.instance.notified.logged_in(session, is_pooled=is_pooled)
