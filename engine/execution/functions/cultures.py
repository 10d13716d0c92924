"""Cultures: what FORMAT and PARSE know about writing numbers and dates in a language. English names everywhere else."""

from __future__ import annotations

from dataclasses import dataclass

from sbql.grammar.errors import sql_error

__all__ = ["Culture", "culture"]

_EN_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_EN_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_DE_MONTHS = ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember")
_DE_DAYS = ("Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag")
_FR_MONTHS = ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre")
_FR_DAYS = ("dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi")


@dataclass(frozen=True, slots=True)
class Culture:
    """`patterns` are the standard date formats d, D, t, T; `order` is the order of a numeric date."""

    point: str = "."
    group: str = ","
    currency: str = "${0}"
    negative_currency: str = "(${0})"
    patterns: tuple[str, str, str, str] = ("M/d/yyyy", "dddd, MMMM d, yyyy", "h:mm tt", "h:mm:ss tt")
    order: str = "mdy"
    months: tuple[str, ...] = _EN_MONTHS
    days: tuple[str, ...] = _EN_DAYS
    date_mark: str = "/"


_EURO = {"currency": "{0} €", "negative_currency": "-{0} €"}
_CULTURES: dict[str, Culture] = {
    "en-us": Culture(), "": Culture(currency="¤{0}", negative_currency="(¤{0})", patterns=("MM/dd/yyyy", "dddd, dd MMMM yyyy", "HH:mm", "HH:mm:ss")),
    "en-gb": Culture(currency="£{0}", negative_currency="-£{0}", patterns=("dd/MM/yyyy", "dd MMMM yyyy", "HH:mm", "HH:mm:ss"), order="dmy"),
    "en-ca": Culture(negative_currency="-${0}", patterns=("yyyy-MM-dd", "MMMM d, yyyy", "h:mm tt", "h:mm:ss tt")),
    "en-au": Culture(negative_currency="-${0}", patterns=("d/MM/yyyy", "dddd, d MMMM yyyy", "h:mm tt", "h:mm:ss tt"), order="dmy"),
    "de-de": Culture(",", ".", **_EURO, patterns=("dd.MM.yyyy", "dddd, d. MMMM yyyy", "HH:mm", "HH:mm:ss"), order="dmy",
                     months=_DE_MONTHS, days=_DE_DAYS, date_mark="."),
    "fr-fr": Culture(",", "\u00a0", **_EURO, patterns=("dd/MM/yyyy", "dddd d MMMM yyyy", "HH:mm", "HH:mm:ss"), order="dmy",
                     months=_FR_MONTHS, days=_FR_DAYS),
    "ja-jp": Culture(currency="¥{0}", negative_currency="-¥{0}", patterns=("yyyy/MM/dd", "yyyy'年'M'月'd'日'", "H:mm", "H:mm:ss"), order="ymd"),
    "zh-cn": Culture(currency="¥{0}", negative_currency="¥-{0}", patterns=("yyyy/M/d", "yyyy'年'M'月'd'日'", "H:mm", "H:mm:ss"), order="ymd"),
}  # fmt: skip


def culture(name: str) -> Culture:
    """The culture of this name. Raises 9818 for one that is not known here."""
    found = _CULTURES.get(name.lower())
    if found is None:
        raise sql_error(9818, name)
    return found
