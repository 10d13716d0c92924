"""Native forms of the functions of JSON: ISJSON, JSON_VALUE, JSON_QUERY, JSON_PATH_EXISTS, JSON_MODIFY.

DuckDB reads more than JSON (a comma at the end, NaN), nests deeper, and writes what it has found anew: blanks, numbers
and escapes are its own. So a text with more than JSON may have is odd. A scalar is a string, a word, a whole number, or
a number that is read again where it is written; a piece is given if it stands in the text as DuckDB writes it. Where
that is, is known of a member whose name stands there but once. Half a pair as an escape is no JSON to DuckDB: what it
cannot read, Python reads. The path is one that the statement names.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from sbql.catalog.duck_types import quote_literal
from sbql.engine.native.forms import UNKNOWN, Call, Form, Forms, Row, in_form
from sbql.engine.native.json_texts import json_string
from sbql.grammar.errors import SqlError
from sbql.grammar.values.json_text import MAX_DEPTH, parse_path
from sbql.grammar.values.kinds import kind

__all__ = ["BLANKS", "JSON", "first_sign", "is_odd"]


def _text(text: str) -> str:
    return in_form(quote_literal(text))


def _any(*pieces: str) -> str:
    return " OR ".join(f"contains({{0}}, '{piece}')" for piece in pieces)


_SPACE: Final = r"[ \t\r\n]*"
_COMMA: Final = f"regexp_matches({{0}}, {_text(f',{_SPACE}[]}}]')})"
_NUMBER: Final = f"regexp_matches({{0}}, {_text(f'[:,[]{_SPACE}-?[iInN][nNaA]')})"
_SPELT: Final = ("nan", "Na", "NA", "nA", "aN", "inf", "In", "IN", "iN", "nF")
"""One of them is in each word that DuckDB takes for a number, in whatever case. To look for them takes a quarter of
what a regular expression or lower() does."""
_MAYBE_SPELT: Final = f"{_any('nan', *'NAF')} OR CASE WHEN {_any('f')} THEN {_any('inf', 'I')} ELSE false END"
"""True for a text with one of them. A character is looked for as fast as memory is read, and few texts need more."""
_OPENED: Final = " + ".join(f"strlen({{0}}) - strlen(replace({{0}}, '{sign}', ''))" for sign in ("[", "{{"))
_ODD: Final = (
    f"{_COMMA} OR CASE WHEN {_MAYBE_SPELT} THEN CASE WHEN {_any(*_SPELT)} THEN {_NUMBER} ELSE false END ELSE false END "
    f"OR CASE WHEN strlen({{0}}) > {2 * MAX_DEPTH} THEN {_OPENED} > {MAX_DEPTH} ELSE false END"
)
"""True for a text that may not be what DuckDB takes it for: with a comma at the end, an infinity or NaN, if only
in a string, or nested too deeply."""

BLANKS: Final = _text(" \t\r\n")
_FIRST: Final = f"ascii(ltrim({{0}}, {BLANKS}))"
_CONTAINER: Final = f"CASE WHEN ascii({{0}}) IN (91, 123) THEN true ELSE {_FIRST} IN (91, 123) END"
_LONGEST: Final = 4000


def _opens(text: str) -> str:
    """Whether a text begins as an object or array, told by comparisons: they take half of what ascii() does."""
    return f"{text} >= '[' AND ({text} < '\\' OR {text} >= '{{{{' AND {text} < '|')"


def is_odd(text: str) -> str:
    """Whether a text may not be what DuckDB takes it for."""
    return _ODD.format(text)


def first_sign(text: str) -> str:
    """The code of the first character behind blanks."""
    return f"CASE WHEN ascii({text}) IN (91, 123) THEN ascii({text}) ELSE {_FIRST.format(text)} END"


class _Way(Struct, frozen=True):
    """A path in SQL: as DuckDB has it, the last name in quotes (NULL for an index, empty where that is
    known), when it is strict, and which paths are odd. `levels` are the conditions that it has one step, and
    that it may have the name put in."""

    path: str
    name: str
    strict: str
    odd: str = ""
    single: str = "true"
    is_append: bool = False
    end: str = ""


_PLAIN_PATH: Final = r"^(?:lax |strict )?\$(?:\.[A-Za-z_][A-Za-z_0-9]*|\[[0-9]{1,9}\])+$"
"""A path that DuckDB reads as SQL Server does, behind its word."""
_PATH_OF_ONE: Final = r"^(?:lax |strict )?\$\.[A-Za-z_0-9]+$"
"""Of those the paths of one name."""


def _way(call: Call) -> _Way | None:
    """The path of a call: one that the statement names, if DuckDB reads each of its
    names as it stands, or what {1} says."""
    given = call.values[1] if len(call.values) > 1 else "$"
    if given is UNKNOWN:
        return _ROW
    if not isinstance(given, str) or len(given) > 300:
        return None
    try:
        path = parse_path(given)
    except SqlError:
        return None
    names = [step for step in path.steps if isinstance(step, str)]
    if not all(name and name.isascii() and name.isprintable() and not set(name) & set('"\\') for name in names):
        return None
    if not all(isinstance(step, str) or step < 2**31 for step in path.steps):
        return None
    steps = "".join(f'."{step}"' if isinstance(step, str) else f"[{step}]" for step in path.steps)
    last = path.steps[-1] if path.steps else 0
    return _Way(
        _text(f"${steps}") if steps else "",
        _text(f'"{last}"') if isinstance(last, str) else "",
        "true" if path.is_strict else "false",
        end=_text(f'{last}"'),
        single="true" if len(path.steps) == 1 else "false",
        is_append=path.append,
    )


_ROW: Final = _Way(
    "CASE WHEN ascii(p) = 36 THEN p ELSE substring(p, strpos(p, '$')) END",
    "'\"' || w",
    "ascii(p) = 115",
    f"NOT regexp_matches(p, {_text(_PLAIN_PATH)})",
    f"regexp_matches(p, {_text(_PATH_OF_ONE)})",
    end="CASE WHEN p LIKE '$.%' AND p NOT LIKE '$.%.%' AND NOT contains(p, '[') THEN substring(p, 3) || '\"' "
    f"WHEN right(p, 1) <> ']' THEN regexp_extract(p, {_text('[A-Za-z_0-9]+$')}) || '\"' END",
)
"""The path of the row, p, of which w is the end."""


def _over(way: _Way, text: str, more: str = "", operands: str = "") -> str:
    """`text` over t, the text, and p, the path if it is the row's, for rows that are not odd; `more`
    names and gives other variables."""
    odd = _ODD.replace("{0}", "t")
    if way.odd:
        names, values, odd = f"t, p{more}", f"{{0}}, {{1}}{operands}", f"{way.odd} OR {odd}"
    else:
        names, values = f"t{more}", f"{{0}}{operands}"
    return f"invoke(lambda {names}: CASE WHEN {odd} THEN NULL ELSE {text} END, {values})"


def _boxed(way: _Way, branches: str) -> Form:
    """`branches` over v, what DuckDB finds at the path. What has no branch is NULL by a lax
    path, and Python's by a strict one."""
    found = f"CASE WHEN v IS NULL THEN NULL WHEN v = '' THEN {_missing(way)} {branches} ELSE {_none(way)} END"
    return Form(_over(way, f"invoke(lambda v: {found}, {_piece(way)})"), misses=True, boxed=True)


def _none(way: _Way) -> str:
    return f"CASE WHEN {way.strict} THEN NULL ELSE struct_pack(v := NULL::VARCHAR) END"


def _missing(way: _Way) -> str:
    """What there is of a path that leads nowhere in a text that DuckDB can read."""
    return f"CASE WHEN {_CONTAINER.replace('{0}', 't')} THEN {_none(way)} END"


def _piece(way: _Way) -> str:
    """What DuckDB finds in the text t, empty for nothing, NULL for a text that it cannot read. TRY takes no
    aggregates: t is the variable of a lambda."""
    return f"TRY(coalesce(CAST(json_extract(t, {way.path}) AS VARCHAR), ''))"


_NOTHING: Final = "chr(1)"
"""What no string has, unless as an escape."""


def _json_value(call: Call) -> Form | None:
    """DuckDB gives a string as it is, and all else as it writes it: what may be either is asked for its type, and a
    number that it may write in another way is read in the text."""
    way = _way(call)
    if way is None or way.is_append or not way.path:
        return None
    one = "struct_pack(v := x)"
    is_text = f"json_type(t, {way.path}) = 'VARCHAR'"
    ambiguous = f"CASE WHEN {is_text} THEN {one} END"
    number = _number(way, one, ambiguous) if way.name else ambiguous
    rewritten = "contains(x, '.') OR contains(x, 'e') OR x = '0' AND contains(t, '-0')"
    value = (
        f"CASE WHEN x IS NULL OR strlen(x) > {_LONGEST} OR {_ESCAPES} THEN NULL WHEN x = {_NOTHING} THEN {_missing(way)} "
        f"WHEN x < ':' AND x >= '-' AND ({rewritten}) THEN {number} "
        f"WHEN {_opens('x')} THEN CASE WHEN {is_text} THEN {one} ELSE {_none(way)} END ELSE {one} END"
    )
    inner = f"invoke(lambda x: {value}, TRY(coalesce(json_extract_string(t, {way.path}), {_NOTHING})))"
    return Form(_over(way, inner), misses=True, boxed=True)


_ESCAPES: Final = (
    r"CASE WHEN contains(t, '\u') THEN contains(t, '\u000') OR contains(t, '\u001') OR contains(lower(t), '\udbf') "
    "ELSE false END"
)
"""Whether there may be escapes for a control character, or for a character that holds half a pair in texts."""


_AROUND: Final = _text(": ]} \t\r\n")


def _number(way: _Way, one: str, other: str) -> str:
    """The number at a path; `one` for a string, and `other` where it is not known. Up to a comma a number is followed
    by brackets and blanks alone: where there are none, a digit stands before the comma."""
    is_alone = "substring(s[2], strpos(s[2], ',') - 1, 1) BETWEEN '0' AND '9' AND s[2] >= ':!'"
    cut = f"CASE WHEN {is_alone} THEN substring(s[2], 2, strpos(s[2], ',') - 2) ELSE trim(string_split(s[2], ',')[1], {_AROUND}) END"
    number = f"n < ':' AND n >= '-' AND strlen(n) <= {_LONGEST}"
    part = f"invoke(lambda s: CASE WHEN len(s) = 2 AND {_SPELT_OUT} THEN {cut} END, {_parts(way)})"
    found = f"CASE WHEN {number} THEN struct_pack(v := n) WHEN ascii(n) = 34 THEN {one} ELSE {other} END"
    return _named(way, f"invoke(lambda n: {found}, {part})")


def _behind(way: _Way, text: str) -> str:
    """`text` over r, what stands behind the only name in the text t: NULL where it may be written in another way, or
    there may be more than one."""
    rest = f"invoke(lambda s: CASE WHEN len(s) = 2 THEN s[2] END, {_parts(way)})"
    return _named(way, f"invoke(lambda r: {text}, CASE WHEN {_SPELT_OUT} THEN {rest} END)")


_SPELT_OUT: Final = "NOT contains(t, '\\u')"
"""A name of letters and digits that is in the text is written as it is: no other escape stands for one of these. What
is found once, and is there for DuckDB, is therefore the name and no part of a string."""


def _as_written(text: str) -> str:
    """`text` over a, how the value v that DuckDB finds is written in r, the text from its name on: as DuckDB writes it,
    or with a blank behind commas and colons, as Python's json does; of numbers the digits. NULL where it is written in
    yet another way. Brackets that match end a value: what begins with one of these spellings is it."""
    spaced = "replace(replace(v, '\":', '\": '), ',', ', ')"
    inside = in_form("replace(replace(replace(replace(v, '\":', '\": '), ',\"', ', \"'), ',{', ', {'), ',[', ', [')")
    number = f"nullif(regexp_extract(r, {_text('^: ?(-?[0-9.eE+-]+)')}, 1), '')"
    spelled = f"CASE WHEN {_stands('w1')} THEN w1 WHEN {_stands('w2')} THEN w2 END"
    container = f"invoke(lambda w1, w2: {spelled}, {spaced}, {inside})"
    found = (
        f"CASE WHEN v = '' THEN v WHEN v >= '-' AND v < ':' THEN {number} WHEN {_stands('v')} THEN v "
        f"WHEN {_opens('v')} THEN {container} END"
    )
    return f"invoke(lambda a: {text}, {found})"


def _stands(value: str) -> str:
    """Behind a colon, or a colon and a blank."""
    return f"strpos(r, {value}) IN (2, 3)"


def _parts(way: _Way) -> str:
    """The text t split at the name in quotes. To split takes half of looking for a place and cutting there, where
    DuckDB counts characters. The name is looked for without its first quote: many begin with one, and from the
    first character that is found DuckDB compares byte by byte."""
    end = "w" if way.odd else way.end
    return f"invoke(lambda s: CASE WHEN len(s) = 2 THEN s ELSE string_split(t, {way.name}) END, string_split(t, {end}))"


def _named(way: _Way, text: str) -> str:
    return f"invoke(lambda w: {text}, {way.end})" if way.odd else text


def _json_query(call: Call) -> Form | None:
    way = _way(call)
    if way is None:
        return None
    if not way.path:
        return _WHOLE
    own = "CASE WHEN CAST(json(t) AS VARCHAR) = t THEN struct_pack(v := v) END"

    alike = _as_written(f"CASE WHEN a IS NOT NULL THEN struct_pack(v := a) ELSE {own} END")
    return _boxed(way, f"WHEN {_opens('v')} THEN {_behind(way, alike) if way.name else own}")


_WHOLE: Final = Form(
    f"CASE WHEN {_ODD} THEN NULL WHEN json_valid({{0}}) AND {_CONTAINER} THEN trim({{0}}, {BLANKS}) END", misses=True
)
"""A text that is an object or array, without the blanks around it."""


def _json_path_exists(call: Call) -> Form | None:
    way = _way(call)
    if way is None or way.is_append or not way.path:
        return None
    test = f"TRY(json_exists(t, {way.path}))"
    none = f"WHEN p IS NULL THEN NULL {_NONE}" if way.odd else _NONE
    found = f"CASE WHEN e IS NOT NULL THEN CAST(e AS INTEGER) {none} END"
    return Form(_over(way, f"invoke(lambda e: {found}, {test})"), misses=True)


_NONE: Final = "WHEN NOT contains(t, '\\u') THEN 0"
"""What DuckDB cannot read is no JSON, but for half a pair."""

_KINDS: Final = {
    "": "1",
    "VALUE": "1",
    "SCALAR": "0",
    "OBJECT": "CAST({f} = 123 AS INTEGER)",
    "ARRAY": "CAST({f} = 91 AS INTEGER)",
}
"""What ISJSON says of an object or array, of which {f} is the first character, by the word that it is given."""


def _isjson(call: Call) -> Form | None:
    """Scalars are Python's where they are asked for."""
    word = call.values[1] if len(call.values) > 1 else ""
    if not isinstance(word, str) or word.upper() not in _KINDS:
        return None
    found = _KINDS[word.upper()].replace(
        "{f}", f"CASE WHEN {{0}} LIKE '[%' THEN 91 WHEN {{0}} LIKE '{{{{%' THEN 123 ELSE {_FIRST} END"
    )
    scalar = "NULL" if word.upper() in ("VALUE", "SCALAR") else "0"
    known = f"CASE WHEN {_CONTAINER} THEN {found} ELSE {scalar} END {_NONE.replace('t,', '{0},')}"
    return Form(f"CASE WHEN {_ODD} THEN NULL WHEN json_valid({{0}}) THEN {known} END", misses=True)


def _written(call: Call) -> str | None:
    """The new value as JSON, NULL for NULL, and empty for what Python has to write."""
    if call.is_json:
        return "{2}"
    match kind(call.types[2]):
        case "null":
            return "CAST(NULL AS VARCHAR)"
        case "bit":
            return "CASE WHEN {2} IS NOT NULL THEN CASE WHEN {2} THEN 'true' ELSE 'false' END END"
        case "int" | "decimal" if kind(call.types[2]) == "int" or call.types[2].precision != call.types[2].scale:
            return "CAST({2} AS VARCHAR)"
        case "string":
            return json_string("{2}", "''")
    return None


def _json_modify(call: Call) -> Form | None:
    """A member is changed whose name stands in the text once, or one more put into the whole object."""
    way, new = _way(call), _written(call)
    if way is None or not way.name or new is None:
        return None
    inside = f"trim(substring(t, 2, length(t) - 2), {BLANKS})"
    comma = f"CASE WHEN t LIKE '{{{{\"%' THEN ',' WHEN {inside} = '' THEN '' ELSE ',' END"
    blank = "CASE WHEN r LIKE ': %' THEN substring(r, length(a) + 3) END"

    def changed(name: str) -> str:
        value = "'[' || coalesce(n, 'null') || ']'" if way.is_append else "n"
        added = f"WHEN t LIKE '{{{{%}}}}' THEN left(t, length(t) - 1) || {comma} || {name} || ':' || {value} || '}}}}'"
        kept = "" if way.is_append else "WHEN n IS NULL THEN t"
        missing = f"CASE WHEN {way.strict} OR NOT ({_CONTAINER.replace('{0}', 't')}) THEN NULL {kept} WHEN NOT ({way.single}) THEN NULL {added} END"
        if way.is_append:
            grown = "left(t, length(t) - length(q) - 1) || CASE WHEN a = '[]' THEN '' ELSE ',' END || coalesce(n, 'null') || ']' || q"
            there = f"WHEN ascii(a) <> 91 THEN CASE WHEN NOT {way.strict} THEN t END ELSE {grown}"
        else:
            replaced = "left(t, length(t) - length(q) - length(a)) || coalesce(n, 'null') || q"
            there = f"ELSE CASE WHEN n IS NULL AND NOT {way.strict} THEN {_without(name)} ELSE {replaced} END"
        no_path = " OR p IS NULL" if way.odd else ""
        return f"invoke(lambda q: CASE WHEN n = ''{no_path} OR a IS NULL THEN NULL WHEN a = '' THEN {missing} {there} END, CASE strpos(r, a) WHEN 2 THEN substring(r, length(a) + 2) WHEN 3 THEN {blank} END)"

    inner = f"invoke(lambda v: {_behind(way, _as_written(changed(way.name)))}, {_piece(way)})"
    return Form(_over(way, inner, ", n", f", {new}"), misses=True, takes_nulls=True, strict=(0, 1))


def _without(name: str) -> str:
    """The text without the member of that name: what stands before it, and q behind its value."""
    last = f"CASE WHEN ends_with(g, ',') THEN rtrim(left(g, length(g) - 1), {BLANKS}) || q WHEN ends_with(g, '{{{{') THEN g || b END"
    inner = f"invoke(lambda g: {last}, rtrim(h, {BLANKS}))"
    more = f"WHEN starts_with(b, ',\"') THEN h || substring(b, 2) WHEN starts_with(b, ',') THEN h || ltrim(substring(b, 2), {BLANKS})"
    behind = f"CASE WHEN q >= '!' THEN q ELSE ltrim(q, {BLANKS}) END"
    return (
        f"invoke(lambda h, b: CASE {more} ELSE {inner} END, left(t, length(t) - length(r) - length({name})), {behind})"
    )


JSON: Final[Forms] = {
    "JSON_MODIFY": (Row("string string *", _json_modify),),
    "ISJSON": (Row("string", _isjson), Row("string string", _isjson)),
    "JSON_VALUE": (Row("string string", _json_value),),
    "JSON_QUERY": (Row("string", _json_query), Row("string string", _json_query)),
    "JSON_PATH_EXISTS": (Row("string string", _json_path_exists),),
}
"""Functions to their forms."""
