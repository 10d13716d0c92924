"""How a system procedure is called, registered, and what a few of them share: a query as their result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sbql.engine.invocation import run_text
from sbql.engine.loading import Registry
from sbql.engine.scalars.scope import Frame
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SQL_VARIANT, SqlType, Variant, nvarchar
from sbql.grammar.values.conversions import convert

__all__ = [
    "ACCEPTED",
    "SYSTEM_PROCEDURES",
    "UNSUPPORTED",
    "ProcedureCall",
    "SystemProcedure",
    "procedure",
    "show",
    "whole_number",
]


@dataclass(frozen=True, slots=True)
class ProcedureCall:
    """A call: the procedure's lower-case name, its Arguments in order, the caller's frame."""

    name: str
    arguments: Sequence[Any]
    frame: Frame

    @property
    def session(self) -> Any:
        return self.frame.session

    def values(self, *names: str, required: int = 0, variants: Sequence[str] = ()) -> list[Any]:
        """The arguments as the parameters `names` (with at sign), None where not given. Those of `variants` are sql_variant:
        they keep the type that they were given in. Raises 201, 8144, 8145, 206 for a type that sql_variant cannot hold."""
        found: list[Any] = [None] * len(names)
        if len(self.arguments) > len(names):
            raise sql_error(8144, self.name)
        for place, argument in enumerate(self.arguments):
            position = place
            if argument.name is not None:
                if argument.name.lower() not in names:
                    raise sql_error(8145, argument.name, self.name)
                position = names.index(argument.name.lower())
            found[position] = _variant(argument) if names[position] in variants else argument.value
        for name, value in list(zip(names, found, strict=True))[:required]:
            if value is None:
                raise sql_error(201, self.name, name)
        return found


def _variant(argument: Any) -> Variant | None:
    value = argument.value
    if value is None or isinstance(value, Variant):
        return value
    found: Variant = convert(value, argument.type, SQL_VARIANT)
    return found


class SystemProcedure(NamedTuple):
    """What the name of a system procedure means: its lower-case name, and the database that stands in front of it."""

    name: str
    database_id: int | None = None


SYSTEM_PROCEDURES: Registry[Callable[[ProcedureCall], Work]] = Registry("procedures")


def whole_number(value: Any) -> int:
    """An argument that has to be one. Raises 8114."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise sql_error(8114, "nvarchar", "int") from None


def procedure(*names: str) -> Callable[[Callable[[ProcedureCall], Work]], Callable[[ProcedureCall], Work]]:
    def register(function: Callable[[ProcedureCall], Work]) -> Callable[[ProcedureCall], Work]:
        for name in names:
            SYSTEM_PROCEDURES.add(name, function)
        return function

    return register


def show(call: ProcedureCall, query: str, **values: Any) -> Work:
    """Run T-SQL text as the procedure's body; `values` are its nvarchar variables."""
    types: dict[str, SqlType] = {f"@{name}": nvarchar(4000) for name in values}
    given = {f"@{name}": None if value is None else str(value) for name, value in values.items()}
    code, _, _ = yield from run_text(call.session, query, given, types)
    return code


ACCEPTED = (
    "sp_db_vardecimal_storage_format", "sp_delete_database_backuphistory", "sp_fulltext_database", "sp_flush_log", "sp_updatestats",
    "sp_createstats", "sp_dboption", "sp_procoption", "sp_tableoption",
)  # fmt: skip
"""Accepted without effect; listed in docs/differences.md."""


@procedure(*ACCEPTED)
def accepted(call: ProcedureCall) -> Work:
    """Accepted without effect."""
    return 0
    yield


UNSUPPORTED = (
    "sp_addlinkedserver", "sp_dropserver", "sp_serveroption", "sp_addlinkedsrvlogin", "sp_droplinkedsrvlogin", "sp_linkedservers",
    "sp_bindrule", "sp_unbindrule", "sp_bindefault", "sp_unbindefault", "sp_grantlogin", "sp_denylogin",
    "sp_setapprole", "sp_unsetapprole", "sp_addapprole", "sp_dropapprole", "sp_change_users_login", "sp_addalias", "sp_dropalias",
    "sp_addumpdevice", "sp_dropdevice", "sp_helpdevice", "sp_certify_removable", "sp_create_removable",
    "sp_resetstatus", "sp_estimate_data_compression_savings", "sp_autostats", "sp_indexoption",
    "sp_cursor", "sp_cursoropen", "sp_cursorfetch", "sp_cursorclose", "sp_cursorprepare", "sp_cursorexecute", "sp_cursorunprepare", "sp_cursoroption",
    "sp_makewebtask", "sp_oacreate", "sp_oamethod", "sp_oadestroy",
    "sp_oageterrorinfo", "sp_oagetproperty", "sp_oasetproperty", "sp_send_dbmail", "sp_add_job", "sp_add_jobstep", "sp_add_jobserver", "sp_add_schedule",
    "sp_start_job", "sp_stop_job", "sp_delete_job", "sp_help_job", "sp_trace_create", "sp_trace_setevent",
    "sp_trace_setstatus", "sp_trace_generateevent", "sp_monitor", "sp_invoke_external_rest_endpoint",
    "sp_changeobjectowner", "sp_signature", "sp_control_plan_guide", "sp_create_plan_guide", "sp_fulltext_catalog",
    "sp_fulltext_table", "sp_fulltext_column", "xp_regread",
    "xp_regwrite", "xp_sendmail", "xp_dirtree", "xp_subdirs", "xp_fixeddrives",
    "xp_enumerrorlogs", "xp_instance_regread", "xp_logininfo", "xp_grantlogin", "xp_revokelogin", "xp_loginconfig",
)  # fmt: skip
"""Procedures of SQL Server that are not here: calling one is error 40517, which names it, and not "no such
procedure"."""


@procedure(*UNSUPPORTED)
def unsupported(call: ProcedureCall) -> Work:
    """Raises 40517."""
    raise sql_error(40517, call.name)
    yield
