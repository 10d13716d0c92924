"""OUTPUT parameters of a procedure, for a driver that calls it and wants their values back.

It decides from the procedure's text. It must not know how the driver calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.catalog.records import Module
from sbql.engine.operations import Call, argument, operation
from sbql.engine.ports import Session
from sbql.engine.security.resolver import resolve
from sbql.grammar.ast import Identifier, ObjectName
from sbql.grammar.errors import SqlError

__all__ = ["output_parameters"]


def output_parameters(session: Session, name: ObjectName) -> dict[int, str]:
    """Position and SQL type of the OUTPUT parameters of a user's procedure; empty when it is none."""
    try:
        record = resolve(session, name, Module, missing_ok=True)
        if record is None or record.type != "P":
            return {}
        compiled: Any = session.instance.modules.module(record, session)
    except SqlError:
        return {}  # running it will say so
    return {index: str(p.type) for index, p in enumerate(compiled.parameters) if p.output}


@operation("output_parameters")
def _output_parameters(call: Call) -> Any:
    """{parts}: the parts of the procedure's name, None for one that is left out. Answers with types by position."""
    parts: Sequence[str | None] = argument(call, "parts", list, required=True)
    return output_parameters(
        call.session, ObjectName(tuple(None if part is None else Identifier(part, True) for part in parts))
    )
