"""APPLOCK_MODE and APPLOCK_TEST: what sp_getapplock holds, and whether it would get a lock at once.

They decide nothing about locks: the lock table knows two modes, and sp_getapplock says which of them each mode of T-SQL
is.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from sbql.engine.ports import Session
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SYSNAME, SqlType, nvarchar

__all__ = ["applock_holder", "applock_key", "applock_mode"]

_MODES = {
    "shared": "S", "intentshared": "S", "update": "X", "exclusive": "X", "intentexclusive": "X", "sharedintentexclusive": "X",
}  # fmt: skip


def applock_mode(mode: str, name: str) -> str:
    """S or X for a mode's name. Raises 15600 for any other word."""
    found = _MODES.get(mode.strip().lower())
    if found is None:
        raise sql_error(15600, name)
    return found


def applock_key(session: Session, resource: str) -> Hashable:
    return "applock", session.database_id, resource


def applock_holder(session: Session, owner: str, name: str) -> Any:
    """Who holds: the session, or its transaction. Raises 3918 when there is no transaction, 15600 for another word."""
    word = owner.strip().lower()
    if word == "session":
        return session.applocks
    if word != "transaction":
        raise sql_error(15600, name)
    if session.transaction is None or session.trancount == 0:
        raise sql_error(3918, name)
    return session.transaction.owner


@function("APPLOCK_MODE", nvarchar(32), [SYSNAME, nvarchar(255), nvarchar(32)], needs_frame=True)
def _applock_mode(frame: Frame, principal: str, resource: str, owner: str) -> str:
    held = applock_holder(frame.session, owner, "APPLOCK_MODE").held
    return {"S": "Shared", "X": "Exclusive"}.get(held.get(applock_key(frame.session, resource)), "NoLock")


@function("APPLOCK_TEST", SqlType("smallint"), [SYSNAME, nvarchar(255), nvarchar(32), nvarchar(32)], needs_frame=True)
def _applock_test(frame: Frame, principal: str, resource: str, mode: str, owner: str) -> int:
    session = frame.session
    holder = applock_holder(session, owner, "APPLOCK_TEST")
    return int(
        session.instance.locks.would_grant(holder, applock_key(session, resource), applock_mode(mode, "APPLOCK_TEST"))
    )
