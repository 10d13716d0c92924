"""How a system procedure is called, registered, and what a few of them share: a query as their result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from sbql.engine.invocation import run_text
from sbql.engine.lazy_registry import Registry
from sbql.engine.scalars.scope import Frame
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType, nvarchar

__all__ = [
    "ACCEPTED",
    "SYSTEM_PROCEDURES",
    "UNSUPPORTED",
    "CallShape",
    "ProcedureCall",
    "SystemProcedure",
    "procedure",
    "show",
]


class CallShape(Struct):
    """What all calls of one EXEC have alike: the names and types of its arguments, which of them are DEFAULT and which
    OUTPUT. A procedure keeps in `kept` what it has made of that."""

    kept: Any = None


class ProcedureCall(Struct, frozen=True):
    """A call of a procedure that is Python: its lower-case name, the Arguments as they were given, the caller's frame.

    `given` and `outputs` are what the header of the procedure (catalog/sql/procedures) makes of the arguments: each
    parameter's value in its type, in order, by lower-case name; and where to put what an OUTPUT parameter gives back.
    Procedures without a header take any number of arguments, and read them as they are. `shape` is that of the EXEC
    which they stand in, None where no text calls."""

    name: str
    arguments: Sequence[Any]
    frame: Frame
    given: Mapping[str, Any] = field(default_factory=dict)
    outputs: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    shape: CallShape | None = None

    @property
    def session(self) -> Any:
        return self.frame.session

    def values(self, required: int = 0) -> list[Any]:
        """The value of each parameter. Raises 201 when one of the first `required` was given as
        NULL, as if it had not been given."""
        for name, value in list(self.given.items())[:required]:
            if value is None:
                raise sql_error(201, self.name, name)
        return list(self.given.values())

    def give(self, parameter: str, value: Any) -> None:
        """The value of an OUTPUT parameter, in the parameter's type, for the caller who wants it."""
        if parameter in self.outputs:
            self.outputs[parameter](value)


class SystemProcedure(NamedTuple):
    """What the name of a system procedure means: its lower-case name, and the database that stands in front of it."""

    name: str
    database_id: int | None = None


SYSTEM_PROCEDURES: Registry[Callable[[ProcedureCall], Work]] = Registry("procedures")


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
    "sp_makewebtask", "sp_oacreate", "sp_oamethod", "sp_oadestroy",
    "sp_oageterrorinfo", "sp_oagetproperty", "sp_oasetproperty", "sp_send_dbmail", "sp_add_job", "sp_add_jobstep", "sp_add_jobserver", "sp_add_schedule",
    "sp_start_job", "sp_stop_job", "sp_delete_job", "sp_help_job", "sp_trace_create", "sp_trace_setevent",
    "sp_trace_setstatus", "sp_trace_generateevent", "sp_monitor", "sp_invoke_external_rest_endpoint",
    "sp_changeobjectowner", "sp_signature", "sp_control_plan_guide", "sp_create_plan_guide", "sp_fulltext_catalog",
    "sp_fulltext_table", "sp_fulltext_column",
    "xp_sendmail", "xp_dirtree", "xp_subdirs", "xp_fixeddrives",
    "xp_enumerrorlogs", "xp_logininfo", "xp_grantlogin", "xp_revokelogin", "xp_loginconfig",
)  # fmt: skip
"""Procedures of SQL Server that are not here: calling one is error 40517, which names it, and not "no such
procedure"."""


@procedure(*UNSUPPORTED)
def unsupported(call: ProcedureCall) -> Work:
    """Raises 40517."""
    raise sql_error(40517, call.name)
    yield
