"""The Hijri calendar of the styles 130 and 131: the Kuwaiti algorithm, there and back.

It knows days only, not how they are written.
"""

from __future__ import annotations

import datetime as dt

__all__ = ["HIJRI_MONTHS", "from_hijri", "hijri_month", "to_hijri"]

HIJRI_MONTHS = ("محرم", "صفر", "ربيع الاول", "ربيع الثاني", "جمادى الاولى", "جمادى الثانية", "رجب", "شعبان", "رمضان", "شوال",
                 "ذو القعدة", "ذو الحجة")  # fmt: skip


def to_hijri(value: dt.date) -> tuple[int, int, int]:
    """Year, month and day in the tabular Hijri calendar, whose first day is here 15 July 622 (Julian), as on SQL
    Server."""
    julian = value.toordinal() + 1721425
    left = julian - 1948439 + 10632
    cycle = (left - 1) // 10631
    left = left - 10631 * cycle + 354
    part = ((10985 - left) // 5316) * ((50 * left) // 17719) + (left // 5670) * ((43 * left) // 15238)
    left = left - ((30 - part) // 15) * ((17719 * part) // 50) - (part // 16) * ((15238 * part) // 43) + 29
    month = (24 * left) // 709
    return 30 * cycle + part - 30, month, left - (709 * month) // 24


def from_hijri(year: int, month: int, day: int) -> dt.date | None:
    """The day that `to_hijri` calls so, None when there is none."""
    julian = (11 * year + 3) // 30 + 354 * year + 30 * month - (month - 1) // 2 + day + 1948439 - 385
    ordinal = julian - 1721425
    if not 1 <= ordinal <= dt.date.max.toordinal():
        return None
    found = dt.date.fromordinal(ordinal)
    return found if to_hijri(found) == (year, month, day) else None


def hijri_month(name: str) -> int | None:
    """The number of a month by its name or number."""
    if name.isdecimal():
        return int(name)
    return HIJRI_MONTHS.index(name) + 1 if name in HIJRI_MONTHS else None
