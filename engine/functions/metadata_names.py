"""Metadata functions over columns, identities and indexes: COL_LENGTH, COL_NAME,
IDENT_CURRENT, INDEX_COL, INDEXPROPERTY …"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from sbql.catalog.object_rows import numbered_indexes
from sbql.catalog.records import Column, Index, KeyColumn, Module, Table, TableConstraint
from sbql.engine.describe.module_texts import columns_of_module
from sbql.engine.describe.system_objects import SystemObject, system_column_rows
from sbql.engine.functions.metadata import find_by_id, find_object
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.grammar.errors import SqlError
from sbql.grammar.types import (
    DATETIME,
    INT,
    MAX,
    NVARCHAR_MAX,
    SQL_VARIANT,
    SYSNAME,
    SqlType,
    Variant,
    numeric,
    varbinary,
)
from sbql.grammar.values.collation_names import collation_named
from sbql.grammar.values.kinds import is_national, storage_size

__all__: list[str] = []

_SMALLINT = SqlType("smallint")
_LARGEST_VARIANT = 8016


def _byte_length(sql_type: SqlType) -> int:
    if sql_type.name == "sql_variant":
        return _LARGEST_VARIANT
    if sql_type.length is None:
        return storage_size(sql_type) or (-1 if sql_type.name == "xml" else 16)
    return MAX if sql_type.length == MAX else sql_type.length * (2 if is_national(sql_type) else 1)


def _column(record: Any, name: str) -> Column | None:
    if not isinstance(record, Table):
        return None
    return next((c for c in record.columns if c.name.lower() == name.lower()), None)


@function("COL_LENGTH", _SMALLINT, [NVARCHAR_MAX, SYSNAME], needs_frame=True)
def _col_length(frame: Frame, table: str, column: str) -> int | None:
    found = _column(find_object(frame, table), column)
    return _byte_length(found.type) if found is not None else None


@function("COL_NAME", SYSNAME, [INT, INT], needs_frame=True)
def _col_name(frame: Frame, table_id: int, column_id: int) -> str | None:
    found = find_by_id(frame, table_id)
    if isinstance(found, Table):
        return next((c.name for c in found.columns if c.column_id == column_id), None)
    names = _names_of_columns(frame, found)
    return names[column_id - 1] if 1 <= column_id <= len(names) else None


def _names_of_columns(frame: Frame, found: Any) -> list[str]:
    """Those of a view, a table-valued function or a system view."""
    if isinstance(found, SystemObject):
        return [str(row[1]) for row in system_column_rows() if row[0] == found.object_id]
    if not isinstance(found, Module) or found.type not in ("V", "IF", "TF"):
        return []
    try:
        return [column.name for column in columns_of_module(frame.session, found)]
    except SqlError:
        return []


@function("FULLTEXTSERVICEPROPERTY", INT, [SYSNAME])
def _fulltextserviceproperty(name: str) -> int | None:
    """Full-text search is not installed."""
    return 0 if name.lower() in ("isfulltextinstalled", "loadosresources", "verifysignature") else None


@function("COLLATIONPROPERTY", SQL_VARIANT, [SYSNAME, SYSNAME])
def _collationproperty(collation: str, name: str) -> Any:
    """NULL for a collation that there is not, and for a property that there is not."""
    known = collation_named(collation)
    if known is None:
        return None
    if name.rstrip(" ").lower() == "tdscollation":
        return Variant(varbinary(5), known.as_in_tds)
    found = {
        "codepage": known.code_page,
        "lcid": known.lcid,
        "comparisonstyle": known.comparison_style,
        "version": known.version,
    }.get(name.rstrip(" ").lower())
    return None if found is None else Variant(INT, found)


@function("INDEX_COL", SYSNAME, [NVARCHAR_MAX, INT, INT], needs_frame=True)
def _index_col(frame: Frame, table: str, index_id: int, key_id: int) -> str | None:
    key = _index_key(find_object(frame, table), index_id, key_id)
    return key.name if key is not None else None


def _index_key(table: Any, index_id: int, key_id: int) -> KeyColumn | None:
    """A key column of the index or key with this number."""
    if not isinstance(table, Table):
        return None
    columns = next((found.columns for number, found in numbered_indexes(table) if number == index_id), ())
    return columns[key_id - 1] if 1 <= key_id <= len(columns) else None


def _identity(frame: Frame, table: str) -> tuple[Table, Column] | None:
    found = find_object(frame, table)
    if not isinstance(found, Table):
        return None
    column = next((c for c in found.columns if c.is_identity), None)
    return (found, column) if column is not None else None


@function("IDENT_SEED", numeric(38, 0), [NVARCHAR_MAX], needs_frame=True)
def _ident_seed(frame: Frame, table: str) -> Any:
    found = _identity(frame, table)
    return Decimal(found[1].seed) if found is not None else None


@function("IDENT_INCR", numeric(38, 0), [NVARCHAR_MAX], needs_frame=True)
def _ident_incr(frame: Frame, table: str) -> Any:
    found = _identity(frame, table)
    return Decimal(found[1].increment) if found is not None else None


@function("IDENT_CURRENT", numeric(38, 0), [NVARCHAR_MAX], needs_frame=True)
def _ident_current(frame: Frame, table: str) -> Any:
    """The last identity value given in any session; the seed while there was none."""
    found = _identity(frame, table)
    if found is None:
        return None
    last = frame.session.instance.tables.last_identity(found[0].id, found[0].create_date)
    return Decimal(found[1].seed if last is None else last)


@function("INDEXPROPERTY", INT, [INT, SYSNAME, SYSNAME], needs_frame=True)
def _indexproperty(frame: Frame, table_id: int, index: str, name: str) -> int | None:
    table = find_by_id(frame, table_id)
    if not isinstance(table, Table):
        return None
    found = next(((number, i) for number, i in numbered_indexes(table) if i.name.lower() == index.lower()), None)
    if found is None:
        return None
    number, record = found
    values = {
        "indexid": number, "isunique": isinstance(record, TableConstraint) or record.is_unique, "isclustered": record.is_clustered,
        "isdisabled": record.is_disabled, "indexdepth": 1, "indexfillfactor": 0, "isstatistics": False, "isfulltextkey": False,
        "ispadindex": False, "ispagelockdisallowed": False, "isrowlockdisallowed": False, "isautostatistics": False, "ishypothetical": False,
        "iscolumnstore": isinstance(record, Index) and record.kind == "COLUMNSTORE", "isoptimizedforsequentialkey": False,
    }  # fmt: skip
    value = values.get(name.lower())
    return None if value is None else int(value)


@function("INDEXKEY_PROPERTY", INT, [INT, INT, INT, SYSNAME], needs_frame=True)
def _indexkey_property(frame: Frame, table_id: int, index_id: int, key_id: int, name: str) -> int | None:
    table = find_by_id(frame, table_id)
    key = _index_key(table, index_id, key_id)
    if key is None:
        return None
    if name.lower() == "isdescending":
        return int(key.descending)
    return next((c.column_id for c in table.columns if c.name.lower() == key.name.lower()), None)


@function("STATS_DATE", DATETIME, [INT, INT])
def _stats_date(table_id: int, stats_id: int) -> None:
    """Statistics are never made here, those of indexes neither."""


@function("FULLTEXTCATALOGPROPERTY", INT, [SYSNAME, SYSNAME])
def _fulltextcatalogproperty(catalog: str, name: str) -> None:
    """There are no full-text catalogs here."""
