"""Who may create, alter and drop databases, and read what is in their backups.

Decides which right each of these asks for and where: on the database itself, whatever the session's own one is, or of
the server. It is asked before anything is waited for or ended. It must not know what the statements do then.
"""

from __future__ import annotations

from collections.abc import Iterable

from sbql.catalog.records import Database
from sbql.engine.ports import Session
from sbql.engine.security import has_right, is_database_owner, is_in_server_role, may, token
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error

__all__ = [
    "check_may_alter",
    "check_may_create",
    "check_may_detach",
    "check_may_restore",
    "check_options",
    "may_drop_database",
    "owner_of_new",
]

_MASTER = 1
_SA_SID = b"\x01"
_OF_THE_SERVER = ("TRUSTWORTHY", "DB_CHAINING")
"""Options that let the owner of a database act in others: their own database is not all that they open."""


def check_may_create(session: Session) -> None:
    """Raises 262 without CREATE DATABASE in master, which CREATE ANY DATABASE implies."""
    master = session.catalog.get(Database, 0, _MASTER)
    assert master is not None
    if not may(session, "CREATE DATABASE", master):
        raise sql_error(262, "CREATE DATABASE", master.name)


def owner_of_new(session: Session) -> bytes:
    """The SID of who owns a database that the session makes: its login. A user without a login may make one by a
    signature; sa owns that."""
    return session.login.sid if session.login.id else _SA_SID


def check_may_alter(session: Session, record: Database, span: Span | None = None) -> None:
    """Raises 5011 without ALTER on the database, which ALTER ANY DATABASE implies for who has no user in it, too."""
    if not (may(session, "ALTER", record) or has_right(session, "ALTER ANY DATABASE", "SERVER")):
        raise sql_error(5011, record.name, span=span)


def check_options(session: Session, words: Iterable[str]) -> None:
    """Raises 15247 for an option that only who has CONTROL SERVER may give, of a database of his own, too."""
    if any(word.split()[0] in _OF_THE_SERVER for word in words) and not has_right(session, "CONTROL SERVER", "SERVER"):
        raise sql_error(15247)


def may_drop_database(session: Session, record: Database) -> bool:
    """CONTROL on the database, or ALTER ANY DATABASE."""
    return may(session, "CONTROL", record) or has_right(session, "ALTER ANY DATABASE", "SERVER")


def check_may_restore(session: Session, record: Database) -> None:
    """Over a database that is there: raises 3110 for whoever is neither its owner, nor dbcreator or sysadmin. No role
    of the database counts, for it may be damaged; and who acts as a user of another database is none of these here."""
    user = token(session, record.id)
    if not (is_in_server_role(session, "dbcreator") or (user is not None and user.is_dbo)):
        raise sql_error(3110, record.name)


def check_may_detach(session: Session, record: Database) -> None:
    """Raises 15247 for who is neither db_owner of the database nor sysadmin."""
    if not is_database_owner(session, record.id):
        raise sql_error(15247)
