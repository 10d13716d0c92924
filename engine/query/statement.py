"""Statement: what one translation collects: parameters, tables, local tables, registered functions, common tables.

It decides how parameters are numbered (only those that the finished text uses) and keeps equal ones apart from none.
While the text is made a parameter is a number between NULs, as the name of a relation is marked (catalog.marked_sql).
It must not know what any node means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from sbql.catalog.duck_types import is_plain
from sbql.catalog.marked_sql import MarkedSql, mark
from sbql.catalog.records import CatalogRecord, Module
from sbql.engine.outcomes import ResultColumn
from sbql.engine.ports import Session
from sbql.engine.query.names import CommonTable
from sbql.engine.running_lines import teller
from sbql.engine.security import same_owner
from sbql.engine.security.reads import Read, ServerState, SystemRead
from sbql.engine.security.resolver import in_text_of
from sbql.engine.tables.typed_sql import (
    LocalSource,
    Parameter,
    RegisteredFunction,
    TranslatedQuery,
    Typed,
    cast_text,
)
from sbql.grammar.ast import Expression, Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.executable_lines import lines_inside
from sbql.grammar.parser import parse_batch
from sbql.grammar.types import BIGINT, SqlType
from sbql.grammar.values.checkpoints import checkpoint

__all__ = ["MAX_VIEW_DEPTH", "Statement", "unsupported"]

MAX_VIEW_DEPTH = 32
_PART = 100
_LONG_TEXT, _LONGEST_TEXT, _LONGEST_WORK = 10_000, 4_000_000, 100_000_000
"""Characters of one part, and of all together; a part counts as _PART characters more."""


def unsupported(feature: str, span: Span) -> SqlError:
    """The error for something that sbql does not do, named by `feature`."""
    return sql_error(40517, feature, span=span)


class Statement:
    """Shared by all parts of one translated statement.

    `scope` knows the variables of the batch or module; `session` the names. `arguments` are what the parameters of the
    inline function around stand for. `hoists` False translates even constant parts into SQL, so that they fail only
    where a row needs them, and leaves scalar functions to their bodies.
    """

    def __init__(self, scope: Any, session: Session, *, hoists: bool = True) -> None:
        self.scope = scope
        self.session = session
        self.hoists = hoists
        self.tables: set[str] = set()
        self.common_tables: list[dict[str, CommonTable]] = []
        self.recursive: CommonTable | None = None
        """The common table whose recursive member is being translated."""
        self.namespaces: tuple[tuple[str | None, str], ...] = ()
        self.arguments: dict[str, Typed] = {}
        self.table_arguments: dict[str, tuple[int, Any]] = {}
        self.view_depth = 0
        self.inlined: frozenset[int] = frozenset()
        """The scalar functions, by id, whose bodies are being translated in the place of their calls."""
        self.has_inlined = False
        self.renders: dict[int, Any] = {}
        """What FOR clauses make of rows, by the identity of their queries."""
        self.scopes: dict[int, Any] = {}
        """The variables of each of them: equal constants of two calls are one parameter."""
        self.reads_broker = False
        self.reads: list[Read | SystemRead | ServerState] = []
        self.inside: Module | None = None
        self.images_of: tuple[object, bool] | None = None
        self.passes_locked = False
        """Inside a view that is read WITH (READPAST): the hint is that of all its tables."""
        self.is_in_window = False
        self._tell_lines: list[Callable[[], None]] = []
        self._spent = 0
        self._aliases = 0
        self._parameters: list[Parameter] = []
        self._later: list[Callable[[], str]] = []
        self._by_node: dict[Any, tuple[int, SqlType]] = {}
        self._locals: dict[str, LocalSource] = {}
        self._functions: dict[str, RegisteredFunction] = {}

    def spend(self, text: str) -> None:
        """Count the text of a translated part. Raises 8623 for a statement that would become too large: some operands
        stand several times in the text of their operator, and nested ones grow with each level."""
        size = len(text)
        self._spent += size + _PART
        if size > _LONGEST_TEXT or self._spent > _LONGEST_WORK:
            raise sql_error(8623)
        if size > _LONG_TEXT:
            checkpoint()

    def alias(self, prefix: str = "t") -> str:
        """A new DuckDB name, unique in the statement."""
        self._aliases += 1
        return f"{prefix}{self._aliases}"

    def find_common_table(self, name: str) -> CommonTable | None:
        for known in reversed(self.common_tables):
            found = known.get(name.lower())
            if found is not None:
                return found
        return None

    @contextmanager
    def within(self, module: Module) -> Iterator[None]:
        """While the text of a view or function is translated: its names are those of its database and schema, and what
        it names is reached through its owner."""
        before, self.inside = self.inside, module
        self._note_lines(module)
        try:
            with in_text_of(self.session, module):
                yield
        finally:
            self.inside = before

    def _note_lines(self, module: Module) -> None:
        """Nothing of the module runs by itself: its lines run when the query does, for whoever wants to know."""
        tell = teller(module.definition)
        if tell is not None:
            (definition,) = parse_batch(module.definition, quoted_identifiers=module.uses_quoted_identifier).statements
            self._tell_lines += [partial(tell, line, None) for line in sorted(lines_inside(definition))]

    @contextmanager
    def reading_images(self, node: object, *, with_rows: bool) -> Iterator[None]:
        """While this table of FROM is translated: it stands for what others have written (`pending_images.py`)."""
        before, self.images_of = self.images_of, (node, with_rows)
        try:
            yield
        finally:
            self.images_of = before

    @contextmanager
    def in_window(self) -> Iterator[None]:
        """While the partitions and the order of an OVER clause are translated, subqueries in them too."""
        before, self.is_in_window = self.is_in_window, True
        try:
            yield
        finally:
            self.is_in_window = before

    def read(self, record: CatalogRecord, columns: set[str], permission: str = "SELECT") -> None:
        """Note that whoever runs the query needs a permission on `record`; `columns` may still grow. A chain of one
        owner needs none."""
        if self.inside is None or not same_owner(self.session.catalog, self.inside, record):
            self.reads.append(Read(record, permission, self.inside, columns))

    # --- what the text refers to ---------------------------------------------------------------------------

    def parameter(self, run: Callable[[Any], Any], sql_type: SqlType, node: Expression | None = None) -> str:
        """The text of a parameter. Equal nodes share one, so that GROUP BY and the select list agree."""
        key = (node, id(self.scope)) if node is not None else None
        if key is not None and key in self._by_node:
            return self._marker(self._by_node[key][0], sql_type)
        self._parameters.append(Parameter(run, sql_type))
        number = len(self._parameters) - 1
        if key is not None:
            self._by_node[key] = (number, sql_type)
        return self._marker(number, sql_type)

    def row_ids(self, run: Callable[[Any], Any]) -> str:
        """The text of a list of row ids, known when the query runs."""
        self._parameters.append(Parameter(run, BIGINT))
        return f"CAST(\0{len(self._parameters) - 1}\0 AS BIGINT[])"

    def constant(self, run: Callable[[Any], Any], sql_type: SqlType, node: Expression | None = None) -> Typed:
        """A parameter as a typed expression, which conversions may still compute outside the query."""
        sql = self.parameter(run, sql_type, node)
        return Typed(sql, sql_type, constant=Parameter(run, sql_type))

    @staticmethod
    def _marker(number: int, sql_type: SqlType) -> str:
        return cast_text(f"\0{number}\0", sql_type)

    def use_table(self, storage: str) -> str:
        """The text of a stored table: its name, marked, for another may stand in for it (catalog.own_rows)."""
        self.tables.add(storage)
        return mark(storage)

    def later(self, text: Callable[[], str]) -> str:
        """The text of a part that is known when all others are."""
        self._later.append(text)
        return f"\0+{len(self._later) - 1}\0"

    def use_local(self, source: LocalSource, *, replaces: bool = True) -> str:
        if replaces or source.name not in self._locals:
            self._locals[source.name] = source
        return source.name

    def use_function(self, function: RegisteredFunction) -> str:
        self._functions[function.name] = function
        return function.name

    # --- the end -------------------------------------------------------------------------------------------

    def finish(
        self, sql: str, columns: tuple[ResultColumn, ...], origins: tuple[tuple[str, str] | None, ...] = ()
    ) -> TranslatedQuery:
        """The finished query; parameters get their numbers in order of appearance."""
        for place, text in enumerate(self._later):
            sql = sql.replace(f"\0+{place}\0", text())
        used: dict[int, int] = {}
        pieces: list[str] = []
        for i, piece in enumerate(sql.split("\0")):
            if i % 2 == 0:
                pieces.append(piece)
            elif piece.isdigit():
                pieces.append(f"${used.setdefault(int(piece), len(used) + 1)}")
            else:
                pieces.append(mark(piece))
        marked = MarkedSql.of("".join(pieces))
        return TranslatedQuery(
            sql=marked.plain(),
            marked=marked,
            columns=columns,
            parameters=tuple(self._parameters[n] for n in used),
            tables=frozenset(self.tables),
            locals=tuple(self._locals.values()),
            functions=tuple(self._functions.values()),
            origins=origins,
            reads_broker=self.reads_broker,
            reads=tuple(self.reads),
            tell_lines=tuple(self._tell_lines),
            is_simple=bool(self.tables) and not (self._locals or self._functions or self.reads_broker),
            is_plain=all(is_plain(c.type) for c in columns),
            inlines=self.has_inlined,
            floats=tuple(i for i, c in enumerate(columns) if c.type.name == "float"),
        )
