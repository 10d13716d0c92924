"""PARSE and TRY_PARSE: text of a culture to a number or date (documentation: "PARSE (Transact-SQL)")."""

from __future__ import annotations

import re
from typing import Any

from sbql.engine.execution.functions.cultures import Culture, culture
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import NVARCHAR_MAX, SqlType
from sbql.grammar.values.conversions import convert, converter
from sbql.grammar.values.kinds import kind, spelled
from sbql.grammar.values.languages import US_ENGLISH, DateFormat

__all__ = ["parse_text"]


def parse_text(text: str, target: SqlType, culture_name: str) -> Any:
    """The value. Raises 9819 when the text is none in this culture, 9818 for an unknown culture."""
    known = culture(culture_name)
    try:
        if kind(target) in ("int", "decimal", "money", "float"):
            return convert(_plain_number(text, known), NVARCHAR_MAX, target)
        return _date(text, target, known)
    except SqlError:
        raise sql_error(9819, text, spelled(target), culture_name) from None


def _plain_number(text: str, known: Culture) -> str:
    """The number with a point and without group marks and currency signs."""
    stripped = text.strip()
    negative = stripped.startswith("(") and stripped.endswith(")")
    body = re.sub(r"[$£€¥¤()\s\u00a0]", "", stripped)
    body = body.replace(known.group, "") if known.group.strip() else body
    body = body.replace(known.point, ".")
    if not re.search(r"\d", body):
        raise sql_error(8114, "nvarchar", "numeric")
    return "-" + body if negative else body


def _date(text: str, target: SqlType, known: Culture) -> Any:
    words = text.strip()
    for number, name in enumerate(known.months):
        words = re.sub(rf"\b{re.escape(name)}\b", _english(number), words, flags=re.IGNORECASE)
    day_names = [re.escape(d) for d in known.days] + [re.escape(d[:3]) for d in known.days]
    words = re.sub(rf"^(?:{'|'.join(day_names)})\b[,.]?\s*", "", words, flags=re.IGNORECASE)
    words = re.sub(r"(\d+)\.\s+(?=[A-Za-z])", r"\1 ", words)
    change = converter(NVARCHAR_MAX, target, None, True, DateFormat(known.order))
    return words if change is None else change(words)


def _english(number: int) -> str:
    return US_ENGLISH.months[number]
