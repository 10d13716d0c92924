"""Catalog relations: the tables `catalog_<name>` that system views read, made from a CatalogSnapshot.

Decides which facts of the records the views can see. A relation is a local table made once for each snapshot, so a
transaction that runs DDL sees its own, and ROLLBACK needs nothing. The engine's part (what lives in its memory) are
the live relations, `live_<name>` (`live_relations`). It must not know the views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sbql.catalog.changes import LocalTable
from sbql.catalog.event_types import EVENT_TYPES, members
from sbql.catalog.kinds import KINDS
from sbql.catalog.live_relations import Columns
from sbql.catalog.object_rows import check_rows, column_rows, foreign_key_rows, index_rows, key_rows, object_rows
from sbql.catalog.partition_rows import (
    partition_function_rows,
    partition_place_rows,
    partition_scheme_rows,
    partition_value_rows,
)
from sbql.catalog.permission_codes import PROPERTY_CLASSES
from sbql.catalog.records.objects import (
    Contract,
    Database,
    EventNotification,
    ExtendedProperty,
    MasterKey,
    Module,
    MonologSubscription,
    RoleMember,
    Service,
    XmlSchemaCollection,
)
from sbql.catalog.records.tables import Sequence as SequenceRecord, Table, UserType
from sbql.catalog.security_rows import (
    asymmetric_key_rows,
    certificate_rows,
    key_encryption_rows,
    permission_rows,
    signature_rows,
    symmetric_key_rows,
)
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.stored_text import stored_rows
from sbql.catalog.type_facets import SYSTEM_TYPES, facets
from sbql.grammar.messages import all_messages
from sbql.grammar.types import DATABASE_DEFAULT_COLLATION
from sbql.grammar.values.languages import LANGUAGES
from sbql.grammar.values.xml_tree import target_namespace

__all__ = ["CATALOG_RELATIONS", "catalog_relation"]


def columns_of(text: str) -> Columns:
    """Columns from `name TYPE, name TYPE`; the commonest types are one letter."""
    short = {
        "i": "INTEGER",
        "t": "VARCHAR",
        "b": "BOOLEAN",
        "f": "DOUBLE",
        "l": "BIGINT",
        "h": "HUGEINT",
        "x": "BLOB",
        "u": "UUID",
    }
    pairs = (part.split() for part in text.split(","))
    return tuple((name, short.get(kind, kind)) for name, kind in pairs)


_Row = Sequence[Any]


def catalog_relation(name: str, snapshot: CatalogSnapshot) -> LocalTable:
    """A catalog relation as `snapshot` has it."""
    found: LocalTable | None = snapshot.derived.get(name)
    if found is None:
        columns, rows = CATALOG_RELATIONS[name]
        found = LocalTable(name, columns, stored_rows(rows(snapshot)), object())
        snapshot.derived[name] = found
    return found


def _filegroups(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for d in snapshot.all(Database):
        for number, name in enumerate(("PRIMARY", *d.filegroups), 1):
            yield d.id, number, name


def _databases(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    with_key = {key.database_id: key.is_encrypted_by_server for key in snapshot.all(MasterKey)}
    for d in snapshot.all(Database):
        options = {key.upper(): value.upper() for key, value in d.options.items()}
        yield (
            d.id, d.name, d.create_date, d.service_broker_guid, d.is_broker_enabled, d.is_honor_broker_priority_on,
            d.is_trustworthy_on, d.is_read_only, d.user_access, d.delayed_durability, d.collation_name,
            d.compatibility_level, d.recovery_model, d.owner_sid, with_key.get(d.id, False),
            options.get("ALLOW_SNAPSHOT_ISOLATION") == "ON", options.get("READ_COMMITTED_SNAPSHOT") == "ON",
            options.get("DB_CHAINING") == "ON", d.state, d.logical_name or d.name, d.file_name or f"{d.name}.mdf",
            d.family_id, "," + "".join(f"{name}={value}," for name, value in options.items()),
        )  # fmt: skip


def _messages(_: CatalogSnapshot) -> Iterator[_Row]:
    for m in all_messages().values():
        yield m.number, 1033, m.severity, m.is_logged, m.text


def _types(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for database in snapshot.all(Database):
        for name, (system_id, user_id, size, precision, scale) in SYSTEM_TYPES.items():
            textual = name in ("char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname")
            collation = DATABASE_DEFAULT_COLLATION if textual else None
            nullable = name != "sysname"
            yield database.id, name, system_id, user_id, 4, size, precision, scale, collation, nullable, False, False, 0
    for t in snapshot.all(UserType):
        if t.base is not None:
            f = facets(t.base)
            yield (
                t.database_id, t.name, f.system_type_id, t.id, t.schema_id, f.max_length, f.precision, f.scale,
                f.collation, t.is_nullable, True, False, 0,
            )  # fmt: skip
        else:
            table_id = t.table.id if t.table is not None else 0
            yield t.database_id, t.name, 243, t.id, t.schema_id, -1, 0, 0, None, t.is_nullable, True, True, table_id


def _events(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """One row for each event; those that were named by a group know the group."""
    sources: list[tuple[int, int, tuple[str, ...], bool, str, dict[str, str]]] = [
        (e.database_id, e.id, e.events, False, e.scope, {}) for e in snapshot.all(EventNotification)
    ]
    sources += [
        (m.database_id, m.id, m.events, True, m.scope or "MODULE", dict(m.orders))
        for m in snapshot.all(Module)
        if m.type == "TR"
    ]
    dml = {"INSERT": 1, "UPDATE": 2, "DELETE": 3}
    for database_id, object_id, events, is_trigger, scope, orders in sources:
        for event in events:
            if event in dml:
                place = orders.get(event)
                yield (
                    database_id,
                    object_id,
                    dml[event],
                    event,
                    is_trigger,
                    scope,
                    None,
                    None,
                    place == "FIRST",
                    place == "LAST",
                )
                continue
            group = (EVENT_TYPES[event][0], event) if members(event) != {event} else (None, None)
            for member in sorted(members(event), key=lambda name: EVENT_TYPES[name][0]):
                place = orders.get(member)
                number = EVENT_TYPES[member][0]
                yield (
                    database_id,
                    object_id,
                    number,
                    member,
                    is_trigger,
                    scope,
                    *group,
                    place == "FIRST",
                    place == "LAST",
                )


def _sequences(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for s in snapshot.all(SequenceRecord):
        known = facets(s.type)
        yield (
            s.database_id, s.id, s.name, s.schema_id, s.start, s.increment, s.minimum, s.maximum, s.is_cycling, s.cache, s.create_date,
            s.modify_date, known.type_name, known.system_type_id, known.precision, known.scale, str(s.type),
        )  # fmt: skip


def _languages(_: CatalogSnapshot) -> Iterator[_Row]:
    for x in LANGUAGES:
        months, short_months, days = (",".join(names) for names in (x.months, x.short_months, x.days))
        yield x.langid, x.dateformat, x.datefirst, x.name, x.alias, months, short_months, days, x.lcid


def _xml_namespaces(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """Those of the schema documents, in their order; a document without one has the empty namespace."""
    for collection in snapshot.all(XmlSchemaCollection):
        names = dict.fromkeys(target_namespace(document) for document in collection.documents)
        for number, name in enumerate(names, 1):
            yield collection.database_id, collection.id, number, name


def _extended_properties(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for p in snapshot.all(ExtendedProperty):
        value = p.value or (None, None, None)
        yield (
            p.database_id,
            p.property_class,
            PROPERTY_CLASSES[p.property_class],
            p.major_id,
            p.minor_id,
            p.property_name,
            *value,
        )


def _modules(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for m in snapshot.all(Module):
        execute_as = {"OWNER": -2, "CALLER": None}.get(m.execute_as.upper(), m.execute_as_principal_id)
        yield (
            m.database_id, m.id, m.name, m.schema_id, m.type, None if m.is_encrypted else m.definition or None, m.uses_quoted_identifier, m.uses_ansi_nulls, execute_as,
            m.parent_id, m.scope, m.is_disabled, m.timing.upper() == "INSTEAD OF", m.create_date, m.modify_date,
        )  # fmt: skip


_ID: Final = "database_id i, id i, name t, "
_Relation = tuple[Columns, Callable[[CatalogSnapshot], Iterable[_Row]]]


def _fields(cls: type[Any], fields: str) -> _Relation:
    """database_id, id, name and the named fields of each record of a class."""
    columns = columns_of(_ID + fields)
    names = [name for name, _ in columns]

    def rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
        for record in snapshot.all(cls):
            yield [getattr(record, name) for name in names]

    return columns, rows


def _nested(cls: type[Any], parts: Callable[[Any], Iterable[_Row]]) -> Callable[[CatalogSnapshot], Iterator[_Row]]:
    """Rows of (database_id, id, a part's values) for each part of each record of a class."""

    def rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
        for record in snapshot.all(cls):
            for part in parts(record):
                yield (record.database_id, record.id, *part)

    return rows


def _event_types(_: CatalogSnapshot) -> Iterator[_Row]:
    for name, (number, parent) in EVENT_TYPES.items():
        yield number, name, parent


def _tables(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for t in snapshot.all(Table):
        yield t.database_id, t.id, t.name, t.schema_id, t.session_id, t.storage_schema, t.storage_name, t.create_date


CATALOG_RELATIONS: Final[Mapping[str, _Relation]] = {
    **{f"catalog_{kind.relation}": _fields(kind.record, kind.fields) for kind in KINDS if kind.relation},
    "catalog_databases": (
        columns_of(
            "id i, name t, create_date f, service_broker_guid u, is_broker_enabled b, is_honor_broker_priority_on b,"
            "is_trustworthy_on b, is_read_only b, user_access t, delayed_durability t, collation_name t,"
            "compatibility_level i, recovery_model t, owner_sid x, is_master_key_encrypted_by_server b,"
            "is_snapshot_isolation_on b, is_read_committed_snapshot_on b, is_db_chaining_on b, state t, logical_name t, file_name t, family t, options t"
        ),
        _databases,
    ),
    "catalog_filegroups": (columns_of("database_id i, data_space_id i, name t"), _filegroups),
    "catalog_role_members": _fields(RoleMember, "role_principal_id i, member_principal_id i"),
    "catalog_permissions": (
        columns_of(
            "database_id i, class i, class_desc t, major_id i, minor_id i, grantee_principal_id i, grantor_principal_id i, type t,"
            "permission_name t, state t"
        ),
        permission_rows,
    ),
    "catalog_contract_messages": (
        columns_of("database_id i, id i, message_type_id i, is_sent_by_initiator b, is_sent_by_target b"),
        _nested(Contract, lambda c: [(u.message_type_id, u.is_sent_by_initiator, u.is_sent_by_target) for u in c.messages]),
    ),
    "catalog_service_contracts": (
        columns_of("database_id i, id i, contract_id i"),
        _nested(Service, lambda s: [(contract_id,) for contract_id in s.contract_ids]),
    ),
    "catalog_monolog_subscriptions": _fields(
        MonologSubscription,
        "handle u, principal_id i, service_id i, contract_id i, far_service t, broker_instance t, from_retained b, create_date f",
    ),
    "catalog_events": (columns_of("database_id i, id i, type i, type_desc t, is_trigger b, scope t, group_type i, group_desc t, is_first b, is_last b"), _events),
    "catalog_event_types": (columns_of("type i, type_name t, parent_type i"), _event_types),
    "catalog_certificates": (
        columns_of(
            "database_id i, name t, id i, principal_id i, pvt_key_encryption_type t, is_active_for_begin_dialog b, subject t, issuer t,"
            "serial t, sid x, start_date f, expiry_date f, thumbprint x, last_backup f"
        ),
        certificate_rows,
    ),
    "catalog_asymmetric_keys": (
        columns_of(
            "database_id i, name t, id i, principal_id i, pvt_key_encryption_type t, algorithm t, key_length i, thumbprint x, public_key x"
        ),
        asymmetric_key_rows,
    ),
    "catalog_symmetric_keys": (
        columns_of("database_id i, name t, id i, principal_id i, algorithm t, key_guid u, create_date f, modify_date f"),
        symmetric_key_rows,
    ),
    "catalog_key_encryptions": (
        columns_of("database_id i, key_id i, thumbprint x, crypt_type t, crypt_type_desc t, crypt_property x"), key_encryption_rows,
    ),
    "catalog_signatures": (
        columns_of("database_id i, major_id i, thumbprint x, crypt_type t, crypt_type_desc t, crypt_property x"), signature_rows,
    ),
    "catalog_modules": (
        columns_of(
            "database_id i, id i, name t, schema_id i, type t, definition t, uses_quoted_identifier b, uses_ansi_nulls b,"
            "execute_as_principal_id i, parent_id i, scope t, is_disabled b, is_instead_of b, create_date f, modify_date f"
        ),
        _modules,
    ),
    "catalog_languages": (
        columns_of("langid i, dateformat t, datefirst i, name t, alias t, months t, shortmonths t, days t, lcid i"), _languages,
    ),
    "catalog_xml_namespaces": (columns_of("database_id i, id i, number i, namespace t"), _xml_namespaces),
    "catalog_extended_properties": (
        columns_of("database_id i, class i, class_desc t, major_id i, minor_id i, name t, sort t, base t, value_text t"),
        _extended_properties,
    ),
    "catalog_sequences": (
        columns_of(
            _ID + "schema_id i, start h, increment h, minimum h, maximum h, is_cycling b, cache i, create_date f, modify_date f,"
            "type_name t, system_type_id i, precision i, scale i, base t"
        ),
        _sequences,
    ),
    "catalog_messages": (columns_of("message_id i, language_id i, severity i, is_event_logged b, text t"), _messages),
    "catalog_types": (
        columns_of(
            "database_id i, name t, system_type_id i, user_type_id i, schema_id i, max_length i, precision i, scale i,"
            "collation_name t, is_nullable b, is_user_defined b, is_table_type b, table_id i"
        ),
        _types,
    ),
    "catalog_tables": (
        columns_of("database_id i, id i, name t, schema_id i, session_id i, storage_schema t, storage_name t, create_date f"),
        _tables,
    ),
    "catalog_objects": (
        columns_of(
            "database_id i, object_id i, name t, schema_id i, principal_id i, parent_object_id i, type t, type_desc t,"
            "create_date f, modify_date f, is_ms_shipped b"
        ),
        object_rows,
    ),
    "catalog_columns": (
        columns_of(
            "database_id i, object_id i, name t, column_id i, type_name t, system_type_id i, user_type_id i, max_length i,"
            "precision i, scale i, collation_name t, is_nullable b, is_rowguidcol b, is_identity b, seed h, increment h, base t,"
            "computed t, is_persisted b, default_definition t, default_name t, default_id i, xml_collection t, is_filestream b"
        ),
        column_rows,
    ),
    "catalog_indexes": (
        columns_of(
            "database_id i, object_id i, name t, index_id i, type i, is_unique b, is_primary_key b, is_unique_constraint b,"
            "filter_definition t, column_name t, ordinal i, is_descending b, is_included b, is_disabled b,"
            "ignores_duplicates b, scheme_name t, partition_column t"
        ),
        index_rows,
    ),
    "catalog_keys": (
        columns_of("database_id i, object_id i, name t, parent_object_id i, type t, index_id i, is_system_named b"),
        key_rows,
    ),
    "catalog_checks": (
        columns_of(
            "database_id i, object_id i, name t, parent_object_id i, definition t, is_disabled b, is_not_trusted b,"
            "is_system_named b"
        ),
        check_rows,
    ),
    "catalog_foreign_keys": (
        columns_of(
            "database_id i, object_id i, name t, parent_object_id i, referenced_object_id i, on_delete t, on_update t,"
            "is_disabled b, is_not_trusted b, is_system_named b, ordinal i, column_name t, referenced_column_name t, key_index_id i"
        ),
        foreign_key_rows,
    ),
    "catalog_partition_functions": (
        columns_of(
            _ID + "is_right b, fanout i, create_date f, modify_date f, system_type_id i, user_type_id i, max_length i, precision i, scale i,"
            "collation_name t"
        ),
        partition_function_rows,
    ),
    "catalog_partition_values": (columns_of("database_id i, id i, boundary_id i, sort t, base t, value_text t"), partition_value_rows),
    "catalog_partition_schemes": (columns_of(_ID + "function_id i"), partition_scheme_rows),
    "catalog_partition_places": (columns_of("database_id i, id i, destination_id i, name t"), partition_place_rows),
}  # fmt: skip
"""Name -> columns, rows of a snapshot."""
