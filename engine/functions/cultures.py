"""Cultures: what FORMAT and PARSE know about writing numbers and dates in a language; the names are those of SET
LANGUAGE."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from sbql.grammar.errors import sql_error
from sbql.grammar.values.languages import LANGUAGES, US_ENGLISH, Language

__all__ = ["CULTURES", "INVARIANT", "Culture", "culture"]


def _sunday_first(language: Language) -> tuple[str, ...]:
    return (language.days[-1], *language.days[:-1])


class Culture(Struct, frozen=True):
    """`patterns` are the standard date formats d, D, t, T; `order` is the order of a numeric date; `groups` the sizes
    of the groups of digits, the last one for all that follow; `noon` what AM and PM are called."""

    point: str = "."
    group: str = ","
    currency: str = "${0}"
    negative_currency: str = "(${0})"
    patterns: tuple[str, str, str, str] = ("M/d/yyyy", "dddd, MMMM d, yyyy", "h:mm tt", "h:mm:ss tt")
    order: str = "mdy"
    months: tuple[str, ...] = US_ENGLISH.months
    short_months: tuple[str, ...] = US_ENGLISH.short_months
    days: tuple[str, ...] = _sunday_first(US_ENGLISH)
    short_days: tuple[str, ...] = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
    date_mark: str = "/"
    noon: tuple[str, str] = ("AM", "PM")
    groups: tuple[int, ...] = (3,)
    percent: str = "{0}%"

    @property
    def symbol(self) -> str:
        """The currency sign."""
        return self.currency.replace("{0}", "").strip()


INVARIANT = Culture(
    currency="¤{0}",
    negative_currency="(¤{0})",
    percent="{0} %",
    patterns=("MM/dd/yyyy", "dddd, dd MMMM yyyy", "HH:mm", "HH:mm:ss"),
)


def _euro(point: str = ",", group: str = ".", sign: str = "€", **more: Any) -> Culture:
    signs = {"currency": f"{{0}} {sign}", "negative_currency": f"-{{0}} {sign}"}
    return Culture(point, group, **{**signs, "order": "dmy", "noon": ("", ""), **more})


_SPACE = "\u00a0"
_SPANISH_DATE = "d' de 'MMMM' de 'yyyy"
_EAST_ASIAN_DATE = "yyyy'年'M'月'd'日'"
_TWENTY_FOUR, _SHORT_TWENTY_FOUR = ("HH:mm", "HH:mm:ss"), ("H:mm", "H:mm:ss")
_TWELVE = ("h:mm tt", "h:mm:ss tt")
CULTURES: dict[str, Culture] = {
    "": INVARIANT,
    "en-us": Culture(),
    "en-gb": Culture(currency="£{0}", negative_currency="-£{0}", patterns=("dd/MM/yyyy", "dd MMMM yyyy", *_TWENTY_FOUR), order="dmy"),
    "en-ca": Culture(negative_currency="-${0}", patterns=("yyyy-MM-dd", "MMMM d, yyyy", *_TWELVE)),
    "en-au": Culture(negative_currency="-${0}", patterns=("d/MM/yyyy", "dddd, d MMMM yyyy", *_TWELVE), order="dmy"),
    "en-nz": Culture(negative_currency="-${0}", patterns=("d/MM/yyyy", "dddd, d MMMM yyyy", *_TWELVE), order="dmy"),
    "en-ie": Culture(currency="€{0}", negative_currency="-€{0}", patterns=("dd/MM/yyyy", "dddd d MMMM yyyy", *_TWENTY_FOUR), order="dmy"),
    "en-in": Culture(currency="₹ {0}", negative_currency="₹ -{0}", patterns=("dd-MM-yyyy", "dd MMMM yyyy", *_TWENTY_FOUR), order="dmy", date_mark="-",
                     groups=(3, 2)),
    "de-de": _euro(patterns=("dd.MM.yyyy", "dddd, d. MMMM yyyy", *_TWENTY_FOUR), date_mark="."),
    "de-at": _euro(currency="€ {0}", negative_currency="-€ {0}", patterns=("dd.MM.yyyy", "dddd, d. MMMM yyyy", *_TWENTY_FOUR), date_mark="."),
    "de-ch": _euro(".", "'", currency="CHF {0}", negative_currency="CHF-{0}", patterns=("dd.MM.yyyy", "dddd, d. MMMM yyyy", *_TWENTY_FOUR), date_mark="."),
    "fr-fr": _euro(group=_SPACE, patterns=("dd/MM/yyyy", "dddd d MMMM yyyy", *_TWENTY_FOUR)),
    "fr-ca": _euro(group=_SPACE, sign="$", patterns=("yyyy-MM-dd", "d MMMM yyyy", *_TWENTY_FOUR), order="ymd", date_mark="-"),
    "it-it": _euro(patterns=("dd/MM/yyyy", "dddd d MMMM yyyy", *_TWENTY_FOUR)),
    "es-es": _euro(patterns=("dd/MM/yyyy", f"dddd, {_SPANISH_DATE}", *_SHORT_TWENTY_FOUR)),
    "es-mx": _euro(".", ",", currency="${0}", negative_currency="-${0}", patterns=("dd/MM/yyyy", f"dddd, {_SPANISH_DATE}", "hh:mm tt", "hh:mm:ss tt"),
                   noon=("a. m.", "p. m.")),
    "pt-pt": _euro(group=_SPACE, patterns=("dd/MM/yyyy", _SPANISH_DATE, *_TWENTY_FOUR)),
    "pt-br": _euro(currency="R$ {0}", negative_currency="-R$ {0}", patterns=("dd/MM/yyyy", f"dddd, {_SPANISH_DATE}", *_TWENTY_FOUR)),
    "nl-nl": _euro(currency="€ {0}", negative_currency="€ -{0}", patterns=("d-M-yyyy", "dddd d MMMM yyyy", *_TWENTY_FOUR), date_mark="-"),
    "fi-fi": _euro(group=_SPACE, patterns=("d.M.yyyy", "d. MMMM yyyy", *_SHORT_TWENTY_FOUR), date_mark="."),
    "sv-se": _euro(group=_SPACE, sign="kr", patterns=("yyyy-MM-dd", "'den 'd MMMM yyyy", *_TWENTY_FOUR), order="ymd", date_mark="-"),
    "da-dk": _euro(sign="kr.", patterns=("dd-MM-yyyy", "d. MMMM yyyy", *_TWENTY_FOUR), date_mark="-"),
    "nb-no": _euro(group=_SPACE, currency="kr {0}", negative_currency="kr -{0}", patterns=("dd.MM.yyyy", "dddd d. MMMM yyyy", *_TWENTY_FOUR), date_mark="."),
    "pl-pl": _euro(group=_SPACE, sign="zł", patterns=("dd.MM.yyyy", "dddd, d MMMM yyyy", *_TWENTY_FOUR), date_mark="."),
    "ru-ru": _euro(group=_SPACE, sign="₽", patterns=("dd.MM.yyyy", "d MMMM yyyy 'г.'", *_SHORT_TWENTY_FOUR), date_mark="."),
    "cs-cz": _euro(group=_SPACE, sign="Kč", patterns=("dd.MM.yyyy", "dddd d. MMMM yyyy", *_SHORT_TWENTY_FOUR), date_mark=".", noon=("dop.", "odp.")),
    "hu-hu": _euro(group=_SPACE, sign="Ft", patterns=("yyyy. MM. dd.", "yyyy. MMMM d., dddd", *_SHORT_TWENTY_FOUR), order="ymd", date_mark=". ",
                   noon=("de.", "du.")),
    "ro-ro": _euro(sign="lei", patterns=("dd.MM.yyyy", "dddd, d MMMM yyyy", *_TWENTY_FOUR), date_mark="."),
    "hr-hr": _euro(sign="kn", patterns=("d.M.yyyy.", "d. MMMM yyyy.", *_SHORT_TWENTY_FOUR), date_mark="."),
    "sk-sk": _euro(group=_SPACE, patterns=("d. M. yyyy", "dddd d. MMMM yyyy", *_SHORT_TWENTY_FOUR), date_mark=". "),
    "sl-si": _euro(patterns=("d. MM. yyyy", "dddd, dd. MMMM yyyy", *_TWENTY_FOUR), date_mark=". ", noon=("dop.", "pop.")),
    "el-gr": _euro(patterns=("d/M/yyyy", "dddd, d MMMM yyyy", *_TWELVE), noon=("πμ", "μμ")),
    "bg-bg": _euro(group=_SPACE, sign="лв.", patterns=("d.M.yyyy 'г.'", "dddd, d MMMM yyyy 'г.'", *_SHORT_TWENTY_FOUR), date_mark="."),
    "tr-tr": _euro(currency="₺{0}", negative_currency="-₺{0}", patterns=("d.MM.yyyy", "d MMMM yyyy dddd", *_TWENTY_FOUR), date_mark=".", noon=("ÖÖ", "ÖS")),
    "et-ee": _euro(group=_SPACE, patterns=("dd.MM.yyyy", "dddd, d. MMMM yyyy", *_TWENTY_FOUR), date_mark=".", noon=("AM", "PM")),
    "lv-lv": _euro(group=_SPACE, patterns=("dd.MM.yyyy", "dddd, yyyy. 'gada' d. MMMM", *_TWENTY_FOUR), date_mark="."),
    "lt-lt": _euro(group=_SPACE, patterns=("yyyy-MM-dd", "yyyy 'm.' MMMM d 'd.', dddd", *_TWENTY_FOUR), order="ymd", date_mark="-",
                   noon=("priešpiet", "popiet")),
    "ja-jp": Culture(currency="¥{0}", negative_currency="-¥{0}", patterns=("yyyy/MM/dd", _EAST_ASIAN_DATE, *_SHORT_TWENTY_FOUR), order="ymd",
                     noon=("午前", "午後")),
    "zh-cn": Culture(currency="¥{0}", negative_currency="¥-{0}", patterns=("yyyy/M/d", _EAST_ASIAN_DATE, *_SHORT_TWENTY_FOUR), order="ymd",
                     noon=("上午", "下午")),
    "zh-tw": Culture(currency="NT${0}", negative_currency="-NT${0}", patterns=("yyyy/M/d", _EAST_ASIAN_DATE, "tt hh:mm", "tt hh:mm:ss"), order="ymd",
                     noon=("上午", "下午")),
    "ko-kr": Culture(currency="₩{0}", negative_currency="-₩{0}", patterns=("yyyy-MM-dd", "yyyy'년' M'월' d'일' dddd", "tt h:mm", "tt h:mm:ss"), order="ymd",
                     date_mark="-", noon=("오전", "오후")),
}  # fmt: skip

_SHORT_DAYS = {
    "de": "So Mo Di Mi Do Fr Sa", "fr": "dim. lun. mar. mer. jeu. ven. sam.", "es": "dom. lun. mar. mié. jue. vie. sáb.",
    "nl": "zo ma di wo do vr za", "da": "sø ma ti on to fr lø", "nb": "sø. ma. ti. on. to. fr. lø.", "fi": "su ma ti ke to pe la",
    "pl": "niedz. pon. wt. śr. czw. pt. sob.", "ru": "Вс Пн Вт Ср Чт Пт Сб", "cs": "ne po út st čt pá so", "hu": "V H K Sze Cs P Szo",
    "sk": "ne po ut st št pi so", "tr": "Paz Pzt Sal Çar Per Cum Cmt", "bg": "нед пон вт ср четв пет съб", "et": "P E T K N R L",
    "lv": "sv p o t c p s", "lt": "sk pr an tr kt pn št", "ja": "日 月 火 水 木 金 土", "zh": "周日 周一 周二 周三 周四 周五 周六",
    "ko": "일 월 화 수 목 금 토",
}  # fmt: skip
_SHORT_MONTHS = {
    "de": "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez", "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "es": "ene. feb. mar. abr. may. jun. jul. ago. sep. oct. nov. dic.", "pl": "sty lut mar kwi maj cze lip sie wrz paź lis gru",
    "ja": "1 2 3 4 5 6 7 8 9 10 11 12", "zh": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月", "ko": "1 2 3 4 5 6 7 8 9 10 11 12",
}  # fmt: skip
_MONTHS = {
    "ja": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月", "ko": "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
    "zh": "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ru": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
}  # fmt: skip
_SPACED_PERCENT = frozenset(
    "cs-cz da-dk de-at de-de es-es fi-fi fr-ca fr-fr hr-hr lt-lt nb-no ro-ro ru-ru sk-sk sl-si sv-se".split()
)
_DAYS = {"es": "domingo lunes martes miércoles jueves viernes sábado"}


def _named(name: str, found: Culture) -> Culture:
    """The culture with the names of months and days of its language."""
    tongue = name[:2]
    if name in _SPACED_PERCENT or tongue == "tr":
        found = msgspec.structs.replace(found, percent="%{0}" if tongue == "tr" else "{0} %")
    language = next((x for x in LANGUAGES if x.culture[:2] == tongue), US_ENGLISH)
    if tongue in ("", "en"):
        return found
    days = tuple(_DAYS[tongue].split()) if tongue in _DAYS else _sunday_first(language)
    short_days = tuple(_SHORT_DAYS[tongue].split()) if tongue in _SHORT_DAYS else tuple(day[:3] for day in days)
    return msgspec.structs.replace(
        found, days=days, short_days=short_days,
        months=tuple(_MONTHS[tongue].split()) if tongue in _MONTHS else language.months,
        short_months=tuple(_SHORT_MONTHS[tongue].split()) if tongue in _SHORT_MONTHS else language.short_months,
    )  # fmt: skip


CULTURES = {name: _named(name, found) for name, found in CULTURES.items()}
_SERBIAN = "januar februar mart april maj jun jul avgust septembar oktobar novembar decembar"
CULTURES["sr-latn-cs"] = _euro(
    sign="Din.", patterns=("d.M.yyyy", "d. MMMM yyyy", *_SHORT_TWENTY_FOUR), date_mark=".", months=tuple(_SERBIAN.split()),
    short_months=tuple(month[:3] for month in _SERBIAN.split()), short_days=("ned", "pon", "uto", "sre", "čet", "pet", "sub"),
    days=("nedelja", "ponedeljak", "utorak", "sreda", "četvrtak", "petak", "subota"),
)  # fmt: skip
_NEUTRAL = {
    "da": "da-dk", "el": "el-gr", "en": "en-us", "es": "es-es", "cs": "cs-cz", "et": "et-ee", "ja": "ja-jp", "ko": "ko-kr", "nn-no": "nb-no",
    "no": "nb-no", "nb": "nb-no", "pt": "pt-br", "sl": "sl-si", "sv": "sv-se", "zh": "zh-cn", "zh-hans": "zh-cn", "zh-hant": "zh-tw",
}  # fmt: skip
"""Cultures of a language alone and the one that .NET takes for them, where it is not xx-xx."""


def culture(name: str) -> Culture:
    """The culture of this name. Raises 9818 for one that is not known here."""
    key = name.lower()
    found = CULTURES.get(_NEUTRAL.get(key) or (f"{key}-{key}" if len(key) == 2 else key))
    if found is None:
        raise sql_error(9818, name)
    return found
