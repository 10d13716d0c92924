"""BoundTable: everything a write needs to know of one table, compiled once per catalog version.

It turns a Table record into closures: what a column defaults to, how it is computed, what CHECK asks, what makes a key
equal. It must not touch rows or locks; the mechanism does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from sbql.catalog.changes import ROW_ID, storage_name
from sbql.catalog.duck_types import decoder, duck_type, encoder
from sbql.catalog.records import Database, Index, Module, Schema, Table, TableConstraint, XmlSchemaCollection
from sbql.engine.documents.xml_schemas import use_collections
from sbql.engine.ports import Session
from sbql.engine.scalars.determinism import reads_tables
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.column_conversion import Converter, assignment, key_normaliser
from sbql.engine.tables.row_expressions import (
    RowColumn,
    RowScope,
    in_own_database,
    parse_condition,
    parse_expression,
)
from sbql.grammar.ast import NextValueFor
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import columns_in, find_all
from sbql.grammar.types import SqlType

__all__ = ["BoundTable", "Check", "ForeignKey", "Key", "bind", "bind_shape", "duck_columns"]

_T = TypeVar("_T")

RowTest = Callable[[Frame, Sequence[Any]], Any]


_PLACES = {"FIRST": 0, "LAST": 2}
"""What sp_settriggerorder says; the others run between, in the order in which they were made."""


class Key(Struct):
    """A PRIMARY KEY, UNIQUE constraint or unique index, which is its `record`. `number` is the error of a duplicate."""

    id: int
    name: str
    kind: str
    number: int
    positions: tuple[int, ...]
    columns: tuple[str, ...]
    types: tuple[SqlType, ...]
    normalisers: tuple[Callable[[Any], Any] | None, ...]
    record: TableConstraint | Index
    is_identity: bool = False
    filter: RowTest | None = None

    def value(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """The key of a row, in the form in which equal keys are equal in Python."""
        if len(self.positions) == 1:  # most are, and a generator costs more than all else
            one, normalise = row[self.positions[0]], self.normalisers[0]
            return (one if normalise is None or one is None else normalise(one),)
        return tuple(
            row[p] if n is None or row[p] is None else n(row[p])
            for p, n in zip(self.positions, self.normalisers, strict=True)
        )

    def covers(self, frame: Frame, row: Sequence[Any]) -> bool:
        """Whether the row is in the index at all (a filtered unique index leaves rows out)."""
        return self.filter is None or bool(self.filter(frame, row))


class Check(Struct):
    """`columns` are the columns that the condition reads, as written there."""

    constraint: TableConstraint
    test: RowTest
    columns: tuple[str, ...]


class ForeignKey(Struct):
    """`child` columns refer to `parent` columns; the same object serves both directions."""

    constraint: TableConstraint
    child: Table
    child_positions: tuple[int, ...]
    parent: Table
    parent_positions: tuple[int, ...]
    normalisers: tuple[Callable[[Any], Any] | None, ...]

    def child_value(self, row: Sequence[Any]) -> tuple[Any, ...]:
        return self._value(row, self.child_positions)

    def parent_value(self, row: Sequence[Any]) -> tuple[Any, ...]:
        return self._value(row, self.parent_positions)

    def _value(self, row: Sequence[Any], positions: tuple[int, ...]) -> tuple[Any, ...]:
        return tuple(
            row[p] if n is None or row[p] is None else n(row[p])
            for p, n in zip(positions, self.normalisers, strict=True)
        )


class BoundTable(Struct):
    """`names` are the stored columns, the row id first; positions everywhere count without the row id. `display` is
    schema.table, `full_name` has the database before it. `view_check` is what a view WITH CHECK OPTION asks of the
    rows with these ids, once they are written. `late_checks` are CHECK constraints whose functions read tables: they
    are asked when the statement's rows are there. `shares_values`: defaults may ask a sequence twice for one row."""

    table: Table
    display: str
    full_name: str
    storage: str
    names: tuple[str, ...]
    types: tuple[SqlType, ...]
    index_of: dict[str, int]
    defaults: tuple[Callable[[Frame], Any] | None, ...]
    not_null: tuple[int, ...]
    identity: int | None
    row_version: int | None
    computed: tuple[tuple[int, RowTest, Converter | None], ...]
    checks: tuple[Check, ...]
    keys: tuple[Key, ...]
    foreign_keys: tuple[ForeignKey, ...] = ()
    referenced_by: tuple[ForeignKey, ...] = ()
    triggers: tuple[Module, ...] = ()
    encoded: tuple[tuple[int, Converter, Converter], ...] = ()
    needs_locks: bool = True
    view_check: Callable[[Frame, Sequence[int]], None] | None = None
    late_checks: tuple[Check, ...] = ()
    insert_columns: frozenset[int] = field(default_factory=frozenset)
    shares_values: bool = False
    _as_local: tuple[tuple[str, str], ...] | None = None
    _as_written: dict[tuple[str, ...], tuple[tuple[int, Converter | None], ...]] = field(default_factory=dict)

    @property
    def local_columns(self) -> tuple[tuple[str, str], ...]:
        """(name, DuckDB type) of all columns: what `inserted` and `deleted` have as relations."""
        if self._as_local is None:
            self._as_local = duck_columns(self.table)[1:]
        return self._as_local

    def written(self, names: tuple[str, ...]) -> tuple[tuple[int, Converter | None], ...]:
        """(position, what makes the Python value of a stored one) of the columns of a change behind its row id. A loop
        writes the same few again and again."""
        found = self._as_written.get(names)
        if found is None:
            decoders = {place: decode for place, _, decode in self.encoded}
            places = [self.names.index(name) - 1 for name in names[1:]]
            found = self._as_written[names] = tuple((place, decoders.get(place)) for place in places)
        return found

    @property
    def all_checks(self) -> tuple[Check, ...]:
        return self.checks + self.late_checks

    def unchecked(self) -> BoundTable:
        """The table for a bulk load, which asks no constraint but keys and NOT NULL."""
        return replace(self, checks=(), late_checks=(), foreign_keys=())

    def of_row(self, frame: Frame, make: Callable[[], _T]) -> _T:
        """What `make` makes of one row: with one value of a sequence, however many columns default to it."""
        return frame.of_row(make) if self.shares_values else make()

    @property
    def width(self) -> int:
        return len(self.types)

    @property
    def ignores_duplicates(self) -> bool:
        """Whether an INSERT may leave rows out, for IGNORE_DUP_KEY."""
        return any(key.record.ignores_duplicates for key in self.keys)

    def encode(self, row: Sequence[Any]) -> Sequence[Any]:
        """The stored form of a row."""
        if not self.encoded:
            return row
        stored = list(row)
        for i, encode, _ in self.encoded:
            value = stored[i]
            if value is not None:
                stored[i] = encode(value)
        return stored

    def decode(self, row: Sequence[Any]) -> list[Any]:
        """The Python values of a stored row."""
        values = list(row)
        for i, _, decode in self.encoded:
            value = values[i]
            if value is not None:
                values[i] = decode(value)
        return values

    def triggers_for(self, timing: str, event: str) -> list[Module]:
        found = [t for t in self.triggers if t.timing == timing and event in t.events]
        return sorted(found, key=lambda t: _PLACES.get(dict(t.orders).get(event, ""), 1)) if len(found) > 1 else found

    def position(self, name: str) -> int | None:
        return self.index_of.get(name.lower())


def bind(table: Table, session: Session) -> BoundTable:
    """The BoundTable of a user or temp table, made anew only when the catalog has changed."""
    states = session.instance.tables
    catalog = session.catalog
    kept = states.bound(table.id)
    if kept is not None and kept[0] is catalog and kept[1].table is table:
        bound: BoundTable = kept[1]
        return bound
    schema = catalog.get(Schema, table.database_id, table.schema_id)
    database = catalog.get(Database, 0, table.database_id)
    schema_name = schema.name if schema is not None else "dbo"
    found = bind_shape(
        table,
        session,
        display=f"{schema_name}.{table.name}",
        storage=storage_name(table.storage_schema, table.storage_name),
        database=database.name if database is not None else "tempdb",
    )
    found.needs_locks = table.session_id == 0
    if found.needs_locks:
        found.foreign_keys, found.referenced_by = _foreign_keys(table, catalog)
        found.triggers = tuple(
            m for m in catalog.all(Module, table.database_id) if m.parent_id == table.id and not m.is_disabled
        )
    states.keep_bound(table.id, (catalog, found))
    return found


def bind_shape(table: Table, session: Session, *, display: str, storage: str = "", database: str = "") -> BoundTable:
    """What does not depend on other objects: columns, defaults, checks, keys. Enough for a table variable."""
    full_name = f"{database}.{display}" if database else display
    columns = table.columns
    layout = [RowColumn("", c.name, c.type) for c in columns]
    rows = RowScope(layout, session)
    index_of = {c.name.lower(): i for i, c in enumerate(columns)}
    types = tuple(c.type for c in columns)
    if any(t.collection is not None for t in types):
        use_collections(session.catalog.all(XmlSchemaCollection, table.database_id))
    home = "" if table.name.startswith("#") else database  # a #temp table's functions are those of its session
    rows.scope.used_database = home or None
    checks = [
        _check(c, c.condition, rows, session, home)
        for c in table.constraints
        if c.type == "C" and c.condition is not None and not c.is_disabled
    ]
    return BoundTable(
        table=table,
        display=display,
        full_name=full_name,
        storage=storage,
        names=(ROW_ID, *(c.name for c in columns)),
        types=types,
        index_of=index_of,
        defaults=tuple(_default(c.default, c.type, session, full_name, c.name, home) for c in columns),
        not_null=tuple(i for i, c in enumerate(columns) if not c.is_nullable),
        identity=next((i for i, c in enumerate(columns) if c.is_identity), None),
        row_version=next((i for i, c in enumerate(columns) if c.type.name in ("rowversion", "timestamp")), None),
        computed=tuple(
            _computed(i, table, rows, full_name, home) for i, c in enumerate(columns) if c.computed is not None
        ),
        checks=tuple(check for check, is_late in checks if not is_late),
        late_checks=tuple(check for check, is_late in checks if is_late),
        keys=tuple(_keys(table, index_of, rows)),
        encoded=tuple(_encoded(types)),
        insert_columns=frozenset(i for i, c in enumerate(columns) if not c.is_identity and c.computed is None),
        shares_values=sum(c.default is not None and _asks_sequence(c.default) for c in columns) > 1,
    )


def _asks_sequence(default: str) -> bool:
    return next(find_all(parse_expression(default), NextValueFor), None) is not None


def _encoded(types: Sequence[SqlType]) -> Iterator[tuple[int, Converter, Converter]]:
    """The columns whose values are stored in another form: their places, how they go in and come out."""
    for i, sql_type in enumerate(types):
        encode, decode = encoder(sql_type), decoder(sql_type)
        if encode is not None and decode is not None:
            yield i, encode, decode


def _check(
    constraint: TableConstraint, text: str, rows: RowScope, session: Session, database: str
) -> tuple[Check, bool]:
    """The constraint, and whether it reads tables."""
    condition = in_own_database(parse_condition(text), database)
    names = {c.name.lower(): c.name for c in columns_in(condition)}
    return Check(constraint, rows.condition(condition), tuple(names.values())), reads_tables(condition, session)


def _default(
    text: str | None, sql_type: SqlType, session: Session, table: str, column: str, database: str
) -> Callable[[Frame], Any] | None:
    if text is None:
        return None
    scope = Scope(session)
    scope.is_default = scope.is_definition = True
    scope.used_database = database or None
    scalar = compile_scalar(in_own_database(parse_expression(text), database), scope)
    convert = assignment(scalar.type, sql_type, table, column)
    run = scalar.run
    return run if convert is None else lambda frame: convert(run(frame))


def _computed(
    position: int, table: Table, rows: RowScope, full_name: str, database: str
) -> tuple[int, RowTest, Converter | None]:
    column = table.columns[position]
    assert column.computed is not None
    run, sql_type = rows.scalar(in_own_database(parse_expression(column.computed), database))
    return position, run, assignment(sql_type, column.type, full_name, column.name)


def _keys(table: Table, index_of: dict[str, int], rows: RowScope) -> list[Key]:
    keys = []
    for constraint in table.constraints:
        if constraint.type in ("PK", "UQ"):
            kind = "PRIMARY KEY" if constraint.type == "PK" else "UNIQUE KEY"
            keys.append(_key(table, index_of, constraint, constraint.id, kind, 2627))
    for index in table.indexes:
        if index.is_unique and not index.is_disabled:
            key = _key(table, index_of, index, -index.index_id, "UNIQUE INDEX", 2601)
            if index.filter is not None:
                key.filter = rows.condition(parse_condition(index.filter))
            keys.append(key)
    return keys


def _key(
    table: Table, index_of: dict[str, int], record: TableConstraint | Index, key_id: int, kind: str, number: int
) -> Key:
    positions = tuple(index_of[c.name.lower()] for c in record.columns)
    types = tuple(table.columns[p].type for p in positions)
    return Key(
        id=key_id,
        name=record.name,
        kind=kind,
        number=number,
        positions=positions,
        columns=tuple(table.columns[p].name for p in positions),
        types=types,
        normalisers=tuple(key_normaliser(t) for t in types),
        record=record,
        is_identity=len(positions) == 1 and table.columns[positions[0]].is_identity,
    )


def _foreign_keys(table: Table, catalog: Any) -> tuple[tuple[ForeignKey, ...], tuple[ForeignKey, ...]]:
    """Those of the table, and those of other tables (and its own) that refer to it."""
    own, others = [], []
    for child in catalog.all(Table, table.database_id):
        for constraint in child.constraints:
            if constraint.type != "F" or constraint.is_disabled:
                continue
            if child.id == table.id:
                own.append(_foreign_key(child, constraint, catalog))
            if constraint.referenced_id == table.id:
                others.append(_foreign_key(child, constraint, catalog))
    return tuple(own), tuple(others)


def _foreign_key(child: Table, constraint: TableConstraint, catalog: Any) -> ForeignKey:
    parent = catalog.get(Table, child.database_id, constraint.referenced_id)
    if parent is None:
        raise sql_error(1767, constraint.name, str(constraint.referenced_id))
    child_at = {c.name.lower(): i for i, c in enumerate(child.columns)}
    parent_at = {c.name.lower(): i for i, c in enumerate(parent.columns)}
    positions = tuple(parent_at[c.lower()] for c in constraint.referenced_columns)
    return ForeignKey(
        constraint=constraint,
        child=child,
        child_positions=tuple(child_at[c.name.lower()] for c in constraint.columns),
        parent=parent,
        parent_positions=positions,
        normalisers=tuple(key_normaliser(parent.columns[p].type) for p in positions),
    )


def duck_columns(table: Table) -> tuple[tuple[str, str], ...]:
    """(name, DuckDB type) of the stored columns, the row id first."""
    return ((ROW_ID, "BIGINT"), *((c.name, duck_type(c.type)) for c in table.columns))
