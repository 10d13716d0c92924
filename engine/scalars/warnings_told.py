"""Warnings that a statement tells once, after its rows and before their number.

8153: aggregates have left out NULLs (a query notes it while it runs, once for a group that has NULLs), told unless
ANSI_WARNINGS is off. 3606, 3607 and 3622: arithmetic has failed and NULL is its result, told unless ARITHIGNORE is on.
"""

from __future__ import annotations

from sbql.engine.noted_warnings import LEFT_OUT_NULLS
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session
from sbql.grammar.errors import sql_error

__all__ = ["tell_warnings"]


def tell_warnings(session: Session) -> None:
    numbers = session.warnings.taken()
    if not numbers:
        return
    options = session.options
    for number in numbers:
        if options.ansi_warnings if number == LEFT_OUT_NULLS else not options.arithignore:
            session.emit(InfoMessage(sql_error(number).message, number=number, severity=10))
