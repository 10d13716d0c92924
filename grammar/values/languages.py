"""Languages of SET LANGUAGE: the names of months and days, the order of a numeric date, the first day of the week.

The names and numbers are those of sys.syslanguages. `DateFormat` is all that reading and writing dates depends on
besides the style: a session has one. It must not know how a date is read or written.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

__all__ = [
    "DATE_ORDERS",
    "DEFAULT_DATES",
    "DateFormat",
    "LANGUAGES",
    "Language",
    "OTHER_LANGUAGES",
    "US_ENGLISH",
    "language_named",
]

DATE_ORDERS = ("mdy", "dmy", "ymd", "ydm", "myd", "dym")


@dataclass(frozen=True, eq=False, repr=False)
class Language:
    """One row of sys.syslanguages. `days` begin with Monday."""

    langid: int
    dateformat: str
    datefirst: int
    name: str
    alias: str
    lcid: int
    culture: str
    months: tuple[str, ...]
    short_months: tuple[str, ...]
    days: tuple[str, ...]

    def __repr__(self) -> str:
        return self.name

    @cached_property
    def month_numbers(self) -> dict[str, int]:
        """Full and short names in lower case. English takes `Sept`, too."""
        found = {
            name.lower(): number for names in (self.months, self.short_months) for number, name in enumerate(names, 1)
        }
        return {**found, "sept": 9} if self.months == US_ENGLISH.months else found


def _language(head: str, months: str, short: str, days: str) -> Language:
    langid, dateformat, datefirst, lcid, culture, name, alias = head.split(" ", 6)
    return Language(
        int(langid), dateformat, int(datefirst), name.replace("_(", " ("), alias, int(lcid), culture,
        tuple(months.split()), tuple(short.split()), tuple(days.split()),
    )  # fmt: skip


_ENGLISH = (
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
)
_PORTUGUESE = (
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "jan fev mar abr mai jun jul ago set out nov dez",
    "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
)
_NUMBERED = ("01 02 03 04 05 06 07 08 09 10 11 12",) * 2

LANGUAGES = (
    _language("0 mdy 7 1033 en-US us_english English", *_ENGLISH),
    _language(
        "1 dmy 1 1031 de-DE Deutsch German", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez", "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    ),
    _language(
        "2 dmy 1 1036 fr-FR Français French", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv févr mars avr mai juin juil août sept oct nov déc", "lundi mardi mercredi jeudi vendredi samedi dimanche",
    ),
    _language("3 ymd 7 1041 ja-JP 日本語 Japanese", *_NUMBERED, "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日"),
    _language(
        "4 dmy 1 1030 da-DK Dansk Danish", "januar februar marts april maj juni juli august september oktober november december",
        "jan feb mar apr maj jun jul aug sep okt nov dec", "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    ),
    _language(
        "5 dmy 1 3082 es-ES Español Spanish", "Enero Febrero Marzo Abril Mayo Junio Julio Agosto Septiembre Octubre Noviembre Diciembre",
        "Ene Feb Mar Abr May Jun Jul Ago Sep Oct Nov Dic", "Lunes Martes Miércoles Jueves Viernes Sábado Domingo",
    ),
    _language(
        "6 dmy 1 1040 it-IT Italiano Italian", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "gen feb mar apr mag giu lug ago set ott nov dic", "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    ),
    _language(
        "7 dmy 1 1043 nl-NL Nederlands Dutch", "januari februari maart april mei juni juli augustus september oktober november december",
        "jan feb mrt apr mei jun jul aug sep okt nov dec", "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    ),
    _language(
        "8 dmy 1 2068 nb-NO Norsk Norwegian", "januar februar mars april mai juni juli august september oktober november desember",
        "jan feb mar apr mai jun jul aug sep okt nov des", "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    ),
    _language("9 dmy 7 2070 pt-PT Português Portuguese", *_PORTUGUESE),
    _language(
        "10 dmy 1 1035 fi-FI Suomi Finnish",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
        "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
        "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    ),
    _language(
        "11 ymd 1 1053 sv-SE Svenska Swedish", "januari februari mars april maj juni juli augusti september oktober november december",
        "jan feb mar apr maj jun jul aug sep okt nov dec", "måndag tisdag onsdag torsdag fredag lördag söndag",
    ),
    _language(
        "14 dmy 1 1045 pl-PL polski Polish",
        "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
        "I II III IV V VI VII VIII IX X XI XII", "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    ),
    _language(
        "21 dmy 1 1049 ru-RU русский Russian", "Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь",
        "янв фев мар апр май июн июл авг сен окт ноя дек", "понедельник вторник среда четверг пятница суббота воскресенье",
    ),
    _language("23 dmy 1 2057 en-GB British British English", *_ENGLISH),
    _language("27 dmy 7 1046 pt-BR Português_(Brasil) Brazilian", *_PORTUGUESE),
    _language("28 ymd 7 1028 zh-TW 繁體中文 Traditional Chinese", *_NUMBERED, "星期一 星期二 星期三 星期四 星期五 星期六 星期日"),
    _language("29 ymd 7 1042 ko-KR 한국어 Korean", *_NUMBERED, "월요일 화요일 수요일 목요일 금요일 토요일 일요일"),
    _language("30 ymd 7 2052 zh-CN 简体中文 Simplified Chinese", *_NUMBERED, "星期一 星期二 星期三 星期四 星期五 星期六 星期日"),
)  # fmt: skip

OTHER_LANGUAGES = frozenset(
    {
        "čeština", "czech", "magyar", "hungarian", "română", "romanian", "hrvatski", "croatian", "slovenčina", "slovak", "slovenski",
        "slovenian", "ελληνικά", "greek", "български", "bulgarian", "türkçe", "turkish", "eesti", "estonian", "latviešu", "latvian",
        "lietuvių", "lithuanian", "arabic", "ไทย", "thai",
    }
)  # fmt: skip
"""Official names and aliases, in lower case, of languages that are not here."""

US_ENGLISH = LANGUAGES[0]


class DateFormat(NamedTuple):
    """SET DATEFORMAT and SET LANGUAGE."""

    order: str = "mdy"
    language: Language = US_ENGLISH


DEFAULT_DATES = DateFormat()


@lru_cache(maxsize=256)
def language_named(name: str) -> Language | None:
    """The language with this official name or alias, in any letter case."""
    wanted = name.strip().lower()
    return next((found for found in LANGUAGES if wanted in (found.name.lower(), found.alias.lower())), None)
