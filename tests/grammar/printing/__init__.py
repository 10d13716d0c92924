"""Syntax tree to T-SQL text, statements and queries too: `parse_batch(to_sql(tree)) == tree`
for every tree that the parser makes.

The catalog keeps the texts of expressions, so that their printer is the language's own (`sbql.grammar.printer`); the
rest is here, for only the tests of the grammar ask for it. Importing this package registers it.
"""

from __future__ import annotations

from printing import administration, backup, broker, bulk, ddl, dml, modules, partitions, procedural, queries, security
from sbql.grammar.printer import to_sql

__all__ = [
    "administration",
    "backup",
    "broker",
    "bulk",
    "ddl",
    "dml",
    "modules",
    "partitions",
    "procedural",
    "queries",
    "security",
    "to_sql",
]
