"""System procedures, by name, one module a topic.

A procedure is a generator function `(call: ProcedureCall) -> return code`, registered under its lower-case name.
Importing this package fills SYSTEM_PROCEDURES.
"""

from __future__ import annotations

from sbql.engine.execution.system_procedures import (  # noqa: F401  they register their procedures
    app_locks,
    cursors,
    databases,
    documents,
    dynamic,
    extended,
    help_text,
    logins,
    loops,
    operations,
    prepared,
    properties,
    refreshing,
    renaming,
    roles,
    sequences,
    server,
    session_values,
    trigger_order,
)
from sbql.engine.execution.system_procedures.registry import (
    ACCEPTED,
    SYSTEM_PROCEDURES,
    UNSUPPORTED,
    ProcedureCall,
    SystemProcedure,
)

__all__ = ["ACCEPTED", "SYSTEM_PROCEDURES", "UNSUPPORTED", "ProcedureCall", "SystemProcedure"]
