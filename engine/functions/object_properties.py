"""OBJECTPROPERTY, OBJECTPROPERTYEX, COLUMNPROPERTY and TYPEPROPERTY: every documented property; NULL for an unknown
one, or one that the kind of object does not have."""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Column, Module, Queue, Schema, Table, TableConstraint, UserType
from sbql.catalog.type_facets import SYSTEM_TYPES, facets
from sbql.engine.describe.module_texts import columns_of_module, is_deterministic
from sbql.engine.describe.system_objects import SystemObject
from sbql.engine.functions.metadata import find_by_id, object_kind
from sbql.engine.functions.strings import name_parts
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.grammar.errors import SqlError
from sbql.grammar.types import INT, SQL_VARIANT, SYSNAME, SqlType, Variant

_WITH_LENGTH = ("char", "varchar", "nchar", "nvarchar", "binary", "varbinary")


# --- columns and parameters --------------------------------------------------------------------------------


@function("COLUMNPROPERTY", INT, [INT, SYSNAME, SYSNAME], needs_frame=True)
def _columnproperty(frame: Frame, object_id: int, column: str, name: str) -> int | None:
    record = find_by_id(frame, object_id)
    values: dict[str, Any] = {}
    if isinstance(record, Table):
        found = next((c for c in record.columns if c.name.lower() == column.lower()), None)
        values = _of_column(found) if found is not None else {}
    elif isinstance(record, Module):
        values = _of_module_column(frame, record, column.lower())
    value = values.get(name.strip().lower())
    return None if value is None else int(value)


def _of_column(column: Column) -> dict[str, Any]:
    is_computed = column.computed is not None
    is_large = column.type.length == -1 or column.type.name in ("text", "ntext", "image", "xml")
    return {
        **_of_type(column.type), "allowsnull": column.is_nullable, "columnid": column.column_id, "fulltexttypecolumn": 0, "generatedalwaystype": 0,
        "iscolumnset": 0, "iscomputed": is_computed, "isdeterministic": 1 if is_computed else None, "isfulltextindexed": 0, "ishidden": 0,
        "isidentity": column.is_identity, "isidnotforrepl": 0, "isindexable": not is_large, "isoutparam": None,
        "isprecise": column.type.name not in ("float", "real") if is_computed else None, "isrowguidcol": column.is_rowguidcol, "issparse": 0,
        "issystemverified": 1 if is_computed else None, "isxmlindexable": column.type.name == "xml", "statisticalsemantics": 0,
        "systemdataaccess": 0 if is_computed else None, "userdataaccess": 0 if is_computed else None, "iscursortype": None,
    }  # fmt: skip


def _of_type(sql_type: SqlType) -> dict[str, Any]:
    f = facets(sql_type)
    is_text = f.type_name in _WITH_LENGTH
    numeric_scale = f.scale if f.precision and f.type_name not in ("float", "real") else None
    return {
        "precision": sql_type.length if is_text else f.precision or None, "scale": None if is_text else numeric_scale,
        "charmaxlen": sql_type.length if is_text else None, "usesansitrim": 1 if f.type_name in ("char", "varchar", "binary", "varbinary") else None,
    }  # fmt: skip


def _of_module_column(frame: Frame, module: Module, column: str) -> dict[str, Any]:
    """A column of a view or table-valued function, or a parameter."""
    session = frame.session
    try:
        if column.startswith("@"):
            for number, p in enumerate(session.instance.modules.module(module, session).parameters, 1):
                if p.name.lower() == column:
                    return {
                        **_of_type(p.type), "allowsnull": 1, "columnid": number, "isoutparam": p.output, "iscursortype": p.type.name == "cursor",
                    }  # fmt: skip
        elif module.type in ("V", "IF", "TF"):
            for number, c in enumerate(columns_of_module(session, module), 1):
                if c.name.lower() == column:
                    plain = {
                        "iscomputed": 0,
                        "isidentity": 0,
                        "isrowguidcol": 0,
                        "issparse": 0,
                        "ishidden": 0,
                        "isindexable": 1,
                    }
                    return {**_of_type(c.type), "allowsnull": c.nullable, "columnid": number, **plain}
    except SqlError:
        return {}
    return {}


# --- objects -----------------------------------------------------------------------------------------------

_KINDS = {
    "istable": ("U", "S"), "isusertable": ("U",), "isview": ("V",), "isprocedure": ("P",), "isscalarfunction": ("FN",), "isinlinefunction": ("IF",),
    "istablefunction": ("TF", "IF"), "istrigger": ("TR",), "isqueue": ("SQ",), "isextendedproc": ("X",), "isreplproc": (), "isrule": (),
    "isdefault": (), "issystemtable": ("S",), "ischeckcnst": ("C",), "isdefaultcnst": ("D",), "isforeignkey": ("F",), "isprimarykey": ("PK",),
    "isuniquecnst": ("UQ",), "isconstraint": ("C", "D", "F", "PK", "UQ"),
}  # fmt: skip
"""Properties that ask for the kind of an object."""


def _object_property(frame: Frame, object_id: int, name: str) -> int | None:
    key = name.strip().lower()
    record = find_by_id(frame, object_id)
    found = (record, None) if record is not None else _constraint(frame, object_id)
    if found is None:
        return None
    record, part = found
    kind = _kind_of_part(part) if part is not None else object_kind(record)
    if key in _KINDS:
        return int(kind in _KINDS[key])
    if key == "ismsshipped":
        return int(isinstance(record, SystemObject) or record.is_ms_shipped)
    if key == "schemaid":
        return int(record.schema_id)
    if key == "ownerid":
        return 1 if isinstance(record, SystemObject) else _owner(frame, record)
    values: dict[str, Any] = {}
    if part is not None:
        values = _of_constraint(part)
    elif isinstance(record, Table):
        values = _of_table(frame, record)
    elif isinstance(record, Module):
        values = _of_module(frame, record)
    value = values.get(key)
    return None if value is None else int(value)


def _constraint(frame: Frame, object_id: int) -> tuple[Table, TableConstraint | Column] | None:
    for table in frame.session.catalog.all(Table, frame.session.database_id):
        for constraint in table.constraints:
            if constraint.id == object_id:
                return table, constraint
        for column in table.columns:
            if column.default_id == object_id and column.default is not None:
                return table, column
    return None


def _kind_of_part(part: TableConstraint | Column) -> str:
    return part.type if isinstance(part, TableConstraint) else "D"


def _of_constraint(part: TableConstraint | Column) -> dict[str, Any]:
    if isinstance(part, Column):
        return {"cnstiscolumn": 1, "cnstisdisabled": 0}
    is_key, is_foreign = part.type in ("PK", "UQ"), part.type == "F"
    return {
        "cnstisclustkey": part.is_clustered if is_key else None, "cnstisnonclustkey": not part.is_clustered if is_key else None,
        "cnstiscolumn": len(part.columns) == 1, "cnstisdeletecascade": part.on_delete == "CASCADE" if is_foreign else None,
        "cnstisupdatecascade": part.on_update == "CASCADE" if is_foreign else None, "cnstisdisabled": part.is_disabled,
        "cnstisnotrepl": 0, "cnstisnottrusted": part.is_not_trusted if not is_key else None,
    }  # fmt: skip


def _owner(frame: Frame, record: Any) -> int:
    """An object's own owner, or that of its schema."""
    own = record.principal_id if isinstance(record, Table | Queue) else None
    schema = frame.session.catalog.get(Schema, record.database_id, record.schema_id)
    return own or (1 if schema is None else int(schema.principal_id))


def _of_triggers(frame: Frame, record: Any) -> dict[str, Any]:
    found = [
        m for m in frame.session.catalog.all(Module, record.database_id) if m.type == "TR" and m.parent_id == record.id
    ]
    counts = {event: sum(event in m.events for m in found) for event in ("INSERT", "UPDATE", "DELETE")}
    values: dict[str, Any] = {
        "hasaftertrigger": any(m.timing == "AFTER" for m in found), "hasinsteadoftrigger": any(m.timing == "INSTEAD OF" for m in found),
    }  # fmt: skip
    for event, count in counts.items():
        word = event.lower()
        first = next((m.id for m in found if event in m.events), 0)
        values |= {f"has{word}trigger": count > 0, f"table{word}trigger": first, f"table{word}triggercount": count}
    return values


def _of_table(frame: Frame, table: Table) -> dict[str, Any]:
    types = {c.type for c in table.constraints}
    is_clustered = any(c.is_clustered for c in table.constraints) or any(i.is_clustered for i in table.indexes)
    has_index = bool(table.indexes) or bool({"PK", "UQ"} & types)
    referenced = any(
        c.referenced_id == table.id
        for other in frame.session.catalog.all(Table, table.database_id)
        for c in other.constraints
    )
    return {
        **_of_triggers(frame, table), "isansinullson": 1, "isquotedidenton": None, "isindexable": 1, "isindexed": has_index, "isencrypted": None,
        "tablefulltextbackgroundupdateindexon": 0, "tablefulltextcatalogid": 0, "tablefulltextchangetrackingon": 0, "tablefulltextdocsprocessed": 0,
        "tablefulltextfailcount": 0, "tablefulltextitemcount": 0, "tablefulltextkeycolumn": 0, "tablefulltextpendingchanges": 0,
        "tablefulltextpopulatestatus": 0, "tablehasactivefulltextindex": 0, "tablehascheckcnst": "C" in types, "tablehasclustindex": is_clustered,
        "tablehascolumnset": 0, "tablehasdefaultcnst": any(c.default for c in table.columns), "tablehasdeletetrigger": _has(frame, table, "DELETE"),
        "tablehasforeignkey": "F" in types, "tablehasforeignref": referenced, "tablehasidentity": any(c.is_identity for c in table.columns),
        "tablehasindex": has_index, "tablehasinserttrigger": _has(frame, table, "INSERT"),
        "tablehasnonclustindex": any(not i.is_clustered for i in table.indexes) or any(c.type in ("PK", "UQ") and not c.is_clustered for c in table.constraints),
        "tablehasprimarykey": "PK" in types, "tablehasrowguidcol": any(c.is_rowguidcol for c in table.columns),
        "tablehastextimage": any(c.type.name in ("text", "ntext", "image") for c in table.columns),
        "tablehastimestamp": any(c.type.name == "rowversion" for c in table.columns), "tablehasuniquecnst": "UQ" in types,
        "tablehasupdatetrigger": _has(frame, table, "UPDATE"), "tablehasvardecimalstorageformat": 0, "tableisfake": 0,
        "tableislockedonbulkload": 0, "tableismemoryoptimized": 0, "tableispinned": 0, "tabletextinrowlimit": 0, "tabletemporaltype": 0,
    }  # fmt: skip


def _has(frame: Frame, table: Table, event: str) -> bool:
    return any(
        event in m.events for m in frame.session.catalog.all(Module, table.database_id) if m.parent_id == table.id
    )


def _of_module(frame: Frame, module: Module) -> dict[str, Any]:
    node: Any = frame.session.instance.modules.parse(module.definition).statements[0] if module.definition else None
    options = {str(option).upper() for option in getattr(node, "options", ())}
    is_function = module.type in ("FN", "IF", "TF")
    values: dict[str, Any] = {
        "execisansinullson": module.uses_ansi_nulls, "execisquotedidenton": module.uses_quoted_identifier, "isansinullson": module.uses_ansi_nulls, "isquotedidenton": module.uses_quoted_identifier,
        "execisstartup": 0 if module.type == "P" else None, "execiswithnativecompilation": 0, "isencrypted": "ENCRYPTION" in options,
        "isexecuted": 1, "isschemabound": "SCHEMABINDING" in options if is_function or module.type == "V" else None,
        "isdeterministic": is_deterministic(node, options) if is_function or module.type == "V" else None,
        "isprecise": is_deterministic(node, options) if is_function else None, "issystemverified": 1 if is_function else None,
        "systemdataaccess": 0 if is_function else None, "userdataaccess": 1 if is_function and "SCHEMABINDING" not in options else 0 if is_function else None,
    }  # fmt: skip
    if module.type == "V":
        values |= {**_of_triggers(frame, module), "isindexable": 0, "isindexed": 0}
    if module.type == "TR":
        values |= {
            "execistriggerdisabled": module.is_disabled, "execisaftertrigger": module.timing != "INSTEAD OF",
            "execisinsteadoftrigger": module.timing == "INSTEAD OF", "execistriggernotforrepl": 0,
        }  # fmt: skip
        for event in ("INSERT", "UPDATE", "DELETE"):
            word = event.lower()
            values |= {
                f"execis{word}trigger": event in module.events,
                f"execisfirst{word}trigger": 0,
                f"execislast{word}trigger": 0,
            }
    return values


@function("OBJECTPROPERTY", INT, [INT, SYSNAME], needs_frame=True)
def _objectproperty(frame: Frame, object_id: int, name: str) -> int | None:
    return _object_property(frame, object_id, name)


@function("OBJECTPROPERTYEX", SQL_VARIANT, [INT, SYSNAME], needs_frame=True)
def _objectpropertyex(frame: Frame, object_id: int, name: str) -> Any:
    if name.strip().lower() == "basetype":
        record = find_by_id(frame, object_id)
        part = _constraint(frame, object_id) if record is None else None
        kind = object_kind(record) if record is not None else _kind_of_part(part[1]) if part is not None else None
        return Variant(SqlType("char", length=2), kind.ljust(2)) if kind is not None else None
    found = _object_property(frame, object_id, name)
    return None if found is None else Variant(INT, found)


# --- types -------------------------------------------------------------------------------------------------


@function("TYPEPROPERTY", INT, [SYSNAME, SYSNAME], needs_frame=True)
def _typeproperty(frame: Frame, type_name: str, name: str) -> int | None:
    parts = name_parts(type_name.strip())
    plain = (parts[-1] or "").lower()
    user = _user_type(frame, plain)
    if user is not None:
        values: dict[str, Any] = {"allowsnull": user.is_nullable, "ownerid": 1}
        if user.base is not None:
            values |= _of_type(user.base)
    elif plain in SYSTEM_TYPES:
        _, _, size, precision, scale = SYSTEM_TYPES[plain]
        is_text = plain in _WITH_LENGTH
        is_wide = plain in ("nchar", "nvarchar", "sysname")
        values = {
            "allowsnull": plain != "sysname", "ownerid": 4, "usesansitrim": 1 if is_text and not is_wide else None,
            "precision": size // 2 if is_wide else precision or size, "scale": scale if precision and plain not in ("float", "real") else None,
        }  # fmt: skip
    else:
        return None
    value = values.get(name.strip().lower())
    return None if value is None else int(value)


def _user_type(frame: Frame, plain: str) -> UserType | None:
    session = frame.session
    return next((t for t in session.catalog.all(UserType, session.database_id) if t.name.lower() == plain), None)
