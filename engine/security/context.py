"""Who somebody is: execution contexts, and the token of one in a database.

Decides which principals stand for a context: the user and the roles it is in, the login and its server roles, and the
users and logins of certificates that signed the running module. Decides also how far an EXECUTE AS USER reaches. It
must not know permissions, but for the few that extend an impersonation (CONNECT of guest, AUTHENTICATE).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sbql.catalog.records import AsymmetricKey, Certificate, Database, Permission, Principal, RoleMember
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.execution_context import SA, ExecutionContext

__all__ = [
    "DBO",
    "PUBLIC",
    "SERVER_PUBLIC",
    "Token",
    "has_access",
    "is_denied_connect",
    "is_in_role",
    "is_sysadmin",
    "is_trusted",
    "login_of_user",
    "members_of",
    "token_of",
    "user_in",
    "user_of_login",
]

DBO = 1
PUBLIC = 0
GUEST = 2
SERVER_PUBLIC = 2
_SYSADMIN = "sysadmin"
_MSDB = 4


class Token(NamedTuple):
    """The principals of one database and of the server that stand for a context. Hashable: answers are kept by it."""

    database_id: int
    user_id: int
    principals: frozenset[int]
    server: frozenset[int]
    is_sysadmin: bool

    @property
    def is_dbo(self) -> bool:
        return self.user_id == DBO


def _memberships(snapshot: CatalogSnapshot) -> dict[tuple[int, int], frozenset[int]]:
    """(database_id, member) -> the roles it is in, directly or through roles. Made once for each snapshot."""
    found: dict[tuple[int, int], frozenset[int]] | None = snapshot.derived.get("memberships")
    if found is not None:
        return found
    direct: dict[tuple[int, int], set[int]] = {}
    for link in snapshot.all(RoleMember):
        direct.setdefault((link.database_id, link.member_principal_id), set()).add(link.role_principal_id)
    found = {}
    for database_id, member in direct:
        seen: set[int] = set()
        todo = [member]
        while todo:
            for role in direct.get((database_id, todo.pop()), ()):
                if role not in seen:
                    seen.add(role)
                    todo.append(role)
        found[database_id, member] = frozenset(seen)
    snapshot.derived["memberships"] = found
    return found


def members_of(snapshot: CatalogSnapshot, database_id: int, principal_id: int) -> frozenset[int]:
    """The ids of all roles that a principal belongs to, without public."""
    return _memberships(snapshot).get((database_id, principal_id), frozenset())


def is_in_role(snapshot: CatalogSnapshot, database_id: int, principal_id: int, role: str) -> bool:
    """Whether a principal belongs to the role of this name; database 0 is the server."""
    found = snapshot.find(Principal, database_id, role)
    return found is not None and found.id in members_of(snapshot, database_id, principal_id)


def is_sysadmin(snapshot: CatalogSnapshot, login: Principal) -> bool:
    return login.id == SA or is_in_role(snapshot, 0, login.id, _SYSADMIN)


# --- users and logins --------------------------------------------------------------------------------------


def login_of_user(snapshot: CatalogSnapshot, user: Principal) -> Principal:
    """The login of a database user. One without a login has its SID for a name, and no rights outside its database."""
    if user.id == DBO:
        database = snapshot.get(Database, 0, user.database_id)
        found = database and _by_sid(snapshot, 0, database.owner_sid)
    else:
        found = _by_sid(snapshot, 0, user.sid)
    if found:
        return found
    parts = [str(int.from_bytes(user.sid[at : at + 4], "little")) for at in range(0, len(user.sid), 4)]
    return Principal(id=0, database_id=0, name="-".join(["S-1-9-3", *parts]), sid=user.sid, default_schema=None)


def _by_sid(snapshot: CatalogSnapshot, database_id: int, sid: bytes) -> Principal | None:
    kept: dict[tuple[int, bytes], Principal] | None = snapshot.derived.get("principals by sid")
    if kept is None:
        kept = {(p.database_id, p.sid): p for p in snapshot.all(Principal) if p.sid and p.type not in ("R", "A")}
        snapshot.derived["principals by sid"] = kept
    return kept.get((database_id, sid)) if sid else None


def _own_user(snapshot: CatalogSnapshot, login: Principal, database_id: int) -> Principal | None:
    """dbo for sysadmins and the owner of the database, else the user with the login's SID."""
    database = snapshot.get(Database, 0, database_id)
    if is_sysadmin(snapshot, login) or (database is not None and login.sid and database.owner_sid == login.sid):
        return snapshot.get(Principal, database_id, DBO)
    return _by_sid(snapshot, database_id, login.sid) if login.id else None


def _guest(snapshot: CatalogSnapshot, database_id: int) -> Principal | None:
    """guest, where it may connect: in the system databases, and where it was granted CONNECT."""
    guest = snapshot.get(Principal, database_id, GUEST)
    if guest is None:
        return None
    if database_id <= _MSDB:
        return guest
    granted = any(
        p.grantee_principal_id == GUEST and p.permission == "CONNECT" and p.state != "D"
        for p in snapshot.all(Permission, database_id)
    )
    return guest if granted else None


def user_of_login(snapshot: CatalogSnapshot, login: Principal, database_id: int) -> Principal:
    """The database user of a login that is there: dbo for sysadmins and the owner, the user with its SID, else
    guest."""
    found = _own_user(snapshot, login, database_id) or snapshot.get(Principal, database_id, GUEST)
    assert found is not None
    return found


def user_in(context: ExecutionContext, snapshot: CatalogSnapshot, database_id: int) -> Principal | None:
    """The user that a context is in a database; None when it cannot come in (916)."""
    if database_id == context.database_id:
        return context.user
    if context.scope is not None:
        if database_id == context.scope:
            return context.origin
        if not is_trusted(context, snapshot, database_id):
            return _guest(snapshot, database_id)
    user = _own_user(snapshot, context.login, database_id)
    if user is not None and not (user.id != DBO and is_denied_connect(snapshot, user)):
        return user
    return _guest(snapshot, database_id)


def is_denied_connect(snapshot: CatalogSnapshot, user: Principal) -> bool:
    """Whether a user was denied CONNECT to its database."""
    return any(
        p.grantee_principal_id == user.id and p.permission == "CONNECT" and p.state == "D"
        for p in snapshot.all(Permission, user.database_id)
    )


def has_access(context: ExecutionContext, snapshot: CatalogSnapshot, database_id: int) -> bool:
    """Whether somebody may be in a database: sa may, and who has a user there."""
    return context.is_sa or user_in(context, snapshot, database_id) is not None


def is_trusted(context: ExecutionContext, snapshot: CatalogSnapshot, database_id: int) -> bool:
    """Whether an impersonation reaches from its database into another one: its authenticator has AUTHENTICATE there.
    The authenticator is the owner of the impersonating database if that is TRUSTWORTHY, or a certificate that signed
    the module."""
    assert context.scope is not None
    home = snapshot.get(Database, 0, context.scope)
    target = snapshot.get(Database, 0, database_id)
    if home is None or target is None:
        return False
    if home.is_trustworthy_on:
        owner = _by_sid(snapshot, 0, home.owner_sid)
        user = owner and _own_user(snapshot, owner, database_id)
        if user and (user.id == DBO or _authenticates(snapshot, database_id, frozenset({user.id, PUBLIC}))):
            return True
    return _authenticates(snapshot, database_id, _signers(snapshot, context, database_id))


def _authenticates(snapshot: CatalogSnapshot, database_id: int, principals: frozenset[int]) -> bool:
    wanted = ("AUTHENTICATE", "CONTROL") if database_id else ("AUTHENTICATE SERVER", "CONTROL SERVER")
    return any(
        p.grantee_principal_id in principals
        and p.permission in wanted
        and p.state != "D"
        and p.class_ in ("DATABASE", "SERVER")
        for p in snapshot.all(Permission, database_id)
    )


def _signers(snapshot: CatalogSnapshot, context: ExecutionContext, database_id: int) -> frozenset[int]:
    """Users (or logins, database 0) of the certificates and asymmetric keys that signed the running module."""
    if not context.signers:
        return frozenset()
    home = database_id or 1
    keys: list[Any] = [*snapshot.all(Certificate, home), *snapshot.all(AsymmetricKey, home)]
    ids = {key.id for key in keys if key.thumbprint in context.signers}
    return frozenset(p.id for p in snapshot.all(Principal, database_id) if p.certificate_id in ids)


# --- tokens ------------------------------------------------------------------------------------------------


def token_of(context: ExecutionContext, snapshot: CatalogSnapshot, database_id: int) -> Token | None:
    """The token of a context in a database (0: only the server matters); None when it has no way in."""
    kept: dict[tuple[object, ...], Token | None] = snapshot.derived.setdefault("tokens", {})
    key = (context.login, context.user, context.database_id, context.scope, context.signers, database_id)
    try:
        return kept[key]
    except KeyError:
        token = kept[key] = _token(context, snapshot, database_id)
        return token


def _token(context: ExecutionContext, snapshot: CatalogSnapshot, database_id: int) -> Token | None:
    server, sysadmin = _server_side(context, snapshot)
    if not database_id:
        return Token(0, 0, frozenset(), server, sysadmin)
    user = user_in(context, snapshot, database_id)
    if user is None:
        return None
    signers = _signers(snapshot, context, database_id)
    principals = {user.id, PUBLIC} | members_of(snapshot, database_id, user.id) | signers
    for signer in signers:
        principals |= members_of(snapshot, database_id, signer)
    return Token(database_id, user.id, frozenset(principals), server, sysadmin)


def _server_side(context: ExecutionContext, snapshot: CatalogSnapshot) -> tuple[frozenset[int], bool]:
    """The server principals of a context. An impersonated user is nobody but public to the server, unless its database
    is TRUSTWORTHY and its owner may AUTHENTICATE SERVER."""
    signers = _signers(snapshot, context, 0)
    found = {SERVER_PUBLIC} | signers
    for signer in signers:
        found |= members_of(snapshot, 0, signer)
    counts = context.scope is None
    if context.scope is not None:
        home = snapshot.get(Database, 0, context.scope)
        owner = _by_sid(snapshot, 0, home.owner_sid) if home is not None and home.is_trustworthy_on else None
        counts = owner is not None and (
            is_sysadmin(snapshot, owner) or _authenticates(snapshot, 0, frozenset({owner.id}))
        )
        counts = counts or _authenticates(snapshot, 0, signers)
    if counts and context.login.id:
        found |= {context.login.id} | members_of(snapshot, 0, context.login.id)
    role = snapshot.find(Principal, 0, _SYSADMIN)
    return frozenset(found), (counts and context.login.id == SA) or (role is not None and role.id in found)
