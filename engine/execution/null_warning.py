"""Warning 8153: aggregates of a statement have left out NULLs.

A query notes it in the session while it runs (`note` is called from its SQL, once for a group that has NULLs); the
statement tells of it once, after its rows and before their number, unless ANSI_WARNINGS is off.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.outcomes import InfoMessage
from sbql.grammar.errors import sql_error

__all__ = ["note_nulls", "tell_of_nulls"]


def note_nulls(frame: Any) -> int:
    frame.session.has_left_out_nulls = True
    return 0


def tell_of_nulls(session: Any) -> None:
    if not session.has_left_out_nulls:
        return
    session.has_left_out_nulls = False
    if session.options.ansi_warnings:
        session.emit(InfoMessage(sql_error(8153).message, number=8153, severity=10))
