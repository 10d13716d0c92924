"""Procedures about the server: who works on it, locks, configuration, files."""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import CatalogRecord
from sbql.engine.definition.ddl_events import call_text, tell_called
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.locks import words_of
from sbql.engine.outcomes import InfoMessage, ResultColumn, ResultSet
from sbql.engine.ports import Session
from sbql.engine.security import has_right
from sbql.engine.system.configuration import OPTIONS, values_of
from sbql.engine.system.kept_values import keep
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.messages import all_messages
from sbql.grammar.types import INT, SqlType, nvarchar

_SMALLINT = SqlType("smallint")

_LOCK_TYPES = {"row": "KEY", "key": "KEY", "table": "TAB", "applock": "APP", "group": "APP"}


@procedure("sp_lock")
def sp_lock(call: ProcedureCall) -> Work:
    """What each session's transaction and application locks hold now."""
    wanted = {spid for spid in call.values() if spid is not None}
    rows: list[tuple[Any, ...]] = []
    for other in sorted(call.session.instance.sessions.values(), key=lambda s: s.spid):
        if wanted and other.spid not in wanted:
            continue
        owners = [other.applocks] + ([other.transaction.owner] if other.transaction is not None else [])
        for owner in owners:
            for resource, mode in list(owner.held.items()):
                rows.append((other.spid, other.database_id, *_described(resource), mode, "GRANT"))
    names = ("spid", "dbid", "ObjId", "IndId", "Type", "Resource", "Mode", "Status")
    types = (_SMALLINT, _SMALLINT, INT, _SMALLINT, nvarchar(4), nvarchar(32), nvarchar(8), nvarchar(5))
    call.session.emit(ResultSet([ResultColumn(n, t) for n, t in zip(names, types, strict=True)], rows))
    return 0
    yield


def _described(resource: Any) -> tuple[int, int, str, str]:
    """(object, index, type, text) of a lock's resource."""
    parts = resource if isinstance(resource, tuple) else (resource,)
    kind = _LOCK_TYPES.get(str(parts[0]), "MD")
    object_id = parts[1] if kind in ("KEY", "TAB") and len(parts) > 1 and isinstance(parts[1], int) else 0
    return object_id, 1 if kind == "KEY" else 0, kind, ":".join(words_of(resource)[1:])[:32]


@procedure("sp_configure")
def sp_configure(call: ProcedureCall) -> Work:
    """sp_configure [name [, value]]: options may be shortened as long as they are
    unique. Raises 15123, 15124, 15129."""
    name, value = call.values()
    instance = call.session.instance
    kept: dict[str, int] = instance.configured
    shows_advanced = instance.configuration.get("show advanced options", 0) == 1
    visible = sorted((o for o in OPTIONS if shows_advanced or not o.is_advanced), key=lambda o: o.name.lower())
    if name is not None:
        wanted = name.lower()
        found = [o for o in visible if o.name.lower() == wanted] or [o for o in visible if wanted in o.name.lower()]
        if len(found) != 1:
            raise sql_error(15124 if found else 15123, name)
        visible = found
    if value is not None:
        if not has_right(call.session, "ALTER SETTINGS", "SERVER"):
            raise sql_error(15247)
        option = visible[0]
        if not option.minimum <= value <= option.maximum:
            raise sql_error(15129, value, option.name)
        old = kept.get(option.name, option.default)
        with call.session.statement() as transaction:
            keep(call.session, kept, option.name, value)
            yield from _tell(call.session, transaction, option.name, value)
        text = all_messages()[15457].text % (option.name, old, value)
        call.session.emit(InfoMessage(text, 15457, 10, 1, 0))
        return 0
    rows = [(o.name, o.minimum, o.maximum, *values_of(instance, o)) for o in visible]
    names = ("name", "minimum", "maximum", "config_value", "run_value")
    types = (nvarchar(35), INT, INT, INT, INT)
    call.session.emit(ResultSet([ResultColumn(n, t) for n, t in zip(names, types, strict=True)], rows))
    return 0


def _tell(session: Session, transaction: Any, option: str, value: int) -> Work:
    server = CatalogRecord(id=0, database_id=0, name=session.instance.name)
    extra = [("PropertyName", option), ("PropertyValue", str(value))]
    command = call_text("sp_configure", (option, str(value)))
    yield from tell_called(
        session, transaction, session.catalog, "ALTER_INSTANCE", server, "INSTANCE", command, extra=extra
    )
