"""Error functions: ERROR_NUMBER() and the others tell of the error that the innermost running CATCH block caught."""

from __future__ import annotations

from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.grammar.errors import SqlError
from sbql.grammar.messages import all_messages
from sbql.grammar.types import INT, nvarchar

__all__ = ["message_text"]


def _caught(frame: Frame) -> SqlError | None:
    errors = frame.session.errors
    return errors[-1] if errors else None


@function("ERROR_NUMBER", INT, needs_frame=True)
def _number(frame: Frame) -> int | None:
    error = _caught(frame)
    return error.number if error is not None else None


@function("ERROR_MESSAGE", nvarchar(4000), needs_frame=True)
def _message(frame: Frame) -> str | None:
    error = _caught(frame)
    return error.message if error is not None else None


@function("ERROR_SEVERITY", INT, needs_frame=True)
def _severity(frame: Frame) -> int | None:
    error = _caught(frame)
    return error.severity if error is not None else None


@function("ERROR_STATE", INT, needs_frame=True)
def _state(frame: Frame) -> int | None:
    error = _caught(frame)
    return error.state if error is not None else None


@function("ERROR_LINE", INT, needs_frame=True)
def _line(frame: Frame) -> int | None:
    error = _caught(frame)
    return error.line if error is not None else None


@function("ERROR_PROCEDURE", nvarchar(128), needs_frame=True)
def _procedure(frame: Frame) -> str | None:
    error = _caught(frame)
    return error.procedure if error is not None else None


def message_text(frame: Any, message: Any) -> str | None:
    """The text of FORMATMESSAGE's first argument: itself, or the message of a number (NULL when there is none)."""
    if message is None or isinstance(message, str):
        return message
    number = int(message)
    own = frame.session.instance.user_message(number)
    if own is not None:
        found: str = own
        return found
    known = all_messages().get(number)
    return known.text if known is not None and number >= 13000 else None
