"""Who a session is now: a login of the instance, a user of a database, and how far both reach.

Data only: which principals stand for a context, and what they may, is decided in `security`; a session keeps a stack of
them. It must not know a session.
"""

from __future__ import annotations

from sbql.catalog.records import Principal

__all__ = ["SA", "ExecutionContext"]

SA = 1
"""The id of the login sa."""


class ExecutionContext:
    """`scope` is the database in which EXECUTE AS USER (or a module's EXECUTE AS) made the context: outside it counts
    only as far as that database is trusted; None for a connection and EXECUTE AS LOGIN. `origin` is the user there.
    `signers` are the thumbprints of the keys that signed the module which runs. `made_in` is the database in which
    REVERT may end it. `binding` tells contexts apart for which a statement may mean, or be allowed, something else.
    `is_sa`: nothing is ever refused, a short cut for the ordinary session.
    """

    __slots__ = ("binding", "cookie", "database_id", "is_sa", "login", "made_in", "origin", "scope", "signers", "user")

    def __init__(
        self,
        login: Principal,
        user: Principal,
        database_id: int,
        scope: int | None = None,
        origin: Principal | None = None,
        signers: frozenset[bytes] = frozenset(),
    ) -> None:
        self.login = login
        self.user = user
        self.database_id = database_id
        self.scope = scope
        self.origin = origin or user
        self.signers = signers
        self.is_sa = scope is None and login.id == SA
        self.binding = None if self.is_sa else (login.id, login.sid, user, scope, signers)
        self.made_in = database_id
        self.cookie: bytes | None = None

    def moved(self, user: Principal, database_id: int) -> ExecutionContext:
        """The same context in another database."""
        found = ExecutionContext(self.login, user, database_id, self.scope, self.origin, self.signers)
        found.made_in, found.cookie = self.made_in, self.cookie
        return found

    def signed(self, signers: frozenset[bytes]) -> ExecutionContext:
        """The same context in a module that these keys signed."""
        return ExecutionContext(self.login, self.user, self.database_id, self.scope, self.origin, signers)
