"""What is told of a column of a described result set: the columns that sp_describe_first_result_set and its functions
share, and the numbers of the wire protocol that the procedure adds."""

from __future__ import annotations

from typing import Any, Final

from sbql.catalog.records import Database, Schema, Table, UserType, XmlSchemaCollection
from sbql.catalog.type_facets import facets
from sbql.engine.describe.result_sets import DescribedColumn, place_of
from sbql.engine.ports import Session
from sbql.grammar.errors import SqlError
from sbql.grammar.types import BIT, DATABASE_DEFAULT_COLLATION, INT, MAX, SYSNAME, TINYINT, SqlType, nvarchar
from sbql.grammar.values.collation import is_case_sensitive

__all__ = ["ERROR_COLUMNS", "RESULT_COLUMNS", "WIRE_COLUMNS", "column_facts", "error_facts", "type_name", "wire_facts"]

_SMALLINT: Final = SqlType("smallint")

RESULT_COLUMNS: Final = (
    ("is_hidden", BIT), ("column_ordinal", INT), ("name", SYSNAME), ("is_nullable", BIT), ("system_type_id", INT),
    ("system_type_name", nvarchar(256)), ("max_length", _SMALLINT), ("precision", TINYINT), ("scale", TINYINT), ("collation_name", SYSNAME),
    ("user_type_id", INT), ("user_type_database", SYSNAME), ("user_type_schema", SYSNAME), ("user_type_name", SYSNAME),
    ("assembly_qualified_type_name", nvarchar(4000)), ("xml_collection_id", INT), ("xml_collection_database", SYSNAME),
    ("xml_collection_schema", SYSNAME), ("xml_collection_name", SYSNAME), ("is_xml_document", BIT), ("is_case_sensitive", BIT),
    ("is_fixed_length_clr_type", BIT), ("source_server", SYSNAME), ("source_database", SYSNAME), ("source_schema", SYSNAME),
    ("source_table", SYSNAME), ("source_column", SYSNAME), ("is_identity_column", BIT), ("is_part_of_unique_key", BIT), ("is_updateable", BIT),
    ("is_computed_column", BIT), ("is_sparse_column_set", BIT), ("ordinal_in_order_by_list", _SMALLINT), ("order_by_list_length", _SMALLINT),
    ("order_by_is_descending", _SMALLINT),
)  # fmt: skip

ERROR_COLUMNS: Final = (
    ("error_number", INT), ("error_severity", INT), ("error_state", INT), ("error_message", nvarchar(4000)), ("error_type", INT),
    ("error_type_desc", nvarchar(60)),
)  # fmt: skip

WIRE_COLUMNS: Final = (
    ("tds_type_id", INT),
    ("tds_length", INT),
    ("tds_collation_id", INT),
    ("tds_collation_sort_id", TINYINT),
)

_ERROR_TYPES: Final = {
    11509: (9, "CONFLICTING_RESULTS"), 11513: (4, "DYNAMIC_SQL"), 11514: (4, "DYNAMIC_SQL"), 11520: (7, "EXTENDED_PROCEDURE"),
    11525: (11, "TEMPORARY_TABLE"), 11526: (11, "TEMPORARY_TABLE"),
}  # fmt: skip


def type_name(sql_type: SqlType) -> str:
    """The type with its length or precision, as system_type_name has it."""
    f = facets(sql_type)
    if sql_type.length is not None:
        return f"{f.type_name}({'max' if sql_type.length == MAX else sql_type.length})"
    if f.type_name in ("decimal", "numeric"):
        return f"{f.type_name}({f.precision},{f.scale})"
    return f"{f.type_name}({f.scale})" if f.type_name in ("time", "datetime2", "datetimeoffset") else f.type_name


def column_facts(session: Session, column: DescribedColumn, number: int, mode: int) -> tuple[Any, ...]:
    """A row of RESULT_COLUMNS. `mode` 1: tell where the column comes from."""
    f = facets(column.type)
    table, source = column.table, column.source
    user_type = (None, None, None, None)
    if source is not None and table is not None and source.user_type is not None:
        user_type = _user_type(session, table, source.user_type)
    xml = _xml_collection(session, column)
    place: tuple[Any, ...] = (None, None, None, None, None)
    is_key = None
    if mode and table is not None and source is not None:
        database, schema = place_of(session, table)
        place = (None, database, schema, table.name, source.name)
        is_key = _is_key(table, source.name)
    is_computed = source is not None and source.computed is not None
    is_updateable = source is not None and not (is_computed or source.is_identity or f.type_name == "timestamp")
    order = column.order
    return (
        False, number, column.name or None, column.is_nullable, f.system_type_id, type_name(column.type), f.max_length, f.precision, f.scale,
        f.collation, *user_type, None, *xml, f.collation is not None and is_case_sensitive(f.collation), False, *place,
        source is not None and source.is_identity, is_key, is_updateable, is_computed, False, order[0] if order else None,
        order[1] if order else None, int(order[2]) if order else None,
    )  # fmt: skip


def _user_type(session: Session, table: Table, name: str) -> tuple[Any, Any, Any, Any]:
    own = name.rsplit(".", 1)[-1].strip("[]").lower()
    for found in session.catalog.all(UserType, table.database_id):
        if found.name.lower() == own:
            database = session.catalog.get(Database, 0, found.database_id)
            schema = session.catalog.get(Schema, found.database_id, found.schema_id)
            return found.id, database.name if database else None, schema.name if schema else None, found.name
    return None, None, None, None


def _xml_collection(session: Session, column: DescribedColumn) -> tuple[Any, ...]:
    """xml_collection_id, its database, schema and name, and whether a document is asked for."""
    if column.type.collection is None:
        return None, None, None, None, False
    number, kind = column.type.collection.split("#")[:2]
    found = session.catalog.get(XmlSchemaCollection, session.database_id, int(number))
    schema = session.catalog.get(Schema, found.database_id, found.schema_id) if found is not None else None
    name = (
        (session.database_name, schema.name if schema else None, found.name)
        if found is not None
        else (None, None, None)
    )
    return int(number), *name, kind == "DOCUMENT"


def _is_key(table: Table, name: str) -> bool:
    keys = [c.columns for c in table.constraints if c.type in ("PK", "UQ")] + [
        i.columns for i in table.indexes if i.is_unique
    ]
    return any(part.name.lower() == name.lower() for columns in keys for part in columns)


def error_facts(error: SqlError) -> tuple[Any, ...]:
    """A row of ERROR_COLUMNS."""
    kind, text = _ERROR_TYPES.get(error.number, (2, "SYNTAX") if error.number in (102, 105, 156) else (1, "MISC"))
    return error.number, error.severity, error.state, error.message, kind, text


_NULLABLE: Final = {
    "tinyint": (48, 38, 1), "smallint": (52, 38, 2), "int": (56, 38, 4), "bigint": (127, 38, 8), "bit": (50, 104, 1), "float": (62, 109, 8),
    "real": (59, 109, 4), "money": (60, 110, 8), "smallmoney": (122, 110, 4), "datetime": (61, 111, 8), "smalldatetime": (58, 111, 4),
}  # fmt: skip
"""type -> its number on the wire when it cannot be NULL, when it can, its length."""

_LARGE: Final = {"text": 35, "ntext": 99, "image": 34, "xml": 241}


def wire_facts(column: DescribedColumn) -> tuple[Any, ...]:
    """A row of WIRE_COLUMNS."""
    f = facets(column.type)
    if f.type_name in _NULLABLE:
        fixed, nullable, length = _NULLABLE[f.type_name]
        return nullable if column.is_nullable else fixed, length, None, None
    number, length = f.system_type_id, f.max_length
    if f.type_name == "timestamp":
        number = 173
    elif f.type_name in _LARGE:
        length = 2147483647 if f.type_name != "xml" else 8100
    elif length == -1:
        length = 65535
    collation = (13632521, 52) if f.collation == DATABASE_DEFAULT_COLLATION else (None, None)
    return number, length, *collation
