"""sp_refreshview, sp_refreshsqlmodule, sp_recompile: there is nothing to refresh, for names are bound when a statement
runs; what is wrong with a module shows all the same."""

from __future__ import annotations

from sbql.catalog.records import Module, Table
from sbql.engine.describe.module_texts import columns_of_module
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.outcomes import InfoMessage
from sbql.engine.security import may
from sbql.engine.security.resolver import resolve
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.messages import message
from sbql.grammar.names import parse_object_name


@procedure("sp_refreshview")
def sp_refreshview(call: ProcedureCall) -> Work:
    """@viewname: bind a view anew. Raises 15165, 15166, and what is wrong with its query."""
    (name,) = call.values(required=1)
    session = call.session
    found = resolve(session, parse_object_name(name), missing_ok=True)
    if found is None or not may(session, "ALTER", found):
        raise sql_error(15165, name)
    if not isinstance(found, Module) or found.type != "V":
        raise sql_error(15166, name)
    columns_of_module(session, found)
    return 0
    yield


@procedure("sp_refreshsqlmodule")
def sp_refreshsqlmodule(call: ProcedureCall) -> Work:
    """@name [, @namespace]: bind a module anew. Raises 15165, and what is wrong with it."""
    name, _ = call.values(required=1)
    session = call.session
    found = resolve(session, parse_object_name(name), Module, missing_ok=True)
    if found is None or not may(session, "ALTER", found):
        raise sql_error(15165, name)
    if found.type in ("V", "IF"):
        columns_of_module(session, found)
    else:
        session.instance.modules.module(found, session)
    return 0
    yield


@procedure("sp_recompile")
def sp_recompile(call: ProcedureCall) -> Work:
    """@objname: mark a module, or those of a table. Raises 15165."""
    (name,) = call.values(required=1)
    session = call.session
    found = resolve(session, parse_object_name(name), Module, Table, missing_ok=True)
    if found is None or not may(session, "ALTER", found):
        raise sql_error(15165, name)
    text = message(15070)
    session.emit(InfoMessage(text.text % found.name, 15070, text.severity))
    return 0
    yield
