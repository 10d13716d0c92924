"""System views: from the files in sql/views to what a query translator needs.

Decides how a view file is read. A file `<schema>.<name>.sql` is a comment header, whose lines `-- column: name type
[not null]` tell the T-SQL columns in order, and one DuckDB SELECT that gives those columns by name. The loader wraps it
so that every column has exactly the stored type of its T-SQL type (char and nchar padded). A file without a SELECT is a
view of what cannot exist here: it has no rows.

What the SELECT may name, and where a query finds it:

- `$database_id` (and `$queue_id` in `queue.contents`): replaced by a number, see SystemView.text;
- `catalog_<x>`: local tables made from the reader's CatalogSnapshot; `live_<x>`: local tables that the engine fills.
  Both are to be passed as `locals=` to UnitOfWork.query;
- `broker_<x>`: stored broker tables; pass the transaction's broker changes as `broker=` (see unit_of_work). Only needed
  if `view.reads_broker`.

A header line `-- only the administrator's connection` marks a base table: other connections must not find it.

It must not know T-SQL queries, sessions or permissions.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from sbql.catalog.duck_types import duck_type, parse_type, quote
from sbql.catalog.live_relations import LIVE_RELATIONS
from sbql.catalog.marked_sql import mark
from sbql.catalog.overlay import BROKER_RELATIONS
from sbql.catalog.relations import CATALOG_RELATIONS
from sbql.grammar.types import SqlType

__all__ = ["COMPATIBLE", "SystemView", "queue_contents", "queue_messages", "system_view", "system_views"]

_COLUMN: Final = re.compile(
    r"-- column: (?P<name>\w++) (?P<type>\S++(?: (?!not null\s*\Z)\S++)*)(?P<not_null> not null)?\s*"
)
_BASE_TABLE: Final = "-- only the administrator's connection"
_RELATION: Final = re.compile(r"\b(?:catalog|live|broker)_\w+")
COMPATIBLE: Final = frozenset(
    {
        "sysaltfiles", "syscharsets", "syscolumns", "syscomments", "sysconfigures", "sysconstraints", "syscurconfigs", "sysdatabases",
        "sysdepends", "sysdevices", "sysfilegroups", "sysfiles", "sysforeignkeys", "sysfulltextcatalogs", "sysindexes", "sysindexkeys",
        "syslanguages", "syslockinfo", "syslogins", "sysmembers", "sysmessages", "sysobjects", "sysoledbusers", "sysopentapes",
        "spt_values", "sysperfinfo", "sysprocesses", "sysprotects", "sysreferences", "sysremotelogins", "sysservers", "systypes", "sysusers",
    }
)  # fmt: skip
"""Views that old scripts name without a schema or as dbo.sysobjects."""


class ViewColumn(NamedTuple):
    name: str
    type: SqlType
    is_nullable: bool


class SystemView(Struct, frozen=True):
    """`sql` has placeholders; `text` fills them in. `sysnames`: the columns that are declared as sysname."""

    schema: str
    name: str
    columns: tuple[ViewColumn, ...]
    sql: str
    relations: frozenset[str]
    is_base_table: bool = False
    sysnames: frozenset[str] = frozenset()

    @property
    def reads_broker(self) -> bool:
        """Does it read stored broker tables, so that a query must pass `broker=`?"""
        return not self.relations.isdisjoint(BROKER_RELATIONS)

    def text(self, database_id: int, queue_id: int = 0) -> str:
        """The SELECT for a database (and a queue), to be used as a subquery. Names of broker relations are marked."""
        return self.sql.replace("$database_id", str(int(database_id))).replace("$queue_id", str(int(queue_id)))


def system_view(schema: str, name: str) -> SystemView | None:
    """The view by its name in any letter case, None if there is no such view. sysobjects and its like answer to both
    schemas sys and dbo; ("queue", "contents") is the template that `queue_contents` returns."""
    schema, name = schema.lower(), name.lower()
    if schema == "dbo" and name in COMPATIBLE:
        schema = "sys"
    file = _files().get(f"{schema}.{name}")
    return None if file is None else _load(file)


def system_views() -> list[SystemView]:
    """All of them, in order of schema and name."""
    return [_load(file) for key, file in sorted(_files().items()) if not key.startswith("queue.")]


def queue_contents() -> SystemView:
    """What SELECT from a queue shows: `text(database_id, queue_id)`."""
    return _load(_files()["queue.contents"])


def queue_messages() -> SystemView:
    """The internal table of a queue, sys.queue_messages_<id>: `text(database_id, queue_id)`."""
    return _load(_files()["queue.messages"])


_FOLDER = Path(__file__).parent / "sql" / "views"


@cache
def _files() -> dict[str, str]:
    return {
        entry.name[: -len(".sql")].lower(): entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".sql")
    }


@cache
def _load(file: str) -> SystemView:
    text = _FOLDER.joinpath(file).read_text(encoding="utf-8")
    lines = text.splitlines()
    header = [line for line in lines if line.startswith("--")]
    found = [match for match in map(_COLUMN.fullmatch, header) if match is not None]
    columns = tuple(ViewColumn(m["name"], parse_type(m["type"]), m["not_null"] is None) for m in found)
    sysnames = frozenset(m["name"] for m in found if m["type"] == "sysname")
    body = "\n".join(line for line in lines if not line.startswith("--")).strip()
    if not body:
        body = f"SELECT {', '.join(f'NULL AS {quote(c.name)}' for c in columns)} WHERE false"
    shown = ", ".join(f"{_as_type(name, sql_type)} AS {quote(name)}" for name, sql_type, _ in columns)
    schema, name = file.removesuffix(".sql").split(".", 1)
    known = CATALOG_RELATIONS.keys() | LIVE_RELATIONS.keys() | BROKER_RELATIONS
    relations = frozenset(_RELATION.findall(body)) & known
    body = _RELATION.sub(lambda found: mark(found[0]) if found[0] in BROKER_RELATIONS else found[0], body)
    return SystemView(
        schema, name, columns, f"SELECT {shown} FROM ({body})", relations, _BASE_TABLE in header, sysnames
    )


def _as_type(name: str, sql_type: SqlType) -> str:
    column = quote(name)
    if sql_type.name in ("char", "nchar"):
        return f"rpad({column}, {sql_type.length}, ' ')"
    return f"CAST({column} AS {duck_type(sql_type)})"
