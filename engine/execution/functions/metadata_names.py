"""Metadata functions over columns and properties: COL_LENGTH, COLUMNPROPERTY, OBJECTPROPERTY, DATABASEPROPERTYEX …"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from sbql.catalog.object_rows import numbered_indexes
from sbql.catalog.records import Column, Database, KeyColumn, Module, Principal, Queue, Schema, Table, TableConstraint
from sbql.engine.execution.functions.metadata import find_by_id, find_object, object_kind
from sbql.engine.execution.functions.registry import function
from sbql.engine.execution.functions.system import PRODUCT_VERSION
from sbql.engine.execution.scope import Frame
from sbql.grammar.types import INT, MAX, NVARCHAR_MAX, SQL_VARIANT, SYSNAME, SqlType, Variant, decimal, varbinary
from sbql.grammar.values.kinds import is_national, storage_size

__all__: list[str] = []

_SMALLINT = SqlType("smallint")


def _byte_length(sql_type: SqlType) -> int:
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
    table = find_by_id(frame, table_id)
    if not isinstance(table, Table):
        return None
    return next((c.name for c in table.columns if c.column_id == column_id), None)


@function("COLUMNPROPERTY", INT, [INT, SYSNAME, SYSNAME], needs_frame=True)
def _columnproperty(frame: Frame, table_id: int, column: str, name: str) -> int | None:
    found = _column(find_by_id(frame, table_id), column)
    if found is None:
        return None
    values = {
        "allowsnull": found.is_nullable, "columnid": found.column_id, "iscomputed": found.computed is not None,
        "isidentity": found.is_identity, "isrowguidcol": found.is_rowguidcol, "precision": found.type.precision or found.type.length,
        "scale": found.type.scale or 0, "charmaxlen": found.type.length, "isdeterministic": True, "isxmlindexable": False,
        "isidnotforrepl": False, "issparse": False, "ishidden": False, "usesansitrim": True,
    }  # fmt: skip
    value = values.get(name.lower())
    return None if value is None else int(value)


def _owner(frame: Frame, record: Any) -> int:
    """An object's own owner, or that of its schema."""
    own = record.principal_id if isinstance(record, Table | Queue) else None
    schema = frame.session.catalog.get(Schema, record.database_id, record.schema_id)
    return own or (1 if schema is None else int(schema.principal_id))


_KIND_PROPERTIES = {
    "istable": "U", "isusertable": "U", "isview": "V", "isprocedure": "P", "isscalarfunction": "FN", "isinlinefunction": "IF",
    "istablefunction": "TF", "istrigger": "TR", "isqueue": "SQ",
}  # fmt: skip


def _object_property(frame: Frame, object_id: int, name: str) -> int | None:
    record = find_by_id(frame, object_id)
    if record is None:
        return None
    key, kind = name.lower(), object_kind(record)
    if key in _KIND_PROPERTIES:
        return int(kind == _KIND_PROPERTIES[key] or (key == "istablefunction" and kind == "IF"))
    if key == "ownerid":
        return _owner(frame, record)
    if key == "schemaid":
        return int(record.schema_id)
    if key in ("ismsshipped", "isencrypted", "issystemtable"):
        return int(key == "ismsshipped" and record.is_ms_shipped)
    if isinstance(record, Table):
        return _table_property(record, key)
    if isinstance(record, Module):
        return _module_property(record, key)
    return None


def _table_property(table: Table, key: str) -> int | None:
    types = {c.type for c in table.constraints}
    values = {
        "tablehasidentity": any(c.is_identity for c in table.columns), "tablehasprimarykey": "PK" in types,
        "tablehasuniquecnst": "UQ" in types, "tablehasforeignkey": "F" in types, "tablehascheckcnst": "C" in types,
        "tablehasdefaultcnst": any(c.default for c in table.columns), "tablehasindex": bool(table.indexes) or "PK" in types,
        "tablehasclustindex": any(c.is_clustered for c in table.constraints) or any(i.is_clustered for i in table.indexes),
        "tablehastimestamp": any(c.type.name == "rowversion" for c in table.columns),
        "tablehasrowguidcol": any(c.is_rowguidcol for c in table.columns), "isansinullson": True, "isquotedidenton": True,
        "tablehastextimage": any(c.type.name in ("text", "ntext", "image") for c in table.columns),
    }  # fmt: skip
    value = values.get(key)
    return None if value is None else int(value)


def _module_property(module: Module, key: str) -> int | None:
    values = {
        "execisansinullson": True, "execisquotedidenton": module.uses_quoted_identifier, "execistriggerdisabled": module.is_disabled,
        "execisinserttrigger": "INSERT" in module.events, "execisupdatetrigger": "UPDATE" in module.events,
        "execisdeletetrigger": "DELETE" in module.events, "execisinsteadoftrigger": module.timing == "INSTEAD OF",
        "execisaftertrigger": module.timing == "AFTER", "execisstartup": False, "isexecuted": True, "isschemabound": False,
    }  # fmt: skip
    value = values.get(key)
    return None if value is None else int(value)


@function("OBJECTPROPERTY", INT, [INT, SYSNAME], needs_frame=True)
def _objectproperty(frame: Frame, object_id: int, name: str) -> int | None:
    return _object_property(frame, object_id, name)


@function("OBJECTPROPERTYEX", SQL_VARIANT, [INT, SYSNAME], needs_frame=True)
def _objectpropertyex(frame: Frame, object_id: int, name: str) -> Any:
    if name.lower() == "basetype":
        record = find_by_id(frame, object_id)
        return Variant(SqlType("nchar", length=2), object_kind(record).ljust(2)) if record is not None else None
    found = _object_property(frame, object_id, name)
    return None if found is None else Variant(INT, found)


@function("TYPEPROPERTY", INT, [SYSNAME, SYSNAME])
def _typeproperty(type_name: str, name: str) -> int | None:
    precisions = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19, "decimal": 38, "float": 53, "real": 24, "datetime": 23,
                  "nvarchar": 4000, "varchar": 8000, "uniqueidentifier": 16, "money": 19, "bit": 1, "xml": -1}  # fmt: skip
    if type_name.lower() not in precisions:
        return None
    return {"precision": precisions[type_name.lower()], "allowsnull": 1}.get(name.lower())


@function("DATABASEPROPERTYEX", SQL_VARIANT, [SYSNAME, SYSNAME], needs_frame=True)
def _databasepropertyex(frame: Frame, database: str, name: str) -> Any:
    found = frame.session.catalog.find(Database, 0, database)
    if found is None:
        return None
    value = _database_property(found, name.strip().lower())
    if value is None:
        return None
    return Variant(INT, value) if isinstance(value, int) else Variant(SYSNAME, value)


_DATABASE_OPTIONS = {
    "isansinulldefault": "ANSI_NULL_DEFAULT", "isansinullsenabled": "ANSI_NULLS", "isansipaddingenabled": "ANSI_PADDING",
    "isansiwarningsenabled": "ANSI_WARNINGS", "isarithmeticabortenabled": "ARITHABORT", "isautoclose": "AUTO_CLOSE",
    "isautocreatestatistics": "AUTO_CREATE_STATISTICS", "isautoshrink": "AUTO_SHRINK", "isautoupdatestatistics": "AUTO_UPDATE_STATISTICS",
    "isclosecursorsoncommitenabled": "CURSOR_CLOSE_ON_COMMIT", "isnullconcat": "CONCAT_NULL_YIELDS_NULL",
    "isnumericroundabortenabled": "NUMERIC_ROUNDABORT", "isquotedidentifiersenabled": "QUOTED_IDENTIFIER",
    "isrecursivetriggersenabled": "RECURSIVE_TRIGGERS",
}  # fmt: skip
"""Properties that say whether ALTER DATABASE … SET has put an option ON."""

_ON_AT_FIRST = frozenset({"AUTO_CREATE_STATISTICS", "AUTO_UPDATE_STATISTICS"})
_NEVER = frozenset(
    {
        "isautocreatestatisticsincremental", "isclone", "isdatabasesuspendedforsnapshotbackup", "isfulltextenabled", "isinstandby",
        "ismemoryoptimizedelevatetosnapshotenabled", "ismergepublished", "isparameterizationforced", "ispublished", "issubscribed",
        "issyncwithbackup", "istornpagedetectionenabled", "isverifiedclone", "isxtpsupported",
    }
)  # fmt: skip


def _database_property(database: Database, name: str) -> str | int | None:
    option = _DATABASE_OPTIONS.get(name)
    if option is not None:
        return int(database.options.get(option, "ON" if option in _ON_AT_FIRST else "OFF") == "ON")
    if name in _NEVER:
        return 0
    values: dict[str, str | int] = {
        "collation": database.collation_name, "comparisonstyle": 196609, "lcid": 1033, "recovery": database.recovery_model,
        "status": "ONLINE", "useraccess": database.user_access, "version": 957, "sqlsortorder": 52,
        "updateability": "READ_ONLY" if database.is_read_only else "READ_WRITE",
        "islocalcursorsdefault": int(database.options.get("CURSOR_DEFAULT") == "LOCAL"),
    }  # fmt: skip
    return values.get(name)


@function("DATABASEPROPERTY", INT, [SYSNAME, SYSNAME], needs_frame=True)
def _databaseproperty(frame: Frame, database: str, name: str) -> int | None:
    """The predecessor of DATABASEPROPERTYEX: only what is a number."""
    found = frame.session.catalog.find(Database, 0, database)
    if found is None:
        return None
    word = name.strip().lower()
    states: dict[str, bool] = {
        "isreadonly": found.is_read_only, "issingleuser": found.user_access == "SINGLE_USER", "isdboonly": found.user_access == "RESTRICTED_USER",
        "istrunclog": found.recovery_model == "SIMPLE", "isbulkcopy": found.recovery_model == "BULK_LOGGED", "isoffline": False,
        "issuspect": False, "isdetached": False, "isemergencymode": False, "isinload": False, "isinrecovery": False, "isnotrecovered": False,
        "isshutdown": False,
    }  # fmt: skip
    if word in states:
        return int(states[word])
    value = _database_property(found, word)
    return value if isinstance(value, int) else None


@function("LOGINPROPERTY", SQL_VARIANT, [SYSNAME, SYSNAME], needs_frame=True)
def _loginproperty(frame: Frame, login: str, name: str) -> Any:
    """No login is ever locked, nor does its password expire."""
    found = frame.session.catalog.find(Principal, 0, login)
    if found is None or found.type != "S":
        return None
    word = name.strip().lower()
    if word in ("badpasswordcount", "historylength", "isexpired", "islocked", "ismustchange"):
        return Variant(INT, 0)
    if word == "passwordhash":
        return None if found.password_hash is None else Variant(varbinary(256), found.password_hash)
    values = {"defaultdatabase": found.default_database, "defaultlanguage": "us_english"}
    value = values.get(word)
    return None if value is None else Variant(SYSNAME, value)


@function("SERVERPROPERTY", SQL_VARIANT, [SYSNAME], needs_frame=True)
def _serverproperty(frame: Frame, name: str) -> Any:
    instance = frame.session.instance
    server = instance.name
    values: dict[str, Any] = {
        "productversion": PRODUCT_VERSION, "productlevel": "RTM", "edition": "Developer Edition (64-bit)", "engineedition": 3,
        "productmajorversion": "16", "productminorversion": "0", "productbuild": "1000", "servername": server, "machinename": server,
        "instancename": None, "collation": "SQL_Latin1_General_CP1_CI_AS", "isclustered": 0, "ishadrenabled": 0,
        "isintegratedsecurityonly": 0, "isfulltextinstalled": 0, "issingleuser": 0, "lcid": 1033, "sqlcharsetname": "iso_1",
        "sqlsortordername": "nocase_iso", "buildclrversion": "v4.0.30319", "computernamephysicalnetbios": server,
        "isxtpsupported": 0, "editionid": -2117995310, "comparisonstyle": 196609, "filestreamconfiguredlevel": 0,
    }  # fmt: skip
    value = values.get(name.lower())
    if value is None:
        return None
    return Variant(INT, value) if isinstance(value, int) else Variant(SYSNAME, value)


@function("FULLTEXTSERVICEPROPERTY", INT, [SYSNAME])
def _fulltextserviceproperty(name: str) -> int | None:
    """Full-text search is not installed."""
    return 0 if name.lower() in ("isfulltextinstalled", "loadosresources", "verifysignature") else None


@function("COLLATIONPROPERTY", SQL_VARIANT, [SYSNAME, SYSNAME])
def _collationproperty(collation: str, name: str) -> Any:
    values = {
        "codepage": 1252,
        "lcid": 1033,
        "comparisonstyle": 0 if "_BIN" in collation.upper() else 196609,
        "version": 0,
    }
    found = values.get(name.lower())
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


@function("IDENT_SEED", decimal(38, 0), [NVARCHAR_MAX], needs_frame=True)
def _ident_seed(frame: Frame, table: str) -> Any:
    found = _identity(frame, table)
    return Decimal(found[1].seed) if found is not None else None


@function("IDENT_INCR", decimal(38, 0), [NVARCHAR_MAX], needs_frame=True)
def _ident_incr(frame: Frame, table: str) -> Any:
    found = _identity(frame, table)
    return Decimal(found[1].increment) if found is not None else None


@function("IDENT_CURRENT", decimal(38, 0), [NVARCHAR_MAX], needs_frame=True)
def _ident_current(frame: Frame, table: str) -> Any:
    """The last identity value given in any session; the seed while there was none."""
    found = _identity(frame, table)
    if found is None:
        return None
    state = frame.session.instance.tables.peek(found[0].id)
    last = state.last_identity if state is not None else None
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
        "iscolumnstore": False, "isoptimizedforsequentialkey": False,
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


def _nothing(*arguments: Any) -> None:
    """Files, filegroups, statistics and full-text catalogs do not exist here."""


for _name, _count in {"FILE_ID": 1, "FILE_IDEX": 1, "FILE_NAME": 1, "FILEGROUP_ID": 1, "FILEGROUP_NAME": 1, "STATS_DATE": 2,
                      "FILEPROPERTY": 2, "FILEGROUPPROPERTY": 2, "FULLTEXTCATALOGPROPERTY": 2}.items():  # fmt: skip
    function(_name, SYSNAME if _name.endswith("NAME") else INT, [None] * _count)(_nothing)
