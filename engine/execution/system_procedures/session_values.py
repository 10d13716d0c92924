"""What a session or the server keeps for its callers: SESSION_CONTEXT values and the messages of sp_addmessage."""

from __future__ import annotations

from sbql.engine.execution.system_procedures.registry import ProcedureCall, procedure, whole_number
from sbql.engine.security import has_right
from sbql.engine.steps import Work
from sbql.grammar.errors import sql_error

_FIRST_USER_MESSAGE = 50001
_READ_ONLY = "$read only keys"


@procedure("sp_set_session_context")
def sp_set_session_context(call: ProcedureCall) -> Work:
    """sp_set_session_context @key, @value [, @read_only]. Raises 15664 for a key that is read only."""
    key, value, read_only = call.values("@key", "@value", "@read_only", required=1)
    values = call.session.context_values
    name = str(key).lower()
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
    """Add a message for RAISERROR; it lasts as long as the instance is open. Raises 15040, 15041, 15043."""
    names = ("@msgnum", "@severity", "@msgtext", "@lang", "@with_log", "@replace")
    number, severity, text, _, _, replace = call.values(*names, required=3)
    messages = call.session.instance.user_messages
    if not has_right(call.session, "ALTER SETTINGS", "SERVER"):  # serveradmin
        raise sql_error(15247)
    if whole_number(number) < _FIRST_USER_MESSAGE:
        raise sql_error(15040)
    if not 1 <= whole_number(severity) <= 25:
        raise sql_error(15041)
    if int(number) in messages and str(replace or "").lower() != "replace":
        raise sql_error(15043)
    messages[int(number)] = (int(severity), str(text))
    return 0
    yield


@procedure("sp_dropmessage")
def sp_dropmessage(call: ProcedureCall) -> Work:
    """Remove a message of sp_addmessage. Raises 15179 when there is none."""
    number, _ = call.values("@msgnum", "@lang", required=1)
    if call.session.instance.user_messages.pop(whole_number(number), None) is None:
        raise sql_error(15179, number)
    return 0
    yield
