"""The system's own objects: views of sys and INFORMATION_SCHEMA, procedures, functions that give tables.

Decides their ids: negative, made of the name, so that they are the same everywhere and for ever. It must not know what
any of them does.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any

from sbql.catalog.live_relations import SystemColumn, SystemObject
from sbql.catalog.procedures import procedure_names
from sbql.catalog.type_facets import facets
from sbql.catalog.views import COMPATIBLE, system_view, system_views
from sbql.engine.describe.procedure_registry import ACCEPTED, SYSTEM_PROCEDURES, UNSUPPORTED
from sbql.engine.lazy_registry import Registry
from sbql.grammar.ast import ObjectName

__all__ = [
    "TABLE_FUNCTIONS",
    "SystemObject",
    "find_system_object",
    "system_column_rows",
    "system_object",
    "system_objects",
]

TABLE_FUNCTIONS: Registry[Any] = Registry("table functions")
"""The functions of schema sys that give tables, by name in lower case; `functions` fills it."""

_SYS, _INFORMATION_SCHEMA = 4, 3
_TYPE_NAMES = {
    "V": "VIEW", "P": "SQL_STORED_PROCEDURE", "X": "EXTENDED_STORED_PROCEDURE", "IF": "SQL_INLINE_TABLE_VALUED_FUNCTION", "S": "SYSTEM_TABLE",
}  # fmt: skip


def _made(schema: str, name: str, kind: str) -> SystemObject:
    number = -1_000_000_000 - zlib.crc32(f"{schema}.{name}".lower().encode()) % 1_000_000_000
    schema_id = _SYS if schema == "sys" else _INFORMATION_SCHEMA
    return SystemObject(number, name, schema_id=schema_id, type=kind, type_desc=_TYPE_NAMES[kind])


@cache
def system_objects() -> tuple[SystemObject, ...]:
    """All of them, by id."""
    found = [_made(view.schema, view.name, "S" if view.is_base_table else "V") for view in system_views()]
    names = SYSTEM_PROCEDURES.keys() - set(UNSUPPORTED) | set(ACCEPTED) | procedure_names()
    found += [_made("sys", name, "X" if name.startswith("xp_") else "P") for name in names]
    found += [_made("sys", name, "IF") for name in TABLE_FUNCTIONS]
    return tuple(sorted(found))


@cache
def _by_name() -> dict[tuple[int, str], SystemObject]:
    return {(found.schema_id, found.name.lower()): found for found in system_objects()}


@cache
def _by_id() -> dict[int, SystemObject]:
    return {found.object_id: found for found in system_objects()}


def system_object(object_id: int) -> SystemObject | None:
    return _by_id().get(object_id)


def find_system_object(name: ObjectName) -> SystemObject | None:
    """What a name means when no object of a user has it: sys.x, INFORMATION_SCHEMA.x, a procedure or an old
    view by its bare name or in dbo."""
    schema, plain = (name.schema or "").lower(), name.name.lower()
    if schema == "information_schema":
        return _by_name().get((_INFORMATION_SCHEMA, plain))
    if schema == "sys":
        return _by_name().get((_SYS, plain))
    if schema in ("", "dbo") and (plain in COMPATIBLE or plain.startswith(("sp_", "xp_"))):
        return _by_name().get((_SYS, plain))
    return None


def system_column_rows() -> Iterator[SystemColumn]:
    """The columns of the system's views."""
    for found in system_objects():
        view = system_view("sys" if found.schema_id == _SYS else "INFORMATION_SCHEMA", found.name)
        if view is None or found.type != "V":
            continue
        for number, (name, sql_type, is_nullable) in enumerate(view.columns, 1):
            f = facets(sql_type)
            yield SystemColumn(
                object_id=found.object_id, name=name, column_id=number, type_name=f.type_name, system_type_id=f.system_type_id,
                user_type_id=256 if name in view.sysnames else f.user_type_id, max_length=f.max_length, precision=f.precision,
                scale=f.scale, collation_name=f.collation, is_nullable=is_nullable,
            )  # fmt: skip
