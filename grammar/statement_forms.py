"""How statements are written that newcomers stumble over: what is said about wrong syntax where no list of words helps.

Decides which statement a token stands in, by its first words. It must not know the grammar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sbql.grammar.keywords import STATEMENT_STARTS
from sbql.grammar.lexer import Token

__all__ = ["FORM_FIRST", "form_of"]

_FORMS: Final = {
    ("RAISERROR",): "RAISERROR (message, severity, state), as in RAISERROR ('no stock', 16, 1)",
    ("THROW",): "THROW number, message, state, as in THROW 50000, 'no stock', 1; or THROW alone in a CATCH",
    ("WAITFOR",): "WAITFOR DELAY 'hh:mm:ss', WAITFOR TIME 'hh:mm:ss' or WAITFOR (RECEIVE …), TIMEOUT milliseconds",
    ("BEGIN", "DIALOG"): (
        "BEGIN DIALOG CONVERSATION @handle FROM SERVICE name TO SERVICE 'name' ON CONTRACT name WITH ENCRYPTION = OFF"
    ),
    ("BEGIN", "CONVERSATION", "TIMER"): "BEGIN CONVERSATION TIMER (@handle) TIMEOUT = seconds",
    ("SEND",): "SEND ON CONVERSATION @handle MESSAGE TYPE name (body)",
    ("RECEIVE",): "RECEIVE TOP (1) columns FROM queue WHERE conversation_handle = @handle, inside of WAITFOR (…) to wait",
    ("END", "CONVERSATION"): "END CONVERSATION @handle, with WITH ERROR = number DESCRIPTION = 'text' or WITH CLEANUP",
    ("GET", "CONVERSATION", "GROUP"): "GET CONVERSATION GROUP @group FROM queue",
    ("MOVE", "CONVERSATION"): "MOVE CONVERSATION @handle TO @group",
    ("CREATE", "QUEUE"): (
        "CREATE QUEUE name WITH STATUS = ON, ACTIVATION (PROCEDURE_NAME = name, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
    ),
    ("CREATE", "SERVICE"): "CREATE SERVICE name ON QUEUE name (contract)",
    ("CREATE", "CONTRACT"): "CREATE CONTRACT name (message_type SENT BY INITIATOR)",
    ("CREATE", "MESSAGE", "TYPE"): "CREATE MESSAGE TYPE name VALIDATION = WELL_FORMED_XML",
    ("CREATE", "ROUTE"): "CREATE ROUTE name WITH SERVICE_NAME = 'name', ADDRESS = 'LOCAL'",
    ("DECLARE",): "DECLARE @name type = value, and @name TABLE (…) for a table variable",
}  # fmt: skip
FORM_FIRST: Final = ("It is written RAISERROR", "It is written THROW")
"""Forms that say more than any list of words."""

_FIRST: Final = frozenset(words[0] for words in _FORMS) | STATEMENT_STARTS
_FARTHEST: Final = 40
"""Words so far behind the first of its statement are looked at."""


def form_of(tokens: Sequence[Token], index: int) -> str:
    """A sentence with the form of the statement that the token `index` stands in; ''
    for a statement without one here."""
    for place in range(min(index, len(tokens) - 1), max(index - _FARTHEST, 0) - 1, -1):
        if tokens[place].text == ";":
            return ""
        if tokens[place].key in _FIRST and place < index:
            keys = tuple(token.key for token in tokens[place : min(place + 3, index)])
            words = next((keys[:size] for size in (3, 2, 1) if keys[:size] in _FORMS), None)
            return f"It is written {_FORMS[words]}." if words is not None else ""
    return ""
