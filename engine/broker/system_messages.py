"""System messages: names, ids and bodies of Error, EndDialog and DialogTimer (docs/spec: BUILTIN, SYSTEMMESSAGE).

Decides the bytes of an Error body. Must not know who sends it or where it lands.
"""

from __future__ import annotations

from typing import Final

from sbql.grammar.messages import message
from sbql.grammar.values.xml_text import escape_text

__all__ = [
    "DEFAULT_CONTRACT",
    "DEFAULT_TYPE",
    "DIALOG_TIMER",
    "DIALOG_TIMER_ID",
    "END_DIALOG",
    "END_DIALOG_ID",
    "ERROR",
    "ERROR_ID",
    "ERROR_NAMESPACE",
    "NAMES",
    "VALIDATION",
    "broker_error_body",
    "error_body",
]

_BASE: Final = "http://schemas.microsoft.com/SQL/ServiceBroker/"
ERROR: Final = _BASE + "Error"
END_DIALOG: Final = _BASE + "EndDialog"
DIALOG_TIMER: Final = _BASE + "DialogTimer"
ERROR_NAMESPACE: Final = _BASE + "Error"
DEFAULT_TYPE: Final = "DEFAULT"
DEFAULT_CONTRACT: Final = "DEFAULT"

ERROR_ID: Final = 1
END_DIALOG_ID: Final = 2
DIALOG_TIMER_ID: Final = 5

VALIDATION: Final = {ERROR_ID: "X", END_DIALOG_ID: "E", DIALOG_TIMER_ID: "E"}
NAMES: Final = {ERROR_ID: ERROR, END_DIALOG_ID: END_DIALOG, DIALOG_TIMER_ID: DIALOG_TIMER}


def error_body(code: int, description: str) -> bytes:
    """The document of an Error message: UTF-16 little endian with byte order mark."""
    text = (
        f'<?xml version="1.0"?><Error xmlns="{ERROR_NAMESPACE}"><Code>{code}</Code>'
        f"<Description>{escape_text(description)}</Description></Error>"
    )
    return b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass")


def broker_error_body(number: int, *arguments: object) -> bytes:
    """The Error document of a broker error: code is the negated message number, text the formatted message."""
    return error_body(-number, message(number).format(*arguments))
