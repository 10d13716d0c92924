"""Calling a procedure from Python: the batch that `callproc` runs.

It decides how OUTPUT parameters come back: they are variables of the batch, selected at its end together with the
return code. Which parameters are OUTPUT, and of what type, is read from the procedure; `Output` says it where that
cannot be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.describe.output_parameters import output_parameters
from sbql.engine.server.operation_calls import call
from sbql.engine.session import Session
from sbql.exceptions import ProgrammingError
from sbql.grammar.ast import Identifier, ObjectName
from sbql.grammar.lexer import Source, scan, unquote
from sbql.grammar.names import dotted
from sbql.instances import AnySession
from sbql.markers import marker_name

__all__ = ["Output", "ask", "call_text", "outputs_of"]


class Output(Struct, frozen=True):
    """An OUTPUT parameter for `callproc`: its SQL type, such as "nvarchar(100)", and the value that goes in."""

    type: str
    value: Any = None


def _parts(procname: str) -> list[Identifier | None]:
    """The parts of a procedure's name. Raises ProgrammingError for anything else than a name."""
    parts: list[Identifier | None] = []
    expects_name = True
    for token in scan(Source(procname), []):
        if token.kind == "sign" and token.text == ".":
            if expects_name:
                parts.append(None)
            expects_name = True
        elif token.kind in ("word", "quoted") and expects_name:
            quoted = token.kind == "quoted"
            value = unquote(token.text) if quoted else token.text
            parts.append(Identifier(value, quoted))
            expects_name = False
        elif token.kind != "end":
            break
        elif not expects_name and len(parts) <= 3:
            return parts
    raise ProgrammingError(f"{procname!r} is not the name of a procedure")


def outputs_of(session: AnySession, procname: str) -> dict[int, str]:
    """Position and SQL type of the OUTPUT parameters of a user's procedure; empty when it is none."""
    parts = _parts(procname)
    if isinstance(session, Session):
        return output_parameters(session, ObjectName(tuple(parts)))
    found: dict[int, str] = session.call("output_parameters", {"parts": [part and part.value for part in parts]})
    return found


def ask(session: AnySession, operation: str, request: dict[str, Any]) -> Any:
    """The answer of an operation in the session, which is no batch: SET options have no say in it. Raises SqlError."""
    return call(session, operation, request) if isinstance(session, Session) else session.call(operation, request)


def call_text(
    procname: str, parameters: Sequence[Any], outputs: dict[int, str]
) -> tuple[str, dict[str, Any], list[int]]:
    """The batch that calls the procedure, its values, and the positions of the OUTPUT parameters in its last row."""
    name = dotted(*(None if part is None else part.value for part in _parts(procname)))
    declared = ["@sbql_return int"]
    arguments: list[str] = []
    returned: list[int] = []
    values: dict[str, Any] = {}
    for index, value in enumerate(parameters):
        variable = marker_name(index)
        sql_type = value.type if isinstance(value, Output) else outputs.get(index)
        values[variable] = value.value if isinstance(value, Output) else value
        if sql_type is None:
            arguments.append(f"@{variable}")
            continue
        declared.append(f"@sbql_out_{index + 1} {sql_type} = @{variable}")
        arguments.append(f"@sbql_out_{index + 1} OUTPUT")
        returned.append(index)
    selected = ["@sbql_return AS sbql_return_value", *(f"@sbql_out_{index + 1}" for index in returned)]
    text = (
        f"DECLARE {', '.join(declared)};\n"
        f"EXEC @sbql_return = {name} {', '.join(arguments)};\n"
        f"SELECT {', '.join(selected)};"
    )
    return text, values, returned
