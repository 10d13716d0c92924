"""Text of databases, schemas, tables, indexes, types, sequences and what else is created and dropped."""

from __future__ import annotations

from printing.blocks import bare_name, prints
from printing.broker import owned
from printing.queries import columns
from sbql.grammar.ast import (
    AlterDatabaseStatement,
    AlterSchemaStatement,
    AlterTableAction,
    AlterTableStatement,
    ColumnDefinition,
    Constraint,
    CreateDatabaseStatement,
    CreateIndexStatement,
    CreateSchemaStatement,
    CreateSequenceStatement,
    CreateSynonymStatement,
    CreateTableStatement,
    CreateTypeStatement,
    DataSpace,
    DropIndexStatement,
    DropObjectStatement,
    ForeignKeyReference,
    IndexColumn,
    UnsupportedStatement,
    UseStatement,
    XmlSchemaCollectionStatement,
)
from sbql.grammar.printer.core import comma, name, quoted, text, words

__all__: list[str] = []


@prints(UseStatement)
def _use(node: UseStatement) -> str:
    return f"USE {name(node.database)}"


@prints(UnsupportedStatement)
def _unsupported(node: UnsupportedStatement) -> str:
    return node.feature + (" CLEAR PROCEDURE_CACHE" if node.feature.endswith("SCOPED CONFIGURATION") else "")


# --- databases and schemas ---------------------------------------------------------------------------------


@prints(CreateDatabaseStatement)
def _create_database(node: CreateDatabaseStatement) -> str:
    own = [option for option in node.options if option.startswith(("CONTAINMENT", "FOR "))]
    listed = ", ".join(option for option in node.options if option not in own)
    collation = f"COLLATE {node.collation}" if node.collation else None
    plain = len(node.files) - len(node.filegroups)
    items = [_file(*item) for item in node.files[:plain]]
    items += [
        f"FILEGROUP {name(g)} {_file(*item)}" for g, item in zip(node.filegroups, node.files[plain:], strict=True)
    ]
    files = f"ON {', '.join(items)}" if items else None
    return words("CREATE DATABASE", name(node.name), files, *own, collation, f"WITH {listed}" if listed else None)


def _file(logical: str | None, path: str | None) -> str:
    parts = [f"NAME = {bare_name(logical)}"] if logical else []
    parts += [f"FILENAME = {quoted(path)}"] if path else []
    return f"({', '.join(parts) or 'SIZE = 1'})"


@prints(AlterDatabaseStatement)
def _alter_database(node: AlterDatabaseStatement) -> str:
    head = f"ALTER DATABASE {name(node.name) if node.name else 'CURRENT'}"
    if node.action == "SET":
        options = ", ".join(words(word, value) for word, value in node.options)
        return words(head, "SET", options, f"WITH {node.termination}" if node.termination else None)
    if node.action == "MODIFY NAME":
        return f"{head} MODIFY NAME = {bare_name(node.options[0][0])}"
    if node.action == "COLLATE":
        return f"{head} COLLATE {node.options[0][0]}"
    if node.action == "MODIFY FILEGROUP":
        first, *rest = node.filegroups
        return f"{head} {node.action} {name(first)} {f'NAME = {name(rest[0])}' if rest else 'READ_WRITE'}"
    if node.action.startswith("ADD") and "FILEGROUP" not in node.action and node.filegroups:
        return f"{head} {node.action} {_ANY_FILE} TO FILEGROUP {name(node.filegroups[0])}"
    if node.filegroups:
        return f"{head} {node.action} {name(node.filegroups[0])}"
    return f"{head} {node.action} {'x' if 'REMOVE' in node.action else _ANY_FILE}"


_ANY_FILE = "(NAME = x)"
"""Files mean nothing here, and the tree does not keep them: the text names some file."""


@prints(CreateSchemaStatement)
def _create_schema(node: CreateSchemaStatement) -> str:
    return words("CREATE SCHEMA", name(node.name), owned(node.owner), *map(text, node.elements))


@prints(AlterSchemaStatement)
def _alter_schema(node: AlterSchemaStatement) -> str:
    return f"ALTER SCHEMA {name(node.name)} TRANSFER {node.securable_class}::{text(node.securable)}"


# --- tables ------------------------------------------------------------------------------------------------


@prints(CreateTableStatement)
def _create_table(node: CreateTableStatement) -> str:
    options = f"WITH ({', '.join(node.options)})" if node.options else None
    return words("CREATE TABLE", text(node.name), f"({comma(node.elements)})", _storage(node.storage), options)


@prints(DataSpace)
def _data_space(node: DataSpace) -> str:
    columns = ", ".join(map(name, node.columns))
    return f"{name(node.name)} ({columns})" if columns else name(node.name)


def _storage(spaces: tuple[DataSpace, ...]) -> str | None:
    """Which of the words named it makes no difference, and the tree does not keep it."""
    return " ".join(f"ON {text(space)}" for space in spaces) or None


def _moved(spaces: tuple[DataSpace, ...]) -> str | None:
    return f"WITH ({', '.join(f'MOVE TO {text(space)}' for space in spaces)})" if spaces else None


@prints(ColumnDefinition)
def _column(node: ColumnDefinition) -> str:
    seed = f"IDENTITY ({node.identity[0]}, {node.identity[1]})" if node.identity else None
    nullable = None if node.nullable is None else "NULL" if node.nullable else "NOT NULL"
    return words(
        name(node.name),
        text(node.type) if node.type is not None else None,
        f"AS {text(node.computed)}" if node.computed is not None else None,
        "PERSISTED" if node.persisted else None,
        f"COLLATE {node.collation}" if node.collation else None,
        "SPARSE" if node.sparse else None,
        "FILESTREAM" if node.filestream else None,
        *(_FEATURES.get(feature, feature) for feature in node.features),
        seed,
        "ROWGUIDCOL" if node.rowguidcol else None,
        nullable,
        *(text(constraint) for constraint in node.constraints),
    )


_FEATURES = {
    "GENERATED ALWAYS": "GENERATED ALWAYS AS ROW START",
    "MASKED": "MASKED WITH (FUNCTION = 'default()')",
    "ENCRYPTED WITH": "ENCRYPTED WITH (ALGORITHM = 'x')",
}
"""Parts that only error 40517 will name: the text is one that parses."""


@prints(Constraint)
def _constraint(node: Constraint) -> str:
    kind = node.kind
    clustered = None if node.clustered is None else "CLUSTERED" if node.clustered else "NONCLUSTERED"
    listed = f"({comma(node.columns)})" if node.columns else None
    options = f"WITH ({', '.join(node.options)})" if node.options else None
    storage = f"ON {text(node.storage)}" if node.storage else None
    if kind.endswith("INDEX"):
        assert node.name is not None
        is_unique, is_columnstore = kind.startswith("UNIQUE"), kind.startswith("COLUMNSTORE")
        return words(
            "INDEX",
            name(node.name),
            "UNIQUE" if is_unique else None,
            clustered,
            "COLUMNSTORE" if is_columnstore else None,
            listed,
            f"INCLUDE{columns(node.include)}" if node.include else None,
            f"WHERE {text(node.condition)}" if node.condition else None,
            options,
            storage,
        )
    if kind == "PERIOD FOR SYSTEM_TIME":
        return f"{kind} (x, y)"
    head = f"CONSTRAINT {name(node.name)}" if node.name else None
    if kind == "CHECK":
        assert node.condition is not None
        return words(head, f"CHECK ({text(node.condition)})")
    if kind == "DEFAULT":
        assert node.default is not None
        column = f"FOR {name(node.default_for)}" if node.default_for else None
        return words(head, "DEFAULT", f"({text(node.default)})", column, "WITH VALUES" if node.with_values else None)
    if kind == "FOREIGN KEY":
        assert node.reference is not None
        return words(head, f"FOREIGN KEY {listed}" if listed else None, text(node.reference))
    if kind == "CONNECTION constraint":
        return words(head, "CONNECTION (x TO y)")
    return words(head, kind, clustered, listed, options, storage)


@prints(IndexColumn)
def _index_column(node: IndexColumn) -> str:
    return f"{name(node.name)} DESC" if node.descending else name(node.name)


@prints(ForeignKeyReference)
def _reference(node: ForeignKeyReference) -> str:
    return words(
        f"REFERENCES {text(node.table)}{columns(node.columns)}",
        f"ON DELETE {node.on_delete}" if node.on_delete != "NO ACTION" else None,
        f"ON UPDATE {node.on_update}" if node.on_update != "NO ACTION" else None,
    )


@prints(AlterTableStatement)
def _alter_table(node: AlterTableStatement) -> str:
    return f"ALTER TABLE {text(node.name)} {text(node.action)}"


@prints(AlterTableAction)
def _action(node: AlterTableAction) -> str:
    with_check = None if node.with_check is None else "WITH CHECK" if node.with_check else "WITH NOCHECK"
    if node.elements:
        return words(with_check, node.kind, comma(node.elements))
    if node.kind == "COLUMN PROPERTY":
        changed = _FEATURES.get(node.column_property, node.column_property) if node.turns_on else node.column_property
        return words("ALTER COLUMN", comma(node.names), "ADD" if node.turns_on else "DROP", changed)
    names = comma(node.names)
    if not names and node.kind.endswith((" CONSTRAINT", " TRIGGER")):
        names = "ALL"
    kind = node.kind if node.turns_on else {"CHECK CONSTRAINT": "NOCHECK CONSTRAINT"}.get(node.kind, "DISABLE TRIGGER")
    own = words(with_check, kind, "IF EXISTS" if node.if_exists else None, names, _moved(node.storage))
    return own if node.next is None else f"{own}, {text(node.next).removeprefix('DROP ')}"


# --- indexes and types -------------------------------------------------------------------------------------


@prints(CreateIndexStatement)
def _create_index(node: CreateIndexStatement) -> str:
    clustered = None if node.clustered is None else "CLUSTERED" if node.clustered else "NONCLUSTERED"
    return words(
        "CREATE",
        "UNIQUE" if node.unique else None,
        clustered,
        node.kind,
        "INDEX",
        name(node.name),
        "ON",
        text(node.table),
        f"({comma(node.columns)})" if node.columns else None,
        f"INCLUDE{columns(node.include)}" if node.include else None,
        f"WHERE {text(node.where)}" if node.where else None,
        f"WITH ({', '.join(node.options)})" if node.options else None,
        *(f"{word} {text(space)}" for word, space in zip(("ON", "FILESTREAM_ON"), node.storage, strict=False)),
    )


@prints(DropIndexStatement)
def _drop_index(node: DropIndexStatement) -> str:
    items = ", ".join(f"{name(index)} ON {text(table)}" for index, table in node.items)
    return words("DROP INDEX", "IF EXISTS" if node.if_exists else None, items, _moved(node.storage))


@prints(CreateTypeStatement)
def _create_type(node: CreateTypeStatement) -> str:
    if node.base is None:
        return f"CREATE TYPE {text(node.name)} AS TABLE ({comma(node.elements)})"
    nullable = None if node.nullable is None else "NULL" if node.nullable else "NOT NULL"
    return words("CREATE TYPE", text(node.name), "FROM", text(node.base), nullable)


# --- the rest ----------------------------------------------------------------------------------------------


@prints(CreateSynonymStatement)
def _create_synonym(node: CreateSynonymStatement) -> str:
    return f"CREATE SYNONYM {text(node.name)} FOR {text(node.target)}"


@prints(CreateSequenceStatement)
def _create_sequence(node: CreateSequenceStatement) -> str:
    type_ = f"AS {text(node.type)}" if node.type is not None else None
    return words(node.verb, "SEQUENCE", text(node.name), type_, *(_sequence_option(*o) for o in node.options))


_SEQUENCE_WORDS = {"START": "START WITH", "INCREMENT": "INCREMENT BY", "RESTART": "RESTART WITH"}


def _sequence_option(word: str, value: int | bool | None) -> str:
    if value is False or (value is None and word != "RESTART"):
        return f"NO {word}"
    return word if value is True or value is None else f"{_SEQUENCE_WORDS.get(word, word)} {value}"


@prints(XmlSchemaCollectionStatement)
def _xml_schema_collection(node: XmlSchemaCollectionStatement) -> str:
    joint = "AS" if node.verb == "CREATE" else "ADD"
    return f"{node.verb} XML SCHEMA COLLECTION {text(node.name)} {joint} {text(node.schema)}"


@prints(DropObjectStatement)
def _drop(node: DropObjectStatement) -> str:
    return words("DROP", node.kind, "IF EXISTS" if node.if_exists else None, comma(node.names))
