"""The shape of a table: from the elements of CREATE TABLE, ALTER TABLE ADD, DECLARE @t TABLE and CREATE TYPE to a Table
record.

It decides which columns and constraints are legal together and what unnamed constraints are called. It must not know
where the table will live, nor who else refers to it: foreign keys are only collected here (`ForeignKeyDraft`) and
looked up by the DDL handlers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import msgspec
from msgspec import Struct, field

from sbql.catalog.records import Column, Index, KeyColumn, Table, TableConstraint
from sbql.engine.tables.identity_types import IDENTITY_TYPES, check_identity_values
from sbql.engine.tables.partitioned import partitioning
from sbql.engine.tables.row_expressions import stored_text
from sbql.grammar.ast import (
    NO_SPAN,
    ColumnDefinition,
    Constraint,
    DataTypeReference,
    ForeignKeyReference,
    Identifier,
    IndexColumn,
    Span,
    TableElement,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import columns_in
from sbql.grammar.types import MAX, SqlType

__all__ = [
    "MAX_COLUMNS",
    "ColumnType",
    "ForeignKeyDraft",
    "ShapeBuilder",
    "check_key_column",
    "column_of",
    "fold",
    "ignores_duplicates",
    "system_name",
]

_TEXT_TYPES = frozenset({"char", "varchar", "nchar", "nvarchar", "text", "ntext"})
NOT_KEY_TYPES = frozenset({"xml", "text", "ntext", "image"})
MAX_COLUMNS = 1024
_MAX_KEY_COLUMNS = 32


class ColumnType(Struct, frozen=True):
    """A resolved type name. `is_nullable` is the alias type's own word, None without one."""

    type: SqlType
    user_type: str | None = None
    is_nullable: bool | None = None


class ForeignKeyDraft(Struct, frozen=True):
    """A FOREIGN KEY whose other table is not looked up yet."""

    constraint_id: int
    name: str
    columns: tuple[str, ...]
    reference: ForeignKeyReference
    is_system_named: bool
    is_disabled: bool
    span: Span


def fold(name: str) -> str:
    """Names of columns, tables and constraints compare without regard to case."""
    return name.lower()


def column_of(table: Table, name: str) -> Column | None:
    """The column with this name."""
    folded = name.lower()
    return next((c for c in table.columns if c.name.lower() == folded), None)


def check_key_column(column: Column, table: str, span: Span = NO_SPAN) -> None:
    """Raises 2729 for a computed column that no index can hold."""
    if not column.is_deterministic:
        raise sql_error(2729, column.name, "table", table, span=span)


def ignores_duplicates(options: Iterable[str], is_unique: bool, span: Span, *, is_filtered: bool = False) -> bool:
    """IGNORE_DUP_KEY = ON, which only unique indexes take, and not filtered ones. Raises 1916, 10618."""
    if "IGNORE_DUP_KEY = ON" not in options:
        return False
    if not is_unique:
        raise sql_error(1916, "nonunique", "ignore_dup_key", span=span)
    if is_filtered:
        raise sql_error(10618, span=span)
    return True


def system_name(prefix: str, table: str, column: str | None, object_id: int) -> str:
    """The name of an unnamed constraint: `PK__Trades__` + 16 hex digits, `DF__Trades__Price__` + 8."""
    digest = hashlib.sha256(f"{object_id}.{table}.{prefix}".encode("utf-8", "surrogatepass")).hexdigest().upper()
    if column is None:
        return f"{prefix}__{table[:8]}__{digest[:8]}{object_id:08X}"
    part = table[:9]
    return f"{prefix}__{part}__{column[: max(5, 14 - len(part))]}__{object_id:08X}"


class ShapeBuilder(Struct):
    """Collects columns and constraints. `new_id` gives object ids, `named_collation` the one that a clause names,
    `database` is whose collation texts have (None: the current one's). `is_strict_key`: a new primary key does not make
    its columns NOT NULL, they must be (ALTER TABLE)."""

    table_name: str
    resolve_type: Callable[[DataTypeReference, int], ColumnType]
    new_id: Callable[[], int]
    named_collation: Callable[[str], str]
    columns: list[Column] = field(default_factory=list)
    constraints: list[TableConstraint] = field(default_factory=list)
    indexes: list[Index] = field(default_factory=list)
    foreign_keys: list[ForeignKeyDraft] = field(default_factory=list)
    next_column_id: int = 1
    next_index_id: int = 2
    is_disabled: bool = False
    is_strict_key: bool = False
    database: str | None = None
    _explicit_null: set[str] = field(default_factory=set)
    _own_checks: list[tuple[str, Constraint]] = field(default_factory=list)

    # --- from elements -------------------------------------------------------------------------------------

    def add(self, elements: Iterable[TableElement]) -> None:
        """Add columns and constraints in the order in which SQL Server looks at them: all columns first."""
        elements = list(elements)
        new = (element for element in elements if isinstance(element, ColumnDefinition))
        for position, definition in enumerate(new, 1):
            self.add_column(definition, position)
        for element in elements:
            if isinstance(element, Constraint):
                self.add_constraint(element, None)
            elif isinstance(element, ColumnDefinition):
                for constraint in element.constraints:
                    if constraint.columns:  # a constraint of the table, written without a comma
                        self.add_constraint(constraint, element.name)
        for own, check in self._own_checks:
            if any(fold(c.name) != own and self.find(c.name) is not None for c in columns_in(check.condition)):
                raise sql_error(
                    8141, "CHECK", self.need(own, check.span).name, self.table_name, state=0, span=check.span
                )
        if any(isinstance(element, ColumnDefinition) and element.filestream for element in elements):
            self._check_filestream(elements[0].span)

    def _check_filestream(self, span: Span) -> None:
        """Raises 5505 without a column that names each row."""
        keys = [key.columns for key in self.constraints if key.type in ("PK", "UQ")]
        keys += [index.columns for index in self.indexes if index.is_unique]
        named = [c.name for c in self.columns if c.is_rowguidcol and not c.is_nullable]
        if not any([key.name for key in columns] == named for columns in keys if named):
            raise sql_error(5505, span=span)

    def add_column(self, definition: ColumnDefinition, position: int) -> Column:
        """Add a column, and its constraints; `position`: among those of its statement. Raises 2705, 2744, 2749, 1781,
        8148, 40517."""
        name = definition.name.value
        for feature in definition.features:
            raise sql_error(40517, f"column … {feature}", span=definition.span)
        if self.find(name) is not None:
            raise sql_error(2705, name, self.table_name, span=definition.span)
        if len(self.columns) >= MAX_COLUMNS:
            raise sql_error(1702, name, self.table_name, MAX_COLUMNS, span=definition.span)
        is_computed = definition.computed is not None
        column = self.computed_column(definition) if is_computed else self.plain_column(definition, position)
        if definition.sparse and (not column.is_nullable or column.is_identity or column.is_rowguidcol):
            raise sql_error(1731, name, self.table_name, span=definition.span)
        if column.is_rowguidcol:
            self.check_rowguidcol(column, definition.span)
        self.columns.append(column)
        self.next_column_id += 1
        if sum(c.kind == "DEFAULT" for c in definition.constraints) > 1:
            raise sql_error(8148, "DEFAULT", name, self.table_name, span=definition.span)
        if definition.nullable:
            self._explicit_null.add(fold(name))
        for constraint in definition.constraints:
            if not constraint.columns:
                self.add_constraint(constraint, definition.name)
        return self.need(name, definition.span)

    def computed_column(self, definition: ColumnDefinition) -> Column:
        """Its type is worked out by the caller once all columns are known: until then sql_variant stands there."""
        assert definition.computed is not None
        return Column(
            name=definition.name.value,
            column_id=self.next_column_id,
            type=SqlType("sql_variant"),
            is_nullable=definition.nullable is not False,
            computed=stored_text(definition.computed),
            is_persisted=definition.persisted,
        )

    def plain_column(self, definition: ColumnDefinition, position: int = 1) -> Column:
        assert definition.type is not None
        name = definition.name.value
        try:
            resolved = self.resolve_type(definition.type, position)
        except SqlError as error:
            raise error.at(definition.span) from None
        sql_type = resolved.type
        if definition.collation is not None:
            _refuse_collation(definition, resolved)
            sql_type = sql_type.with_collation(self.named_collation(definition.collation))
        elif sql_type.collation is not None and self.table_name.startswith("#"):  # it has tempdb's
            sql_type = sql_type.with_collation(None)
        is_key = any(c.kind == "PRIMARY KEY" for c in definition.constraints)
        is_identity = definition.identity is not None
        if definition.filestream and (sql_type.name, sql_type.length) != ("varbinary", MAX):
            raise sql_error(102, "FILESTREAM", span=definition.span)
        nullable = definition.nullable
        if nullable is None:
            nullable = resolved.is_nullable if resolved.is_nullable is not None else True
            nullable = nullable and not is_key and not is_identity and sql_type.name != "rowversion"
        seed, increment = definition.identity or (1, 1)
        if is_identity:
            self._check_identity(definition, sql_type)
        if sql_type.name == "rowversion" and any(c.type.name == "rowversion" for c in self.columns):
            raise sql_error(2738, self.table_name, name, span=definition.span)
        return Column(
            name=name,
            column_id=self.next_column_id,
            type=sql_type,
            is_nullable=nullable,
            is_identity=is_identity,
            seed=seed,
            increment=increment,
            is_rowguidcol=definition.rowguidcol,
            is_filestream=definition.filestream,
            user_type=resolved.user_type,
        )

    def _check_identity(self, definition: ColumnDefinition, sql_type: SqlType) -> None:
        name = definition.name.value
        if sql_type.name not in IDENTITY_TYPES or sql_type.scale:
            raise sql_error(2749, name, span=definition.span)
        if definition.nullable:
            raise sql_error(8147, name, self.table_name, span=definition.span)
        if definition.identity is not None:
            check_identity_values(name, sql_type, *definition.identity, definition.span)
        if any(c.is_identity for c in self.columns):
            raise sql_error(2744, self.table_name, span=definition.span)

    def check_rowguidcol(self, column: Column, span: Span) -> None:
        """ROWGUIDCOL is for one uniqueidentifier column. Raises 8196, 2740."""
        if column.type.name != "uniqueidentifier":
            raise sql_error(102, "ROWGUIDCOL", span=span)
        if any(c.is_rowguidcol for c in self.columns):
            raise sql_error(8196, span=span)

    # --- constraints ---------------------------------------------------------------------------------------

    def add_constraint(self, constraint: Constraint, own_column: Identifier | None) -> None:
        """A column's own constraint (`own_column`), or one of the table."""
        kind = constraint.kind
        if kind == "DEFAULT":
            self._add_default(constraint, own_column)
        elif kind in ("PRIMARY KEY", "UNIQUE"):
            self._add_key(constraint, own_column)
        elif kind == "CHECK":
            self._add_check(constraint, own_column)
        elif kind == "FOREIGN KEY":
            self._add_foreign_key(constraint, own_column)
        elif kind in ("INDEX", "UNIQUE INDEX", "COLUMNSTORE INDEX"):
            self._add_index(constraint, own_column)
        else:
            raise sql_error(40517, kind, span=constraint.span)

    def _add_default(self, constraint: Constraint, own_column: Identifier | None) -> None:
        target = own_column or constraint.default_for
        assert target is not None and constraint.default is not None
        column = self.need(target.value, constraint.span, number=1752)
        if column.default is not None:
            raise sql_error(1781, span=constraint.span)
        if column.is_identity:
            raise sql_error(1754, self.table_name, column.name, span=constraint.span)
        if column.type.name == "rowversion":
            raise sql_error(1755, self.table_name, column.name, span=constraint.span)
        object_id = self.new_id()
        name = self._name(constraint, "DF", column.name, object_id)
        self.replace(column, default=stored_text(constraint.default), default_name=name, default_id=object_id)

    def _add_key(self, constraint: Constraint, own_column: Identifier | None) -> None:
        is_primary = constraint.kind == "PRIMARY KEY"
        if is_primary and any(c.type == "PK" for c in self.constraints):
            raise sql_error(8110, self.table_name, span=constraint.span)
        object_id, code = self.new_id(), "PK" if is_primary else "UQ"
        called = constraint.name.value if constraint.name else system_name(code, self.table_name, None, object_id)
        keys = self.key_columns(constraint.columns, own_column, constraint.span, called)
        if is_primary:
            for key in keys:
                column = self.need(key.name, constraint.span)
                if column.is_nullable and (own_column is not None or self.is_strict_key or self._says_null(column)):
                    raise sql_error(8111, self.table_name, span=constraint.span)
                self.replace(column, is_nullable=False)
        clustered = constraint.clustered
        if clustered is None:
            clustered = is_primary and not self._clustered()
        elif clustered and self._clustered():
            raise sql_error(8112, self.table_name, span=constraint.span)
        name = self._name(constraint, code, None, object_id)
        self.constraints.append(
            TableConstraint(
                id=object_id,
                name=name,
                type=code,
                columns=keys,
                is_clustered=clustered,
                is_system_named=constraint.name is None,
                ignores_duplicates=ignores_duplicates(constraint.options, True, constraint.span),
                partitioning=partitioning(self.columns, constraint.storage),
            )
        )

    def _says_null(self, column: Column) -> bool:
        return fold(column.name) in self._explicit_null

    def _add_check(self, constraint: Constraint, own_column: Identifier | None) -> None:
        assert constraint.condition is not None
        object_id = self.new_id()
        name = self._name(constraint, "CK", own_column.value if own_column else "", object_id)
        if own_column is not None:
            self._own_checks.append((fold(own_column.value), constraint))
        columns = (KeyColumn(own_column.value),) if own_column else ()
        self.constraints.append(
            TableConstraint(
                id=object_id,
                name=name,
                type="C",
                columns=columns,
                condition=stored_text(constraint.condition),
                is_disabled=self.is_disabled,
                is_system_named=constraint.name is None,
            )
        )

    def _add_foreign_key(self, constraint: Constraint, own_column: Identifier | None) -> None:
        assert constraint.reference is not None
        columns = tuple(c.name.value for c in constraint.columns) or ((own_column.value,) if own_column else ())
        object_id = self.new_id()
        name = self._name(constraint, "FK", columns[0], object_id)
        found = tuple(self.need(c, constraint.span, number=1769, more=(name,)).name for c in columns)
        self.foreign_keys.append(
            ForeignKeyDraft(
                object_id, name, found, constraint.reference, constraint.name is None, self.is_disabled, constraint.span
            )
        )

    def _add_index(self, constraint: Constraint, own_column: Identifier | None) -> None:
        assert constraint.name is not None
        is_unique = constraint.kind == "UNIQUE INDEX"
        is_columnstore = constraint.kind == "COLUMNSTORE INDEX"
        name = constraint.name.value
        taken = {fold(i.name) for i in self.indexes} | {
            fold(c.name) for c in self.constraints if c.type in ("PK", "UQ")
        }
        if fold(name) in taken:
            raise sql_error(1913, name, "table", self.table_name, span=constraint.span)
        if constraint.clustered and (clustered := self._clustered()):
            raise sql_error(1902, self.table_name, clustered, span=constraint.span)
        included = constraint.include + (tuple(c.name for c in constraint.columns) if is_columnstore else ())
        self.indexes.append(
            Index(
                index_id=self.next_index_id,
                name=name,
                columns=()
                if is_columnstore
                else self.key_columns(constraint.columns, own_column, constraint.span, name),
                is_unique=is_unique,
                is_clustered=bool(constraint.clustered),
                included=tuple(self.need(c.value, constraint.span).name for c in included),
                filter=stored_text(constraint.condition, is_filter=True) if constraint.condition is not None else None,
                ignores_duplicates=ignores_duplicates(
                    constraint.options, is_unique, constraint.span, is_filtered=constraint.condition is not None
                ),
                partitioning=partitioning(self.columns, constraint.storage),
                kind="COLUMNSTORE" if is_columnstore else "",
            )
        )
        self.next_index_id += 1

    def _clustered(self) -> str | None:
        """The name of the clustered index, of a key or by itself."""
        names = [c.name for c in self.constraints if c.is_clustered] + [i.name for i in self.indexes if i.is_clustered]
        return names[0] if names else None

    def key_columns(
        self, columns: tuple[IndexColumn, ...], own_column: Identifier | None, span: Span, called: str
    ) -> tuple[KeyColumn, ...]:
        """The columns of a key or an index of this name. Raises 1904, 1909, 1911, 1919."""
        wanted = [(c.name.value, c.descending) for c in columns]
        if own_column and not columns:
            wanted = [(own_column.value, False)]
        if len(wanted) > _MAX_KEY_COLUMNS:
            raise sql_error(1904, "index", called, self.table_name, len(wanted), _MAX_KEY_COLUMNS, span=span)
        keys: list[KeyColumn] = []
        for name, descending in wanted:
            column = self.need(name, span)
            if column.type.name in NOT_KEY_TYPES or column.type.length == -1:
                raise sql_error(1919, column.name, self.table_name, span=span)
            check_key_column(column, self.table_name, span)
            if any(key.name == column.name for key in keys):
                raise sql_error(1909, "index", column.name, span=span)
            keys.append(KeyColumn(column.name, descending))
        return tuple(keys)

    def _name(self, constraint: Constraint, prefix: str, column: str | None, object_id: int) -> str:
        if constraint.name is None:
            return system_name(prefix, self.table_name, column, object_id)
        name = constraint.name.value
        taken = {fold(c.name) for c in self.constraints} | {
            fold(c.default_name) for c in self.columns if c.default_name
        }
        if fold(name) in taken | {fold(key.name) for key in self.foreign_keys}:
            raise sql_error(2714, name, state=5, span=constraint.span)
        return name

    # --- columns -------------------------------------------------------------------------------------------

    def find(self, name: str) -> Column | None:
        folded = fold(name)
        return next((c for c in self.columns if fold(c.name) == folded), None)

    def need(self, name: str, span: Span, *, number: int = 1911, more: tuple[object, ...] = ()) -> Column:
        column = self.find(name)
        if column is None:
            arguments = (name,) if number == 1911 else (*more, name, self.table_name)
            raise sql_error(number, *arguments, span=span)
        return column

    def replace(self, column: Column, **changes: object) -> Column:
        changed = msgspec.structs.replace(column, **changes)
        self.columns[self.columns.index(column)] = changed
        return changed


def _refuse_collation(definition: ColumnDefinition, resolved: ColumnType) -> None:
    """COLLATE belongs to text (447), and to no alias type (452) but sysname, which is the system's."""
    if resolved.type.name not in _TEXT_TYPES:
        raise sql_error(447, resolved.type.name, span=definition.span)
    if resolved.user_type is not None and resolved.user_type.lower() not in ("sysname", "sys.sysname"):
        raise sql_error(452, span=definition.span)
