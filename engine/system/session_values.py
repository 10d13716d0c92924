"""What a session or the server keeps for its callers: SESSION_CONTEXT values and the messages of sp_addmessage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.catalog.records import CatalogRecord
from sbql.engine.definition.ddl_events import call_text, tell_called
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.security import has_right
from sbql.engine.system.kept_values import keep
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.values.languages import language_named

_FIRST_USER_MESSAGE = 50001
_ENGLISH = 1033
_READ_ONLY = "$read only keys"


@procedure("sp_set_session_context")
def sp_set_session_context(call: ProcedureCall) -> Work:
    """sp_set_session_context @key, @value [, @read_only]. Raises 15664 for a key that is read only."""
    key, value, read_only = call.values(required=1)
    values = call.session.context_values
    name = key.lower()
    fixed = values.setdefault(_READ_ONLY, set())
    if name in fixed:
        raise sql_error(15664, key)
    values[name] = value
    if read_only:
        fixed.add(name)
    return 0
    yield


@procedure("sp_addmessage")
def sp_addmessage(call: ProcedureCall) -> Work:
    """Add a message for RAISERROR; it lasts as long as the instance is open. Texts in other languages than English are
    kept out: error 40517. Raises 15040, 15041, 15043, 15033, 15279."""
    number, severity, text, language, with_log, replace = call.values(required=3)
    messages = call.session.instance.user_messages
    if not has_right(call.session, "ALTER SETTINGS", "SERVER"):  # serveradmin
        raise sql_error(15247)
    if number < _FIRST_USER_MESSAGE:
        raise sql_error(15040)
    if not 1 <= severity <= 25:
        raise sql_error(15041)
    known = language_named(language or "us_english")
    if known is None:
        raise sql_error(15033, language)
    if known.lcid != _ENGLISH:
        if number not in messages:
            raise sql_error(15279, known.name)
        raise sql_error(40517, "sp_addmessage in another language than English")
    if number in messages and (replace or "").lower() != "replace":
        raise sql_error(15043)
    event = "ALTER_MESSAGE" if number in messages else "CREATE_MESSAGE"
    value = (severity, text, (with_log or "").lower() == "true")
    yield from _keep_message(call, number, value, event, (str(number), str(severity), text))
    return 0


def _keep_message(call: ProcedureCall, number: int, value: Any, event: str, given: Sequence[str]) -> Work:
    session = call.session
    with session.statement() as transaction:
        keep(session, session.instance.user_messages, number, value)
        message = CatalogRecord(id=0, database_id=0, name=str(number))
        command = call_text(call.name, given)
        yield from tell_called(session, transaction, session.catalog, event, message, "MESSAGE", command)


@procedure("sp_altermessage")
def sp_altermessage(call: ProcedureCall) -> Work:
    """@message_id, 'WITH_LOG', 'true' | 'false': whether the message is logged whenever
    it is raised. Raises 15178, 15179."""
    number, parameter, value = call.values(required=3)
    messages = call.session.instance.user_messages
    if not has_right(call.session, "ALTER SETTINGS", "SERVER"):
        raise sql_error(15247)
    if parameter.upper() != "WITH_LOG" or value.lower() not in ("true", "false"):
        raise sql_error(15178)
    found = messages.get(number)
    if found is None:
        raise sql_error(15179, number)
    kept = (found[0], found[1], value.lower() == "true")
    yield from _keep_message(call, number, kept, "ALTER_MESSAGE", (str(number), parameter, value))
    return 0


@procedure("sp_dropmessage")
def sp_dropmessage(call: ProcedureCall) -> Work:
    """Remove a message of sp_addmessage. Raises 15179 when there is none."""
    number, _ = call.values(required=1)
    if not has_right(call.session, "ALTER SETTINGS", "SERVER"):
        raise sql_error(15247)
    messages = call.session.instance.user_messages
    if number not in messages:
        raise sql_error(15179, number)
    yield from _keep_message(call, number, None, "DROP_MESSAGE", (str(number),))
    return 0
