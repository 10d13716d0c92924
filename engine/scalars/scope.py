"""Scope and Frame: the variables of a batch or module, at compile time and at run time.

A Scope gives each declared name a slot; a Frame holds the values of one execution in a list by slot. T-SQL variables
live from their DECLARE to the end of the batch or module, whatever block they stand in. It must not know how an
expression is compiled; subqueries and user functions are compiled by hooks that the query translator registers.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeVar, cast

from msgspec import Struct

from sbql.catalog.records import Database, Module, Table, UserType
from sbql.catalog.type_facets import CHARACTER
from sbql.engine.lazy_registry import Registry
from sbql.engine.ports import Session
from sbql.engine.security.resolver import in_schema
from sbql.grammar.ast import DataTypeReference, Node, ObjectName, Span, VariableTable, WithClause
from sbql.grammar.errors import sql_error
from sbql.grammar.keywords import GLOBAL_VARIABLES
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import DATABASE_DEFAULT_COLLATION, SqlType
from sbql.grammar.values.collation import known_collation
from sbql.grammar.values.collation_precedence import COERCIBLE, IMPLICIT
from sbql.grammar.values.type_names import is_system_type, resolve_type

__all__ = ["QUERIES", "SUBQUERIES", "TYPES", "Frame", "Scope", "Variable", "frame_of_constants"]

_T = TypeVar("_T")


class Frame:
    """The run-time side of a Scope: one execution of a batch or module.

    `module` is the Module record of a procedure, function or trigger and `module_name` its name ('' in a batch);
    `defines` is the module that a batch creates or alters; `scope_identity` is SCOPE_IDENTITY(); `trigger` is what a
    running trigger knows (inserted, deleted, columns changed), `event_data` what EVENTDATA() gives in a DDL trigger;
    `cursors` are the local cursors by name; `row_values` what sequences have given for the row that is being
    made; `scope` finds a variable that is named at run time, as CURSOR_STATUS does; `worst_severity` is of the errors
    that its statements told; `carried` goes from one part of a long chain of operators to the next.
    """

    # What most frames never change stands in the class: calls and rows make a frame each.
    module_name: str = ""
    defines: str = ""
    module: Any = None
    is_trigger: bool = False
    scope_identity: Any = None
    trigger: Any = None
    event_data: str | None = None
    scope: Scope | None = None
    worst_severity: int = 0
    row_values: dict[int, Any] | None = None
    carried: Any = None

    def __init__(self, session: Session, size: int) -> None:
        self.session = session
        self.variables: list[Any] = [None] * size
        self.cursors: dict[str, Any] = {}

    @property
    def identities(self) -> tuple[Any, Any]:
        """@@IDENTITY and SCOPE_IDENTITY(): the last identity that rows got in the session, and in this frame."""
        return self.session.identity, self.scope_identity

    @identities.setter
    def identities(self, last: tuple[Any, Any]) -> None:
        identity, self.scope_identity = last
        self.session.note_identity(identity)

    def of_row(self, make: Callable[[], _T]) -> _T:
        """What `make` gives, where each sequence has one value, however often it is asked for."""
        self.row_values = {}
        try:
            return make()
        finally:
            self.row_values = None


def collation_of(database: Database | None) -> str | None:
    """The collation of a database, None where it is the server's."""
    if database is None or database.collation_name == DATABASE_DEFAULT_COLLATION:
        return None
    return database.collation_name


def frame_of_constants(size: int = 0) -> Frame:
    """For the value of what is constant, or of `size` variables alone: it asks no session for anything."""
    return Frame(cast("Session", None), size)


class Variable(Struct, frozen=True):
    """One declared name. A table variable has a `table`, a cursor variable `is_cursor`; neither has a scalar type.
    `is_hidden`: a slot of the compiler, for the value of a column or operand. `rank`: of its collation."""

    name: str
    slot: int
    type: SqlType | None = None
    table: Table | None = None
    is_cursor: bool = False
    is_readonly: bool = False
    is_hidden: bool = False
    rank: int = COERCIBLE


SUBQUERIES: Registry[Callable[[Any, str, Scope], Any]] = Registry("subqueries")
"""One word, `subquery`: the query translator's `compile_it(node, kind, scope)`; see Scope.compile_subquery."""
QUERIES: Registry[Callable[..., Any]] = Registry("queries")
"""What asks the query translator without a statement: `translate_query`, `fetch` and
`check_view`, as in `query.translation`."""
TYPES: Registry[Callable[[Session, ObjectName, str | None], SqlType]] = Registry("types")
"""One word, `xml`: the type of an XML schema collection, from its name and CONTENT or DOCUMENT."""


class Scope:
    """The names of one batch or module while it is compiled.

    `session` is asked for alias types, SET options and the collation of its database only. `used_database`: the name of
    another one whose collation counts, of a USE before or of the object that has the text. `is_default`: what is
    compiled is the DEFAULT of a column, the only place of NEWSEQUENTIALID(). `is_definition`: it belongs to a table,
    and so follows no SET option. `namespaces` are those of WITH XMLNAMESPACES around what is compiled (prefix
    or '' to URI). `guesses` counts the subqueries whose type is not known yet, because a table of theirs is made by the
    same batch.
    """

    def __init__(self, session: Session | None = None) -> None:
        self.session: Session | None = session
        self.uses_user_types = False
        self.guesses = 0
        self.is_default = False
        self.is_definition = False
        self.namespaces: dict[str, str] = {}
        self.used_database: str | None = None
        self._variables: dict[str, Variable] = {}
        self._size = 0

    @classmethod
    def in_database_of(cls, record: Module | Table, session: Session) -> Scope:
        """An empty one for a text that stands in the definition of an object, whatever database uses it."""
        return cls.in_database(session.catalog.get(Database, 0, record.database_id), session)

    @classmethod
    def in_database(cls, database: Database | None, session: Session) -> Scope:
        """An empty one for the definition of an object of a database. None: of the current one."""
        scope = cls(session)
        scope.used_database = None if database is None else database.name
        return scope

    def emptied(self) -> Scope:
        """An empty one for a part of the same text."""
        scope = Scope(self.session)
        scope.used_database = self.used_database
        return scope

    def of(self, session: Session) -> Scope:
        """The same names, for a compilation while the statement runs."""
        scope = copy.copy(self)
        scope.session = session
        scope.used_database = None
        return scope

    @property
    def deviating(self) -> Any:
        """The session's SET options, if they make expressions mean something else than usual; else None."""
        if self.session is None or self.is_definition or not self.session.options.deviations:
            return None
        return self.session.options

    @property
    def size(self) -> int:
        """Number of slots a Frame needs."""
        return self._size

    # --- declaring -----------------------------------------------------------------------------------------

    def _add(self, name: str, span: Span | None, **what: Any) -> int:
        key = name.lower()
        if key in self._variables:
            raise sql_error(134, name, span=span)
        slot = self._size
        self._size += 1
        self._variables[key] = Variable(name, slot, **what)
        return slot

    def declare(self, name: str, sql_type: SqlType, span: Span | None = None) -> int:
        """A scalar variable. Returns its slot. Raises 134 for a second one of the name, 2739 for text, ntext, image."""
        if sql_type.name in ("text", "ntext", "image"):
            raise sql_error(2739, span=span)
        return self._add(name, span, type=sql_type)

    def declare_parameter(self, name: str, sql_type: SqlType, span: Span | None = None) -> int:
        """As declare; a parameter can be text, ntext or image."""
        return self._add(name, span, type=sql_type)

    def declare_table(self, name: str, table: Table, span: Span | None = None, *, is_readonly: bool = False) -> int:
        """A table variable of this shape; its slot will hold the rows. `is_readonly`: a table-valued parameter."""
        return self._add(name, span, table=table, is_readonly=is_readonly)

    def check_writable(self, target: Node) -> None:
        """Raises 10700 when the target of a write is a table-valued parameter."""
        if isinstance(target, VariableTable):
            found = self._variables.get(target.name.lower())
            if found is not None and found.is_readonly:
                raise sql_error(10700, target.name, span=target.span)

    def declare_cursor(self, name: str, span: Span | None = None) -> int:
        return self._add(name, span, is_cursor=True)

    def declare_hidden(self, name: str, sql_type: SqlType, rank: int = IMPLICIT) -> int:
        """A slot of the compiler's own, for a column or what has another rank; asking twice for a name gives the same
        one."""
        found = self._variables.get(name.lower())
        if found is not None:
            assert found.type == sql_type, f"{name} is declared as {found.type}"
            return found.slot
        return self._add(name, None, type=sql_type, is_hidden=True, rank=rank)

    # --- looking up ----------------------------------------------------------------------------------------

    def find(self, name: str) -> Variable | None:
        """Any variable of this name."""
        return self._variables.get(name.lower())

    def rank(self, name: str) -> int:
        """That of a scalar variable's collation."""
        return self._variables[name.lower()].rank

    def lookup(self, name: str, span: Span | None = None) -> tuple[int, SqlType]:
        """Slot and type of a scalar variable. Raises 137, and 16949 for a cursor variable."""
        found = self._variables.get(name.lower())
        if found is not None and found.type is not None:
            return found.slot, found.type
        if found is not None and found.is_cursor:
            raise sql_error(16949, name, span=span)
        known = (*(one.name for one in self._variables.values() if not one.is_hidden), *GLOBAL_VARIABLES)
        raise sql_error(137, name, span=span).advise(did_you_mean(name, known))

    def table_variable(self, name: str, span: Span | None = None) -> Variable:
        """A table variable. Raises 1087."""
        found = self._variables.get(name.lower())
        if found is None or found.table is None:
            raise sql_error(1087, name, span=span)
        return found

    def lookup_table(self, name: str, span: Span | None = None) -> tuple[int, Table]:
        """Slot and shape of a table variable. Raises 1087."""
        found = self.table_variable(name, span)
        assert found.table is not None
        return found.slot, found.table

    def table_slot(self, name: str) -> int | None:
        """Slot of a table variable; None for any other name."""
        found = self._variables.get(name.lower())
        return found.slot if found is not None and found.table is not None else None

    def cursor_variables(self) -> list[Variable]:
        return [v for v in self._variables.values() if v.is_cursor]

    def is_cursor(self, name: str) -> bool:
        found = self._variables.get(name.lower())
        return found is not None and found.is_cursor

    def lookup_cursor(self, name: str, span: Span | None = None) -> int:
        """Slot of a cursor variable. Raises 137, and 16948 for another kind of variable."""
        found = self._variables.get(name.lower())
        if found is None:
            raise sql_error(137, name, span=span)
        if not found.is_cursor:
            raise sql_error(16948, name, span=span)
        return found.slot

    # --- types ---------------------------------------------------------------------------------------------

    def resolve_type(self, reference: DataTypeReference, *, position: int = 1, in_cast: bool = False) -> SqlType:
        """The scalar type that a name means; alias types and schema collections are looked up in the session's catalog.
        Raises 2715, 243, 6314 …"""
        if reference.xml_collection is not None and self.session is not None:
            self.uses_user_types = True
            return TYPES["xml"](self.session, reference.xml_collection, reference.xml_kind)
        found = resolve_type(reference, self._alias_type, position=position, in_cast=in_cast)
        return found if in_cast else self.collated(found)  # what is cast may have a collation

    @property
    def collation(self) -> str | None:
        """That of text that names none: the current database's, which a USE of the batch may have named; None where it
        is the server's."""
        session = self.session
        if session is None:
            return None
        if self.used_database is None:
            return collation_of(session.catalog.get(Database, 0, session.database_id))
        return collation_of(session.catalog.find(Database, 0, self.used_database))

    def collated(self, sql_type: SqlType) -> SqlType:
        """The type of text, with the collation of the database if it has none."""
        if sql_type.collation is None and sql_type.name in CHARACTER and (collation := self.collation) is not None:
            return sql_type.with_collation(collation)
        return sql_type

    def named_collation(self, name: str) -> str:
        """The collation that a COLLATE clause names. Raises 448."""
        found = known_collation(name)
        is_default = name.upper() in ("DATABASE_DEFAULT", "CATALOG_DEFAULT")
        return self.collation or found if is_default else found

    def _user_type(self, name: ObjectName) -> UserType | None:
        self.uses_user_types = True
        if self.session is None:
            return None
        return in_schema(self.session, UserType, name)

    def _alias_type(self, name: ObjectName) -> SqlType | None:
        found = self._user_type(name)
        return found.base if found is not None else None

    def table_type(self, reference: DataTypeReference) -> UserType | None:
        """The table type that a name means, or None when it means a scalar type."""
        if reference.arguments or (reference.name.schema is None and is_system_type(reference.name.name)):
            return None
        found = self._user_type(reference.name)
        return found if found is not None and found.table is not None else None

    def within(self, with_: WithClause | None, make: Callable[[], Any]) -> Any:
        """What `make` makes while the namespaces of a WITH clause are in force."""
        before = self.namespaces
        if with_ is not None and with_.namespaces:
            self.namespaces = {n.prefix or "": n.uri for n in with_.namespaces}
        try:
            return make()
        finally:
            self.namespaces = before

    # --- what others compile -------------------------------------------------------------------------------

    def compile_subquery(self, node: Node, kind: str) -> Any:
        """Compile what needs the catalog. `kind`: 'scalar' (ScalarSubquery), 'function' (a user function) and
        'sequence' (NEXT VALUE FOR) give a Scalar; 'exists', 'in' and 'quantified' a closure Frame -> bool | None."""
        return SUBQUERIES["subquery"](node, kind, self)
