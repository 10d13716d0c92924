"""Names inside one query: the relations of FROM, their columns, and how a column reference finds its column.

It decides which relation a name means (innermost query first, then the outer ones) and raises 207, 209, 4104, 1013, 107
and 1011. It must not know where the relations come from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.ast import NO_SPAN, ColumnReference, Condition, Identifier, ObjectName, Over, Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import SqlType
from sbql.grammar.values.collation_precedence import IMPLICIT

__all__ = ["CommonTable", "Grouping", "KeptKeys", "Level", "Relation", "RelationColumn", "qualifier_of"]

_NO_COLUMN = "sys.columns lists the columns of a table; text stands in single quotation marks."


class RelationColumn(Struct, frozen=True):
    """A column that T-SQL calls `name` and the generated SQL `text`. That is `sql`, unless `work_out` makes it for
    whoever reads the column. `refused` is the error of whoever reads it."""

    name: str
    type: SqlType
    sql: str
    nullable: bool = True
    is_hidden: bool = False
    rank: int = IMPLICIT
    refused: int = 0
    work_out: Callable[[], str] | None = None

    @property
    def text(self) -> str:
        return self.sql if self.work_out is None else self.work_out()

    def typed(self, alias: str) -> Typed:
        if self.refused:
            raise sql_error(self.refused)
        return Typed(self.text, self.type, self.nullable, self.rank, origin=(alias, self.name))


class KeptKeys(Struct):
    """What the text of a table, called `alias`, shows beside its columns (`kept_keys`): the names of keys, by their
    texts."""

    alias: str
    names: dict[str, str] = field(default_factory=dict)


class Relation(Struct):
    """A row source of FROM. `alias` is what T-SQL calls it ('' without a name); `qualifier` the lower-case database,
    schema and name of an unaliased table, for references of more than two parts; `row_id` and `table_name` are of a
    table that can be written; `storage` where all rows of that stored table are read; `element_name` is what FOR XML
    AUTO calls it, if not by its alias, `address` the name and the primary key of a stored table, for URLs there; `used`
    the lower-case names of the columns that the query refers to; `is_found_by_key` says that a row of the others has
    one row of it at most, and `kept_keys` what it can show beside its columns."""

    alias: str
    columns: tuple[RelationColumn, ...]
    qualifier: tuple[str | None, ...] = ()
    row_id: str | None = None
    table_name: str = ""
    storage: str | None = None
    element_name: str = ""
    address: tuple[str, tuple[str, ...]] | None = None
    used: set[str] = field(default_factory=set)
    is_found_by_key: bool = False
    kept_keys: KeptKeys | None = None
    by_name: dict[str, list[RelationColumn]] = field(default_factory=dict)
    """Of the columns, whatever is given."""

    def __post_init__(self) -> None:
        self.by_name = {}  # a copy with other columns has been given those of the one before
        for column in self.columns:
            self.by_name.setdefault(column.name.lower(), []).append(column)

    def answers_to(self, parts: tuple[Identifier | None, ...]) -> bool:
        """True when the qualifier `parts` (without the column) means this relation."""
        wanted = [p.value.lower() if p is not None else None for p in parts]
        if not wanted or wanted[-1] != self.alias.lower():
            return False
        if len(wanted) == 1:
            return True
        if not self.qualifier:
            return False
        own = self.qualifier[-len(wanted) :]
        return len(own) == len(wanted) and all(
            w is None or o is None or w == o for w, o in zip(wanted, own, strict=True)
        )


def qualifier_of(name: ObjectName, database: str) -> tuple[str | None, ...]:
    """Database, schema and name of an unaliased table or view in FROM, in lower case; `database` is the current one."""
    return ((name.database or database).lower(), (name.schema or "dbo").lower(), name.name.lower())


class CommonTable(Struct):
    """A common table expression: its DuckDB name and columns (their `sql` is the bare column name), and
    the aliases under which it was read so far. `numbers_rows`: a recursive member with window functions is being
    translated."""

    name: str
    sql_name: str
    columns: tuple[RelationColumn, ...]
    references: list[str] = field(default_factory=list)
    numbers_rows: bool = False


class Grouping(Struct):
    """GROUP BY of a query. `values` maps the text of a group expression to what stands for it after grouping,
    `determined` that of a column which others decide to one of those."""

    values: dict[str, Typed] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    determined: dict[str, str] = field(default_factory=dict)
    is_active: bool = False
    clause: str = ""


class Level(Struct):
    """One query and the queries around it. `row_key` names the row that a recursive member works on: T-SQL's
    recursion takes one row at a time, so the windows of a member see only what comes of that row.
    `is_applied`: the right side of an APPLY."""

    parent: Level | None = None
    relations: list[Relation] = field(default_factory=list)
    grouping: Grouping | None = None
    aggregate_order: str | None = None
    """The order of the ordered aggregates of this query, which can have only one (8711)."""
    uses_outer: bool = False
    row_key: str = ""
    is_applied: bool = False
    clause: str = ""
    """Of a subquery: the clause of its parent that it stands in."""
    where: Condition | None = None
    """What it asks of its rows."""
    asks: object = None
    """All that may name its columns, where that is known: the specification and what it is ordered by."""
    windows: dict[str, Over] = field(default_factory=dict)
    """What the WINDOW clause names, by name in lower case."""
    target: object = None
    """The source in FROM that a write is about, and what became of it."""
    target_relation: Relation | None = None
    look_ups: dict[Any, Any] | None = None
    """What functions look up beside its rows (`looked_up`); None where nothing can be joined to them."""
    host: Level | None = None
    """Of the body of a function: the query to whose rows its look-ups are joined."""
    inlined: dict[tuple[Any, ...], Typed] = field(default_factory=dict)
    """What its calls of scalar functions are."""

    # --- FROM ----------------------------------------------------------------------------------------------

    def add(self, relation: Relation, span: Span) -> None:
        """Add a relation. Raises 1011 (an alias twice) or 1013 (a table twice)."""
        for other in self.relations:
            if relation.alias and other.alias.lower() == relation.alias.lower():
                if not (relation.qualifier and other.qualifier):
                    raise sql_error(1011, relation.alias, span=span)
                if relation.qualifier == other.qualifier:
                    raise sql_error(1013, relation.alias, relation.alias, span=span)
        self.relations.append(relation)

    # --- columns -------------------------------------------------------------------------------------------

    def column(self, node: ColumnReference) -> tuple[Level, Relation, RelationColumn]:
        """The column a reference means. Raises 207, 209, 4104."""
        level: Level | None = self
        qualifier = node.parts[:-1]
        found_relation = False
        while level is not None:
            hit, matched = level._own_column(node, qualifier)
            if hit is not None:
                self._mark_outer(level)
                return level, *hit
            if matched:
                found_relation = True
                break
            level = level.parent
        if not qualifier or found_relation:
            names = [column.name for relation in self.relations for column in relation.columns]
            raise sql_error(207, node.name, span=node.span).advise(did_you_mean(node.name, names) or _NO_COLUMN)
        raise sql_error(4104, ".".join(p.value if p else "" for p in node.parts), span=node.span)

    def _own_column(
        self, node: ColumnReference, qualifier: tuple[Identifier | None, ...]
    ) -> tuple[tuple[Relation, RelationColumn] | None, bool]:
        name = node.name.lower()
        matched = False
        hits: list[tuple[Relation, RelationColumn]] = []
        for relation in self.relations:
            if qualifier:
                if not relation.answers_to(qualifier):
                    continue
                matched = True
            for column in relation.by_name.get(name, ()):
                hits.append((relation, column))
        if len(hits) > 1:
            raise sql_error(209, node.name, span=node.span)
        if hits and node.span is not NO_SPAN:  # those without a place in the text are the row images of a write
            hits[0][0].used.add(hits[0][1].name.lower())
        return (hits[0] if hits else None), matched

    def _mark_outer(self, owner: Level) -> None:
        level: Level | None = self
        while level is not None and level is not owner:
            level.uses_outer = True
            level = level.parent

    def knows(self, node: ColumnReference) -> bool:
        """True when the reference means a column here or further out."""
        try:
            self.column(node)
        except SqlError:
            return False
        return True

    def star(self, qualifier: ObjectName | None, span: Span) -> list[tuple[Relation, RelationColumn]]:
        """The columns of `*` or `t.*`. Raises 107, 263."""
        if qualifier is None:
            if not self.relations:
                raise sql_error(263, span=span)
            chosen = self.relations
        else:
            chosen = [r for r in self.relations if r.answers_to(qualifier.parts)]
            if not chosen:
                raise sql_error(107, str(qualifier), span=span)
        for relation in chosen:
            relation.used.update(relation.by_name)
        return [(r, c) for r in chosen for c in r.columns if not c.is_hidden]
