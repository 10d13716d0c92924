"""The registry of SQL Server, as far as programs ask for it: what setup has written, and the one switch that they set.

Decides which values there are and what they say. Nothing is stored: each value is the
answer of whoever decides the thing.
"""

from __future__ import annotations

import os
from typing import Any

from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.functions.system import PRODUCT_VERSION
from sbql.engine.outcomes import InfoMessage, ResultColumn, ResultSet
from sbql.engine.system.broker_switches import is_transport_enabled, set_transport
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.types import nvarchar

_MACHINE = ("HKEY_LOCAL_MACHINE", "HKLM")
_TRANSPORT = ("ssb", "transportenabled")


def _registry(call: ProcedureCall) -> dict[tuple[str, str], str]:
    """By the last part of the key and the name of the value, in lower case: folders, how logins are checked,
    whether the broker talks to others."""
    instance = call.session.instance
    path = instance.store.path
    folder = os.path.dirname(path) if path else ""
    folders = dict.fromkeys(("defaultdata", "defaultlog", "backupdirectory"), folder)
    server = {**folders, "loginmode": "2", "auditlevel": "2", "numerrorlogs": "6"}
    setup = {"sqlpath": folder, "sqldataroot": folder, "edition": "Developer Edition", "version": PRODUCT_VERSION}
    return {
        _TRANSPORT: str(int(is_transport_enabled(instance))),
        **{("mssqlserver", name): value for name, value in server.items()},
        **{("setup", name): value for name, value in setup.items()},
    }


def _place(root: Any, key: Any, name: Any) -> tuple[str, str] | None:
    """Which value is meant; None where there is no registry at all."""
    if str(root or "").upper() not in _MACHINE:
        return None
    return str(key or "").rstrip("\\").rpartition("\\")[2].lower(), str(name or "").lower()


@procedure("xp_instance_regread", "xp_regread")
def xp_instance_regread(call: ProcedureCall) -> Work:
    """xp_instance_regread root, key, value [, @value OUTPUT [, 'no_output']]: a value that setup has written, given or
    shown; 22001 tells that there is none."""
    root, key, name, *_ = call.values(required=3)
    place = _place(root, key, name)
    found = _registry(call).get(place) if place is not None else None
    if found is None:
        call.session.emit(InfoMessage(sql_error(22001, "RegQueryValueEx()", 2).message, 22001, 1))
    elif "@value" in call.outputs:
        call.give("@value", found)
    else:
        columns = [ResultColumn("Value", nvarchar(256)), ResultColumn("Data", nvarchar(4000))]
        call.session.emit(ResultSet(columns, [(name, found)]))
    return 0
    yield


@procedure("xp_instance_regwrite", "xp_regwrite")
def xp_instance_regwrite(call: ProcedureCall) -> Work:
    """xp_instance_regwrite root, key, value name, type, value: SSB\\TransportEnabled, 1 or 0, which starts and stops
    the Service Broker endpoint. Raises 40517 for any other value, 22001 for what is neither 1 nor 0."""
    root, key, name, kind, value = call.values(required=5)
    if _place(root, key, name) != _TRANSPORT:
        raise sql_error(40517, f"{call.name} {key}\\{name}")
    if str(kind).upper() != "REG_DWORD" or value not in ("0", "1"):
        raise sql_error(22001, "RegSetValueEx()", 87)
    yield from set_transport(call.session, value == "1")
    return 0
