"""From reductions to nodes: one builder per grammar rule, in one file per part of the grammar."""

from sbql.grammar.builders import (
    administration,
    backup,
    broker,
    common,
    cursors,
    ddl,
    dialogs,
    dml,
    expressions,
    keys,
    modules,
    odbc,
    procedural,
    queries,
    security,
    sources,
    table_ddl,
)
from sbql.grammar.builders.registry import BUILDERS, builder_for

__all__ = [
    "BUILDERS",
    "administration",
    "backup",
    "broker",
    "builder_for",
    "common",
    "cursors",
    "ddl",
    "dialogs",
    "dml",
    "expressions",
    "keys",
    "modules",
    "odbc",
    "procedural",
    "queries",
    "security",
    "sources",
    "table_ddl",
]
