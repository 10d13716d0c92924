"""System procedures, by name, one module a topic.

A procedure is a generator function `(call: ProcedureCall) -> return code`, registered under its lower-case name.
The modules are imported when the first procedure is looked for (`engine.wiring`).
"""

from __future__ import annotations

from sbql.engine.execution.system_procedures.registry import (
    ACCEPTED,
    SYSTEM_PROCEDURES,
    UNSUPPORTED,
    ProcedureCall,
    SystemProcedure,
)

__all__ = ["ACCEPTED", "SYSTEM_PROCEDURES", "UNSUPPORTED", "ProcedureCall", "SystemProcedure"]
