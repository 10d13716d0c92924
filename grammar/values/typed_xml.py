"""Types xml(collection): how a type names its XML schema collection, and the checks of its values.

The name says what the schemas are (a digest), so that a changed collection is another type. The checks are made by the
engine, which has the schemas; it must not know them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from sbql.grammar.types import SqlType

__all__ = ["collection_id", "collection_key", "register_check", "typed_check"]

_checks: dict[str, Callable[[str], str]] = {}


def collection_key(record_id: int, documents: tuple[str, ...], *, is_document: bool) -> str:
    """What an xml type carries of its schema collection: the record's id, DOCUMENT or CONTENT, and a hash of the
    documents, which is another one after ALTER."""
    digest = hashlib.blake2b("\0".join(documents).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return f"{record_id}#{'DOCUMENT' if is_document else 'CONTENT'}#{digest}"


def collection_id(sql_type: SqlType) -> int | None:
    """The id of the collection of a typed xml; None for any other type."""
    key = sql_type.collection
    return int(key.partition("#")[0]) if key is not None and "#" in key else None


def register_check(key: str, check: Callable[[str], str]) -> None:
    """`check` returns the value or raises 69xx. The same schemas always mean the same check, whatever number their
    collection has."""
    _checks.setdefault(_schemas(key), check)


def typed_check(target: SqlType) -> Callable[[str], str] | None:
    """The check of values of a type; None for every type but typed xml."""
    key = target.collection
    if target.name != "xml" or key is None or "#" not in key:
        return None
    schemas = _schemas(key)
    return lambda text: _checks[schemas](text)


def _schemas(key: str) -> str:
    return key.partition("#")[2]
