"""The system's own procedures that are T-SQL (catalog/sql/procedures), as module records.

Decides what such a record says: it belongs to schema sys of the database that it is called in, for there its names mean
something. It must not know how modules run.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbql.catalog.procedures import procedure_names, procedure_text
from sbql.catalog.records import Module
from sbql.engine.describe.system_objects import find_system_object
from sbql.grammar.names import parse_object_name

__all__ = ["is_system_module", "system_module", "system_modules"]


def system_module(name: str, database_id: int) -> Module | None:
    """The record of a procedure by its lower-case name, None where there is none in T-SQL."""
    if name not in procedure_names():
        return None
    found = find_system_object(parse_object_name(f"sys.{name}"))
    assert found is not None
    return Module(
        id=found.object_id, database_id=database_id, name=found.name, schema_id=found.schema_id, type="P", definition=procedure_text(name),
        is_ms_shipped=True,
    )  # fmt: skip


def system_modules(database_id: int) -> Iterator[Module]:
    """All of them."""
    for name in sorted(procedure_names()):
        found = system_module(name, database_id)
        assert found is not None
        yield found


def is_system_module(record: Module) -> bool:
    """Whether a module is the system's own: everybody may execute it."""
    return record.id < 0 and record.is_ms_shipped
