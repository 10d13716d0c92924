"""The stored form of a catalog record: JSON text, readable with any tool, tagged with the record's class.

It must not know the records one by one: every public class of `records` that is a CatalogRecord takes part.
"""

from __future__ import annotations

import json
from typing import Any, Final, Union

import msgspec

from sbql.catalog import records
from sbql.catalog.records.objects import CatalogRecord

__all__ = ["RECORD_CLASSES", "decode_object", "encode_object"]


def _concrete(cls: type[CatalogRecord]) -> list[type[CatalogRecord]]:
    found = []
    for sub in cls.__subclasses__():
        found += [sub, *_concrete(sub)]
    return found


RECORD_CLASSES: Final[dict[str, type[CatalogRecord]]] = {
    cls.__name__: cls for cls in _concrete(CatalogRecord) if cls.__module__.startswith(records.__name__)
}
"""Every class that a store can hold, by name."""

_encoder: Final = msgspec.json.Encoder()
_ANY_RECORD: Final[Any] = Union[tuple(RECORD_CLASSES.values())]  # noqa: UP007
_decoder: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(_ANY_RECORD)


def encode_object(record: CatalogRecord) -> str:
    """Half of a surrogate pair, for which UTF-8 has no bytes, is JSON's escape of it."""
    try:
        return _encoder.encode(record).decode()
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(record), ensure_ascii=True, default=str)


def decode_object(text: str) -> CatalogRecord:
    try:
        record: CatalogRecord = _decoder.decode(text)
    except msgspec.DecodeError:
        record = msgspec.convert(json.loads(text), _ANY_RECORD)
    return record
