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
_BULGARIAN = ("януари февруари март април май юни юли август септември октомври ноември декември",) * 2
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
        "12 dmy 1 1029 cs-CZ čeština Czech", "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
        "I II III IV V VI VII VIII IX X XI XII", "pondělí úterý středa čtvrtek pátek sobota neděle",
    ),
    _language(
        "13 ymd 1 1038 hu-HU magyar Hungarian",
        "január február március április május június július augusztus szeptember október november december",
        "jan febr márc ápr máj jún júl aug szept okt nov dec", "hétfő kedd szerda csütörtök péntek szombat vasárnap",
    ),
    _language(
        "14 dmy 1 1045 pl-PL polski Polish",
        "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
        "I II III IV V VI VII VIII IX X XI XII", "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    ),
    _language(
        "15 dmy 1 1048 ro-RO română Romanian",
        "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
        "Ian Feb Mar Apr Mai Iun Iul Aug Sep Oct Nov Dec", "luni marţi miercuri joi vineri sîmbătă duminică",
    ),
    _language(
        "16 ymd 1 1050 hr-HR hrvatski Croatian",
        "siječanj veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac",
        "sij vel ožu tra svi lip srp kol ruj lis stu pro", "ponedjeljak utorak srijeda četvrtak petak subota nedjelja",
    ),
    _language(
        "17 dmy 1 1051 sk-SK slovenčina Slovak", "január február marec apríl máj jún júl august september október november december",
        "I II III IV V VI VII VIII IX X XI XII", "pondelok utorok streda štvrtok piatok sobota nedeľa",
    ),
    _language(
        "18 dmy 1 1060 sl-SI slovenski Slovenian", "januar februar marec april maj junij julij avgust september oktober november december",
        "jan feb mar apr maj jun jul avg sept okt nov dec", "ponedeljek torek sreda četrtek petek sobota nedelja",
    ),
    _language(
        "19 dmy 1 1032 el-GR ελληνικά Greek",
        "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
        "Ιαν Φεβ Μαρ Απρ Μαϊ Ιουν Ιουλ Αυγ Σεπ Οκτ Νοε Δεκ", "Δευτέρα Τρίτη Τετάρτη Πέμπτη Παρασκευή Σάββατο Κυριακή",
    ),
    _language("20 dmy 1 1026 bg-BG български Bulgarian", *_BULGARIAN, "понеделник вторник сряда четвъртък петък събота неделя"),
    _language(
        "21 dmy 1 1049 ru-RU русский Russian", "Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь",
        "янв фев мар апр май июн июл авг сен окт ноя дек", "понедельник вторник среда четверг пятница суббота воскресенье",
    ),
    _language(
        "22 dmy 1 1055 tr-TR Türkçe Turkish", "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
        "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara", "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar",
    ),
    _language("23 dmy 1 2057 en-GB British British English", *_ENGLISH),
    _language(
        "24 dmy 1 1061 et-EE eesti Estonian", "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
        "jaan veebr märts apr mai juuni juuli aug sept okt nov dets",
        "esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev",
    ),
    _language(
        "25 ymd 1 1062 lv-LV latviešu Latvian",
        "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris",
        "jan feb mar apr mai jūn jūl aug sep okt nov dec", "pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena svētdiena",
    ),
    _language(
        "26 ymd 1 1063 lt-LT lietuvių Lithuanian",
        "sausis vasaris kovas balandis gegužė birželis liepa rugpjūtis rugsėjis spalis lapkritis gruodis",
        "sau vas kov bal geg bir lie rgp rgs spl lap grd",
        "pirmadienis antradienis trečiadienis ketvirtadienis penktadienis šeštadienis sekmadienis",
    ),
    _language("27 dmy 7 1046 pt-BR Português_(Brasil) Brazilian", *_PORTUGUESE),
    _language("28 ymd 7 1028 zh-TW 繁體中文 Traditional Chinese", *_NUMBERED, "星期一 星期二 星期三 星期四 星期五 星期六 星期日"),
    _language("29 ymd 7 1042 ko-KR 한국어 Korean", *_NUMBERED, "월요일 화요일 수요일 목요일 금요일 토요일 일요일"),
    _language("30 ymd 7 2052 zh-CN 简体中文 Simplified Chinese", *_NUMBERED, "星期一 星期二 星期三 星期四 星期五 星期六 星期日"),
    _language("31 dmy 1 1025 ar-SA Arabic Arabic", *_ENGLISH),
    _language(
        "32 dmy 7 1054 th-TH ไทย Thai", "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
        "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.", "จันทร์ อังคาร พุธ พฤหัสบดี ศุกร์ เสาร์ อาทิตย์",
    ),
)  # fmt: skip

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
