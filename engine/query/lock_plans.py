"""What a statement locks while it reads: by its table hints, by the hints in views and functions that it names, and by
its isolation level.

It decides which tables are locked how, and for which queries the rows are. What a write searches is locked by the write
itself: of its target's hints only those count here that lock the table, and NOWAIT. It must not know when
the locks are taken, nor whose they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from msgspec import Struct, field

from sbql.catalog.records import Table
from sbql.engine.ports import Session
from sbql.engine.query.lock_hints import EXCLUSIVE_HINTS, hint_names
from sbql.engine.query.modules_below import calls_module, hinted_below, is_reader
from sbql.engine.query.written_sources import TableWithRowId
from sbql.engine.scalars.scope import QUERIES, Scope
from sbql.engine.security.resolver import resolve
from sbql.grammar.ast import (
    BinaryQuery,
    ColumnReference,
    DeleteStatement,
    DerivedTable,
    Identifier,
    InsertStatement,
    Join,
    MergeStatement,
    NamedTable,
    Node,
    ObjectName,
    Query,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    Statement,
    TableSource,
    UpdateStatement,
    WithClause,
)
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import children, walk

__all__ = ["LOCKING_LEVELS", "LockPlan", "Reading", "has_locking_hints", "locks_by_hint", "may_hide_hints", "parts_of", "plan_locks"]  # fmt: skip

_RANGE_HINTS: Final = frozenset({"HOLDLOCK", "SERIALIZABLE"})
_SHARED_HINTS: Final = _RANGE_HINTS | {"REPEATABLEREAD"}
_TABLE_HINTS: Final = frozenset({"TABLOCK", "TABLOCKX"})
_LOCKING: Final = EXCLUSIVE_HINTS | _SHARED_HINTS | _TABLE_HINTS
_OF_TARGETS: Final = _RANGE_HINTS | _TABLE_HINTS | {"NOWAIT"}
"""Those that say more of the target of a write than the write does by itself."""
_OWN_LEVELS: Final = frozenset({"NOLOCK", "READUNCOMMITTED", "READCOMMITTED", "READCOMMITTEDLOCK"})
"""A table with one of them is read at that level, whatever that of the session is."""
LOCKING_LEVELS: Final = frozenset({"REPEATABLE READ", "SERIALIZABLE"})


class Reading(Struct):
    """A query with hinted tables. `rows` gives one row id for each of `sources`, the nodes whose rows it locks.
    `translate(session, i)` is the same query over source `i` as it would be if others committed; `images` keeps what it
    made."""

    sources: list[tuple[NamedTable, Table]]
    rows: Any
    translate: Callable[[Session, int], Any]
    images: dict[int, Any] = field(default_factory=dict)


class _Read(Struct, frozen=True):
    """A table that is read at the level of the session. `by_row`: a Reading locks its rows; `passes`: READPAST."""

    table_id: int
    nowait: bool = False
    by_row: bool = False
    passes: bool = False


class LockPlan(Struct):
    """`tables`: (table id, mode, whether not to wait) that the hints ask for; `everything`: all tables that are read,
    `targets` those that are searched to be changed."""

    tables: list[tuple[int, str, bool]] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    everything: list[_Read] = field(default_factory=list)
    targets: list[_Read] = field(default_factory=list)
    _at: dict[tuple[str, bool], list[tuple[int, str, bool]]] = field(default_factory=dict)

    @property
    def has_hints(self) -> bool:
        return bool(self.tables or self.readings)

    def locked_at(self, level: str, *, is_alone: bool) -> list[tuple[int, str, bool]]:
        """The locks of tables, each table once: who shared it first and had it alone afterwards would meet another one
        that does the same. Empty: the statement locks nothing beforehand. `is_alone`: it is outside of a transaction,
        where nothing is read again, and READPAST waits for nobody at any level."""
        found = self._at.get((level, is_alone))
        if found is None:
            found = self._at[level, is_alone] = self._locked_at(level, is_alone)
        return found

    def _locked_at(self, level: str, is_alone: bool) -> list[tuple[int, str, bool]]:
        wanted = list(self.tables)
        for reading in self.readings:
            wanted += [(table.id, "IX", "NOWAIT" in hint_names(source)) for source, table in reading.sources]
        if level in LOCKING_LEVELS:
            wanted += [
                (read.table_id, "X" if read.by_row else "S", read.nowait)
                for read in self.everything
                if not (read.passes and is_alone)
            ]
        if level == "SERIALIZABLE":
            wanted += [(read.table_id, "X", read.nowait) for read in self.targets]
        found: dict[int, tuple[str, bool]] = {}
        for table_id, mode, nowait in wanted:
            before = found.get(table_id, (mode, False))
            found[table_id] = (mode if before[0] == mode else "X", nowait or before[1])
        return [(table_id, *found[table_id]) for table_id in sorted(found)]


def parts_of(node: Statement) -> Iterator[Node]:
    """All nodes of a statement, without those of the statements inside it."""
    yield node
    for child in children(node):
        yield from (part for part in walk(child, closed=Statement) if not isinstance(part, Statement))


def has_locking_hints(node: Statement, parts: Sequence[Node]) -> bool:
    """Whether a hint of the statement itself locks more than the statement does without it."""
    hinted = [part for part in parts if isinstance(part, NamedTable) and part.hints]
    targets = _targets(node) if hinted else []
    return any(
        bool((_OF_TARGETS if any(part is target for target in targets) else _LOCKING) & hint_names(part))
        for part in hinted
    )


def locks_by_hint(node: NamedTable) -> bool:
    """Whether a hint of this table locks, wherever it stands."""
    return bool(_LOCKING & hint_names(node))


def may_hide_hints(parts: Sequence[Node], session: Session) -> bool:
    """Whether a statement with these parts names what is no table now, so that hints may stand in the text of it."""
    common: set[str] | None = None
    for part in parts:
        if calls_module(part):
            return True
        if not isinstance(part, NamedTable) or _is_table(part.name, session):
            continue
        if common is None:
            common = _names(next((one for one in parts if isinstance(one, WithClause)), None))
        if not _is_known(part.name, common):
            return True
    return False


def _is_table(name: ObjectName, session: Session) -> bool:
    """Whether it is one now. Who may not look, or looks into a database that cannot be opened, finds none: it is the
    statement that fails, if it is ever run."""
    try:
        return isinstance(resolve(session, name, missing_ok=True), Table)
    except SqlError:
        return False


def _is_known(name: ObjectName, common: set[str]) -> bool:
    """Whether a name is none of a view of a user, whatever the catalog holds."""
    if name.name.startswith("#"):
        return True
    return len(name.parts) == 1 and (name.name.lower() in common or name.name.lower() in ("inserted", "deleted"))


def _names(with_: WithClause | None) -> set[str]:
    """Of the common table expressions."""
    return {table.name.value.lower() for table in with_.tables} if with_ is not None else set()


def _with(node: Statement) -> WithClause | None:
    return next((part for part in parts_of(node) if isinstance(part, WithClause)), None)


# --- what is written ---------------------------------------------------------------------------------------


def _targets(node: Statement) -> list[NamedTable]:
    """What a write writes to: its rows are locked by the write itself."""
    if not isinstance(node, InsertStatement | UpdateStatement | DeleteStatement | MergeStatement):
        return []
    target = node.target
    if not isinstance(target, NamedTable):
        return []
    from_ = getattr(node, "from_", None)
    name = target.name.name.lower()
    same = [s for s in _sources(from_) if name in (s.name.name.lower(), s.alias.value.lower() if s.alias else "")]
    inside = [s.query for s in _derived(from_) if s.alias is not None and s.alias.value.lower() == name]
    return [target, *same, *(t for one in [target, *same] for t in _through(one, node)), *_only_tables(inside, node)]


def _through(target: NamedTable, node: Statement) -> list[NamedTable]:
    """The table of a common table expression that is written through, if it is over that table alone."""
    with_ = getattr(node, "with_", None)
    if with_ is None or len(target.name.parts) > 1 or isinstance(node, InsertStatement):
        return []
    name = target.name.name.lower()
    return _only_tables([one.query for one in with_.tables if one.name.value.lower() == name], node)


def _only_tables(queries: list[QueryExpression], node: Statement) -> list[NamedTable]:
    found: list[NamedTable] = []
    for query in queries:
        source = query.query.from_ if isinstance(query.query, QuerySpecification) else None
        if isinstance(source, DerivedTable):
            found += _only_tables([source.query], node)
        elif isinstance(source, NamedTable):
            inner = _earlier(source, query, node)
            found += [source] if inner is None else _only_tables([inner], node)
    return found


def _earlier(source: NamedTable, query: QueryExpression, node: Statement) -> QueryExpression | None:
    """The common table expression that another one reads: one in front of it."""
    with_ = getattr(node, "with_", None)
    if with_ is None or len(source.name.parts) > 1:
        return None
    for one in with_.tables:
        if one.query is query:
            return None
        if one.name.value.lower() == source.name.name.lower():
            found: QueryExpression = one.query
            return found
    return None


def _sources(node: TableSource | None) -> list[NamedTable]:
    if isinstance(node, NamedTable):
        return [node]
    if isinstance(node, Join):
        return [*_sources(node.left), *_sources(node.right)]
    return []


def _derived(node: TableSource | None) -> list[DerivedTable]:
    if isinstance(node, DerivedTable):
        return [node]
    if isinstance(node, Join):
        return [*_derived(node.left), *_derived(node.right)]
    return []


# --- binding -----------------------------------------------------------------------------------------------


def _table(session: Session, node: NamedTable) -> Table | None:
    """The user table that a name means; None for anything else, and for temp tables, which nobody else sees."""
    found = resolve(session, node.name, missing_ok=True)
    return found if isinstance(found, Table) and found.session_id == 0 else None


def plan_locks(node: Statement, session: Session, scope: Scope) -> LockPlan:
    """Of IF and WHILE, what the condition reads."""
    plan = LockPlan()
    with_, targets = _with(node), _targets(node)
    common = _names(with_)
    rows_of_query: set[int] = set()
    for query in _queries(node):
        reading = _reading(query, with_, session, scope, targets)
        if reading is not None:
            plan.readings.append(reading)
            rows_of_query |= {id(source) for source, _ in reading.sources}
    for part in parts_of(node):
        if calls_module(part):
            _plan_module(session, part.name, frozenset(), plan)
        if not isinstance(part, NamedTable) or (len(part.name.parts) == 1 and part.name.name.lower() in common):
            continue
        table, hints = _table(session, part), hint_names(part)
        if table is None:
            _plan_module(session, part.name, hints, plan)
            continue
        is_target, by_row = any(part is target for target in targets), id(part) in rows_of_query
        read = _read(table, hints, by_row=by_row)
        if not (is_target or _OWN_LEVELS & hints):
            plan.everything.append(read)
        elif is_target and not (isinstance(node, InsertStatement) or _OWN_LEVELS & hints):
            plan.targets.append(read)
        mode = _table_mode(hints, is_target=is_target, by_row=by_row)
        if mode is not None:
            plan.tables.append((table.id, mode, read.nowait))
    return plan


def _plan_module(session: Session, name: ObjectName, hints: frozenset[str], plan: LockPlan) -> None:
    """The tables below a view or a user function, through whatever views and functions: they are read like it, and the
    hints of a view are theirs. Which of their rows it shows nobody asks: UPDLOCK and XLOCK lock the tables."""
    module = resolve(session, name, missing_ok=True)
    if not is_reader(module):
        return
    for table, own in hinted_below(module, session, hints):
        if table.session_id:
            continue
        if not _OWN_LEVELS & own:
            plan.everything.append(_read(table, own, by_row=False))
        mode = _table_mode(own, is_target=False, by_row=False)
        if mode is not None:
            plan.tables.append((table.id, mode, "NOWAIT" in own))


def _read(table: Table, hints: frozenset[str], *, by_row: bool) -> _Read:
    return _Read(table.id, "NOWAIT" in hints, by_row, "READPAST" in hints)


def _table_mode(hints: frozenset[str], *, is_target: bool, by_row: bool) -> str | None:
    """How the hints lock the table itself. UPDLOCK beside a lock of the table makes that exclusive."""
    if "TABLOCKX" in hints:
        return "X"
    if is_target:
        return "X" if (_RANGE_HINTS | _TABLE_HINTS) & hints else "IX" if "NOWAIT" in hints else None
    if EXCLUSIVE_HINTS & hints:
        return None if by_row else "X"
    return "S" if (_SHARED_HINTS | _TABLE_HINTS) & hints else None


def _queries(node: Statement) -> Iterator[QueryExpression]:
    """Each query of a statement over tables: the operands of a set operator are some, and the search of UPDATE and
    DELETE with FROM is one."""
    for part in parts_of(node):
        if isinstance(part, QueryExpression):
            yield from _operands(part, part.query)
    if isinstance(node, UpdateStatement | DeleteStatement) and node.from_ is not None:
        yield QueryExpression(QuerySpecification((), node.from_, node.where))


def _operands(whole: QueryExpression, query: Query) -> Iterator[QueryExpression]:
    if isinstance(query, BinaryQuery):
        yield from (*_operands(whole, query.left), *_operands(whole, query.right))
    elif whole.query is query:
        yield whole
    elif isinstance(query, QuerySpecification):
        plain = replace(query, order_by=(), offset=None, fetch=None)
        yield QueryExpression(plain, query.order_by, query.offset, query.fetch)


def _reading(
    query: QueryExpression, with_: WithClause | None, session: Session, scope: Scope, targets: list[NamedTable]
) -> Reading | None:
    """The rows that a query with UPDLOCK or XLOCK will read; None without such a hint, or when nobody can tell."""
    body = query.query
    if not isinstance(body, QuerySpecification):
        return None
    sources: list[tuple[NamedTable, Table]] = []
    items: list[SelectColumn] = []

    def marked(source: TableSource) -> TableSource:
        if isinstance(source, Join):
            return replace(source, left=marked(source.left), right=marked(source.right))
        if not isinstance(source, NamedTable) or not EXCLUSIVE_HINTS & hint_names(source):
            return source
        if (_RANGE_HINTS | _TABLE_HINTS) & hint_names(source) or any(source is target for target in targets):
            return source
        table = _table(session, source)
        if table is None:
            return source
        alias = source.alias.value if source.alias is not None else source.name.name
        row_id = f"$rid{len(sources)}"
        items.append(SelectColumn(ColumnReference((Identifier(alias), Identifier(row_id))), Identifier(row_id)))
        sources.append((source, table))
        return TableWithRowId(source, row_id, span=source.span)

    from_ = marked(body.from_) if body.from_ is not None else None
    if not sources:
        return None
    is_plain = not (body.distinct or body.group_by or body.having)
    inner = replace(body, items=tuple(items), from_=from_, distinct=False, group_by=None, having=None, into=None)
    whole = replace(query, query=inner, for_=None)
    attempts = [whole] if is_plain and (body.top or query.offset) else []
    attempts.append(replace(whole, query=replace(inner, top=None), order_by=(), offset=None, fetch=None))
    translate_query = QUERIES["translate_query"]
    for attempt in attempts:
        try:
            rows = translate_query(attempt, scope, session, with_=with_)
        except SqlError:
            continue

        def translate(session: Session, place: int, whole: QueryExpression = attempt) -> Any:
            body = whole.query
            assert isinstance(body, QuerySpecification)
            body = replace(body, from_=_with_images(body.from_, sources[place][0]))
            return translate_query(replace(whole, query=body), scope, session, with_=with_)

        return Reading(sources, rows, translate)
    return None


def _with_images(node: Any, table: NamedTable) -> Any:
    """FROM with the other reading of one of its tables that have row ids."""
    if isinstance(node, Join):
        return replace(node, left=_with_images(node.left, table), right=_with_images(node.right, table))
    return replace(node, images="with rows") if getattr(node, "table", None) is table else node
