"""Compiled batches and modules: parsing and compiling once, and the caches for it.

A batch is cached by its text, a module by its record; both are bound to names only when they run (LateBound), so a
cached one stays right when the catalog changes. User types are the exception: what names one is compiled again for each
catalog version.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import msgspec
from msgspec import Struct, field

from sbql.catalog.records import Module, Table
from sbql.engine.batch.batch_facts import facts_of
from sbql.engine.batch.compiler import Compiler
from sbql.engine.batch.early_binding import refuse
from sbql.engine.definition.declared_tables import declare_table_variable
from sbql.engine.modification.triggers import TriggerContext
from sbql.engine.modification.views import view_shape
from sbql.engine.ports import Session
from sbql.engine.running_lines import teller
from sbql.engine.scalars.expressions import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import in_text_of
from sbql.engine.steps import Step
from sbql.engine.tables.bound_table import bind_shape
from sbql.grammar.ast import (
    Batch,
    CreateFunctionStatement,
    CreateProcedureStatement,
    CreateTriggerStatement,
    CreateViewStatement,
    Parameter,
    SetOptionStatement,
)
from sbql.grammar.definition_texts import defined_module
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.parser import parse_batch
from sbql.grammar.types import CURSOR_TYPE, TABLE_TYPE, SqlType

__all__ = ["CompiledBatch", "DeclaredParameters", "ModuleCache"]

_BATCHES_MAX = 512
_MODULES_MAX = 2048
_MODULES = (CreateProcedureStatement, CreateFunctionStatement, CreateTriggerStatement, CreateViewStatement)


class CompiledBatch(Struct, frozen=True):
    """`slots` are those of its parameters. `switches_noexec`: the batch holds SET NOEXEC or PARSEONLY, and so must run
    even while they are ON. `parseonly` is what its last SET PARSEONLY says, which counts as soon as the text is parsed.
    `defines` is the module that it creates or alters, else ''."""

    step: Step
    scope: Scope
    slots: dict[str, int]
    switches_noexec: bool = False
    parseonly: bool | None = None
    defines: str = ""

    def new_frame(self, session: Session, parameters: dict[str, Any] | None = None) -> Frame:
        frame = Frame(session, self.scope.size)
        frame.scope = self.scope
        if self.defines:
            frame.defines = self.defines
        if parameters:
            for name, value in parameters.items():
                frame.variables[self.slots[name]] = value
        return frame


class CompiledParameter(Struct, frozen=True):
    name: str
    slot: int
    type: SqlType
    output: bool
    default: Scalar | None
    node: Parameter
    table: Table | None = None


class CompiledModule(Struct, frozen=True):
    """A procedure, function or trigger ready to run."""

    record: Module
    step: Step
    scope: Scope
    parameters: tuple[CompiledParameter, ...]
    returns: SqlType | None = None
    node: Any = None
    extra: dict[str, Any] = field(default_factory=dict)

    def new_frame(self, session: Session) -> Frame:
        frame = Frame(session, self.scope.size)
        frame.scope = self.scope
        return frame


class _TypesKey:
    """Types of parameters as part of a key: what they say is looked at once."""

    __slots__ = ("_hash", "_items")

    def __init__(self, types: dict[str, Any]) -> None:
        self._items = tuple(types.items())
        self._hash = hash(self._items)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, _TypesKey) and self._items == other._items)


class DeclaredTypes(dict[str, Any]):
    """Types of parameters by their names, which do not change any more; `key` stands for them."""

    __slots__ = ("key",)

    def __init__(self, types: dict[str, Any]) -> None:
        super().__init__(types)
        self.key = _TypesKey(types)


class DeclaredParameters(Struct, frozen=True):
    """The parameters of a dynamic batch: `types` by their names in lower case, a type or the shape
    of a table, which are OUTPUT, and the `defaults` of those that have one."""

    types: DeclaredTypes
    outputs: frozenset[str]
    defaults: dict[str, Scalar]


def _declared(tree: Batch | None, session: Session) -> tuple[DeclaredParameters, Scope]:
    scope = Scope(session)
    types: dict[str, Any] = {}
    outputs, defaults = set(), {}
    procedure: Any = tree.statements[0] if tree is not None else None
    for position, p in enumerate(procedure.parameters if procedure is not None else (), 1):
        if p.name.lower() in types:
            raise sql_error(134, p.name)
        if p.output and p.type.name.name.lower() == "cursor":
            types[p.name.lower()] = CURSOR_TYPE
            outputs.add(p.name.lower())
            continue
        table_type = scope.table_type(p.type)
        if table_type is not None and not p.readonly:
            raise sql_error(352, p.name)
        if table_type is None and p.readonly:
            raise sql_error(346, p.name)
        types[p.name.lower()] = (
            table_type.table if table_type is not None else scope.resolve_type(p.type, position=position)
        )
        if p.output:
            outputs.add(p.name.lower())
        if p.default is not None:
            defaults[p.name.lower()] = Compiler(Scope(session), session).scalar(p.default)
    return DeclaredParameters(DeclaredTypes(types), frozenset(outputs), defaults), scope


class ModuleCache:
    """Not thread safe beyond what a dict gives: two threads may compile the same text twice, to the same effect."""

    def __init__(self, drop_if_exists: bool = False) -> None:
        self._drop_if_exists = drop_if_exists
        self._trees: OrderedDict[Any, Batch] = OrderedDict()
        self._batches: OrderedDict[Any, CompiledBatch] = OrderedDict()
        self._modules: OrderedDict[Any, CompiledModule] = OrderedDict()
        self._declared: OrderedDict[Any, DeclaredParameters] = OrderedDict()

    def forget(self) -> None:
        """Compile everything anew: what texts are has changed."""
        for kept in (self._batches, self._modules, self._declared):
            kept.clear()

    def declared(self, text: str, session: Session) -> DeclaredParameters:
        """What the parameter list of a dynamic batch says, read as that of a procedure. Raises SqlError."""
        key = (text, session.database_id)
        found = self._declared.get(key) or self._declared.get((key, session.binding_key))
        if found is None:
            found, scope = _declared(self.parse(f"CREATE PROCEDURE p {text} AS RETURN") if text else None, session)
            _keep(self._declared, (key, session.binding_key) if scope.uses_user_types else key, found, _BATCHES_MAX)
        return found

    def parse(self, text: str, *, quoted_identifiers: bool = True) -> Batch:
        """The tree of a text; `quoted_identifiers` is QUOTED_IDENTIFIER where the text begins."""
        key: Any = text if quoted_identifiers else (text, "OFF")
        found = self._trees.get(key)
        if found is None:
            found = parse_batch(text, quoted_identifiers=quoted_identifiers, drop_if_exists=self._drop_if_exists)
            _keep(self._trees, key, found, _BATCHES_MAX)
        return found

    def batch(self, text: str, session: Session, parameter_types: dict[str, Any] | None = None) -> CompiledBatch:
        """The compiled form of a batch; a parameter's type may be the shape of a table. Raises SqlError for syntax,
        undeclared variables and unknown types."""
        quoted = session.options.quoted_identifier or '"' not in text
        types = None
        if parameter_types:
            types = parameter_types.key if isinstance(parameter_types, DeclaredTypes) else _TypesKey(parameter_types)
        key = (text, session.database_id, quoted, session.options.deviations, types)
        found = self._batches.get(key) or self._batches.get((key, session.binding_key))
        if found is None:
            try:
                with session.names_of_user():
                    tree = self.parse(text, quoted_identifiers=quoted)
                    found = self._compile(tree, text, session, parameter_types or {})
            except SqlError as error:
                raise error.of_definition(defined_module(text)) from None
            final = (key, session.binding_key) if found.scope.uses_user_types else key
            _keep(self._batches, final, found, _BATCHES_MAX)
        return found

    def _compile(self, tree: Batch, text: str, session: Session, parameter_types: dict[str, Any]) -> CompiledBatch:
        scope, slots = Scope(session), {}
        for name, declared in parameter_types.items():
            if isinstance(declared, Table):
                shape = msgspec.structs.replace(declared, name=name)
                slots[name] = scope.declare_table(name, shape, is_readonly=True)
            elif declared is CURSOR_TYPE:
                slots[name] = scope.declare_cursor(name)
            else:
                slots[name] = scope.declare_parameter(name, declared)
        compiler = Compiler(scope, session, text=text, facts=facts_of(tree), tell_line=teller(text))
        step = compiler.whole(tree.statements)
        scope.used_database = None  # what is compiled later goes by the database that the session is in
        refuse(compiler.bindings, session, scope)
        switches = any(
            isinstance(s, SetOptionStatement) and {"NOEXEC", "PARSEONLY"} & set(s.options) for s in tree.statements
        )
        parseonly = None
        for statement in tree.statements:
            if isinstance(statement, SetOptionStatement) and "PARSEONLY" in statement.options:
                parseonly = statement.value == "ON"
        first = tree.statements[0] if tree.statements else None
        defines = first.name.name if isinstance(first, _MODULES) else ""
        return CompiledBatch(step, scope, slots, switches, parseonly, defines)

    def returns(self, record: Module, session: Session) -> SqlType | None:
        """The type of a function's result. Its body is not compiled: it may call the function itself."""
        node = self.parse(record.definition, quoted_identifiers=record.uses_quoted_identifier).statements[0]
        declared = node.returns if isinstance(node, CreateFunctionStatement) else None
        return Scope.in_database_of(record, session).resolve_type(declared) if declared is not None else None

    def parameter_count(self, record: Module) -> int:
        """How many parameters a function has, without its body either."""
        node = self.parse(record.definition, quoted_identifiers=record.uses_quoted_identifier).statements[0]
        return len(node.parameters) if isinstance(node, CreateFunctionStatement) else 0

    def module(self, record: Module, session: Session) -> CompiledModule:
        """The compiled form of a procedure, function or trigger."""
        if record.uses_ansi_nulls != session.options.ansi_nulls:
            with session.as_created(record.uses_ansi_nulls):
                return self.module(record, session)
        key: Any = (record.database_id, record.id, record.modify_date, record.definition, session.options.deviations)
        found = self._modules.get(key) or self._modules.get((key, session.binding_key))
        if found is None:
            tree = self.parse(record.definition, quoted_identifiers=record.uses_quoted_identifier)
            found = _compile_module(record, tree, session)
            final = (key, session.binding_key) if found.scope.uses_user_types else key
            _keep(self._modules, final, found, _MODULES_MAX)
        return found

    def compiled(
        self,
        record: Module,
        node: CreateProcedureStatement | CreateFunctionStatement | CreateTriggerStatement,
        session: Session,
    ) -> CompiledModule:
        """A module that is not kept: CREATE looks whether its text can be compiled. Raises SqlError."""
        return compile_module_node(record, node, session)


def _keep(cache: OrderedDict[Any, Any], key: Any, value: Any, limit: int) -> None:
    cache[key] = value
    if len(cache) > limit:
        cache.popitem(last=False)


def _compile_module(record: Module, tree: Batch, session: Session) -> CompiledModule:
    node = tree.statements[0]
    assert isinstance(
        node, CreateProcedureStatement | CreateFunctionStatement | CreateTriggerStatement | CreateViewStatement
    )
    if isinstance(node, CreateViewStatement):
        raise sql_error(2812, record.name)
    try:
        return compile_module_node(record, node, session)
    except SqlError as error:
        error.procedure = record.name
        raise


def compile_module_node(
    record: Module, node: CreateProcedureStatement | CreateFunctionStatement | CreateTriggerStatement, session: Session
) -> CompiledModule:
    """Compile a module's parameters and body. Raises SqlError for what the text alone shows to be wrong."""
    with in_text_of(session, record):
        return _compile_node(record, node, session)


def _trigger_frame(record: Module, scope: Scope, session: Session) -> Frame | None:
    """A frame of a trigger of rows as it will run, to bind its statements: it knows the shape of inserted and deleted,
    and has no rows. None of other modules."""
    table = session.catalog.get(Table, record.database_id, record.parent_id) if record.type == "TR" else None
    view = session.catalog.get(Module, record.database_id, record.parent_id) if record.type == "TR" else None
    if table is None and view is not None:
        table = view_shape(session, view)
    if table is None:
        return None
    frame = Frame(session, scope.size)
    bound = bind_shape(table, session, display=table.name)
    frame.trigger = TriggerContext(table, bound, record.events[0], [], [], frozenset(), record.timing == "AFTER")
    return frame


def _compile_node(
    record: Module, node: CreateProcedureStatement | CreateFunctionStatement | CreateTriggerStatement, session: Session
) -> CompiledModule:
    scope = Scope.in_database_of(record, session)
    parameters = []
    for position, parameter in enumerate(getattr(node, "parameters", ()), 1):
        default = None
        if parameter.default is not None:
            default = Compiler(scope.emptied(), session).scalar(parameter.default)
        if parameter.varying:
            slot = scope.declare_cursor(parameter.name, parameter.span)
            parameters.append(CompiledParameter(parameter.name, slot, CURSOR_TYPE, True, None, parameter))
            continue
        table_type = scope.table_type(parameter.type)
        if table_type is not None and table_type.table is not None:
            if not parameter.readonly:
                raise sql_error(352, parameter.name, span=parameter.span)
            shape = msgspec.structs.replace(table_type.table, name=parameter.name)
            slot = scope.declare_table(parameter.name, shape, parameter.span, is_readonly=True)
            parameters.append(CompiledParameter(parameter.name, slot, TABLE_TYPE, False, None, parameter, shape))
            continue
        sql_type = scope.resolve_type(parameter.type, position=position)
        if parameter.readonly:
            raise sql_error(346, parameter.name, span=parameter.span)
        slot = scope.declare_parameter(parameter.name, sql_type, parameter.span)
        parameters.append(CompiledParameter(parameter.name, slot, sql_type, parameter.output, default, parameter))
    returns = None
    if isinstance(node, CreateFunctionStatement) and node.returns is not None:
        returns = scope.resolve_type(node.returns)
    told = teller(record.definition)
    compiler = Compiler(scope, session, in_module=record.type, facts=facts_of(node), tell_line=told)
    compiler.returns = returns
    if isinstance(node, CreateFunctionStatement) and node.table_name is not None:
        declare_table_variable(node.table_name, node.table_elements, compiler)
    step = compiler.whole(node.body)
    sample = _trigger_frame(record, scope, session) if compiler.bindings.entries else None
    refuse(compiler.bindings, session, scope, sample=sample)
    return CompiledModule(record, step, scope, tuple(parameters), returns, node)
