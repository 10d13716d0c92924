"""Dates and times of XQuery to 100 ns, as datetime2 has them: elementpath's own end at microseconds.

Decides how a seventh fractional digit gets into an xs:dateTime or xs:time and out of it again;
elementpath compares them by the `datetime` inside, which here is one that knows its digit
(grammar.values.ticks). Imported only with elementpath.
"""

from __future__ import annotations

import re
from typing import Any

from elementpath.datatypes import DateTime, Time

from sbql.grammar.values.ticks import tick_of, with_tick

__all__ = ["FineDateTime", "FineTime"]

_SEVENTH_DIGIT = re.compile(r"\.\d{6}(\d)")
_SECONDS = re.compile(r"(:\d\d:\d\d)(?:\.\d+)?")


class _Fine:
    __slots__ = ()
    _dt: Any

    @classmethod
    def fromstring(cls, text: str, tzinfo: Any = None) -> Any:
        made: Any = super().fromstring(text, tzinfo)  # type: ignore[misc]
        found = _SEVENTH_DIGIT.search(text)
        if found is not None:
            made._dt = with_tick(made._dt, int(found[1]))
        return made

    @classmethod
    def make(cls, value: Any, **options: Any) -> Any:
        made: Any = super().make(value, **options)  # type: ignore[misc]
        if made is not value and isinstance(value, _Fine):
            made._dt = with_tick(made._dt, tick_of(value._dt))
        return made

    def __str__(self) -> str:
        text = super().__str__()
        tick = tick_of(self._dt)
        return _SECONDS.sub(rf"\g<1>.{self._dt.microsecond:06d}{tick}", text, count=1) if tick else text


class FineDateTime(_Fine, DateTime):  # type: ignore[misc]
    name = "dateTime"
    _xsd_version = "1.0"


class FineTime(_Fine, Time):  # type: ignore[misc]
    name = "time"
