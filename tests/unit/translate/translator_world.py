"""A small world for translator tests: a store in memory, tables made from types, and a session that resolves names in
them.

It has no transactions, users or broker; what a query asks of its session is here and nothing more.
"""

from __future__ import annotations

import uuid
from types import SimpleNamespace
from typing import Any

from sbql.catalog.bootstrap import system_catalog
from sbql.catalog.changes import storage_name
from sbql.catalog.duck_types import duck_type, parse_type, quote, to_store
from sbql.catalog.records import Column, Database, Module, Schema, Table
from sbql.catalog.store import Store
from sbql.engine.query.translation import fetch, translate_query
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import resolve
from sbql.engine.session_state import SessionState
from sbql.engine.table_state import TableStates
from sbql.engine.tables.text_functions import announce_text_functions
from sbql.grammar.ast import ObjectName, SelectStatement
from sbql.grammar.parser import parse_batch


class WorldSession(SessionState):
    """What queries ask of a session."""

    def __init__(self, store: Store) -> None:
        super().__init__(51, 1)
        self.store = store.connect()
        self.unit = self.store.begin()
        self.catalog = system_catalog(0.0, uuid.uuid4)
        self.contexts = [SimpleNamespace(is_sa=True)]
        self.user = SimpleNamespace(default_schema="dbo", name="dbo", id=1)
        self.outcomes: list[Any] = []
        host = SimpleNamespace(
            new_guid=uuid.uuid4,
            now=lambda: 1767225600.0,
            utc_offset_minutes=lambda: 0,
            random=lambda: 0.5,
            repeats=False,
        )
        self.instance = SimpleNamespace(
            host=host, store=store, live_rows=lambda name, session: [], global_temp_tables={}, tables=TableStates()
        )

    @property
    def binding_key(self) -> tuple[int, int]:
        return (self.catalog.version, self.database_id)

    @property
    def database(self) -> Database:
        found = self.catalog.get(Database, 0, self.database_id)
        assert found is not None
        return found

    @property
    def database_name(self) -> str:
        return self.database.name

    def resolve(self, name: ObjectName, *kinds: Any, missing_ok: bool = False) -> Any:
        return resolve(self, name, kinds, missing_ok=missing_ok)

    def read(self, sql: str, params: Any = (), **how: Any) -> Any:
        return self.unit.query(sql, params, **how)

    def emit(self, outcome: Any) -> None:
        self.outcomes.append(outcome)


class World:
    """`table` makes one, `rows` runs a SELECT, `variable` declares a variable for it."""

    def __init__(self) -> None:
        self.store = Store.open()
        announce_text_functions(self.store.functions)
        self.session = WorldSession(self.store)
        self.scope = Scope(self.session)
        self.values: dict[int, Any] = {}

    def close(self) -> None:
        self.store.close()

    def table(self, name: str, columns: str, *rows: tuple[Any, ...]) -> None:
        """`columns` as `a int, b nvarchar(20) collate …`; a trailing `!` means NOT NULL."""
        session = self.session
        schema = session.catalog.find(Schema, 1, "dbo")
        assert schema is not None
        parsed = []
        for number, text in enumerate(_split(columns), 1):
            column, _, kind = text.strip().partition(" ")
            parsed.append(
                Column(
                    name=column, column_id=number, type=parse_type(kind.rstrip("!")), is_nullable=not kind.endswith("!")
                )
            )
        record = Table(
            id=session.catalog.next_id(), database_id=1, name=name, schema_id=schema.id, columns=tuple(parsed),
            storage_schema="master.dbo", storage_name=name,
        )  # fmt: skip
        session.catalog = session.catalog.with_record(record)
        run = session.store.connection.execute
        run('CREATE SCHEMA IF NOT EXISTS "master.dbo"')
        storage = storage_name("master.dbo", name)
        body = ", ".join(['"$rid" BIGINT'] + [f"{quote(c.name)} {duck_type(c.type)}" for c in parsed])
        run(f"CREATE TABLE {storage} ({body})")
        for row_id, row in enumerate(rows, 1):
            marks = ", ".join("?" * (len(row) + 1))
            run(
                f"INSERT INTO {storage} VALUES ({marks})",
                [row_id, *(to_store(v, c.type) for v, c in zip(row, parsed, strict=True))],
            )

    def view(self, name: str, definition: str) -> None:
        catalog = self.session.catalog
        schema = catalog.find(Schema, 1, "dbo")
        assert schema is not None
        self.session.catalog = catalog.with_record(
            Module(id=catalog.next_id(), database_id=1, name=name, schema_id=schema.id, type="V", definition=definition)
        )

    def variable(self, name: str, kind: str, value: Any) -> None:
        self.values[self.scope.declare(name, parse_type(kind))] = value

    def frame(self) -> Frame:
        frame = Frame(self.session, self.scope.size)
        for slot, value in self.values.items():
            frame.variables[slot] = value
        return frame

    def query(self, text: str) -> Any:
        statement = parse_batch(text).statements[0]
        assert isinstance(statement, SelectStatement)
        return translate_query(statement.query, self.scope, self.session, with_=statement.with_)

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        return fetch(self.query(text), self.frame())

    def one(self, expression: str) -> Any:
        """The value of an expression, computed by DuckDB for one row of a table."""
        return self.rows(f"SELECT {expression}")[0][0]

    def types(self, text: str) -> list[str]:
        return [str(c.type) for c in self.query(text).columns]

    def names(self, text: str) -> list[str]:
        return [c.name for c in self.query(text).columns]


def _split(columns: str) -> list[str]:
    parts: list[str] = []
    depth = 0
    current = ""
    for character in columns:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    return [*parts, current]
