"""The DBCC commands that tend pages, files, caches and trace flags, of which there are
none: who may run them, and on what.

It decides what the vendor's pages say under "Permissions" and whether the database or table is there. That there is
nothing to do is no leave to do it: a script that works here for everybody would fail there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from sbql.engine.ports import Session
from sbql.engine.security import has_right, is_in_server_role
from sbql.engine.system.consistency import check_table, find_database, owned_database
from sbql.grammar.ast import DbccStatement
from sbql.grammar.errors import sql_error

__all__ = ["DBCC_ACCEPTED", "check_rights"]

_Check = Callable[[Session, DbccStatement, Sequence[Any]], None]


def _of_database(session: Session, node: DbccStatement, arguments: Sequence[Any]) -> None:
    """Its first argument is a database, the current one if there is none: 911, 7983."""
    owned_database(session, arguments[0] if arguments else None, node.command.lower())


def _of_current_database(session: Session, node: DbccStatement, arguments: Sequence[Any]) -> None:
    """Its argument is a file or filegroup of the current database: 7983."""
    owned_database(session, None, node.command.lower())


def _of_table(session: Session, node: DbccStatement, arguments: Sequence[Any]) -> None:
    """Its first argument is a table: 2526 without one, 2501, 2557."""
    if not arguments:
        raise sql_error(2526, span=node.span)
    check_table(session, arguments[0], node.span, node.command.lower())


def _of_table_in_database(session: Session, node: DbccStatement, arguments: Sequence[Any]) -> None:
    """Its first arguments are a database and a table in it: 2526 without both, 911, 2501, 2557."""
    if len(arguments) < 2:
        raise sql_error(2526, span=node.span)
    database = find_database(session, arguments[0])
    with session.in_database(database.id):
        check_table(session, arguments[1], node.span, node.command.lower())


def _of_server(session: Session, node: DbccStatement, arguments: Sequence[Any]) -> None:
    """It needs ALTER SERVER STATE: 2571."""
    if not has_right(session, "ALTER SERVER STATE", "SERVER"):
        raise sql_error(2571, session.login.name, node.command.lower(), span=node.span)


def _of_sysadmin(session: Session, node: DbccStatement, arguments: Sequence[Any]) -> None:
    """It is for members of sysadmin: 2571."""
    if not is_in_server_role(session, "sysadmin"):
        raise sql_error(2571, session.login.name, node.command.lower(), span=node.span)


_RIGHTS: Final[dict[str, _Check]] = {
    "CHECKALLOC": _of_database, "CHECKCATALOG": _of_database, "CHECKFILEGROUP": _of_current_database,
    "CLEANTABLE": _of_table_in_database, "DBREINDEX": _of_table, "DROPCLEANBUFFERS": _of_server, "FREEPROCCACHE": _of_server,
    "FREESESSIONCACHE": _of_server, "FREESYSTEMCACHE": _of_server, "INDEXDEFRAG": _of_table_in_database,
    "SHRINKDATABASE": _of_database, "SHRINKFILE": _of_current_database, "TRACEOFF": _of_sysadmin, "TRACEON": _of_sysadmin,
    "UPDATEUSAGE": _of_database,
}  # fmt: skip

DBCC_ACCEPTED = frozenset(_RIGHTS)
"""Accepted without effect. Listed in docs/differences.md."""


def check_rights(session: Session, node: DbccStatement, arguments: Sequence[Any]) -> None:
    """Raises what a command of DBCC_ACCEPTED would be refused with."""
    _RIGHTS[node.command](session, node, arguments)
