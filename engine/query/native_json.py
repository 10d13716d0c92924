"""Native forms of the functions of JSON: ISJSON, JSON_VALUE, JSON_QUERY, JSON_PATH_EXISTS, JSON_MODIFY.

DuckDB reads more than JSON (a comma at the end, NaN), nests deeper, and writes what it has found anew: blanks, numbers and escapes are its own. So a text with more
than JSON may have is odd. A scalar is a string, a word, a whole number, or a number that is read again where it is written; a piece is given if it stands in the
text as DuckDB writes it. Where that is, is known of a member whose name stands there but once. Half a pair as an escape is no JSON to DuckDB: what it cannot read,
Python reads. The path is one that the statement names.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import quote_literal
from sbql.engine.query.native import Call, Form, Forms, Row, in_form
from sbql.grammar.errors import SqlError
from sbql.grammar.values.json_text import MAX_DEPTH, JsonPath, parse_path
from sbql.grammar.values.kinds import kind

__all__ = ["JSON"]


def _text(text: str) -> str:
    return in_form(quote_literal(text))


def _any(*pieces: str) -> str:
    return " OR ".join(f"contains({{0}}, '{piece}')" for piece in pieces)


_SPACE: Final = r"[ \t\r\n]*"
_COMMA: Final = f"regexp_matches({{0}}, {_text(f',{_SPACE}[]}}]')})"
_NUMBER: Final = f"regexp_matches({{0}}, {_text(f'[:,[]{_SPACE}-?[iInN][nNaA]')})"
_SPELT: Final = ("nan", "Na", "NA", "nA", "aN", "inf", "In", "IN", "iN", "nF")
"""One of them is in each word that DuckDB takes for a number, in whatever case. To look for them takes a quarter of what a regular expression or lower() does."""
_OPENED: Final = " + ".join(f"strlen({{0}}) - strlen(replace({{0}}, '{sign}', ''))" for sign in ("[", "{{"))
_ODD: Final = (
    f"{_COMMA} OR CASE WHEN {_any('nan', 'inf', *'NAIF')} THEN CASE WHEN {_any(*_SPELT)} THEN {_NUMBER} ELSE false END ELSE false END "
    f"OR CASE WHEN strlen({{0}}) > {2 * MAX_DEPTH} THEN {_OPENED} > {MAX_DEPTH} ELSE false END"
)
"""True for a text that may not be what DuckDB takes it for: with a comma at the end, an infinity or NaN, if only in a string, or nested too deeply."""

_BLANKS: Final = _text(" \t\r\n")
_FIRST: Final = f"ascii(ltrim({{0}}, {_BLANKS}))"
_CONTAINER: Final = f"CASE WHEN ascii({{0}}) IN (91, 123) THEN true ELSE {_FIRST} IN (91, 123) END"
_LONGEST: Final = 4000


def _path(call: Call) -> JsonPath | None:
    """The path that the statement names, if DuckDB reads each of its names as it stands."""
    given = call.values[1] if len(call.values) > 1 else "$"
    if not isinstance(given, str) or len(given) > 300:
        return None
    try:
        path = parse_path(given)
    except SqlError:
        return None
    names = [step for step in path.steps if isinstance(step, str)]
    if not all(name and name.isascii() and name.isprintable() and not set(name) & set('"\\') for name in names):
        return None
    return path if all(isinstance(step, str) or step < 2**31 for step in path.steps) else None


def _duck_path(path: JsonPath) -> str:
    steps = (f'."{step}"' if isinstance(step, str) else f"[{step}]" for step in path.steps)
    return _text(f"${''.join(steps)}")


def _boxed(path: JsonPath, branches: str) -> Form:
    """`branches` over v, what DuckDB finds at the path, and t, the text. What has no branch is NULL by a lax path, and Python's by a strict one."""
    none = "NULL" if path.is_strict else "struct_pack(v := NULL::VARCHAR)"
    missing = f"CASE WHEN json_valid(t) AND {_CONTAINER.replace('{0}', 't')} THEN {none} END"
    found = f"CASE WHEN v IS NULL THEN {missing} {branches} ELSE {none} END"
    sql = f"CASE WHEN {_ODD} THEN NULL ELSE invoke(lambda t: invoke(lambda v: {found}, {_piece(path)}), {{0}}) END"
    return Form(sql, misses=True, boxed=True)


def _piece(path: JsonPath) -> str:
    """What DuckDB finds in the text t, NULL for what it cannot read. TRY takes no aggregates: t is the variable of a lambda."""
    return f"TRY(CAST(json_extract(t, {_duck_path(path)}) AS VARCHAR))"


def _json_value(call: Call) -> Form | None:
    path = _path(call)
    if path is None or not path.steps:
        return None
    plain = "substring(v, 2, length(v) - 2)"
    escaped = r"CASE WHEN NOT contains(v, '\u') THEN struct_pack(v := json_extract_string(v, '$')) END"
    branches = (
        f"WHEN strlen(v) > {_LONGEST} THEN NULL WHEN ascii(v) = 34 THEN CASE WHEN NOT contains(v, '\\') THEN struct_pack(v := {plain}) ELSE {escaped} END "
        "WHEN ascii(v) IN (102, 116) OR ascii(v) < 58 AND NOT regexp_matches(v, '[.eE]|^0') THEN struct_pack(v := v)"
    )
    name = path.steps[-1]
    if isinstance(name, str):
        number = _text(rf"^{_SPACE}:{_SPACE}([-+.0-9eE]+)")
        found = f"CASE WHEN {_stands_once('r', name)} THEN struct_pack(v := regexp_extract(r, {number}, 1)) END"
        branches += f" WHEN ascii(v) < 58 THEN invoke(lambda r: {found}, {_behind(name)})"
    else:
        branches += " WHEN ascii(v) < 58 THEN NULL"
    return _boxed(path, branches)


def _behind(name: str) -> str:
    """What stands behind a name in the text t, NULL for one with escapes."""
    wanted = _text(f'"{name}"')
    return f"CASE WHEN NOT contains(t, '\\') THEN substring(t, strpos(t, {wanted}) + {len(name) + 2}) END"


def _stands_once(rest: str, name: str) -> str:
    return f"NOT contains({rest}, {_text(f'{chr(34)}{name}{chr(34)}')})"


def _json_query(call: Call) -> Form | None:
    path = _path(call)
    if path is None:
        return None
    if not path.steps:
        return _WHOLE
    own = "CASE WHEN CAST(json(t) AS VARCHAR) = t THEN struct_pack(v := v) END"
    if isinstance(path.steps[-1], str):
        name = path.steps[-1]
        alike = "starts_with(r, ':' || v) OR starts_with(r, ': ' || v)"
        own = f"invoke(lambda r: CASE WHEN ({alike}) AND {_stands_once('r', name)} THEN struct_pack(v := v) ELSE {own} END, {_behind(name)})"
    return _boxed(path, f"WHEN ascii(v) IN (91, 123) THEN {own}")


_WHOLE: Final = Form(
    f"CASE WHEN {_ODD} THEN NULL WHEN json_valid({{0}}) AND {_CONTAINER} THEN trim({{0}}, {_BLANKS}) END", misses=True
)
"""A text that is an object or array, without the blanks around it."""


def _json_path_exists(call: Call) -> Form | None:
    path = _path(call)
    if path is None or not path.steps:
        return None
    test = f"TRY(json_exists(t, {_duck_path(path)}))"
    found = f"CASE WHEN e IS NOT NULL THEN CAST(e AS INTEGER) {_NONE} END"
    known = f"invoke(lambda t: invoke(lambda e: {found}, {test}), {{0}})"
    return Form(f"CASE WHEN {_ODD} THEN NULL ELSE {known} END", misses=True)


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


_ESCAPED: Final = _text(r'["\\/\x00-\x1f]')
"""What JSON that we write has as an escape, as a regular expression."""


def _json_modify(call: Call) -> Form | None:
    """A member is replaced whose name stands in the text once, and its value as DuckDB writes it, or one more put into the whole object: a whole number, or a text without
    what JSON escapes."""
    path, family = _path(call), kind(call.types[2])
    if (
        path is None
        or path.append
        or not path.steps
        or not isinstance(path.steps[-1], str)
        or family not in ("int", "string")
    ):
        return None
    name, new = path.steps[-1], "CAST({2} AS VARCHAR)"
    if family == "string":
        new = f"CASE WHEN NOT regexp_matches({{2}}, {_ESCAPED}) THEN '\"' || {{2}} || '\"' END"
    is_whole = "(ascii(v) IN (34, 91, 123) OR NOT regexp_matches(substring(r, length(v) + 2, 1), '[-+.0-9eE]'))"
    stands = f"starts_with(r, ':' || v) AND {is_whole} AND {_stands_once('r', name)}"
    added = "NULL"
    if len(path.steps) == 1 and not path.is_strict:
        comma = f"CASE WHEN trim(substring(t, 2, length(t) - 2), {_BLANKS}) = '' THEN '' ELSE ',' END"
        added = f"CASE WHEN t LIKE '{{{{%}}}}' AND json_valid(t) THEN left(t, length(t) - 1) || {comma} || {_text(f'{chr(34)}{name}{chr(34)}:')} || n || '}}}}' END"
    replaced = "left(t, length(t) - length(r) + 1) || n || substring(r, length(v) + 2)"
    found = f"CASE WHEN v IS NULL THEN {added} WHEN {stands} THEN {replaced} END"
    inner = f"invoke(lambda v, r: {found}, {_piece(path)}, {_behind(name)})"
    sql = f"CASE WHEN {_ODD} THEN NULL ELSE invoke(lambda t, n: {inner}, {{0}}, {new}) END"
    return Form(sql, misses=True, takes_nulls=True)


JSON: Final[Forms] = {
    "JSON_MODIFY": (Row("string string *", _json_modify),),
    "ISJSON": (Row("string", _isjson), Row("string string", _isjson)),
    "JSON_VALUE": (Row("string string", _json_value),),
    "JSON_QUERY": (Row("string", _json_query), Row("string string", _json_query)),
    "JSON_PATH_EXISTS": (Row("string string", _json_path_exists),),
}
"""Functions to their forms."""
