"""Conversion rules: which types convert into which, on their own or only by CAST, and the errors when they do not.

The table of the documentation page "CAST and CONVERT", by kind of type. It must not know a value.
"""

from __future__ import annotations

from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind, spelled

__all__ = ["check_conversion", "conversion_error"]

_NUMBERS = frozenset({"int", "bit", "decimal", "money", "float"})
_IMPLICIT: dict[str, frozenset[str]] = {
    "binary": frozenset({"string", "datetime", "decimal", "int", "bit", "money", "guid", "xml", "variant", "binary"}),
    "string": frozenset({
        "string", "date", "time", "datetime", "datetime2", "datetimeoffset", "guid", "xml", "variant", *_NUMBERS,
    }),
    "datetime": frozenset({"datetime", "date", "time", "datetime2", "datetimeoffset", "string", "variant"}),
    "date": frozenset({"date", "datetime", "datetime2", "datetimeoffset", "string", "variant"}),
    "time": frozenset({"time", "datetime", "datetime2", "datetimeoffset", "string", "variant"}),
    "datetime2": frozenset({"date", "time", "datetime", "datetime2", "datetimeoffset", "string", "variant"}),
    "datetimeoffset": frozenset({"date", "time", "datetime", "datetime2", "datetimeoffset", "string", "variant"}),
    "decimal": frozenset({"binary", "string", "datetime", "variant", *_NUMBERS}),
    "float": frozenset({"binary", "string", "datetime", "variant", *_NUMBERS}),
    "int": frozenset({"binary", "string", "datetime", "variant", *_NUMBERS}),
    "bit": frozenset({"binary", "string", "datetime", "variant", *_NUMBERS}),
    "money": frozenset({"binary", "string", "datetime", "variant", *_NUMBERS}),
    "guid": frozenset({"guid", "binary", "string", "variant"}),
    "xml": frozenset({"xml"}),
    "variant": frozenset({"variant"}),
}  # fmt: skip
_EXPLICIT: dict[str, frozenset[str]] = {
    "binary": frozenset({"date", "time", "datetime2", "datetimeoffset"}),
    "string": frozenset({"binary"}),
    "datetime": frozenset({"binary", *_NUMBERS}),
    "date": frozenset({"binary"}),
    "time": frozenset({"binary"}),
    "datetime2": frozenset({"binary"}),
    "datetimeoffset": frozenset({"binary"}),
    "xml": frozenset({"string", "binary"}),
    "variant": frozenset({
        "string", "date", "time", "datetime", "datetime2", "datetimeoffset", "guid", "binary", *_NUMBERS,
    }),
}  # fmt: skip
_OLD_BLOBS = frozenset({"text", "ntext", "image"})


def _allowed(source: SqlType, target: SqlType, explicit: bool) -> bool:
    if source.name in _OLD_BLOBS or target.name in _OLD_BLOBS:
        return _old_blob_allowed(source, target, explicit)
    if target.name == "rowversion" and kind(source) in (
        "float",
        "guid",
        "xml",
        "date",
        "time",
        "datetime2",
        "datetimeoffset",
    ):
        return False
    if source.name == "rowversion" and kind(target) in ("guid", "xml"):
        return False
    if kind(source) == "variant" and target.name == "rowversion":
        return False
    families = _IMPLICIT[kind(source)]
    return kind(target) in families or (explicit and kind(target) in _EXPLICIT.get(kind(source), ()))


def _old_blob_allowed(source: SqlType, target: SqlType, explicit: bool) -> bool:
    """text, ntext and image convert to and from their own kind only (and from text to xml)."""
    if kind(source) == kind(target):
        return explicit or source.name == target.name or source.name not in _OLD_BLOBS or target.name != "image"
    if target.name == "image":
        return kind(source) in ("binary", "string")
    return source.name in ("text", "ntext") and target.name == "xml" and explicit


def conversion_error(source: SqlType, target: SqlType, *, explicit: bool) -> SqlError:
    """The error for a pair that does not convert: 529 in a CAST, 257 where a CAST would help, 206 where none does."""
    if explicit:
        return sql_error(529, spelled(source), spelled(target))
    return sql_error(257 if _allowed(source, target, True) else 206, spelled(source), spelled(target))


def check_conversion(source: SqlType, target: SqlType, *, explicit: bool) -> None:
    """Raises 206, 257 or 529 unless values of `source` can become `target`. The type of a bare NULL becomes
    anything."""
    if kind(source) == "null" or _allowed(source, target, explicit):
        return
    raise conversion_error(source, target, explicit=explicit)
