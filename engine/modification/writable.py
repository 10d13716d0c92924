"""What a write may go through: a table, or a view, common table expression or derived table over one that it changes.

It decides which base table is meant, what its columns are called there, and what a view WITH CHECK OPTION asks of the
new rows. Of a join the base table is the one that has all columns which SET or the column list names. The query itself
stays what it is: `WritableQuery` stands in FROM for it and carries the row id and the columns of the base table along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace

import msgspec
from msgspec import Struct, field

from sbql.catalog.changes import ROW_ID
from sbql.catalog.records import Module, Table
from sbql.engine.modification.target import check_permission, find_target, variable_shape
from sbql.engine.ports import Session
from sbql.engine.query.context import has_aggregate
from sbql.engine.query.lock_hints import hint_names
from sbql.engine.query.names import Relation, qualifier_of
from sbql.engine.query.translation import fetch, translate_query
from sbql.engine.query.written_sources import BASE, TableWithRowId, WritableQuery
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security import same_owner
from sbql.engine.security.reads import check_columns
from sbql.engine.security.resolver import in_text_of
from sbql.engine.tables.bound_table import BoundTable, bind, bind_shape
from sbql.grammar.ast import (
    Apply,
    ColumnReference,
    CommonTableExpression,
    CreateViewStatement,
    DerivedTable,
    Expression,
    Identifier,
    Join,
    NamedTable,
    ObjectName,
    Pivot,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    SelectStar,
    Span,
    TableSource,
    Unpivot,
    VariableTable,
    WithClause,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import rewrite

__all__ = ["Target", "common_table_of", "sources_of", "view_check", "writable"]

MAX_DEPTH = 32
Wanted = Sequence[tuple[str, Span]] | None
"""The columns that a write changes; None for DELETE, which changes none and removes rows."""


class Target(Struct):
    """`source` stands in FROM, under `alias`. `columns` maps the names of a query's columns (lower case) to those of
    the table, None for what cannot be changed; it is None for a table itself. `check` is the outermost view WITH CHECK
    OPTION, `views` the views on the way to the table, outermost first."""

    source: TableSource
    alias: str
    bound: BoundTable
    slot: int | None = None
    columns: dict[str, str | None] | None = None
    hints: frozenset[str] = frozenset()
    check: WritableQuery | None = None
    views: tuple[Module, ...] = ()
    names: tuple[str, ...] = field(default=())
    qualifier: tuple[Identifier, ...] = ()
    """Database, schema and name, where another source of FROM has the same name as this one."""

    @property
    def parts(self) -> tuple[Identifier, ...]:
        """What stands in front of its columns."""
        return self.qualifier or (Identifier(self.alias),)

    def check_qualifier(self, column: ObjectName, database: str) -> None:
        """A column that SET changes may be qualified, as one in WHERE, by what the statement calls its target.
        `database` is the current one. Raises 4104 for another source and for none."""
        source = self.source
        is_named = isinstance(source, WritableQuery) or (isinstance(source, NamedTable) and source.alias is None)
        name: ObjectName | None = getattr(source, "name", None) if is_named else None
        own = Relation(self.alias, (), () if name is None else qualifier_of(name, database))
        if len(column.parts) > 1 and not own.answers_to(column.parts[:-1]):
            raise sql_error(4104, str(column), span=column.span)

    def column(self, name: str, span: Span) -> str:
        """The table's name of a column. Raises 207."""
        if self.columns is None:
            return name
        if name.lower() not in self.columns:
            raise sql_error(207, name, span=span)
        found = self.columns[name.lower()]
        assert found is not None, "writable() has looked at what is wanted"
        return found

    def images(self) -> list[Expression]:
        """The columns of the table, beside each row of the source."""
        prefix = "" if self.columns is None else BASE
        return [ColumnReference((*self.parts, Identifier(n))) for n in self.image_names(prefix)]

    def image_names(self, prefix: str | None = None) -> list[str]:
        before = prefix if prefix is not None else "" if self.columns is None else BASE
        return [before + column.name for column in self.bound.table.columns]

    def check_permission(self, session: Session, permission: str, span: Span, columns: Sequence[str] = ()) -> None:
        """Raises 229: of a view, the right is asked of the view, and of what it reads where owners differ."""
        above: Module | None = None
        for view in self.views:
            caller = above if above is not None else session.running_module
            if not session.contexts[-1].is_sa and not same_owner(session.catalog, caller, view):
                check_columns(session, permission, view, (), span)
            above = view
        if above is None or not same_owner(session.catalog, above, self.bound.table):
            check_permission(session, self.bound.table, permission, span, columns)


class _Kind(Struct, frozen=True):
    """The errors of a view, or of a common table expression or derived table."""

    name: str
    is_view: bool

    def grouped(self, span: Span) -> SqlError:
        return sql_error(4403 if self.is_view else 4418, self.name, span=span)

    def several(self, span: Span) -> SqlError:
        return sql_error(4405 if self.is_view else 4420, self.name, span=span)

    def derived(self, span: Span) -> SqlError:
        return sql_error(4406 if self.is_view else 4421, self.name, span=span)

    def combined(self, op: str, span: Span) -> SqlError:
        if not self.is_view:
            return sql_error(4417, self.name, span=span)
        return sql_error(4436, self.name, span=span) if op == "UNION ALL" else self.derived(span)


def sources_of(node: TableSource | None) -> list[TableSource]:
    if isinstance(node, Join | Apply):
        return [*sources_of(node.left), *sources_of(node.right)]
    return [] if node is None else [node]


def common_table_of(name: NamedTable, with_: WithClause | None) -> CommonTableExpression | None:
    """The common table expression that a table of FROM names."""
    if with_ is None or len(name.name.parts) != 1:
        return None
    folded = name.name.name.lower()
    return next((c for c in with_.tables if c.name.value.lower() == folded), None)


def writable(
    source: TableSource, wanted: Wanted, session: Session, scope: Scope, with_: WithClause | None = None, depth: int = 0,
    view: Span | None = None,
) -> Target:  # fmt: skip
    """What a write to `source` changes. Raises 208, 416, 4403 to 4436. `view`: where the statement names the view in
    whose text the source stands."""
    place = view or source.span
    if depth > MAX_DEPTH:
        raise sql_error(4431, str(getattr(source, "name", "")), span=place)
    if isinstance(source, VariableTable):
        slot, shape = variable_shape(scope, source)
        bound = bind_shape(shape, session, display=source.name)
        bound.needs_locks = False
        return Target(source, _exposed(source), bound, slot)
    if isinstance(source, DerivedTable) and source.alias is not None:
        query = _Through(source.query, source.columns, source.alias, with_, None, None, view)
        return query.target(_Kind(source.alias.value, False), wanted, session, scope, place, depth)
    assert isinstance(source, NamedTable)
    alias = Identifier(_exposed(source))
    common = common_table_of(source, with_)
    if common is not None:
        query = _Through(_passing(common.query, source), common.columns, alias, with_, None, None, view)
        found = query.target(_Kind(common.name.value, False), wanted, session, scope, place, depth)
    else:
        record = find_target(session, source.name, view)
        if isinstance(record, Table):
            if record.is_ms_shipped:
                raise sql_error(259, span=place)
            return Target(source, alias.value, bind(record, session), hints=hint_names(source))
        statement = session.instance.modules.parse(record.definition).statements[0]
        assert isinstance(statement, CreateViewStatement)
        if not depth:
            translate_query(QueryExpression(QuerySpecification((SelectStar(),), from_=source)), scope, session)
        select = statement.query
        query = _Through(
            _passing(select.query, source), statement.columns, alias, select.with_, select.with_, record, place
        )
        if statement.check_option and isinstance(select.query.query, QuerySpecification) and select.query.query.top:
            raise sql_error(4427, record.name, span=place)
        found = query.target(_Kind(record.name, True), wanted, session, scope, place, depth)
        found.views = (record, *found.views)
        assert isinstance(found.source, WritableQuery)
        if source.alias is None:
            found.source = replace(found.source, name=source.name)
        if statement.check_option:
            found.check = found.source
    found.hints |= hint_names(source)
    return found


def _passing(query: QueryExpression, source: NamedTable) -> QueryExpression:
    """The query of a view or common table, with READPAST on its tables where the write has it."""
    hints = tuple(hint for hint in source.hints if hint.name.upper() == "READPAST")
    if not hints:
        return query
    return rewrite(
        query, lambda node: replace(node, hints=node.hints + hints) if isinstance(node, NamedTable) else None
    )


def _exposed(source: TableSource) -> str:
    alias = getattr(source, "alias", None)
    if alias is not None:
        return str(alias.value)
    return source.name.name if isinstance(source, NamedTable) else str(getattr(source, "name", ""))


class _Through(Struct, frozen=True):
    """A query through which a write goes. `with_` are the common table expressions that it sees, `own_with` those that
    stand in its own text, `module` the view whose text it is, `view` where the statement names the view that it is of
    or stands in."""

    query: QueryExpression
    names: tuple[Identifier, ...]
    alias: Identifier
    with_: WithClause | None
    own_with: WithClause | None
    module: Module | None
    view: Span | None

    def target(self, kind: _Kind, wanted: Wanted, session: Session, scope: Scope, span: Span, depth: int) -> Target:
        query = self.query.query
        if not isinstance(query, QuerySpecification):
            raise kind.combined(getattr(query, "op", ""), span)
        sources = sources_of(query.from_)
        is_turned = any(isinstance(s, Pivot | Unpivot) for s in sources)
        if query.group_by or query.distinct or query.having or is_turned or has_aggregate(query.items):
            raise kind.grouped(span)
        with in_text_of(session, self.module) if self.module is not None else nullcontext():
            names, origins = self._origins(query, session, scope)
            base = _base(sources, names, origins, wanted, kind, span)
            below = [(origin[1], at) for origin, at in _of_base(names, origins, wanted)]
            inner = writable(base, None if wanted is None else below, session, scope, self.with_, depth + 1, self.view)
        mine = _exposed(base).lower()
        columns = {}
        for name, origin in zip(names, origins, strict=True):
            of_base = origin is not None and origin[0] == mine
            known = inner.columns
            columns[name] = None if origin is None or not of_base else origin[1] if known is None else known.get(origin[1].lower())  # fmt: skip
        return msgspec.structs.replace(
            inner,
            source=self._carrying(query, base, inner, span),
            alias=self.alias.value,
            columns=columns,
            names=tuple(names),
        )

    def _origins(
        self, query: QuerySpecification, session: Session, scope: Scope
    ) -> tuple[list[str], list[tuple[str, str] | None]]:
        """The names of the query's columns in lower case, and for each the source and its column, if it is one."""
        plain = QueryExpression(replace(query, top=None), span=self.query.span)
        outer = scope if self.module is None else Scope(session)
        translated = translate_query(plain, outer, session, with_=self.with_)
        names = [c.name.lower() for c in translated.columns]
        origins = [None if o is None else (o[0].split(".")[-1].lower(), o[1]) for o in translated.origins]
        items = query.items
        stars = [i for i, item in enumerate(items) if isinstance(item, SelectStar)]
        first, last = (stars[0], len(items) - stars[-1] - 1) if stars else (len(items), 0)
        for place, item in [*enumerate(items[:first]), *enumerate(items[len(items) - last :], len(names) - last)]:
            if not (isinstance(item, SelectColumn) and isinstance(item.expression, ColumnReference)):
                origins[place] = None
        if self.names:
            names = [n.value.lower() for n in self.names][: len(names)]
        return names, origins[: len(names)]

    def _carrying(self, query: QuerySpecification, base: TableSource, inner: Target, span: Span) -> WritableQuery:
        carried: TableSource = inner.source
        if inner.columns is None:
            assert isinstance(base, NamedTable | VariableTable)
            carried = TableWithRowId(base, span=base.span)
        assert query.from_ is not None, "the base stands in it"
        from_ = rewrite(query.from_, lambda part: carried if part is base else None)
        alias = Identifier(_exposed(base))
        row_id: Expression = ColumnReference((alias, Identifier(ROW_ID)))
        images = [ColumnReference((alias, Identifier(n))) for n in inner.image_names()]
        return WritableQuery(
            replace(self.query, query=replace(query, from_=from_)),
            self.alias,
            self.names,
            row_id,
            tuple(zip((c.name for c in inner.bound.table.columns), images, strict=True)),
            self.own_with,
            self.module,
            span=span,
        )


Origin = tuple[str, str]


def _base(
    sources: list[TableSource],
    names: Sequence[str],
    origins: Sequence[Origin | None],
    wanted: Wanted,
    kind: _Kind,
    span: Span,
) -> TableSource:
    """The source of FROM that is changed. Raises 207, 4405, 4406 and their twins."""
    used: set[str] = set()
    for name, at in wanted or ():
        if name.lower() not in names:
            raise sql_error(207, name, span=at)
        origin = origins[names.index(name.lower())]
        if origin is None:
            raise kind.derived(at)
        used.add(origin[0])
    if len(sources) > 1 and len(used) != 1:
        raise kind.several(span)
    found = sources[0] if len(sources) == 1 else next((s for s in sources if _exposed(s).lower() in used), None)
    if not isinstance(found, NamedTable | VariableTable | DerivedTable):
        raise kind.derived(span)
    return found


def _of_base(names: Sequence[str], origins: Sequence[Origin | None], wanted: Wanted) -> Iterator[tuple[Origin, Span]]:
    for name, at in wanted or ():
        origin = origins[names.index(name.lower())]
        assert origin is not None
        yield origin, at


# --- WITH CHECK OPTION -------------------------------------------------------------------------------------


def view_check(target: Target, session: Session) -> Callable[[Frame, Sequence[int]], None] | None:
    """What a view WITH CHECK OPTION asks after a write: that the rows with these ids can be seen through it. Raises
    550."""
    view = target.check
    if view is None:
        return None
    row_id = SelectColumn(ColumnReference((view.alias, Identifier(ROW_ID))))
    query = QueryExpression(QuerySpecification((row_id,), from_=replace(view, is_checked=True)), span=view.span)
    with in_text_of(session, target.views[0]):
        translated = translate_query(query, Scope(session), session)
    translated = msgspec.structs.replace(translated, reads=())

    def check(frame: Frame, row_ids: Sequence[int]) -> None:
        with frame.session.holding({WritableQuery.CHECKED: list(row_ids)}):
            seen = {row[0] for row in fetch(translated, frame)}
        if not seen.issuperset(row_ids):
            raise sql_error(550)

    return check
