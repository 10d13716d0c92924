"""Rights of those who are not connected: owners of services, users of certificates.

Decides whether a principal of a database may do something, whoever is connected, and who the owner of an initiating
service is in the database of the target. He comes there as by EXECUTE AS USER in his own: somebody only if that is
TRUSTWORTHY and its owner has AUTHENTICATE there, else he is public. Where a remote service binding names the target and
its certificates lack nothing, it is those that say who he is. It must not know sessions, nor how messages travel.
"""

from __future__ import annotations

from collections.abc import Callable

from sbql.catalog.records import CatalogRecord, Database, Principal, Queue, RemoteServiceBinding, Service
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.permissions import Rights
from sbql.engine.execution_context import ExecutionContext
from sbql.engine.security.context import (
    DBO,
    PUBLIC,
    SERVER_PUBLIC,
    Token,
    is_trusted,
    login_of_user,
    members_of,
    token_of,
)
from sbql.engine.security.dialog_certificates import NOBODY, Proof, proof
from sbql.engine.security.permissions import allowed, securable_of
from sbql.grammar.errors import sql_error
from sbql.grammar.messages import message

__all__ = ["not_there", "owner_may_send", "owner_rights", "principal_may", "user_may"]


def owner_rights(catalog: Callable[[], CatalogSnapshot], now: Callable[[], float]) -> Rights:
    """What the broker asks where nobody is connected, who may do everything: the owners of
    services are asked all the same."""

    def may_send(principal_id: int, home_id: int, service: Service) -> bool:
        return owner_may_send(catalog(), principal_id, home_id, service, now())

    def may_receive(principal_id: int, queue: Queue) -> bool:
        return principal_may(catalog(), principal_id, queue.database_id, "RECEIVE", queue)

    def no_one_there(principal_id: int, home_id: int, service: Service) -> str:
        return not_there(catalog(), principal_id, home_id, service, now())

    def known_there(principal_id: int, home_id: int, service: Service) -> int:
        known = _proven(catalog(), principal_id, home_id, service, now())
        return known.principal_id if known is not None else NOBODY

    return Rights(may_send=may_send, may_receive=may_receive, not_there=no_one_there, known_there=known_there)


def principal_may(
    snapshot: CatalogSnapshot, principal_id: int, database_id: int, permission: str, record: CatalogRecord
) -> bool:
    """Whether a database principal has a permission, whoever is connected. One that is gone is not asked."""
    user = snapshot.get(Principal, database_id, principal_id)
    if user is None or user.id == DBO:
        return True
    principals = frozenset({user.id, PUBLIC}) | members_of(snapshot, database_id, user.id)
    whole = Token(database_id, user.id, principals, frozenset(), False)
    return allowed(snapshot, whole, permission, securable_of(snapshot, record))


def user_may(snapshot: CatalogSnapshot, principal_id: int, permission: str, service: Service) -> bool:
    """Whether a user of the service's database has a permission on it; who is gone has none."""
    if snapshot.get(Principal, service.database_id, principal_id) is None:
        return False
    return principal_may(snapshot, principal_id, service.database_id, permission, service)


def _proven(snapshot: CatalogSnapshot, principal_id: int, home_id: int, service: Service, now: float) -> Proof | None:
    """Whom certificates say that the owner of an initiating service is in the database of another service; None where
    no binding of his database names that service."""
    if home_id == service.database_id:
        return None
    for binding in snapshot.all(RemoteServiceBinding, home_id):
        if binding.remote_service_name == service.name:
            return proof(
                snapshot, binding, principal_id, service, now, lambda user: user_may(snapshot, user, "CONTROL", service)
            )
    return None


def owner_may_send(snapshot: CatalogSnapshot, principal_id: int, home_id: int, service: Service, now: float) -> bool:
    """Whether the owner of an initiating service of the database `home_id` has SEND on a target service. In another
    database he is whom the certificates of a binding show, else public unless he is trusted there."""
    if home_id == service.database_id:
        return principal_may(snapshot, principal_id, home_id, "SEND", service)
    known = _proven(snapshot, principal_id, home_id, service, now)
    if known is None or _lacks_proof(known):
        return _may_send_unproven(snapshot, principal_id, home_id, service)
    if known.problem is not None:
        return False
    if known.principal_id != NOBODY:
        return user_may(snapshot, known.principal_id, "SEND", service)
    return allowed(snapshot, _public(service.database_id), "SEND", securable_of(snapshot, service))


def _lacks_proof(known: Proof) -> bool:
    """Certificates do not say who he is; it is no certificate-based security. Whom they show, and who may not come in,
    does not come in as somebody else."""
    return known.problem is not None and known.principal_id == NOBODY


def _may_send_unproven(snapshot: CatalogSnapshot, principal_id: int, home_id: int, service: Service) -> bool:
    """By TRUSTWORTHY, or SEND for public."""
    token = _token_there(snapshot, principal_id, home_id, service.database_id) or _public(service.database_id)
    return allowed(snapshot, token, "SEND", securable_of(snapshot, service))


def not_there(snapshot: CatalogSnapshot, principal_id: int, home_id: int, service: Service, now: float) -> str:
    """The text of 916, with the way out, where the owner of a service of a TRUSTWORTHY database is nobody in the
    database of another service; with a binding for that service, why its certificates do not say who he is, where
    neither TRUSTWORTHY nor SEND for public lets him in without them; else empty."""
    known = _proven(snapshot, principal_id, home_id, service, now)
    if known is not None:
        if known.problem is None:
            return ""
        if _lacks_proof(known) and _may_send_unproven(snapshot, principal_id, home_id, service):
            return ""
        return message(known.problem[0]).format(*known.problem[1:])
    if _token_there(snapshot, principal_id, home_id, service.database_id) is not None:
        return ""
    home, far = snapshot.get(Database, 0, home_id), snapshot.get(Database, 0, service.database_id)
    assert home is not None
    assert far is not None
    context = _context(snapshot, principal_id, home_id)
    anyway = f"or in {far.name} GRANT SEND ON SERVICE::[{service.name}] TO public."
    if context is not None and is_trusted(context, snapshot, far.id):
        said = sql_error(916, context.login.name, far.name).message
        return f"{said} It owns the initiating service: give it a user in {far.name}, {anyway}"
    owner = next((p.name for p in snapshot.all(Principal, 0) if p.sid == home.owner_sid), "dbo")
    said = sql_error(916, owner, far.name).message
    return f"{said} It owns {home.name}, which is TRUSTWORTHY: in {far.name} GRANT AUTHENTICATE to its user, {anyway}"


def _context(snapshot: CatalogSnapshot, principal_id: int, home_id: int) -> ExecutionContext | None:
    """As by EXECUTE AS USER in his own database. None for a role, which nobody can be."""
    user = snapshot.get(Principal, home_id, principal_id)
    if user is None or not user.is_single:
        return None
    return ExecutionContext(login_of_user(snapshot, user), user, home_id, home_id)


def _token_there(snapshot: CatalogSnapshot, principal_id: int, home_id: int, database_id: int) -> Token | None:
    context = _context(snapshot, principal_id, home_id)
    if context is None or not is_trusted(context, snapshot, database_id):
        return None
    return token_of(context, snapshot, database_id)


def _public(database_id: int) -> Token:
    return Token(database_id, PUBLIC, frozenset({PUBLIC}), frozenset({SERVER_PUBLIC}), False)
