"""Extended properties: what sp_addextendedproperty stores, and what its levels of names mean.

Decides which object three pairs of level and name are (15135 when there is none), and which class, major and minor id
it has. Rights and storing are the procedures'.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sbql.catalog.duck_types import from_store
from sbql.catalog.kinds import KINDS, kind_of
from sbql.catalog.object_rows import numbered_indexes
from sbql.catalog.records import ExtendedProperty, Module, Schema, Table, UserType
from sbql.engine.describe.module_texts import columns_of_module
from sbql.engine.ports import Session
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import SQL_VARIANT

__all__ = ["Place", "find_place", "find_property", "listed_properties", "property_key"]


class Place(NamedTuple):
    """What a property is of. `record` is whose permission counts (None: the database); `objtype` and `objname` as
    fn_listextendedproperty tells them; `path` as error messages do."""

    class_: int
    major_id: int
    minor_id: int
    record: Any
    objtype: str | None
    objname: str | None
    path: str


_LEVEL0 = {
    kind.words: kind for kind in KINDS if kind.parent == "DATABASE" and kind.code > 1 and kind.words not in ("ROLE", "APPLICATION ROLE")
}  # fmt: skip
"""USER stands for all principals of a database."""

_LEVEL1 = {kind.words: kind for kind in KINDS if kind.parent == "SCHEMA" and kind.words != "TRIGGER"}
_LEVEL1["TABLE_TYPE"] = _LEVEL1["TYPE"]
_LEVEL2 = ("COLUMN", "CONSTRAINT", "INDEX", "PARAMETER", "TRIGGER", "EVENT NOTIFICATION")

Level = tuple[str | None, str | None]


def property_key(place: Place, name: str) -> str:
    """The name of the record."""
    return f"{place.class_}.{place.major_id}.{place.minor_id}.{name}"


def find_property(session: Session, place: Place, name: str) -> ExtendedProperty | None:
    """The property of this name at a place, None when there is none."""
    found: ExtendedProperty | None = session.catalog.find(
        ExtendedProperty, session.database_id, property_key(place, name)
    )
    return found


def find_place(session: Session, levels: Sequence[Level]) -> Place:
    """The one place that the levels name. Raises 15600 for levels that do not go
    together, 15135 for what is not there."""
    given = [(str(t).strip().upper(), n) for t, n in levels if t is not None]
    path = ".".join(str(n) for _, n in given) or "object specified"
    kinds = [kind is not None for kind, _ in levels]
    if kinds != sorted(kinds, reverse=True) or kinds != [name is not None for _, name in levels]:
        raise sql_error(15600, "sp_addextendedproperty")
    found = list(_places(session, given))
    if len(found) != 1:
        raise sql_error(15135, path)
    return found[0]


def _places(session: Session, given: Sequence[tuple[str, str | None]]) -> Iterator[Place]:
    """Every place that the levels mean; a name that is None means all of its level."""
    if not given:
        yield Place(0, 0, 0, None, None, None, "object specified")
        return
    kind, name = given[0]
    if kind not in _LEVEL0:
        raise sql_error(15600, "sp_addextendedproperty")
    of = _LEVEL0[kind]
    record: Any
    for record in session.catalog.all(of.record, session.database_id):
        if not _is_named(record.name, name):
            continue
        if len(given) == 1:
            yield Place(of.code, record.id, 0, record, kind, record.name, record.name)
        elif isinstance(record, Schema):
            yield from _in_schema(session, record, given[1:])


def _in_schema(session: Session, schema: Schema, given: Sequence[tuple[str, str | None]]) -> Iterator[Place]:
    kind, name = given[0]
    if kind not in _LEVEL1:
        raise sql_error(15600, "sp_addextendedproperty")
    record: Any
    of = _LEVEL1[kind]
    for record in session.catalog.all(of.record, session.database_id):
        fits = kind_of(record) is of
        if isinstance(record, UserType):
            fits = (record.table is not None) == (kind == "TABLE_TYPE")
        if record.schema_id != schema.id or not fits or not _is_named(record.name, name):
            continue
        path = f"{schema.name}.{record.name}"
        if len(given) == 1:
            yield Place(of.code, record.id, 0, record, kind, record.name, path)
        else:
            yield from _in_object(session, record, path, *given[1])


def _in_object(session: Session, record: Any, path: str, kind: str, name: str | None) -> Iterator[Place]:
    if kind not in _LEVEL2:
        raise sql_error(15600, "sp_addextendedproperty")
    table = record.table if isinstance(record, UserType) else record if isinstance(record, Table) else None
    found: list[tuple[int, int, int, str]] = []
    if kind == "COLUMN":
        if table is not None:
            class_ = 8 if isinstance(record, UserType) else 1
            found = [(class_, record.id, c.column_id, c.name) for c in table.columns]
        elif isinstance(record, Module):
            found = [(1, record.id, number, c.name) for number, c in enumerate(columns_of_module(session, record), 1)]
    elif kind == "CONSTRAINT" and table is not None:
        found = [(1, c.id, 0, c.name) for c in table.constraints]
        found += [(1, c.default_id, 0, c.default_name) for c in table.columns if c.default_name is not None]
    elif kind == "INDEX" and table is not None:
        found = [(7, record.id, number, index.name) for number, index in numbered_indexes(table)]
    elif kind == "PARAMETER" and isinstance(record, Module):
        compiled = session.instance.modules.module(record, session)
        found = [(2, record.id, number, p.name) for number, p in enumerate(compiled.parameters, 1)]
    elif kind == "TRIGGER":
        found = [
            (1, m.id, 0, m.name) for m in session.catalog.all(Module, session.database_id) if m.parent_id == record.id
        ]
    for class_, major, minor, own in found:
        if _is_named(own, name):
            yield Place(class_, major, minor, record, kind, own, f"{path}.{own}")


def _is_named(own: str, wanted: str | None) -> bool:
    return wanted is None or own.lower() == wanted.lower()


def listed_properties(session: Session, name: str | None, *levels: str | None) -> Iterator[tuple[Any, ...]]:
    """Rows of fn_listextendedproperty: a level's name may be NULL (default): all of that level."""
    pairs = [(kind, own) for kind, own in zip(levels[::2], levels[1::2], strict=True) if kind is not None]
    try:
        places = list(_places(session, [(kind.strip().upper(), own) for kind, own in pairs]))
    except SqlError as error:
        if error.number != 15600:
            raise
        return
    at = {(p.class_, p.major_id, p.minor_id): p for p in places}
    for found in session.catalog.all(ExtendedProperty, session.database_id):
        place = at.get((found.property_class, found.major_id, found.minor_id))
        if place is not None and (name is None or found.property_name.lower() == name.lower()):
            yield place.objtype, place.objname, found.property_name, value_of(found)


def value_of(found: ExtendedProperty) -> Any:
    """The value as sql_variant."""
    if found.value is None:
        return None
    return from_store(dict(zip(("sort", "base", "text"), found.value, strict=True)), SQL_VARIANT)
