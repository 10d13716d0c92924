"""Databases, schemas, tables, indexes, types, XML schema collections and sequences."""

from __future__ import annotations

from sbql.grammar.ast.base import DataSpace, DataTypeReference, Identifier, Node, ObjectName, Statement, node
from sbql.grammar.ast.expressions import Condition, Expression

__all__ = [
    "AlterDatabaseStatement",
    "AlterSchemaStatement",
    "AlterTableAction",
    "AlterTableStatement",
    "ColumnDefinition",
    "Constraint",
    "CreateDatabaseStatement",
    "CreateIndexStatement",
    "CreateSchemaStatement",
    "CreateSequenceStatement",
    "CreateSynonymStatement",
    "CreateTableStatement",
    "CreateTypeStatement",
    "DropIndexStatement",
    "DropObjectStatement",
    "ForeignKeyReference",
    "IndexColumn",
    "TableElement",
    "UnsupportedStatement",
    "UseStatement",
    "XmlSchemaCollectionStatement",
]


@node
class UseStatement(Statement):
    database: Identifier


@node
class CreateDatabaseStatement(Statement):
    """File, log and collation clauses are accepted; `options` keeps WITH and FOR ATTACH words, upper case. `files` are
    the (logical name, file name) of the data files, None where one is not given: attaching reads the first."""

    name: Identifier
    options: tuple[str, ...] = ()
    collation: str | None = None
    files: tuple[tuple[str | None, str | None], ...] = ()
    filegroups: tuple[Identifier, ...] = ()


@node
class AlterDatabaseStatement(Statement):
    """`name` None is CURRENT. `options` are (word, value): ('ENABLE_BROKER', None), ('TRUSTWORTHY',
    'ON') … `termination` is ROLLBACK IMMEDIATE, ROLLBACK AFTER n or NO_WAIT. `action` is SET, COLLATE,
    MODIFY NAME, ADD FILEGROUP and its like (`filegroups`: the one that is meant, and its new name), or
    the words of a form without effect."""

    name: Identifier | None
    action: str = "SET"
    options: tuple[tuple[str, str | None], ...] = ()
    termination: str | None = None
    filegroups: tuple[Identifier, ...] = ()


@node
class CreateSchemaStatement(Statement):
    """`elements` (tables, views, permissions) are made together with it."""

    name: Identifier
    owner: Identifier | None = None
    elements: tuple[Statement, ...] = ()


@node
class AlterSchemaStatement(Statement):
    """ALTER SCHEMA name TRANSFER class::securable."""

    name: Identifier
    securable_class: str
    securable: ObjectName


# --- tables ------------------------------------------------------------------------------------------------


@node(kw_only=True)
class TableElement(Node):
    """A column or a table constraint."""


@node
class IndexColumn(Node):
    name: Identifier
    descending: bool = False


@node
class ForeignKeyReference(Node):
    """Actions are NO ACTION, CASCADE, SET NULL or SET DEFAULT."""

    table: ObjectName
    columns: tuple[Identifier, ...]
    on_delete: str = "NO ACTION"
    on_update: str = "NO ACTION"


@node
class Constraint(TableElement):
    """`kind` is PRIMARY KEY, UNIQUE, CHECK, DEFAULT, FOREIGN KEY, INDEX, UNIQUE INDEX, COLUMNSTORE INDEX, or the name
    of one that is not supported. A column constraint has no columns of its own. `clustered` None: not written.
    `with_values`: an added column's DEFAULT also fills the rows there are. An index has `include` and `condition`, a
    key and an index `options`, upper case, and `storage`."""

    kind: str
    name: Identifier | None = None
    columns: tuple[IndexColumn, ...] = ()
    clustered: bool | None = None
    condition: Condition | None = None
    default: Expression | None = None
    default_for: Identifier | None = None
    reference: ForeignKeyReference | None = None
    with_values: bool = False
    include: tuple[Identifier, ...] = ()
    options: tuple[str, ...] = ()
    storage: DataSpace | None = None


@node
class ColumnDefinition(TableElement):
    """`type` None with `computed`. `identity` is (seed, increment). `nullable` None: not written. `constraints` holds
    the column's own PRIMARY KEY, UNIQUE, CHECK, DEFAULT and REFERENCES. `features` names parts that are not
    supported: MASKED, HIDDEN …"""

    name: Identifier
    type: DataTypeReference | None
    nullable: bool | None = None
    identity: tuple[int, int] | None = None
    constraints: tuple[Constraint, ...] = ()
    computed: Expression | None = None
    persisted: bool = False
    collation: str | None = None
    rowguidcol: bool = False
    sparse: bool = False
    filestream: bool = False
    features: tuple[str, ...] = ()


@node
class CreateTableStatement(Statement):
    """`storage`: what ON, TEXTIMAGE_ON and FILESTREAM_ON name. `options` keeps the WITH words, upper case."""

    name: ObjectName
    elements: tuple[TableElement, ...]
    options: tuple[str, ...] = ()
    storage: tuple[DataSpace, ...] = ()


@node
class AlterTableAction(Node):
    """`kind`, and the fields that it uses:

    - ADD: `elements`
    - ALTER COLUMN: `elements` has one ColumnDefinition
    - COLUMN PROPERTY: `column_property` is its words; `turns_on` is False for DROP
    - DROP COLUMN, DROP CONSTRAINT: `names`; `next` is what a mixed list drops after that, `storage` where what is left
      moves
    - CHECK CONSTRAINT, ENABLE TRIGGER: `names`, none means ALL; `turns_on` is False for NOCHECK and DISABLE
    - SWITCH, REBUILD, SET …: nothing
    """

    kind: str
    elements: tuple[TableElement, ...] = ()
    names: tuple[Identifier, ...] = ()
    if_exists: bool = False
    with_check: bool | None = None
    next: AlterTableAction | None = None
    storage: tuple[DataSpace, ...] = ()
    turns_on: bool = True
    column_property: str = ""


@node
class AlterTableStatement(Statement):
    name: ObjectName
    action: AlterTableAction


@node
class CreateIndexStatement(Statement):
    """`kind` is '' or words such as XML, COLUMNSTORE. `options` keeps the WITH words, upper case."""

    name: Identifier
    table: ObjectName
    columns: tuple[IndexColumn, ...]
    unique: bool = False
    clustered: bool | None = None
    include: tuple[Identifier, ...] = ()
    where: Condition | None = None
    kind: str = ""
    options: tuple[str, ...] = ()
    storage: tuple[DataSpace, ...] = ()


@node
class DropIndexStatement(Statement):
    """One (index, table) pair per item."""

    items: tuple[tuple[Identifier, ObjectName], ...]
    if_exists: bool = False
    storage: tuple[DataSpace, ...] = ()


@node
class CreateTypeStatement(Statement):
    """Alias type: `base` and `nullable`. Table type: `elements`."""

    name: ObjectName
    base: DataTypeReference | None = None
    nullable: bool | None = None
    elements: tuple[TableElement, ...] = ()


@node
class CreateSynonymStatement(Statement):
    name: ObjectName
    target: ObjectName


@node
class CreateSequenceStatement(Statement):
    """CREATE and ALTER (`verb`). `options` maps START, INCREMENT, MINVALUE, MAXVALUE, CYCLE, CACHE, RESTART to
    values."""

    verb: str
    name: ObjectName
    type: DataTypeReference | None = None
    options: tuple[tuple[str, int | bool | None], ...] = ()


@node
class XmlSchemaCollectionStatement(Statement):
    """CREATE … AS expr, ALTER … ADD expr (`verb`); DROP is a DropObjectStatement."""

    verb: str
    name: ObjectName
    schema: Expression


@node
class DropObjectStatement(Statement):
    """`kind`: TABLE, QUEUE, MESSAGE TYPE, LOGIN … (names are empty for MASTER KEY). DROP of modules, indexes and event
    notifications are statements of their own."""

    kind: str
    names: tuple[ObjectName, ...]
    if_exists: bool = False


@node
class UnsupportedStatement(Statement):
    """Syntax that SQL Server accepts and this dialect names but does not run (CREATE ASSEMBLY, full-text, BACKUP …).
    Running it raises error 40517 (unsupported) with `feature`."""

    feature: str
