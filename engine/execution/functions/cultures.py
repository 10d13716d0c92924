"""Cultures: what FORMAT and PARSE know about writing numbers and dates in a language; the names are those of SET
LANGUAGE."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sbql.grammar.errors import sql_error
from sbql.grammar.values.languages import LANGUAGES, US_ENGLISH, Language

__all__ = ["Culture", "culture"]


def _sunday_first(language: Language) -> tuple[str, ...]:
    return (language.days[-1], *language.days[:-1])


@dataclass(frozen=True, slots=True)
class Culture:
    """`patterns` are the standard date formats d, D, t, T; `order` is the order of a numeric date."""

    point: str = "."
    group: str = ","
    currency: str = "${0}"
    negative_currency: str = "(${0})"
    patterns: tuple[str, str, str, str] = ("M/d/yyyy", "dddd, MMMM d, yyyy", "h:mm tt", "h:mm:ss tt")
    order: str = "mdy"
    months: tuple[str, ...] = US_ENGLISH.months
    days: tuple[str, ...] = _sunday_first(US_ENGLISH)
    date_mark: str = "/"


def _euro(point: str = ",", group: str = ".", **more: Any) -> Culture:
    return Culture(point, group, **{"currency": "{0} €", "negative_currency": "-{0} €", "order": "dmy", **more})


_SPACE = "\u00a0"
_SPANISH_DATE = "d' de 'MMMM' de 'yyyy"
_EAST_ASIAN_DATE = "yyyy'年'M'月'd'日'"
_CULTURES: dict[str, Culture] = {
    "en-us": Culture(), "": Culture(currency="¤{0}", negative_currency="(¤{0})", patterns=("MM/dd/yyyy", "dddd, dd MMMM yyyy", "HH:mm", "HH:mm:ss")),
    "en-gb": Culture(currency="£{0}", negative_currency="-£{0}", patterns=("dd/MM/yyyy", "dd MMMM yyyy", "HH:mm", "HH:mm:ss"), order="dmy"),
    "en-ca": Culture(negative_currency="-${0}", patterns=("yyyy-MM-dd", "MMMM d, yyyy", "h:mm tt", "h:mm:ss tt")),
    "en-au": Culture(negative_currency="-${0}", patterns=("d/MM/yyyy", "dddd, d MMMM yyyy", "h:mm tt", "h:mm:ss tt"), order="dmy"),
    "de-de": _euro(patterns=("dd.MM.yyyy", "dddd, d. MMMM yyyy", "HH:mm", "HH:mm:ss"), date_mark="."),
    "fr-fr": _euro(group=_SPACE, patterns=("dd/MM/yyyy", "dddd d MMMM yyyy", "HH:mm", "HH:mm:ss")),
    "it-it": _euro(patterns=("dd/MM/yyyy", "dddd d MMMM yyyy", "HH:mm", "HH:mm:ss")),
    "es-es": _euro(patterns=("dd/MM/yyyy", f"dddd, {_SPANISH_DATE}", "H:mm", "H:mm:ss")),
    "pt-pt": _euro(group=_SPACE, patterns=("dd/MM/yyyy", _SPANISH_DATE, "HH:mm", "HH:mm:ss")),
    "pt-br": _euro(currency="R$ {0}", negative_currency="-R$ {0}", patterns=("dd/MM/yyyy", f"dddd, {_SPANISH_DATE}", "HH:mm", "HH:mm:ss")),
    "nl-nl": _euro(currency="€ {0}", negative_currency="€ -{0}", patterns=("d-M-yyyy", "dddd d MMMM yyyy", "HH:mm", "HH:mm:ss"), date_mark="-"),
    "fi-fi": _euro(group=_SPACE, patterns=("d.M.yyyy", "d. MMMM yyyy", "H:mm", "H:mm:ss"), date_mark="."),
    "sv-se": _euro(group=_SPACE, currency="{0} kr", negative_currency="-{0} kr", patterns=("yyyy-MM-dd", "'den 'd MMMM yyyy", "HH:mm", "HH:mm:ss"),
                   order="ymd", date_mark="-"),
    "da-dk": _euro(currency="{0} kr.", negative_currency="-{0} kr.", patterns=("dd-MM-yyyy", "d. MMMM yyyy", "HH:mm", "HH:mm:ss"), date_mark="-"),
    "nb-no": _euro(group=_SPACE, currency="kr {0}", negative_currency="kr -{0}", patterns=("dd.MM.yyyy", "dddd d. MMMM yyyy", "HH:mm", "HH:mm:ss"),
                   date_mark="."),
    "pl-pl": _euro(group=_SPACE, currency="{0} zł", negative_currency="-{0} zł", patterns=("dd.MM.yyyy", "dddd, d MMMM yyyy", "HH:mm", "HH:mm:ss"),
                   date_mark="."),
    "ru-ru": _euro(group=_SPACE, currency="{0} ₽", negative_currency="-{0} ₽", patterns=("dd.MM.yyyy", "d MMMM yyyy 'г.'", "H:mm", "H:mm:ss"), date_mark="."),
    "ja-jp": Culture(currency="¥{0}", negative_currency="-¥{0}", patterns=("yyyy/MM/dd", _EAST_ASIAN_DATE, "H:mm", "H:mm:ss"), order="ymd"),
    "zh-cn": Culture(currency="¥{0}", negative_currency="¥-{0}", patterns=("yyyy/M/d", _EAST_ASIAN_DATE, "H:mm", "H:mm:ss"), order="ymd"),
    "zh-tw": Culture(currency="NT${0}", negative_currency="-NT${0}", patterns=("yyyy/M/d", _EAST_ASIAN_DATE, "HH:mm", "HH:mm:ss"), order="ymd"),
    "ko-kr": Culture(currency="₩{0}", negative_currency="-₩{0}", patterns=("yyyy-MM-dd", "yyyy'년' M'월' d'일' dddd", "HH:mm", "HH:mm:ss"), order="ymd",
                     date_mark="-"),
}  # fmt: skip
for _language in LANGUAGES:
    if _language.culture.lower() in _CULTURES and _language.culture[:2] not in ("ja", "zh", "ko"):
        _CULTURES[_language.culture.lower()] = replace(
            _CULTURES[_language.culture.lower()], months=_language.months, days=_sunday_first(_language)
        )


def culture(name: str) -> Culture:
    """The culture of this name. Raises 9818 for one that is not known here."""
    found = _CULTURES.get(name.lower())
    if found is None:
        raise sql_error(9818, name)
    return found
