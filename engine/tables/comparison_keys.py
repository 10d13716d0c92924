"""Keys: what DuckDB compares, groups and sorts by, so that the order and equality are those of T-SQL.

Decides the key of each type: text by its collation (trailing blanks never count), binary without zero bytes at its end,
uniqueidentifier in the order of its byte groups, datetimeoffset by its instant. Collations of two texts meet here
(error 468). It must not know which clause uses a key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from sbql.catalog.duck_types import quote_literal
from sbql.engine.tables.guid_words import order_number
from sbql.engine.tables.text_functions import FOLD, KEY, ORDER
from sbql.engine.tables.typed_sql import Typed, by_names, case_text, over_names, text_literal
from sbql.grammar.ast import Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.collation import (
    BINARY,
    CODE_PAGE,
    DOUBLE,
    KEPT,
    LEVEL,
    PLAIN,
    Rule,
    followers,
    key_of,
    last_weights,
    order_of,
    own_letters,
    own_order,
    rule_of,
)
from sbql.grammar.values.collation_precedence import definite
from sbql.grammar.values.kinds import is_national

__all__ = [
    "PAIR",
    "beyond_own_order",
    "comparable",
    "doubled_text",
    "equality_key",
    "folded_text",
    "has_key",
    "if_null",
    "is_plain",
    "kept_text",
    "meeting_collation",
    "odd_text",
    "order_key",
    "order_term",
    "plain_text",
    "without_blanks",
]


PAIR = "[\\x{10000}-\\x{10FFFF}]"
"""A character that national text counts twice, or half of one in its stored form, as a regular expression of DuckDB."""


def has_key(value: Typed) -> bool:
    """True when values that DuckDB keeps apart may be equal to T-SQL."""
    return value.is_text or value.type.name in ("datetimeoffset", "sql_variant", "varbinary")


def equality_key(value: Typed, collation: str | None = None, *, given: bool = False) -> str:
    """The text to compare for equality. `collation` (with `given`) overrides the value's own."""
    if value.is_text:
        if value.is_distinct and not given:
            return value.sql
        if not given and value.beside is not None and value.beside.of == value.sql:
            return value.beside.key(equality_key, value.type)
        rule = rule_of(collation if given else value.type.collation, is_national(value.type))
        chosen = _of_branches(value, key_of(rule), is_alone=not given)
        return chosen or _text_key(value.plainest(ignores_case=rule.case), rule)
    if value.type.name == "datetimeoffset":
        return f"struct_extract({value.sql}, 'utc')"
    if value.type.name == "sql_variant":
        return f"struct_extract({value.sql}, 'sort')"
    if value.type.name == "varbinary":
        return f"unhex(regexp_replace(hex({value.sql}), '(00)+$', ''))"
    return value.sql


def order_key(value: Typed, collation: str | None = None, *, given: bool = False) -> str:
    """The text to compare for order: with the keys of others if a collation is given, else among the values."""
    if value.is_text:
        if value.is_own_key and not given:
            return value.sql
        if not given and value.beside is not None and value.beside.of == value.sql:
            return value.beside.key(order_key, value.type)
        rule = rule_of(collation if given else value.type.collation, is_national(value.type))
        value = value.plainest(ignores_case=rule.case)
        if rule.kind == BINARY:
            return _text_key(value, rule)
        known = _known(value, order_of(rule)) or _of_branches(value, order_of(rule))
        return known or by_names([value], lambda named: _text_order(named[0].sql, rule, _known_signs(value, rule)))
    if value.type.name == "uniqueidentifier":
        return order_number(value.sql)
    return equality_key(value)


def order_term(value: Typed, descending: bool) -> str:
    """An ORDER BY term: NULL counts as the smallest value."""
    return f"{order_key(value)} {'DESC NULLS LAST' if descending else 'ASC NULLS FIRST'}"


def comparable(value: Typed, span: Span, place: str = "") -> None:
    """Raises 305 and 306 for types that cannot be compared or sorted; 421 when the place is DISTINCT, 5335 for a set
    operator."""
    name = value.type.name
    if name not in ("xml", "text", "ntext", "image"):
        return
    if place:
        raise sql_error(421 if place == "DISTINCT" else 5335, name, span=span)
    raise sql_error(305 if name == "xml" else 306, span=span)


def meeting_collation(left: Typed, right: Typed, operation: str, span: Span) -> str | None:
    """The collation that counts where two texts are compared: a COLLATE clause before a column, a column before the
    rest. Raises 468 for two different ones of one rank (names of broker objects are binary, and their columns do not
    meet a column of the default collation without a COLLATE clause), 4191 for a text that has none."""
    try:
        return definite([left.label, right.label], operation)[1]
    except SqlError as error:
        raise error.at(span) from None


def plain_text(text: str, but: str = "") -> str:
    """Whether DuckDB's own lower() makes the fold of nvarchar under the default
    collation, and none of the letters of `but` is in it: SQL that is true or false."""
    odd = f"{_ODD}|[{but}]" if but else _ODD
    return f"(strlen({text}) = length({text}) OR NOT regexp_matches({text}, '{odd}'))"


def odd_text(text: str) -> str:
    """The opposite of plain_text: of an OR behind NOT DuckDB computes both sides for all rows, and of AND the second
    one where it must."""
    return f"(strlen({text}) <> length({text}) AND regexp_matches({text}, '{_ODD}'))"


def _ranges(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"\\x{{{low:X}}}-\\x{{{high:X}}}" for low, high in ranges)


_PLAIN = _ranges(PLAIN)
_ODD = f"[^{_PLAIN}]"
"""A character that is not plain, as a regular expression of DuckDB."""

_DOUBLE = f"{''.join(DOUBLE)}{''.join(DOUBLE).upper().replace('SS', '')}"
_ODDER = f"[^{_PLAIN}{_DOUBLE}]"
"""One that is neither plain nor equal to two."""


def doubled_text(text: str) -> tuple[str, str]:
    """Whether all characters are plain or equal to two, and the fold of such a text."""
    return f"NOT regexp_matches({text}, '{_ODDER}')", _doubles_apart(f"lower({text})")


def _doubles_apart(folded: str) -> str:
    for letter, both in DOUBLE.items():
        folded = f"replace({folded}, '{letter}', '{both}')"
    return folded


_ODDEST = f"[^{_PLAIN}{_DOUBLE}{_ranges(KEPT)}]"
"""One that is neither of these, nor kept."""


def kept_text(text: str) -> tuple[str, str]:
    """Whether all characters are plain, kept or equal to two, and the fold of such a text. Katakana and full width have
    no form: character by character it costs every statement that has a key half a millisecond of planning, and Python
    takes 1.9 µs a text instead of 0.7."""
    return f"NOT regexp_matches({text}, '{_ODDEST}')", _doubles_apart(f"lower({text})")


_REPEATED = 400
"""Characters of a text and its key that may stand several times where that needs no name."""


def _over(value: Typed, key: Callable[[str], str]) -> str:
    """The key of a text, which it may name several times."""
    return over_names([value], lambda named: key(named[0].sql))


def folded_text(value: Typed, rule: Rule) -> str:
    """The text with what does not count made alike, blanks at its end included."""
    text = value.sql
    if rule.kind == CODE_PAGE and not rule.accent:
        return f"lower({text})" if rule.case else text
    if rule.kind == BINARY and not is_national(value.type):
        return text
    return _over(value, lambda text: _fold(text, rule, if_null(value, text)))


def _fold(text: str, rule: Rule, missing: str) -> str:
    own = f"{FOLD}({text}, {rule.number})"
    if rule.kind == BINARY:
        return f"CASE WHEN {_has_late_units(text)} THEN {own} ELSE {text} END"
    plain = f"lower({text})" if rule.case else text
    return f"CASE WHEN {is_plain(text, rule)} THEN {plain}{missing}{_doubled(text, rule)} ELSE {own} END"


def if_null(value: Typed, text: str) -> str:
    """A branch for NULL, of a CASE whose tests ask whether the value, as `text`, is plain: NULL is not, and whatever
    comes of it behind the branch for the rest, a call of Python is 10 to 1,000 times as long. DuckDB takes the first
    branch for all rows together where it is that of all, so this is the second one."""
    return f" WHEN {text} IS NULL THEN NULL" if value.nullable else ""


def _doubled(text: str, rule: Rule) -> str:
    """A branch more, for text with a ß and its like."""
    if not rule.is_usual:
        return ""
    test, folded = doubled_text(text)
    return f" WHEN {test} THEN {folded}"


def without_blanks(text: str, given: str = "") -> str:
    """The text without blanks at its end. DuckDB's rtrim looks at each character, and most texts end in none: so it is
    asked for the others only, by `given`, if that ends in blanks wherever the text does."""
    given = given or text
    if len(text) + len(given) > _REPEATED:
        return _named_without_blanks(text)
    return f"(CASE WHEN {given} LIKE '% ' THEN rtrim({text}, ' ') ELSE {text} END)"


def _named_without_blanks(text: str) -> str:
    """The same of a text that must stand once."""
    return f"invoke(lambda t: CASE WHEN t LIKE '% ' THEN rtrim(t, ' ') ELSE t END, {text})"


def _text_key(value: Typed, rule: Rule) -> str:
    """DuckDB's own functions for text of ASCII and for plain text, ours for the rest."""
    known = _known(value, key_of(rule))
    if known is not None:
        return known
    if rule.kind == CODE_PAGE and not rule.accent or rule.kind == BINARY and not is_national(value.type):
        folded = folded_text(value, rule)
        return _named_without_blanks(folded) if value.stands_once else without_blanks(folded, value.sql)
    return _over(value, lambda text: _plain_key(text, rule, if_null(value, text)))


def _plain_key(text: str, rule: Rule, missing: str) -> str:
    own = f"{KEY}({text}, {rule.number})"
    if rule.kind == BINARY:
        return f"CASE WHEN {_has_late_units(text)} THEN {own} ELSE {without_blanks(text)} END"
    plain = f"lower({text})" if rule.case else text
    native = f"CASE WHEN {is_plain(text, rule)} THEN {without_blanks(plain, text)}{missing}"
    if rule.is_usual:
        test, folded = kept_text(text)
        native += f" WHEN {test} THEN rtrim({folded}, ' ')"
    return f"{native} ELSE {own} END"


def _text_order(text: str, rule: Rule, known: str = "") -> str:
    """Text of the characters that sort by themselves is its own key; beside them all other signs of ASCII but a few
    need no Python. DuckDB plans each statement anew, and for long what has many branches: rarer texts have none.
    `known`: signs that the texts have."""
    other = f"{ORDER}({text}, {rule.number})"
    if not rule.case:
        return _cased_order(text, rule, other)
    folded = without_blanks(f"lower({text})", text)
    (start, signs), last = followers(rule), last_weights(rule)
    own = f"{_own_signs(rule)}{_own_letters(rule)}"
    marked = _behind("t", start, signs)
    if last:
        test = " OR ".join(f"contains(t, {quote_literal(sign)})" for sign in last)
        marked = f"CASE WHEN {test} THEN {_with_last('t', start, signs, last)} ELSE {marked} END"
    assert set(_COMMON) <= set(signs), "they stand behind the leader"
    odd = _has_others(text, own + _in_set(signs + "".join(last)))
    rarer = _has_others(text, own + _in_set(_COMMON))
    marked = (
        f"CASE WHEN {rarer} THEN CASE WHEN {odd} THEN {other} ELSE {marked} END ELSE {_common_behind('t', start)} END"
    )
    others = f"invoke(lambda t: {marked}, {folded})"
    if not set(known) <= set(signs):
        return others
    plain = f"lower({text})"
    for sign in known:
        plain = f"replace({plain}, {quote_literal(sign)}, {quote_literal(start + sign)})"
    return f"CASE WHEN {_has_others(text, own + _in_set(known), or_blank=True)} THEN {others} ELSE {plain} END"


def _has_others(text: str, signs: str, *, or_blank: bool = False) -> str:
    """Whether a text has characters that are neither letters and digits of ASCII nor these, or a blank at its end: SQL
    that is true or false. Of a column of few values DuckDB asks regexp_extract once for each, but regexp_matches for
    each row; the first one takes as long as that if it begins where the text does, and mostly finds nothing."""
    known = f"A-Za-z0-9{signs}"
    other = f"(?:[^{known}]| \\z)" if or_blank else f"[^{known}]"
    return f"regexp_extract({text}, '\\A[{known}]*{other}') <> ''"


_COMMON = "@_:"
"""The commonest of the signs that do not sort by themselves."""


def _known_signs(value: Typed, rule: Rule) -> str:
    """Those of the texts that do not sort by themselves, as far as it is known: literals that they are put together of
    have them."""
    own = own_order(rule)
    return "".join(sorted(sign for sign in value.known_signs if sign.lower() not in own))


def _common_behind(text: str, start: str) -> str:
    """These signs behind what stands before them in a key, in a third of the time that a regular expression takes."""
    first, others = _COMMON[0], _COMMON[1:]
    plain = f"replace({text}, '{first}', '{start}{first}')"
    found = plain
    for sign in others:
        found = f"replace({found}, '{sign}', '{start}{sign}')"
    test = " OR ".join(f"contains({text}, '{sign}')" for sign in others)
    return f"CASE WHEN {test} THEN {found} ELSE {plain} END"


def _own_letters(rule: Rule) -> str:
    """Both cases of those beyond ASCII, in a set of a regular expression."""
    ranges = [(low, high) for low, high in own_letters(rule)]
    ranges += [(low.upper(), high.upper()) for low, high in ranges if low != low.upper()]
    return "".join(f"{low}-{high}" for low, high in ranges)


def _behind(text: str, start: str, signs: str) -> str:
    """Each of the signs behind what stands before it in a key."""
    return f"regexp_replace({text}, '[{_in_set(signs)}]', '{start}\\0', 'g')"


def _with_last(text: str, start: str, signs: str, last: Mapping[str, str]) -> str:
    """The letters without the signs that count last, and these among the letters."""
    letters, whole = text, _behind(text, start, signs)
    for sign, weight in last.items():
        whole = f"replace({whole}, {quote_literal(sign)}, '{weight}')"
        letters = f"replace({letters}, {quote_literal(sign)}, '')"
    return f"concat({_behind(letters, start, signs)}, '{LEVEL * 3}', {whole})"


def _cased_order(text: str, rule: Rule, other: str) -> str:
    """Where case counts: the key of small letters, but for the first, beside the signs that sort by themselves."""
    first = f"left({text}, 1)"
    small = without_blanks(text)
    if rule.kind == CODE_PAGE:
        rest = f"substring({small}, 2)"
        capital = f"lower({small}) || chr(1) || lower({first}) || upper({rest})"
        small = f"{small} || chr(1) || upper({small})"
    else:
        capital = f"lower({small}) || chr(1) || chr(1) || chr(3)"
    test = f"regexp_matches({text}, '^[A-Z]?[a-z0-9{_own_signs(rule)}]*$')"
    return f"CASE WHEN NOT {test} THEN {other} WHEN ascii({text}) BETWEEN 65 AND 90 THEN {capital} ELSE {small} END"


def beyond_own_order(text: str, rule: Rule) -> str:
    """Whether a text has characters that do not sort by themselves: SQL that is true or false."""
    return f"regexp_matches({text}, '[^A-Za-z0-9{_own_signs(rule)}]')"


def _own_signs(rule: Rule) -> str:
    """In a set of a regular expression: those that sort by themselves, whether case counts or not."""
    characters = own_order(replace(rule, case=True))
    return _in_set("".join(character for character in characters if not character.isalnum()))


def _in_set(signs: str) -> str:
    """ASCII in a set of a regular expression."""
    return "".join(f"\\x{ord(sign):02x}" for sign in signs)


def _known(value: Typed, key: Callable[[str], str]) -> str | None:
    """The key of a constant of the text."""
    if not value.is_literal or value.constant is None:
        return None
    text = value.constant.run(None)
    return None if text is None else text_literal(key(text))


def _of_branches(value: Typed, key: Callable[[str], str], *, is_alone: bool = False) -> str | None:
    """The key of a CASE of literals: that of each in its place. If it `is_alone`, nothing else is compared with it:
    then literals of which none is equal to another are keys themselves."""
    chosen = value.chosen
    if chosen is None or chosen.of != value.sql:
        return None
    keys = [_known(branch, key) or branch.sql for branch in chosen.values]
    if is_alone and len(set(keys)) == len({branch.sql for branch in chosen.values}):
        return value.sql
    return case_text(chosen.tests, keys)


def is_plain(text: str, rule: Rule) -> str:
    """Whether each character is equal to itself and its other case alone: SQL that is true or false."""
    return plain_text(text) if rule.folds_plainly else f"strlen({text}) = length({text})"


def _has_late_units(text: str) -> str:
    """Whether a character stands behind the halves of pairs, or is made of two: its order is not that of its UTF-8."""
    return f"regexp_matches({text}, '[\\x{{E000}}-\\x{{10FFFF}}]')"
