"""The names of collations, and what a name says: locale, code page, version and style of comparison.

A name is put together from a family (the locale's, and the version of its weights) and suffixes. Decides which names
there are; how strings compare is `collation.py`, which need not know every one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = ["all_collations", "code_page_of", "collation_named"]

_CASE, _ACCENT, _KANA, _WIDTH = 1, 2, 65536, 131072
"""Bits of ComparisonStyle: what is ignored."""


@dataclass(frozen=True, slots=True)
class NamedCollation:
    """`comparison_style` has the bits of what is ignored: 1 case, 2 accents, 65536 kana,
    131072 width; 0 for _BIN and _BIN2."""

    name: str
    description: str
    lcid: int
    code_page: int
    comparison_style: int
    version: int

    @property
    def sort_order(self) -> int:
        """That of SQL Server's own collations, 0 of Windows'."""
        return int(self.description.partition("SQL Server Sort Order ")[2].split(" ")[0] or 0)

    @property
    def as_in_tds(self) -> bytes:
        """The five bytes of it in SQL Server's protocol: locale, what is ignored, how it sorts, version, sort order."""
        ignored = (_CASE, _ACCENT, _WIDTH, _KANA)
        flags = sum(1 << bit for bit, part in enumerate(ignored) if self.comparison_style & part)
        name = self.name.upper().removesuffix("_UTF8")
        flags |= name.endswith("_BIN") << 4 | name.endswith("_BIN2") << 5 | (self.code_page == 65001) << 6
        bits = self.lcid & 0xFFFFF | flags << 20 | self.version << 28
        return bits.to_bytes(4, "little") + bytes([self.sort_order])


# fmt: off
_FAMILIES: Final = (
    # family, shown as, LCID, code page, versions ("" is the first)
    ("Albanian", "Albanian", 1052, 1250, ("", "100")), ("Arabic", "Arabic", 1025, 1256, ("", "100")),
    ("Chinese_PRC", "Chinese-PRC", 2052, 936, ("", "90")), ("Chinese_PRC_Stroke", "Chinese-PRC-Stroke", 133124, 936, ("", "90")),
    ("Chinese_Taiwan_Stroke", "Chinese-Taiwan-Stroke", 1028, 950, ("", "90")), ("Croatian", "Croatian", 1050, 1250, ("", "100")),
    ("Cyrillic_General", "Cyrillic-General", 1049, 1251, ("", "100")), ("Czech", "Czech", 1029, 1250, ("", "100")),
    ("Danish_Norwegian", "Danish-Norwegian", 1030, 1252, ("",)), ("Estonian", "Estonian", 1061, 1257, ("", "100")),
    ("Finnish_Swedish", "Finnish-Swedish", 1035, 1252, ("", "100")), ("French", "French", 1036, 1252, ("", "100")),
    ("German_PhoneBook", "German-PhoneBook", 66567, 1252, ("", "100")), ("Greek", "Greek", 1032, 1253, ("", "100")),
    ("Hebrew", "Hebrew", 1037, 1255, ("", "100")), ("Hungarian", "Hungarian", 1038, 1250, ("", "100")),
    ("Icelandic", "Icelandic", 1039, 1252, ("", "100")), ("Japanese", "Japanese", 1041, 932, ("", "90")),
    ("Korean_Wansung", "Korean-Wansung", 1042, 949, ("",)), ("Korean", "Korean", 1042, 949, ("90", "100")),
    ("Latin1_General", "Latin1-General", 1033, 1252, ("", "100")), ("Latvian", "Latvian", 1062, 1257, ("", "100")),
    ("Lithuanian", "Lithuanian", 1063, 1257, ("", "100")), ("Modern_Spanish", "Modern-Spanish", 3082, 1252, ("", "100")),
    ("Polish", "Polish", 1045, 1250, ("", "100")), ("Romanian", "Romanian", 1048, 1250, ("", "100")),
    ("Slovak", "Slovak", 1051, 1250, ("", "100")), ("Slovenian", "Slovenian", 1060, 1250, ("", "100")),
    ("Thai", "Thai", 1054, 874, ("", "100")), ("Traditional_Spanish", "Traditional-Spanish", 1034, 1252, ("", "100")),
    ("Turkish", "Turkish", 1055, 1254, ("", "100")), ("Ukrainian", "Ukrainian", 1058, 1251, ("", "100")),
    ("Vietnamese", "Vietnamese", 1066, 1258, ("", "100")),
)
_SQL: Final = (
    # name, sort order, code page, ignored
    ("SQL_Latin1_General_CP1_CI_AS", 52, 1252, _CASE), ("SQL_Latin1_General_CP1_CS_AS", 51, 1252, 0),
    ("SQL_Latin1_General_CP1_CI_AI", 54, 1252, _CASE | _ACCENT), ("SQL_Latin1_General_Pref_CP1_CI_AS", 53, 1252, _CASE),
    ("SQL_Latin1_General_CP437_CI_AS", 32, 437, _CASE), ("SQL_Latin1_General_CP437_CS_AS", 31, 437, 0),
    ("SQL_Latin1_General_CP437_CI_AI", 34, 437, _CASE | _ACCENT), ("SQL_Latin1_General_CP437_BIN", 30, 437, None),
    ("SQL_Latin1_General_CP850_CI_AS", 42, 850, _CASE), ("SQL_Latin1_General_CP850_CS_AS", 41, 850, 0),
    ("SQL_Latin1_General_CP850_CI_AI", 44, 850, _CASE | _ACCENT), ("SQL_Latin1_General_CP850_BIN", 40, 850, None),
    ("SQL_Latin1_General_CP1250_CI_AS", 82, 1250, _CASE), ("SQL_Latin1_General_CP1250_CS_AS", 81, 1250, 0),
    ("SQL_Latin1_General_CP1251_CI_AS", 106, 1251, _CASE), ("SQL_Latin1_General_CP1251_CS_AS", 105, 1251, 0),
    ("SQL_Latin1_General_CP1253_CI_AS", 114, 1253, _CASE), ("SQL_Latin1_General_CP1253_CS_AS", 113, 1253, 0),
    ("SQL_Latin1_General_CP1254_CI_AS", 130, 1254, _CASE), ("SQL_Latin1_General_CP1254_CS_AS", 129, 1254, 0),
    ("SQL_Latin1_General_CP1255_CI_AS", 138, 1255, _CASE), ("SQL_Latin1_General_CP1255_CS_AS", 137, 1255, 0),
    ("SQL_Latin1_General_CP1256_CI_AS", 146, 1256, _CASE), ("SQL_Latin1_General_CP1256_CS_AS", 145, 1256, 0),
    ("SQL_Latin1_General_CP1257_CI_AS", 154, 1257, _CASE), ("SQL_Latin1_General_CP1257_CS_AS", 153, 1257, 0),
)
# fmt: on
_VERSIONS: Final = {"": 0, "90": 1, "100": 2}
_STYLES: Final = [(case, accent, kana, width) for case in "IS" for accent in "IS" for kana in "IS" for width in "IS"]


def collation_named(name: str) -> NamedCollation | None:
    """The collation of this name, in any letter case; None when there is none."""
    return all_collations().get(name.rstrip(" ").upper())


def code_page_of(name: str) -> int:
    """The number of the code page of a collation, also of one whose version the list has not; 65001 is UTF-8."""
    found = collation_named(name)
    if found is not None:
        return found.code_page
    upper = name.upper()
    if upper.endswith("_UTF8"):
        return 65001
    written = next((word[2:] for word in upper.split("_") if word.startswith("CP")), "")
    if written in ("437", "850", *map(str, range(1250, 1259))):
        return int(written)
    pages = [(len(family), page) for family, _, _, page, _ in _FAMILIES if upper.startswith(f"{family.upper()}_")]
    return max(pages, default=(0, 1251 if "CYRILLIC" in upper else 1252))[1]


@cache
def all_collations() -> dict[str, NamedCollation]:
    """Every collation by its name in upper case, in order of names."""
    return {found.name.upper(): found for found in sorted((*_windows(), *_sql_server()), key=lambda c: c.name.upper())}


def _windows() -> Iterator[NamedCollation]:
    for family, shown, lcid, code_page, versions in _FAMILIES:
        for version in versions:
            head, called = (f"{family}_{version}", f"{shown}-{version}") if version else (family, shown)
            number = _VERSIONS[version]
            yield NamedCollation(f"{head}_BIN", f"{called}, binary sort", lcid, code_page, 0, number)
            binary = f"{called}, binary code point comparison sort"
            yield NamedCollation(f"{head}_BIN2", binary, lcid, code_page, 0, number)
            if head == "Latin1_General_100":
                yield NamedCollation(f"{head}_BIN2_UTF8", f"{binary}, UTF8", lcid, 65001, 0, number)
            for style in _STYLES:
                yield from _styled(head, called, lcid, code_page, number, style)


def _styled(
    head: str, called: str, lcid: int, code_page: int, version: int, style: tuple[str, ...]
) -> Iterator[NamedCollation]:
    """One style of a family, and the same with supplementary characters and UTF-8 where there is that."""
    case, accent, kana, width = style
    name = f"{head}_C{case}_A{accent}{'_KS' if kana == 'S' else ''}{'_WS' if width == 'S' else ''}"
    bits = sum(bit for bit, kept in zip((_CASE, _ACCENT, _KANA, _WIDTH), style, strict=True) if kept == "I")
    words = f"{called}, {_described(bits)}"
    yield NamedCollation(name, words, lcid, code_page, bits, version)
    if version:
        yield NamedCollation(f"{name}_SC", f"{words}, supplementary characters", lcid, code_page, bits, version)
    if version == _VERSIONS["100"]:
        utf8 = f"{words}, supplementary characters, UTF8"
        yield NamedCollation(f"{name}_SC_UTF8", utf8, lcid, 65001, bits, version)


def _described(bits: int) -> str:
    parts = (("case", _CASE), ("accent", _ACCENT), ("kanatype", _KANA), ("width", _WIDTH))
    return ", ".join(f"{word}-{'insensitive' if bits & bit else 'sensitive'}" for word, bit in parts)


def _sql_server() -> Iterator[NamedCollation]:
    """Those of SQL Server alone, for Unicode data as the collations of Windows."""
    for name, order, code_page, ignored in _SQL:
        bits = 0 if ignored is None else ignored | _KANA | _WIDTH
        style = "binary sort" if ignored is None else _described(bits)
        words = f"Latin1-General, {style} for Unicode Data, SQL Server Sort Order {order} on Code Page {code_page}"
        yield NamedCollation(name, f"{words} for non-Unicode Data", 1033, code_page, bits, 0)
