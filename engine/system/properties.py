"""Extended properties: sp_addextendedproperty, sp_updateextendedproperty, sp_dropextendedproperty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from sbql.catalog.duck_types import to_store
from sbql.catalog.records import Database, ExtendedProperty
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.definition.ddl_events import call_text, tell_called
from sbql.engine.describe.extended_properties import Place, find_place, find_property, property_key
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.ports import Session
from sbql.engine.security import has_right, may
from sbql.engine.tables.definitions import new_object_id
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SQL_VARIANT, Variant

_MOST_BYTES = 7500


@procedure("sp_addextendedproperty", "sp_updateextendedproperty", "sp_dropextendedproperty")
def sp_addextendedproperty(call: ProcedureCall) -> Work:
    """@name [, @value], @level0type … @level2name. Raises 15135, 15233 (exists), 15217 (does not), 15600, 15247."""
    is_drop = call.name == "sp_dropextendedproperty"
    given = call.values(required=1)
    levels = given[-6:]
    session = call.session
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        place = find_place(session, list(zip(levels[::2], levels[1::2], strict=True)))
        _check_right(session, place)
        known, before = find_property(session, place, given[0]), session.catalog
        if is_drop or call.name == "sp_updateextendedproperty":
            if known is None:
                raise sql_error(15217, given[0], place.path)
            changed = None if is_drop else msgspec.structs.replace(known, value=_stored(given[1]))
            transaction.change_catalog(known, changed)
        elif known is not None:
            raise sql_error(15233, given[0], place.path)
        else:
            transaction.change_catalog(None, _record(session, place, given[0], _stored(given[1])))
        yield from _tell(call, transaction, before, place, given)
    return 0


_VERBS: Final = {
    "sp_addextendedproperty": "CREATE",
    "sp_updateextendedproperty": "ALTER",
    "sp_dropextendedproperty": "DROP",
}


def _tell(call: ProcedureCall, transaction: Any, before: CatalogSnapshot, place: Place, given: Sequence[Any]) -> Work:
    session = call.session
    database = before.get(Database, 0, session.database_id)
    record = place.record or database
    assert record is not None
    values = [str(value.value) if isinstance(value, Variant) else value for value in given]
    target = [("TargetObjectName", record.name), ("TargetObjectType", "TABLE")] if place.minor_id else []
    extra = [*target, ("PropertyName", given[0])]
    if call.name != "sp_dropextendedproperty":
        extra.append(("PropertyValue", values[1] or ""))
    command = call_text(call.name, values)
    event = f"{_VERBS[call.name]}_EXTENDED_PROPERTY"
    word = place.objtype or "DATABASE"
    yield from tell_called(session, transaction, before, event, record, word, command, name=place.objname, extra=extra)


def _check_right(session: Session, place: Place) -> None:
    """ALTER on what the property is of. Raises 15247."""
    if not (has_right(session, "ALTER") if place.record is None else may(session, "ALTER", place.record)):
        raise sql_error(15247)


def _record(session: Session, place: Place, name: str, value: tuple[str, str, str] | None) -> ExtendedProperty:
    return ExtendedProperty(
        id=new_object_id(session.catalog)(),
        database_id=session.database_id,
        name=property_key(place, name),
        property_class=place.class_,
        major_id=place.major_id,
        minor_id=place.minor_id,
        property_name=name,
        value=value,
    )


def _stored(variant: Variant | None) -> tuple[str, str, str] | None:
    """The stored form of @value, with the type that it was given in. Raises 15097 for more than 7,500 bytes."""
    if variant is None:
        return None
    size = len(variant.value.encode("utf-16-le", "surrogatepass")) if isinstance(variant.value, str) else 0
    if size > _MOST_BYTES:
        raise sql_error(15097)
    stored = to_store(variant, SQL_VARIANT)
    return stored["sort"], stored["base"], stored["text"]
