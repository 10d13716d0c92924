"""What the text of a module, a CHECK, a DEFAULT or a computed column names: objects, their columns, types.

Decides from the tree alone what is a reference, what it is used for (selected, updated, all columns
selected), and which column of which table a name means; names are looked up in the catalog as it is now. It
must not know the views that show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from sbql.catalog import live_relations as live
from sbql.catalog.records import CatalogRecord, Database, Module, Queue, Schema, Sequence, Synonym, Table, UserType
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.scalars.function_registry import all_functions
from sbql.engine.tables.row_expressions import parse_condition, parse_expression
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import columns_in, parts, walk
from sbql.grammar.values.type_names import is_system_type

__all__ = ["Reference", "check_columns", "dependency_rows", "references_of"]

OBJECT, TYPE, XML_COLLECTION = 1, 6, 10


class Use(Struct):
    """Of an object or a column: what is done with it."""

    is_selected: bool = False
    is_updated: bool = False
    is_select_all: bool = False


class Reference(Struct):
    """A name in a text and what it means now: `record` None when there is no such object, or it is found only when the
    text runs."""

    name: ast.ObjectName
    class_: int = OBJECT
    record: CatalogRecord | None = None
    is_caller_dependent: bool = False
    use: Use = field(default_factory=Use)
    columns: dict[str, Use] = field(default_factory=dict)


class _Text:
    """The references of one text, each name once."""

    def __init__(self, snapshot: CatalogSnapshot, database_id: int, schema: str = "dbo") -> None:
        self.snapshot = snapshot
        self.database_id = database_id
        self.schemas = dict.fromkeys((schema, "dbo"))
        self.found: dict[tuple[int, str], Reference] = {}

    def add(self, name: ast.ObjectName, class_: int = OBJECT) -> Reference:
        known = self.found.get((class_, str(name).lower()))
        if known is None:
            known = self.found[class_, str(name).lower()] = Reference(name, class_, self._record(name, class_))
        return known

    def _record(self, name: ast.ObjectName, class_: int) -> CatalogRecord | None:
        database_id = self.database_id
        if name.database:
            database = self.snapshot.find(Database, 0, name.database)
            if database is None or name.server is not None:
                return None
            database_id = database.id
        if class_ == TYPE:
            schema = self.snapshot.find(Schema, database_id, name.schema or "dbo")
            return None if schema is None else self.snapshot.find(UserType, database_id, name.name, schema.id)
        for written in (name.schema,) if name.schema else self.schemas:
            schema = self.snapshot.find(Schema, database_id, written)
            found = None if schema is None else self.snapshot.find_object(database_id, schema.id, name.name)
            if found is not None:
                return found
        return None


def references_of(tree: Any, snapshot: CatalogSnapshot, database_id: int, schema: str = "dbo") -> list[Reference]:
    """What the statements below `tree` name, in order of appearance; names of one part are those of `schema` or dbo."""
    text = _Text(snapshot, database_id, schema)
    for statement in _leaves(tree):
        _read_statement(statement, text)
    return list(text.found.values())


def _leaves(tree: Any) -> Iterator[ast.Node]:
    """The statements that hold no others; of those that do, their own parts (the condition of an IF)."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from _leaves(item)
        return
    if not isinstance(tree, ast.Node):
        return
    inner = [value for value in parts(tree) if _has_statements(value)]
    if not inner:
        yield tree
        return
    for value in parts(tree):
        yield from _leaves(value)


def _has_statements(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(isinstance(item, ast.Statement) for item in value)
    return isinstance(value, ast.Statement)


# --- one statement -----------------------------------------------------------------------------------------


def _read_statement(node: ast.Node, text: _Text) -> None:
    own = {c.name.value.lower() for n in walk(node) if isinstance(n, ast.WithClause) for c in n.tables}
    sources: dict[str, Reference] = {}
    target = getattr(node, "target", None)
    written = target if isinstance(node, _WRITES) and isinstance(target, ast.NamedTable) else None
    for part in walk(node):
        if isinstance(part, ast.NamedTable) and part is not written:
            _read_table(part, own, sources, text).is_selected = True
        else:
            _read_other(part, text)
    if written is not None:
        alias = sources.get(written.name.name.lower()) if len(written.name.parts) == 1 else None
        use = alias.use if alias is not None else _read_table(written, own, sources, text)
        use.is_updated = True
    _read_columns(node, sources, written)


_WRITES = (ast.InsertStatement, ast.UpdateStatement, ast.DeleteStatement, ast.MergeStatement)


def _read_table(part: ast.NamedTable, own: set[str], sources: dict[str, Reference], text: _Text) -> Use:
    name = part.name
    plain = name.name.lower()
    is_own = len(name.parts) == 1 and (plain in own or plain in ("inserted", "deleted"))
    if is_own or plain.startswith("#") or (name.schema or "").lower() in ("sys", "information_schema"):
        return Use()
    found = text.add(name)
    sources[(part.alias.value if part.alias is not None else name.name).lower()] = found
    return found.use


def _read_other(part: ast.Node, text: _Text) -> None:
    if isinstance(part, ast.FunctionTable | ast.FunctionCall):
        if (part.name.schema or "").lower() not in ("", "sys"):
            text.add(part.name).use.is_selected = True
        elif isinstance(part, ast.FunctionTable) and part.name.name.upper() not in _TABLE_FUNCTIONS:
            if not part.name.schema and part.name.name.upper() not in all_functions():
                text.add(part.name).use.is_selected = True
    elif isinstance(part, ast.NextValueFor):
        text.add(part.sequence).use.is_updated = True
    elif isinstance(part, ast.ExecuteStatement) and isinstance(part.procedure, ast.ObjectName):
        name = part.procedure
        if not name.name.lower().startswith(("#", "sp_", "xp_")):
            found = text.add(name)
            if name.schema is None and name.database is None:
                found.is_caller_dependent, found.record = True, None
    elif isinstance(part, ast.DataTypeReference):
        if part.xml_collection is not None:
            text.add(part.xml_collection, XML_COLLECTION)
        elif not is_system_type(part.name.name) and part.name.name.lower() not in ("cursor", "table"):
            text.add(part.name, TYPE)
    elif isinstance(queue := getattr(part, "queue", None), ast.ObjectName):
        text.add(queue).use.is_selected = True


_TABLE_FUNCTIONS = frozenset({"STRING_SPLIT", "GENERATE_SERIES", "OPENJSON", "OPENXML"})


def _read_columns(node: ast.Node, sources: dict[str, Reference], written: ast.NamedTable | None) -> None:
    """Which columns of the sources the statement names."""
    changed: set[str] = set()
    for part in walk(node):
        if isinstance(part, ast.Assignment) and part.column is not None:
            changed.add(part.column.name.lower())
    columns = getattr(node, "columns", ()) if isinstance(node, ast.InsertStatement) else ()
    changed |= {c.value.lower() for c in columns}
    target = None
    if written is not None:
        key = (written.alias.value if written.alias is not None else written.name.name).lower()
        target = sources.get(key)
    if target is not None:
        for name in changed & _column_names(target).keys():
            target.columns.setdefault(name, Use()).is_updated = True
    for part in walk(node):
        if isinstance(part, ast.ColumnReference):
            found = _owner_of(part, sources)
            if found is not None:
                found.columns.setdefault(part.name.lower(), Use()).is_selected = True
        elif isinstance(part, ast.SelectStar):
            wanted = part.qualifier.name.lower() if part.qualifier is not None else None
            for alias, source in sources.items():
                if (wanted is None or wanted == alias) and source is not target:
                    source.use.is_select_all = True
                    for name in _column_names(source):
                        use = source.columns.setdefault(name, Use())
                        use.is_selected = use.is_select_all = True


def _owner_of(column: ast.ColumnReference, sources: dict[str, Reference]) -> Reference | None:
    qualifier = column.parts[-2] if len(column.parts) > 1 else None
    if qualifier is not None:
        found = sources.get(qualifier.value.lower())
        return found if found is not None and column.name.lower() in _column_names(found) else None
    owners = {id(s): s for s in sources.values() if column.name.lower() in _column_names(s)}
    return next(iter(owners.values())) if len(owners) == 1 else None


def _column_names(reference: Reference) -> dict[str, tuple[int, str]]:
    """Column id and name by the name in lower case; of tables only: the columns of a view are in its text."""
    record = reference.record
    return {c.name.lower(): (c.column_id, c.name) for c in record.columns} if isinstance(record, Table) else {}


# --- all of a catalog --------------------------------------------------------------------------------------


def dependency_rows(snapshot: CatalogSnapshot) -> list[live.Dependency]:
    """One for each reference and one for each column of it. Kept with the snapshot."""
    kept: list[live.Dependency] | None = snapshot.derived.get("dependencies")
    if kept is None:
        kept = snapshot.derived["dependencies"] = list(_dependencies(snapshot))
    return kept


def _dependencies(snapshot: CatalogSnapshot) -> Iterator[live.Dependency]:
    for module in snapshot.all(Module):
        if not module.definition:
            continue
        try:
            tree = parse_batch(module.definition, drop_if_exists=True).statements[0]
        except SqlError:
            continue
        is_bound = "SCHEMABINDING" in getattr(tree, "options", ())
        class_ = 1 if not module.scope else 13 if module.scope == "SERVER" else 12
        schema = snapshot.get(Schema, module.database_id, module.schema_id)
        found = references_of(tree, snapshot, module.database_id, "dbo" if schema is None else schema.name)
        table = snapshot.get(Table, module.database_id, module.parent_id) or snapshot.get(
            Module, module.database_id, module.parent_id
        )
        if table is not None:
            own = [r for r in found if r.record is table]
            found = [r for r in found if r not in own or r.use.is_selected or r.use.is_updated]
        yield from _rows(module.database_id, module.id, 0, class_, found, is_bound=is_bound)
    for table in snapshot.all(Table):
        for constraint in table.constraints:
            if constraint.condition is not None:
                yield from _own_rows(snapshot, table, constraint.id, 0, parse_condition(constraint.condition))
        for column in table.columns:
            if column.default is not None:
                yield from _own_rows(snapshot, table, column.default_id, 0, parse_expression(column.default))
            if column.computed is not None:
                yield from _own_rows(snapshot, table, table.id, column.column_id, parse_expression(column.computed))


def check_columns(snapshot: CatalogSnapshot) -> list[live.CheckColumn]:
    """The columns that CHECK constraints name. Kept with the snapshot."""
    kept: list[live.CheckColumn] | None = snapshot.derived.get("check columns")
    if kept is None:
        kept = snapshot.derived["check columns"] = []
        for table in snapshot.all(Table):
            names = {c.name.lower(): (c.column_id, c.name) for c in table.columns}
            for constraint in table.constraints:
                if constraint.condition is not None:
                    named = {c.name.lower() for c in columns_in(parse_condition(constraint.condition))} & names.keys()
                    for column_id, name in (names[key] for key in sorted(named)):
                        kept.append(live.CheckColumn(table.database_id, constraint.id, column_id=column_id, name=name))
    return kept


def _own_rows(
    snapshot: CatalogSnapshot, table: Table, referencing: int, minor: int, tree: Any
) -> Iterator[live.Dependency]:
    """What an expression of a table names: its columns, functions, sequences. Such references are schema bound."""
    schema = snapshot.get(Schema, table.database_id, table.schema_id)
    parts = (ast.Identifier(schema.name if schema is not None else "dbo"), ast.Identifier(table.name))
    own = Reference(ast.ObjectName(parts), OBJECT, table)
    names = _column_names(own)
    own.columns = {c.name.lower(): Use(is_selected=True) for c in columns_in(tree) if c.name.lower() in names}
    own.use.is_selected = True
    found = references_of(tree, snapshot, table.database_id)
    yield from _rows(table.database_id, referencing, minor, 1, found, is_bound=True)
    yield from (
        row
        for row in _rows(table.database_id, referencing, minor, 1, [own] if own.columns else [], is_bound=True)
        if row.referenced_minor_id
    )


def _rows(
    database_id: int, referencing: int, minor: int, class_: int, found: Iterable[Reference], *, is_bound: bool
) -> Iterator[live.Dependency]:
    for r in found:
        if isinstance(r.record, Synonym | Queue | Sequence | Module | Table | UserType | None):
            referenced = _referenced_id(r)
            whole = live.Dependency(
                database_id=database_id, referencing_id=referencing, referencing_minor_id=minor, referencing_class=class_,
                referenced_class=r.class_, server_name=r.name.server, database_name=r.name.database, schema_name=r.name.schema,
                entity_name=r.name.name, referenced_id=referenced, referenced_minor_id=0, minor_name=None,
                is_schema_bound=is_bound and r.record is not None, is_caller_dependent=r.is_caller_dependent, is_ambiguous=False,
                is_selected=r.use.is_selected, is_updated=r.use.is_updated, is_select_all=r.use.is_select_all,
            )  # fmt: skip
            yield whole
            names = _column_names(r)
            for key, use in sorted(r.columns.items(), key=lambda item: names[item[0]]):
                column_id, name = names[key]
                yield whole._replace(
                    referenced_minor_id=column_id, minor_name=name, is_caller_dependent=False, is_selected=use.is_selected,
                    is_updated=use.is_updated, is_select_all=use.is_select_all,
                )  # fmt: skip


def _referenced_id(r: Reference) -> int | None:
    return r.record.id if r.record is not None else None
