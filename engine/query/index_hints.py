"""INDEX and FORCESEEK of a table hint: there is one plan, but the index that is named has to be there.

It must not know what other hints say.
"""

from __future__ import annotations

from sbql.catalog.object_rows import numbered_indexes
from sbql.catalog.records import Table
from sbql.engine.tables.elements import fold
from sbql.grammar.ast import NamedTable
from sbql.grammar.digits import is_whole
from sbql.grammar.errors import sql_error

__all__ = ["check_index_hints"]


def check_index_hints(table: Table, node: NamedTable) -> None:
    """Raises 307 for a number and 308 for a name that no index of the table has. 0 is the
    table itself, or its clustered index."""
    for hint in node.hints:
        if hint.name not in ("INDEX", "FORCESEEK") or not hint.arguments:
            continue
        known = list(numbered_indexes(table))
        for given in hint.arguments if hint.name == "INDEX" else hint.arguments[:1]:
            if is_whole(given):
                if int(given) and int(given) not in (number for number, _ in known):
                    raise sql_error(307, given, str(node.name), span=hint.span)
            elif fold(given) not in (fold(index.name) for _, index in known):
                raise sql_error(308, given, str(node.name), span=hint.span)
