"""CREATE, ALTER, DROP of procedures, functions, views and triggers; ENABLE and DISABLE TRIGGER.

A module keeps its text; its body is compiled once to find undeclared variables and wrong types, but names of tables and
queues are looked up only when it runs (deferred name resolution).
"""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import Module, Schema, Signature, Table
from sbql.engine.definition.ddl import check_right, ddl_step, execute_as_fields, may_drop
from sbql.engine.definition.ddl_triggers import create_ddl_trigger, drop_ddl_triggers, enable_ddl_triggers
from sbql.engine.definition.missing_procedures import tell_missing_procedures
from sbql.engine.definition.temp_tables import drop_temp_module, keep_temp_module
from sbql.engine.describe.dependents import refuse_bound
from sbql.engine.describe.module_rules import check_function, check_schema_binding, check_view_text
from sbql.engine.ports import Session, Transaction
from sbql.engine.query.translation import check_inline_function, check_view
from sbql.engine.running_lines import made_of
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import check_alter, may
from sbql.engine.security.resolver import database_of, in_text_of, resolve, resolve_itself, schema_of
from sbql.engine.steps import Step, handles
from sbql.engine.tables.definitions import constraint_named
from sbql.engine.tables.elements import column_of
from sbql.grammar.ast import (
    CreateFunctionStatement,
    CreateProcedureStatement,
    CreateTriggerStatement,
    CreateViewStatement,
    DeleteStatement,
    DropModuleStatement,
    EnableTriggerStatement,
    ExecuteAsClause,
    InsertStatement,
    MergeStatement,
    NamedTable,
    ObjectName,
    SampledTable,
    UpdatePredicate,
    UpdateStatement,
)
from sbql.grammar.definition_texts import as_create
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all, walk

__all__ = ["create_module"]

_NO_RESULTS = frozenset({"text", "ntext", "image", "timestamp", "rowversion", "cursor"})
_KINDS = {"PROCEDURE": ("P",), "FUNCTION": ("FN", "IF", "TF"), "VIEW": ("V",), "TRIGGER": ("TR",)}


def _function_type(node: CreateFunctionStatement) -> str:
    if node.query is not None:
        return "IF"
    return "TF" if node.table_name is not None else "FN"


@handles(CreateProcedureStatement)
def compile_create_procedure(node: CreateProcedureStatement, compiler: Compiler) -> Step:
    if node.external_name is not None:
        raise sql_error(40517, "CLR (EXTERNAL NAME)")
    if node.name.name.startswith("#"):
        return _create_temporary(node, compiler)
    return _create(node, "P", compiler, node.execute_as)


@handles(CreateFunctionStatement)
def compile_create_function(node: CreateFunctionStatement, compiler: Compiler) -> Step:
    if node.external_name is not None:
        raise sql_error(40517, "CLR (EXTERNAL NAME)")
    return _create(node, _function_type(node), compiler, node.execute_as)


@handles(CreateViewStatement)
def compile_create_view(node: CreateViewStatement, compiler: Compiler) -> Step:
    return _create(node, "V", compiler, None)


@handles(CreateTriggerStatement)
def compile_create_trigger(node: CreateTriggerStatement, compiler: Compiler) -> Step:
    if node.external_name is not None:
        raise sql_error(40517, "CLR (EXTERNAL NAME)")
    return _create(node, "TR", compiler, node.execute_as)


def _definition(node: Any, compiler: Compiler) -> str:
    """The text that is kept."""
    found = as_create(compiler.text, node.span.start, node.verb)
    made_of(found, compiler.text)
    return found


def _create_temporary(node: CreateProcedureStatement, compiler: Compiler) -> Step:
    """#name and ##name: in no catalog, so that nobody else's names are bound anew."""
    definition = _definition(node, compiler)

    def run(frame: Frame) -> int:
        session = frame.session
        with session.statement() as transaction:
            record = msgspec.structs.replace(
                _record(session, node, "P", definition, node.execute_as), id=session.instance.tables.new_temp_id(),
                principal_id=session.user.id,
            )  # fmt: skip
            record = _check_verb(node, "P", resolve(session, node.name, Module, missing_ok=True), record)
            _check_body(session, record, node)
            keep_temp_module(session, transaction, record)
        return 0

    return Step(run)


def _create(node: Any, kind: str, compiler: Compiler, execute_as: ExecuteAsClause | None) -> Step:
    definition = _definition(node, compiler)
    if "NATIVE_COMPILATION" in node.options:
        raise sql_error(40517, "NATIVE_COMPILATION", span=node.span)

    def body(session: Session, transaction: Transaction) -> None:
        if kind == "TR" and node.scope is not None:
            create_ddl_trigger(session, transaction, node, definition)
            return
        create_module(session, transaction, node, kind, definition, execute_as)

    return ddl_step(body)


def create_module(
    session: Session,
    transaction: Transaction,
    node: Any,
    kind: str,
    definition: str,
    execute_as: ExecuteAsClause | None = None,
) -> None:
    """Create or alter a module inside a statement that holds the schema lock; `definition` is the text that is kept."""
    database = database_of(session, node.name)
    if node.name.database:
        raise sql_error(166, f"{node.verb} {_kind_name(kind)}", span=node.name.span)
    schema = schema_of(session, database, node.name)
    there = session.catalog.find_object(database.id, schema.id, node.name.name)
    if kind != "TR" and node.verb != "ALTER" and (there is None or node.verb == "CREATE"):
        check_right(session, f"CREATE {_kind_name(kind)}")
    record = _record(session, node, kind, definition, execute_as)
    existing = session.catalog.find_object(database.id, record.schema_id, record.name)
    if node.verb != "ALTER" and constraint_named(session.catalog, database.id, record.schema_id, record.name):
        raise sql_error(2714, record.name, state=3, span=node.name.span)
    record = _check_verb(node, kind, existing, record)
    if isinstance(existing, Module):
        if not may(session, "ALTER", existing) and not _may_change(session, existing):
            raise sql_error(3701, "alter", _kind_name(kind).lower(), str(node.name), span=node.name.span)
        refuse_bound(session, existing, "alter", str(node.name), node.name.span)
    _check_body(session, record, node)
    tell_missing_procedures(session, record, node)
    transaction.change_catalog(existing if isinstance(existing, Module) else None, record)
    for signature in list(session.catalog.all(Signature, record.database_id)):
        if signature.module_id == record.id:  # it was of the old text
            transaction.change_catalog(signature, None)


def _record(session: Session, node: Any, kind: str, definition: str, execute_as: ExecuteAsClause | None) -> Module:
    database = database_of(session, node.name)
    schema = schema_of(session, database, node.name)
    now = session.instance.host.now()
    context, context_id = execute_as_fields(session, execute_as)
    extra: dict[str, Any] = {}
    if kind == "TR":
        extra, schema_id = _trigger_fields(session, node)
        if node.name.schema is None:
            schema = session.catalog.get(Schema, database.id, schema_id) or schema
        elif schema.id != schema_id:
            raise sql_error(2103, str(node.name), span=node.name.span)
    return Module(
        id=session.catalog.next_id(), database_id=database.id, name=node.name.name, schema_id=schema.id, type=kind,
        definition=definition, create_date=now, modify_date=now, execute_as=context, execute_as_principal_id=context_id,
        uses_quoted_identifier=session.options.quoted_identifier, uses_ansi_nulls=session.options.ansi_nulls, is_encrypted="ENCRYPTION" in node.options, **extra,
    )  # fmt: skip


def _trigger_fields(session: Session, node: CreateTriggerStatement) -> tuple[dict[str, Any], int]:
    """What a trigger says of itself beside a module, and the schema of its table or view, which is its own."""
    assert node.table is not None
    for place, event in enumerate(node.events):
        if event in node.events[:place]:
            raise sql_error(1034, event, span=node.span)
    parent = resolve_itself(session, node.table)
    if not isinstance(parent, Table | Module) or (isinstance(parent, Module) and parent.type != "V"):
        raise sql_error(8197, str(node.table), state=4, span=node.table.span)
    if isinstance(parent, Module) and node.timing != "INSTEAD OF":
        raise sql_error(8197, str(node.table), span=node.table.span)
    for event in node.events:
        if event not in ("INSERT", "UPDATE", "DELETE"):
            raise sql_error(102, event, span=node.span)
    if node.timing == "INSTEAD OF":
        _refuse_second_instead_of(session, node, parent)
    if not may(session, "ALTER", parent):
        if node.verb == "ALTER":
            raise sql_error(3701, "alter", "trigger", str(node.name), span=node.name.span)
        raise sql_error(8197, str(node.table), state=4, span=node.table.span)
    for part in walk(node):
        if isinstance(part, UpdatePredicate) and isinstance(parent, Table):
            column = column_of(parent, part.column.value)
            if column is None or column.computed is not None:
                raise sql_error(207 if column is None else 2114, part.column.value, span=part.column.span)
        if isinstance(part, InsertStatement | UpdateStatement | DeleteStatement | MergeStatement):
            _refuse_logical_target(part)
    return {"parent_id": parent.id, "timing": node.timing, "events": tuple(node.events)}, parent.schema_id


def _refuse_logical_target(node: InsertStatement | UpdateStatement | DeleteStatement | MergeStatement) -> None:
    """inserted and deleted are for reading, by an alias too. Raises 286."""
    if not isinstance(node.target, NamedTable):
        return
    own = {table.name.value.lower() for table in node.with_.tables} if node.with_ is not None else set()
    target = node.target.name
    if isinstance(node, UpdateStatement | DeleteStatement) and node.from_ is not None and target.schema is None:
        for source in find_all(node.from_, NamedTable):
            if source.alias is not None and source.alias.value.lower() == target.name.lower():
                target = source.name
                break
    if target.schema is None and target.name.lower() in {"inserted", "deleted"} - own:
        raise sql_error(286, span=node.target.span)


def _refuse_second_instead_of(session: Session, node: CreateTriggerStatement, parent: Any) -> None:
    """An event has one INSTEAD OF trigger, and none where a foreign key of the table cascades it. Raises 2111, 2113."""
    assert node.table is not None
    for other in session.catalog.all(Module, parent.database_id):
        if other.type != "TR" or other.parent_id != parent.id or other.timing != "INSTEAD OF":
            continue
        shared = [event for event in node.events if event in other.events]
        if shared and other.name.lower() != node.name.name.lower():
            raise sql_error(2111, node.name.name, shared[0], span=node.name.span)
    for constraint in getattr(parent, "constraints", ()):
        actions = {"DELETE": constraint.on_delete, "UPDATE": constraint.on_update}
        if constraint.type == "F" and any(actions.get(event, "NO ACTION") != "NO ACTION" for event in node.events):
            raise sql_error(2113, node.name.name, str(node.table), span=node.name.span)


def _kind_name(kind: str) -> str:
    return next(name for name, types in _KINDS.items() if kind in types)


def _may_change(session: Session, record: Module) -> bool:
    """A module may be altered and dropped with ALTER on it (CONTROL for DROP: the owner's and the schema owner's), a
    trigger with ALTER on its table."""
    if record.type == "TR":
        table = session.catalog.get(Table, record.database_id, record.parent_id)
        parent = table or session.catalog.get(Module, record.database_id, record.parent_id)
        return parent is None or may(session, "ALTER", parent)
    return may_drop(session, record)


def _check_verb(node: Any, kind: str, existing: Any, record: Module) -> Module:
    """CREATE wants no such object (2714), ALTER wants one of the same kind (208); an altered one keeps id and dates."""
    if existing is None:
        if node.verb == "ALTER":
            raise sql_error(208, str(node.name), state=6, span=node.name.span)
        return record
    if node.verb == "CREATE":
        raise sql_error(2714, record.name, state=3, span=node.name.span)
    if not isinstance(existing, Module) or existing.type != kind:
        raise sql_error(2010, record.name, span=node.name.span)
    return msgspec.structs.replace(
        record, id=existing.id, create_date=existing.create_date, is_disabled=existing.is_disabled,
        principal_id=existing.principal_id,
    )  # fmt: skip


def _check_body(session: Session, record: Module, node: Any) -> None:
    """Undeclared variables and such are found now; missing tables only when the module runs."""
    if "SCHEMABINDING" in node.options:
        check_schema_binding(node, session)
    if isinstance(node, CreateFunctionStatement):
        check_function(node, record.definition)
    if isinstance(node, CreateViewStatement | CreateFunctionStatement) and node.query is not None:
        sample = next((n for n in walk(node.query) if isinstance(n, SampledTable)), None)
        if sample is not None:
            raise sql_error(478, span=sample.span)
    if isinstance(node, CreateViewStatement | CreateFunctionStatement):
        _refuse_temporary(node)
        if node.query is not None:
            check_view_text(node.query)
    with in_text_of(session, record):
        if isinstance(node, CreateViewStatement):
            check_view(session, node)
            return
        compiled = session.instance.modules.compiled(record, node, session)
        if isinstance(node, CreateFunctionStatement):
            _check_types(node, compiled)
        if isinstance(node, CreateFunctionStatement) and node.query is not None:
            check_inline_function(session, node, compiled.scope)


def _check_types(node: CreateFunctionStatement, compiled: Any) -> None:
    """What a function takes and returns. Raises 2733 for a result that none may have, 2724 for such a parameter."""
    if compiled.returns is not None and compiled.returns.name in _NO_RESULTS:
        assert node.returns is not None
        raise sql_error(2733, compiled.returns.name, span=node.returns.span)
    for parameter in compiled.parameters:
        if parameter.type.name in ("timestamp", "rowversion", "cursor"):
            raise sql_error(2724, parameter.name, span=parameter.node.span)


def _refuse_temporary(node: CreateViewStatement | CreateFunctionStatement) -> None:
    """Views (4508) and functions (2772) know no temporary tables."""
    for inner in walk(node):
        if isinstance(inner, NamedTable) and inner.name.name.startswith("#"):
            raise sql_error(4508 if isinstance(node, CreateViewStatement) else 2772, span=inner.span)


@handles(DropModuleStatement)
def compile_drop(node: DropModuleStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        if node.scope is not None:
            drop_ddl_triggers(session, transaction, node)
            return
        for name in node.names:
            record = _find(session, name, node.kind)
            if record is not None and not _may_change(session, record):
                record = None
            if record is None:
                if node.if_exists:
                    continue
                raise sql_error(3701, "drop", node.kind.lower(), str(name), span=name.span)
            if record.name.startswith("#"):
                drop_temp_module(session, record, transaction)
                continue
            refuse_bound(session, record, f"DROP {node.kind}", str(name), name.span)
            for trigger in list(session.catalog.all(Module, record.database_id)):
                if trigger.type == "TR" and trigger.parent_id == record.id:
                    transaction.change_catalog(trigger, None)
            transaction.change_catalog(record, None)

    return ddl_step(body)


def _find(session: Session, name: ObjectName, kind: str) -> Module | None:
    found = resolve(session, name, Module, missing_ok=True)
    return found if found is not None and found.type in _KINDS[kind] else None


@handles(EnableTriggerStatement)
def compile_enable_trigger(node: EnableTriggerStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        if node.on is None:
            enable_ddl_triggers(session, transaction, node)
            return
        table = resolve_itself(session, node.on)
        if not isinstance(table, Table) and not (isinstance(table, Module) and table.type == "V"):
            raise sql_error(208, str(node.on), span=node.on.span)
        check_alter(session, table, node.on)
        triggers = [
            t for t in session.catalog.all(Module, table.database_id) if t.type == "TR" and t.parent_id == table.id
        ]
        wanted = {n.name.lower() for n in node.names}
        for name in node.names:
            if name.name.lower() not in {t.name.lower() for t in triggers}:
                raise sql_error(3701, "alter", "trigger", str(name), span=name.span)
        for trigger in triggers:
            if not wanted or trigger.name.lower() in wanted:
                transaction.change_catalog(trigger, msgspec.structs.replace(trigger, is_disabled=not node.enable))

    return ddl_step(body)
