"""Two texts of one row, compared without the keys of both.

A key costs as much as many comparisons. Decides which rows need none:

- Texts of one length are equal when they are the same, or the same in small letters.
- Texts that begin with different letters or digits of ASCII have the order of these, under every rule but a binary one.
- Where case counts, text of the characters that sort by themselves is ordered as it stands.
- A constant is known when the statement is translated. Before it stand the texts that begin as it does and go on with
  a smaller letter or digit.

All other rows are compared by their keys. Where texts of two relations meet, the keys stand alone: DuckDB joins by
them. It must not know what the keys are (`tables.comparison_keys`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from sbql.catalog.duck_types import quote_literal
from sbql.engine.tables.comparison_keys import beyond_own_order, doubled_text, if_null, plain_text, without_blanks
from sbql.engine.tables.text_functions import KEY
from sbql.engine.tables.typed_sql import Typed, text_literal
from sbql.grammar.values.collation import BINARY, CODE_PAGE, WINDOWS, Rule, key_of, order_of, own_order
from sbql.grammar.values.kinds import is_national

__all__ = ["compared"]

_LONGEST: Final = 100
"""Characters of an operand, which stands several times."""

_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def compared(op: str, left: Typed, right: Typed, rule: Rule, keys: Callable[[Typed, Typed], str]) -> str:
    """The text of `left op right`, of which `keys` makes what holds for every row."""
    left, right = left.plainest(ignores_case=rule.case), right.plainest(ignores_case=rule.case)
    by_keys = keys(left, right)
    if not _of_one_row(left, right) or max(len(left.sql), len(right.sql)) > _LONGEST:
        return by_keys
    if op in ("=", "<>"):
        return _equal(op, left, right, rule, by_keys)
    if rule.kind == BINARY:
        return by_keys
    if left.is_literal or right.is_literal:
        value, constant = (right, left) if left.is_literal else (left, right)
        named = value.with_sql("k")
        pair = (left, named) if left.is_literal else (named, right)
        other = _by_case(op, *pair, rule, keys(*pair))
        found = _before_constant(_MIRRORED[op] if left.is_literal else op, value, constant, rule, other)
        if found is not None:
            return found
    return _by_first_characters(op, left.sql, right.sql, _by_case(op, left, right, rule, by_keys))


def _by_case(op: str, left: Typed, right: Typed, rule: Rule, by_keys: str) -> str:
    return by_keys if rule.case else _by_letters(op, left.sql, right.sql, rule, by_keys)


def _of_one_row(left: Typed, right: Typed) -> bool:
    """Columns of one relation, or one beside a constant."""
    if left.origin is None:
        return left.constant is not None and right.origin is not None
    return right.constant is not None or right.origin is not None and right.origin[0] == left.origin[0]


def _equal(op: str, left: Typed, right: Typed, rule: Rule, by_keys: str) -> str:
    """Of two texts of different lengths the longer one must end in blanks. That holds for text of ASCII, and where each
    character is equal to itself and its other case alone, both as long in UTF-8."""
    if rule.kind == CODE_PAGE and not rule.accent and not is_national(left.type):
        for text, constant in ((left, right), (right, left)):
            if (key := _constant_key(constant, rule)) is not None:
                return _equal_to_constant(op, text.sql, key, rule)
    a, b = left.sql, right.sql
    fold = "lower({})" if rule.case else "{}"
    trimmed = f"rtrim({fold}, ' ')"
    unlike = _sql(op == "<>")
    constant = right if right.is_literal else left
    if constant.is_literal:  # a shorter text is never equal to it
        known = None if constant.constant is None else constant.constant.run(None)
        if known is None or not known.isascii() or known.endswith(" "):
            return by_keys
        compared = left if right.is_literal else right
        longer, missing = compared.sql, if_null(compared, compared.sql)
        size = f"strlen({longer})"
        found = f"CASE WHEN {size} < {len(known)} THEN {unlike} WHEN {size} > {len(known)} THEN"
    else:
        longer = f"CASE WHEN strlen({a}) > strlen({b}) THEN {a} ELSE {b} END"
        found = f"CASE WHEN strlen({a}) <> strlen({b}) THEN"
    found += f" CASE WHEN {longer} LIKE '% ' THEN {trimmed.format(a)} {op} {trimmed.format(b)} ELSE {unlike} END"
    found += f" ELSE {fold.format(a)} {op} {fold.format(b)} END"
    if constant.is_literal and rule.is_usual and known:
        other = _beyond_ascii(op, longer, known, f"{KEY}({longer}, {rule.number})")
        found = f"CASE WHEN strlen({longer}) = length({longer}) THEN {found}{missing}{other} END"
    elif rule.kind == WINDOWS or rule.accent or is_national(left.type):
        tests = [f"strlen({one.sql}) = length({one.sql})" for one in (left, right) if not one.is_literal]
        found = f"CASE WHEN {' AND '.join(tests)} THEN {found} ELSE {by_keys} END"
    return f"({found})"


def _folded(text: str, rule: Rule) -> str:
    return f"lower({text})" if rule.case else text


def _constant_key(constant: Typed, rule: Rule) -> str | None:
    """What a literal or parameter of a code page is compared by; None for what is neither."""
    if constant.constant is None or constant.stands_once:
        return None
    if not constant.is_literal:
        return f"rtrim({_folded(constant.sql, rule)}, ' ')"
    known = constant.constant.run(None)
    return text_literal(key_of(rule)(known)) if known is not None and known.isascii() else None


def _equal_to_constant(op: str, text: str, key: str, rule: Rule) -> str:
    """Of a code page, where both cases of a letter are as long. A text that is equal begins with the key, whatever its
    signs mean to LIKE: by that DuckDB passes over parts of a table that has such texts in turn."""
    unlike, folded = _sql(op == "<>"), _folded(text, rule)
    longer = f"CASE WHEN {text} LIKE '% ' THEN rtrim({folded}, ' ') {op} {key} ELSE {unlike} END"
    found = f"CASE WHEN strlen({text}) < strlen({key}) THEN {unlike} WHEN strlen({text}) > strlen({key}) THEN {longer} ELSE {folded} {op} {key} END"
    if op == "<>":
        return f"({found})"
    return f"({text} {'ILIKE' if rule.case else 'LIKE'} ({key} || '%') AND {found})"


def _beyond_ascii(op: str, text: str, constant: str, key: str) -> str:
    """Branches for text that is not all ASCII, beside a constant that is. The text is unlike the constant when its
    first character is equal to no beginning of it, or when all of its characters are equal to their other case alone.
    Text that DuckDB can fold is folded. The rest is compared by keys, whose form for all of nvarchar's characters takes
    DuckDB a millisecond to plan."""
    scripts = " OR ".join(f"{text} BETWEEN '{low}' AND '{high}'" for low, high in _SCRIPTS)
    unlike = (
        f"{scripts} OR ascii({text}) < 128 AND (ascii({text}) | 32) <> {ord(constant[0]) | 32} OR {plain_text(text)}"
    )
    is_known, folded = doubled_text(text)
    wanted = text_literal(constant.lower())
    return f" WHEN {unlike} THEN {_sql(op == '<>')} WHEN {is_known} THEN rtrim({folded}, ' ') {op} {wanted} ELSE {key} {op} {wanted}"


_SCRIPTS: Final = (("\u0400", "\u045f"), ("\u4e00", "\u9fff"), ("\uac00", "\ud7a3"))
"""Characters that are equal to their other case alone (`collation.PLAIN`): Cyrillic, Han, Hangul."""


# --- order -------------------------------------------------------------------------------------------------


def _by_first_characters(op: str, left: str, right: str, by_keys: str) -> str:
    """Small and capital letters differ by one bit. DuckDB computes an argument of a lambda once."""
    words = " AND ".join(f"({code} BETWEEN 48 AND 57 OR ({code} | 32) BETWEEN 97 AND 122)" for code in "ab")
    first = f"CASE WHEN (a | 32) <> (b | 32) AND {words} THEN (a | 32) {op[0]} (b | 32) END"
    return f"coalesce(invoke(lambda a, b: {first}, ascii({left}), ascii({right})), {by_keys})"


def _by_letters(op: str, left: str, right: str, rule: Rule, by_keys: str) -> str:
    """Where case counts, of characters that sort by themselves: first as if it did not, and then a small letter is
    before its capital, which has the smaller code."""
    odd = " OR ".join(beyond_own_order(text, rule) for text in (left, right))
    known = f"CASE WHEN c = d THEN b {op} a ELSE c {op} d END"
    a, b = without_blanks(left), without_blanks(right)
    return (
        f"CASE WHEN {odd} THEN {by_keys} ELSE invoke(lambda a, b, c, d: {known}, {a}, {b}, lower({a}), lower({b})) END"
    )


def _before_constant(op: str, value: Typed, constant: Typed, rule: Rule, by_keys: str) -> str | None:
    """None where the order of the constant's characters is not that of their codes, or it ends in a sign.
    `by_keys` compares k with it: a key that stands in two conditions as it is (BETWEEN) DuckDB would
    compute once, but for every row."""
    assert constant.constant is not None
    text = constant.constant.run(None)
    if text is None:
        return None
    text, folded = text.rstrip(" "), replace(rule, case=True)
    key, own = order_of(folded)(text), own_order(folded)
    if key != text.lower() or not key or not set(key) <= set(own) or not key[-1].isalnum():
        return None
    zones = [_zone(op, value.sql, start + last, rule) for start in _spellings(text[:-1]) for last in _cases(key[-1])]
    return f"coalesce({', '.join([*zones, *_other_beginnings(op, value.sql, key), f'invoke(lambda k: {by_keys}, {value.sql})'])})"


def _other_beginnings(op: str, text: str, key: str) -> list[str]:
    """The texts that begin with another letter or digit than a key of more than one."""
    if len(key) < 2 or not key[0].isalnum():
        return []
    before: list[tuple[str, str]] = []
    behind: list[tuple[str, str]] = []
    for row in (digits, ascii_lowercase, ascii_uppercase):
        start, first, last = key[0].upper() if row == ascii_uppercase else key[0], row[0], row[-1]
        if start not in row:
            (before if row == digits else behind).append((first, last))
            continue
        if start > first:
            before.append((first, chr(ord(start) - 1)))
        if start < last:
            behind.append((chr(ord(start) + 1), last))
    branches = ""
    for sign, rows in (("<", before), (">", behind)):
        if rows:
            test = " OR ".join(f"{text} BETWEEN '{low}' AND '{high}~'" for low, high in rows)
            branches += f" WHEN {test} THEN {_sql(op[0] == sign)}"
    return [f"CASE{branches} END"]


def _sql(value: bool) -> str:
    return "true" if value else "false"


def _spellings(start: str) -> list[str]:
    """As it stands, and as it may stand in a table."""
    return list(dict.fromkeys((start, start.lower(), start[:1].upper() + start[1:].lower(), start.upper())))


def _cases(last: str) -> tuple[str, ...]:
    return (last,) if last.isdigit() else (last, last.upper())


def _zone(op: str, text: str, constant: str, rule: Rule) -> str:
    """The texts that begin as the constant does and go on with a digit, or a letter in the same case: they are ordered
    by that. One that begins with all of it is not before it, but may be equal to it, or before it by case alone, unless
    a digit follows. NULL for all other texts."""
    start, last = constant[:-1], constant[-1]
    row = next(row for row in (digits, ascii_lowercase, ascii_uppercase) if last in row)
    low, own, next_, end = (quote_literal(start + sign) for sign in (row[0], last, _next(last), _next(row[-1])))
    before, behind = _sql(op[0] == "<"), _sql(op[0] == ">")
    known = f"CASE WHEN {text} < {own} THEN CASE WHEN {text} >= {low} THEN {before} END"
    if op in ("<", ">=") and rule.case:
        return f"{known} WHEN {text} < {end} THEN {behind} END"
    longer = (
        f"WHEN {text} >= {quote_literal(constant + '0')} AND {text} < {quote_literal(constant + ':')} THEN {behind}"
    )
    return f"{known} WHEN {text} >= {next_} THEN CASE WHEN {text} < {end} THEN {behind} END {longer} END"


def _next(sign: str) -> str:
    return chr(ord(sign) + 1)
