"""Native forms of text functions.

National text counts UTF-16 units, and DuckDB characters: so text with pairs of units is odd. Where texts are compared,
more than one spelling may be equal beyond ASCII: such text is odd there, but for text of a code page that a collation
compares letter by letter, and for the plain characters of the usual rule. What is equal is not decided here, but by
`grammar.values.collation`.
"""

from __future__ import annotations

from typing import Any, Final

from sbql.catalog.duck_types import duck_type
from sbql.engine.functions.text_building import QUOTES
from sbql.engine.native.forms import (
    UNKNOWN,
    Call,
    Form,
    Forms,
    Maker,
    Row,
    any_of,
    beyond,
    beyond_ascii,
    has_pairs,
    in_form,
    not_between,
)
from sbql.engine.tables.comparison_keys import odd_text
from sbql.engine.tables.typed_sql import text_literal
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.collation import BINARY, CODE_PAGE, Rule, is_case_sensitive, rule_of
from sbql.grammar.values.kinds import code_page, is_national, is_utf8, is_wide, kind
from sbql.grammar.values.like_regex import alphabet_for, regex_pattern

__all__ = ["TEXTS"]


def _wide(call: Call, *positions: int) -> str:
    """The condition that one of these arguments has characters that count more than once."""
    return " OR ".join(
        beyond_ascii(f"{{{i}}}") if is_utf8(call.types[i]) else has_pairs(f"{{{i}}}")
        for i in positions
        if is_national(call.types[i]) or is_utf8(call.types[i])
    )


def _too_long(call: Call, *positions: int) -> str:
    """The condition that these texts one after the other may be longer than the result, by bytes, of which there are
    at least as many as characters. Empty where their types tell."""
    lengths, longest = [call.longest[i] for i in positions], call.result.length
    if longest == MAX or (None not in lengths and sum(length or 0 for length in lengths) <= (longest or 0)):
        return ""
    return " + ".join(f"coalesce(strlen({{{i}}}), 0)" for i in positions) + f" > {longest}"


def _is_old(sql_type: SqlType) -> bool:
    """text and ntext; a binary string has other functions."""
    return sql_type.name in ("text", "ntext") or kind(sql_type) != "string"


_COUNT: Final = 2_000_000_000
"""Characters that a text may have."""


def _left(call: Call) -> Form | None:
    """Of a column of few values DuckDB computes substring() once for each, but left() for each row."""
    if _is_old(call.types[0]):
        return None
    return Form("substring({0}, 1, {1})", any_of(not_between(call, 1, 0, _COUNT), _wide(call, 0)))


def _right(call: Call) -> Form | None:
    if _is_old(call.types[0]):
        return None
    return Form("right({0}, {1})", any_of(not_between(call, 1, 0, _COUNT), _wide(call, 0)))


def _substring(call: Call) -> Form | None:
    """A start before 1 eats into the length: Python's."""
    if _is_old(call.types[0]):
        return None
    return Form(
        "substring({0}, {1}, {2})",
        any_of(not_between(call, 1, 1, _COUNT), not_between(call, 2, 0, _COUNT), _wide(call, 0)),
    )


def _trimmed(function: str, *blanks: str) -> Form:
    """DuckDB looks at each character of a text that it trims; most have nothing to lose.
    `blanks`: patterns of those that have."""
    trimmed, has_any = f"{function}({{0}}, ' ')", " OR ".join(f"{{0}} LIKE '{pattern}'" for pattern in blanks)
    return Form(f"(CASE WHEN {has_any} THEN {trimmed} ELSE {{0}} END)", once=trimmed)


def _trimmed_of(call: Call) -> Form | None:
    """Without characters that are named: of ASCII they are the same as units and in any code page."""
    side = call.values[2] if len(call.values) > 2 else "BOTH"
    if not isinstance(side, str) or _is_old(call.types[0]) or _is_old(call.types[1]):
        return None
    function = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(side.upper(), "trim")
    return Form(f"{function}({{0}}, {{1}})", _beyond_if_unknown(call, 1))


def _trimmed_at(function: str) -> Maker:
    """LTRIM and RTRIM of characters."""

    def form(call: Call) -> Form | None:
        if _is_old(call.types[0]) or _is_old(call.types[1]):
            return None
        return Form(f"{function}({{0}}, {{1}})", _beyond_if_unknown(call, 1))

    return form


def _beyond_if_unknown(call: Call, position: int) -> str:
    """The condition that an argument has characters beyond ASCII, if it is not known to have none."""
    return "" if _is_ascii(call, position) else beyond_ascii(f"{{{position}}}")


def _rule(call: Call) -> Rule:
    """How the first two texts compare."""
    both = call.types[:2]
    return rule_of(next((t.collation for t in both if t.collation), None), any(map(is_national, both)))


def _unequal(rule: Rule, call: Call, *positions: int) -> str:
    """The condition that one of these texts may have characters that are equal to others or are no units."""
    is_exact = rule.kind == BINARY or rule.kind == CODE_PAGE and not rule.accent
    if is_exact and not any(is_national(t) for t in call.types[:2]):
        return ""
    if rule.folds_plainly:
        odd = in_form(odd_text("operand"))
        return " OR ".join(odd.replace("operand", f"{{{i}}}") for i in positions if not _is_ascii(call, i))
    return " OR ".join(beyond_ascii(f"{{{i}}}") for i in positions if not _is_ascii(call, i))


def _is_ascii(call: Call, position: int) -> bool:
    value = call.values[position]
    return isinstance(value, str) and value.isascii()


def _if_empty(call: Call, position: int) -> str:
    """The condition that a text is empty, if it is not known to have something."""
    value = call.values[position]
    return "" if isinstance(value, str) and value else f"{{{position}}} = ''"


def _has_letters(value: Any) -> bool:
    return value is UNKNOWN or not isinstance(value, str) or not value.isascii() or value.lower() != value.upper()


def _charindex(call: Call) -> Form | None:
    """Two arguments: what is looked for comes first."""
    if _is_old(call.types[0]) or _is_old(call.types[1]):
        return None
    rule = _rule(call)
    folds = rule.case and _has_letters(call.values[0])
    found = "strpos(lower({1}), lower({0}))" if folds else "strpos({1}, {0})"
    return Form(f"CAST({found} AS {_place(call)})", any_of(_if_empty(call, 0), _unequal(rule, call, 0, 1)))


def _charindex_from(call: Call) -> Form | None:
    """With a start, before the first character too."""
    whole = _charindex(call)
    if whole is None:
        return None
    begin = "(CASE WHEN {2} < 1 THEN 1 ELSE {2} END)"
    found = whole.sql.replace("{1}", f"substring({{1}}, {begin})")
    sql = f"invoke(lambda p, b: CASE WHEN p = 0 THEN p ELSE CAST(p + b - 1 AS {_place(call)}) END, {found}, {begin})"
    return Form(sql, any_of(whole.odd, f"{{2}} > {_COUNT}"))


def _place(call: Call) -> str:
    """The type of a place in the second argument."""
    return "BIGINT" if call.types[1].length == MAX else "INTEGER"


def _stuff(call: Call) -> Form | None:
    if _is_old(call.types[0]) or _is_old(call.types[3]):
        return None
    pieces = ["left({0}, {1} - 1)", "{3}", "substring({0}, {1} + {2})"]  # concat takes NULL for nothing
    if call.values[1] == 1:
        del pieces[0]
    sql = f"(CASE WHEN {{1}} BETWEEN 1 AND length({{0}}) AND {{2}} >= 0 THEN concat({', '.join(pieces)}) END)"
    far = [not_between(call, i, -_COUNT, _COUNT // 2) for i in (1, 2)]
    wide = _wide(call, 0) if _is_ascii(call, 3) else _wide(call, 0, 3)
    return Form(sql, any_of(*far, _too_long(call, 0, 3), wide))


def _quotename(call: Call) -> Form | None:
    quote = call.values[1] if len(call.values) > 1 else "["
    pair = QUOTES.get(quote[:1] or "[") if isinstance(quote, str) else None
    if pair is None:
        return None
    first, last = (in_form(text_literal(sign)) for sign in pair)
    doubled = f"replace({{0}}, {last}, {in_form(text_literal(pair[1] * 2))})"
    length = call.types[0].length
    # Of a column of few values DuckDB computes this once for each, but a CASE for each row.
    quoted = f"({first} || {doubled} || {last})"
    if length is not None and 0 < length <= _LONGEST_NAME:
        return Form(quoted, signs=frozenset(pair))
    sql = f"CASE WHEN strlen({{0}}) <= {_LONGEST_NAME} THEN {quoted} END"
    return Form(sql, f"strlen({{0}}) > {_LONGEST_NAME} AND length({{0}}) <= {_LONGEST_NAME}", signs=frozenset(pair))


_LONGEST_NAME: Final = 128


def _datalength(call: Call) -> Form | None:
    """The bytes of what is stored: one for a character of a code page, two for a unit."""
    sql_type = call.types[0]
    goal = duck_type(call.result)
    if kind(sql_type) == "binary":
        return Form(f"CAST(octet_length({{0}}) AS {goal})")
    if not is_national(sql_type) and code_page(sql_type).counts_bytes:
        return None
    if is_national(sql_type):
        return Form(f"CAST(2 * length({{0}}) AS {goal})", has_pairs("{0}"))
    return Form(f"CAST(length({{0}}) AS {goal})")


_DIGESTS: Final = {"MD5": "md5", "SHA": "sha1", "SHA1": "sha1", "SHA2_256": "sha256"}


def _hashbytes(call: Call) -> Form | None:
    """Of bytes that a text of a code page has in DuckDB, too; of national text each has a zero behind it."""
    algorithm = call.values[0]
    digest = _DIGESTS.get(algorithm.strip().upper()) if isinstance(algorithm, str) else None
    if digest is None or _is_old(call.types[1]):
        return None
    units = "list_aggregate(string_split({1}, ''), 'string_agg', chr(0)) || chr(0)"
    given = f"(CASE WHEN {{1}} = '' THEN '' ELSE {units} END)" if is_national(call.types[1]) else "{1}"
    return Form(f"unhex({digest}({given}))", beyond_ascii("{1}"))


def _patindex(call: Call) -> Form | None:
    """The pattern comes first: one that is known is a regular expression, before which stands what it did not need."""
    pattern = call.values[0]
    if _is_old(call.types[0]) or _is_old(call.types[1]) or not isinstance(pattern, str):
        return None
    if pattern.startswith("%%") or pattern in ("", "%"):
        return None
    collation = next((t.collation for t in call.types[:2] if t.collation), None)
    national = any(map(is_national, call.types[:2]))
    alphabet = alphabet_for(pattern, None, collation, is_national=national, is_wide=is_wide(call.types[1]))
    found = regex_pattern(pattern, None, collation, alphabet, is_national=national)
    if found is None or found.body is None:
        return None
    plain, odd = pattern[1:-1], beyond(alphabet, "{1}")
    if found.is_open_before and found.is_open_after and plain.isascii() and not set(plain) & set("%_["):
        folds = _rule(call).case
        wanted = in_form(text_literal(plain.lower() if folds else plain))
        return Form(f"CAST(strpos({'lower({1})' if folds else '{1}'}, {wanted}) AS {_place(call)})", odd)
    before, after = ".*?" if found.is_open_before else "", "" if found.is_open_after else r"\z"
    if found.size:
        regex = in_form(text_literal(rf"(?s)\A{before}{found.body}{after}"))
        end = f"CASE WHEN p = '' THEN 0 ELSE length(p) - {found.size - 1} END"
        return Form(f"invoke(lambda p: CAST({end} AS {_place(call)}), regexp_extract({{1}}, {regex}))", odd)
    regex = in_form(text_literal(rf"(?s)\A({before}){found.body}{after}"))
    place = f"CASE WHEN regexp_matches({{1}}, {regex}) THEN length(regexp_extract({{1}}, {regex}, 1)) + 1 ELSE 0 END"
    return Form(f"CASE WHEN {{1}} IS NOT NULL THEN CAST({place} AS {_place(call)}) END", odd)


def _replace(call: Call) -> Form | None:
    """What has letters is found in whatever case by a regular expression. Where the result may be longer than its type,
    which cuts it, is Python's."""
    rule = _rule(call)
    wanted = call.values[1]
    folds = rule.case and _has_letters(wanted)
    if any(map(_is_old, call.types)) or (folds and isinstance(wanted, str) and not wanted.isascii()):
        return None
    odd = any_of(_if_empty(call, 1), _unequal(rule, call, 0, 1), "" if _is_ascii(call, 2) else _wide(call, 2))
    if call.result.length != MAX:
        longest = call.result.length or 1
        if MAX in (call.types[0].length, call.types[2].length) or (call.types[0].length or 0) > longest // max(
            call.types[2].length or 1, 1
        ):
            odd = any_of(odd, f"strlen({{0}}) * greatest(strlen({{2}}), 1) > {longest}")
    if folds:
        return Form(_replaced(wanted, call.values[2]), odd) if isinstance(wanted, str) else _replaced_by_rows(odd)
    return Form("replace({0}, {1}, {2})", odd)


def _replaced(wanted: str, new: Any) -> str:
    """What is wanted is mostly spelt alike in one text: so it is replaced as the statement spells it, and else as it
    stands there first. What then is still there in another case, or overlapped what was replaced, is found by a
    regular expression, which takes five times as long."""
    spelt = in_form(text_literal(wanted))
    regex = text_literal("(?i)" + "".join(rf"\x{ord(character):02x}" for character in wanted))
    small, size = in_form(text_literal(wanted.lower())), len(wanted)
    if size == 1 and isinstance(new, str):
        # A letter in both cases, that of which the new text has none first: nothing is replaced twice.
        cases = [wanted.lower(), wanted.upper()]
        if cases[1] in new:
            cases.reverse()
        if cases[1] not in new:
            first, second = (in_form(text_literal(one)) for one in cases)
            return f"replace(replace({{0}}, {first}, {{2}}), {second}, {{2}})"
    slow = f"regexp_replace(t, {regex}, replace(b, '\\', '\\\\'), 'g')"
    if any(wanted[:end].lower() == wanted[-end:].lower() for end in range(1, size)):
        return f"invoke(lambda t, b: CASE WHEN contains(lower(t), {small}) OR b IS NULL THEN {slow} ELSE t END, {{0}}, {{2}})"
    found = f"invoke(lambda f: CASE WHEN contains(lower(f), {small}) THEN {slow} ELSE f END, replace(t, substring(t, p, {size}), b))"
    place = f"strpos(lower({{0}}), {small})"
    known = f"invoke(lambda t, b, p: CASE WHEN p = 0 AND b IS NOT NULL THEN t ELSE {found} END, {{0}}, {{2}}, {place})"
    if not isinstance(new, str) or wanted.lower() in new.lower():
        return known
    again = f"CASE WHEN contains(lower(g), {small}) THEN {known} ELSE g END"
    return f"invoke(lambda g: {again}, replace({{0}}, {spelt}, {{2}}))"


def _replaced_by_rows(odd: str) -> Form:
    """What each row wants: signs and digits, what is not there, or what all the text spells as it is wanted. Where the
    first letter comes again, one place may overlap another: Python's."""
    found = "invoke(lambda f: CASE WHEN contains(lower(f), small) THEN NULL ELSE f END, replace(t, w, b))"
    again = "contains(substring(small, 2), left(small, 1))"
    sought = f"CASE WHEN NOT contains(lower(t), small) THEN t WHEN {again} THEN NULL ELSE {found} END"
    known = f"CASE WHEN small = upper(w) THEN replace(t, w, b) ELSE {sought} END"
    sql = f"invoke(lambda t, w, b, small: CASE WHEN b IS NOT NULL THEN {known} END, {{0}}, {{1}}, {{2}}, lower({{1}}))"
    return Form(f"CASE WHEN {odd} THEN NULL ELSE {sql} END", misses=True)


def _string_escape(call: Call) -> Form | None:
    """Control characters are Python's."""
    if not isinstance(call.values[1], str) or call.values[1].lower() != "json":
        return None
    found = "{0}"
    for sign in '\\"/':
        found = f"replace({found}, '{sign}', '\\{sign}')"
    return Form(found, "regexp_matches({0}, '[\\x00-\\x1f]')")


def _translate(call: Call) -> Form | None:
    """Signs that the statement names, letters in either case where the collation knows none."""
    old, new = call.values[1:]
    if _is_old(call.types[0]) or not isinstance(old, str) or not isinstance(new, str):
        return None
    if len(old) != len(new) or not (old + new).isascii():
        return None
    table: dict[str, str] = {}
    for wanted, other in zip(old, new, strict=True):
        for sign in (
            (wanted,) if is_case_sensitive(call.types[0].collation) else (wanted, wanted.lower(), wanted.upper())
        ):
            table.setdefault(sign, other)
    first, second = (in_form(text_literal("".join(signs))) for signs in (table, table.values()))
    return Form(f"translate({{0}}, {first}, {second})")


def _replicate(call: Call) -> Form | None:
    """A few of one sign are a piece of many, which takes a third of the time."""
    longest = 4000 if is_national(call.types[0]) else 8000
    if _is_old(call.types[0]):
        return None
    value, repeated = call.values[0], "repeat({0}, {1})"
    if isinstance(value, str) and len(value) == 1 and value.isascii() and value.isprintable():
        several = in_form(text_literal(value * _FEW))
        odd = f"{{1}} < 0 OR {{1}} > {longest}"
        return Form(repeated, odd, when=f"{{1}} BETWEEN 0 AND {_FEW}", quick=f"substring({several}, 1, {{1}})")
    too_long = f"{{1}} > {longest} OR strlen({{0}}) * {{1}} > {longest}"
    return Form(repeated, any_of("{1} < 0", too_long, _wide(call, 0)))


_FEW: Final = 50
"""Of one sign that is repeated."""


def _concat(call: Call) -> Form | None:
    """NULL counts as empty. Where lengths add up to more than the type has, the text is cut."""
    if any(map(_is_old, call.types)) or len(call.types) > 20:
        return None
    joined, places = f"concat({_places(0, call)})", range(len(call.types))
    if not _too_long(call, *places):
        return Form(joined, signs=_signs(call))
    return Form(f"left({joined}, {call.result.length})", _wide(call, *places), signs=_signs(call))


def _concat_ws(call: Call) -> Form | None:
    """NULL is left out, and as a separator empty. No text is cut: one that may be too long is Python's."""
    if any(map(_is_old, call.types)) or len(call.types) > 20:
        return None
    separators = [0] * (len(call.types) - 3)  # one more is among all arguments
    odd = _too_long(call, *range(len(call.types)), *separators)
    separator = "{0}" if isinstance(call.values[0], str) else "coalesce({0}, '')"
    return Form(f"concat_ws({separator}, {_places(1, call)})", odd, signs=_signs(call))


def _places(first: int, call: Call) -> str:
    return ", ".join(f"{{{i}}}" for i in range(first, len(call.types)))


def _signs(call: Call) -> frozenset[str]:
    """Those of the literals, which the texts have."""
    return frozenset("".join(value for value in call.values if isinstance(value, str)))


def _parsename(call: Call) -> Form | None:
    """Names without delimiters; a list may be counted from its end."""
    piece = call.values[1]
    if _is_old(call.types[0]) or not isinstance(piece, int) or not 1 <= piece <= 4:
        return None
    found = f"CASE WHEN len(p) <= 4 AND strlen(p[1]) <= {_LONGEST_NAME} THEN nullif(p[-{piece}], '') END"
    long = f"strlen({{0}}) > {_LONGEST_NAME} AND (contains({{0}}, '.') OR length({{0}}) <= {_LONGEST_NAME})"
    return Form(f"invoke(lambda p: {found}, string_split({{0}}, '.'))", f"regexp_matches({{0}}, '[][\"]') OR {long}")


TEXTS: Final[Forms] = {
    "LEFT": (Row("string int", _left),),
    "RIGHT": (Row("string int", _right),),
    "SUBSTRING": (
        Row("string int int", _substring),
        Row("binary int int", Form("unhex(substring(hex({0}), 2 * {1} - 1, 2 * {2}))", f"{{1}} < 1 OR {{2}} < 0 OR {{1}} > {_COUNT // 4} OR {{2}} > {_COUNT // 4}")),
    ),
    "STRING_ESCAPE": (Row("string string", _string_escape),),
    "LTRIM": (Row("string", _trimmed("ltrim", " %")), Row("string string", _trimmed_at("ltrim"))),
    "RTRIM": (Row("string", _trimmed("rtrim", "% ")), Row("string string", _trimmed_at("rtrim"))),
    "TRIM": (Row("string", _trimmed("trim", " %", "% ")), Row("string string", _trimmed_of), Row("string string string", _trimmed_of)),
    "CHARINDEX": (Row("string string", _charindex), Row("string string int", _charindex_from)),
    "STUFF": (Row("string int int string", _stuff),),
    "QUOTENAME": (Row("string", _quotename), Row("string string", _quotename)),
    "DATALENGTH": (Row("string|binary", _datalength),),
    "HASHBYTES": (Row("string string", _hashbytes),),
    "PATINDEX": (Row("string string", _patindex),),
    "REPLACE": (Row("string string string", _replace),),
    "TRANSLATE": (Row("string string string", _translate),),
    "REPLICATE": (Row("string int", _replicate),),
    "CONCAT": (Row("string ...", _concat),),
    "CONCAT_WS": (Row("string ...", _concat_ws),),
    "PARSENAME": (Row("string int", _parsename),),
    "SPACE": (Row("int", Form("repeat(' ', {0})", "{0} < 0 OR {0} > 8000")),),
}  # fmt: skip
"""Functions to their forms."""
