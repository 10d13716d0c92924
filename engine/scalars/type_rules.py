"""Rules for parameters and results that many functions share: any text, any number, the type of the first argument …"""

from __future__ import annotations

from sbql.grammar.errors import sql_error
from sbql.grammar.types import MAX, SqlType, varbinary
from sbql.grammar.values.kinds import DATE_NAMES, is_national, is_wide, kind, spelled

__all__ = [
    "any_date",
    "as_text",
    "exact_or_float",
    "integer_or_bigint",
    "character_text",
    "date_or_text",
    "long_text",
    "national_text",
    "only_date",
    "same_as_first",
    "text_like",
    "text_or_bytes",
    "wide_collation",
    "wide_text_like",
]

_VARCHAR = SqlType("varchar", length=8000)


def any_text(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Strings as they are; everything that has an implicit conversion becomes varchar. Raises 8116 for xml,
    sql_variant."""
    family = kind(sql_type)
    if family == "string":
        return sql_type
    if family == "null":
        return SqlType("varchar", length=1)
    if family in ("xml", "variant") or sql_type.name == "image":
        raise sql_error(8116, spelled(sql_type), position, name)
    if family == "binary":
        return SqlType("varchar", length=sql_type.length)
    return _VARCHAR


def as_text(sql_type: SqlType, position: int, name: str) -> SqlType:
    """As any_text without text and ntext, which the string functions do not take. Raises 8116."""
    found = any_text(sql_type, position, name)
    if found.name in ("text", "ntext"):
        raise sql_error(8116, found.name, position, name)
    return found


def long_text(sql_type: SqlType, position: int, name: str) -> SqlType:
    """As any_text, but text and ntext become their (max) types."""
    found = any_text(sql_type, position, name)
    if found.name in ("text", "ntext"):
        return SqlType("nvarchar" if found.name == "ntext" else "varchar", length=MAX)
    return found


def character_text(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Character strings only, as nvarchar. Raises 8116 for text, ntext and all other types."""
    if kind(sql_type) not in ("string", "null") or sql_type.name in ("text", "ntext"):
        raise sql_error(8116, spelled(sql_type), position, name)
    return national_text(sql_type, position, name)


def text_or_bytes(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Text or binary as it is, NULL as varbinary. Raises 8116 for other types."""
    if kind(sql_type) in ("string", "binary"):
        return sql_type
    if kind(sql_type) == "null":
        return varbinary(8000)
    raise sql_error(8116, spelled(sql_type), position, name)


def national_text(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Any text, as nvarchar."""
    found = long_text(sql_type, position, name)
    if is_national(found):
        return found
    return SqlType("nvarchar", length=MAX if found.length == MAX or (found.length or 0) > 4000 else found.length or 1)


def exact_or_float(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Numbers as they are (the small types as int); strings and bit as float. Raises 8116 for the rest."""
    family = kind(sql_type)
    if sql_type.name in ("tinyint", "smallint") or family == "null":
        return SqlType("int")
    if sql_type.name == "smallmoney":
        return SqlType("money")
    if sql_type.name == "real":
        return SqlType("float")
    if family in ("int", "decimal", "money", "float"):
        return sql_type
    if family in ("string", "bit"):
        return SqlType("float")
    raise sql_error(8116, spelled(sql_type), position, name)


def integer_or_bigint(sql_type: SqlType, position: int, name: str) -> SqlType:
    """An integer argument: bigint stays, everything else becomes int."""
    if kind(sql_type) in ("xml", "guid", "variant", "date", "time", "datetime2", "datetimeoffset", "datetime"):
        raise sql_error(8116, spelled(sql_type), position, name)
    return SqlType("bigint") if sql_type.name == "bigint" else SqlType("int")


def any_date(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Dates as they are; strings become datetimeoffset-free datetime2, numbers datetime. Raises 8116 for the rest."""
    family = kind(sql_type)
    if sql_type.name in DATE_NAMES:
        return sql_type
    if family == "string":
        return SqlType("datetime2", scale=7)
    if family in ("int", "bit", "decimal", "money", "float", "null", "binary"):
        return SqlType("datetime")
    raise sql_error(8116, spelled(sql_type), position, name)


def date_or_text(sql_type: SqlType, position: int, name: str) -> SqlType:
    """As any_date, but numbers are no dates. Raises 8116."""
    if kind(sql_type) in ("string", "null") or sql_type.name in DATE_NAMES:
        return any_date(sql_type, position, name)
    raise sql_error(8116, spelled(sql_type), position, name)


def only_date(sql_type: SqlType, position: int, name: str) -> SqlType:
    """The types of dates and times only. Raises 8116."""
    if kind(sql_type) == "null" or sql_type.name in DATE_NAMES:
        return any_date(sql_type, position, name)
    raise sql_error(8116, spelled(sql_type), position, name)


def same_as_first(types: tuple[SqlType, ...]) -> SqlType:
    return types[0]


def text_like(types: tuple[SqlType, ...]) -> SqlType:
    """varchar or nvarchar with the length of the first argument."""
    first = types[0]
    return SqlType("nvarchar" if is_national(first) else "varchar", length=first.length or 1, collation=first.collation)


def wide_text_like(types: tuple[SqlType, ...]) -> SqlType:
    """varchar(8000) or nvarchar(4000), (max) when the first argument is; national when any argument is."""
    national = any(is_national(t) for t in types)
    length = MAX if types[0].length == MAX else 4000 if national else 8000
    return SqlType("nvarchar" if national else "varchar", length=length, collation=wide_collation(types))


def wide_collation(types: tuple[SqlType, ...]) -> str | None:
    """That of the first text of another code page than 1252, which says how a result is kept."""
    return next((t.collation for t in types if is_wide(t)), None)
