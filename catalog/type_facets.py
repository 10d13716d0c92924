"""The numbers that catalog views show for a type: system_type_id, max_length in bytes, precision, scale.

Decides those only; what a type means is grammar.types.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sbql.grammar.types import DATABASE_DEFAULT_COLLATION, MAX, SqlType

__all__ = ["CHARACTER", "SYSTEM_TYPES", "facets"]


class Facets(NamedTuple):
    """`max_length` is -1 for (max) and xml. `collation` is None for all but character types."""

    type_name: str
    system_type_id: int
    user_type_id: int
    max_length: int
    precision: int
    scale: int
    collation: str | None


SYSTEM_TYPES: Final[dict[str, tuple[int, int, int, int, int]]] = {
    "image": (34, 34, 16, 0, 0), "text": (35, 35, 16, 0, 0), "uniqueidentifier": (36, 36, 16, 0, 0),
    "date": (40, 40, 3, 10, 0), "time": (41, 41, 5, 16, 7), "datetime2": (42, 42, 8, 27, 7),
    "datetimeoffset": (43, 43, 10, 34, 7), "tinyint": (48, 48, 1, 3, 0), "smallint": (52, 52, 2, 5, 0),
    "int": (56, 56, 4, 10, 0), "smalldatetime": (58, 58, 4, 16, 0), "real": (59, 59, 4, 24, 0),
    "money": (60, 60, 8, 19, 4), "datetime": (61, 61, 8, 23, 3), "float": (62, 62, 8, 53, 0),
    "sql_variant": (98, 98, 8016, 0, 0), "ntext": (99, 99, 16, 0, 0), "bit": (104, 104, 1, 1, 0),
    "decimal": (106, 106, 17, 38, 38), "numeric": (108, 108, 17, 38, 38), "smallmoney": (122, 122, 4, 10, 4),
    "bigint": (127, 127, 8, 19, 0), "varbinary": (165, 165, 8000, 0, 0), "varchar": (167, 167, 8000, 0, 0),
    "binary": (173, 173, 8000, 0, 0), "char": (175, 175, 8000, 0, 0), "timestamp": (189, 189, 8, 0, 0),
    "nvarchar": (231, 231, 8000, 0, 0), "nchar": (239, 239, 8000, 0, 0), "xml": (241, 241, -1, 0, 0),
    "sysname": (231, 256, 256, 0, 0),
}  # fmt: skip
"""name -> system_type_id, user_type_id, max_length, precision, scale, as in sys.types."""

CHARACTER: Final = frozenset({"char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname"})
_WIDE: Final = frozenset({"nchar", "nvarchar"})
_TIME_BASE: Final = {"time": (3, 8), "datetime2": (6, 19), "datetimeoffset": (8, 26)}


def facets(sql_type: SqlType) -> Facets:
    """What sys.columns and friends show for `sql_type`."""
    name = "timestamp" if sql_type.name == "rowversion" else sql_type.word
    system_id, user_id, size, precision, scale = SYSTEM_TYPES.get(name, SYSTEM_TYPES["int"])
    if sql_type.length is not None:
        size = -1 if sql_type.length == MAX else sql_type.length * (2 if name in _WIDE else 1)
    elif name in ("decimal", "numeric"):
        precision = 18 if sql_type.precision is None else sql_type.precision
        scale = sql_type.scale or 0
        size = 5 if precision <= 9 else 9 if precision <= 19 else 13 if precision <= 28 else 17
    elif name in _TIME_BASE:
        scale = 7 if sql_type.scale is None else sql_type.scale
        base_size, base_precision = _TIME_BASE[name]
        size = base_size + (0 if scale <= 2 else 1 if scale <= 4 else 2)
        precision = base_precision + (scale + 1 if scale else 0)
    collation = (sql_type.collation or DATABASE_DEFAULT_COLLATION) if name in CHARACTER else None
    return Facets(name, system_id, user_id, size, precision, scale, collation)
