"""Names for people who type: what the current database has, and the columns of tables that a text names.

It decides nothing about what fits where. It must not know what the names are for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sbql.catalog.records import Database, Table
from sbql.engine.operations import Call, argument, operation
from sbql.engine.ports import Session

__all__ = ["names_for"]


def names_for(session: Session, words: Iterable[str]) -> set[str]:
    """Databases, what has a name in the current one, and the columns of its tables that are among `words`."""
    found = {
        str(getattr(record, "name", ""))
        for record in session.catalog.records()
        if isinstance(record, Database) or getattr(record, "database_id", None) == session.database_id
    }
    wanted = {word.lower() for word in words}
    for table in session.catalog.all(Table, session.database_id):
        if table.name.lower() in wanted:
            found.update(column.name for column in table.columns)
    return found


@operation("names")
def _names(call: Call) -> Any:
    """{words}: a list of names."""
    return sorted(names_for(call.session, argument(call, "words", list, [])))
