"""sbql runs SQL Server Service Broker programs without SQL Server.

The face: what `import sbql` offers. It decides names only; everything is imported when first asked for (PEP 562), so
that `import sbql.grammar` does not pull in the engine, and `import sbql` costs nothing. The module is a DB-API 2.0
driver (PEP 249); see docs/python.md.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if os.environ.get("SBQL_COMPILED") == "0":
    from sbql.grammar.build import prefer_source

    prefer_source()

apilevel = "2.0"
threadsafety = 1
"""Threads may share the module, but not connections. Connections to one store, one a thread, are the way."""
paramstyle = "qmark"
"""A sequence of values fills the `?` of a statement; a mapping gives values to its @variables."""

_HOMES = {
    "BINARY": "type_objects",
    "Binary": "type_objects",
    "Connection": "dbapi",
    "Cursor": "dbapi",
    "DATETIME": "type_objects",
    "DataError": "exceptions",
    "DatabaseError": "exceptions",
    "Date": "type_objects",
    "DateFromTicks": "type_objects",
    "Error": "exceptions",
    "IntegrityError": "exceptions",
    "InterfaceError": "exceptions",
    "InternalError": "exceptions",
    "Mischief": "engine.simulated_network",
    "NUMBER": "type_objects",
    "Network": "engine.simulated_network",
    "NotSupportedError": "exceptions",
    "OperationalError": "exceptions",
    "Output": "dbapi",
    "Prepared": "preparing",
    "ProgrammingError": "exceptions",
    "ROWID": "type_objects",
    "STRING": "type_objects",
    "Server": "serving",
    "SqlError": "grammar.errors",
    "Time": "type_objects",
    "TimeFromTicks": "type_objects",
    "Timestamp": "type_objects",
    "TimestampFromTicks": "type_objects",
    "Warning": "exceptions",
    "__version__": "grammar.version",
    "connect": "connecting",
    "prepare": "preparing",
    "run_file": "scripts",
    "run_script": "scripts",
    "serve": "serving",
}

__all__ = [
    "BINARY",
    "Binary",
    "Connection",
    "Cursor",
    "DATETIME",
    "DataError",
    "DatabaseError",
    "Date",
    "DateFromTicks",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "Mischief",
    "NUMBER",
    "Network",
    "NotSupportedError",
    "OperationalError",
    "Output",
    "Prepared",
    "ProgrammingError",
    "ROWID",
    "STRING",
    "Server",
    "SqlError",
    "Time",
    "TimeFromTicks",
    "Timestamp",
    "TimestampFromTicks",
    "Warning",
    "apilevel",
    "connect",
    "paramstyle",
    "prepare",
    "run_file",
    "run_script",
    "serve",
    "threadsafety",
]

if TYPE_CHECKING:
    from sbql.connecting import connect
    from sbql.dbapi import Connection, Cursor, Output
    from sbql.engine.simulated_network import Mischief, Network
    from sbql.exceptions import (
        DatabaseError,
        DataError,
        Error,
        IntegrityError,
        InterfaceError,
        InternalError,
        NotSupportedError,
        OperationalError,
        ProgrammingError,
        Warning,
    )
    from sbql.grammar.errors import SqlError
    from sbql.grammar.version import __version__ as __version__
    from sbql.preparing import Prepared, prepare
    from sbql.scripts import run_file, run_script
    from sbql.serving import Server, serve
    from sbql.type_objects import (
        BINARY,
        DATETIME,
        NUMBER,
        ROWID,
        STRING,
        Binary,
        Date,
        DateFromTicks,
        Time,
        TimeFromTicks,
        Timestamp,
        TimestampFromTicks,
    )


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sbql' has no attribute {name!r}")
    value = getattr(import_module(f"sbql.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
